"""A gaming day of the ledgers reconciled: one account each, with its lines."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from projections.engine.audit.judge import conclude_account, heaviest
from projections.engine.conclusion import Conclusion, Line
from projections.engine.findings import Finding, Raised
from projections.programmes.coupons.coupon_audit import judge_coupons
from projections.programmes.coupons.expected_papers import quarter_of
from projections.programmes.coupons.ledger import CouponLedger
from projections.programmes.ledgers.checks import LEDGER_CHECKS, Account, raise_incomplete
from projections.programmes.ledgers.day_context import DayCase
from projections.programmes.ledgers.entries import (
    NOTHING,
    Exceptional,
    OrderedLedger,
    SerialRun,
    Series,
    Slips,
    advance,
    overdue,
    repeated,
    report,
    unheard,
)
from projections.programmes.ledgers.ledger_days import (
    AwaitedBox,
    Cage,
    CounterChecks,
    CountRoom,
    post_cage_entry,
    post_count_room_entry,
    post_counter_check_entry,
)
from projections.programmes.ledgers.tables import (
    Redeemed,
    TableDayAccount,
    coupons_counted,
    coupons_dropped,
    table_day,
)
from schemas import coupon_log as log
from schemas.house import House
from schemas.law_text import chapter
from schemas.ledgers import (
    LEDGERS,
    BoxCounted,
    CouponEntered,
    CreditReceived,
    FillIssued,
    Ledger,
    LedgerEvent,
)
from schemas.values import microseconds, moment, total

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The lines of the ledgers' accounts: movements, drop and win by table, what is outstanding. Win = drop +
# closer + credits - opener - fills, the drop being cash and Counter Checks as counted. Before the count, or
# without a last count of the chips, drop and win are estimated from the buy-ins and checks that the table
# saw, and the balance of its account. Without a known opener there is no win.


def slip_lines(case: DayCase) -> Iterator[Line]:
    """Yield the cage's lines: slips one by one and in sum, cash paid out by patron, serial exceptions."""
    cage = case.cage
    yield Line(name="requests", count=len(cage.requests))
    yield from _carried("fill", [each for each in cage.fills if each.slip not in case.voided])
    yield from _carried("credit", [each for each in cage.credits if each.slip not in case.voided])
    yield Line(name="voided", count=len(cage.voids))
    yield Line(name="error_notifications", count=len(cage.notices))
    yield Line(
        name="cashed_out",
        cents=sum(each.cents for each in cage.cashed.values()),
        count=sum(each.count for each in cage.cashed.values()),
    )
    for patron, paid in sorted(cage.cashed.items()):
        if patron:
            yield Line(name="cashed_out", of=patron, cents=paid.cents, count=paid.count)
    for gap in case.gaps:
        yield Line(name="slip_missing", of=gap.run.serials_text())
    for slip in case.twice:
        yield Line(name="slip_repeated", of=slip)


def _carried(name: str, slips: Iterable[FillIssued | CreditReceived]) -> Iterator[Line]:
    """Yield each slip by itself, then the sum of each table, then the whole."""
    of: dict[str, list[int]] = {}
    for each in slips:
        cents = total(each.denominations)
        of.setdefault(each.table, []).append(cents)
        yield Line(name=name, of=each.slip, cents=cents, denominations=each.denominations)
    for table, sums in sorted(of.items()):
        yield Line(name=f"{name}s", of=table, cents=sum(sums), count=len(sums))
    everything = [cents for sums in of.values() for cents in sums]
    yield Line(name=f"{name}s", cents=sum(everything), count=len(everything))


def drop_lines(case: DayCase) -> Iterator[Line]:
    """Yield each box as counted, each table's drop and win, and the whole floor's."""
    totals: dict[str, int] = {}
    is_estimated = False
    for name, day in sorted(case.tables.items()):
        boxes = [each for each in case.count_room.awaited if each.table == name and not each.is_reported]
        counts = [(each, case.count_room.counts(each)[:1]) for each in boxes]
        for each, counted in counts:
            yield from _box(each, counted)
        estimated = day.closer is None or any(each.content.off and not counted for each, counted in counts)
        lines = _table(day, [count for _, counted in counts for count in counted], estimated=estimated)
        for line, cents in lines.items():
            totals[line] = totals.get(line, 0) + cents
            is_estimated = is_estimated or estimated
            yield Line(name=_line_name(line, estimated=estimated), of=name, cents=cents)
    for line, cents in totals.items():
        yield Line(name=_line_name(line, estimated=is_estimated), cents=cents)


def _line_name(line: str, *, estimated: bool) -> str:
    return f"{line}_estimated" if estimated and line in ("drop", "win") else line


