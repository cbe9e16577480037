"""The marker buttons, 623a.12(3)-(5): one on each number that was thrown, all taken off after a 7.

They are judged only if the record has at least one, and up to the roll that decides the last wager. Later
rolls do not matter to Bonus Craps.
"""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct, field

from projections.engine.adjudication import Defect
from projections.engine.facts import Fact, fact
from projections.engine.findings import Kind
from projections.engine.games.bonuscraps.play import (
    MARKERS_CLEARED_EARLY,
    MARKERS_NOT_CLEARED,
    NUMBER_MARKED_WRONGLY,
    NUMBER_NOT_MARKED,
    Turn,
)
from projections.engine.games.bonuscraps.rules import Rules, decided
from projections.engine.games.bonuscraps.wagers import Story
from projections.engine.observation import Key, Round

CLEAR: Final = "clear"
_MARK: Final = "mark "


class _Layout(Struct):
    """The area of Bonus Craps: numbers thrown since the last 7, numbers with buttons, and what is due now."""

    thrown: set[int] = field(default_factory=set)
    marked: set[int] = field(default_factory=set)
    due: int | None = None


def number_of(what: str) -> int | None:
    """Parse the number that a button is put on; None for another act.

    >>> number_of("mark 12"), number_of("clear"), number_of("mark x")
    (12, None, None)
    """
    number = what.removeprefix(_MARK)
    return int(number) if what.startswith(_MARK) and number.isascii() and number.isdigit() else None


def defects(rules: Rules, turn: Turn, observed: Round, stories: dict[Key, Story]) -> Iterator[Defect]:
    """Raise what was wrong with the buttons, roll by roll."""
    if not _acts(observed) or uncertain(turn, observed):
        return
    lying = _lying(rules, turn, stories)
    layout, rolls = _Layout(), 0
    for who, what in observed.play:
        if who == "dice":
            yield from _overdue(rules, layout)
            _thrown(rules, layout, turn.rolls[rolls].total, hangs=lying(rolls))
            rolls += 1
        elif who == "dealer" and _is_of_buttons(what):
            yield from _put(rules, layout, number_of(what), hangs=lying(rolls))
    # A record may break off right after a roll; not where the roll ended all that depended on the buttons.
    if layout.due == rules.loser or not lying(rolls):
        yield from _overdue(rules, layout)


def uncertain(turn: Turn, observed: Round) -> bool:
    """Return True if the clocks do not decide after which roll a button was put on or taken off."""
    acts = _acts(observed)
    return any(act in acts for act, _ in turn.close_acts)


def _acts(observed: Round) -> list[int]:
    return [n for n, (who, what) in enumerate(observed.play) if who == "dealer" and _is_of_buttons(what)]


def _is_of_buttons(what: str) -> bool:
    return what == CLEAR or number_of(what) is not None


def _lying(rules: Rules, turn: Turn, stories: dict[Key, Story]) -> Callable[[int], bool]:
    """Return for each number of rolls whether anything depends on the buttons after so many."""

    def lying(rolls: int) -> bool:
        return not stories or any(
            not story.removed
            and story.made is not None
            and story.made <= rolls
            and decided(rules, key.wager, turn.totals(story.made, rolls)) is None
            for key, story in stories.items()
        )

    return lying


def _thrown(rules: Rules, layout: _Layout, total: int, *, hangs: bool) -> None:
    if total == rules.loser:
        layout.thrown.clear()
        layout.due = total if layout.marked else None
    else:
        layout.thrown.add(total)
        layout.due = total if hangs and total not in layout.marked else None


def _overdue(rules: Rules, layout: _Layout) -> Iterator[Defect]:
    """Raise what the last roll asked for and was not done before the next one."""
    due, layout.due = layout.due, None
    if due == rules.loser:
        layout.marked.clear()
        yield _defect(MARKERS_NOT_CLEARED, fact("games.bonuscraps.markers_left", number=due), "623a.12(5)")
    elif due is not None:
        yield _defect(NUMBER_NOT_MARKED, fact("games.bonuscraps.number_not_marked", number=due), "623a.12(3)")


def _put(rules: Rules, layout: _Layout, number: int | None, *, hangs: bool) -> Iterator[Defect]:
    """Place a button on a number, or remove all."""
    if number is None:
        if layout.due != rules.loser and layout.marked and hangs:
            message = fact("games.bonuscraps.markers_cleared_early")
            yield _defect(MARKERS_CLEARED_EARLY, message, "623a.12(4)")
        layout.due = None if layout.due == rules.loser else layout.due
        layout.marked.clear()
        return
    layout.due = None if layout.due == number else layout.due
    layout.marked.add(number)
    if number not in layout.thrown:
        yield _defect(
            NUMBER_MARKED_WRONGLY,
            fact("games.bonuscraps.number_marked_wrongly", number=number),
            "623a.12(3)",
        )


def _defect(kind: Kind, message: Fact, cite: str) -> Defect:
    return Defect(kind, message, (cite,), who="dealer")
