"""The reports' forms: exact, the same every time, and nothing in a name is obeyed."""

import csv
import io
import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from msgspec.structs import replace
from pyarrow import parquet

from replay.exports.report import Bars, Histogram, Line, Plot, Report
from replay.exports.report.writers import as_csv, as_json, as_parquet
from replay.lists.columns import Cell, Column
from schemas.errors import BadInput
from tests.builders.reports import ABOUT, DAY, EMPTY, EVIL, HOSTILE, WIN

# ── what a report is ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["../win", "Win", "", "index", "manifest", "a/b", "1st", "win.html"])
def test_a_name_that_is_no_file_of_its_own_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"name"):
        replace(WIN, name=name)


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="2 cells for 7 columns"):
        replace(WIN, rows=(("BAC-1", 3),))


def test_keys_of_other_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="keys of 1 rows, not 3"):
        replace(WIN, row_keys=(("2026-03-07|BAC-1|1",),))


def test_a_total_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells for 7 columns"):
        replace(WIN, total=("All",))


@pytest.mark.parametrize(
    ("kind", "cell"),
    [
        ("text", 1),
        ("whole", True),
        ("whole", Fraction(1)),
        ("cents", 1.5),
        ("cents", "5"),
        ("percent", 0.5),
        ("date", "2026-03-08"),
        ("moment", "2026-03-08T00:00:00Z"),
    ],
)
def test_a_cell_of_another_kind_is_refused(kind: Any, cell: Any) -> None:
    with pytest.raises(TypeError, match=f"it is {kind}"):
        Report("odd", "Odd", (Column("it", "It", kind),), ((cell,),), ABOUT)


@pytest.mark.parametrize(
    "plot",
    [
        Bars("table", "nothing"),
        Bars("table", "day"),
        Bars("rounds", "win_cents"),
        Bars("table", "win_cents", "rounds"),
        Line("table", "hold", "hold", "hold"),
        Line("day", "hold", "hold", "win_cents"),
        Histogram("table", "win_cents"),
    ],
)
def test_a_plot_of_what_is_not_there_is_refused(plot: Plot) -> None:
    with pytest.raises(ValueError, match="no plot of its columns"):
        replace(WIN, plot=plot)


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────


def test_json_has_all_of_a_report_exactly() -> None:
    told = json.loads(as_json(WIN))
    assert told["about"] == {
        "software": "discardrack 9.8.7",
        "rulebooks": ["0123456789abcdef", "fedcba9876543210"],
        "filters": ["pit 3"],
        "period": {
            "first": "2026-03-07",
            "last": "2026-03-07",
            "begins": "2026-03-07T11:00:00Z",
            "ends": "2026-03-08T10:00:00Z",
        },
        "made": {"gaming_day": "2026-03-07", "received": "2026-03-08T10:01:30Z", "archive": "a1b2c3d4"},
        "zone": "America/New_York",
    }
    assert told["title"] == "Drop, win and hold by table"
    assert told["note"] == "Win is estimated until the boxes are counted."
    assert told["columns"][2] == {"name": "win_cents", "says": "Win", "kind": "cents"}
    assert told["rows"][0] == {
        "table": "BAC-1",
        "rounds": 1412,
        "win_cents": 250_000,
        "rate": "125/2",
        "hold": "1/8",
        "day": "2026-03-07",
        "closed": "2026-03-07T11:00:00Z",
    }
    assert told["rows"][1]["closed"] == "2026-03-08T10:00:00.000005Z"
    assert told["rows"][2]["table"] == "@\x1b[31m"
    assert told["total"]["win_cents"] == 249_995
    assert told["restricted"] is None
    assert "says" not in told


def test_json_of_no_rows_says_so() -> None:
    told = json.loads(as_json(EMPTY))
    assert (told["rows"], told["total"], told["says"]) == ([], None, "No activity")


# ── CSV ──────────────────────────────────────────────────────────────────────────────────────────────


