"""A whole gaming day of the property, as the reports are made from it."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from projections.engine.conclusion import Conclusion
from projections.engine.observation import is_name
from projections.programmes.ledgers.ledger_days import OutstandingCheck
from projections.views.people import named_people
from replay.exports.report import About, Origin, Period
from replay.nightly.earlier_reports import Earlier
from replay.nightly.gaming_days import Day, Shifts
from replay.nightly.live_comparison import TableComparison
from replay.nightly.surveillance_work import AlertWork, SuppressedAlerts
from replay.nightly.table_day import TableDay
from schemas.house import House


class Book(Struct, kw_only=True, dict=True):
    """The day of every table, the conclusions on the ledgers, and the comparison with the live store.

    `archive` is the origin of the archive. `compared` is None if no snapshot was given. `accounts` are the
    conclusions of the ledgers, `unread` their unreadable lines, `outstanding` the Counter Checks that are
    owed when the day ends. `altered` are sealed files of the day that are not as its checkpoints closed them:
    where, and what is wrong. `absent` are tables of the house that are not in the archive; `quieted` is what
    the surveillance room muted or snoozed, `worked` what it did about its alerts, by the live store;
    `is_open` is true if the day had not closed.
    """

    house: House
    day: Day
    software: str
    archive: str
    received: int | None
    tables: Sequence[TableDay]
    earlier: Earlier
    compared: Sequence[TableComparison] | None = None
    against: tuple[str, ...] = ()
    accounts: Sequence[Conclusion] = ()
    unread: Sequence[str] = ()
    outstanding: Mapping[str, OutstandingCheck] = {}
    altered: Sequence[tuple[str, str]] = ()
    absent: Sequence[str] = ()
    quieted: Sequence[SuppressedAlerts] = ()
    worked: AlertWork | None = None
    is_open: bool = False

    @cached_property
    def about(self) -> About:
        """Return what every report was made with and from."""
        books = sorted({name for table in self.tables for name in table.rulebooks})
        period = Period(self.day.date, self.day.date, self.day.begins, self.day.ends)
        made = Origin(self.day.date, self.received, self.archive)
        filters = ("as far as the day had gone; it had not closed",) if self.is_open else ()
        return About(self.software, tuple(books), filters, period, made, self.house.zone)

    @cached_property
    def people(self) -> Mapping[str, str]:
        """The patrons and the staff whom the day names, each name with its role."""
        people: dict[str, str] = {}
        for table in self.tables:
            people |= dict.fromkeys(table.by_dealer, "dealer")
            people |= dict.fromkeys(table.by_floorperson, "floorperson")
            people |= dict.fromkeys(filter(is_name, table.survey.bought), "patron")
            people |= dict(named_people([table.findings, table.accounts]))
        people |= dict(named_people(self.accounts))
        return people | {owed.patron: "patron" for owed in self.outstanding.values()}

    @cached_property
    def shifts(self) -> Shifts:
        """The shifts of the day."""
        return Shifts(self.house, self.day)
