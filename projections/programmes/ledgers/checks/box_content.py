"""Is in the box what went in at the table: cash, Counter Checks and coupons?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import Cents, SerialRef, fact
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.count_room import Awaited
from projections.programmes.ledgers.day_context import DayCase
from schemas.ledgers import BoxCounted
from schemas.values import total

CASH: Final = Duty(
    "box_cash_differs",
    severity="money",
    asks="Is the cash counted in the box what was bought in for at its table?",
    false_positives="A buy-in that the terminal was told wrongly, or not told of.",
    cites=(HOUSE_CONTROL,),
    paper=None,
)
CHECKS: Final = Duty(
    "box_counter_checks_differ",
    severity="money",
    asks="Are the Counter Checks in the box those against which chips were given at its table?",
    false_positives="A check's number that was keyed in wrongly.",
    cites=("465a.36(b)(2)",),
    paper="Counter Check",
)
COUPON: Final = Duty(
    "box_coupon_missing",
    severity="money",
    asks="Was each coupon that was dropped at the table found in its box?",
    false_positives="A misread serial number.",
    cites=("603a.20(m)(1)",),
    paper="coupon",
)
KINDS: Final = (CASH, CHECKS, COUPON)


def check(case: DayCase) -> Iterator[Raised]:
    """Raise what was counted and did not go in, and what went in and was not counted."""
    for awaited in case.room.awaited:
        counts = case.room.counts(awaited)
        if counts:
            yield from _cash(case, awaited, counts[0])
            yield from _checks(case, awaited, counts[0])
            if "coupons" in case.house.ledgers:
                yield from _coupons(case, awaited, counts[0])


def _cash(case: DayCase, awaited: Awaited, count: BoxCounted) -> Iterator[Raised]:
    counted, seen = total(count.cash), awaited.content.cash
    if counted != seen:
        yield case.raised(
            CASH,
            fact(
                "ledgers.box_cash_differs",
                counted=Cents(counted),
                box=count.box,
                off=counted - seen,
                table=awaited.table,
            ),
            who=count.box,
            table=awaited.table,
            expected=seen,
            observed=counted,
            hangs_on=[awaited.table],
        )


def _checks(case: DayCase, awaited: Awaited, count: BoxCounted) -> Iterator[Raised]:
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


def _coupons(case: DayCase, awaited: Awaited, count: BoxCounted) -> Iterator[Raised]:
    """Ask for what was dropped; what was not is the question of the coupons' own account.

    Where the table may have more to tell it may have been another box that was on.
    """
    for coupon in sorted({coupon for coupon, _ in awaited.content.coupons} - set(count.coupons)):
        message = fact("ledgers.coupon_not_in_box", table=awaited.table, box=count.box)
        yield case.raised(COUPON, message, serial=coupon, table=awaited.table, hangs_on=[awaited.table])
