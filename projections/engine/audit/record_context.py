"""What the other records of a file tell of one: its shoe's cards, and whether its round stands there twice.

A record has no loading of its shoe. A shoe is what a table's rounds name without a break; one that is named
again after another, or on another gaming day after a pause, is held to be loaded anew, as one that was would
be accused wrongly otherwise.
"""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.accounts.shoe_account import ShoeAccount
from projections.engine.audit.judge import conclude
from projections.engine.check_context import Surplus
from projections.engine.checks.round_repeated import ROUND_REPEATED, repeat_of
from projections.engine.checks.source_conflict import SOURCE_CONFLICT
from projections.engine.conclusion import Conclusion, ConclusionOf
from projections.engine.facts import fact, listed
from projections.engine.observation import Doubt, Round
from schemas.record import RoundRecord

_PAUSE: Final = 3_600_000_000  # microseconds; after so long a shoe of another gaming day is another one
_CARDS: Final = 4  # as many tell that two rounds in a row are one that was recorded twice
_encode: Final = msgspec.json.Encoder().encode
_PARTS: Final = ("at", "play", "wagers", "announced", "paid", "shoe", "dealer")


class Placed(Struct, frozen=True):
    """A record, its round, and the line it stands on.

    `rules` is the digest of its rulebook, or its chapter where no text was in force; `decks` are those of one
    shoe, 0 where no shoe can be counted.
    """

    line: int
    record: RoundRecord
    seen: Round
    rules: str
    decks: int


class RecordContext(Struct, frozen=True):
    """What the other records of a file tell of one.

    `surplus` are cards that its shoe's decks do not hold that often. `first` is the line on which the same
    round stands already. `doubts` are what other records leave open of it.
    """

    surplus: tuple[Surplus, ...] = ()
    first: int | None = None
    doubts: tuple[Doubt, ...] = ()


class _ShoeInPlay(Struct):
    """A shoe's cards: of `all` its records, and of the `single` ones, which do not equal the one before."""

    name: str
    decks: int
    all: ShoeAccount
    single: ShoeAccount
    day: date = date.min
    at: int = 0

    def holds(self, each: Placed) -> bool:
        seen = each.seen
        in_time = seen.day == self.day or seen.at - self.at <= _PAUSE
        return (self.name, self.decks) == (seen.shoe, each.decks) and in_time


class RecordHistory:
    """The records of one table. Gaming days are taken one after another, the earliest first."""

    def __init__(self) -> None:
        self._shoe: _ShoeInPlay | None = None

    def take_day(self, records: Sequence[Placed]) -> dict[int, RecordContext]:
        """Return by line what the records of a gaming day tell of each other; most tell nothing.

        They are given as they stand, and cards are counted in the order of their times, those of one time as
        they stand.
        """
        found = _tellings(records)
        single = [each for each in records if each.line not in found]
        equal = {each.line: before for before, each in pairwise(single) if _equals(each, before)}
        for each in sorted(single, key=lambda each: each.seen.at):
            surplus = self._count(each, is_single=each.line not in equal)
            doubts = (_repeats(equal[each.line]),) if each.line in equal else ()
            if surplus or doubts:
                found[each.line] = RecordContext(surplus=surplus, doubts=doubts)
        return found

    def _count(self, each: Placed, *, is_single: bool) -> tuple[Surplus, ...]:
        seen = each.seen
        if seen.shoe is None or not each.decks:
            return ()
        shoe = self._shoe
        if shoe is None or not shoe.holds(each):
            shoe = self._shoe = _ShoeInPlay(seen.shoe, each.decks, ShoeAccount(), ShoeAccount())
        shoe.day, shoe.at = seen.day, seen.at
        of_all = shoe.all.count(seen, each.decks)
        proven = shoe.single.count(seen, each.decks) if is_single else ()
        return proven or tuple(replace(surplus, is_proven=False) for surplus in of_all)


def repeated(seen: Round, chapter: str, first: int) -> Conclusion:
    """Conclude of a record that the same round stands on an earlier line: no money of it is counted again."""
    return conclude(
        seen, [repeat_of(first)], outcome=None, expected=(), is_open=False, chapter=chapter, rulebook=None
    )


def is_repeat(said: ConclusionOf[Any]) -> bool:
    """Return True if a conclusion is of a record that repeats another one, as `repeated` concludes."""
    return any(finding.check == ROUND_REPEATED.check for finding in said.findings)


def _tellings(records: Sequence[Placed]) -> dict[int, RecordContext]:
    """Return what is to be said of records of a gaming day that have one number."""
    by_number: dict[str, list[Placed]] = {}
    for each in records:
        by_number.setdefault(each.seen.number, []).append(each)
    found: dict[int, RecordContext] = {}
    for tellings in by_number.values():
        first, *others = tellings
        differ = {part for other in others for part in _differences(first, other)}
        if differ:
            lines = listed(*sorted(each.line for each in tellings))
            told = fact("audit.records_differ", lines=lines, parts=listed(*sorted(differ)))
            doubt = Doubt(SOURCE_CONFLICT.check, "all", told)
            found |= {each.line: RecordContext(doubts=(doubt,)) for each in tellings}
        else:
            found |= {each.line: RecordContext(first=first.line) for each in others}
    return found


def _differences(one: Placed, other: Placed) -> list[str]:
    """Return the parts in which two records of one round differ."""
    parts = [part for part in _PARTS if getattr(one.seen, part) != getattr(other.seen, part)]
    return parts if one.rules == other.rules else [*parts, "rules"]


def _equals(each: Placed, before: Placed) -> bool:
    """Return True if a log wrote what it had written before, in the same way, under another number."""
    if len(each.seen.dealt()) < _CARDS or each.seen.play != before.seen.play:
        return False
    return _encode(replace(each.record, round=before.record.round)) == _encode(before.record)


def _repeats(before: Placed) -> Doubt:
    same = fact("audit.equals_round_before", round=before.seen.number, line=before.line)
    return Doubt(ROUND_REPEATED.check, "second", same)
