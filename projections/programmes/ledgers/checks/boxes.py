"""Was each drop box received, emptied, shown and counted, and is in it what went in, slips among it?"""

from collections.abc import Iterator, Mapping
from typing import Final

from projections.engine.facts import Cents, SerialRef, fact, listed
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase
from projections.programmes.ledgers.ledger_days import AwaitedBox, BoxHandling
from projections.programmes.ledgers.tables import Carriage
from schemas.ledgers import BoxCounted, BoxReceived
from schemas.values import total

# ── Was each drop box received, emptied, shown empty and counted by itself? 465a.25(a)(3) ─────────────

_NOT_KEYED: Final = "A step that was done and not keyed in."

NOT_COUNTED: Final = Duty(
    "box_not_counted",
    severity="by_amount",
    asks="Was the box that was taken off its table counted?",
    false_positives="A box that was left on a closed table, or a count that was not keyed in.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
NOT_RECEIVED: Final = Duty(
    "box_not_received",
    severity="medium",
    asks="Was the box that was counted entered as it came to the count room?",
    false_positives=_NOT_KEYED,
    cites=(HOUSE_CONTROL,),
    paper=None,
)
NOT_EMPTIED: Final = Duty(
    "box_not_emptied",
    severity="medium",
    asks="Was the box emptied on the count table before it was counted?",
    false_positives=_NOT_KEYED,
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
NOT_SHOWN_EMPTY: Final = Duty(
    "box_not_shown_empty",
    severity="medium",
    asks="Was the emptied box shown to be empty?",
    false_positives=_NOT_KEYED,
    cites=("465a.25(a)(3)(ii)",),
    paper=None,
)
COUNTED_TWICE: Final = Duty(
    "box_counted_twice",
    severity="by_amount",
    asks="Was the box counted once?",
    false_positives="A recount that was entered as a count.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
UNKNOWN: Final = Duty(
    "box_unknown",
    severity="by_amount",
    asks="Is the box in the count room one that came off a table?",
    false_positives="A box whose change the terminal was not told of.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
TABLE: Final = Duty(
    "box_table_wrong",
    severity="by_amount",
    asks="Was the box received and counted as that of the table from which it came?",
    false_positives="A table that goes by two names.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
BOX_KINDS: Final = (NOT_COUNTED, NOT_RECEIVED, NOT_EMPTIED, NOT_SHOWN_EMPTY, COUNTED_TWICE, UNKNOWN, TABLE)


def check_box(case: DayCase) -> Iterator[Raised]:
    """Raise what was not done with the boxes that are awaited, and boxes that are not."""
    names: set[str] = set()
    for awaited in case.count_room.awaited:
        counts = case.count_room.counts(awaited)
        names |= {each.box for each in counts} | {awaited.content.name or ""}
        if counts:
            yield from _counted(case, awaited, counts)
        elif awaited.content.off and not awaited.is_reported and awaited.content.name is not None:
            yield _not_counted(case, awaited, case.count_room.done(awaited))
    for box, handled in case.count_room.handled.items():
        if box not in names and box not in case.early_boxes:
            yield _unknown(case, box, handled)


def _not_counted(case: DayCase, awaited: AwaitedBox, handled: BoxHandling) -> Raised:
    box = awaited.content.name
    return case.raised(
        NOT_COUNTED,
        fact(
            "ledgers.box_not_counted",
            box=box,
            table=awaited.table,
            received=int(bool(handled.received)),
            emptied=int(bool(handled.emptied)),
        ),
        who=box,
        table=awaited.table,
        hangs_on=["count_room", awaited.table],
    )


def _counted(case: DayCase, awaited: AwaitedBox, counts: list[BoxCounted]) -> Iterator[Raised]:
    box = counts[0].box
    handled = case.count_room.done(awaited) if awaited.content.name is not None else case.count_room.of(box)
    lacking = []
    if not handled.received:
        lacking.append((NOT_RECEIVED, "entered"))
    if not handled.emptied:
        lacking.append((NOT_EMPTIED, "emptied"))
    elif not handled.shown_empty:
        lacking.append((NOT_SHOWN_EMPTY, "shown"))
    for duty, step in lacking:
        yield case.raised(
            duty,
            fact("ledgers.box_step_missing", box=box, step=step),
            who=box,
            table=awaited.table,
            hangs_on=["count_room"],
        )
    if len(counts) > 1:
        message = fact("ledgers.box_counted_again", box=box, times=len(counts))
        yield case.raised(COUNTED_TWICE, message, who=box, table=awaited.table)
    entries: list[BoxReceived | BoxCounted] = [*handled.received, *counts]
    others = sorted({each.table for each in entries} - {awaited.table})
    if others:
        message = fact("ledgers.box_of_other", box=box, table=awaited.table, others=listed(*others))
        yield case.raised(TABLE, message, who=box, table=awaited.table, hangs_on=[awaited.table, *others])


def _unknown(case: DayCase, box: str, handled: BoxHandling) -> Raised:
    entries: list[BoxReceived | BoxCounted] = [*handled.received, *handled.counts]
    table = entries[0].table if entries else None
    return case.raised(
        UNKNOWN,
        fact("ledgers.box_unknown", box=box, table=table),
        who=box,
        table=table,
        hangs_on=[table] if table is not None else [],
    )


# ── Is in the box what went in at the table: cash, Counter Checks and coupons? ────────────────────────

CASH: Final = Duty(
    "box_cash_differs",
    severity="by_amount",
    asks="Is the cash counted in the box what was bought in for at its table?",
    false_positives="A buy-in that the terminal was told wrongly, or not told of.",
    cites=(HOUSE_CONTROL,),
    paper=None,
)
CHECKS: Final = Duty(
    "box_counter_checks_differ",
    severity="by_amount",
    asks="Are the Counter Checks in the box those against which chips were given at its table?",
    false_positives="A check's number that was keyed in wrongly.",
    cites=("465a.36(b)(2)",),
    paper="Counter Check",
)
COUPON: Final = Duty(
    "box_coupon_missing",
    severity="by_amount",
    asks="Was each coupon that was dropped at the table found in its box?",
    false_positives="A misread serial number.",
    cites=("603a.20(m)(1)",),
    paper="coupon",
)
BOX_CONTENT_KINDS: Final = (CASH, CHECKS, COUPON)


def check_box_content(case: DayCase) -> Iterator[Raised]:
    """Raise what was counted and did not go in, and what went in and was not counted."""
    for awaited in case.count_room.awaited:
        counts = case.count_room.counts(awaited)
        if counts:
            yield from _cash(case, awaited, counts[0])
            yield from _checks(case, awaited, counts[0])
            if "coupons" in case.house.ledgers:
                yield from _coupons(case, awaited, counts[0])


def _cash(case: DayCase, awaited: AwaitedBox, count: BoxCounted) -> Iterator[Raised]:
    counted, cash_seen = total(count.cash), awaited.content.cash
    if counted != cash_seen:
        yield case.raised(
            CASH,
            fact(
                "ledgers.box_cash_differs",
                counted=Cents(counted),
                box=count.box,
                off=counted - cash_seen,
                table=awaited.table,
            ),
            who=count.box,
            table=awaited.table,
            expected=cash_seen,
            observed=counted,
            hangs_on=[awaited.table],
        )


def _checks(case: DayCase, awaited: AwaitedBox, count: BoxCounted) -> Iterator[Raised]:
    taken, found = awaited.content.checks, count.counter_checks
    for check_, cents in sorted((taken | found).items()):
        if taken.get(check_) == found.get(check_):
            continue
        number, worth = SerialRef(check_), Cents(cents)
        if check_ not in found:
            message = fact("ledgers.check_not_in_box", check=number, cents=worth, box=count.box)
        elif check_ not in taken:
            message = fact("ledgers.check_only_in_box", check=number, cents=worth, box=count.box)
        else:
            gave = Cents(taken[check_])
            message = fact("ledgers.check_in_box_over", check=number, cents=worth, box=count.box, gave=gave)
        yield case.raised(
            CHECKS,
            message,
            serial=check_,
            table=awaited.table,
            expected=taken.get(check_, 0),
            observed=found.get(check_, 0),
            hangs_on=[awaited.table],
        )


def _coupons(case: DayCase, awaited: AwaitedBox, count: BoxCounted) -> Iterator[Raised]:
    """Check that what was dropped is there; what was not dropped is for the coupons' own account.

    If the table may be incomplete it may have been another box.
    """
    for coupon in sorted({coupon for coupon, _ in awaited.content.coupons} - set(count.coupons)):
        message = fact("ledgers.coupon_not_in_box", table=awaited.table, box=count.box)
        yield case.raised(COUPON, message, serial=coupon, table=awaited.table, hangs_on=[awaited.table])


# ── Did the slip of each fill and table credit go into a drop box of its table? ───────────────────────

_FALSE: Final = "A slip that was dropped and found in the box, neither of which was keyed in."

FILL: Final = Duty(
    "fill_slip_not_dropped",
    severity="medium",
    asks="Did the slip of the fill that was counted at the table go into a drop box there?",
    false_positives=_FALSE,
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
CREDIT: Final = Duty(
    "credit_slip_not_dropped",
    severity="medium",
    asks="Did the slip of the credit that left the table go into a drop box there?",
    false_positives=_FALSE,
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
SLIP_DROPPED_KINDS: Final = (FILL, CREDIT)


_DUTIES: Final[Mapping[Carriage, Duty]] = {"fill": FILL, "credit": CREDIT}


def check_slip_dropped(case: DayCase) -> Iterator[Raised]:
    """Raise slips that no table reports as dropped, and no count has found.

    It applies once the last box into which the slip can have gone is counted.
    """
    for awaited in case.count_room.awaited:
        if awaited.content.owed and case.count_room.counts(awaited):
            found = case.count_room.found | _dropped(case, awaited.table)
            for slip, carried in awaited.content.owed.items():
                if slip not in found:
                    yield _missing(case, awaited.table, slip, carried)


def _dropped(case: DayCase, table: str) -> set[str]:
    return {slip for each in case.count_room.awaited if each.table == table for slip in each.content.slips}


def _missing(case: DayCase, table: str, slip: str, carried: Carriage) -> Raised:
    return case.raised(
        _DUTIES[carried],
        fact("ledgers.slip_not_dropped", carried=carried, slip=SerialRef(slip), table=table),
        serial=slip,
        table=table,
        hangs_on=["count_room", *({table} & case.tables.keys())],
    )


# ── Are the slips in the box those that went in, over the sums for which they were made out? ──────────

NOT_IN_BOX: Final = Duty(
    "slip_not_in_box",
    severity="medium",
    asks="Was the slip that was dropped at the table found in its box?",
    false_positives="A slip that was found and not keyed in.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
ALTERED: Final = Duty(
    "slip_altered",
    severity="critical",
    asks="Does the slip in the box bear the sum for which it was made out?",
    false_positives="A sum that was keyed in wrongly, at the count or when the slip was made out.",
    cites=("465a.3(a)",),
    paper="slip",
)
SLIP_IN_BOX_UNKNOWN: Final = Duty(
    "slip_unknown",
    severity="medium",
    asks="Is the slip in the box one that was made out?",
    false_positives="A slip's number that was keyed in wrongly.",
    cites=(HOUSE_CONTROL,),
    paper="slip",
)
SLIP_IN_BOX_KINDS: Final = (NOT_IN_BOX, ALTERED, SLIP_IN_BOX_UNKNOWN)

_DEPOSIT: Final = {"listing_opening": "465a.37(e)", "listing_drop": "465a.41(d)"}


def check_slip_in_box(case: DayCase) -> Iterator[Raised]:
    """Raise slips that are missing from their box, bear another sum, or were never made out."""
    sums = _sums(case)
    for awaited in case.count_room.awaited:
        for count in case.count_room.counts(awaited)[:1]:
            yield from _lacking_in_box(case, awaited, count)
            for slip, cents in sorted(count.slips.items()):
                yield from _found(case, awaited, count, sums, slip, cents)


def _lacking_in_box(case: DayCase, awaited: AwaitedBox, count: BoxCounted) -> Iterator[Raised]:
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
    case: DayCase, awaited: AwaitedBox, count: BoxCounted, sums: dict[str, list[int]], slip: str, cents: int
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
            SLIP_IN_BOX_UNKNOWN,
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
        *((each.request, each.denominations) for each in (*cage.pending, *cage.requests)),
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
        # A slip made out elsewhere has that sum, whatever was counted here.
        sums.setdefault(slip, [cents])
    for credit in cage.credits:
        sums.setdefault(credit.slip, []).append(total(credit.denominations))
    return sums


def _at_tables(case: DayCase) -> Iterator[tuple[str, int]]:
    for day in case.tables.values():
        for line in (*day.fills, *day.credits, *day.listings):
            if line.of is not None:
                yield line.of, line.cents or 0


KINDS: Final = (
    *BOX_KINDS,
    *BOX_CONTENT_KINDS,
    *SLIP_DROPPED_KINDS,
    *SLIP_IN_BOX_KINDS,
)
