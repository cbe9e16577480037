"""Keys on a row that stands for several alerts, where one is after it, and how the action is undone."""

from collections.abc import Collection
from itertools import count
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.steps import CURRENT_ROW, asks, comes_to_new, goes_to_row, post_action, says

_NUMBER: Final = count(0x5E7E)


def incident(person: Person, client: httpx.Client) -> tuple[str, set[str], str]:
    """Go to the last row of several findings that nobody has; return its alert, all of them, what it is."""
    person.goes_to("/?queue=nightly&state=new")
    expect(person.part("#live")).to_have_text("Live")
    row = goes_to_row(person, person.part("#rows tr.new[data-separate]").last)
    alert, check, table = (row.get_attribute(f"data-{name}") or "" for name in ("id", "check", "table"))
    alerts = {each["alert"]["id"] for each in client.get(f"/api/alerts/{alert}/merging").json()}
    assert len(alerts) == int(row.get_attribute("data-many") or 0)
    return alert, alerts, f"{check.replace('_', ' ')} at {table}"


def cases(client: httpx.Client, alerts: Collection[str]) -> list[dict[str, Any]]:
    """Return the case of each of some alerts, open or closed."""
    return [
        row["case"]
        for queue in ("act_now", "this_shift", "nightly")
        for state in ("new", "open", "closed", "snoozed")
        for row in client.get(f"/api/queue?every=true&queue={queue}&state={state}").json()["rows"]
        if row["alert"]["id"] in alerts
    ]


def sizes(client: httpx.Client, alerts: Collection[str]) -> list[int]:
    """Return of each of some alerts how many its case has."""
    return [len(case["alerts"]) for case in cases(client, alerts)]


def row_after(row: Locator) -> str:
    """Return which row follows one, which may be drawn again at any moment: it is found and asked at once."""
    following = "(id) => document.getElementById(id).nextElementSibling.id"
    return str(row.page.evaluate(following, row.get_attribute("id")))


def test_all_of_a_row_are_closed_and_taken_back_step_by_step(enters: Enters, other: httpx.Client) -> None:
    person = enters("operator")
    alert, alerts, of = incident(person, other)
    many = len(alerts)
    person.presses("c")
    expect(person.part("#ask-close [data-several]")).to_have_text(f"Closes all {many}, as one case.")
    person.presses("3")
    person.types("one reader was being changed")
    person.presses("Enter")
    says(person, f"All {many} are closed.")
    expect(person.part(f"#a-{alert}")).to_have_count(0)
    closed = [case for case in cases(other, alerts) if case.get("state") == "closed"]
    assert [len(case["alerts"]) for case in closed] == [many] * many
    person.presses("u")
    says(person, f"Undone: Close ({of}). u again: Merge.")
    assert sizes(other, alerts) == [many] * many
    person.presses("u")
    says(person, f"Undone: Merge ({of}).")
    assert sizes(other, alerts) == [1] * many


@pytest.mark.parametrize(
    ("key", "typed", "before", "after"),
    [
        ("w", ["the reader was cold"], "Adds the note to all {}", "All {} have the note."),
        ("t", ["to the bench"], "Tags all {}", "All {} are tagged."),
        ("e", ["2", "the third of the night"], "Escalates all {}", "All {} are escalated."),
        (
            "z",
            ["Tab", "the technician comes"],
            "Snoozes all {}",
            "All {} come back by themselves; the nightly report lists them.",
        ),
        ("s", ["investigator"], "Assigns all {}", "All {} are assigned."),
    ],
    ids=["note", "tag", "escalate", "snoozed", "assign"],
)
def test_what_is_done_to_a_row_is_done_to_all_it_stands_for(
    enters: Enters, other: httpx.Client, key: str, typed: list[str], before: str, after: str
) -> None:
    person = enters("operator")
    _, alerts, of = incident(person, other)
    many = len(alerts)
    person.presses(key)
    expect(person.part("dialog[open] [data-several]")).to_have_text(f"{before.format(many)}, as one case.")
    if key == "s":
        expect(person.part("#ask-assign option")).to_have_count(4)
    person.presses(*typed[:-1])
    person.types(typed[-1])
    person.presses("Enter")
    says(person, after.format(many))
    assert sizes(other, alerts) == [many] * many
    person.presses("u")
    expect(person.part("#message")).to_contain_text("u again: Merge.")
    person.presses("u")
    says(person, f"Undone: Merge ({of}).")
    assert sizes(other, alerts) == [1] * many


