"""Report of mistakes for patrons and for the house, the pace of play, and the win compared with theory.

By table and shift, and by dealer and floorperson for the surveillance supervisor only; of the day, and of the
month and the year to date. Nobody is ranked: rows are in the order of their names, and no rate is shown for
few wagers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

import duckdb

from replay.lists.columns import Cell, Column
from replay.nightly.day_book import Book
from replay.nightly.earlier_reports import (
    FAIRNESS,
    FAIRNESS_BY_PERSON,
    PACE_AND_WIN,
    PACE_AND_WIN_BY_PERSON,
    DayRow,
)
from replay.nightly.report_query import ReportQuery, Rows
from replay.patterns.exact_tails import clopper_pearson

# Of so many wagers without a mistake the interval still reaches to 3.7 in a thousand, which is more than a
# table that is dealt badly has.
LEAST_WAGERS: Final = 1000
_OUTSIDE: Final = Fraction(5, 100)  # how often an interval misses, both sides together
_THOUSAND: Final = 1000
_HOUR: Final = 3600  # seconds
_PERIODS: Final = (("month", False), ("year", True))

_GROUP: Final = (
    Column("period", "Period", "text"),
    Column("by", "By", "text"),
    Column("name", "Name", "text"),
)
_FAIRNESS_COLUMNS: Final = (
    *_GROUP,
    Column("wagers", "Wagers settled", "whole"),
    Column("owed", "Times owed to patrons", "whole"),
    Column("owed_cents", "Owed to patrons", "cents"),
    Column("owed_rate", "Per thousand", "fraction"),
    Column("owed_low", "From", "fraction"),
    Column("owed_high", "To", "fraction"),
    Column("overpaid", "Times overpaid", "whole"),
    Column("overpaid_cents", "Overpaid", "cents"),
    Column("overpaid_rate", "Per thousand", "fraction"),
    Column("overpaid_low", "From", "fraction"),
    Column("overpaid_high", "To", "fraction"),
    Column("enough", "Enough to compare", "text"),
)
_PACE_COLUMNS: Final = (
    *_GROUP,
    Column("rounds", "Rounds", "whole"),
    Column("timed", "Rounds timed", "whole"),
    Column("seconds", "Seconds of these", "whole"),
    Column("pace", "Rounds an hour", "fraction"),
    Column("known_cents", "Stakes with theory", "cents"),
    Column("won_cents", "Won of these", "cents"),
    Column("theoretical_cents", "Theoretical win", "cents"),
    Column("won", "Won", "percent"),
    Column("expected", "Theory", "percent"),
)

# Whose rounds they are: the level in `played`, and which of several names of one kind a finding goes with.
_OF_TABLES: Final = """
    SELECT 1 AS part, tables.place, 'table' AS kind, table_name AS name, table_name AS subject, played.*
        EXCLUDE (place, table_name)
    FROM played JOIN tables USING (table_name) WHERE level = 'table'
    UNION ALL
    SELECT 2, shift, 'shift', shifts.name, shift::VARCHAR, played.* EXCLUDE (place, table_name)
    FROM played JOIN shifts ON shifts.place = shift
    WHERE level = 'house_shift' AND rounds > 0 AND (SELECT has_shifts FROM day)
"""
_OF_PEOPLE: Final = """
    SELECT CASE level WHEN 'dealer' THEN 1 ELSE 2 END AS part, place, level AS kind, person AS name,
        person AS subject, played.* EXCLUDE (place, table_name)
    FROM played WHERE level IN ('dealer', 'floorperson')
