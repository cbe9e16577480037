"""docs/store.md: the store's tables and views, from store.sql; `make store-page` writes it again.

A column's sentence stands behind it in store.sql. What a view takes from a table is described there; what it
adds stands above it, as `-- column: sentence`. The page's head is store_page.md.
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import duckdb
from msgspec import Struct

from projections.store.store_file import FORMAT

_SQL: Final = Path(__file__).with_name("store.sql")
_CREATED: Final = re.compile(
    r"((?:^-- [^\n]*\n)*)^CREATE (TABLE|VIEW) (\w+)(.*?);$", re.MULTILINE | re.DOTALL
)
_ADDED: Final = re.compile(r"(\w+): (.+)")
_ENUM: Final = re.compile(r"ENUM\(.*\)")
_RENAMED: Final = re.compile(r'\.(\w+) AS "(\w+)"')

_HEAD: Final = Path(__file__).with_suffix(".md")


class Described(Struct, frozen=True):
    """A table or a view: what it has, and a sentence for each column that it does not take from elsewhere."""

    name: str
    kind: str
    about: str
    sentences: Mapping[str, str]
    renamed: Mapping[str, str]


def described() -> list[Described]:
    """Return the tables and views of store.sql, in its order."""
    found = []
    for above, kind, name, body in _CREATED.findall(_SQL.read_text("utf-8")):
        lines = [line.removeprefix("-- ") for line in above.splitlines()]
        added = {match[1]: match[2] for line in lines if kind == "VIEW" and (match := _ADDED.fullmatch(line))}
        about = " ".join(line for line in lines if kind == "TABLE" or _ADDED.fullmatch(line) is None)
        behind = (
            dict(re.findall(r'^    "?(\w+)"? .*  -- (.+)$', body, re.MULTILINE)) if kind == "TABLE" else {}
        )
        renamed = {new: old for old, new in _RENAMED.findall(body)}
        found.append(Described(name, kind.lower(), about, behind | added, renamed))
    return found


def columns(name: str, db: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return a table's or a view's columns with their types, those of few values as ENUM."""
    rows = db.execute(
        "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = $name ORDER BY column_index",
        {"name": name},
    ).fetchall()
    return {column: _ENUM.sub("ENUM", kind) for column, kind in rows}


def page() -> str:
    """Return the page.

    Raises:
        KeyError: a column has no sentence.
    """
    with duckdb.connect() as db:
        db.execute(_SQL.read_text("utf-8"))
        every = described()
        by_table = {each.name: each for each in every if each.kind == "table"}
        parts = [_HEAD.read_text("utf-8").replace("{format}", str(FORMAT))]
        for each in every:
            rows = [
                f"| `{name}` | {kind} | {_sentence(name, each, by_table)} |"
                for name, kind in columns(each.name, db).items()
            ]
            table = "\n".join(["| column | type | |", "| --- | --- | --- |", *rows])
            parts.append(f"## `{each.name}`, a {each.kind}\n{each.about}\n\n{table}\n")
    return "\n".join(parts)


def _sentence(column: str, each: Described, tables: Mapping[str, Described]) -> str:
    """Return what is said of a column: where it stands, or by the table that a view takes it from."""
    if column in each.sentences:
        return each.sentences[column]
    name = each.renamed.get(column, column)
    order = ("findings", "rounds", "settlements", "wagers", "reports", "runs")
    first = (
        "rounds" if each.name in ("rounds_now", "revisions", "exported_rounds", "table_day") else "findings"
    )
    found = [tables[table].sentences[name] for table in (first, *order) if name in tables[table].sentences]
    return found[0] if found else tables[each.name].sentences[column]


if __name__ == "__main__":
    sys.stdout.write(page())
