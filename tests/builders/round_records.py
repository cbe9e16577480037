"""Records and archives as the tests of the verbs need them, and how they call these."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from click.testing import CliRunner, Result

from projections.engine.audit.round_records import answer, read
from projections.engine.conclusion import Conclusion
from replay.cli import main
from schemas.codec import VERSION, Frame, encode
from schemas.house import DEFAULT, House
from tests.builders.table_script import Script

# 7 to 6 for the Banker's Hand on two cards each; 6 to 6; 7 to 6 for the Player's Hand.
BANKER: Final = [["player", "6c"], ["banker", "7d"], ["player", "Kc"], ["banker", "Kd"]]
TIE: Final = [["player", "6c"], ["banker", "6d"], ["player", "Kc"], ["banker", "Kd"]]
PLAYER: Final = [["player", "7c"], ["banker", "6d"], ["player", "Kc"], ["banker", "Kd"]]


def run_verb(*arguments: object) -> Result:
    """Call the command."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


def printed_rows(*arguments: object) -> list[dict[str, Any]]:
    """Call the command, and give the rows that it prints."""
    result = run_verb(*arguments, "--format", "jsonl")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def rows_of_kind(found: Iterable[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Pick out the rows of a kind."""
    return [row for row in found if row["kind"] == kind]


def build_record(play: Sequence[Sequence[str]], **fields: Any) -> dict[str, Any]:
    """Write a record of round 41, played in the evening of New Year's Day of 2025."""
    return {
        "table": "BAC-7",
        "round": "41",
        "chapter": "631a",
        "at": "2025-01-02T01:15:00Z",
        "play": play,
        "wagers": [],
        **fields,
    }


def write_records(folder: Path, *records: dict[str, Any]) -> Path:
    """Write records into a file."""
    path = folder / "rounds.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def show_hand(path: Path, *more: object, number: str = "41") -> dict[str, Any]:
    """Return what `hand` shows of a round, as data."""
    result = run_verb("hand", path, "BAC-7", number, "--format", "json", *more)
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.stdout)
    return told


def audit_record(told: dict[str, Any]) -> Conclusion:
    """Audit a record."""
    return answer(read(json.dumps(told).encode()), DEFAULT)


def finding_ids(told: dict[str, Any]) -> dict[str, str]:
    """Return the ids of the findings and notes that an audit prints of a record, by check."""
    answered = audit_record(told)
    return {found.check: found.id for found in (*answered.findings, *answered.notes)}


def write_script_floor(folder: Path, script: Script, by: House, table: str = "BAC-1") -> Path:
    """Make an archive folder of one table's events, in one frame."""
    (folder / "events").mkdir()
    (folder / "house.yaml").write_bytes(msgspec.yaml.encode(by))
    frame = Frame(v=VERSION, table=table, frame=1, received=script.events[-1].at, events=script.events)
    (folder / "events" / f"{table}.jsonl").write_bytes(encode(frame) + b"\n")
    return folder


def page_lines(text: str) -> list[str]:
    """Return the lines of a page with single blanks, so that only words and order count."""
    return [" ".join(line.split()) for line in text.splitlines()]


# Vigorish on $37.00 won is $1.85, and $2.00 rounded up; it was rounded down. Anna's wager was left lying.
DISPUTED: Final = build_record(
    BANKER,
    options={"vigorish_rounding_cents": 25},
    wagers=[
        {"seat": 1, "wager": "banker", "cents": 3700},
        {"seat": 2, "bettor": "anna", "wager": "player", "cents": 1000},
    ],
    announced="banker",
    paid=[{"seat": 1, "wager": "banker", "cents": 3700, "vigorish_cents": 175}],
    dealer="D-9",
)


UNDERPAID: Final = {
    "table": "BAC-1", "round": "41", "chapter": "631a", "at": "2025-01-01T20:39:43Z", "announced": "player",
    "play": [["player", "Kd"], ["banker", "Tc"], ["player", "9h"], ["banker", "8s"]],
    "wagers": [{"seat": 1, "wager": "player", "cents": 2500}],
    "paid": [{"seat": 1, "wager": "player", "cents": 2000}],
}  # fmt: skip
