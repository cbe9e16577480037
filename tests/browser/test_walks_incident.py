"""From one incident to the next on the pages of alerts, and back to the queue; with the keyboard alone."""

from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.steps import CURRENT_ROW, STANDS, asks, says

SHIFT = "/?queue=this_shift&state=new"


def opens_second(person: Person, queue: str = SHIFT) -> list[str]:
    """Open the second row of a queue; return the alerts of its rows in their order."""
    person.goes_to(queue)
    expect(person.part("#live")).to_have_text("Live")
    shown: list[str] = person.part("#rows tr").evaluate_all("all => all.map((each) => each.dataset.id)")
    assert len(shown) > 3
    person.presses("j", "j", "Enter")
    is_at_alert(person, shown[1])
    return shown


def is_at_alert(person: Person, alert: str) -> None:
    person.is_at(f"/alerts/{alert}")
    expect(person.part("#live")).to_have_text("Live")


def test_the_next_incident_and_the_one_before_are_one_key_away_and_escape_leads_back(enters: Enters) -> None:
    person = enters("operator")
    shown = opens_second(person)
    person.presses("j")
    is_at_alert(person, shown[2])
    person.presses("k")
    is_at_alert(person, shown[1])
    person.presses("k")
    is_at_alert(person, shown[0])
    person.presses("k")
    says(person, "That is the first in the queue; Escape returns to it.")
    person.presses("Escape")
    person.is_at(f"{SHIFT}#a-{shown[0]}")
    expect(person.part(f"#a-{shown[0]}")).to_be_focused()
    person.presses("j")
    expect(person.part(CURRENT_ROW)).to_have_attribute("data-id", shown[1])


def test_a_queue_is_one_key_away_from_an_alert(enters: Enters) -> None:
    person = enters("operator")
    opens_second(person)
    person.presses("3")
    person.is_at("/?queue=nightly&state=new")
    person.presses("j", "Enter")
    person.sees("#case")
    person.presses("4")
    person.is_at("/?queue=for_me&state=new")


def test_escape_at_what_rang_dismisses_it_and_stays_on_the_alert(enters: Enters) -> None:
    person = enters("operator")
    (_, alert, other, *_) = opens_second(person)
    told = {
        "id": other,
        "table": "BAC-101",
        "check": "push_paid",
        "severity": "high",
        "due": None,
        "why": "",
    }
    person.part("html").page.evaluate(
        "(data) => document.dispatchEvent(new CustomEvent('stream', { detail: { event: 'ring', data } }))",
        told,
    )
    person.presses("b", "Escape")
    expect(person.part("#ringing")).to_be_hidden()
    person.is_at(f"/alerts/{alert}")


def test_who_closed_an_alert_is_at_the_next_and_takes_it_back_from_there(enters: Enters) -> None:
    person = enters("supervisor")
    _, closed, following, *_ = opens_second(person, f"{SHIFT}&every=true")
    asks(person, "c", "3", reason="it was counted again")
    is_at_alert(person, following)
    expect(person.part("#message")).to_contain_text("u takes it back.")
    person.presses("u")
    expect(person.part("#message")).to_contain_text("Undone: Close (")
    person.presses("k")
    is_at_alert(person, closed)
    expect(person.part(STANDS)).to_contain_text("Unassigned")


def test_who_closed_the_last_of_a_queue_is_back_at_it(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to(f"{SHIFT}&every=true")
    expect(person.part("#live")).to_have_text("Live")
    person.presses("End")
    alert = person.part(CURRENT_ROW).get_attribute("data-id") or ""
    person.presses("Enter")
    is_at_alert(person, alert)
    asks(person, "c", "3", reason="it was counted again")
    person.is_at(f"{SHIFT}&every=true#a-{alert}")
    expect(person.part(f"#a-{alert}")).to_have_count(0)
    person.presses("u")
    expect(person.part(f"#a-{alert}")).to_have_count(1)


def test_a_person_can_stay_on_a_closed_alert_and_the_choice_is_remembered(enters: Enters) -> None:
    person = enters("supervisor")
    _, closed, *_ = opens_second(person, f"{SHIFT}&every=true")
    person.presses("c")
    choice = person.part("#ask-close [data-advance]")
    expect(choice).to_be_checked()
    person.gets_to(choice)
    person.presses("Space", "Escape")
    asks(person, "c", "3", reason="it was counted again")
    person.sees(f"{STANDS}:has-text('Closed by supervisor')")
    person.is_at(f"/alerts/{closed}")
    person.presses("u")
    says(person, "Undone.")


def test_an_alert_that_was_opened_by_its_address_is_stayed_on_when_it_is_closed(enters: Enters) -> None:
    person = enters("supervisor")
    alert = opens_second(person, f"{SHIFT}&every=true")[1]
    fresh = person.opens(f"/alerts/{alert}")
    expect(fresh.part("#live")).to_have_text("Live")
    fresh.presses("c", "3")
    expect(fresh.part("#ask-close [data-advance]")).to_be_hidden()
    fresh.types("it was counted again")
    fresh.presses("Enter")
    fresh.sees(f"{STANDS}:has-text('Closed by supervisor')")
    fresh.is_at(f"/alerts/{alert}")
