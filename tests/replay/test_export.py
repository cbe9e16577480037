"""The verb export: rounds and findings of records and of recorded events, in every form."""

import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner, Result
from msgspec import UNSET
from pyarrow import parquet

from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from replay.cli import main
from replay.exports.flat_rows import FINDING_COLUMNS, finding_rows, wager_rows
from replay.lists.parquet_file import write as write_parquet
from replay.recording.judged_rounds import JudgedRound
from schemas.house import DEFAULT
from schemas.values import odds
from tests.builders.parquet_rows import parquet_rows
from tests.builders.texts import verbatim_fact


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# 2+3 = 5 against a Natural 9: the Banker's Hand wins. 100.00 on it wins 100.00 less 5.00; 120.00 was paid.
OVERPAID = (
    '{"table":"=1+1","round":"1","chapter":"631a","at":"2025-03-01T17:00:00Z","decks":6,'
    '"play":[["player","2d"],["banker","9s"],["player","3d"],["banker","Ts"]],'
    '"wagers":[{"seat":1,"wager":"banker","cents":10000},{"seat":2,"wager":"player","cents":5000,'
    '"bettor":"B"}],"announced":"banker","paid":[{"seat":1,"wager":"banker","cents":12000,'
    '"vigorish_cents":500},{"seat":2,"wager":"player","cents":-5000,"bettor":"B"}]}'
)
NO_WAGER = (
    '{"table":"B1","round":"2","chapter":"631a","at":"2025-03-01T17:01:00Z","shoe":"7","dealer":"D1",'
    '"play":[["player","4d"],["banker","Ac"],["player","5s"],["banker","6h"]],"wagers":[],'
    '"announced":"player"}'
)
BEFORE_THE_LAW = NO_WAGER.replace("2025", "2001").replace('"2"', '"3"')

OVERPAID_FINDING = {
    "gaming_date": "2025-03-01", "table": "=1+1", "round": "1", "shoe": None, "chapter": "631a",
    "account": None, "serial": None, "patron": None, "concerns_table": None, "concerns_day": None,
    "verdict": "mismatch", "check": "paid_too_much", "status": "adopted", "who": None, "seat": 1,
    "bettor": None, "wager": "banker", "hand": None, "device": None, "expected_cents": 10000,
    "observed_cents": 12000, "gross_cents": 2000, "vigorish_cents": 0, "net_cents": 2000,
    "variance_cents": None, "favours": "patron",
}  # fmt: skip


def test_rounds_as_records_stand_on_their_own(tmp_path: Path) -> None:
    file = write(tmp_path, "in.jsonl", f"{OVERPAID}\n{NO_WAGER}\n")
    done = run("export", "rounds", file)
    assert done.exit_code == 0, done.stderr
    first, second = objects(done.stdout)
    assert odds(first["options"]["tie_odds"]) == 8  # what the house left unsaid is said
    assert (first["decks"], second["decks"]) == (6, 8)
    for told, source in ((first, OVERPAID), (second, NO_WAGER)):
        assert {key: told[key] for key in json.loads(source)} == json.loads(source)
    again = write(tmp_path, "again.jsonl", done.stdout)
    assert run("audit", again).stdout == run("audit", file).stdout


def test_rounds_flat_have_a_row_for_each_wager(tmp_path: Path) -> None:
    file = write(tmp_path, "in.jsonl", f"{OVERPAID}\n{NO_WAGER}\n{BEFORE_THE_LAW}\n")
    done = run("export", "rounds", file, "--format", "csv")
    assert done.exit_code == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    told = [
        tuple(row[column] for column in (
            "table", "round", "decks", "verdict", "outcome", "seat", "bettor", "wager", "cents",
            "expected_cents", "expected_vigorish_cents", "paid_cents", "paid_vigorish_cents",
        ))
        for row in rows
    ]  # fmt: skip
    assert told == [
        ("'=1+1", "1", "6", "mismatch", "banker", "1", "", "banker", "10000", "10000", "500", "12000", "500"),
        ("'=1+1", "1", "6", "mismatch", "banker", "2", "B", "player", "5000", "-5000", "0", "-5000", "0"),
        ("B1", "2", "8", "clean", "player", "", "", "", "", "", "", "", ""),
        ("B1", "3", "", "undetermined", "", "", "", "", "", "", "", "", ""),
    ]
    assert rows[2]["play"] == "player 4d, banker Ac, player 5s, banker 6h"
    assert (rows[2]["at"], rows[2]["shoe"], rows[2]["dealer"]) == ("2025-03-01T17:01:00Z", "7", "D1")


