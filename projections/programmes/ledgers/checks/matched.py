"""Is each fill and credit at a table one of the cage, and the other way round, of the same chips?"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from projections.engine.conclusion import Line
from projections.engine.facts import Cents, Fact, SerialRef, fact, listed
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase, differing
from projections.programmes.ledgers.tables import Carriage, TableDay
from schemas.ledgers import CreditReceived, FillIssued
from schemas.values import total

_TYPED: Final = "A slip's number that was keyed in wrongly at the table."

FILL_UNMATCHED: Final = Duty(
    "fill_unmatched",
    severity="money",
    asks="Is each fill counted at a table one that the cage issued for it, and the other way round?",
    false_positives=_TYPED,
    cites=("465a.36(b)(5)",),
    paper="slip",
)
FILL_COUNT: Final = Duty(
    "fill_count_differs",
    severity="money",
    asks="Were the chips of the fill as counted at the table those that were issued, by denomination?",
    false_positives="A count that was keyed in wrongly.",
    cites=("465a.36(b)(5)",),
    paper="slip",
)
CREDIT_UNMATCHED: Final = Duty(
    "credit_unmatched",
    severity="money",
    asks="Did each table credit that left a table come to the cage, and the other way round?",
    false_positives=_TYPED,
    cites=("465a.36(b)(5)",),
    paper="slip",
)
CREDIT_COUNT: Final = Duty(
    "credit_count_differs",
    severity="money",
    asks="Were the chips of the credit as counted at the cage those that left the table, by denomination?",
    false_positives="A count that was keyed in wrongly.",
    cites=("465a.36(b)(5)",),
    paper="slip",
)
KINDS: Final = (FILL_UNMATCHED, FILL_COUNT, CREDIT_UNMATCHED, CREDIT_COUNT)

_OfCage: TypeAlias = FillIssued | CreditReceived


class _Sort(Struct, frozen=True):
    """Fills or credits: which of them, what is raised of them, how the cage has them.

    A fill is counted by the cage first, a credit by the table; what the second counts is held against that.
    """

    carried: Carriage
    unmatched: Duty
    count: Duty
    cage_first: bool


_FILL: Final = _Sort("fill", FILL_UNMATCHED, FILL_COUNT, cage_first=True)
_CREDIT: Final = _Sort("credit", CREDIT_UNMATCHED, CREDIT_COUNT, cage_first=False)


def check(case: DayCase) -> Iterator[Raised]:
    """Raise what one side has and the other has not, and what differs between them."""
    cage, tables = case.cage, case.tables.values()
    fills = [(day, line) for day in tables for line in day.fills]
    yield from _at_tables(case, _FILL, fills, [*cage.underway, *cage.fills])
    yield from _at_cage(case, _FILL, fills, case.fills_to_judge())
    credited = [(day, line) for day in tables for line in day.credits]
    yield from _at_tables(case, _CREDIT, credited, cage.credits)
    kept = [each for each in cage.credits if each.slip not in (*case.voided, *cage.early)]
    yield from _at_cage(case, _CREDIT, credited, kept)


def _at_tables(
    case: DayCase, sort: _Sort, at_tables: Sequence[tuple[TableDay, Line]], at_cage: Sequence[_OfCage]
) -> Iterator[Raised]:
    for day, line in at_tables:
        slip, carried, number = line.of, sort.carried, SerialRef(str(line.of))
        same = [each for each in at_cage if each.slip == slip]
        here = [each for each in same if each.table == day.table]
        cents = line.cents or 0
        if slip in case.voided:
            message = fact("ledgers.voided_and_counted", carried=carried, slip=number, table=day.table)
            yield _alone(case, sort, message, slip, day.table, of_table=cents)
        elif here:
            yield from _counts(case, sort, here[0], line)
        elif same:
            message = fact(
                "ledgers.counted_at_other",
                carried=carried,
                slip=number,
                table=same[0].table,
                other=day.table,
            )
            yield _alone(case, sort, message, slip, day.table, of_table=cents)
        else:
            message = fact(
                "ledgers.none_of_cage",
                carried=carried,
                slip=number,
                cents=Cents(cents),
                table=day.table,
            )
            yield _alone(case, sort, message, slip, day.table, of_table=cents, hangs_on=["cage"])


def _at_cage(
    case: DayCase, sort: _Sort, at_tables: Sequence[tuple[TableDay, Line]], at_cage: Sequence[_OfCage]
) -> Iterator[Raised]:
    known = {line.of for _, line in at_tables}
    for each in at_cage:
        if each.slip not in known:
            cents = total(each.denominations)
            message = fact(
                "ledgers.none_of_table",
                carried=sort.carried,
                slip=SerialRef(each.slip),
                cents=Cents(cents),
                table=each.table,
            )
            yield _alone(case, sort, message, each.slip, each.table, of_cage=cents, hangs_on=[each.table])


def _alone(
    case: DayCase,
    sort: _Sort,
    message: Fact,
    slip: str | None,
    table: str,
    *,
    of_table: int = 0,
    of_cage: int = 0,
    hangs_on: Sequence[str] = (),
) -> Raised:
    """Raise what one side alone has: the other counted nothing of it."""
    first, second = (of_cage, of_table) if sort.cage_first else (of_table, of_cage)
    return case.raised(
        sort.unmatched,
        message,
        serial=slip,
        table=table,
        expected=first,
        observed=second,
        hangs_on=hangs_on,
    )


def _counts(case: DayCase, sort: _Sort, of_cage: _OfCage, line: Line) -> Iterator[Raised]:
    """Hold the two counts against each other."""
    first, second = of_cage.denominations, line.denominations or of_cage.denominations
    before, after = total(of_cage.denominations), line.cents or 0
    if not sort.cage_first:
        first, second, before, after = second, first, after, before
    difference = differing(first, second)
    if difference or before != after:
        message = fact(
            "ledgers.counts_differ",
            carried=sort.carried,
            slip=SerialRef(of_cage.slip),
            off=after - before,
            chips=listed(*difference),
        )
        yield case.raised(
            sort.count, message, serial=of_cage.slip, table=of_cage.table, expected=before, observed=after
        )
