"""The coupon programme of a floor, from approval to reconciliation, 603a.20.

Coupons of each value come as a lot a day; what marketing is issued of it beyond what patrons get goes back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from msgspec import Struct, field

from schemas import coupon_log as log
from schemas.ledgers import CouponEntered
from schemas.values import microseconds, moment
from streams.simulator.money import papers
from streams.simulator.money.ledgers import Ledgers
from streams.simulator.money.papers import Lot
from streams.simulator.sessions import Session

VALUES: Final = (2500, 10_000)  # cents of one coupon
_RESERVE: Final = 20  # coupons of each value that stay with finance
_LEFT_OVER: Final = 5  # and that marketing gives back
_GOOD_FOR: Final = timedelta(days=180)
_APPROVED: Final = timedelta(days=60)  # before the floor's first day
_DAY: Final = timedelta(days=1)
_AGO: Final = 3 * _DAY  # before the first day the coupons were handed out that have expired since
_MINUTE: Final = timedelta(minutes=1)


class Handed(Struct, frozen=True):
    """A coupon that was handed to a patron, and when."""

    serial: str
    patron: str
    at: int


class Day(Struct):
    """Coupons of a gaming day: those handed out, by value, and those redeemed at tables.

    `counted` were found in boxes, `mistold` is true if marketing's form has one too many, `unreconciled` if
    finance did not reconcile them.
    """

    handed: dict[int, list[Handed]] = field(default_factory=lambda: {value: [] for value in VALUES})
    redeemed: list[str] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)
    mistold: bool = False
    unreconciled: bool = False


class Programme:
    """The coupons of a floor over all its days; tables take theirs as they are played, in turn."""

    def __init__(self) -> None:
        self.days: dict[date, Day] = {}
        self._stock = dict.fromkeys(VALUES, 0)
        self._ordinals: dict[date, int] = {}
        self._old: dict[int, int] = dict.fromkeys(VALUES, 0)

    def day(self, day: date) -> Day:
        """Return what happened to the coupons of a gaming day."""
        return self.days.setdefault(day, Day())

    def hand(self, day: date, value: int, patron: str, at: int) -> str:
        """Hand a patron a coupon; give its serial number."""
        handed = self.day(day).handed[value]
        ordinal = self._ordinals.setdefault(day, len(self._ordinals) + 1)
        handed.append(Handed(_serial(value, ordinal, len(handed) + 1), patron, at))
        return handed[-1].serial

    def old(self, value: int) -> str:
        """Return a coupon of a lot that was handed out before the floor's first day and has expired since."""
        self._old[value] += 1
        return _serial(value, 0, self._old[value])

    def enter(self, ledgers: Ledgers, sessions: Sequence[Session], counted: Mapping[date, int]) -> None:
        """Enter the life of all coupons; `counted` is when the count of a day's boxes was done.

        What was before the floor's first day is entered when that day begins.
        """
        first = sessions[0].first
        end = moment(counted[sessions[-1].day]) + 7 * _MINUTE
        happened = [*self._before(sessions[0]), log.Closed(at=end)]
        for session in sessions:
            happened += self._of_day(session, sessions, moment(counted[session.day]))
        for each in happened:
            ledgers.enter("coupons", max(first, microseconds(each.at)), CouponEntered, entry=each)

    def _before(self, first: Session) -> Iterator[log.CouponEvent]:
        """Yield the approvals, and an earlier day's coupons that have all expired in patrons' hands."""
        opened = moment(first.first)
        yield log.Approved(at=opened - _APPROVED, what="design")
        yield log.Approved(at=opened - _APPROVED, what="controls")
        counts = {value: count for value, count in self._old.items() if count}
        if not counts:
            return
        day, at = first.day - _AGO, opened - _AGO
        for value, count in counts.items():
            serials = [_serial(value, 0, number) for number in range(1, count + 1)]
            yield from papers.receive_and_issue(day, at, Lot(value, serials, count, day + _DAY))
            for serial in serials:
                yield papers.distributed(at + _MINUTE, serial, f"P-{serial}")
        nothing = dict.fromkeys(counts, 0)
        yield papers.form(day, at + 2 * _MINUTE, counts, counts, nothing)
        handed = sum(counts.values())
        yield papers.reconciled(day, at + 3 * _MINUTE, handed=handed, back=0, redeemed=0)
        yield log.Inventoried(at=at + 4 * _MINUTE, counted=nothing, in_ledger=True)

    def _of_day(
        self, session: Session, sessions: Sequence[Session], counted: datetime
    ) -> Iterator[log.CouponEvent]:
        day = self.day(session.day)
        ordinal = self._ordinals.setdefault(session.day, len(self._ordinals) + 1)
        handed = {value: len(each) for value, each in day.handed.items()}
        back: list[str] = []
        for value, count in handed.items():
            issued = count + _LEFT_OVER
            serials = [_serial(value, ordinal, number) for number in range(1, issued + _RESERVE + 1)]
            lot = Lot(value, serials, issued, session.day + _GOOD_FOR)
            yield from papers.receive_and_issue(session.day, moment(session.first), lot)
            for each in day.handed[value]:
                yield papers.distributed(moment(each.at), each.serial, each.patron)
            back += serials[count:issued]
            self._stock[value] += len(serials) - count
        issued_of = {value: count + _LEFT_OVER for value, count in handed.items()}
        reported = handed | ({VALUES[0]: handed[VALUES[0]] + 1} if day.mistold else {})
        left = dict.fromkeys(VALUES, _LEFT_OVER)
        yield papers.form(session.day, counted - 2 * _MINUTE, issued_of, reported, left)
        yield papers.returned(session.day, counted - _MINUTE, back)
        if day.counted:
            found = dict.fromkeys(day.counted)
            yield log.Cancelled(at=counted + _MINUTE, serials=[*found])
        if not day.unreconciled:
            yield papers.reconciled(
                session.day,
                counted + 2 * _MINUTE,
                handed=sum(handed.values()),
                back=len(back),
                redeemed=len(day.redeemed),
            )
        yield from self._reports(session, sessions, counted + 3 * _MINUTE)

    def _reports(
        self, session: Session, sessions: Sequence[Session], at: datetime
    ) -> Iterator[log.CouponEvent]:
        """Count what is left on the first day of a month, and report a quarter that is over."""
        before = [each.day for each in sessions if each.day < session.day]
        if before and (before[-1].year, before[-1].month) == (session.day.year, session.day.month):
            return
        yield log.Inventoried(at=at, counted=dict(self._stock), in_ledger=True)
        if before and (quarter := _quarter(before[-1])) != _quarter(session.day):
            redeemed = _by_value(
                serial
                for day, each in self.days.items()
                if _quarter(day) == quarter
                for serial in each.redeemed
            )
            yield log.QuarterlyReport(at=at, quarter=quarter, redeemed=redeemed)


def _serial(value: int, ordinal: int, number: int) -> str:
    """Print a serial number: the value in dollars, the ordinal of the lot, the number in it."""
    return f"MP{value // 100:03}-{ordinal:03}{number:04}"


def _by_value(serials: Iterable[str]) -> dict[int, int]:
    """Add up the cents of coupons by their value, which begins their numbers."""
    sums: dict[int, int] = {}
    for serial in serials:
        value = 100 * int(serial[2:5])
        sums[value] = sums.get(value, 0) + value
    return sums


def _quarter(day: date) -> str:
    return f"{day.year}Q{(day.month + 2) // 3}"