def test_a_payment_without_a_wager_has_a_row_and_an_unpaid_wager_none(tmp_path: Path) -> None:
    record = json.loads(OVERPAID)
    record["paid"] = [{"seat": 5, "wager": "tie", "cents": 700}]
    file = write(tmp_path, "in.jsonl", json.dumps(record))
    done = run("export", "rounds", file, "--format", "csv", "--out", tmp_path / "out.csv")
    assert (done.exit_code, done.stdout) == (0, "")
    columns = ("seat", "wager", "cents", "paid_cents", "paid_vigorish_cents")
    rows = csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text()))
    assert [tuple(row[column] for column in columns) for row in rows] == [
        ("1", "banker", "10000", "0", "0"),
        ("2", "player", "5000", "0", "0"),
        ("5", "tie", "", "700", "0"),
    ]


def test_findings_have_a_row_each_in_every_form(tmp_path: Path) -> None:
    file = write(tmp_path, "in.jsonl", f"{OVERPAID}\n{NO_WAGER}\n")
    (told,) = objects(run("export", "findings", file).stdout)
    assert {key: told[key] for key in OVERPAID_FINDING} == OVERPAID_FINDING
    audited = objects(run("audit", file).stdout)[0]["findings"][0]
    assert [told[key] for key in ("id", "citations", "message", "severity")] == [
        audited[key] for key in ("id", "citations", "message", "severity")
    ]
    (flat,) = csv.DictReader(io.StringIO(run("export", "findings", file, "--format", "csv").stdout))
    assert list(flat) == list(told)
    assert (flat["table"], flat["net_cents"], flat["bettor"]) == ("'=1+1", "2000", "")
    out = tmp_path / "findings.parquet"
    assert run("export", "findings", file, "--format", "parquet", "--out", out).exit_code == 0
    assert parquet_rows(out) == [told]


def test_a_finding_of_an_account_says_what_it_concerns(tmp_path: Path) -> None:
    altered = Finding(
        id="f",
        check="slip_altered",
        weight="mismatch",
        severity="high",
        message=verbatim_fact("the sum is not that of the slip as made"),
        citations=("465a.36(b)",),
        status="adopted",
        serial="=F-7",
        patron="P-9",
        expected_cents=50_000,
        observed_cents=40_000,
        delta_cents=-10_000,
        variance_cents=-10_000,
        table="BAC-102",
        day=date(2025, 2, 28),
    )
    slips = Conclusion(
        table="cage",
        account="slips",
        gaming_date=date(2025, 3, 1),
        chapter="465a",
        verdict="mismatch",
        outcome=None,
        expected=(),
        findings=(altered, msgspec.structs.replace(altered, serial=UNSET, table=UNSET, day=UNSET)),
        notes=(),
    )
    judged = JudgedRound(slips, DEFAULT)
    named, unnamed = finding_rows(judged)
    assert list(named) == [column.name for column in FINDING_COLUMNS]
    about = ("gaming_date", "table", "round", "shoe", "account", "serial", "patron")
    concerned = ("concerns_table", "concerns_day", "variance_cents", "favours")
    assert [named[column] for column in about] == ["2025-03-01", "cage", None, None, "slips", "=F-7", "P-9"]
    assert [named[column] for column in concerned] == ["BAC-102", "2025-02-28", -10_000, None]
    assert [unnamed[column] for column in ("serial", *concerned[:2])] == [None, None, None]
    assert list(wager_rows(judged)) == []
    out = tmp_path / "findings.parquet"
    with out.open("wb") as file:
        write_parquet(FINDING_COLUMNS, [list(named.values()), list(unnamed.values())], file)
    assert parquet_rows(out) == [named, unnamed]


