"""Who opened and released what of an archive is noted in it; what cannot be noted is not released."""

import hashlib
import json
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import click
import pytest
from click.testing import CliRunner

from replay.cli import custody
from schemas.errors import BadInput
from tests.builders.archives import set_clock_to_noon
from tests.builders.nights import read_folder
from tests.builders.round_records import run_verb

COMMAND: Final = str(Path(sys.executable).with_name("discardrack"))
AT: Final = "2025-06-01T16:00:00Z"


@pytest.fixture
def archive(tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    set_clock_to_noon(monkeypatch, 2025, 6, 1)
    # Other tests of this process look at it, which stands in its log.
    shutil.copytree(kept, tmp_path / "archive", ignore=shutil.ignore_patterns("custody.jsonl"))
    return tmp_path / "archive"


def noted(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_bytes().splitlines()]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


HAND: Final = ("BAC-101", "9", "--gaming-day", "2025-03-01")


def test_who_looked_at_which_hand_is_noted(archive: Path) -> None:
    assert run_verb("hand", archive, *HAND, "--by", "A. Reyes").exit_code == 0
    assert noted(archive / "custody.jsonl") == [
        {
            "at": AT,
            "by": "A. Reyes",
            "verb": "hand",
            "does": "open",
            "archive": "archive",
            "what": {"table": "BAC-101", "round": "9", "gaming-day": "2025-03-01"},
        }
    ]


def test_of_a_finding_it_is_noted_of_which_round_it_is(archive: Path) -> None:
    found, number = next(
        (finding, row["round"])
        for row in map(json.loads, run_verb("audit", archive).stdout.splitlines())
        if (row["table"], row["gaming_date"]) == ("BAC-101", "2025-03-01") and "round" in row
        for finding in row["findings"]
    )
    (archive / "custody.jsonl").unlink()
    assert run_verb("explain", archive, found["id"]).exit_code == 0
    (line,) = noted(archive / "custody.jsonl")
    assert (line["does"], line["what"]) == (
        "open",
        {"finding": found["id"], "table": "BAC-101", "round": number, "gaming-day": "2025-03-01"},
    )
    (row,) = [
        json.loads(each) for each in run_verb("custody", archive, "--format", "jsonl").stdout.splitlines()
    ]
    assert (row["table"], row["round"], row["date"]) == ("BAC-101", number, "2025-03-01")


def test_the_systems_user_is_noted_where_nobody_is_named_whatever_the_environment_says(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "somebody else")
    run_verb("audit", archive)
    (line,) = noted(archive / "custody.jsonl")
    assert (line["by"], line["verb"], line.get("what", {})) == (
        pwd.getpwuid(os.getuid()).pw_name,
        "audit",
        {},
    )


def test_a_try_that_finds_nothing_is_noted_as_refused(archive: Path) -> None:
    assert run_verb("hand", archive, "BAC-101", "no such round").exit_code == 2
    (line,) = noted(archive / "custody.jsonl")
    assert (line["does"], line["what"]["round"]) == ("refused", "no such round")


@pytest.mark.parametrize(("shown", "does"), [("a hand", "open"), ("", "refused")])
def test_what_is_shown_is_noted_before_its_first_word(archive: Path, shown: str, does: str) -> None:
    log = archive / "custody.jsonl"

    @click.command()
    def verb() -> None:
        with custody.note_custody(archive, "archive", releases=False):
            click.echo(shown, nl=False)
            assert log.exists() == bool(shown)
            raise BadInput("broke off")

    with pytest.raises(BadInput):
        CliRunner().invoke(verb, catch_exceptions=False)
    assert [line["does"] for line in noted(log)] == [does]


def test_who_looked_at_what_would_have_been_or_differs_is_noted(archive: Path, tmp_path: Path) -> None:
    run_verb("whatif", archive, "--set", "631a.tie_odds=9", "--by", "A. Reyes")
    other = tmp_path / "other.jsonl"
    run_verb("diff", archive, archive, "--by", "B. Lund", "--custody", other)
    (line,) = noted(archive / "custody.jsonl")
    assert (line["by"], line["verb"]) == ("A. Reyes", "whatif")
    assert {(line["by"], line["verb"]) for line in noted(other)} == {("B. Lund", "diff")}


def test_a_gaming_day_stands_in_the_column_of_the_date_and_tables_are_words(archive: Path) -> None:
    day = ("--gaming-day", "2025-03-01")
    run_verb("timeline", archive, *day, "--table", "BAC-101", "--table", "BAC-102")
    run_verb("hand", archive, *HAND)
    rows = [
        json.loads(line) for line in run_verb("custody", archive, "--format", "jsonl").stdout.splitlines()
    ]
    assert [(row["table"], row["date"]) for row in rows] == [
        ("BAC-101, BAC-102", "2025-03-01"),
        ("BAC-101", "2025-03-01"),
    ]


def test_a_file_that_was_written_is_noted_with_its_hash(archive: Path, tmp_path: Path) -> None:
    page, drawing = tmp_path / "hand.html", tmp_path / "hand.svg"
    assert run_verb("hand", archive, *HAND, "--html", page, "--svg", drawing).exit_code == 0
    first, *released = noted(archive / "custody.jsonl")
    assert (first["does"], "sha256" in first) == ("open", False)
    assert {(each["does"], each["to"], each["bytes"], each["sha256"]) for each in released} == {
        ("release", file.name, file.stat().st_size, sha256(file.read_bytes())) for file in (page, drawing)
    }


def test_what_was_printed_for_others_is_noted_with_its_hash(archive: Path) -> None:
    ran = subprocess.run(  # noqa: S603  our own command
        [COMMAND, "export", "findings", archive, "--format", "csv"], capture_output=True, check=False
    )
    assert ran.stdout.count(b"\n") > 1
    opened, released = noted(archive / "custody.jsonl")
    assert (opened["does"], released["does"]) == ("open", "release")
    assert (released["bytes"], released["sha256"]) == (len(ran.stdout), sha256(ran.stdout))
    assert "to" not in released


def test_what_was_printed_until_the_reader_went_is_noted(archive: Path) -> None:
    with subprocess.Popen(  # noqa: S603  our own command
        [COMMAND, "export", "rounds", archive], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as running:
        assert running.stdout is not None
        first = running.stdout.readline()
        running.stdout.close()
        assert running.wait(60) == 0
    opened, released = noted(archive / "custody.jsonl")
    assert (opened["does"], released["does"]) == ("open", "release")
    assert released["bytes"] >= len(first) > 0


def test_a_file_that_was_there_before_and_was_not_written_is_not_released(
    archive: Path, tmp_path: Path
) -> None:
    page = tmp_path / "hand.html"
    page.write_text("of another day", "utf-8")
    assert run_verb("hand", archive, "BAC-101", "no such round", "--html", page).exit_code == 2
    assert [line["does"] for line in noted(archive / "custody.jsonl")] == ["open", "refused"]


@pytest.fixture
def unwritable(archive: Path) -> Path:
    """Replace the log by a folder: root, too, can add no line to it."""
    (archive / "custody.jsonl").mkdir()
    return archive


def test_what_cannot_be_noted_can_be_looked_at_with_a_line_that_says_so(
    unwritable: Path, kept: Path, tmp_path: Path
) -> None:
    shutil.copytree(kept, tmp_path / "other")
    there = run_verb("hand", tmp_path / "other", *HAND)
    ran = run_verb("hand", unwritable, *HAND)
    assert (ran.exit_code, ran.stdout) == (0, there.stdout)
    assert ran.stderr.count("\n") == 1
    assert (
        "custody.jsonl: cannot be written: Is a directory; that it was looked at is not noted" in ran.stderr
    )


@pytest.mark.parametrize("written", [False, True])
def test_what_cannot_be_noted_is_not_released(unwritable: Path, tmp_path: Path, *, written: bool) -> None:
    out = ("--out", str(tmp_path / "out.jsonl")) if written else ()
    ran = run_verb("export", "findings", unwritable, *out)
    assert (ran.exit_code, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "what is released has to be noted: say --custody FILE" in ran.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_it_is_released_where_it_is_noted_elsewhere(unwritable: Path, tmp_path: Path) -> None:
    log, out = tmp_path / "elsewhere.jsonl", tmp_path / "out.jsonl"
    ran = run_verb("export", "findings", unwritable, "--out", out, "--custody", log, "--by", "A. Reyes")
    assert ran.exit_code == 0
    opened, released = noted(log)
    assert (opened["does"], released["sha256"]) == ("open", sha256(out.read_bytes()))
    rows = [json.loads(line) for line in run_verb("custody", log, "--format", "jsonl").stdout.splitlines()]
    assert [(row["by"], row["verb"], row["does"]) for row in rows] == [
        ("A. Reyes", "export", "open"),
        ("A. Reyes", "export", "release"),
    ]


def test_nothing_else_of_an_archive_is_changed_by_looking_at_it(archive: Path) -> None:
    before = read_folder(archive)
    for call in (("audit", archive), ("hand", archive, *HAND), ("export", "rounds", archive)):
        run_verb(*call)
    after = read_folder(archive)
    assert after.keys() - before.keys() == {"custody.jsonl"}
    assert {name: after[name] for name in before} == before


def test_of_a_file_and_of_a_simulated_floor_nothing_is_noted(played: Path) -> None:
    before = read_folder(played)
    run_verb("audit", played)
    assert read_folder(played) == before


def test_the_list_has_everything_in_order(archive: Path) -> None:
    run_verb("hand", archive, *HAND, "--by", "A. Reyes", "--format", "json")
    run_verb("explain", archive, "0123456789", "--by", "=cmd|x")
    rows = [
        json.loads(line) for line in run_verb("custody", archive, "--format", "jsonl").stdout.splitlines()
    ]
    told = ("by", "does", "table", "date", "round", "asked")
    assert [tuple(row[name] for name in told) for row in rows] == [
        ("A. Reyes", "open", "BAC-101", "2025-03-01", "9", None),
        ("=cmd|x", "refused", None, None, None, "finding 0123456789"),
    ]
    assert ",'=cmd|x,explain," in run_verb("custody", archive, "--format", "csv").stdout


def test_a_line_that_a_crash_cut_short_spoils_no_other(archive: Path) -> None:
    log = archive / "custody.jsonl"
    run_verb("hand", archive, *HAND)
    log.write_bytes(log.read_bytes() + b'{"at": "2025')
    run_verb("hand", archive, *HAND)
    ran = run_verb("custody", archive, "--format", "jsonl")
    assert (ran.exit_code, len(ran.stdout.splitlines()), ran.stderr.count("\n")) == (2, 2, 1)
    assert "custody.jsonl, line 2: not a line of custody" in ran.stderr


def test_a_closed_archive_that_was_looked_at_is_still_as_it_was_closed(closed: Path, tmp_path: Path) -> None:
    archive = shutil.copytree(closed / "archive", tmp_path / "archive")
    run_verb("audit", archive)
    ran = run_verb("verify", archive)
    assert (ran.exit_code, "all as closed" in ran.stderr) == (0, True)
    assert "custody.jsonl: was added since the last day was closed" in ran.stderr
