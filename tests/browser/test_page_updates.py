"""Updates of a page: what a person is working at stays as it is."""

import httpx
from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.steps import asks, post_action


def waiting(other: httpx.Client, queue: str) -> list[str]:
    """Return the alerts of a queue that nobody has, each as a subject."""
    rows = other.get(f"/api/queue?queue={queue}&every=true&state=new").json()["rows"]
    return [f"alert:{row['alert']['id']}" for row in rows]


def opens(enters: Enters, alert: str) -> Person:
    """Open an alert's page as an operator; return them, when it is live."""
    person = enters("operator")
    person.goes_to(f"/alerts/{alert.removeprefix('alert:')}")
    expect(person.part("#live")).to_have_text("Live")
    return person


def test_what_is_urgent_shows_on_the_floor_while_a_filter_has_the_focus(
    enters: Enters, other: httpx.Client
) -> None:
    urgent = waiting(other, "act_now")
    for number, subject in enumerate(urgent):
        post_action(other, 0xB100 + number, action="acknowledge", subject=subject)
    assert waiting(other, "act_now") == []
    person = enters("operator")
    person.goes_to("/floor")
    expect(person.part("#live")).to_have_text("Live")
    chosen = person.part("main form select[name=only]")
    person.gets_to(chosen)
    expect(person.part("main .now")).to_have_count(0)
    post_action(other, 0xB200, action="release", subject=urgent[0])
    expect(person.part("main .now a")).to_have_count(1)
    expect(person.part("main form")).to_have_count(1)
    expect(chosen).to_be_focused()
    post_action(other, 0xB201, action="acknowledge", subject=urgent[0])
    expect(person.part("main .now")).to_have_count(0)
    expect(person.part("main form")).to_have_count(1)
    expect(chosen).to_be_focused()


def test_a_tag_that_was_just_given_can_be_taken_away_on_the_alert_s_page(
    enters: Enters, other: httpx.Client
) -> None:
    person = opens(enters, waiting(other, "nightly")[0])
    asks(person, "t", reason="torn label")
    tag = person.part("#case .tag", has_text="torn label")
    expect(tag).to_be_visible()
    person.presses("t")
    person.gets_to(person.part("#ask-tag [data-off]", has_text="Remove torn label"))
    person.presses("Enter")
    expect(tag).to_have_count(0)


def test_the_focus_stays_on_an_alert_s_button_when_somebody_else_writes_a_note(
    enters: Enters, other: httpx.Client
) -> None:
    alert = waiting(other, "nightly")[1]
    person = opens(enters, alert)
    button = person.part('#case button[data-key="e"]')
    person.gets_to(button)
    post_action(other, 0xB300, action="note", subject=alert, text="called the pit")
    expect(person.part("#case .note")).to_contain_text("called the pit")
    expect(button).to_be_focused()
    person.presses("Enter")
    person.sees("#ask-escalate[open]")
