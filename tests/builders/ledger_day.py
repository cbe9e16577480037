"""A gaming day of two tables and three ledgers in which everything is as it must be, to be changed by tests.

2025-03-03 in New York, from six to six. BAC-1 has a fill of $3,500, a Counter Check of $200 and a drop in the
middle of play; BAC-2 a credit of $1,000 and an opening count that is $25 below its slip, of which there is a
notice. Every figure is a literal; nothing of the software makes it.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, TypeAlias
from zoneinfo import ZoneInfo

import msgspec

from projections.engine.conclusion import Conclusion, Line
from projections.engine.findings import Finding
from projections.programmes.ledgers.entries import OrderedLedger, order_entries
from projections.programmes.ledgers.reconciliation import Carried, reconcile
from projections.programmes.ledgers.tables import Redeemed
from schemas import ledgers as l
from schemas.house import House, TableSetup
from schemas.values import Person
from tests.builders.texts import verbatim_fact

Made: TypeAlias = tuple[str, datetime, type[Any], dict[str, Any]]
Raised: TypeAlias = tuple[str, str, str | None]

DAY: Final = date(2025, 3, 3)
NEXT: Final = date(2025, 3, 4)
ZONE: Final = ZoneInfo("America/New_York")
DEVICES: Final[dict[l.Ledger, list[str]]] = {
    "cage": ["CG-1"],
    "count_room": ["CR-1"],
    "counter_checks": ["CC-1"],
}
SETUP: Final = TableSetup(chapter="631a", sources={"T": "terminal"})
HOUSE: Final = House(house="ledgers", tables={"BAC-1": SETUP, "BAC-2": SETUP}, ledgers=DEVICES)

FLOORPERSON: Final = Person("Faye", "floorperson")
CLERK: Final = Person("Paul", "pit_clerk")
DEALER: Final = Person("Dora", "dealer")
SECURITY: Final = Person("Sam", "security")
BANK: Final = Person("Cleo", "chip_bank")
FINANCE: Final = Person("Fred", "finance")
GAMES: Final = Person("Tess", "table_games")

FILL: Final = {2500: 100, 500: 200}  # $3,500
CREDIT: Final = {10_000: 10}  # $1,000


def at(hour: int, minute: int = 0, day: date = DAY) -> datetime:
    """Return a moment of the gaming day by the property's clock; from 24 on it is the next morning."""
    midnight = datetime.combine(day, datetime.min.time(), ZONE)
    return midnight + timedelta(hours=hour, minutes=minute)


