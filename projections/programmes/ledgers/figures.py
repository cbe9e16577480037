"""The lines of the ledgers' accounts: what went to and fro, drop and win by table, what is outstanding.

Win = drop + closer + credits - opener - fills, the drop being cash and Counter Checks as counted. Before the
count, or without a last count of the chips, drop and win are estimated: by the buy-ins and checks that the
table saw, and what its account says was there. Where nobody knows what was there at first, there is no win.
"""

from collections.abc import Iterable, Iterator

from projections.engine.conclusion import Line
from projections.programmes.ledgers.count_room import Awaited
from projections.programmes.ledgers.day_context import DayCase
from projections.programmes.ledgers.tables import TableDay
from schemas.ledgers import BoxCounted, CreditReceived, FillIssued
from schemas.values import total


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
        yield Line(name="slip_missing", of=gap.run.told())
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
        boxes = [each for each in case.room.awaited if each.table == name and not each.told]
        counts = [(each, case.room.counts(each)[:1]) for each in boxes]
        for each, counted in counts:
            yield from _box(each, counted)
        estimated = day.closer is None or any(each.content.off and not counted for each, counted in counts)
        lines = _table(day, [count for _, counted in counts for count in counted], estimated=estimated)
        for line, cents in lines.items():
            totals[line] = totals.get(line, 0) + cents
            is_estimated = is_estimated or estimated
            yield Line(name=_named(line, estimated=estimated), of=name, cents=cents)
    for line, cents in totals.items():
        yield Line(name=_named(line, estimated=is_estimated), cents=cents)


def _named(line: str, *, estimated: bool) -> str:
    return f"{line}_estimated" if estimated and line in ("drop", "win") else line


def _box(awaited: Awaited, counted: list[BoxCounted]) -> Iterator[Line]:
    table, box = awaited.table, awaited.content.name
    yield Line(name="box_buy_ins", of=table, box=box, cents=awaited.content.cash)
    for count in counted:
        cash, checks = total(count.cash), sum(count.counter_checks.values())
        yield Line(name="box_cash", of=table, box=count.box, cents=cash, denominations=count.cash)
        yield Line(name="box_difference", of=table, box=count.box, cents=cash - awaited.content.cash)
        yield Line(name="box_counter_checks", of=table, box=count.box, cents=checks)
        yield Line(name="box_coupons", of=table, box=count.box, count=len(count.coupons))


def _table(day: TableDay, counts: list[BoxCounted], *, estimated: bool) -> dict[str, int]:
    """Work out a table's lines, in cents."""
    buy_ins = sum(box.cash for box in day.boxes)
    if estimated:
        cash, checks = buy_ins, sum(sum(box.checks.values()) for box in day.boxes)
    else:
        cash = sum(total(count.cash) for count in counts)
        checks = sum(sum(count.counter_checks.values()) for count in counts)
    closer = day.held if day.closer is None else day.closer
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
