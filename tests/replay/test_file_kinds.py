"""A file of the wrong kind given to a verb: one line says what it is and which verb reads it, status 2."""

import json
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from pyarrow import parquet

from replay.cli import main
from tests.builders.documents import ROOT

EXAMPLE: Final = ROOT / "docs" / "example.jsonl"
PRETTY: Final = json.dumps(json.loads(EXAMPLE.read_text("utf-8").splitlines()[0]), indent=1).encode()
# What is in the file, what the line calls it, and the verb that reads it.
KINDS: Final[dict[str, tuple[bytes, str, str]]] = {
    "rounds.csv": (b"shoe;hand;player\n1;1;9s Td\n1;2;2c 3c\n", "CSV with the columns shoe", "map suggest"),
    "latin.csv": ("Tisch,Geber\n1,J\u00f6rg\n".encode("latin-1"), "CSV with the columns", "map suggest"),
    "shot.png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\n{\n", "a PNG image", ""),
    "sheet.xlsx": (b"PK\x03\x04\x14\0", "a workbook", "map suggest"),
    "house.yaml": (b"house: Riverside\nzone: UTC\n", "YAML of a house file", "house check"),
    "pretty.json": (PRETTY, "one JSON document over several lines", "jq -c"),
    "list.json": (b'[\n{"play": []}\n]\n', "a JSON document with a list", "import"),
    "shifts.ics": (b"BEGIN:VCALENDAR\nEND:VCALENDAR\n", "a schedule in iCalendar", "import"),
    "recorder.log": (b"<34>1 2025-03-01T22:00:00Z h app - - - text\n", "syslog", "import"),
    "noise.bin": (bytes(range(256)) * 4, "a binary file", ""),
    "notes.txt": (b"Nothing here\n", "text without JSON", ""),
}  # fmt: skip
VERBS: Final[tuple[tuple[str, ...], ...]] = (
    ("audit",),
    ("hand", "BAC-1", "1"),
    ("timeline",),
    ("export", "rounds"),
    ("devices", "check", "--house", "example"),
    ("explain", "4e1f9c7be9f1"),
    ("patterns",),
    ("diff", str(EXAMPLE)),
)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], catch_exceptions=False)


def refused(verb: tuple[str, ...], file: Path) -> str:
    """Return the one line with which a verb refuses a file."""
    place = 2 if verb[0] in ("export", "devices", "house") else 1
    result = run(*verb[:place], file, *verb[place:])
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert str(file) in line
    return line


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
@pytest.mark.parametrize("name", KINDS)
def test_a_file_of_another_kind_is_one_line(tmp_path: Path, name: str, verb: tuple[str, ...]) -> None:
    content, called, reader = KINDS[name]
    (tmp_path / name).write_bytes(content)
    line = refused(verb, tmp_path / name)
    assert called in line
    assert reader in line


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_an_empty_file_a_folder_and_another_parquet_are_one_line(
    tmp_path: Path, verb: tuple[str, ...]
) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"\n")
    (tmp_path / "folder").mkdir()
    parquet.write_table(pa.table({"x": [1, 2]}), tmp_path / "other.parquet")
    assert "empty" in refused(verb, tmp_path / "empty.jsonl")
    assert "folder" in refused(verb, tmp_path / "folder")
    assert "map suggest" in refused(verb, tmp_path / "other.parquet")


@pytest.mark.parametrize("name", ["shot.png", "noise.bin", "rounds.csv"])
def test_what_is_no_yaml_is_no_house_file(tmp_path: Path, name: str) -> None:
    content, called, _ = KINDS[name]
    (tmp_path / name).write_bytes(content)
    assert called in refused(("house", "check"), tmp_path / name)
    assert "folder" in refused(("house", "check"), tmp_path)


@pytest.mark.parametrize("name", ["shot.png", "rounds.csv", "pretty.json"])
def test_what_is_no_log_of_custody_is_one_line(tmp_path: Path, name: str) -> None:
    content, called, _ = KINDS[name]
    (tmp_path / name).write_bytes(content)
    assert called in refused(("custody",), tmp_path / name)


@pytest.mark.parametrize("name", sorted({*KINDS} - {"sheet.xlsx"}))
def test_what_is_no_bundle_is_one_line(tmp_path: Path, name: str) -> None:
    content, called, _ = KINDS[name]
    (tmp_path / name).write_bytes(content)
    assert called in refused(("verify",), tmp_path / name)


def test_records_and_nothing_are_no_bundle(tmp_path: Path) -> None:
    assert "lines of JSON" in refused(("verify",), EXAMPLE)
    (tmp_path / "empty.zip").touch()
    assert "empty" in refused(("verify",), tmp_path / "empty.zip")


def test_lines_of_another_json_are_one_line_and_those_like_a_record_one_each(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text(run("audit", EXAMPLE).stdout, encoding="utf-8")
    assert "discardrack diff" in refused(("audit",), answers)
    (tmp_path / "other.jsonl").write_text('{"x": 1}\n{"y": 2}\n', encoding="utf-8")
    assert "JSON lines with x" in refused(("audit",), tmp_path / "other.jsonl")
    record = json.loads(EXAMPLE.read_text("utf-8").splitlines()[0])
    record["plays"] = record.pop("play")
    (tmp_path / "wrong.jsonl").write_text(f"{json.dumps(record)}\n{{\n", encoding="utf-8")
    result = run("audit", tmp_path / "wrong.jsonl")
    rows: list[dict[str, Any]] = [json.loads(line) for line in result.stdout.splitlines()]
    assert (result.exit_code, [row["line"] for row in rows]) == (2, [1, 2])


def test_a_line_of_noise_before_a_record_is_an_error_of_its_own(tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_bytes(b"a,b,c\n" + EXAMPLE.read_bytes())
    rows = [json.loads(line) for line in run("audit", mixed).stdout.splitlines()]
    assert ["error" in row for row in rows] == [True, False, False]