def _box(awaited: AwaitedBox, counted: list[BoxCounted]) -> Iterator[Line]:
    table, box = awaited.table, awaited.content.name
    yield Line(name="box_buy_ins", of=table, box=box, cents=awaited.content.cash)
    for count in counted:
        cash, checks = total(count.cash), sum(count.counter_checks.values())
        yield Line(name="box_cash", of=table, box=count.box, cents=cash, denominations=count.cash)
        yield Line(name="box_difference", of=table, box=count.box, cents=cash - awaited.content.cash)
        yield Line(name="box_counter_checks", of=table, box=count.box, cents=checks)
        yield Line(name="box_coupons", of=table, box=count.box, count=len(count.coupons))


def _table(day: TableDayAccount, counts: list[BoxCounted], *, estimated: bool) -> dict[str, int]:
    """Work out a table's lines, in cents."""
    buy_ins = sum(box.cash for box in day.boxes)
    if estimated:
        cash, checks = buy_ins, sum(sum(box.checks.values()) for box in day.boxes)
    else:
        cash = sum(total(count.cash) for count in counts)
        checks = sum(sum(count.counter_checks.values()) for count in counts)
    closer = day.balance if day.closer is None else day.closer
    drop = cash + checks
    lines = {
        "fills": day.filled,
        "credits": day.credited,
        "buy_ins": buy_ins,
        "cash": cash,
        "counter_checks": checks,
        "drop": drop,
    }
    if day.opener is None:
        return lines
    win = drop + closer + day.credited - day.opener - day.filled
    return {"opener": day.opener, **lines, "closer": closer, "win": win}


def check_lines(case: DayCase) -> Iterator[Line]:
    """Yield the Counter Checks' lines: made, voided, exchanged and redeemed, and what is outstanding."""
    ledger = case.checks
    exchanged = [cents for day in case.tables.values() for box in day.boxes for cents in box.checks.values()]
    sums = {
        "made": [each.entry.cents for each in ledger.made if not each.again],
        "exchanged": exchanged,
        "redeemed": [each.entry.cents for each in ledger.redemptions],
    }
    for name, cents in sums.items():
        yield Line(name=name, cents=sum(cents), count=len(cents))
    yield Line(name="voided", count=len(ledger.voids))
    owed = {check: each.cents - each.redeemed for check, each in sorted(ledger.owed.items())}
    yield Line(name="outstanding", cents=sum(owed.values()), count=len(owed))
    for check, cents_owed in owed.items():
        yield Line(name="outstanding", of=check, cents=cents_owed)
    for book, each in sorted(ledger.books.items()):
        if each.out:
            yield Line(name="book_out", of=book)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A gaming day of the ledgers reconciled: one account each of slips, drop, Counter Checks and coupons.

_COUNT: Final = "count_room"
_REPORTED_WITHIN: Final = "serial_report_days"


class Carried(Struct):
    """State that outlives a gaming day; msgspec can write and read it.

    `slips` is the slip on which each table's inventory was listed last, with its cents. `coupons_lacked` and
    `plays_lacked` are the last days for which entries about coupons, and plays, may be missing.
    """

    cage: Cage = field(default_factory=Cage)
    count_room: CountRoom = field(default_factory=CountRoom)
    checks: CounterChecks = field(default_factory=CounterChecks)
    coupons: CouponLedger = field(default_factory=CouponLedger)
    coupons_lacked: date | None = None
    plays_lacked: date | None = None
    series: dict[str, Series] = field(default_factory=dict)
    exceptions: list[Exceptional] = field(default_factory=list)
    slips: dict[str, tuple[str, int]] = field(default_factory=dict)


def reconcile(
    day: date,
    ledgers: Mapping[Ledger, OrderedLedger],
    accounts: Iterable[Conclusion],
    house: House,
    carried: Carried,
    *,
    played: Sequence[Redeemed] = (),
    unreported: Collection[str] = (),
    unread: Collection[str] = (),
) -> tuple[Conclusion, ...]:
    """Reconcile one gaming day, the next after the one that `carried` comes from; that is changed in place.

    `accounts` are the tables' inventory accounts of the day, `played` its coupons as
    `tables.coupons_at_tables` returns them. `unreported` are the tables whose terminals are known not to have
    reported everything, `unread` the tables whose chips were not all read, so that coupons may have
    been played unseen. A day whose ledgers were not closed stays open. It must be reconciled again from the
    same carried state once they are.
    """
    tables = {each.table: table_day(each, is_unreported=each.table in unreported) for each in accounts}
    case = _case(day, ledgers, tables, house, carried)
    concluded: list[Conclusion] = []
    for ledger, account, law, lines in _ACCOUNTS:
        if ledger in house.ledgers:
            findings = (found for name, check in LEDGER_CHECKS if name == account for found in check(case))
            raised = [*findings, *raise_incomplete(case, ledger)]
            concluded.append(_concluded(case, ledger, account, law, raised, tuple(lines(case))))
    if "coupons" in house.ledgers:
        entries = ledgers.get("coupons", NOTHING).days.get(day, ())
        coupons = coupon_day(
            case, entries, played, carried.coupons, unread, (carried.coupons_lacked, carried.plays_lacked)
        )
        raised = list(raise_incomplete(case, "coupons"))
        concluded.append(
            _concluded(case, "coupons", "coupons", "603a", raised, tuple(coupons.lines), coupons.findings)
        )
    _turn(case, carried)
    if unread:
        carried.plays_lacked = day
    return tuple(concluded)


