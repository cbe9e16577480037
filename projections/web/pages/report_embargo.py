"""Which rows of a nightly report tell of a record that is withheld from whoever reads it.

A report was made for all, and brings with each row the keys of the conclusions that it tells of. Where a row
does not name the finding that it tells of, it is left out as soon as it may be one of those withheld: rather
too many than one too few.
"""

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import Final, TypeAlias

from msgspec import Struct

from projections.engine.identity import id_of_table_day
from projections.store.stored_alerts import DAYS
from projections.web.auth.embargo import Hidden
from projections.web.auth.record_subjects import within
from projections.web.records.store_queries import Reader

_Row: TypeAlias = Mapping[str, str | int | None]

_ABOUT: Final = """
    SELECT DISTINCT check_name AS "check", table_id AS "table", gaming_date
    FROM findings JOIN rounds ON rounds.run = findings.run AND rounds.id = findings.round_id
        AND rounds.revision = findings.revision
    WHERE findings.id IN (SELECT unnest(?))
"""
# Sums and counts of the findings of the day, and of the alerts that the room had of late.
_OF_DAY: Final = frozenset({"mismatches", "patrons_and_house", "by_person"})
_OF_NIGHTS: Final = frozenset({"closings", "alert_ageing"})
# Columns of words that name rounds, shoes and accounts: a report that has one has the keys of its rows, but
# for one that an older version made.
_NAMING: Final = frozenset({"about", "names", "round", "shoe", "account"})
_ALL: Final = "all"  # what the cell of a total says in place of a table


class _Withheld(Struct, frozen=True):
    """What a sum would say of findings that are withheld."""

    check: str
    table: str
    gaming_date: date


class Rows:
    """Tells which rows of a day's report are withheld from a person."""

    def __init__(self, reader: Reader, hidden: Hidden, report: str, day: date) -> None:
        self._hidden, self._report, self._day = hidden, report, day
        names = [each.removeprefix("alert:") for each in hidden.subjects if each.startswith("alert:")]
        self._alerts = [_Withheld(**row) for row in reader.ask(_ABOUT, [names])] if names else []

    def withholds(self, row: _Row, keys: Collection[str] | None) -> bool:
        """Return True if a row is about something that is withheld, or may be.

        `keys` are those of the conclusions that it tells of, as the report has them; None where it has none.
        """
        if not self._hidden.subjects:
            return False
        named = {f"alert:{row.get('id')}", str(row.get("of"))}  # what was put off is called by its subject
        about = (subject for each in keys or () for subject in within(each))
        if self._hidden.hides([*named, *about]):
            return True
        return (keys is None and self._of_its_table(row)) or self._sums(row)

    def _of_its_table(self, row: _Row) -> bool:
        """Return True if anything of a row's table is withheld, where its words alone say what it is of."""
        if _NAMING.isdisjoint(row):
            return False
        told = row.get("gaming_day")
        day = date.fromisoformat(told) if isinstance(told, str) else self._day
        table = id_of_table_day(day, str(row.get("table")))
        return any(
            each == f"table-day:{table}" or each.startswith(f"round:{table}|")
            for each in self._hidden.subjects
        )

    def _sums(self, row: _Row) -> bool:
        """Return True if a row sums up findings one of them withheld, as far as it says of which it is."""
        since = self._day - timedelta(days=DAYS if self._report in _OF_NIGHTS else 1)
        if self._report not in _OF_DAY | _OF_NIGHTS:
            return False
        return any(
            since < each.gaming_date <= self._day
            and row.get("table") in (None, _ALL, each.table)
            and row.get("check") in (None, each.check)
            for each in self._alerts
        )
