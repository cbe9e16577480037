"""The records of a store, as embargoes have to know them: whether one is there, and what goes with it."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.shift_log import Entered, LogBook, entry_subject
from projections.engine.conclusion import id_of_table_day
from projections.web.auth.embargo import Hidden
from projections.web.auth.record_subjects import within
from projections.web.records.store_queries import Reader
from schemas.values import Micros

_ALERT: Final = "SELECT DISTINCT round_id FROM findings WHERE id = $name"
_ROUND: Final = "SELECT id FROM rounds WHERE id = $name {withheld} LIMIT 1"
_OF_DAY: Final = "SELECT id FROM rounds WHERE starts_with(id, $name || '|') {withheld} LIMIT 1"
_REPORT: Final = "SELECT 1 FROM reports WHERE gaming_day::VARCHAR || '|' || report = $name LIMIT 1"


class StoredRecords:
    """Conclusions and findings of a store, and its casework; `now` is the clock on the wall."""

    def __init__(self, reader: Reader, commands: CommandHandler, now: Callable[[], Micros]) -> None:
        self._reader, self._commands, self._now = reader, commands, now
        # By how many batches were stored: what was found with what is withheld.
        self._stored: tuple[int, dict[tuple[frozenset[str], ...], set[tuple[str, str]]]] = (-1, {})
        self._kinds: dict[str, Callable[[str, Hidden], bool]] = {
            "alert": self._is_alert,
            "case": self._is_alert,
            "round": partial(self._is_concluded, _ROUND),
            "dispute": self._is_dispute,
            "table-day": self._is_day,
            "report": self._is_report,
            "log": self._is_entry,
        }

    def going_with(self, subjects: frozenset[str]) -> set[str]:
        """Return the subjects that are withheld with these, because they show the same, by present links.

        With a dispute go the rounds and the alerts that it names. With an alert or a case goes each round,
        shoe or account that it is about. With these, or all of a table's day, go all findings on them. With
        all of that goes each dispute that belongs to it.
        """
        book = self._commands.book(DisputeBook)
        disputed = set[str]().union(
            *(book.hand_subjects(name) for name in self._names_of_kind(subjects, "dispute"))
        )
        gone = self._found_with(disputed | subjects) | disputed
        return gone | book.tied_to(gone | subjects)

    def _found_with(self, subjects: Collection[str]) -> set[str]:
        named_in = self._names_of_kind
        alerts = named_in(subjects, "alert").union(
            *(self._commands.alerts_of_case(case) for case in named_in(subjects, "case"))
        )
        abouts, days = named_in(subjects, "round"), named_in(subjects, "table-day")
        if not alerts | abouts | days:
            return set()
        # What is on the board the store may not have yet.
        found = self._commands.alerts_found_with(alerts, abouts, days)
        found |= self._stored_with(frozenset(alerts), frozenset(abouts), frozenset(days))
        of_alerts = {f"round:{about}" for alert, about in found if alert in alerts}
        return of_alerts.union(f"alert:{alert}" for alert in (*alerts, *(alert for alert, _ in found)))

    def _stored_with(self, *sought: frozenset[str]) -> set[tuple[str, str]]:
        """Return what the store has found with these; asked once until another batch is stored.

        Every page of somebody from whom anything is withheld asks for the same.
        """
        batches = self._commands.stored_batches  # before the store is queried: the answer may be newer
        if self._stored[0] != batches:
            self._stored = batches, {}
        answers = self._stored[1]
        if sought not in answers:
            answers[sought] = set(self._reader.found_with(*sought))
        return answers[sought]

    @staticmethod
    def _names_of_kind(subjects: Collection[str], kind: str) -> set[str]:
        parts = (each.partition(":") for each in subjects)
        return {name for sort, _, name in parts if sort == kind}

    def is_there(self, subject: str, hidden: Hidden) -> bool:
        """Return True if there is such a record, for somebody from whom this is withheld.

        All of a table's day is there as soon as anything is of it, and of the day under way before that.
        """
        kind, _, name = subject.partition(":")
        return not hidden.hides([subject]) and self._kinds[kind](name, hidden)

    def _is_concluded(self, query: str, name: str, hidden: Hidden) -> bool:
        return bool(self._reader.ask_visible(query, hidden, {"name": name}))

    def _is_report(self, name: str, _: Hidden) -> bool:
        return bool(self._reader.ask(_REPORT, {"name": name}))

    def _is_dispute(self, name: str, hidden: Hidden) -> bool:
        return self._commands.book(DisputeBook).one(name, hidden.subjects) is not None

    def _is_alert(self, name: str, hidden: Hidden) -> bool:
        if self._commands.is_hidden(f"alert:{name}", hidden.subjects):
            return False
        found = self._reader.ask(_ALERT, {"name": name})
        return any(not hidden.hides(within(row["round_id"])) for row in found)

    def _is_day(self, name: str, hidden: Hidden) -> bool:
        alert_queue, commands = self._commands.alert_queue, self._commands
        today = self._reader.house.gaming_date(self._now())
        entries = commands.book(LogBook).entries().values()
        return (
            name
            in {
                id_of_table_day(today, table)
                for table in (*alert_queue.tables, *alert_queue.reporting_tables)
            }
            or self._is_concluded(_OF_DAY, name, hidden)
            or name in self._reader.days_refused()
            or name in {self._day_of(each) for each in entries if not hidden.hides([entry_subject(each.id)])}
            or bool(commands.book(DisputeBook).of({f"table-day:{name}"}, hidden.subjects))
        )

    def _is_entry(self, name: str, hidden: Hidden) -> bool:
        found = self._commands.book(LogBook).entries().get(name)
        return found is not None and not hidden.hides([f"table-day:{self._day_of(found)}"])

    def _day_of(self, entered: Entered) -> str | None:
        """Return the id of the table's day of a log entry; None if it names no table."""
        entry, house = entered.entry, self._reader.house
        return id_of_table_day(house.gaming_date(entry.at), entry.table) if entry.table is not None else None