_Lines = Callable[[DayCase], Iterator[Line]]
# Each ledger's account, the chapter that it is judged by, and its lines.
_ACCOUNTS: Final[tuple[tuple[Ledger, Account, str, _Lines], ...]] = (
    ("cage", "slips", "465a", slip_lines),
    ("count_room", "drop", "465a", drop_lines),
    ("counter_checks", "counter_checks", "609a", check_lines),
)


def _case(
    day: date,
    ledgers: Mapping[Ledger, OrderedLedger],
    tables: dict[str, TableDayAccount],
    house: House,
    carried: Carried,
) -> DayCase:
    """Fold the day's entries, and take its slips into their series."""
    of = {name: ledgers.get(name, NOTHING) for name in LEDGERS}
    carried.checks.is_complete = carried.checks.is_complete and of["counter_checks"].is_complete
    for entry in of["cage"].days.get(day, ()):
        post_cage_entry(carried.cage, entry)
    for entry in of["count_room"].days.get(day, ()):
        post_count_room_entry(carried.count_room, entry)
    for entry in of["counter_checks"].days.get(day, ()):
        post_counter_check_entry(carried.checks, entry)
    if "count_room" in house.ledgers:
        if "cage" in house.ledgers:
            _owe_matched(carried.cage, tables.values())
        carried.count_room.waits_for(tables.values())
    slips = _slips(carried.cage, carried.count_room, tables.values())
    twice, strange = repeated(carried.series, slips.made), unheard(carried.series, slips, _COUNT)
    report(carried.exceptions, (serial for each in carried.cage.reports for serial in each.serials))
    days = chapter("465a").numbers_on(day).get(_REPORTED_WITHIN)
    return DayCase(
        day,
        house,
        carried.cage,
        carried.count_room,
        carried.checks,
        tables,
        {name: of[name].doubts(day) if name in house.ledgers else [] for name in LEDGERS},
        [name for name in LEDGERS if of[name].begins_within(day)],
        advance(carried.series, slips),
        twice,
        strange,
        overdue(carried.exceptions, day, days.value) if days is not None else [],
        _sums(carried, tables.values()),
    )


def _owe_matched(cage: Cage, tables: Iterable[TableDayAccount]) -> None:
    """Check boxes for the slips that the cage has too; of others, check where they come from."""
    issued = {each.slip for each in (*cage.underway, *cage.fills)}
    matched = (issued | {each.slip for each in cage.credits}) - {each.slip for each in cage.voids}
    for box in (box for day in tables for box in day.boxes):
        box.owed = {slip: carried for slip, carried in box.owed.items() if slip in matched}


def _slips(cage: Cage, count_room: CountRoom, tables: Iterable[TableDayAccount]) -> Slips:
    """Gather the day's slips: who makes them out, and where else they occur."""
    slips = Slips()
    made = [request.request for request in cage.requests] + [fill.slip for fill in cage.fills]
    made += [notice.slip for notice in cage.notices]
    for slip in made:
        slips.make(slip, "cage")
    for slip in [void.slip for void in cage.voids] + [credit.slip for credit in cage.credits]:
        slips.see(slip, "cage")
    for handled in count_room.handled.values():
        for count in handled.counts:
            for slip in count.slips:
                slips.see(slip, _COUNT)
    for day in tables:
        own = [each for each in day.listings if each.name != "listing_opening"]
        for line in (*day.credits, *own):
            slips.make(line.of or "", day.table)
        for line in (*day.fills, *day.listings):
            slips.see(line.of or "", day.table)
        for slip in (slip for box in day.boxes for slip in box.slips):
            slips.see(slip, day.table)
    return slips


