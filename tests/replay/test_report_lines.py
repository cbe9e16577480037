"""Report lines of an import among the recorded events of a floor: judged as if a gateway had brought them."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from replay.cli import main
from schemas.plain import plain

IMPORTED = {"cards", "staff", "recorder", "register"}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a floor of two tables whose procedures are reported."""
    folder = tmp_path_factory.mktemp("floor") / "floor"
    played = run("simulate", "--tables", 2, "--hours", 1, "--seed", 5, "--procedures", "--out", folder)
    assert played.exit_code == 0
    return folder


@pytest.fixture(scope="module")
def parted(floor: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the same floor without four of its systems, and what these reported as report lines."""
    folder = tmp_path_factory.mktemp("parted") / "floor"
    (folder / "events").mkdir(parents=True)
    house = (floor / "house.yaml").read_text("utf-8")
    (folder / "house.yaml").write_text(house, "utf-8")
    tables: Any = plain(house)["tables"]
    lines: list[dict[str, Any]] = []
    for file in sorted((floor / "events").glob("*.jsonl")):
        sources = tables.get(file.stem, {}).get("sources", {})
        others = {device for device, source in sources.items() if source in IMPORTED}
        frames = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        for frame in frames:
            events = frame["events"]
            lines += [
                {"v": 1, "table": file.stem, "events": [each]} for each in events if each["device"] in others
            ]
            frame["events"] = [each for each in events if each["device"] not in others]
        left = [json.dumps(frame) for frame in frames if frame["events"]]
        (folder / "events" / file.name).write_text("\n".join(left) + "\n", "utf-8")
    assert len({line["table"] for line in lines}) == 2
    reported = folder.parent / "lines.jsonl"
    reported.write_text("".join(f"{json.dumps(line)}\n" for line in reversed(lines)), "utf-8")
    return folder, reported


@pytest.fixture(scope="module")
def whole(floor: Path) -> Result:
    """Return what is said of the floor whose lines came as they happened."""
    return run("audit", floor)


def test_without_them_it_is_judged_otherwise(whole: Result, parted: tuple[Path, Path]) -> None:
    assert run("audit", parted[0]).stdout != whole.stdout


@pytest.mark.parametrize("jobs", [1, 2])
def test_they_are_judged_as_if_they_had_come_as_they_happened(
    whole: Result, parted: tuple[Path, Path], jobs: int
) -> None:
    folder, lines = parted
    added = run("audit", folder, "--with", lines, "--jobs", jobs)
    assert (added.exit_code, added.stdout) == (whole.exit_code, whole.stdout)


def test_files_may_be_several_and_packed_and_nothing_recorded_is_changed(
    whole: Result, parted: tuple[Path, Path], tmp_path: Path
) -> None:
    folder, lines = parted
    before = {file: file.read_bytes() for file in folder.rglob("*.*")}
    rows = lines.read_bytes().splitlines(keepends=True)
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl.gz"
    one.write_bytes(b"".join(rows[::2]))
    other.write_bytes(gzip.compress(b"".join(rows[1::2])))
    added = run("audit", folder, "--with", one, "--with", other)
    assert added.stdout == whole.stdout
    assert {file: file.read_bytes() for file in folder.rglob("*.*")} == before


def test_a_file_of_frames_takes_them_too(floor: Path, parted: tuple[Path, Path]) -> None:
    folder, lines = parted
    (table, *_) = sorted(file.stem for file in (folder / "events").glob("[A-Z]*.jsonl"))
    own = lines.with_name("own.jsonl")
    own.write_text(
        "".join(
            f"{line}\n"
            for line in lines.read_text("utf-8").splitlines()
            if json.loads(line)["table"] == table
        )
    )
    house = floor / "house.yaml"
    whole = run("audit", floor / "events" / f"{table}.jsonl", "--house", house)
    added = run("audit", folder / "events" / f"{table}.jsonl", "--house", house, "--with", own)
    assert (added.exit_code, added.stdout) == (whole.exit_code, whole.stdout)


def test_an_event_that_cannot_be_read_is_named_by_its_line_and_the_others_stay(
    whole: Result, parted: tuple[Path, Path]
) -> None:
    folder, lines = parted
    rows = lines.read_text("utf-8").splitlines()
    odd = json.dumps(
        {"v": 1, "table": json.loads(rows[0])["table"], "events": [{"event": "Thunder", "at": 1}]}
    )
    mixed = lines.with_name("mixed.jsonl")
    mixed.write_text("\n".join([rows[0], odd, *rows[1:]]), "utf-8")
    answers = [json.loads(line) for line in run("audit", folder, "--with", mixed).stdout.splitlines()]
    (unread,) = [each for each in answers if "error" in each]
    assert unread["line"] == 2
    assert "mixed.jsonl:2" in unread["error"]
    judged = [each for each in answers if "error" not in each]
    assert judged == [json.loads(line) for line in whole.stdout.splitlines()]


@pytest.mark.parametrize(
    "line", ["{", '{"v": 1, "table": "MOON", "events": []}', '{"play": []}', '{"v": 1, "table": "BAC-101"}']
)
def test_a_line_that_is_none_or_of_no_table_here_is_refused_with_its_place(
    floor: Path, tmp_path: Path, line: str
) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text(f"\n{line}\n", "utf-8")
    refused = run("audit", floor, "--with", lines)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "lines.jsonl:2: " in refused.stderr


def test_lines_alone_and_lines_with_round_records_are_refused(
    floor: Path, parted: tuple[Path, Path], tmp_path: Path
) -> None:
    _, lines = parted
    alone = run("audit", lines, "--house", floor / "house.yaml")
    assert (alone.exit_code, alone.stdout) == (2, "")
    assert f"--with {lines}" in alone.stderr
    records = tmp_path / "rounds.jsonl"
    records.write_text(
        '{"table": "T", "round": "1", "chapter": "631a", "at": "2025-03-01T10:00:00Z", "play": []}\n'
    )
    assert run("audit", records, "--with", lines).exit_code == 2


def test_what_a_table_without_a_source_reports_all_the_same_is_named_once_a_kind_with_its_frames(
    floor: Path, tmp_path: Path
) -> None:
    house: Any = plain((floor / "house.yaml").read_text("utf-8"))
    (table, *_) = sorted(file.stem for file in (floor / "events").glob("[A-Z]*.jsonl"))
    sources = house["tables"][table]["sources"]
    (chips,) = [device for device, source in sources.items() if source == "chips"]
    del sources[chips]
    without = tmp_path / "house.yaml"
    without.write_text(json.dumps(house, default=str), "utf-8")
    frames = [
        json.loads(line) for line in (floor / "events" / f"{table}.jsonl").read_text("utf-8").splitlines()
    ]
    having = [
        n for n, frame in enumerate(frames, 1) if any(each["device"] == chips for each in frame["events"])
    ]
    assert len(having) > 20
    answers = [json.loads(line) for line in run("audit", floor, "--house", without).stdout.splitlines()]
    (unread,) = [each for each in answers if "error" in each]
    assert unread["line"] == having[0]
    assert f"{chips!r} in the house file; in {len(having):,} frames" in unread["error"]
    assert unread["error"].endswith(f"{table}.jsonl:{having[-1]}")