"""
_SUBJECTS: Final[Mapping[str, str]] = {
    _OF_TABLES: "[{'kind': 'table', 'subject': of_table}, {'kind': 'shift', 'subject': shift::VARCHAR}]",
    _OF_PEOPLE: "[{'kind': 'dealer', 'subject': dealer}, {'kind': 'floorperson', 'subject': floorperson}]",
}
_FAIRNESS: Final = """
    WITH grouped AS ($grouped), wrong AS (
        SELECT unnest($subjects, recursive := true), favours, cents, key
        FROM wrong_wagers WHERE round IS NOT NULL
    )
    SELECT kind, name, settlements,
        count(*) FILTER (favours = 'house'), coalesce(sum(cents) FILTER (favours = 'house'), 0),
        count(*) FILTER (favours = 'patron'), coalesce(sum(cents) FILTER (favours = 'patron'), 0),
        coalesce(list(DISTINCT key ORDER BY key) FILTER (key IS NOT NULL), [])
    FROM grouped LEFT JOIN wrong USING (kind, subject)
    GROUP BY part, grouped.place, kind, name, subject, settlements
    ORDER BY part, grouped.place
"""
_PACE: Final = """
    SELECT kind, name, rounds, paced_rounds, paced_micros // 1000000, known_cents,
        coalesce(weighed_cents, 0), coalesce(theoretical_cents, 0), []
    FROM ($grouped) ORDER BY part, place