def _sums(carried: Carried, tables: Iterable[TableDayAccount]) -> dict[str, int]:
    """Return the sums for which Table Inventory Slips were made out: today's, and each table's last one."""
    sums = dict(carried.slips.values())
    for day in tables:
        for listing in day.listings:
            if listing.of is not None and listing.name != "listing_opening":
                sums[listing.of] = listing.cents or 0
    return sums


def _concluded(
    case: DayCase,
    ledger: Ledger,
    account: str,
    law: str,
    raised: Sequence[Raised],
    lines: tuple[Line, ...],
    others: Sequence[Finding] = (),
) -> Conclusion:
    own = conclude_account(ledger, account, case.day, law, raised, lines, case.house.severity)
    return replace(
        own,
        verdict=heaviest((own.verdict, *(each.weight for each in others))),
        findings=(*own.findings, *(each for each in others if each.weight != "note")),
        notes=(*own.notes, *(each for each in others if each.weight == "note")),
    )


def _turn(case: DayCase, carried: Carried) -> None:
    """Store what outlives the day."""
    unreported = [each for each in carried.exceptions if not each.reported and each not in case.overdue]
    new = [Exceptional(gap.run, case.day) for gap in case.gaps if case.weight(case.tellers(gap)) is None]
    new += [Exceptional(SerialRun(slip, slip), case.day) for slip in case.twice]
    carried.exceptions = [*unreported, *new]
    at_cage = {each.slip for each in carried.cage.credits}
    early = [
        line.of or ""
        for day in case.tables.values()
        for line in day.credits
        if line.of not in at_cage and line.of is not None
    ]
    if not case.may_lack("count_room"):
        for awaited in carried.count_room.awaited:
            awaited.is_reported = awaited.content.off
    for day in case.tables.values():
        for listing in day.listings[-1:]:
            if listing.of is not None and listing.name != "listing_opening":
                carried.slips[day.table] = (listing.of, listing.cents or 0)
    carried.coupons_lacked = case.day if case.doubts["coupons"] else carried.coupons_lacked
    if any(case.may_lack(table) for table in case.tables):
        carried.plays_lacked = case.day
    carried.cage = carried.cage.turn(case.under_way, early)
    carried.count_room = carried.count_room.turn(case.early_boxes)
    carried.checks = carried.checks.turn(case.under_way)


# ── The coupons' account of a gaming day: their ledger, the tables' rounds and the count as one log ───

# Reported by the tables and the count room themselves.
_AT_TABLES = (log.Played, log.Settled, log.Dropped)
# What is compared with the coupons redeemed at all tables.
_OF_ALL_PLAYS = ("reconciliation_wrong", "quarterly_report_wrong")


class CouponDay(Struct):
    """Result of the coupons' account: its findings and its lines."""

    findings: list[Finding]
    lines: list[Line]


def coupon_day(
    case: DayCase,
    entries: Iterable[LedgerEvent],
    played: Sequence[Redeemed],
    ledger: CouponLedger,
    unread: Collection[str],
    lacked: tuple[date | None, date | None] = (None, None),
) -> CouponDay:
    """Judge what happened to coupons in a day; `ledger` is their state, which is changed in place.

    The day's boxes are counted in the next morning and belong to it all the same. Findings on a table or
    ledger that may be incomplete are left open. `lacked` are the last days before this one for which the
    coupons' ledger, and the tables, may be incomplete.
    """
    house = case.house
    entered = [each.entry for each in entries if isinstance(each, CouponEntered)]
    own = [each for each in entered if not isinstance(each, _AT_TABLES)]
    counted = {serial for each in own if isinstance(each, log.Counted) for serial in log.coupons(each)}
    counts = [count for handled in case.count_room.handled.values() for count in handled.counts]
    events = [
        # What was due by now was due whether or not anything happens to a coupon today: an entry with nothing
        # but the time.
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
        thresholds=house.severity,
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
    """Leave open what depends on something that may be missing.

    Daily acts are entered on their day or the next, so their checks depend on both. The total of redemptions
    depends on every table.
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


def _lines(day: date, events: Sequence[log.CouponEvent], ledger: CouponLedger) -> Iterator[Line]:
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
    yield _line("outstanding", [serial for serial, _ in ledger.coupons_at("patron")], ledger)
    quarter = ledger.redeemed.get(quarter_of(day))
    for cents, redeemed in sorted(quarter.cents.items() if quarter is not None else ()):
        yield Line(name="redeemed_in_quarter", of=str(cents), cents=redeemed)


def _line(name: str, serials: Sequence[str], ledger: CouponLedger) -> Line:
    cents = sum(ledger.denomination(serial) or 0 for serial in serials)
    return Line(name=name, count=len(serials), cents=cents)
