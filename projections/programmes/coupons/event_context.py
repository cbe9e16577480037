"""Context of one event's checks, and how they report findings."""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from msgspec import Struct

from projections.engine.facts import Fact, Listed, SerialRef, Word, fact, listed
from projections.engine.findings import Kind, Paper, Raised
from projections.programmes.coupons.ledger import UNKNOWN, Coupon, CouponLedger, Place
from schemas.coupon_log import Closed, CouponEvent, NameOrNumber, Signer
from schemas.house import CouponSettings
from schemas.serials import MOST_LISTED, runs, serial_ranges

FINANCE: Final = ("finance",)
_RECONCILED: Final = timedelta(days=1)  # a gaming day is, from its end on


class Duty(Kind, frozen=True, kw_only=True):
    """A check of the coupon programme: its kind, and the provisions that it is based on.

    The numbers that it names are those of coupons, unless it states otherwise.
    """

    cites: tuple[str, ...]
    paper: Paper | None = "coupon"


class Days(Struct, frozen=True):
    """Gaming days after one and up to another; without the first all up to the second, without that none.

    >>> days = Days(date(2015, 3, 1), date(2015, 3, 3))
    >>> [date(2015, 3, day) in days for day in (1, 2, 3, 4)], None in days, date.min in Days(None, date.max)
    ([False, True, True, False], False, True)
    """

    behind: date | None
    until: date | None

    def __contains__(self, day: date | None) -> bool:
        """Return True if a day is one of them."""
        if day is None or self.until is None:
            return False
        return day <= self.until and (self.behind is None or day > self.behind)


class EventContext(Struct):
    """An event, the ledger as it was before it, and the gaming day.

    `day` is the one that the event is about, `today` the one on which it happened; `coupons` are its serial
    numbers. Where the ledger is closed `daily`, a gaming day is to be reconciled by the end of the next.
    """

    event: CouponEvent
    day: date
    today: date
    ledger: CouponLedger
    settings: CouponSettings
    coupons: tuple[str, ...]
    daily: bool = False

    @property
    def overdue(self) -> date | None:
        """Return the last day that finance did not reconcile although it is due today; asked as today begins.

        What is still entered of a day that was reconciled stands in the next reconciliation, whenever.
        """
        ledger = self.ledger
        if not self.daily or self.today == ledger.today:
            return None
        done = [day for day in (ledger.settled_until, ledger.due and ledger.due[0]) if day is not None]
        since, until = max(done, default=date.min), self.today - _RECONCILED
        return max((day for day in ledger.unsettled() if since < day < until), default=None)

    @property
    def due(self) -> date | None:
        """Return the day up to which all that is asked for daily must now have been done, 603a.20(m).

        That is so when the day of a reconciliation is over, or it is overdue, or the log ends.
        """
        if isinstance(self.event, Closed):
            return self.today
        done = self.ledger.due
        reconciled = done[0] if done is not None and self.today > done[1] else None
        return max((day for day in (reconciled, self.overdue) if day is not None), default=None)

    def lives(self, place: Place = "finance") -> Iterator[Coupon]:
        """Yield the event's coupons; an unknown one begins its life at `place`."""
        coupons = self.ledger.coupons
        for serial in self.coupons:
            if serial not in coupons:
                coupons[serial] = Coupon(UNKNOWN, place)
            yield coupons[serial]

    @property
    def now_due(self) -> Days:
        """Return the days whose duties are due by now, and were not before."""
        return Days(self.ledger.settled_until, self.due)

    def is_over(self, day: date) -> bool:
        """Return True if it is too late for what marketing does at the end of a gaming day, 603a.20(k).

        The text has no hour, and the form that accompanies it covers the whole day. The next morning is still
        in time, unless finance has reconciled the day, or marketing has closed the next, or that is over.
        """
        if self.today <= day:
            return False
        ledger, next_day = self.ledger, day + timedelta(days=1)
        reconciled = (ledger.settled_until, ledger.due and ledger.due[0])
        return (
            self.today > next_day
            or next_day in ledger.reported_forms
            or any(until is not None and day <= until for until in reconciled)
        )

    def kept_for(self, coupon: Coupon) -> date:
        """Return the gaming day at whose end a coupon is kept now: the one before, if that is not over."""
        day = coupon.held_until
        return day if day < self.today and not self.is_over(day) else self.day

    def found(
        self,
        duty: Duty,
        message: Fact,
        *,
        serials: Collection[str] | None = None,
        patron: NameOrNumber | None = None,
        table: NameOrNumber | None = None,
        day: date | None = None,
        cites: tuple[str, ...] = (),
    ) -> Raised:
        """Raise what a check found about coupons: those of the event unless others are named.

        `cites` stand before the duty's own where the case is a more special one.
        """
        about = self.coupons if serials is None else serials
        return Raised(
            kind=duty,
            message=message,
            cites=tuple(dict.fromkeys((*cites, *duty.cites))),
            serial=serial_ranges(about) if about else None,
            patron=None if patron is None else str(patron),
            table=None if table is None else str(table),
            day=day or self.day,
        )


def just_tied(moment: EventContext, coupon: Coupon) -> bool:
    """Return True if a coupon is dropped with a tie, about which the text is silent."""
    play = coupon.play
    if play is None or play.result != "tie" or play.settled_at is None or coupon.place != "patron":
        return False
    return moment.event.at - play.settled_at <= timedelta(seconds=moment.settings.drop_seconds)


def numbers(serials: Collection[str]) -> Fact:
    """Return serial numbers as a fact names them, runs of them by their ends."""
    ends = list(runs(serials))
    return fact(
        "coupons.numbers",
        runs=listed(*(_run(first, last) for first, last in ends[:MOST_LISTED])),
        more=max(len(ends) - MOST_LISTED, 0),
    )


def _run(first: str, last: str) -> Fact:
    return fact("coupons.run", first=SerialRef(first), last=SerialRef(last) if first != last else None)


def lacking(signer: Signer | None) -> list[str]:
    """Return what a person's entry on a paper lacks.

    >>> lacking(Signer(name="Ann Lee", signature=True))
    ['credential_number']
    """
    signed = signer if signer is not None else Signer()
    parts = (("name", signed.name), ("signature", signed.signature), ("credential_number", signed.credential))
    return [part for part, value in parts if value is None or value is False or value == ""]


def lacks_of(parts: Iterable[str]) -> Listed:
    """Return what a person's entry lacks as a fact names it."""
    return listed(*map(Word, parts))


def is_among(department: str | None, departments: Collection[str]) -> bool:
    """Return True if a department is one of these, in capital letters or small.

    >>> is_among("Finance", FINANCE), is_among(None, FINANCE)
    (True, False)
    """
    return department is not None and department.lower() in {each.lower() for each in departments}


def is_of(signer: Signer | None, departments: Collection[str]) -> bool:
    """Return True if a person belongs to one of these departments."""
    return signer is not None and is_among(signer.department, departments)


def supervises(signer: Signer | None, departments: Collection[str]) -> bool:
    """Return True if a person is a supervisor of one of these departments."""
    return is_of(signer, departments) and signer is not None and bool(signer.supervisor)
