"""`discardrack retain`: expired days are listed, removed and reported if asked, and never if held."""

import hashlib
import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner, Result

from replay.cli import main, retain
from replay.recording.event_audit import audit_day
from replay.recording.recording import Recording
from schemas.ledgers import LEDGERS
from streams import log
from streams.log import Unread
from tests.builders.archives import set_clock_to_noon
from tests.builders.nights import read_folder

BY: Final = "R. Ames, records"


@pytest.fixture
def archive(tmp_path: Path, kept: Path) -> Path:
    shutil.copytree(kept, tmp_path / "archive")
    return tmp_path / "archive"


def asked(archive: Path, *more: str) -> Result:
    return CliRunner().invoke(
        main, ["retain", str(archive), "--format", "jsonl", *more], catch_exceptions=False
    )


def listed(ran: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.stdout.splitlines()]


def hold(archive: Path, **fields: Any) -> None:
    line = {"does": "add", "hold": "H-1", "by": "counsel", "at": "2030-01-01T00:00:00Z", **fields}
    with (archive / "holds.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(line) + "\n")


def test_five_years_to_the_day(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock_to_noon(monkeypatch, 2030, 3, 1)
    assert listed(asked(archive, "--dry-run")) == []
    set_clock_to_noon(monkeypatch, 2030, 3, 2)
    assert {row["day"] for row in listed(asked(archive, "--dry-run"))} == {"2025-03-01"}
    assert listed(asked(archive, "--dry-run", "--older-than", "6y")) == []


def test_a_dry_run_changes_nothing(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock_to_noon(monkeypatch, 2040, 1, 1)
    before = read_folder(archive)
    rows = listed(asked(archive, "--dry-run"))
    assert read_folder(archive) == before
    assert {row["path"]: row["sha256"] for row in rows} == {
        name: hashlib.sha256(body).hexdigest() for name, body in before.items() if name.endswith(".parquet")
    }


def test_removed_days_are_gone_and_reported(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock_to_noon(monkeypatch, 2030, 3, 2)
    before = read_folder(archive)
    rows = listed(asked(archive, "--apply", "--by", BY))
    gone = before.keys() - read_folder(archive).keys()
    assert gone == {row["path"] for row in rows} == {name for name in before if "2025-03-01" in name}
    told = [json.loads(line) for line in (archive / "retention.jsonl").read_bytes().splitlines()]
    assert {each["path"]: each["sha256"] for each in told} == {
        name: hashlib.sha256(before[name]).hexdigest() for name in gone
    }
    assert {(each["by"], each["day"], each["at"]) for each in told} == {
        (BY, "2025-03-01", "2030-03-02T17:00:00Z")
    }
    assert not (archive / "days" / "2025-03-01").exists()
    assert listed(asked(archive, "--apply", "--by", BY)) == []


def test_what_is_left_can_be_audited(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = Recording(archive).house
    day = datetime(2025, 3, 2, tzinfo=ZoneInfo("UTC")).date()

    def told() -> list[object]:
        found = audit_day(*log.logs(archive, "BAC-101"), house, day)
        return [
            each.conclusion
            for each in found
            if not isinstance(each, Unread) and each.conclusion.gaming_date == day and each.seen is not None
        ]

    before = told()
    assert before
    set_clock_to_noon(monkeypatch, 2030, 3, 2)
    asked(archive, "--apply", "--by", BY)
    assert told() == before


@pytest.mark.parametrize(
    ("on_what", "held"),
    [
        ({}, {"BAC-101", "BAC-102"}),
        ({"tables": ["BAC-101"]}, {"BAC-101"}),
        ({"first": "2025-03-01", "last": "2025-03-01"}, {"BAC-101", "BAC-102"}),
        ({"first": "2025-03-02"}, set()),
        ({"tables": ["BAC-9"]}, set()),
    ],
)
def test_what_is_under_legal_hold_stays(
    on_what: dict[str, Any], held: set[str], archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock_to_noon(monkeypatch, 2030, 3, 2)
    hold(archive, **on_what)
    tables = {"BAC-101", "BAC-102"}
    rows = [row for row in listed(asked(archive, "--apply", "--by", BY)) if row["table"] in tables]
    assert {row["table"] for row in rows if row["held"] == "H-1"} == held
    left = {row["table"] for row in rows if (archive / row["path"]).exists()}
    assert left == held


@pytest.mark.parametrize(
    ("on_what", "held"),
    [
        ({"tables": ["BAC-101"]}, True),  # chips and papers went between the ledgers and the table
        ({"days": {"2025-03-01": ["BAC-102"]}}, True),  # a hand's, or a patron's
        ({"days": {"2025-03-02": ["BAC-102"]}}, False),
        ({"tables": ["BAC-101"], "first": "2025-03-02"}, False),
    ],
)
def test_the_ledgers_of_a_held_day_stay_with_its_table(
    on_what: dict[str, Any],
    held: bool,  # noqa: FBT001  a case of the table
    archive: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_clock_to_noon(monkeypatch, 2030, 3, 2)
    hold(archive, **on_what)
    rows = [row for row in listed(asked(archive, "--apply", "--by", BY)) if row["table"] in LEDGERS]
    assert {row["table"] for row in rows} == set(LEDGERS)
    assert {row["held"] for row in rows} == {"H-1" if held else None}
    assert {(archive / row["path"]).exists() for row in rows} == {held}


def test_a_hold_that_was_lifted_holds_nothing(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock_to_noon(monkeypatch, 2030, 3, 2)
    hold(archive)
    hold(archive, does="lift")
    assert {row["held"] for row in listed(asked(archive, "--dry-run"))} == {None}


def test_where_a_hold_cannot_be_read_nothing_is_removed(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_clock_to_noon(monkeypatch, 2030, 3, 2)
    hold(archive)
    with (archive / "holds.jsonl").open("a", encoding="utf-8") as log:
        log.write("{cut")
    before = read_folder(archive)
    ran = asked(archive, "--apply", "--by", BY)
    assert ran.exit_code == 2
    assert "holds.jsonl, line 2: not a legal hold" in ran.stderr
    assert before.keys() <= read_folder(archive).keys()


def test_an_interrupted_removal_is_reported_once(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock_to_noon(monkeypatch, 2030, 3, 2)

    def cut(_self: Path, *, missing_ok: bool = False) -> None:
        raise KeyboardInterrupt(missing_ok)

    with monkeypatch.context() as here:
        here.setattr(retain.Path, "unlink", cut)
        with pytest.raises(KeyboardInterrupt):
            list(retain._removed(archive, datetime(2025, 3, 2, tzinfo=ZoneInfo("UTC")).date(), BY))  # noqa: SLF001  it ends in the middle
    log = archive / "retention.jsonl"
    log.write_bytes(log.read_bytes() + b'{"path": "cut')
    asked(archive, "--apply", "--by", BY)
    lines = log.read_bytes().splitlines()
    assert lines[1] == b'{"path": "cut'
    paths = [json.loads(line)["path"] for line in (*lines[:1], *lines[2:])]
    assert len(paths) == len(set(paths))
    assert not (archive / "days" / "2025-03-01").exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "say either --dry-run or --apply"),
        (("--dry-run", "--apply"), "say either --dry-run or --apply"),
        (("--apply",), "--apply needs --by"),
        (("--dry-run", "--older-than", "4y"), "465a.6(c) wants records kept 5 years at least"),
        (("--dry-run", "--older-than", "six"), "write years, such as 5y"),
    ],
)
def test_a_wrong_call_is_one_line(options: tuple[str, ...], says: str, archive: Path) -> None:
    ran = asked(archive, *options)
    assert ran.exit_code == 2
    assert says in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_simulated_floor_is_no_archive(played: Path) -> None:
    ran = asked(played, "--dry-run")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "no archive of a live floor" in ran.stderr


def test_the_archiver_must_be_stopped(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_clock_to_noon(monkeypatch, 2030, 3, 2)
    with retain.exclusive_archive(archive):
        ran = asked(archive, "--apply", "--by", BY)
    assert ran.exit_code == 2
    assert "another process archives there" in ran.stderr


@pytest.mark.parametrize(
    ("verb", "more"), [("audit", ()), ("timeline", ()), ("hand", ("BAC-101", "9", "--date", "2025-03-01"))]
)
def test_an_archive_that_retention_emptied_says_so(
    archive: Path, monkeypatch: pytest.MonkeyPatch, verb: str, more: tuple[str, ...]
) -> None:
    set_clock_to_noon(monkeypatch, 2040, 1, 1)
    asked(archive, "--apply", "--by", BY)
    ran = CliRunner().invoke(main, [verb, str(archive), *more], catch_exceptions=False)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert "no recorded events; what there was of it was removed by retention on 2040-01-01" in ran.stderr
