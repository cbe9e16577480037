"""Are the slips in the box those that went in, over the sums for which they were made out?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Cents, SerialRef, fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.count_room import Awaited
from projections.programmes.ledgers.day_context import DayCase
from schemas.ledgers import BoxCounted
from schemas.values import total

NOT_IN_BOX: Final = Duty(
    "slip_not_in_box",
    severity="procedure",
    asks="Was the slip that was dropped at the table found in its box?",
    false_positives="A slip that was found and not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
ALTERED: Final = Duty(
    "slip_altered",
    severity="grave",
    asks="Does the slip in the box bear the sum for which it was made out?",
    false_positives="A sum that was keyed in wrongly, at the count or when the slip was made out.",
    cites=("465a.3(a)",),
    paper="slip",
)
UNKNOWN: Final = Duty(
    "slip_unknown",
    severity="procedure",
    asks="Is the slip in the box one that was made out?",
    false_positives="A slip's number that was keyed in wrongly.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
KINDS: Final = (NOT_IN_BOX, ALTERED, UNKNOWN)

_DEPOSIT: Final = {"listing_opening": "465a.37(e)", "listing_drop": "465a.41(d)"}


def check(case: DayCase) -> Iterator[Raised]:
    """Raise slips that are missing from their box, bear another sum, or were never made out."""
    sums = _sums(case)
    for awaited in case.room.awaited:
        for count in case.room.counts(awaited)[:1]:
            yield from _missing(case, awaited, count)
            for slip, cents in sorted(count.slips.items()):
                yield from _found(case, awaited, count, sums, slip, cents)


def _missing(case: DayCase, awaited: Awaited, count: BoxCounted) -> Iterator[Raised]:
    day = case.tables.get(awaited.table)
    listed = {line.of: line.name for line in (day.listings if day is not None else ())}
    for slip in dict.fromkeys(awaited.content.slips):
        if slip not in count.slips:
            cite = _DEPOSIT.get(listed.get(slip, ""))
            yield case.raised(
                NOT_IN_BOX,
                fact(
                    "ledgers.slip_not_in_box",
                    slip=SerialRef(slip),
                    table=awaited.table,
                    box=count.box,
                ),
                serial=slip,
                table=awaited.table,
                who=count.box,
                cites=(cite,) if cite is not None else (),
                hangs_on=[awaited.table],  # another box may have been on
            )


def _found(
    case: DayCase, awaited: Awaited, count: BoxCounted, sums: dict[str, list[int]], slip: str, cents: int
) -> Iterator[Raised]:
    made = sums.get(slip, [])
    if made and cents not in made:
        yield case.raised(
            ALTERED,
            fact(
                "ledgers.slip_altered",
                slip=SerialRef(slip),
                box=count.box,
                cents=Cents(cents),
                made=Cents(made[0]),
            ),
            serial=slip,
            table=awaited.table,
            who=count.box,
            expected=made[0],
            observed=cents,
        )
    elif slip in case.strange:
        yield case.raised(
            UNKNOWN,
            fact("ledgers.slip_unknown", slip=SerialRef(slip), box=count.box, table=awaited.table),
            serial=slip,
            table=awaited.table,
            who=count.box,
            hangs_on=["cage", awaited.table],
        )


def _sums(case: DayCase) -> dict[str, list[int]]:
    """Return the sums that a slip may bear: as it was made out, or as the other side counted its chips."""
    cage = case.cage
    sums: dict[str, list[int]] = {slip: [cents] for slip, cents in case.sums.items()}
    for slip, denominations in (
        *((each.request, each.denominations) for each in (*cage.waiting, *cage.requests)),
        *((each.slip, each.denominations) for each in (*cage.underway, *cage.fills)),
    ):
        sums.setdefault(slip, []).append(total(denominations))
    for notice in cage.notices:
        sums.setdefault(notice.slip, []).extend((notice.cents, abs(notice.cents)))
    for finding in (finding for day in case.tables.values() for finding in day.differs):
        # The slip was made out at the closing before; the count is another sum.
        if isinstance(finding.serial, str) and isinstance(finding.expected_cents, int):
            sums.setdefault(finding.serial, [finding.expected_cents])
    for slip, cents in _at_tables(case):
        # What was made out elsewhere bears that sum, whatever was counted here.
        sums.setdefault(slip, [cents])
    for credit in cage.credits:
        sums.setdefault(credit.slip, []).append(total(credit.denominations))
    return sums


def _at_tables(case: DayCase) -> Iterator[tuple[str, int]]:
    for day in case.tables.values():
        for line in (*day.fills, *day.credits, *day.listings):
            if line.of is not None:
                yield line.of, line.cents or 0