"""

# A group of the day: by what, its name, its sums, and the keys of what it was counted from.
_Group: TypeAlias = tuple[str, str]
_Sums: TypeAlias = tuple[int, ...]


def _rows(
    report: str, query: str, groups: str, summed: Sequence[str], row: Callable[[_Sums], Iterable[Cell]]
) -> Callable[[Book, duckdb.DuckDBPyConnection], Rows]:
    """Return what makes the rows of the day, and of month and year to date by what earlier days report.

    `summed` are the columns that the query selects after the group, `row` makes the cells of their sums.
    """

    def rows(book: Book, db: duckdb.DuckDBPyConnection) -> Rows:
        stated = query.replace("$grouped", groups).replace("$subjects", _SUBJECTS[groups])
        found = db.execute(stated).fetchall()
        today = [((by, name), tuple(sums), tuple(keys)) for by, name, *sums, keys in found]
        made = _period("day", today, row)
        for period, year in _PERIODS:
            earlier = (_read(each, summed) for each in book.earlier.rows_to_date(report, year=year))
            made += _period(period, [*today, *earlier], row)
        return made

    return rows


def _read(row: DayRow, summed: Sequence[str]) -> tuple[_Group, _Sums, tuple[str, ...]]:
    cells = row.cells
    return (cells["by"], cells["name"]), tuple(cells[name] for name in summed), row.keys


def _period(
    period: str,
    found: Iterable[tuple[_Group, _Sums, tuple[str, ...]]],
    row: Callable[[_Sums], Iterable[Cell]],
) -> list[list[Any]]:
    """Add up what is found of each group; groups of one kind stand in the order of their names."""
    sums: dict[_Group, _Sums] = {}
    keys: dict[_Group, list[str]] = {}
    for group, added, about in found:
        before = sums.get(group, (0,) * len(added))
        sums[group] = tuple(one + other for one, other in zip(before, added, strict=True))
        keys.setdefault(group, []).extend(about)
    kinds = list(dict.fromkeys(by for by, _ in sums))
    in_order = sorted(sums, key=lambda group: (kinds.index(group[0]), group[1]))
    return [[period, *group, *row(sums[group]), keys[group]] for group in in_order]


def _fairness_row(sums: _Sums) -> list[Cell]:
    wagers, owed, owed_cents, overpaid, overpaid_cents = sums
    is_enough = wagers >= LEAST_WAGERS
    return [
        wagers,
        *(owed, owed_cents, *_per_thousand(owed, wagers, is_enough=is_enough)),
        *(overpaid, overpaid_cents, *_per_thousand(overpaid, wagers, is_enough=is_enough)),
        "yes" if is_enough else "too few wagers",
    ]


def _per_thousand(count: int, wagers: int, *, is_enough: bool) -> tuple[Fraction | None, ...]:
    """Return how many of a thousand wagers, and the interval; of few wagers the interval alone.

    More than was settled can be wrong, as where a patron was paid whose wager no reader saw: that is no
    share of anything.

    >>> _per_thousand(2, 1000, is_enough=True)
    (Fraction(2, 1), Fraction(121, 500), Fraction(3603, 500))
    >>> _per_thousand(1, 0, is_enough=False)
    (None, None, None)
    """
    if not 0 <= count <= wagers or not wagers:
        return None, None, None
    low, high = clopper_pearson(count, wagers, _OUTSIDE)
    rate = Fraction(_THOUSAND * count, wagers) if is_enough else None
    return rate, low * _THOUSAND, high * _THOUSAND


def _pace_row(sums: _Sums) -> list[Cell]:
    rounds, timed, seconds, known_cents, won_cents, theoretical_cents = sums
    return [
        *(rounds, timed, seconds),
        Fraction(round(Fraction(timed * _HOUR * 1000, seconds)), 1000) if seconds else None,
        *(known_cents, won_cents, theoretical_cents),
        *(Fraction(cents, known_cents) if known_cents else None for cents in (won_cents, theoretical_cents)),
    ]


_FAIRNESS_NOTE: Final = (
    "Wagers proven to be settled against the rules and not put right in the round. The intervals are Clopper "
    "and Pearson's, 95% or more: at most five in a hundred miss the true rate. With fewer than "
    f"{LEAST_WAGERS:,} wagers no rate is given: the interval shows how little is known. Rows are in order of "
    "name."
)
_PACE_NOTE: Final = (
    "Rounds an hour are timed from the opening of one round to that of the next, without pauses of more than "
    "a quarter of an hour. Theory is each wager times its proven house advantage, next to what those same "
    "wagers won."
)
_SUMMED_OF_FAIRNESS: Final = ("wagers", "owed", "owed_cents", "overpaid", "overpaid_cents")
_SUMMED_OF_PACE: Final = ("rounds", "timed", "seconds", "known_cents", "won_cents", "theoretical_cents")

BY_TABLE_AND_SHIFT: Final = ReportQuery(
    name=FAIRNESS,
    title="Errors against patrons and the house, by table and shift",
    columns=_FAIRNESS_COLUMNS,
    rows=_rows(FAIRNESS, _FAIRNESS, _OF_TABLES, _SUMMED_OF_FAIRNESS, _fairness_row),
    has_keys=True,
    note=_FAIRNESS_NOTE,
    note_query="SELECT not_to_date($report)",
    values={"report": FAIRNESS},
)

BY_DEALER_AND_FLOORPERSON: Final = ReportQuery(
    name=FAIRNESS_BY_PERSON,
    title="Errors against patrons and the house, by dealer and floorperson",
    columns=_FAIRNESS_COLUMNS,
    rows=_rows(FAIRNESS_BY_PERSON, _FAIRNESS, _OF_PEOPLE, _SUMMED_OF_FAIRNESS, _fairness_row),
    has_keys=True,
    note=f"{_FAIRNESS_NOTE} An error is nobody's fault until somebody has looked at it.",
    note_query="SELECT not_to_date($report)",
    values={"report": FAIRNESS_BY_PERSON},
    restricted="surveillance_supervisor",
)

PACE_BY_TABLE_AND_SHIFT: Final = ReportQuery(
    name=PACE_AND_WIN,
    title="Pace and win against theory, by table and shift",
    columns=_PACE_COLUMNS,
    rows=_rows(PACE_AND_WIN, _PACE, _OF_TABLES, _SUMMED_OF_PACE, _pace_row),
    has_keys=True,
    note=_PACE_NOTE,
    note_query="SELECT not_to_date($report)",
    values={"report": PACE_AND_WIN},
)

PACE_BY_DEALER_AND_FLOORPERSON: Final = ReportQuery(
    name=PACE_AND_WIN_BY_PERSON,
    title="Pace and win against theory, by dealer and floorperson",
    columns=_PACE_COLUMNS,
    rows=_rows(PACE_AND_WIN_BY_PERSON, _PACE, _OF_PEOPLE, _SUMMED_OF_PACE, _pace_row),
    has_keys=True,
    note=_PACE_NOTE,
    note_query="SELECT not_to_date($report)",
    values={"report": PACE_AND_WIN_BY_PERSON},
    restricted="surveillance_supervisor",
)
