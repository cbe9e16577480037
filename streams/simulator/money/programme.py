"""The coupon programme of a floor, in the coupon log's own words: from approval to reconciliation, 603a.20.

Coupons of each value come as a lot a day; what marketing is issued of it beyond what patrons get goes back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from msgspec import Struct, field

from schemas import coupon_log as log
from schemas.coupon_papers import ReconciliationForm
from schemas.ledgers import CouponEntered
from streams.simulator.games import SCRIPTS
from streams.simulator.money.ledgers import Ledgers
from streams.simulator.money.people import signer
from streams.simulator.sessions import Session

VALUES: Final = (2500, 10_000)  # cents of one coupon
_RESERVE: Final = 20  # coupons of each value that stay with finance
_LEFT_OVER: Final = 5  # and that marketing gives back
_GOOD_FOR: Final = timedelta(days=180)
_APPROVED: Final = timedelta(days=60)  # before the floor's first day
_BEARS: Final = ["name", "value", "serial", "restrictions", "expiry", "area"]
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = 1_000_000
_MINUTE: Final = 60 * _SECOND


class Handed(Struct, frozen=True):
    """A coupon that was handed to a patron, and when."""

    serial: str
    patron: str
    at: int


class Day(Struct):
    """What became of a gaming day's coupons: those handed out, by value, and those redeemed at tables.

    `counted` were found in boxes, `mistold` says that marketing's form tells one too many.
    """

    handed: dict[int, list[Handed]] = field(default_factory=lambda: {value: [] for value in VALUES})
    redeemed: list[str] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)
    mistold: bool = False


class Programme:
    """The coupons of a floor over all its days; tables take theirs as they are played, in turn."""

    def __init__(self) -> None:
        self.days: dict[date, Day] = {}
        self._stock = dict.fromkeys(VALUES, 0)
        self._ordinals: dict[date, int] = {}

    def day(self, day: date) -> Day:
        """Give what became of the coupons of a gaming day."""
        return self.days.setdefault(day, Day())

    def hand(self, day: date, value: int, patron: str, at: int) -> str:
        """Hand a patron a coupon; give its serial number."""
        handed = self.day(day).handed[value]
        handed.append(Handed(self._serial(day, value, len(handed) + 1), patron, at))
        return handed[-1].serial

    def _serial(self, day: date, value: int, number: int) -> str:
        ordinal = self._ordinals.setdefault(day, len(self._ordinals) + 1)
        return f"MP{value // 100:03}-{ordinal:03}{number:04}"

    def enter(self, ledgers: Ledgers, sessions: Sequence[Session], counted: Mapping[date, int]) -> None:
        """Enter the life of all coupons; `counted` says when the count of a day's boxes was done."""
        first = sessions[0]
        for what in ("design", "controls"):
            approved = log.Approved(at=_moment(first.first) - _APPROVED, what=what)
            ledgers.enter("coupons", first.first, CouponEntered, entry=approved)
        for session in sessions:
            for at, entry in self._of_day(session, sessions, counted[session.day]):
                ledgers.enter("coupons", at, CouponEntered, entry=entry)
        last = counted[sessions[-1].day] + 7 * _MINUTE
        ledgers.enter("coupons", last, CouponEntered, entry=log.Closed(at=_moment(last)))

    def _of_day(
        self, session: Session, sessions: Sequence[Session], counted: int
    ) -> Iterator[tuple[int, log.CouponEvent]]:
        day = self.day(session.day)
        for value in VALUES:
            yield from self._given(session, value, len(day.handed[value]))
            for each in day.handed[value]:
                yield (
                    each.at,
                    log.Distributed(
                        at=_moment(each.at),
                        serial=each.serial,
                        patron=each.patron,
                        by_department="marketing",
                    ),
                )
        yield from self._evening(session, day, counted - 2 * _MINUTE)
        yield from self._inventory(session, sessions, counted)
        if day.counted:
            at = counted + 2 * _MINUTE
            yield at, log.Cancelled(at=_moment(at), serials=[*dict.fromkeys(day.counted)])
        at = counted + 3 * _MINUTE
        handed = sum(map(len, day.handed.values()))
        yield (
            at,
            log.Reconciled(
                at=_moment(at),
                day=session.day,
                given=handed + _LEFT_OVER * len(VALUES),
                returned=_LEFT_OVER * len(VALUES),
                voided=0,
                distributed=handed,
                redeemed=len(day.redeemed),
                signatures_reviewed=True,
            ),
        )

    def _given(self, session: Session, value: int, handed: int) -> Iterator[tuple[int, log.CouponEvent]]:
        """Receive the day's lot of a value, and issue marketing what it asks for."""
        issued = handed + _LEFT_OVER
        received = issued + _RESERVE
        self._stock[value] += received
        first = self._serial(session.day, value, 1)
        at = session.first + 5 * _SECOND
        yield (
            at,
            log.Received(
                at=_moment(at),
                date=session.day,
                denomination_cents=value,
                quantity=received,
                invoice_quantity=received,
                first=first,
                last=self._serial(session.day, value, received),
                source="provider",
                content=_BEARS,
                expires=session.day + _GOOD_FOR,
                games=list(SCRIPTS),
                examined_by=[signer("finance", supervisor=False), signer("marketing", supervisor=False)],
                recorded_by=signer("finance"),
                stored_secured=True,
            ),
        )
        requisition = f"MPR-{session.day}-{value}"
        at += 15 * _SECOND
        yield (
            at,
            log.Requisitioned(
                at=_moment(at),
                requisition=requisition,
                date=session.day,
                needed_for=session.day,
                denomination_cents=value,
                quantity=issued,
                prepared_by=signer("marketing"),
                authorized_by=signer("finance"),
            ),
        )
        at += 15 * _SECOND
        yield (
            at,
            log.Issued(
                at=_moment(at),
                requisition=requisition,
                recorded_at=_moment(at - _SECOND),
                denomination_cents=value,
                quantity=issued,
                first=first,
                last=self._serial(session.day, value, issued),
                issued_by=signer("finance"),
            ),
        )

    def _evening(self, session: Session, day: Day, at: int) -> Iterator[tuple[int, log.CouponEvent]]:
        """Let marketing fill in its form, and give back what is left."""
        counts = {value: len(handed) for value, handed in day.handed.items()}
        issued = {value: count + _LEFT_OVER for value, count in counts.items()}
        if day.mistold:
            counts[VALUES[0]] += 1
        form = ReconciliationForm(
            date=session.day,
            received=_by_value(issued),
            to_distribute=_by_value(issued),
            distributed=_by_value(counts),
            remaining=_by_value(dict.fromkeys(VALUES, _LEFT_OVER)),
            voided=[],
            variations=[],
            by=signer("marketing"),
        )
        yield at, log.DayClosed(at=_moment(at), date=session.day, form=form)
        at += 30 * _SECOND
        serials = [
            self._serial(session.day, value, len(handed) + number)
            for value, handed in day.handed.items()
            for number in range(1, _LEFT_OVER + 1)
        ]
        yield (
            at,
            log.Returned(
                at=_moment(at),
                date=session.day,
                serials=serials,  # type: ignore[arg-type]  # a list of names is one of serial numbers
                quantity=len(serials),
                returned_by=signer("marketing"),
                received_by=signer("finance"),
            ),
        )
        for value, handed in day.handed.items():
            self._stock[value] -= len(handed)

    def _inventory(
        self, session: Session, sessions: Sequence[Session], counted: int
    ) -> Iterator[tuple[int, log.CouponEvent]]:
        """Count what is left on the first day of a month, and report a quarter that is over."""
        before = [each.day for each in sessions if each.day < session.day]
        if before and (before[-1].year, before[-1].month) == (session.day.year, session.day.month):
            return
        at = counted + _MINUTE
        yield at, log.Inventoried(at=_moment(at), counted=dict(self._stock), in_ledger=True)
        if before and (quarter := _quarter(before[-1])) != _quarter(session.day):
            redeemed = _by_serial(
                serial
                for day, each in self.days.items()
                if _quarter(day) == quarter
                for serial in each.redeemed
            )
            yield at, log.QuarterlyReport(at=_moment(at), quarter=quarter, redeemed=redeemed)


def _by_serial(serials: Iterable[str]) -> dict[int, int]:
    """Add up the cents of coupons by their value, which begins their numbers."""
    sums: dict[int, int] = {}
    for serial in serials:
        value = 100 * int(serial[2:5])
        sums[value] = sums.get(value, 0) + value
    return sums


def _by_value(counts: Mapping[int, int]) -> dict[str, Any]:
    return {str(value): count for value, count in counts.items()}


def _quarter(day: date) -> str:
    return f"{day.year}Q{(day.month + 2) // 3}"


def _moment(at: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at)
