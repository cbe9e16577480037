"""Which rows of a nightly report tell of a record that is withheld from whoever reads it.

A report was made for all. Where a row does not name the finding that it tells of, it is left out as soon as
it may be one of those withheld: rather too many than one too few.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Final, TypeAlias

from msgspec import Struct

from projections.engine.identity import id_of_round, id_of_shoe, id_of_table_day
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
_LISTED: Final = "names"  # the column of a comparison that lists what differs, as `round 17, shoe 3`
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

    def withholds(self, row: _Row) -> bool:
        """Tell whether a row is about something that is withheld, or may be."""
        if not self._hidden.subjects:
            return False
        named = {f"alert:{row.get('id')}", str(row.get("of"))}  # what was put off is called by its subject
        about = (subject for each in self._abouts(row) for subject in within(each))
        if self._hidden.hides([*named, *about]):
            return True
        return self._lists(row) or self._sums(row)

    def _abouts(self, row: _Row) -> Iterable[str]:
        """Give how the store may call what a row is about."""
        told = row.get("gaming_day")
        day = date.fromisoformat(told) if isinstance(told, str) else self._day
        table = str(row.get("table"))
        for name in ("about", "round", "shoe", "account"):
            about = str(row.get(name))
            yield id_of_round(day, table, about.removeprefix("round "))
            yield id_of_shoe(day, table, about.removeprefix("shoe "))
            yield f"{id_of_table_day(day, table)}|account|{about}"

    def _lists(self, row: _Row) -> bool:
        """Tell whether a row lists what is withheld beside others of its table."""
        listed = row.get(_LISTED)
        if not isinstance(listed, str):
            return False
        kinds = (id_of_round, "round"), (id_of_shoe, "shoe")
        day, table = self._day, str(row.get("table"))
        abouts = {
            called(day, table, name)
            for called, kind in kinds
            for name in re.findall(rf"\b{kind} ([^,;]+)", listed)
        }
        subjects = (subject for about in abouts for subject in within(about))
        return self._hidden.hides(subjects)

    def _sums(self, row: _Row) -> bool:
        """Tell whether a row sums up findings of which one is withheld, as far as it says of which it is."""
        since = self._day - timedelta(days=DAYS if self._report in _OF_NIGHTS else 1)
        if self._report not in _OF_DAY | _OF_NIGHTS:
            return False
        return any(
            since < each.gaming_date <= self._day
            and row.get("table") in (None, _ALL, each.table)
            and row.get("check") in (None, each.check)
            for each in self._alerts
        )
