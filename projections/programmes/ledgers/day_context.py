"""Context of the checks of one gaming day of all ledgers."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from msgspec import Struct

from projections.engine.facts import Cents, Fact, fact
from projections.engine.findings import HOUSE_CONTROL, Raised, Side, Weight
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.entries import Exceptional, SerialGap
from projections.programmes.ledgers.ledger_days import Cage, CounterChecks, CountRoom
from projections.programmes.ledgers.tables import TableDayAccount
from schemas.errors import NotInForce
from schemas.house import House
from schemas.law_text import chapter
from schemas.ledgers import FillIssued, Ledger
from schemas.values import Denominations

# How long before the turn of the gaming day chips and slips may be on their way over it.
TURN: Final = 3_600_000_000  # microseconds
BEFORE: Final = "the time before the record"  # which is not recorded


class DayCase(Struct):
    """The day's ledgers, compared with the day's tables.

    `doubts` are the reasons why a ledger may be incomplete, `begun_ledgers` those whose record begins in the
    middle of the day. `gaps` and `twice` are the slips' numbers that are missing and that were made out
    twice, `strange` the slips that only a count reports, `overdue` what should have been reported to internal
    audit by now. `sums` are the cents for which Table Inventory Slips were made out, as far as known.
    """

    day: date
    house: House
    cage: Cage
    count_room: CountRoom
    checks: CounterChecks
    tables: dict[str, TableDayAccount]
    doubts: dict[str, list[Fact]]
    begun_ledgers: list[Ledger]
    gaps: list[SerialGap]
    twice: list[str]
    strange: set[str]
    overdue: list[Exceptional]
    sums: dict[str, int]

    def raised(
        self,
        duty: Duty,
        message: Fact,
        *,
        serial: str | None = None,
        table: str | None = None,
        patron: str | None = None,
        who: str | None = None,
        expected: int | None = None,
        observed: int | None = None,
        more_favours: Side | None = None,
        hangs_on: Iterable[str] = (),
        cites: tuple[str, ...] = (),
    ) -> Raised:
        """Raise what a check found; `hangs_on` are the ledgers and tables that may be incomplete.

        `cites` replaces the duty's own citations if the case has a provision of its own.
        """
        return Raised(
            kind=duty,
            message=message,
            cites=self.cites(cites or duty.cites),
            weight=self.weight(hangs_on),
            serial=serial,
            table=table,
            patron=patron,
            who=who,
            expected=expected,
            observed=observed,
            is_count=True,
            more_favours=more_favours,
        )

    def cites(self, provisions: tuple[str, ...]) -> tuple[str, ...]:
        """Cite provisions that were in force on the day; without one the house's own control stands."""
        return tuple(each for each in provisions if self._is_in_force(each)) or (HOUSE_CONTROL,)

    def weight(self, hangs_on: Iterable[str]) -> Weight | None:
        """Return `undetermined` if ledgers or tables on which a question depends may be incomplete."""
        return "undetermined" if any(self.may_lack(each) for each in hangs_on) else None

    def may_lack(self, name: str) -> bool:
        """Return True if a ledger or table may be incomplete.

        One without account is missing entirely.
        """
        if name in self.doubts:
            return name in self.begun_ledgers or bool(self.doubts[name])
        return name not in self.tables or self.tables[name].is_doubtful

    def fills_to_judge(self) -> list[FillIssued]:
        """Return the fills that ought to have come to their tables by now, and were not voided."""
        over = [each for each in self.cage.fills if not self.under_way(each.at)]
        return [each for each in (*self.cage.underway, *over) if each.slip not in self.voided]

    @property
    def early_boxes(self) -> list[str]:
        """The boxes that came while the day was still being counted, off tables of the next gaming day.

        They came after the day had ended, no table of the day gave them up, and none of them was counted.
        """
        boxes = {each.content.name for each in self.count_room.awaited}
        return [
            box
            for box, handled in self.count_room.handled.items()
            if box not in boxes
            and handled.received
            and not (handled.emptied or handled.counts)
            and all(self.house.gaming_date(each.at) > self.day for each in handled.received)
        ]

    @property
    def voided(self) -> set[str]:
        """The slips that were voided."""
        return {each.slip for each in self.cage.voids}

    def tellers(self, gap: SerialGap) -> list[str]:
        """Return the ledgers, and the tables of the day, that could report a missing number."""
        return ["cage", *(each for each in gap.users if each in self.tables or each in self.doubts)]

    def under_way(self, at: int) -> bool:
        """Return True if what was done then may have come to its end in the next gaming day."""
        return self.house.gaming_date(at + TURN) != self.day

    def _is_in_force(self, provision: str) -> bool:
        if provision == HOUSE_CONTROL:
            return True
        law = provision.partition(".")[0]
        try:
            chapter(law).text_on(self.day, self.house.span(law))
        except NotInForce:
            return False
        return True


def differing(one: Denominations, other: Denominations) -> list[Fact]:
    """Return the chips or bills of which there are more or fewer; empty if they are the same.

    >>> [each.args["there"] for each in differing({500: 4, 2500: 0}, {500: 3, 10_000: 1})]
    [3, 1]
    >>> differing({500: 1, 100: 0}, {500: 1})
    []
    """
    return [
        fact("ledgers.chips_instead", chip=Cents(each), there=other.get(each, 0), due=one.get(each, 0))
        for each in sorted(one.keys() | other.keys())
        if one.get(each, 0) != other.get(each, 0)
    ]
