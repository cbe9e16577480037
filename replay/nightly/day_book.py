"""A whole gaming day of the property, as the reports are made from it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final

from msgspec import Struct

from projections.engine.accounts.checks.inventory_slip import INVENTORY_SLIP_WRONG, OPENING_COUNT_DIFFERS
from projections.engine.conclusion import Conclusion
from projections.engine.identity import id_of
from projections.programmes.ledgers.counter_checks import Owed
from projections.views.text import text
from replay.exports.report.model import About, Cell, Column, Kind, Made, Period, Plot, Report, Role
from replay.nightly.alert_work import Worked
from replay.nightly.earlier_reports import Earlier
from replay.nightly.gaming_days import Day
from replay.nightly.live_comparison import Compared
from replay.nightly.operator_actions import Quieted
from replay.nightly.shifts import Shifts
from replay.nightly.table_day import Said, Sums, TableDay
from schemas.house import House
from schemas.law_text import chapter, chapters

CASHED_OUT: Final = "cashed_out"  # the line of the cage's account that has a patron's cash


COUNTED: Final = "counted"
ESTIMATED: Final = "estimated"
DOUBTED: Final = ", slip doubted"
_AGAINST: Final = frozenset({INVENTORY_SLIP_WRONG.check, OPENING_COUNT_DIFFERS.check})


class Win(Struct, frozen=True):
    """A table's win of a day by its counts; cents, None where no count tells.

    `basis` is `counted` where the drop was counted in the count room, else `estimated` by the buy-ins seen;
    it says so where a slip of the inventory is doubted, as opener and closer stand as the slips have them.
    """

    drop: int
    win: int | None
    basis: str


class Book(Struct, kw_only=True, dict=True):
    """The day of every table, what the ledgers say of it, and how it was held against the live store.

    `archive` is the origin of the archive. `compared` is None where no snapshot was given.
    `accounts` are the conclusions of the ledgers, `unread` what of them cannot be read, `outstanding` the
    Counter Checks that are owed as the day ends. `altered` are sealed
    files of the day that are not as its checkpoints closed them: where, and what is wrong. `absent` are
    tables of the house of which the archive has nothing; `quieted` is what the surveillance room muted or put
    off, `worked` what it did about its alerts, as the live store has it; `is_open` says that the day had
    not closed.
    """

    house: House
    day: Day
    software: str
    archive: str
    received: int | None
    tables: Sequence[TableDay]
    earlier: Earlier
    compared: Sequence[Compared] | None = None
    against: tuple[str, ...] = ()
    accounts: Sequence[Conclusion] = ()
    unread: Sequence[str] = ()
    outstanding: Mapping[str, Owed] = {}
    altered: Sequence[tuple[str, str]] = ()
    absent: Sequence[str] = ()
    quieted: Sequence[Quieted] = ()
    worked: Worked | None = None
    is_open: bool = False

    @cached_property
    def about(self) -> About:
        """What every report says that it was made with and from."""
        books = sorted({name for table in self.tables for name in table.rulebooks})
        period = Period(self.day.date, self.day.date, self.day.begins, self.day.ends)
        made = Made(self.day.date, self.received, self.archive)
        filters = ("as far as the day had gone; it had not closed",) if self.is_open else ()
        return About(self.software, tuple(books), filters, period, made, self.house.zone)

    @cached_property
    def cashed(self) -> dict[str, int]:
        """Cash that the cage paid out, by patron."""
        return {
            line.of: line.cents
            for each in self.accounts
            if each.account == "slips"
            for line in each.lines
            if line.name == CASHED_OUT and line.of is not None and line.cents is not None
        }

    @cached_property
    def shifts(self) -> Shifts:
        """The shifts of the day."""
        return Shifts(self.house, self.day)

    @cached_property
    def sums(self) -> dict[str, Sums]:
        """The rounds of each table, added up."""
        return {table.table: table.sums for table in self.tables}

    @cached_property
    def findings(self) -> list[Said]:
        """Every finding of the day: of rounds and shoes, of tables' accounts, of ledgers."""
        found = [said for table in self.tables for said in table.findings]
        found += [
            Said(
                about=id_of(each),
                table=each.table,
                chapter=each.chapter,
                round=None,
                shoe=None,
                account=each.account,
                finding=finding,
            )
            for each in self.accounts
            for finding in each.findings
        ]
        return found

    def report(
        self,
        name: str,
        title: str,
        columns: Sequence[tuple[str, str, Kind]],
        rows: Sequence[Sequence[Cell]],
        *,
        note: str | None = None,
        plot: Plot | None = None,
        restricted: Role | None = None,
        total: Sequence[Cell] | None = None,
        row_keys: Sequence[Sequence[str]] | None = None,
    ) -> Report:
        """Make one of the day's reports."""
        return Report(
            name,
            title,
            tuple(Column(*column) for column in columns),
            tuple(tuple(row) for row in rows),
            self.about,
            note,
            plot,
            restricted,
            tuple(total) if total is not None and rows else None,
            tuple(map(tuple, row_keys)) if row_keys is not None else None,
        )

    @cached_property
    def _drops(self) -> dict[str, dict[str, int | None]]:
        """The lines of each table in the count room's account."""
        found: dict[str, dict[str, int | None]] = {}
        for each in self.accounts:
            for line in each.lines if each.account == "drop" else ():
                if line.of is not None:
                    found.setdefault(line.of, {})[line.name] = line.cents
        return found

    def win(self, table: TableDay) -> Win:
        """Return a table's drop and win: drop + closer + credits - opener - fills.

        Where no count room keeps an account it is by what the table saw, and estimated.
        """
        lines = self._drops.get(table.table, {})
        for basis, suffix in ((COUNTED, ""), (ESTIMATED, "_estimated")):
            drop, win = lines.get(f"drop{suffix}"), lines.get(f"win{suffix}")
            if drop is not None:
                return Win(drop, win, basis + _doubted(table))
        drop = sum(each.cents for each in table.survey.moved if each.what in {"cash", "counter_checks"})
        opener, closer = table.line("opener"), table.line("closer")
        if opener is None or closer is None:
            return Win(drop, None, ESTIMATED)
        # Lines are signed into the tray: fills are positive, credits negative.
        carried = (table.line("fills") or 0) + (table.line("credits") or 0)
        return Win(drop, drop + closer - opener - carried, ESTIMATED + _doubted(table))


def _doubted(table: TableDay) -> str:
    return DOUBTED if table.inventory is not None and doubts(table.inventory) else ""


def doubts(account: Conclusion) -> str | None:
    """Return what speaks against a Table Inventory Slip of the day; None where nothing does."""
    return "; ".join(text(each.message) for each in account.findings if each.check in _AGAINST) or None


def game(number: str) -> str:
    """Return a chapter's game; a chapter that is none, as a house file at fault has it, by its number.

    >>> game("631a"), game("999")
    ('Baccarat', '999')
    """
    return chapter(number).title if number in chapters() else number


def hold(win: int | None, drop: int) -> Fraction | None:
    """Return the table hold, win / drop; None where nothing was dropped.

    >>> hold(2000, 10000), hold(0, 0), hold(None, 100)
    (Fraction(1, 5), None, None)
    """
    return Fraction(win, drop) if win is not None and drop else None