def test_parquet_holds_the_rows_of_csv(tmp_path: Path) -> None:
    file = write(tmp_path, "in.jsonl", f"{NO_WAGER}\n{OVERPAID}\n")
    out = tmp_path / "rounds.parquet"
    done = run("export", "rounds", file, "--format", "parquet", "--out", out)
    assert (done.exit_code, done.stdout) == (0, "")
    table = parquet.read_table(out)
    flat = list(csv.DictReader(io.StringIO(run("export", "rounds", file, "--format", "csv").stdout)))
    assert table.column_names == list(flat[0])
    told = [
        {key: "" if cell is None else str(cell) for key, cell in row.items()} for row in parquet_rows(out)
    ]
    assert [row | {"table": row["table"].removeprefix("'")} for row in flat] == told
    types = {name: str(table.schema.field(name).type) for name in ("cents", "gaming_date", "at")}
    assert types == {"cents": "int64", "gaming_date": "date32[day]", "at": "timestamp[us, tz=UTC]"}
    nothing = write(tmp_path, "clean.jsonl", NO_WAGER)
    assert run("export", "findings", nothing, "--format", "parquet", "--out", out).exit_code == 0
    assert (parquet.read_table(out).num_rows, "check" in parquet.read_table(out).column_names) == (0, True)
    assert "check" in run("export", "findings", nothing, "--format", "csv").stdout


def test_what_is_not_written_is_named(tmp_path: Path) -> None:
    file = write(tmp_path, "in.jsonl", f"{NO_WAGER}\n{BEFORE_THE_LAW}\n")
    done = run("export", "rounds", file)
    assert done.exit_code == 1
    assert [each["round"] for each in objects(done.stdout)] == ["2"]
    assert done.stderr.startswith("B1, round 3 of 2001-03-01: ")
    bad = write(tmp_path, "bad.jsonl", f"{NO_WAGER}\nnot json\n")
    done = run("export", "rounds", bad)
    assert done.exit_code == 2
    assert [each["round"] for each in objects(done.stdout)] == ["2"]
    assert done.stderr.startswith(f"{bad}:2: ")
    done = run("export", "rounds", file, "--format", "parquet")
    assert done.exit_code == 2
    assert "--out" in done.stderr
    done = run("export", "rounds", tmp_path)
    assert done.exit_code == 2
    assert "neither a file nor an archive" in done.stderr


def test_an_archive_is_exported_as_it_is_audited(tmp_path: Path) -> None:
    rates = write(tmp_path, "faults.yaml", "only: true\ndealers: {winner_overpaid: 0.3}\n")
    floor = tmp_path / "floor"
    made = run("simulate", "--tables", 1, "--hours", 1, "--seed", "x", "--faults", rates, "--out", floor)
    assert made.exit_code == 0, made.stderr
    audited = [each for each in objects(run("audit", floor).stdout) if "round" in each]
    found = {finding["id"] for each in audited for finding in each["findings"]}
    assert found
    told = objects(run("export", "findings", floor).stdout)
    assert {row["id"] for row in told} == found
    records = tmp_path / "records.jsonl"
    assert run("export", "rounds", floor, "--out", records).exit_code == 0
    again = objects(run("audit", records).stdout)
    assert [(each["round"], each["verdict"], each["expected"]) for each in again] == [
        (each["round"], each["verdict"], each["expected"]) for each in audited
    ]
    flat = list(csv.DictReader(io.StringIO(run("export", "rounds", floor, "--format", "csv").stdout)))
    assert len(flat) == sum(max(len(each["wagers"]), 1) for each in objects(records.read_text()))


