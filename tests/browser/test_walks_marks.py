"""Marked rows, on which every key acts: one dialog and one answer for all; with the keyboard alone."""

from itertools import count
from typing import Final

import httpx
from playwright.sync_api import expect

from tests.browser.conftest import Enters
from tests.browser.person import Person
from tests.browser.steps import post_action

_NUMBER: Final = count(0x3A4C)
NIGHTLY: Final = "/?queue=nightly&state=new"


def marks(person: Person, many: int, queue: str = NIGHTLY) -> list[str]:
    """Mark the first rows of a queue as a range; return their alerts."""
    person.goes_to(queue)
    expect(person.part("#live")).to_have_text("Live")
    person.presses("j", "x", *["j"] * (many - 1), "X")
    expect(person.part("#marked b")).to_have_text(str(many))
    found: list[str] = person.part("#rows tr.marked").evaluate_all(
        "all => all.map((each) => each.dataset.id)"
    )
    assert len(found) == many
    return found


def states(client: httpx.Client, alerts: list[str]) -> list[str]:
    """Return the state of each alert's case."""
    found = {
        row["alert"]["id"]: row["case"].get("state", "new")
        for queue in ("act_now", "this_shift", "nightly")
        for state in ("", "closed", "second+person")
        for row in client.get(f"/api/queue?every=true&queue={queue}&state={state}").json()["rows"]
    }
    return [found[each] for each in alerts]


def says_part(person: Person, sentence: str) -> None:
    expect(person.part("#message")).to_contain_text(sentence)


def test_marked_rows_are_counted_and_escape_unmarks_them(enters: Enters) -> None:
    person = enters("operator")
    marks(person, 3)
    assert person.obstacles() == []
    person.presses("x")
    expect(person.part("#marked b")).to_have_text("2")
    person.presses("Escape")
    expect(person.part("#marked")).to_be_hidden()
    expect(person.part("#rows tr.marked")).to_have_count(0)


def test_marked_rows_are_taken_together_and_given_back_together(enters: Enters, other: httpx.Client) -> None:
    person = enters("operator")
    found = marks(person, 3)
    person.presses("a")
    says_part(person, "Acknowledge: done to all 3 marked incidents.")
    expect(person.part("#marked")).to_be_hidden()
    assert states(other, found) == ["open"] * 3
    person.presses("u")
    says_part(person, "Undone: Acknowledge (3 incidents).")
    assert states(other, found) == ["new"] * 3


def test_marked_rows_are_closed_by_one_dialog_that_names_them_and_taken_back(
    enters: Enters, other: httpx.Client
) -> None:
    person = enters("supervisor")
    found = marks(person, 3)
    grave = [person.part(f"#a-{each}[data-critical]").count() for each in found]
    person.presses("c")
    expect(person.part("#ask-close [data-several]")).to_contain_text("Closes 3 marked incidents, ")
    expect(person.part("#ask-close [data-second]")).to_be_visible(visible=any(grave))
    person.presses("3")
    person.types("one reader was being changed")
    person.presses("Enter")
    waits = f", of which {sum(grave)} now wait for a second person" if any(grave) else ""
    says_part(person, f"Close: done to all 3 marked incidents{waits}.")
    assert states(other, found) == ["closing" if each else "closed" for each in grave]
    person.presses("u")
    says_part(person, "Undone: Close (3 incidents).")
    assert states(other, found) == ["new"] * 3


def test_marked_rows_are_tagged_assigned_and_muted(enters: Enters, other: httpx.Client) -> None:
    person = enters("operator")
    found = marks(person, 2, f"{NIGHTLY}&every=true")
    person.presses("t")
    person.types("second reader")
    person.presses("Enter")
    says_part(person, "Tag: done to all 2 marked incidents.")
    for each in found:
        expect(person.part(f"#a-{each} .tag")).to_have_text("second reader")
    marks(person, 2, f"{NIGHTLY}&every=true&severity=data")
    person.presses("m", "1")
    person.types("the reader is being changed")
    person.presses("Enter")
    says_part(person, "Mute: done to ")
    assert [each["reason"] for each in other.get("/api/muted").json()["mutes"]][:1] == [
        "the reader is being changed"
    ]
    for each in other.get("/api/muted").json()["mutes"]:
        post_action(other, next(_NUMBER), action="unmute", mute=each["id"])
    marks(person, 2, f"{NIGHTLY}&every=true")
    person.presses("s")
    expect(person.part("#ask-assign option")).to_have_count(4)
    person.types("investigator")
    person.presses("Enter")
    says_part(person, "Assign: done to all 2 marked incidents.")
    person.presses("u")
    says_part(person, "Undone: Assign (2 incidents).")


def test_the_answer_says_which_were_refused_and_why_and_these_stay_marked(
    enters: Enters, other: httpx.Client
) -> None:
    person = enters("operator")
    found = marks(person, 3, "/?queue=nightly&every=true")
    post_action(other, next(_NUMBER), action="acknowledge", subject=f"alert:{found[1]}")
    expect(person.part(f"#a-{found[1]} .state")).to_contain_text("supervisor")
    person.presses("c", "3")
    person.types("one reader was being changed")
    person.presses("Enter")
    expect(person.sees("#results[open] h2")).to_have_text("Close: done to 2 of 3")
    refused = person.part("#results ul").first.locator("li")
    expect(refused).to_have_count(1)
    expect(refused).to_contain_text("supervisor has it; ask them, or a supervisor, to close it.")
    assert person.obstacles() == []
    person.presses("Enter")
    expect(person.part("dialog[open]")).to_have_count(0)
    expect(person.part("#marked b")).to_have_text("1")
    assert states(other, found) == ["closed", "open", "closed"]
    person.presses("Escape", "u")
    says_part(person, "Undone: Close (2 incidents).")
    post_action(other, next(_NUMBER), action="release", subject=f"alert:{found[1]}")
