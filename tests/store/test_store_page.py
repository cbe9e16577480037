"""The store as others query it: docs/store.md is its form, and `exported_…` has what `export` writes."""

import json
from pathlib import Path
from typing import Any, Final

import duckdb
import pytest

from projections.engine.audit.judge import judge
from projections.engine.audit.round_records import book_of, read, to_round
from projections.store.store_page import described, page
from replay.exports.flat_rows import FLAT
from replay.recording.judged_rounds import JudgedRound
from schemas.house import DEFAULT
from streams.messages import StandingFindings
from tests.builders.round_records import DISPUTED, UNDERPAID
from tests.builders.stores import store_records

PAGE: Final = Path(__file__).parents[2] / "docs" / "store.md"
# What a store does not have, or has in another form.
APART: Final = {
    "findings": {"pit", "message"},
    "rounds": {"pit", "decks", "play", "announced_points", "options", "offered", "beyond_record"},
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return store_records(tmp_path_factory.mktemp("store") / "store.duckdb", DISPUTED, UNDERPAID)


def judged(record: dict[str, Any]) -> JudgedRound:
    told = read(json.dumps(record).encode())
    seen, book = to_round(told, DEFAULT), book_of(told, DEFAULT)
    return JudgedRound(judge(seen, book), DEFAULT, seen, book)


def test_the_page_is_made_of_the_form() -> None:
    assert PAGE.read_text("utf-8") == page()


def test_every_column_of_a_table_has_a_sentence_of_its_own() -> None:
    tables = {each.name: each for each in described() if each.kind == "table"}
    assert len(tables) == 12
    assert [name for name, each in tables.items() if not each.about] == []
    assert tables["findings"].sentences["net_cents"].startswith("`gross_cents` less `vigorish_cents`")


@pytest.mark.parametrize("what", ["rounds", "findings"])
def test_the_exported_views_have_what_is_exported(store: Path, what: str) -> None:
    rows_of, columns = FLAT[what]
    names = [each.name for each in columns if each.name not in APART[what]]
    exported = [
        [row[name] for name in names] for each in (DISPUTED, UNDERPAID) for row in rows_of(judged(each))
    ]
    with duckdb.connect(str(store), read_only=True) as db:
        found = db.execute(f"FROM exported_{what}")
        in_view = [name for name, *_ in found.description or ()]
        rows = [dict(zip(in_view, row, strict=True)) for row in found.fetchall()]
    assert [name for name in in_view if name not in {"run", "message"}] == names
    assert len(rows) == len(exported) > 2
    assert sorted(map(str, ([written(row[name]) for name in names] for row in rows))) == sorted(
        map(str, exported)
    )


def written(value: Any) -> Any:
    """Return a value as an export writes it."""
    if hasattr(value, "hour"):
        return f"{value.isoformat()}Z"
    return str(value) if hasattr(value, "year") else value


def test_kafka_and_the_store_say_what_a_finding_is_about_by_the_names_of_exports() -> None:
    names = {each.name for each in FLAT["findings"][1]}
    about = {"gaming_date", "table", "round", "shoe", "account", "at", "chapter", "verdict"}
    assert about <= names
    assert about <= set(StandingFindings.__struct_fields__)
