"""Alerts that rang stand at the foot of every page until somebody has them or they are dismissed there."""

import json
from contextlib import closing
from typing import Any, Final

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import SIZES, Enters
from tests.browser.person import Person
from tests.browser.served import Served
from tests.browser.steps import DESK_AND_PHONE, comes_to_new, post_action

STREAM_EVENT = (
    "([event, data]) => document.dispatchEvent(new CustomEvent('stream', { detail: { event, data } }))"
)


@pytest.fixture
def urgent(served: Served) -> dict[str, list[dict[str, Any]]]:
    """Return what can be put right and nobody has, by severity."""
    with closing(served.person("supervisor")) as client:
        rows = client.get("/api/queue?every=true&state=new").json()["rows"]
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["alert"]["severity"], []).append(row["alert"])
    return found


def rings(person: Person, alert: dict[str, Any]) -> None:
    """Send a message of the stream that an alert rings."""
    expect(person.part("#live")).to_have_text("Live")
    told = {name: alert[name] for name in ("id", "table", "check", "severity")}
    hears(person, "ring", told | {"due": None, "why": ""})


def hears(person: Person, event: str, data: Any) -> None:
    """Send a message of the stream."""
    person.part("html").page.evaluate(STREAM_EVENT, [event, data])


# Notes of each tone that begins how the page's sound stands then, and of which pitch it is.
NOTES: Final = """
window.tones = [];
const Before = AudioContext;
window.AudioContext = class extends Before {
  constructor() {
    super();
    window.audio = this;
  }
  createOscillator() {
    const tone = super.createOscillator();
    tone.addEventListener("ended", () => window.tones.push([this.state, tone.frequency.value]));
    return tone;
  }
};
"""


def test_a_chime_of_two_tones_sounds_each_time_and_in_between_the_sound_card_rests(
    enters: Enters, urgent: dict[str, list[dict[str, Any]]]
) -> None:
    person = enters("operator")
    page = person.part("html").page
    person.begins_with(NOTES)
    person.goes_to("/?queue=nightly&every=true")
    expect(person.part("#sound")).to_have_text("No sound yet")
    rings(person, urgent["high"][0])  # nobody has done anything here: it cannot be heard
    expect(person.part("#ringing b")).to_have_text("Act now")
    person.presses("j")
    expect(person.part("#sound")).to_have_text("Sound on (q)")
    for chimes, alert in enumerate((urgent["critical"][0], urgent["high"][0]), 1):
        page.wait_for_function("() => window.audio.state === 'suspended'")
        rings(person, alert)
        page.wait_for_function("(tones) => window.tones.length >= tones", arg=2 * chimes)
    page.wait_for_function("() => window.audio.state === 'suspended'")
    assert page.evaluate("window.tones") == 2 * [["running", 660], ["running", 880]]
    person.presses("q")
    expect(person.part("#sound")).to_have_text("Sound off (q)")
    rings(person, urgent["critical"][0])
    expect(person.part("#ringing-critical")).not_to_be_empty()
    assert page.evaluate("window.audio.state") == "suspended"


def named(alert: dict[str, Any]) -> str:
    return f"{alert['table']}: {alert['check'].replace('_', ' ')}"


@DESK_AND_PHONE
def test_what_rang_stays_whatever_is_typed_and_is_got_to_and_dismissed_by_keys(
    enters: Enters, urgent: dict[str, list[dict[str, Any]]], size: str, theme: str
) -> None:
    person = enters("operator", size, theme)
    person.goes_to("/?queue=nightly&every=true")
    grave, money = urgent["critical"][0], urgent["high"][0]
    rings(person, money)
    expect(person.part("#ringing b")).to_have_text("Act now")
    expect(person.part("#ringing-other")).to_have_text(f"Act now, high: {named(money)}")
    expect(person.part("#ringing-critical")).to_be_empty()
    rings(person, grave)
    expect(person.part("#ringing b")).to_have_text("Act now: 2")
    expect(person.part("#ringing li a")).to_have_text([named(grave), named(money)])
    expect(person.part("#ringing-critical")).to_have_text(f"Act now, critical: {named(grave)}")
    assert person.obstacles() == []
    assert person.overflows <= 0
    comes_to_new(person)
    person.presses("Tab", "w")
    person.types("a note")
    person.presses("Escape")  # which closes the note
    expect(person.part("dialog[open]")).to_have_count(0)
    expect(person.part("#ringing li")).to_have_count(2)
    person.presses("w")
    person.sees("dialog[open]")
    person.presses_as_it_closes("b")
    expect(person.part("dialog[open]")).to_have_count(0)
    expect(person.part("#ringing li a").first).to_be_focused()
    assert person.is_marked()
    person.gets_to(person.part("#ringing li button").first)
    person.presses("Enter")
    expect(person.part("#ringing li a")).to_have_text([named(money)])
    person.goes_to("/floor")  # another page, and it is there
    expect(person.part("#ringing li a")).to_have_text([named(money)])
    person.gets_to(person.part("#ringing li a"))
    person.presses("Escape")
    expect(person.part("#ringing")).to_be_hidden()