def micros(when: datetime) -> int:
    return round((when - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) * 1_000_000


def opening_differs(table: str, slip: str, expected: int, observed: int) -> Finding:
    """Return what a table's account says of an opening count that is not its slip's."""
    return Finding(
        id="f",
        check="opening_count_differs",
        weight="mismatch",
        severity="high",
        message=verbatim_fact("the opening count differs"),
        citations=("465a.37(c)",),
        status="adopted",
        table=table,
        serial=slip,
        expected_cents=expected,
        observed_cents=observed,
        delta_cents=observed - expected,
        variance_cents=observed - expected,
    )


class LedgerDay:
    """The day's entries by their names here, and the lines and findings of its tables."""

    def __init__(self) -> None:
        self.made: dict[str, Made] = {}
        self.lost: set[str] = set()
        self.lines: dict[str, list[Line]] = {"BAC-1": [], "BAC-2": []}
        self.found: dict[str, list[Finding]] = {"BAC-1": [], "BAC-2": []}
        self.house = HOUSE
        self.played: Sequence[Redeemed] = ()
        self.unreported: set[str] = set()
        self._cage()
        self._tables()
        self._count_room()
        self._checks()

    # ── the day ──────────────────────────────────────────────────────────────────────────────────────

    def _cage(self) -> None:
        of = "cage"
        self.add(
            "request",
            of,
            at(10),
            l.FillRequested,
            request="FR-001",
            table="BAC-1",
            denominations=FILL,
            by=FLOORPERSON,
        )
        self.add(
            "fill",
            of,
            at(10, 5),
            l.FillIssued,
            slip="FS-001",
            request="FR-001",
            table="BAC-1",
            denominations=FILL,
            signatures=(BANK, SECURITY),
        )
        self.add("escort", of, at(10, 6), l.FillEscorted, slip="FS-001", by=SECURITY)
        self.add("void", of, at(11), l.SlipVoided, slip="FS-002", signatures=(BANK, SECURITY))
        self.add(
            "notice",
            of,
            at(11, 30),
            l.ErrorNotified,
            slip="EN-001",
            table="BAC-2",
            inventory_slip="TI-002",
            cents=-2500,
            signatures=(DEALER, FLOORPERSON),
        )
        self.add(
            "credit",
            of,
            at(12),
            l.CreditReceived,
            slip="CS-001",
            table="BAC-2",
            denominations=CREDIT,
            signatures=(BANK, SECURITY),
        )
        self.add("cashed", of, at(13), l.ChipsCashed, cents=40_000, patron="Anna")
        self.add("cashed again", of, at(14), l.ChipsCashed, cents=10_000, patron="Anna")
        self.add("cashed by someone", of, at(15), l.ChipsCashed, cents=2_500)
        self.add("cage closed", of, at(29, 50), l.LedgerClosed, date=DAY)

    def _tables(self) -> None:
        self.lines["BAC-1"] = [
            Line(name="opener", cents=1_000_000),
            Line(name="fills", cents=350_000),
            Line(name="cash", cents=-50_000),
            Line(name="counter_checks", cents=-20_000),
            Line(name="wagers_collected", cents=20_000),
            Line(name="expected", cents=1_300_000),
            Line(name="untyped", cents=0),
            Line(name="closer", of="TI-003", cents=1_300_000),
            Line(name="fill", of="FS-001", cents=350_000, denominations=FILL),
            Line(name="listing_opening", of="TI-001", cents=1_000_000, denominations={10_000: 100}),
            Line(name="listing_drop", of="TI-005", cents=1_320_000, denominations={10_000: 132}),
            Line(name="listing_closing", of="TI-003", cents=1_300_000, denominations={10_000: 130}),
            Line(name="box", of="B-11", cents=30_000),
            Line(name="box_check", of="K-001", box="B-11", cents=20_000),
            Line(name="box_slip", of="TI-001", box="B-11"),
            Line(name="box_slip", of="FS-001", box="B-11"),
            Line(name="box_slip", of="TI-005", box="B-11"),
            Line(name="box", of="B-12", cents=20_000),
            Line(name="box_slip", of="TI-005", box="B-12"),
            Line(name="box_slip", of="TI-003", box="B-12"),
        ]
        self.lines["BAC-2"] = [
            Line(name="opener", cents=500_000),
            Line(name="credits", cents=-100_000),
            Line(name="cash", cents=-30_000),
            Line(name="wagers_collected", cents=20_000),
            Line(name="expected", cents=390_000),
            Line(name="untyped", cents=0),
            Line(name="closer", of="TI-004", cents=390_000),
            Line(name="credit", of="CS-001", cents=100_000, denominations=CREDIT),
            Line(name="listing_opening", of="TI-002", cents=500_000, denominations={10_000: 50}),
            Line(name="listing_closing", of="TI-004", cents=390_000, denominations={10_000: 39}),
            Line(name="box", of="B-2", cents=30_000),
            Line(name="box_slip", of="TI-002", box="B-2"),
            Line(name="box_slip", of="CS-001", box="B-2"),
            Line(name="box_slip", of="TI-004", box="B-2"),
        ]
        self.found["BAC-2"] = [opening_differs("BAC-2", "TI-002", 502_500, 500_000)]

    def _count_room(self) -> None:
        self._box("B-11", "BAC-1", {10_000: 3}, {"TI-001": 1_000_000, "FS-001": 350_000, "TI-005": 1_320_000})
        self.change("count B-11", counter_checks={"K-001": 20_000})
        self._box("B-12", "BAC-1", {2_000: 10}, {"TI-005": 1_320_000, "TI-003": 1_300_000})
        slips = {"TI-002": 502_500, "CS-001": 100_000, "TI-004": 390_000, "EN-001": 2_500}
        self._box("B-2", "BAC-2", {10_000: 2, 5_000: 2}, slips)
        self.add("count room closed", "count_room", at(33), l.LedgerClosed, date=DAY)

    def _box(self, box: str, table: str, cash: dict[int, int], slips: dict[str, int]) -> None:
        of = "count_room"
        self.add(f"receive {box}", of, at(29), l.BoxReceived, box=box, table=table, by=SECURITY)
        self.add(f"empty {box}", of, at(31), l.BoxEmptied, box=box, shown=True)
        self.add(f"count {box}", of, at(32), l.BoxCounted, box=box, table=table, cash=cash, slips=slips)

    def _checks(self) -> None:
        of = "counter_checks"
        self.add(
            "book out",
            of,
            at(8),
            l.BookSignedOut,
            book="BK-1",
            first="K-001",
            last="K-010",
            given_by=FINANCE,
            taken_by=GAMES,
        )
        self.add(
            "check",
            of,
            at(10),
            l.CheckMade,
            check="K-001",
            table="BAC-1",
            patron="Anna",
            cents=20_000,
            by=CLERK,
        )
        self.add("check voided", of, at(11), l.CheckVoided, check="K-002", signatures=(CLERK, FLOORPERSON))
        self.add("redeemed", of, at(20), l.CheckRedeemed, check="K-001", cents=5_000)
        self.add(
            "book in", of, at(28), l.BookSignedIn, book="BK-1", next="K-003", given_by=GAMES, taken_by=FINANCE
        )
        self.add("checks closed", of, at(29, 50), l.LedgerClosed, date=DAY)

    # ── changes ──────────────────────────────────────────────────────────────────────────────────────

    def add(self, name: str, ledger: str, when: datetime, kind: type[Any], **fields: Any) -> None:
        """Make an entry more."""
        self.made[name] = (ledger, when, kind, fields)

    def change(self, name: str, **fields: Any) -> None:
        """Change what an entry states."""
        ledger, when, kind, before = self.made[name]
        self.made[name] = (ledger, fields.pop("when", when), kind, before | fields)

    def drop(self, *names: str) -> None:
        """Remove entries."""
        for name in names:
            del self.made[name]

    def lose(self, name: str) -> int:
        """Drop an entry; return the number under which it was made."""
        self.lost.add(name)
        return self._order(self.made[name][0]).index(name) + 1

    def drop_line(self, table: str, name: str, of: str | None = None) -> None:
        """Remove a line of a table's account."""
        self.lines[table].remove(self.line(table, name, of))

    def change_line(self, table: str, name: str, of: str | None, **fields: Any) -> None:
        """Change what a line of a table's account states."""
        place = self.lines[table].index(self.line(table, name, of))
        self.lines[table][place] = msgspec.structs.replace(self.lines[table][place], **fields)

    def line(self, table: str, name: str, of: str | None = None) -> Line:
        """Return a line of a table's account."""
        return next(each for each in self.lines[table] if each.name == name and of in (None, each.of))

    def deposit(self, table: str, box: str, slip: str, cents: int) -> None:
        """Drop a slip over a sum into a drop box of a table, and find it there."""
        self.lines[table].append(Line(name="box_slip", of=slip, box=box))
        self.change(f"count {box}", slips=self.made[f"count {box}"][3]["slips"] | {slip: cents})

    # ── what comes of it ─────────────────────────────────────────────────────────────────────────────

    def entries(self, ledger: str) -> list[Any]:
        """Return a ledger's entries as its device numbers them, in the order of their time."""
        device = self.house.ledgers[ledger][0]  # type: ignore[index]  # a ledger's name
        return [
            kind(device=device, epoch=1, seq=number, at=micros(when), **fields)
            for number, name in enumerate(self._order(ledger), 1)
            if name not in self.lost
            for _, when, kind, fields in [self.made[name]]
        ]

    def _order(self, ledger: str) -> list[str]:
        own = [name for name, made in self.made.items() if made[0] == ledger]
        return sorted(own, key=lambda name: self.made[name][1])

    def kept(self) -> dict[l.Ledger, OrderedLedger]:
        """Sort each ledger's entries."""
        return {name: order_entries(name, self.entries(name), self.house) for name in self.house.ledgers}

    def accounts(self, day: date = DAY) -> list[Conclusion]:
        """Return the tables' inventory accounts."""
        return [
            Conclusion(
                table=table,
                account="inventory",
                gaming_date=day,
                chapter="465a",
                verdict="clean",
                outcome=None,
                expected=(),
                findings=tuple(self.found[table]),
                notes=(),
                lines=tuple(lines),
            )
            for table, lines in self.lines.items()
        ]

    def concluded(self, carried: Carried | None = None, day: date = DAY) -> dict[str, Conclusion]:
        """Reconcile the day; each account by its name."""
        said = reconcile(
            day,
            self.kept(),
            self.accounts(day),
            self.house,
            carried if carried is not None else Carried(),
            played=self.played,
            unreported=self.unreported,
        )
        return {str(each.account): each for each in said}

    def raised(self, carried: Carried | None = None, day: date = DAY) -> list[Raised]:
        """Reconcile the day; check, weight and subject (a number, else a box or book) of each finding."""
        return subjects(self.concluded(carried, day).values())


def subjects(concluded: Iterable[Conclusion]) -> list[Raised]:
    return [
        (each.check, each.weight, str(each.serial or each.who) if each.serial or each.who else None)
        for one in concluded
        for each in one.findings
    ]


def only(change: Callable[[LedgerDay], None]) -> Finding:
    """Change the clean day in one way; give the only finding that this brings."""
    day = LedgerDay()
    change(day)
    (found,) = [each for one in day.concluded().values() for each in one.findings]
    return found


def reconcile_two_days(first: LedgerDay, second: LedgerDay) -> tuple[list[Raised], list[Raised]]:
    """Reconcile two days, with what is carried written and read in between."""
    carried = Carried()
    before = first.raised(carried)
    carried = msgspec.json.decode(msgspec.json.encode(carried), type=Carried)
    return before, second.raised(carried, NEXT)


def empty_day() -> LedgerDay:
    """Return the next day, on which nothing has happened; its ledgers are closed."""
    day = LedgerDay()
    day.made = {}
    day.lines = {"BAC-1": [], "BAC-2": []}
    day.found = {"BAC-1": [], "BAC-2": []}
    for ledger in DEVICES:
        when = at(57) if ledger == "count_room" else at(53)
        day.add(ledger, ledger, when, l.LedgerClosed, date=NEXT)
    return day


def leave_table_open(first: LedgerDay) -> None:
    """Script BAC-1 as open over the turn of the day, with B-12 on it."""
    for name in ("listing_closing", "closer", "box_slip"):
        first.drop_line("BAC-1", name, "TI-003")
    first.drop("receive B-12", "empty B-12", "count B-12")


def count_later(second: LedgerDay) -> None:
    """Count B-12 on the next day, with $500 more in it and the slip of the next closing."""
    second.lines["BAC-1"] = [
        Line(name="listing_closing", of="TI-003", cents=1_300_000, denominations={10_000: 130}),
        Line(name="box", of="B-12", cents=50_000),
        Line(name="box_slip", of="TI-003", box="B-12"),
    ]
    slips = {"TI-005": 1_320_000, "TI-003": 1_300_000}
    cash = {10_000: 7}  # $200 of the first day, $500 of the second
    of = "count_room"
    second.add("receive", of, at(53), l.BoxReceived, box="B-12", table="BAC-1", by=SECURITY)
    second.add("empty", of, at(55), l.BoxEmptied, box="B-12", shown=True)
    second.add("count", of, at(56), l.BoxCounted, box="B-12", table="BAC-1", cash=cash, slips=slips)
