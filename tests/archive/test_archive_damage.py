"""An archive whose disk is full or has gone bad: one line that says so, and nothing lost that was kept."""

import os
import shutil
import threading
from contextlib import suppress
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from structlog.testing import capture_logs

from projections.store.disk import atomic_output
from schemas import house as houses
from schemas.errors import BadInput
from schemas.house import House
from streams.archive import sealed_files
from streams.archive.archive_reader import records
from streams.archive.archiver import keep_house, take_snapshots
from streams.archive.journal import Journal
from streams.archive.record_names import days_of
from tests.builders.archives import (
    build_kafka_records,
    never_stop,
    seal_all_days,
    write_journal,
)
from tests.builders.full_disk import no_file_longer_than
from tests.builders.round_records import run_verb
from tests.builders.thoroughness import examples

HOUSE: Final = House(house="of the tests")
# 06:00 in New York, where a gaming day begins; microseconds UTC.
MARCH_2: Final = 1_740_913_200_000_000
DAYS: Final = (date(2025, 3, 1), date(2025, 3, 2))


def payloads(archive: Path, table: str = "BAC-1") -> list[bytes | None]:
    return [each.record.payload for each in records(archive, table)]


# ── the disk ─────────────────────────────────────────────────────────────────────────────────────────


def test_no_folder_that_was_there_is_brought_to_the_disk_but_for_the_one_written_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    really = os.open

    def noted(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags == os.O_RDONLY:
            opened.append(path)
        return really(path, flags, mode)

    monkeypatch.setattr(os, "open", noted)
    for file, of in (
        ("house.yaml", {"."}),
        ("days/2025-03-02/quarantine/BAC-1.parquet", {".", "days", "days/2025-03-02"}),
        ("days/2025-03-02/BAC-1.parquet", set()),
    ):
        opened.clear()
        with atomic_output(tmp_path / file) as out:
            out.write(b"whole")
        assert (tmp_path / file).read_bytes() == b"whole"
        # Where it was written, and each folder that has a new one in it.
        assert set(opened) == {(tmp_path / file).parent, *(tmp_path / each for each in of)}


def test_a_file_that_the_disk_does_not_take_leaves_the_one_before_it_and_nothing_else(tmp_path: Path) -> None:
    keep_house(tmp_path, b"house: one\n", MARCH_2)
    before = sorted(tmp_path.rglob("*"))
    with no_file_longer_than(20), pytest.raises(BadInput, match=r"\.yaml: cannot be written: File too large"):
        keep_house(tmp_path, b"house: " + b"two" * 100, MARCH_2 + 1)
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "house.yaml").read_bytes() == b"house: one\n"


def test_on_a_full_disk_sealing_is_one_line_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    sent = [os.urandom(2000) for _ in range(20)]
    write_journal(tmp_path, build_kafka_records(*sent, at=MARCH_2), HOUSE)
    arguments = ("archive", "--seal", "--house", "example", "--out", tmp_path)
    with no_file_longer_than(36_000):
        ran = run_verb(*arguments)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert "2025-03-02/BAC-1.parquet: cannot be written: File too large" in ran.stderr
    assert payloads(tmp_path) == sent
    assert run_verb(*arguments).exit_code == 0
    assert payloads(tmp_path) == sent
    with Journal(tmp_path) as journal:
        assert journal.days() == []


def test_on_a_full_disk_the_journal_has_all_of_a_batch_or_nothing(tmp_path: Path) -> None:
    write_journal(tmp_path, build_kafka_records(b"one", at=MARCH_2), HOUSE)
    with (
        no_file_longer_than(200_000),
        pytest.raises(BadInput, match=r"journal\.sqlite: cannot be written"),
    ):
        write_journal(tmp_path, build_kafka_records(*([b"x" * 50_000] * 10), first=1, at=MARCH_2), HOUSE)
    assert payloads(tmp_path) == [b"one"]
    write_journal(tmp_path, build_kafka_records(b"two", first=1, at=MARCH_2), HOUSE)
    assert payloads(tmp_path) == [b"one", b"two"]


# ── what has gone bad ────────────────────────────────────────────────────────────────────────────────


def test_a_journal_that_has_gone_bad_is_one_line(tmp_path: Path, played: Path) -> None:
    (tmp_path / "house.yaml").write_bytes((played / "house.yaml").read_bytes())
    write_journal(tmp_path, build_kafka_records(*(b"x" * 3000 for _ in range(50)), at=MARCH_2), HOUSE)
    journal = tmp_path / "journal.sqlite"
    text = journal.read_bytes()
    # The tables' beginnings are there; what lies farther is overwritten.
    whole = len(text) // 2
    journal.write_bytes(text[:whole] + b"\x5a" * (len(text) - whole))
    ran = run_verb("audit", tmp_path)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert "journal.sqlite: cannot be read: " in ran.stderr


