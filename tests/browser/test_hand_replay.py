"""A hand is replayed by its events: with keys, in its own time, with less motion, and without scripts."""

from contextlib import closing
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.served import CAMERA, Served

SCRUBBER: Final = "Time in the hand"


@pytest.fixture
def replay(served: Served) -> dict[str, Any]:
    """Return the replay of a round of the table that has a camera, in which something was settled wrongly."""
    with closing(served.person("supervisor")) as client:
        found = client.get("/api/alerts", params={"table": "BAC-101", "verdict": "mismatch"}).json()
        about = next(each for each in found["findings"] if "round" in each)
        path = f"/rounds/{about['gaming_date']}/BAC-101/{about['round']}/replay"
        return {"path": path, **client.get(f"/api{path}").json()}


def shows(person: Person, event: int) -> None:
    """Wait until the page shows an event."""
    expect(person.part(".events .current")).to_have_id(f"event-{event}")


def shows_pieces(person: Person, number: int) -> None:
    expect(person.part(".drawing .piece:not(.off)")).to_have_count(number)


def dealt(frame: dict[str, Any]) -> int:
    return sum(len(hand["pieces"]) for place in frame["places"] for hand in place["hands"])


def test_keys_go_from_event_to_event_and_to_the_ends(enters: Enters, replay: dict[str, Any]) -> None:
    frames = replay["frames"]
    person = enters("supervisor")
    person.goes_to(replay["path"])
    scrubber = person.field(SCRUBBER)
    expect(scrubber).to_be_visible()
    shows(person, replay["marks"][0]["frame"])  # it begins where something went wrong
    person.gets_to(scrubber)
    person.presses("Home")
    shows(person, 0)
    shows_pieces(person, 0)
    person.presses("ArrowRight", "ArrowRight")
    shows(person, 2)
    expect(scrubber).to_have_value(str(frames[2]["after_ms"]))
    person.presses("ArrowLeft")
    shows(person, 1)
    person.presses("End")
    shows(person, len(frames) - 1)
    shows_pieces(person, dealt(frames[-1]))
    assert person.failures == []


def test_each_event_shows_what_lay_there_and_the_recorder_s_link_follows(
    enters: Enters, replay: dict[str, Any]
) -> None:
    person = enters("supervisor")
    person.goes_to(replay["path"])
    person.gets_to(person.field(SCRUBBER))
    person.presses("Home")
    for number, frame in enumerate(replay["frames"]):
        shows(person, number)
        shows_pieces(person, dealt(frame))
        link = person.part(".now .cameras a")
        expect(link).to_have_text(f"Footage {CAMERA}")
        expect(link).to_have_attribute("href", frame["cameras"][0]["link"])
        person.presses("ArrowRight")


def test_it_plays_in_the_time_that_the_hand_took(enters: Enters, replay: dict[str, Any]) -> None:
    person = enters("supervisor")
    person.goes_to(replay["path"])
    person.part(".player select").select_option("16")
    person.gets_to(person.field(SCRUBBER))
    person.presses("Home", " ")
    expect(person.part("[data-does=play]")).to_have_text("❚❚ Pause")
    expect(person.part(".events .current")).to_have_id(f"event-{len(replay['frames']) - 1}")
    expect(person.part("[data-does=play]")).to_have_text("▶ Play")


def test_an_event_of_the_list_is_gone_to(enters: Enters, replay: dict[str, Any]) -> None:
    person = enters("supervisor", "phone", "light")
    person.goes_to(replay["path"])
    person.gets_to(person.part("#event-3 > a:first-child"))
    person.presses("Enter")
    shows(person, 3)
    expect(person.field(SCRUBBER)).to_have_value(str(replay["frames"][3]["after_ms"]))


def test_without_scripts_it_is_the_table_at_the_end_and_a_list_of_events_with_times(
    enters: Enters, replay: dict[str, Any]
) -> None:
    person = enters("supervisor", scripts=False)
    person.goes_to(replay["path"])
    assert person.part(".events li time").count() == len(replay["frames"])
    expect(person.part(".player")).to_be_hidden()
    visible = person.part(".drawing .piece").evaluate_all(
        "(all) => all.filter((each) => getComputedStyle(each).display !== 'none').length"
    )
    assert visible == dealt(replay["frames"][-1])
    assert person.part("#event-2 a.camera").get_attribute("href") == replay["frames"][2]["cameras"][0]["link"]
