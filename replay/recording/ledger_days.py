"""Accounts across the tables of recorded events, day by day: of the ledgers, and of the floor."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from projections.engine.audit.account_conclusions import INVENTORY, PROCEDURES
from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import Conclusion
from projections.programmes.ledgers.entries import OrderedLedger, order_entries
from projections.programmes.ledgers.reconciliation import Carried, reconcile
from projections.programmes.ledgers.tables import Redeemed, coupons_at_tables
from projections.programmes.supervision.floor_day import judge_supervision, says_supervision
from replay.recording.recording import Recording
from replay.recording.spill import SpillFile
from schemas.codec import AnyEvent, Frame
from schemas.house import House
from schemas.ledgers import Ledger, LedgerEvent
from streams.log import Unread


class TableTotals(Struct):
    """Counterpart of a gaming day's ledgers: accounts, coupons played, what was not reported.

    `supervised` are the tables' accounts of who supervised them, without their findings.
    """

    accounts: dict[str, Conclusion] = field(default_factory=dict)
    played: list[Redeemed] = field(default_factory=list)
    unreported: set[str] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)
    supervised: dict[str, Conclusion] = field(default_factory=dict)

    def hear(self, each: Concluded, house: House) -> None:
        """Add a conclusion about a table."""
        conclusion = each.conclusion
        if conclusion.account == INVENTORY:
            self.accounts[conclusion.table] = conclusion
        elif conclusion.account == PROCEDURES and says_supervision(conclusion):
            self.supervised[conclusion.table] = replace(conclusion, findings=(), notes=())
        elif each.seen is not None:
            self.played += coupons_at_tables(each.seen, conclusion.expected, conclusion.chapter)
        if conclusion.round is not None and conclusion.verdict == "undetermined":
            sources = house.tables[conclusion.table].sources
            if any(sources.get(str(finding.device)) == "chips" for finding in conclusion.findings):
                self.unread.add(conclusion.table)
            if any(
                finding.weight == "undetermined" and sources.get(str(finding.device)) == "terminal"
                for finding in conclusion.findings
            ):
                self.unreported.add(conclusion.table)

    def add(self, other: "TableTotals") -> None:
        """Add the totals of other tables."""
        self.accounts |= other.accounts
        self.played += other.played
        self.unreported |= other.unreported
        self.unread |= other.unread
        self.supervised |= other.supervised


_MADE: Final = (
    "CREATE TABLE heard (number INTEGER PRIMARY KEY, day TEXT, tables BLOB)",
    "CREATE INDEX by_day ON heard (day, number)",
    "CREATE TABLE entered (ledger TEXT, day TEXT, entries BLOB)",
    "CREATE UNIQUE INDEX entered_on ON entered (ledger, day)",
)


class LedgerSpill(SpillFile):
    """Counterpart of many gaming days' ledgers, which waits on the disk for its day's turn."""

    def __init__(self) -> None:
        super().__init__(*_MADE)
        self._days: set[date] = set()

    def hear(self, each: Concluded, house: House) -> None:
        """Add a conclusion about a table."""
        tables = TableTotals()
        tables.hear(each, house)
        self.add(each.conclusion.gaming_date, tables)

    def add(self, day: date, tables: TableTotals) -> None:
        """Add totals of a day to its earlier ones."""
        self._days.add(day)
        if tables != _NOTHING:
            self._base.execute(
                "INSERT INTO heard (day, tables) VALUES (?, ?)", (day.isoformat(), _encode(tables))
            )

    def days(self) -> Iterable[date]:
        """Return the days with any conclusion."""
        return self._days

    def of(self, day: date) -> TableTotals:
        """Return all totals of a day."""
        tables = TableTotals()
        found = self._base.execute(
            "SELECT tables FROM heard WHERE day = ? ORDER BY number", (day.isoformat(),)
        )
        for (payload,) in found:
            tables.add(_decode(payload))
        return tables

    def keep(self, name: Ledger, entered: OrderedLedger) -> OrderedLedger:
        """Spill a ledger's entries to disk, from where they are read day by day until the file is closed."""
        days = ((name, day.isoformat(), _encode(listed)) for day, listed in entered.days.items())
        self._base.executemany("INSERT INTO entered VALUES (?, ?, ?)", days)
        return replace(entered, days=_Entered(self._base, name, tuple(entered.days)))


class _Entered(Mapping[date, tuple[LedgerEvent, ...]]):
    """The entries of a ledger by gaming day, each day read from the disk when it is asked for."""

    def __init__(self, base: sqlite3.Connection, name: Ledger, days: Sequence[date]) -> None:
        self._base, self._name, self._days = base, name, days

    def __iter__(self) -> Iterator[date]:
        return iter(self._days)

    def __len__(self) -> int:
        return len(self._days)

    def __getitem__(self, day: date) -> tuple[LedgerEvent, ...]:
        statement = "SELECT entries FROM entered WHERE ledger = ? AND day = ?"
        found: tuple[bytes] | None = self._base.execute(statement, (self._name, day.isoformat())).fetchone()
        if found is None:
            raise KeyError(day)
        return _entries(found[0])


_NOTHING: Final = TableTotals()
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(TableTotals).decode
_entries: Final = msgspec.json.Decoder(tuple[LedgerEvent, ...]).decode


def ledger_of(
    recorded: Iterable[Frame | Unread], name: Ledger, house: House
) -> tuple[OrderedLedger, list[Unread]]:
    """Read the frames of a ledger's log: its entries in order, and what cannot be read."""
    unread: list[Unread] = []

    def events() -> Iterator[AnyEvent]:
        for frame in recorded:
            if isinstance(frame, Unread):
                unread.append(frame)
            else:
                yield from frame.events

    return order_entries(name, events(), house), unread


def with_ledgers(
    concluded: Iterable[Concluded | Unread], recording: Recording
) -> Iterator[Concluded | Unread]:
    """Pass the conclusions about tables on, and after them the accounts that cross tables, day by day."""
    house = recording.house
    with LedgerSpill() as spill:
        for each in concluded:
            yield each
            if house.has_accounts_across_tables and not isinstance(each, Unread):
                spill.hear(each, house)
        yield from accounts(spill, recording)


def accounts(spill: LedgerSpill, recording: Recording) -> Iterator[Concluded | Unread]:
    """Yield the accounts of ledgers and floor, day by day, compared with the tables' conclusions."""
    house = recording.house
    recorded = {each.name for each in recording.logs} if house.ledgers and recording.is_archive else ()
    ledgers: dict[Ledger, OrderedLedger] = {}
    for name in house.ledgers:
        if name in recorded:
            entered, unread = ledger_of(recording.frames(name), name, house)
            ledgers[name] = spill.keep(name, entered)
            del entered  # while the next one is read it would still be here
            yield from unread
    if not ledgers and not house.is_supervision_reported:
        return
    carried = Carried()
    for day in sorted({*spill.days(), *(day for each in ledgers.values() for day in each.days)}):
        tables = spill.of(day)
        if ledgers:
            reconciled = reconcile(
                day,
                ledgers,
                tables.accounts.values(),
                house,
                carried,
                played=tables.played,
                unreported=tables.unreported,
                unread=tables.unread,
            )
            yield from (Concluded(account, 1) for account in reconciled)
        floor = judge_supervision(day, tables.supervised.values(), house)
        if floor is not None:
            yield Concluded(floor, 1)
