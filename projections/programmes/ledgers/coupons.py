"""The coupons' account of a gaming day: their ledger, the tables' rounds and the count as one log."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.conclusion import Line
from projections.engine.findings import Finding
from projections.programmes.coupons.coupon_audit import judge_coupons
from projections.programmes.coupons.expected_papers import quarter_of
from projections.programmes.coupons.ledger import Ledger
from projections.programmes.ledgers.day_context import DayCase
from projections.programmes.ledgers.tables import Redeemed, coupons_counted, coupons_dropped
from schemas import coupon_log as log
from schemas.house import House
from schemas.ledgers import CouponEntered, LedgerEvent
from schemas.values import microseconds, moment

# What the tables and the count room tell themselves.
_AT_TABLES = (log.Played, log.Settled, log.Dropped)
# What is held against the coupons redeemed at all tables.
_OF_ALL_PLAYS = ("reconciliation_wrong", "quarterly_report_wrong")


class CouponDay(Struct):
    """What the coupons' account comes to: its findings and its lines."""

    findings: list[Finding]
    lines: list[Line]


def coupon_day(
    case: DayCase,
    entries: Iterable[LedgerEvent],
    played: Sequence[Redeemed],
    ledger: Ledger,
    unread: Collection[str],
    lacked: tuple[date | None, date | None] = (None, None),
) -> CouponDay:
    """Judge what happened to coupons in a day; `ledger` is what is known of them and goes on, in place.

    The day's boxes are counted in the next morning and belong to it all the same. What would be raised of a
    table or ledger that may not have told everything is left open; `lacked` are the last days before this
    one of which the coupons' ledger may not have, and the tables.
    """
    house = case.house
    entered = [each.entry for each in entries if isinstance(each, CouponEntered)]
    own = [each for each in entered if not isinstance(each, _AT_TABLES)]
    counted = {serial for each in own if isinstance(each, log.Counted) for serial in log.coupons(each)}
    counts = [count for handled in case.room.handled.values() for count in handled.counts]
    events = [
        # What was due by now was due whether or not anything happens to a coupon today: an entry that says
        # nothing but the time.
        log.Approved(at=_starts(case.day, house)),
        *own,
        *played,
        *coupons_dropped(played, case.tables.values(), _end(case.day, house, played)),
        *coupons_counted(counts, counted),
    ]
    found = judge_coupons(
        events,
        house.coupons,
        lambda at: house.gaming_date(microseconds(at)),
        ledger=ledger,
        about=f"{case.day}|coupons",
        span=house.span("603a"),
        daily=True,
    )
    return CouponDay(
        [_weighed(case, each, unread, lacked) for each in found], list(_lines(case.day, events, ledger))
    )


def _starts(day: date, house: House) -> datetime:
    """Return the first moment of a gaming day."""
    starts, _ = house.bounds(day)
    return moment(starts)


def _end(day: date, house: House, played: Sequence[Redeemed]) -> datetime:
    """Return the last moment of a gaming day."""
    _, ends = house.bounds(day)
    return max([moment(ends - 1), *(each.at for each in played)])


def _weighed(
    case: DayCase, finding: Finding, unread: Collection[str], lacked: tuple[date | None, date | None]
) -> Finding:
    """Leave open what hangs on something that may not be here.

    What is done daily is entered on its day or the next: what is asked for of either day hangs on both. What
    was redeemed in all hangs on every table.
    """
    table = finding.table if isinstance(finding.table, str) else None
    about = finding.day if isinstance(finding.day, date) else case.day
    entries, plays = lacked
    of = case.tables if finding.check in _OF_ALL_PLAYS else {table} & case.tables.keys()
    lacks = (
        case.may_lack("coupons")
        or any(case.may_lack(each or "") or each in unread for each in of)
        or (entries is not None and about <= entries + timedelta(days=1))
        or (finding.check in _OF_ALL_PLAYS and plays is not None and about <= plays)
    )
    return replace(finding, weight="undetermined") if lacks and finding.weight == "mismatch" else finding


def _lines(day: date, events: Sequence[log.CouponEvent], ledger: Ledger) -> Iterator[Line]:
    """Yield how many coupons were issued, handed out, played, dropped, counted, and are outstanding."""
    for name, kinds in (
        ("received", log.Received),
        ("issued", log.Issued),
        ("distributed", log.Distributed | log.Mailed),
        ("played", log.Played),
        ("dropped", log.Dropped),
        ("counted", log.Counted),
        ("voided", log.Voided),
        ("returned", log.Returned),
        ("cancelled", log.Cancelled),
    ):
        serials = [serial for each in events if isinstance(each, kinds) for serial in log.coupons(each)]
        yield _line(name, serials, ledger)
    yield _line("outstanding", [serial for serial, _ in ledger.held("patron")], ledger)
    quarter = ledger.redeemed.get(quarter_of(day))
    for cents, redeemed in sorted(quarter.cents.items() if quarter is not None else ()):
        yield Line(name="redeemed_in_quarter", of=str(cents), cents=redeemed)


def _line(name: str, serials: Sequence[str], ledger: Ledger) -> Line:
    cents = sum(ledger.denomination(serial) or 0 for serial in serials)
    return Line(name=name, count=len(serials), cents=cents)
