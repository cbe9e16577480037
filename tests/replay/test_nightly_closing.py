"""A gaming day on which no table opened: what its ledgers have is reported."""

from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from schemas import ledgers as l
from schemas.codec import VERSION, Frame, encode
from schemas.house import House
from tests.builders.nights import (
    DAY,
    only_row,
    read_report,
    read_report_rows,
    run_nightly,
    script_three_rounds,
    unreconciled_items,
    with_fields,
    write_floor,
)
from tests.builders.table_script import SECOND, START, build_house

DARK: Final = "2025-04-02"
HOUR: Final = 3600 * SECOND


def cage_house() -> House:
    """Return a house whose cage keeps its ledger."""
    return with_fields(build_house(), ledgers={"cage": ["CG-1"]})


def floor_of(folder: Path, *entries: tuple[float, type[l.Entry], dict[str, Any]]) -> Path:
    """Write a floor that played on the day before, with entries of the cage so many hours after its start."""
    floor = write_floor(folder, script_three_rounds(), cage_house())
    told: list[Any] = [
        kind(device="CG-1", epoch=1, seq=number, at=START + round(hours * HOUR), **fields)
        for number, (hours, kind, fields) in enumerate(entries, 1)
    ]
    frames = [
        Frame(v=VERSION, table="cage", frame=number, received=each.at, events=[each])
        for number, each in enumerate(told, 1)
    ]
    (floor / "events" / "cage.jsonl").write_bytes(b"".join(encode(each) + b"\n" for each in frames))
    return floor


FIRST: Final = (20.0, l.LedgerClosed, {"date": date.fromisoformat(DAY)})
CASHED: Final = (30.0, l.ChipsCashed, {"cents": 700_00, "patron": "p-9"})
CLOSED: Final = (47.0, l.LedgerClosed, {"date": date.fromisoformat(DARK)})


def test_a_day_of_ledgers_alone_is_reported(tmp_path: Path) -> None:
    floor = floor_of(tmp_path, FIRST, CASHED, CLOSED)
    ran = run_nightly(floor, out=tmp_path, day=DARK, only={"cash_by_patron", "ledgers"})
    assert (ran.exit_code, unreconciled_items(ran)) == (0, [])
    paid = only_row(read_report_rows(tmp_path, "finance/cash_by_patron", DARK))
    assert (paid["patron"], paid["out_cents"]) == ("p-9", 700_00)
    about = read_report(tmp_path, "ledgers", DARK)["about"]
    # The last entry of the day: 47 hours after the script begins, at 09:33 UTC on the day before.
    assert about["made"]["received"] == "2025-04-03T08:33:20Z"
    assert about["filters"] == []


def test_it_is_the_last_that_has_closed(tmp_path: Path) -> None:
    run_nightly(floor_of(tmp_path, FIRST, CASHED, CLOSED), out=tmp_path / "out", day=None, only=())
    assert [each.name for each in (tmp_path / "out").glob("2*")] == [DARK]


@pytest.mark.parametrize("entries", [(FIRST,), (FIRST, CASHED)])
def test_a_day_without_entries_or_with_a_ledger_still_open_is_not(entries: Any, tmp_path: Path) -> None:
    run_nightly(floor_of(tmp_path, *entries), out=tmp_path / "out", day=None, only=())
    assert [each.name for each in (tmp_path / "out").glob("2*")] == [DAY]


def test_a_ledger_that_was_not_closed_leaves_the_day_open(tmp_path: Path) -> None:
    floor = floor_of(tmp_path, FIRST, CASHED)
    ran = run_nightly(floor, out=tmp_path / "out", day=DARK, only={"ledgers"})
    assert ran.exit_code == 2
    assert f"gaming day {DARK} has not closed: cage is open" in ran.stderr
    ran = run_nightly(floor, "--even-if-open", out=tmp_path / "out", day=DARK, only={"ledgers"})
    assert ran.exit_code == 1
    filters = read_report(tmp_path / "out", "ledgers", DARK)["about"]["filters"]
    assert filters == ["as far as the day had gone; it had not closed"]


def test_what_was_received_past_the_day_closes_it(tmp_path: Path) -> None:
    floor = floor_of(tmp_path, FIRST, CASHED, (49.0, l.ChipsCashed, {"cents": 1_00}))
    assert "cage: " not in run_nightly(floor, out=tmp_path, day=DARK, only=()).stderr
    assert (tmp_path / DARK / "index.html").is_file()


def test_a_day_that_neither_tables_nor_ledgers_know_is_bad_input(tmp_path: Path) -> None:
    ran = run_nightly(floor_of(tmp_path, FIRST), out=tmp_path / "out", day=DARK, only=())
    assert (ran.exit_code, ran.stderr) == (2, f"discardrack: nothing of gaming day {DARK} was recorded\n")
