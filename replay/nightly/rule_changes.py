"""Changes of rules within a gaming day, and what they changed: its rounds judged under the rules before."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from msgspec import Struct, field

from projections.engine.audit.judge import judge
from projections.engine.audit.rulebooks import Books
from projections.engine.conclusion import Conclusion, Expected
from projections.engine.observation import Round
from replay.nightly.gaming_days import Day
from replay.nightly.survey import Survey
from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.rulebook import Rulebook
from schemas.values import Option


class Change(Struct, kw_only=True):
    """Rules that took effect on a day: at the table, or with the day itself by text or Rules Submission.

    `options` are those that changed, each before and after. Of the `rounds` played under them until the next
    change, `differing` were owed otherwise than before, the house `cents` more by all of them; `open` could
    not be decided. Without a rulebook `before`, none of that is known.
    """

    at: int
    source: str
    before: str | None
    options: dict[str, tuple[Option, Option]] = field(default_factory=dict)
    first: str | None = None
    rounds: int = 0
    differing: int = 0
    open: int = 0
    cents: int = 0


class Changes:
    """The changes of a table's day; takes each of its rounds once, as last concluded.

    `options_before` are the options that were in effect as the day began, where a change at the table
    had replaced the house's submission.
    """

    def __init__(
        self, table: str, house: House, day: Day, survey: Survey, options_before: Mapping[str, Any] | None
    ) -> None:
        books = Books(table, house)
        chapter = house.tables[table].chapter
        self.found: list[Change] = []
        self._before: list[Rulebook | None] = []
        options_before = (
            options_before if options_before is not None else survey.before.options if survey.before else None
        )
        options = options_before if options_before is not None else house.options(chapter, table, day.date)
        if options_before is None:
            yesterday = day.date - timedelta(days=1)
            earlier = _composed(books, yesterday, house.options(chapter, table, yesterday))
            self._add(day.begins, "the gaming day", earlier, _composed(books, day.date, options))
        before = _composed(books, day.date, options)
        for each in survey.rules:
            after = _composed(books, day.date, each.options)
            self._add(each.at, f"change {each.rules} at the table", before, after, always=True)
            before = after

    def _add(
        self, at: int, source: str, before: Rulebook | None, after: Rulebook | None, *, always: bool = False
    ) -> None:
        if not always and (after is None or (before is not None and before.digest == after.digest)):
            return
        digest = before.digest if before is not None else None
        options = _differing(before, after) if before is not None and after is not None else {}
        self.found.append(Change(at=at, source=source, before=digest, options=options))
        self._before.append(before)

    def judge_round(self, conclusion: Conclusion, observed: Round) -> None:
        """Judge a round under the rules before the last change, if there was one before it."""
        place = bisect_right([each.at for each in self.found], observed.at) - 1
        if place < 0:
            return
        change, before = self.found[place], self._before[place]
        change.rounds += 1
        change.first = change.first or conclusion.round
        if before is None:
            change.open += 1
            return
        now, then = _money(conclusion.expected), _money(judge(observed, before).expected)
        if now is None or then is None:
            change.open += 1
        elif now != then:
            change.differing += 1
            change.cents += sum(now.values()) - sum(then.values())


def _composed(books: Books, day: date, options: Mapping[str, Any]) -> Rulebook | None:
    try:
        return books.composed(day, options)
    except (BadInput, NotInForce):
        return None  # each of its rounds has that doubt


def _differing(before: Rulebook, after: Rulebook) -> dict[str, tuple[Option, Option]]:
    names = sorted(before.options.keys() | after.options.keys())
    pairs = {name: (before.options.get(name), after.options.get(name)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _money(owed: Sequence[Expected]) -> dict[tuple[int, str, str, str], int] | None:
    """Return what the house is owed by each wager, in cents; None if that of any is not known."""
    if any(each.cents is None for each in owed):
        return None
    return {
        (each.seat, each.bettor or "", each.wager, each.hand or ""): (each.vigorish_cents or 0)
        - (each.cents or 0)
        for each in owed
    }
