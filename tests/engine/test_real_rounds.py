"""Rounds that were really played: imported, judged, and judged again with every other announcement."""

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from projections.engine.audit.round_records import answer, read
from replay.cli import main
from schemas.house import DEFAULT
from tests.builders.documents import ROOT, page_files

SHARED = ROOT.parent / "shared" / "data"
MAPPINGS = page_files((ROOT / "docs" / "import.md").read_text(encoding="utf-8"))
OUTCOMES = {"player", "banker", "tie"}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def real() -> Path:
    folder = Path(os.environ.get("DISCARDRACK_DATA", SHARED))
    if not (folder / "live_baccarat_rounds.csv").is_file():
        lacking = (
            f"the real rounds are not in {folder}: put them there or name their folder in DISCARDRACK_DATA"
        )
        if os.environ.get("CI") == "true":
            pytest.fail(lacking)
        pytest.skip(lacking)
    return folder


def test_every_real_round_is_clean_and_every_other_announcement_is_wrong(real: Path, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    mapping = tmp_path / "rounds.yaml"
    mapping.write_text(MAPPINGS["rounds.yaml"].replace("BAC-602", "LIVE\n  decks: 8"), encoding="utf-8")
    done = run("import", real / "live_baccarat_rounds.csv", "--mapping", mapping, "--out", records)
    assert done.exit_code == 0, done.stderr
    audited = run("audit", records)
    assert audited.exit_code == 0
    answers = objects(audited.stdout)
    rounds = [read(line) for line in records.read_bytes().splitlines()]
    assert len(answers) == len(rounds) == 135
    assert [(each["verdict"], each["outcome"]) for each in answers] == [
        ("clean", record.announced) for record in rounds
    ]
    for record in rounds:
        for other in OUTCOMES - {record.announced}:
            judged = answer(msgspec.structs.replace(record, announced=other), DEFAULT)
            assert judged.verdict == "mismatch", record.round
            assert [finding.check for finding in judged.findings] == ["announced_wrong"]


def test_real_shoes_are_written_if_the_file_distinguishes_the_hands(real: Path, tmp_path: Path) -> None:
    source = real / "live_baccarat_shoes.csv"
    rows = list(csv.DictReader(io.StringIO(source.read_text())))
    first = {(row["shoe"], row["round"]): row for row in reversed(rows)}
    # With five cards the totals are the same either way exactly where the card in the middle counts nothing.
    untold = {
        key
        for key, row in first.items()
        if len(cards := row["point_values_player_then_banker"].split(",")) == 5 and cards[2] == "0"
    }
    assert (len(rows), len(first)) == (454, 441)
    # A camera that logs a round twice gives the second row the next number: all else is equal.
    bare = [{column: cell for column, cell in row.items() if column != "round"} for row in rows]
    twice = {
        (row["shoe"], row["round"])
        for at, row in enumerate(rows)
        if at and bare[at] == bare[at - 1] and first[row["shoe"], row["round"]] is row
    }
    assert len(twice) == 64
    untold -= twice
    records, mapping = tmp_path / "records.jsonl", tmp_path / "shoes.yaml"
    mapping.write_text(MAPPINGS["shoes.yaml"], encoding="utf-8")
    done = run("import", source, "--mapping", mapping, "--gaming-day", "2025-03-01", "--out", records)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == (
        f"{source}: 347 rounds written, 107 rows left out: 30 ambiguous, {64 + 13} repeated"
    )
    written = objects(records.read_text())
    assert {each["round"] for each in written} == {"-".join(key) for key in first.keys() - twice - untold}
    assert (len(written), len(untold)) == (347, 30)
    left = done.stderr.splitlines()
    assert sum(": ambiguous: " in line for line in left) == len(untold)
    assert sum(": repeated: " in line for line in left) == len(rows) - len(first) + len(twice)
    assert len(left) == len(rows) - len(written) + 1
    answers = objects(run("audit", records).stdout)
    assert len(answers) == len(written)
    for told, judged in zip(written, answers, strict=True):
        shoe, number = told["round"].split("-")
        called = {"P": "player", "B": "banker", "T": "tie"}[first[shoe, number]["winner"]]
        assert (judged["verdict"], judged["outcome"]) == ("clean", called), told["round"]
