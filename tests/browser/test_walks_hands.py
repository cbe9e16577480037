"""Ringing, and mistakes of the hand: merging, Caps Lock, tags; with the keyboard alone."""

from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.steps import comes_to_new, state_of

CAPS = """(key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, modifierCapsLock: true, bubbles: true, cancelable: true })
)"""


def presses_with_caps_lock(person: Person, key: str) -> None:
    """Press a key while Caps Lock is on; `key` is what it comes as."""
    person.part("html").page.evaluate(CAPS, key)


def test_merging_shows_what_would_be_one_case_and_is_done_only_then(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/?queue=nightly&every=true&state=new")
    row = comes_to_new(person)
    alert, table = row.get_attribute("data-id"), row.get_attribute("data-table")
    person.presses("x", "j", "x", "M")
    asked = person.part("#ask-merge[open] li")
    expect(asked).to_have_count(2)
    expect(asked.nth(1)).to_contain_text(f"{table}: ")
    assert person.is_marked()
    person.presses("Escape")
    expect(person.part("dialog[open]")).to_have_count(0)
    person.presses("M")
    expect(asked).to_have_count(2)
    person.presses("Enter")
    person.sees("text=They are one case now.")
    person.goes_to(f"/alerts/{alert}")
    expect(person.part('#case a[href*="/alerts/"]')).to_have_count(1)
    person.presses("u")
    expect(person.part('#case a[href*="/alerts/"]')).to_have_count(0)


def test_where_nothing_else_is_found_it_is_not_asked_about(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/?queue=act_now&severity=critical&state=new&every=true")
    alert = comes_to_new(person).get_attribute("data-id")
    person.goes_to(f"/alerts/{alert}")
    person.presses("M")
    person.sees("text=Nothing else found there is unassigned.")
    expect(person.part("dialog[open]")).to_have_count(0)


def test_with_caps_lock_on_a_letter_of_two_meanings_does_nothing_and_the_page_says_why(
    enters: Enters,
) -> None:
    person = enters("supervisor")
    person.goes_to("/?queue=nightly&state=new")
    row = comes_to_new(person)
    for came_as, said in (("M", "m and M"), ("m", "m and M"), ("N", "n and N"), ("u", "u and U")):
        presses_with_caps_lock(person, came_as)
        expect(person.part("#message")).to_have_text(f"Caps Lock is on: {said} do different things.")
    expect(person.part("dialog[open]")).to_have_count(0)
    person.is_at("/?queue=nightly&state=new")
    presses_with_caps_lock(person, "W")  # which means one thing only
    person.sees("#ask-note[open]")
    expect(person.part("#message")).to_be_hidden()
    person.presses("Escape")
    expect(state_of(row)).to_have_text("new")


def test_a_tag_is_taken_away_on_an_alert_s_page_and_in_the_queue(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/?queue=nightly&every=true&state=new")
    row = comes_to_new(person)
    person.presses("t")
    expect(person.part("#ask-tag[open] [data-tags]")).to_be_hidden()
    person.types("to slots bench")
    person.presses("Enter")
    person.sees("text=It is tagged.")
    expect(state_of(row).locator(".tag")).to_have_text("to slots bench")
    person.presses("t")
    person.types("vip")
    person.presses("Enter")
    expect(person.part("dialog[open]")).to_have_count(0)
    expect(state_of(row).locator(".tag")).to_have_text(["to slots bench", "vip"])
    person.presses("t")
    person.gets_to(person.part("#ask-tag[open] [data-off]").first)
    person.presses("Enter")
    person.sees("text=The tag is removed.")
    expect(state_of(row).locator(".tag")).to_have_text("vip")
    person.goes_to(f"/alerts/{row.get_attribute('data-id')}")
    person.presses("t")
    person.gets_to(person.part("#ask-tag[open] [data-off]"))
    assert person.obstacles() == []
    person.presses("Enter")
    expect(person.part("#case .tag")).to_have_count(0)
