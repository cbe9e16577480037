"""What the reports' queries compute with: shares, sums and dollars; and a day without anything."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction

import duckdb
import pytest

from replay.nightly.day_book import Book
from replay.nightly.day_database import day_database
from replay.nightly.earlier_reports import Earlier
from replay.nightly.gaming_days import day_of
from replay.nightly.reports import REPORTS, reports_of
from schemas.house import House
from schemas.values import dollars

DAY = date(2025, 4, 2)
HOUSE = House(house="worked", gaming_day_starts="05:00")
NOTHING = Book(
    house=HOUSE,
    day=day_of(HOUSE, DAY),
    software="discardrack",
    archive="worked",
    received=None,
    tables=(),
    earlier=Earlier({}, DAY),
)


@pytest.fixture(name="db")
def _db() -> Iterator[duckdb.DuckDBPyConnection]:
    with day_database(NOTHING) as db:
        yield db


def test_a_day_without_anything_has_every_report_and_no_row() -> None:
    reports = reports_of(NOTHING)
    assert [report.name for report in reports] == [query.name for query in REPORTS]
    assert {len(report.rows) for report in reports} == {0}
    assert {report.total for report in reports} == {None}


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        (1, 3),
        (2, 3),
        (1, 2000),
        (3, 2000),
        (5, 2000),
        (0, 7),
        (7, 1),
        (10**17, 3),
        (123_456_789, 3_600_000_000),
    ],
)
def test_a_share_is_rounded_to_thousandths_as_python_rounds(
    part: int, whole: int, db: duckdb.DuckDBPyConnection
) -> None:
    (share,) = db.execute("SELECT to_thousandths(?::BIGINT, ?::BIGINT)", [part, whole]).fetchall()[0]
    assert Fraction(share["over"], share["under"]) == Fraction(round(Fraction(part, whole) * 1000), 1000)


def test_there_is_no_share_of_nothing_and_none_of_what_is_not_known(db: duckdb.DuckDBPyConnection) -> None:
    said = "SELECT ratio(1, 0), ratio(NULL, 5), ratio(1, NULL), to_thousandths(1, 0), ratio(-1, 5)"
    assert db.execute(said).fetchall() == [(None, None, None, None, {"over": -1, "under": 5})]


def test_a_sum_is_known_where_all_its_parts_are(db: duckdb.DuckDBPyConnection) -> None:
    of = "SELECT known_sum(cents) FROM (VALUES {}) AS sums(cents) WHERE cents IS DISTINCT FROM 0"
    assert db.execute(of.format("(5), (-7)")).fetchall() == [(-2,)]
    assert db.execute(of.format("(5), (NULL)")).fetchall() == [(None,)]
    assert db.execute(of.format("(0)")).fetchall() == [(0,)]


@pytest.mark.parametrize("cents", [0, 5, -5, 100, -123_456, 10**11, -(10**15) - 1])
def test_dollars_are_written_as_everywhere(cents: int, db: duckdb.DuckDBPyConnection) -> None:
    assert db.execute("SELECT dollars(?::BIGINT)", [cents]).fetchall() == [(dollars(cents),)]


def test_sums_of_money_are_whole_and_wider_than_64_bits(db: duckdb.DuckDBPyConnection) -> None:
    db.execute("INSERT INTO moved SELECT range, 'T', 0, 'cash', 9223372036854775807 FROM range(3)")
    assert db.execute("SELECT sum(cents) FROM moved").fetchall() == [(3 * (2**63 - 1),)]
