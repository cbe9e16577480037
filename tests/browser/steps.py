"""Walks through the console: what a person does and sees in several."""

from itertools import cycle
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import SIZES, THEMES
from tests.browser.person import Person

CALL_TIME = 1_740_882_000_000_000  # 2025-03-01 21:20 EST


def post_action(client: httpx.Client, number: int, **action: Any) -> str:
    answer = client.post("/api/actions", json={"id": f"f007a6e{number:025x}", **action})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["subject"])


def edges(person: Person, selector: str) -> tuple[float, float, float, float]:
    """Measure where a part ends, in pixels of the window: left, top, right and bottom."""
    box = person.sees(selector).bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


def _mark_sizes(*sizes: str) -> pytest.MarkDecorator:
    """Run a test at sizes of the window, in one theme and the other by turns.

    The keys do the same in both; what a theme could hide is looked for on every page (test_legible).
    """
    themed = tuple(zip(sizes, cycle(THEMES), strict=False))
    return pytest.mark.parametrize(
        ("size", "theme"), themed, ids=[f"{size}, {theme}" for size, theme in themed]
    )


EVERY_SIZE: Final = _mark_sizes(*SIZES)
# On a wider screen than the desk's an alert's picture stands beside it and letters are larger; all else is
# there as at the desk, and in its order.
DESK_AND_PHONE: Final = _mark_sizes("1366x768", "phone")


CURRENT_ROW: Final = '#rows tr[aria-current="true"]'


def goes_to_row(person: Person, row: Locator) -> Locator:
    """Move to a row of the queue from whichever end is nearer; return it, whatever becomes of it."""
    name = row.get_attribute("id")
    there = person.part(f"#{name}")
    rows: list[str] = person.part("#rows tr").evaluate_all("all => all.map((each) => each.id)")
    is_near_end = name in rows[len(rows) // 2 + 1 :]
    for pressed in range(len(rows)):
        person.presses(("End" if pressed == 0 else "k") if is_near_end else "j")
        if there.get_attribute("aria-current") == "true":
            return there
    raise AssertionError(f"{there} is not among the rows")


def comes_to_new(person: Person) -> Locator:
    """Move down the queue to the first row that nobody has."""
    return goes_to_row(person, person.sees("#rows tr.new"))


def state_of(row: Locator) -> Locator:
    return row.locator(".state")


STANDS = "#case .status-line"


def says(person: Person, sentence: str) -> None:
    expect(person.part("#message")).to_have_text(sentence)


def asks(person: Person, key: str, *choices: str, reason: str) -> None:
    """Carry out an action that requires a word or a reason."""
    person.presses(key)
    person.sees("dialog[open]")
    person.presses(*choices)
    person.types(reason)
    person.presses("Enter")
    expect(person.part("dialog[open]")).to_have_count(0)