@settings(max_examples=examples(50, 100), deadline=None)
@given(st.data())
def test_a_bit_that_has_turned_over_in_a_sealed_part_changes_no_record_unsaid(data: st.DataObject) -> None:
    sent = build_kafka_records(*(b'{"frame": %d}' % n if n % 3 else None for n in range(40)), at=MARCH_2)
    with TemporaryDirectory() as folder:
        part = sealed_files.write(Path(folder), "BAC-1", sent, since=0)
        text = bytearray(part.read_bytes())
        footer = int.from_bytes(text[-8:-4], "little") + 8
        at = data.draw(st.integers(0, len(text) - footer - 1), "byte")
        text[at] ^= 1 << data.draw(st.integers(0, 7), "bit")
        part.write_bytes(text)
        for after in (-1, 20):
            # It ends with the line or gives all; anything else that is raised fails here.
            with suppress(BadInput):
                assert list(sealed_files.read(part, after)) == sent[after + 1 :]


def test_a_folder_that_is_named_like_no_day_is_none(tmp_path: Path) -> None:
    write_journal(tmp_path, build_kafka_records(b"one", at=MARCH_2), HOUSE)
    seal_all_days(tmp_path, HOUSE)
    for name in ("abcd-ef-gh", "2025-13-45", "notes"):
        (tmp_path / "days" / name).mkdir()
    assert days_of(tmp_path) == [date(2025, 3, 2)]
    assert payloads(tmp_path) == [b"one"]


# ── snapshots, which hold up nothing ─────────────────────────────────────────────────────────────────


def snapshots_file(archive: Path, table: str, day: date) -> Path:
    return archive / "days" / str(day) / f"{table}.snapshots.parquet"


def taken(archive: Path) -> list[tuple[Any, ...]]:
    """Make the snapshots that an archive lacks; give what the log said of it: event, table, day."""
    with capture_logs() as logged:
        take_snapshots(archive, houses.load("house.yaml", archive), date.max, never_stop)
    return [(each["event"], each["table"], each.get("date")) for each in logged]


def test_a_snapshot_that_the_disk_does_not_take_holds_up_no_other_table(tmp_path: Path, kept: Path) -> None:
    archive = Path(shutil.copytree(kept, tmp_path / "archive"))
    for table in ("BAC-101", "BAC-102"):
        snapshots_file(archive, table, DAYS[1]).unlink()
    # A folder stands where the file is to come.
    snapshots_file(archive, "BAC-101", DAYS[1]).mkdir()
    assert taken(archive) == [
        ("snapshots_not_made", "BAC-101", None),
        ("snapshots_made", "BAC-102", str(DAYS[1])),
    ]


@pytest.mark.parametrize("column", ["progress", "frame"])
def test_snapshots_that_have_gone_bad_hold_up_no_other_table(tmp_path: Path, kept: Path, column: str) -> None:
    archive = Path(shutil.copytree(kept, tmp_path / "archive"))
    for table in ("BAC-101", "BAC-102"):
        snapshots_file(archive, table, DAYS[1]).unlink()
    bad = snapshots_file(archive, "BAC-101", DAYS[0])
    rows = parquet.read_table(bad)
    at = rows.schema.get_field_index(column)
    # No JSON; and a text where a number has to be.
    parquet.write_table(rows.set_column(at, column, pa.array(['{"state":'] * len(rows))), bad)
    assert taken(archive) == [
        ("snapshots_not_made", "BAC-101", None),
        ("snapshots_made", "BAC-102", str(DAYS[1])),
    ]


# ── the house file ───────────────────────────────────────────────────────────────────────────────────


def test_the_house_file_that_is_kept_is_the_one_that_was_judged(
    tmp_path: Path, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = (played / "house.yaml").read_bytes()
    file, out = tmp_path / "house.yaml", tmp_path / "archive"
    file.write_bytes(judged)
    parse = houses.parse

    def edited_meanwhile(text: str, where: str) -> House:
        file.write_text("no house at all", encoding="utf-8")
        return parse(text, where)

    write_journal(out, build_kafka_records(b"one", at=MARCH_2), HOUSE)
    monkeypatch.setattr(houses, "parse", edited_meanwhile)
    assert run_verb("archive", "--seal", "--house", file, "--out", out).exit_code == 0
    assert (out / "house.yaml").read_bytes() == judged


@pytest.mark.parametrize("text", [None, b"\xff\xfe", b"house: [", b"nothing: of the kind"])
def test_what_is_no_house_file_is_one_line_and_nothing_is_kept(tmp_path: Path, text: bytes | None) -> None:
    file, out = tmp_path / "mine.yaml", tmp_path / "archive"
    if text is not None:
        file.write_bytes(text)
    ran = run_verb("archive", "--seal", "--house", file, "--out", out)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert "mine.yaml" in ran.stderr
    assert not out.exists()


def test_a_reader_that_comes_while_the_journal_is_made_finds_it_whole_or_not_at_all(tmp_path: Path) -> None:
    folders = [tmp_path / str(each) for each in range(40)]
    for folder in folders:
        folder.mkdir()

    def make() -> None:
        for folder in folders:
            Journal(folder, writable=True).close()

    making = threading.Thread(target=make)
    making.start()
    try:
        for folder in folders:
            while not (folder / "journal.sqlite").exists():
                pass
            with Journal(folder) as journal:
                assert journal.clusters() == {}
    finally:
        making.join()


def test_what_a_crash_left_of_a_journal_being_made_is_nothing(tmp_path: Path) -> None:
    (tmp_path / ".journal.sqlite.unfinished").write_bytes(b"SQLite format 3\x00 and no more")
    with Journal(tmp_path, writable=True) as journal:
        assert journal.clusters() == {}
