"""A report of a day as it is declared: its columns, and the query that gives its rows."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

import duckdb
from msgspec import Struct

from replay.exports.report import Bars, Report, Role
from replay.lists.columns import Cell, Column
from replay.nightly.day_book import Book

TABLE: Final = Column("table", "Table", "text")
GAME: Final = Column("game", "Game", "text")

_ADDED: Final = frozenset({"whole", "cents"})

Rows: TypeAlias = Sequence[Sequence[Any]]


class ReportQuery(Struct, frozen=True, kw_only=True):
    """A report; its queries read the tables of `day_database.sql`, with `values` for their `$names`.

    `rows` selects a cell for each column, in their order; it is a function if no query can do it. If
    `has_keys`, one more has the keys of the conclusions that a row is about. `total` selects the cells of the
    total, if needed out of `report`, the rows by their columns' names; instead of it `is_added_up` makes it
    the sum of each column of counts or money. `note` is the report's note, and `note_query` selects what
    follows it. `plot_if` selects whether the plot is drawn.
    """

    name: str
    title: str
    columns: Sequence[Column]
    rows: str | Callable[[Book, duckdb.DuckDBPyConnection], Rows]
    values: Mapping[str, object] = {}
    has_keys: bool = False
    total: str | None = None
    is_added_up: bool = False
    note: str | None = None
    note_query: str | None = None
    plot: Bars | None = None
    plot_if: str | None = None
    restricted: Role | None = None

    def report(self, book: Book, db: duckdb.DuckDBPyConnection) -> Report:
        """Make the report of the day that is in a database."""
        found = self._selected(db, self.rows) if isinstance(self.rows, str) else self.rows(book, db)
        keys = tuple(tuple(row[-1]) for row in found) if self.has_keys else None
        rows = tuple(tuple(map(_cell, row[:-1] if self.has_keys else row)) for row in found)
        more = self._selected(db, self.note_query) if self.note_query is not None else []
        has_plot = self.plot_if is None or self._selected(db, self.plot_if) == [(True,)]
        return Report(
            self.name,
            self.title,
            tuple(self.columns),
            rows,
            book.about,
            " ".join(filter(None, (self.note, *(each for (each,) in more)))) or None,
            self.plot if has_plot else None,
            self.restricted,
            self._total(db, rows) if rows else None,
            keys,
            _people_in(rows, book.people),
        )

    def _selected(self, db: duckdb.DuckDBPyConnection, query: str) -> Rows:
        used = {name: value for name, value in self.values.items() if f"${name}" in query}
        return db.execute(query, used).fetchall()

    def _total(
        self, db: duckdb.DuckDBPyConnection, rows: Sequence[Sequence[Cell]]
    ) -> tuple[Cell, ...] | None:
        if self.total is not None:
            columns = ", ".join(f'"{column.name}"' for column in self.columns)
            (total,) = self._selected(db, f"WITH report({columns}) AS ({self.rows}) {self.total}")
            return tuple(map(_cell, total))
        if not self.is_added_up:
            return None
        sums = (
            sum(cell for row in rows if isinstance(cell := row[at], int)) if column.kind in _ADDED else None
            for at, column in enumerate(self.columns)
        )
        return ("all", *list(sums)[1:])


def _people_in(rows: Rows, people: Mapping[str, str]) -> dict[str, str]:
    """Return those of the day's people, by name, whose names stand in a cell.

    >>> _people_in([("what 12/anna won", 4)], {"anna": "patron", "ben": "patron"})
    {'anna': 'patron'}
    """
    text = "\n".join({cell for row in rows for cell in row if isinstance(cell, str)})
    return {name: people[name] for name in sorted(people) if name in text}


def _cell(value: Any) -> Cell:
    """Return a cell of a report; a share comes out of the database in its two parts."""
    return Fraction(value["over"], value["under"]) if isinstance(value, dict) else value