def test_rows_for_investigators_systems_and_for_paper(tmp_path: Path) -> None:
    file = write(tmp_path, "in.jsonl", f"{OVERPAID}\n{NO_WAGER}\n")
    for what, count in (("rounds", 3), ("findings", 1)):
        plain = list(csv.DictReader(io.StringIO(run("export", what, file, "--format", "csv").stdout)))
        out = {form: tmp_path / f"{what}-{form}.jsonl" for form in ("timesketch", "itrak", "html")}
        for form, path in out.items():
            done = run("export", what, file, "--format", form, "--out", path)
            assert (done.exit_code, done.stdout) == (0, ""), done.stderr
        sketch = objects(out["timesketch"].read_text())
        assert [each["datetime"] for each in sketch] == [
            row["at"].replace("Z", ".000000+00:00") for row in plain
        ]
        incidents = list(csv.DictReader(io.StringIO(out["itrak"].read_text())))
        assert [each["Sublocation"] for each in incidents] == [row["table"] for row in plain]
        page = out["html"].read_text()
        assert (len(sketch), len(incidents), page.count("<tr class=")) == (count, count, count)
        assert all(f"<th>{head}</th>" in page for head in ("Gaming date", "Table", "Pit", "Expected"))
        assert "<th>gaming_date</th>" not in page
        assert "_cents" not in page
    assert '<td class="short">$20.00</td>' in page
    assert sketch[0]["message"].startswith("table =1+1, round 1: ")
    assert sketch[0]["timestamp"] == 1_740_848_400_000_000  # 2025-03-01 17:00 UTC
    assert incidents[0]["Occurred Date"] == "2025-03-01 12:00:00"  # in New York
    assert incidents[0]["Category"] == "paid_too_much"
    assert "net $20.00; favours patron" in incidents[0]["Synopsis"]
    assert run("export", "rounds", file, "--format", "itrak").exit_code == 2


def test_a_finding_of_an_account_stands_at_the_end_of_its_gaming_day() -> None:
    slips = Conclusion(
        table="cage",
        account="slips",
        gaming_date=date(2025, 3, 1),
        chapter="465a",
        verdict="mismatch",
        outcome=None,
        expected=(),
        findings=(
            Finding(
                id="f",
                check="slip_altered",
                weight="mismatch",
                severity="high",
                message=verbatim_fact("the sum is not that of the slip as made"),
                citations=("465a.36(b)",),
                status="adopted",
            ),
        ),
        notes=(),
    )
    (row,) = finding_rows(JudgedRound(slips, DEFAULT))
    assert (row["at"], row["dealer"]) == ("2025-03-02T10:59:59.999999Z", None)  # 06:00 in New York


def test_findings_and_rounds_say_in_which_pit_they_were(tmp_path: Path) -> None:
    record = write(tmp_path, "in.jsonl", OVERPAID)
    house = write(
        tmp_path, "own.yaml", 'house: own\ntables: {"=1+1": {chapter: 631a, pit: North, sources: {}}}\n'
    )
    for what in ("rounds", "findings"):
        out = tmp_path / f"{what}.csv"
        done = run("export", what, record, "--house", house, "--format", "itrak", "--out", out)
        assert done.exit_code == 0, done.stderr
        assert {row["Location"] for row in csv.DictReader(io.StringIO(out.read_text()))} == {"North"}
    (row,) = objects(run("export", "findings", record, "--house", house).stdout)
    assert row["pit"] == "North"
    assert objects(run("export", "findings", record).stdout)[0]["pit"] is None


def test_of_a_file_whose_records_cannot_be_read_the_first_twenty_lines_are_named(tmp_path: Path) -> None:
    prose = write(tmp_path, "short.jsonl", '{"table": "BAC-7", "round": "41"}\n' * 25)
    broken = write(tmp_path, "some.jsonl", f"{'no record' + chr(10)}{OVERPAID}\n" * 25)
    told = run("export", "rounds", prose)
    assert told.exit_code == 2
    lines = told.stderr.splitlines()
    assert [line.split(": ")[0] for line in lines] == [f"{prose}:{n}" for n in (*range(1, 21), 25)]
    assert lines[-1] == f"{prose}:25: ... and 5 more lines up to this one"
    assert len(run("export", "rounds", broken).stderr.splitlines()) == 25
    table = run("audit", prose, "--format", "table")
    assert table.exit_code == 2
    assert table.stdout.count("unreadable") == 21
    assert "line 25: ... and 5 more lines up to this one" in table.stdout
    assert len(objects(run("audit", prose).stdout)) == 25  # to a program each line is answered


def test_the_place_of_an_unreadable_frame_is_printed_once(tmp_path: Path) -> None:
    frames = write(tmp_path, "BAC-1.jsonl", '{"events": []}\n')
    house = write(tmp_path, "house.yaml", "house: own\ntables: {}\n")
    told = run("audit", frames, "--house", house, "--format", "csv").stdout
    assert "BAC-1.jsonl:1: " in told
    assert "line 1" not in told
