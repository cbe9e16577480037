"""Keys that the ten most frequent tasks take, counted as they are pressed, without the text that is typed.

A chord is one key. Each test begins where the task does: at a queue without a row, or at an alert's page.
"""

import httpx
from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.steps import CURRENT_ROW, STANDS, state_of


class Counted:
    """Person whose keys are counted."""

    def __init__(self, person: Person) -> None:
        self.person, self.keys = person, 0

    def presses(self, *keys: str) -> None:
        """Press keys one after the other."""
        self.keys += len(keys)
        self.person.presses(*keys)


def at(person: Person, path: str) -> Counted:
    """Open a page and wait until it is live; return who counts from there."""
    person.goes_to(path)
    expect(person.part("#live")).to_have_text("Live")
    return Counted(person)


def at_taken(person: Person, queue: str) -> Counted:
    """Go to the page of the second row of a queue, and take it; return who counts from there."""
    at(person, queue)
    person.presses("j", "j", "Enter")
    person.sees("#case")
    expect(person.part("#live")).to_have_text("Live")
    person.presses("a")
    person.sees(f"{STANDS}:has-text('has it')")
    return Counted(person)


def test_the_next_alert_is_taken_by_1(enters: Enters) -> None:
    person = enters("operator")
    counted = at(person, "/")
    counted.presses("n")
    person.sees(f"{STANDS}:has-text('operator has it')")
    assert counted.keys == 1
    person.presses("u")


def test_a_row_is_taken_by_2(enters: Enters) -> None:
    person = enters("operator")
    counted = at(person, "/?queue=this_shift")
    counted.presses("j", "a")
    expect(state_of(person.part(CURRENT_ROW))).to_contain_text("operator")
    assert counted.keys == 2
    person.presses("u")


def test_all_of_a_hand_is_one_row_by_0(enters: Enters) -> None:
    person = enters("operator")
    counted = at(person, "/?queue=nightly&state=new")
    rounds = person.part("#rows tr .round-label").evaluate_all(
        "all => all.map((each) => each.closest('tr').dataset.table + each.textContent.split(',')[0])"
    )
    assert len(rounds) == len(set(rounds)) > 1
    assert person.part("#rows tr[data-separate]").count() > 0
    assert counted.keys == 0


def test_an_alert_is_closed_by_2_and_the_next_is_there_by_0(enters: Enters) -> None:
    person = enters("supervisor")
    counted = at_taken(person, "/?queue=this_shift&every=true&severity=medium")
    closed = person.part("[data-alert]").get_attribute("data-alert")
    counted.presses("c", "5")  # a reason that is offered
    person.sees(f"[data-alert]:not([data-alert='{closed}'])")
    assert counted.keys == 2
    expect(person.part("#message")).to_contain_text("Close (")
    person.presses("u")
    expect(person.part("#message")).to_contain_text("Undone: Close (")


def test_an_alert_is_closed_for_the_reason_that_was_used_last_by_2(enters: Enters) -> None:
    person = enters("supervisor")
    at_taken(person, "/?queue=this_shift&every=true&severity=medium")
    person.presses("c", "3")
    person.types("the patron left a chip")
    person.presses("Enter")
    person.sees("#message:has-text('Close (')")
    expect(person.part("#live")).to_have_text("Live")
    counted, closed = Counted(person), person.part("[data-alert]").get_attribute("data-alert")
    counted.presses("c", "Enter")
    person.sees(f"[data-alert]:not([data-alert='{closed}'])")
    assert counted.keys == 2
    person.goes_to(f"/alerts/{closed}")
    expect(person.part(STANDS)).to_contain_text("Closed by supervisor as explained: the patron left a chip")


def test_a_critical_alert_is_closed_by_two_people_with_4(enters: Enters) -> None:
    one, second = enters("operator"), enters("supervisor")
    first = at_taken(one, "/?queue=act_now&every=true&severity=critical")
    alert = one.part("[data-alert]").get_attribute("data-alert")
    first.presses("c")
    one.sees("#ask-close [data-second]")
    first.presses("5")
    one.sees(f"[data-alert]:not([data-alert='{alert}'])")
    other = at(second, "/")
    other.presses("y")
    second.sees("#ask-agree[open]")
    second.is_at(f"/alerts/{alert}")
    other.presses("Enter")
    expect(second.part("dialog[open]")).to_have_count(0)
    second.sees("#message:has-text('Agree (')")
    assert first.keys + other.keys == 4
    second.goes_to(f"/alerts/{alert}")
    expect(second.part(STANDS)).to_contain_text("approved by supervisor")


def test_a_hand_is_found_by_a_chord_a_text_and_enter(enters: Enters, other: httpx.Client) -> None:
    alert = other.get("/api/queue?queue=this_shift").json()["rows"][0]["alert"]
    person = enters("operator")
    counted = at(person, "/")
    counted.presses("Control+k")
    person.types(f"{alert['gaming_date']} {alert['table'].replace('-', '').lower()} {alert['round']}")
    counted.presses("Enter")
    person.is_at(f"/rounds/{alert['gaming_date']}/{alert['table']}/{alert['round']}")
    assert counted.keys == 2


def test_a_dispute_of_the_hand_is_opened_by_2_and_the_claim(enters: Enters, other: httpx.Client) -> None:
    rows = other.get("/api/queue?queue=this_shift&every=true&severity=medium").json()["rows"]
    alert = next(row["alert"] for row in rows if row["alert"].get("seat"))
    person = enters("operator")
    counted = at(person, f"/alerts/{alert['id']}")
    counted.presses("D")
    expect(person.sees('[name="about.seat"]')).to_have_value(str(alert["seat"]))
    expect(person.part('[name="about.claim"]')).to_be_focused()
    person.types("The bet was not paid.")
    counted.presses("Control+Enter")
    person.sees("#facts")
    assert counted.keys == 2


def test_a_line_of_the_log_is_1_and_its_form(enters: Enters) -> None:
    person = enters("operator")
    counted = at(person, "/?queue=this_shift")
    counted.presses("L")
    expect(person.sees('[name="entry.what"]')).to_be_focused()
    assert counted.keys == 1
    person.types("Visitor at the door")
    person.presses("Control+Enter")
    person.sees("#lines >> text=Visitor at the door")


def test_a_queue_is_filtered_to_a_table_by_2_and_a_text(enters: Enters) -> None:
    person = enters("operator")
    counted = at(person, "/?queue=nightly")
    counted.presses("f")
    person.types("bac-102")
    counted.presses("Enter")
    person.is_at("/?queue=nightly&table=BAC-102")
    assert counted.keys == 2  # and the text, which is the third
    assert person.part("#rows tr:not([data-table='BAC-102'])").count() == 0