def test_what_rang_goes_when_somebody_has_it_and_when_it_is_opened(
    enters: Enters, served: Served, urgent: dict[str, list[dict[str, Any]]]
) -> None:
    person = enters("operator")
    person.goes_to("/log")
    taken, opened = urgent["high"][:2]
    rings(person, taken)
    rings(person, opened)
    expect(person.part("#ringing li")).to_have_count(2)
    with closing(served.person("supervisor")) as client:
        post_action(client, 0x911, action="acknowledge", subject=f"alert:{taken['id']}")
        expect(person.part("#ringing li a")).to_have_text([named(opened)])
        post_action(client, 0x912, action="release", subject=f"alert:{taken['id']}")
    person.presses("b", "Enter")
    person.is_at(f"/alerts/{opened['id']}")
    expect(person.part("#ringing")).to_be_hidden()


def test_of_many_that_rang_the_gravest_stand_there_and_the_others_are_counted(
    enters: Enters, urgent: dict[str, list[dict[str, Any]]]
) -> None:
    person = enters("operator")
    person.goes_to("/floor")
    several = [*urgent["high"][:4], *urgent["critical"][:2]]
    for each in several:
        rings(person, each)
    expect(person.part("#ringing b")).to_have_text("Act now: 6")
    expect(person.part("#ringing li")).to_have_count(4)
    expect(person.part("#ringing li.critical")).to_have_count(2)
    expect(person.part("#ringing .more")).to_have_text("and 2 more")


def test_on_a_telephone_what_rang_covers_nothing_that_cannot_be_got_to(
    enters: Enters, urgent: dict[str, list[dict[str, Any]]]
) -> None:
    person = enters("operator", "phone")
    page = person.part("html").page
    person.goes_to("/disputes/new")
    for each in [*urgent["high"][:3], *urgent["critical"][:2]]:
        rings(person, each)
    expect(person.part("#ringing b")).to_have_text("Act now: 5")
    _, band = person.place_of(person.part(".bands"))
    assert band >= SIZES["phone"][1] * 2 / 3  # at least so much of the screen is the page's
    button = person.part("main form button")
    person.gets_to(button)
    page.wait_for_function("(at) => document.activeElement.getBoundingClientRect().bottom <= at", arg=band)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    foot = person.sees("#follows").bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] <= band


def test_an_overdue_alert_rings_again_in_every_tab_even_if_dismissed_there(
    enters: Enters, urgent: dict[str, list[dict[str, Any]]]
) -> None:
    person = enters("operator", alone=True)
    page, grave, money = person.part("html").page, urgent["critical"][0], urgent["high"][0]
    again = [
        {name: alert[name] for name in ("id", "table", "check", "severity")} | {"due": 1_000_000, "why": ""}
        for alert in (grave, money)
    ]

    def still(route: Route) -> None:
        route.fulfill(body=json.dumps(again), content_type="application/json")

    page.context.route("**/api/rung?*", still)
    person.goes_to("/floor")
    rings(person, grave)
    other = person.opens("/log")  # a tab in which nothing rang
    expect(other.part("#ringing li a").first).to_have_text(named(grave))
    person.presses("Escape")
    expect(person.part("#ringing")).to_be_hidden()
    for tab in (person, other):
        hears(tab, "again", again)
        expect(tab.part("#ringing li a")).to_have_text([named(grave), named(money)])
        expect(tab.part("#ringing li small")).to_have_text(
            ["critical, overdue, unassigned", "high, overdue, unassigned"]
        )
        said = f"Overdue, unassigned: {named(grave)}, and 1 more"
        expect(tab.part("#ringing-critical")).to_have_text(said)


def test_every_page_s_header_counts_overdue_alerts_from_the_stream(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/log")
    expect(person.part("#live")).to_have_text("Live")
    hears(person, "overdue", {"rows": 3})
    expect(person.part("#overdue")).to_have_text("3 overdue")
    assert person.obstacles() == []
    hears(person, "overdue", {"rows": 0})
    expect(person.part("#overdue")).to_be_hidden()
