"""A hand's replay read from an archive: its frames, its marks, the recorder's links, and who may see what."""

import gzip
import re
from pathlib import Path
from typing import Any, Final

import pytest

from projections.web.auth.accounts import Accounts
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.embargo import Embargoes
from schemas.cameras import Cameras
from tests.builders.archived_floor import ArchivedFloor
from tests.builders.consoles import PASSWORD
from tests.builders.evidence_bundles import OTHERS, STAFF, script_two_rounds, script_with_every_name
from tests.builders.table_script import START

DAY: Final = "2025-04-01"
REPLAY: Final = f"/rounds/{DAY}/BAC-1/2/replay"
CAMERAS: Final = Cameras(
    "https://nvr/{camera}?from={start_ms}&to={end_ms}", {"BAC-1": ["PTZ-7"]}, clock_offset_ms=-1200
)
# In the script: opened, counted, three wagers, no more bets, three stacks, eight readings of cards, called,
# paid, collected twice, vigorish, counted, closed.
PAID, LAST = 18, 23


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> ArchivedFloor:
    return ArchivedFloor(tmp_path_factory.mktemp("replay"), script_two_rounds())


@pytest.fixture(scope="module")
def answers(floor: ArchivedFloor) -> tuple[str, dict[str, Any]]:
    """Return the page and the answer under /api."""
    with floor.entered(cameras=CAMERAS) as client:
        page, answer = client.get(REPLAY), client.get(f"/api{REPLAY}")
    assert (page.status_code, answer.status_code) == (200, 200)
    return page.text, answer.json()


def test_each_event_is_a_frame_with_its_milliseconds(answers: tuple[str, dict[str, Any]]) -> None:
    page, replay = answers
    after = [each["after_ms"] for each in replay["frames"]]
    assert (len(after), after[PAID], after[LAST]) == (LAST + 1, 15_000, 18_000)
    assert [int(each) for each in re.findall(r'data-ms="(\d+)"', page)] == after
    assert 'max="18000"' in page
    assert [each["calls"] for each in replay["frames"]][PAID - 2 :: 7] == [
        ["No more bets"],
        ["Called: Banker"],
    ]


def test_the_finding_is_marked_at_the_payment_that_was_wrong(answers: tuple[str, dict[str, Any]]) -> None:
    page, replay = answers
    (mark,) = replay["marks"]
    assert (mark["frame"], mark["check"], mark["severity"], mark["seat"]) == (
        PAID,
        "paid_too_much",
        "medium",
        1,
    )
    # 15,000 of 18,000 ms of a line that is 1,000 long.
    assert 'class="mark medium" d="M833 26' in page
    assert f'href="#event-{PAID}"' in page


def test_seat_1_has_its_gap_from_that_payment_on(answers: tuple[str, dict[str, Any]]) -> None:
    page, replay = answers
    gaps = re.findall(r'class="gap over( off)?" data-first="(\d+)" data-last="(\d+)"', page)
    # $45.00 paid where $40.00 were owed, and until vigorish was taken $2.00 of it short as well.
    assert [each[1:] for each in gaps] == [(str(PAID), str(PAID + 2)), (str(PAID + 3), str(LAST))]
    nets = [
        spot["paid_cents"] - spot["owed_cents"]
        for place in replay["frames"][LAST]["places"]
        for spot in place["wagers"]
        if spot["wager"] == "banker"
    ]
    assert nets == [500]


def test_the_recorder_s_link_begins_at_each_event_by_its_own_clock(
    answers: tuple[str, dict[str, Any]],
) -> None:
    page, replay = answers
    links = [each["cameras"][0]["link"] for each in replay["frames"]]
    begins = [int(re.search(r"from=(\d+)", each)[1]) for each in links]  # type: ignore[index]
    assert [each - begins[0] for each in begins] == [each["after_ms"] for each in replay["frames"]]
    ends = {re.search(r"to=(\d+)", each)[1] for each in links}  # type: ignore[index]
    assert ends == {str(begins[LAST] + 30_000)}  # half a minute after the round closed
    # Round 2 is opened 23.3 s after the script begins, and the recorder is 1.2 s behind.
    assert begins[0] == START // 1000 + 23_300 - 1_200
    assert links[PAID].replace("&", "&amp;") in page


def test_a_hand_is_small_enough_for_a_telephone(answers: tuple[str, dict[str, Any]]) -> None:
    page, _ = answers
    assert len(gzip.compress(page.encode())) < 40_000


def test_the_page_of_the_round_and_of_the_alert_lead_to_it(floor: ArchivedFloor) -> None:
    with floor.entered() as client:
        (found,) = client.get("/api/alerts").json()["findings"]
        for path in (f"/alerts/{found['id']}", f"/rounds/{DAY}/BAC-1/2"):
            assert f'href="{REPLAY}"' in client.get(path).text
    with floor.entered(archive=False) as client:
        assert REPLAY not in client.get(f"/alerts/{found['id']}").text
        assert client.get(REPLAY).status_code == 404


def test_names_are_masked_in_frames_and_drawing(tmp_path: Path) -> None:
    floor = ArchivedFloor(tmp_path, script_with_every_name())
    path = REPLAY.replace("/2/", "/1/")
    with floor.entered("supervisor") as client:
        masked = client.get(path).text + client.get(f"/api{path}").text
    people = {*STAFF.values(), *OTHERS.values()} - {OTHERS[name] for name in ("coupon", "dropped", "check")}
    assert [name for name in sorted(people) if name in masked] == []


def test_looking_is_logged_and_what_is_withheld_is_not_there(tmp_path: Path) -> None:
    floor = ArchivedFloor(tmp_path, script_two_rounds())
    with floor.entered("supervisor") as client:
        assert client.get(REPLAY).status_code == 200
        assert f"replay:{DAY}|BAC-1|2" in client.get("/api/audit").text
        file = AccountsFile(accounts_of(floor.store))
        Accounts(file).add("director", "Director", "director", PASSWORD, by="test")
        Embargoes(file).place(f"table-day:{DAY}|BAC-1", "supervisor", "a relation", by="director")
        file.close()
        assert [client.get(path).status_code for path in (REPLAY, f"/api{REPLAY}")] == [404, 404]