def test_if_the_action_is_refused_the_merged_case_stays_and_the_page_says_so(
    enters: Enters, other: httpx.Client
) -> None:
    person = enters("operator")
    _, alerts, of = incident(person, other)
    many = len(alerts)
    check, table = of.split(" at ")
    mute = {"check": check.replace(" ", "_"), "table": table, "minutes": 5, "reason": "the reader is changed"}
    post_action(other, next(_NUMBER), action="mute", **mute)
    person.presses("s")
    expect(person.part("#ask-assign option")).to_have_count(4)
    person.types("supervisor")
    person.presses("Enter")
    expect(person.part("#ask-assign .message")).to_have_text(
        "supervisor muted it: the reader is changed. End that mute first, or leave it to someone else. "
        "They are one case now; u undoes that."
    )
    assert sizes(other, alerts) == [many] * many
    person.presses("Escape", "u")
    says(person, f"Undone: Merge ({of}).")
    assert sizes(other, alerts) == [1] * many


def test_after_a_row_is_closed_one_is_at_the_next_and_goes_on_from_there(enters: Enters) -> None:
    person = enters("supervisor")
    person.goes_to("/?queue=nightly&every=true&state=new")
    expect(person.part("#live")).to_have_text("Live")
    person.presses("j", "j", "j")
    row = person.part(CURRENT_ROW)
    closed, after = row.get_attribute("id"), row_after(row)
    then = row_after(person.part(f"#{after}"))
    asks(person, "c", "3", reason="it was counted again")
    expect(person.part(f"#{closed}")).to_have_count(0)
    expect(person.part(f"#{after}")).to_be_focused()
    person.presses("j")
    expect(person.part(f"#{then}")).to_be_focused()
    person.presses("u")  # of where one is there is nothing to take back
    expect(person.part("#message")).to_contain_text("Undone: Close (")
    expect(person.part(f"#{closed}")).to_have_count(1)
    person.presses("End", "k")
    row = person.part(CURRENT_ROW)
    before_last, last = row.get_attribute("id"), row_after(row)
    person.presses("j")
    asks(person, "c", "3", reason="it was counted again")
    expect(person.part(f"#{last}")).to_have_count(0)
    expect(person.part(f"#{before_last}")).to_be_focused()
    person.presses("u")
    expect(person.part(f"#{last}")).to_have_count(1)
    expect(person.part("#message")).to_contain_text("Undone: Close (")


def test_after_rows_became_one_case_one_is_at_the_row_in_the_place_of_the_one_that_went(
    enters: Enters,
) -> None:
    person = enters("supervisor")
    person.goes_to("/?queue=nightly&state=new")
    comes_to_new(person)
    person.presses("Home", "x", "j")
    row = person.part(CURRENT_ROW)
    merged, after = row.get_attribute("id"), row_after(row)
    person.presses("M")
    person.sees("#ask-merge[open]")
    person.presses("Enter")
    expect(person.part(f"#{merged}")).to_have_count(0)
    expect(person.part(f"#{after}")).to_be_focused()
    person.presses("u")
    expect(person.part(f"#{merged}")).to_have_count(1)
    expect(person.part("#message")).to_contain_text("Undone: Merge (")


def test_a_critical_alert_is_not_snoozed_and_that_is_said_at_once(enters: Enters) -> None:
    person = enters("operator")
    person.goes_to("/?queue=act_now&severity=critical&state=new")
    comes_to_new(person)
    person.presses("z")
    says(person, "It is critical; critical alerts are never snoozed.")
    expect(person.part("dialog[open]")).to_have_count(0)
    person.presses("Enter")
    expect(person.part("#live")).to_have_text("Live")
    person.presses("z")
    says(person, "It is critical; critical alerts are never snoozed.")
    expect(person.part("dialog[open]")).to_have_count(0)