def test_csv_has_plain_figures_and_no_formula() -> None:
    assert as_csv(WIN).decode() == (
        "table,rounds,win_cents,rate,hold,day,closed\n"
        "BAC-1,1412,250000,62.500000000000,0.125000000000,2026-03-07,2026-03-07T11:00:00Z\n"
        "'=HYPERLINK(1),3,-5,-0.666666666667,,2026-03-07,2026-03-08T10:00:00.000005Z\n"
        "'@\\x1b[31m,,,,,,\n"
    )


def test_csv_writes_no_figure_with_an_exponent() -> None:
    columns = (Column("share", "Share", "percent"), Column("rate", "Rate", "fraction"))
    tiny = Report("tiny", "Tiny", columns, ((Fraction(0), Fraction(-1, 10**9)), (0, 10**9)), ABOUT)
    assert as_csv(tiny).decode().splitlines()[1:] == [
        "0.000000000000,-0.000000001000",
        "0.000000000000,1000000000.000000000000",
    ]


def test_csv_of_no_rows_says_so() -> None:
    assert as_csv(EMPTY).decode() == "table,rounds,win_cents\nNo activity,,\n"


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\t=", "\r=", "\n="])
def test_csv_never_begins_a_cell_as_a_formula(begins: str) -> None:
    report = Report("odd", "Odd", (Column("it", "It", "text"),), ((f"{begins}1+1",),), ABOUT)
    _, (cell,) = csv.reader(io.StringIO(as_csv(report).decode()))
    assert cell[0] not in "=+-@\t\r\n"


# ── Parquet ──────────────────────────────────────────────────────────────────────────────────────────


def test_parquet_has_exact_types_and_says_what_it_was_made_from() -> None:
    table = parquet.read_table(pa.BufferReader(as_parquet(WIN)))
    assert table.schema.types == [
        pa.string(),
        pa.int64(),
        pa.int64(),
        pa.decimal128(38, 12),
        pa.decimal128(38, 12),
        pa.date32(),
        pa.timestamp("us", tz="UTC"),
    ]
    first, second, third = table.to_pylist()
    assert (first["win_cents"], first["rate"], first["day"]) == (250_000, Decimal("62.5"), DAY)
    assert second["rate"] == Decimal("-0.666666666667")
    assert second["closed"].isoformat() == "2026-03-08T10:00:00.000005+00:00"
    assert third == {"table": "@\x1b[31m", **dict.fromkeys(table.column_names[1:])}
    said = json.loads(table.schema.metadata[b"discardrack"])
    assert said["about"] == json.loads(as_json(WIN))["about"]
    assert "says" not in said


def test_parquet_of_no_rows_has_its_columns_and_says_so() -> None:
    table = parquet.read_table(pa.BufferReader(as_parquet(EMPTY)))
    assert (table.num_rows, table.column_names) == (0, ["table", "rounds", "win_cents"])
    assert json.loads(table.schema.metadata[b"discardrack"])["says"] == "No activity"


@pytest.mark.parametrize(("kind", "cell"), [("cents", 2**63), ("fraction", Fraction(10**26))])
def test_parquet_refuses_what_its_column_cannot_hold(kind: Any, cell: Cell) -> None:
    report = Report("odd", "Odd", (Column("it", "It", kind),), ((cell,),), ABOUT)
    with pytest.raises(BadInput, match="report odd: a figure does not fit"):
        as_parquet(report)


def test_parquet_is_the_same_twice() -> None:
    assert as_parquet(WIN) == as_parquet(WIN)


# ── nothing in a name is obeyed ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("form", [as_json, as_csv])
def test_no_terminal_obeys_what_a_name_holds(form: Any) -> None:
    text = form(EVIL).decode()
    assert [each for each in text if not each.isprintable() and each != "\n"] == []


def test_json_loses_nothing_of_a_hostile_name() -> None:
    told = json.loads(as_json(EVIL))
    assert (told["title"], told["rows"][0]["table"], told["about"]["software"]) == (HOSTILE,) * 3
