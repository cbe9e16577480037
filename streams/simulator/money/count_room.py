"""The count room: the day's boxes are brought, emptied, shown and counted, each by itself, 465a.25."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from msgspec import UNSET, Struct

from schemas import ledgers
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.money import people
from streams.simulator.money.books import Books, Box
from streams.simulator.money.chips import in_bills
from streams.simulator.sessions import Session

_MINUTE: Final = 60_000_000
_BROUGHT: Final = 6 * _MINUTE  # from the table to the count room
_BEFORE: Final = 10 * _MINUTE  # from the last closing to the count, and from that to the day's end
_LONGEST: Final = 2 * _MINUTE  # for one box


def count(books: Books, session: Session, rates: Mapping[str, float], rng: Random) -> int:
    """Count all boxes of a gaming day after its last table has closed; give when it is done."""
    boxes = sorted(books.boxes.pop(session.day, []), key=lambda box: (box.removed_at, box.name))
    # On a day without an open table there is no wait.
    at = books.closed.get(session.day, session.first) + _BEFORE
    step = min(_LONGEST, (session.ends - 2 * _BEFORE - at) // (len(boxes) + 1))
    for number, box in enumerate(boxes):
        books.ledgers.enter(
            "count_room",
            box.removed_at + _BROUGHT,
            ledgers.BoxReceived,
            box=box.name,
            table=box.table,
            by=people.security(number),
        )
        struck = [kind for kind in _FAULTS if rates[kind] and rng.random() < rates[kind]]
        fault = rng.choice(struck) if struck else None
        if fault == "box_not_counted" and box.odd:
            fault = None  # what is wrong in it would not be found
        if fault is not None:
            _FAULTS[fault](_Amiss(books, box, fault), rng)
        _count(books, box, at, step, fault)
        at += step
    return at


def _count(books: Books, box: Box, at: int, step: int, fault: str | None) -> None:
    if fault == "box_not_counted":
        return
    shows_empty = fault != "box_not_shown_empty"
    books.ledgers.enter("count_room", at + step // 4, ledgers.BoxEmptied, box=box.name, shown=shows_empty)
    books.ledgers.enter(
        "count_room",
        at + step * 3 // 4,
        ledgers.BoxCounted,
        box=box.name,
        table=box.table,
        cash=in_bills(box.cash),
        counter_checks=box.checks,
        coupons=tuple(box.coupons),
        slips=box.slips,
        by=people.COUNT_TEAM,
    )
    books.programme.day(box.day).counted.extend(box.coupons)


class _Amiss(Struct, frozen=True):
    """A box with which something goes wrong in the count room."""

    books: Books
    box: Box
    fault: str

    def proper_coupons(self) -> list[str]:
        """Return the coupons in the box that were rightly redeemed, and once."""
        redeemed = self.books.programme.day(self.box.day).redeemed
        found = self.box.coupons
        return [each for each in found if each in redeemed and found.count(each) == 1]

    def label(
        self,
        check: str,
        *,
        table: str = "count_room",
        serial: str | None = None,
        delta: int | None = None,
        follows: list[ExpectedFinding] | None = None,
    ) -> None:
        """Label it; its finding names the box, or a serial number of what was in it, or both."""
        self.books.labels.append(
            FaultLabel(
                fault=self.fault,
                table=table,
                gaming_date=str(self.box.day),
                round=None,
                shoe=None,
                primary=ExpectedFinding(
                    check=check,
                    serial=UNSET if serial is None else serial,
                    who=UNSET if check in _OF_COUPONS else self.box.name,
                ),
                follows=follows or [],
                delta_cents=delta,
            )
        )


def _not_counted(amiss: _Amiss, rng: Random) -> None:
    del rng
    missed = [
        ExpectedFinding(check="coupon_not_counted", table="coupons", serial=each)
        for each in amiss.proper_coupons()
    ]
    amiss.label("box_not_counted", follows=missed)


def _skip_showing(amiss: _Amiss, rng: Random) -> None:
    del rng
    amiss.label("box_not_shown_empty")


def _cash_short(amiss: _Amiss, rng: Random) -> None:
    cents = 10_000 * rng.randint(1, 5)
    if amiss.box.cash > cents:
        amiss.box.cash -= cents
        amiss.label("box_cash_differs", delta=-cents)


def _altered(amiss: _Amiss, rng: Random) -> None:
    slips = amiss.box.slips
    if not slips:
        return
    # No sum by which a credit is short: a slip that agrees with what the cage received proves no alteration.
    slip, more = rng.choice(sorted(slips)), rng.choice((-70_000, 70_000))
    slips[slip] += more
    amiss.label("slip_altered", serial=slip, delta=more)


def _lost(amiss: _Amiss, rng: Random) -> None:
    slips = amiss.box.slips
    if slips:
        slip = rng.choice(sorted(slips))
        del slips[slip]
        amiss.label("slip_not_in_box", serial=slip)


def _coupon_lost(amiss: _Amiss, rng: Random) -> None:
    if coupons := amiss.proper_coupons():
        lost = rng.choice(coupons)
        amiss.box.coupons.remove(lost)
        missing = ExpectedFinding(check="box_coupon_missing", table="count_room", serial=lost)
        amiss.label("coupon_not_counted", table="coupons", serial=lost, follows=[missing])


_OF_COUPONS: Final = ("coupon_not_counted",)
_FAULTS: Final[Mapping[str, Callable[[_Amiss, Random], None]]] = {
    "box_not_counted": _not_counted,
    "box_not_shown_empty": _skip_showing,
    "box_cash_short": _cash_short,
    "slip_altered": _altered,
    "slip_not_in_box": _lost,
    "coupon_not_counted": _coupon_lost,
}
