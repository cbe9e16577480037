"""Snapshots of an archive: one hand without the years around it, and the same as with them."""

import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

import msgspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from projections.engine.audit.table_audit import AuditProgress, TableAudit
from projections.engine.conclusion import Conclusion, canonical
from replay.recording import event_audit
from replay.recording.event_audit import audit_day, audit_logs
from schemas import house as houses
from schemas.codec import decode
from schemas.house import House, Submission
from streams import log
from streams.archive.archive_reader import records
from streams.archive.archiver import take_snapshots
from streams.archive.snapshots import from_start, snapshot
from streams.log import Unread
from tests.builders.archives import (
    archive_three_shoes,
    never_stop,
    records_of_floor,
    replace_fields,
    seal_all_days,
    write_journal,
)
from tests.builders.made_once import made_once
from tests.builders.round_records import run_verb

TABLE: Final = "BAC-101"
DAYS: Final = (date(2025, 3, 1), date(2025, 3, 2))
YEAR: Final = 365 * 86_400_000_000  # microseconds


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "shoes", archive_three_shoes) / "floor"


@pytest.fixture(scope="module")
def archive(played: Path) -> Path:
    return played.with_name("archive")


@pytest.fixture(scope="module")
def house(archive: Path) -> House:
    return houses.load("house.yaml", archive)


@pytest.fixture(scope="module")
def whole(archive: Path, house: House) -> list[Conclusion]:
    """Conclude everything of the table from its beginning."""
    found = audit_logs(log.logs(archive, TABLE), house)
    return [each.conclusion for each in found if not isinstance(each, Unread)]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the place of every payload that is read to be judged."""
    places: list[str] = []

    def noted(recorded: log.Log, key: str | None = None) -> Iterator[log.RecordedFrame]:
        for each in log.read_frames(recorded, key):
            places.append(each.record.where)
            yield each

    monkeypatch.setattr(event_audit, "read_frames", noted)
    return places


def rows(archive: Path, day: date) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = parquet.read_table(file_of(archive, day)).to_pylist()
    return found


def file_of(archive: Path, day: date) -> Path:
    return archive / "days" / str(day) / f"{TABLE}.snapshots.parquet"


def on(day: date, concluded: list[Conclusion]) -> list[Conclusion]:
    return [each for each in concluded if each.gaming_date == day and each.round is not None]


# ── one hand ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("day", DAYS)
def test_a_day_from_its_snapshot_is_the_day_from_the_beginning(
    archive: Path, house: House, whole: list[Conclusion], day: date
) -> None:
    found = audit_day(*log.logs(archive, TABLE), house, day)
    near = [each.conclusion for each in found if not isinstance(each, Unread)]
    assert len(on(day, near)) > 30
    assert canonical(on(day, near)) == canonical(on(day, whole))


def test_a_hand_with_its_date_is_drawn_the_same_from_far_fewer_payloads(
    archive: Path, whole: list[Conclusion], read: list[str]
) -> None:
    begins, shoe = (rows(archive, DAYS[1])[-2][name] for name in ("offset", "shoe"))
    number = [each.round for each in on(DAYS[1], whole) if each.shoe == shoe][-1]
    without = run_verb("hand", archive, TABLE, number, "--format", "json")
    read.clear()
    with_date = run_verb("hand", archive, TABLE, number, "--date", DAYS[1], "--format", "json")
    assert (with_date.exit_code, with_date.stdout) == (0, without.stdout)
    of_shoe = [each.record.offset for each in records(archive, TABLE) if each.record.offset > begins]
    assert read == [f"{DAYS[1]}/{TABLE}:{offset}" for offset in of_shoe[: len(read)]]
    assert len(read) < 0.6 * sum(1 for each in records(archive, TABLE) if each.day == DAYS[1])


def test_a_hand_of_the_first_day_is_read_no_farther_than_it_can_change(
    archive: Path, whole: list[Conclusion], read: list[str], tmp_path: Path
) -> None:
    number = on(DAYS[0], whole)[0].round
    bare = shutil.copytree(archive, tmp_path / "bare", ignore=shutil.ignore_patterns("*.snapshots.parquet"))
    without = run_verb("hand", bare, TABLE, number, "--date", DAYS[0], "--format", "json")
    all_of_it = sum(1 for _ in records(archive, TABLE))
    read.clear()
    with_date = run_verb("hand", archive, TABLE, number, "--date", DAYS[0], "--format", "json")
    assert (with_date.exit_code, with_date.stdout) == (0, without.stdout)
    assert len(read) < 0.6 * all_of_it


def test_a_hand_that_is_not_there_is_sought_everywhere(archive: Path, whole: list[Conclusion]) -> None:
    number = on(DAYS[1], whole)[-1].round
    ran = run_verb("hand", archive, TABLE, number, "--date", "2025-03-05")
    assert ran.exit_code == 2
    assert f"is not there on 2025-03-05; it is there on {DAYS[1]}" in ran.stderr


# ── what they are ────────────────────────────────────────────────────────────────────────────────────


def test_there_is_one_at_the_start_of_each_day_and_each_shoe(archive: Path) -> None:
    first, second = (rows(archive, day) for day in DAYS)
    assert (first[0]["shoe"], first[0]["offset"], first[0]["frame"]) == (None, None, 0)
    started = [
        event.shoe
        for each in records(archive, TABLE)
        for event in decode(each.record.payload or b"", "")[0].events
        if type(event).__name__ == "ShoeLoaded"
    ]
    shoes = [row["shoe"] for row in (*first[1:], *second) if row["shoe"] is not None]
    assert list(dict.fromkeys(shoes)) == list(dict.fromkeys(started))
    of_day_one = [each.record.offset for each in records(archive, TABLE) if each.day == DAYS[0]]
    assert second[0]["offset"] == of_day_one[-1]


def going_on(archive: Path, house: House, progress: str, after: Any) -> Iterator[Conclusion]:
    audit = TableAudit(TABLE, house)
    audit.progress = msgspec.json.decode(progress, type=AuditProgress)
    for each in records(archive, TABLE, after):
        frame, _ = decode(each.record.payload or b"", "")
        yield from (concluded.conclusion for concluded in audit.feed(frame.events))
        audit.take_strangers()
    yield from (concluded.conclusion for concluded in audit.finish())


def test_going_on_from_any_of_them_leads_to_the_same(
    archive: Path, house: House, whole: list[Conclusion]
) -> None:
    last = canonical(whole).splitlines()
    for row in (*rows(archive, DAYS[0])[1:], *rows(archive, DAYS[1])):
        after = (row["cluster"], row["partition"], row["offset"])
        found = canonical(going_on(archive, house, row["progress"], after)).splitlines()
        assert found
        assert set(found) <= set(last)


def test_the_nearest_before_a_record_is_given(archive: Path, house: House) -> None:
    every = [row["offset"] for day in DAYS for row in rows(archive, day) if row["offset"] is not None]
    cluster, partition = (rows(archive, DAYS[1])[0][name] for name in ("cluster", "partition"))
    for offset in (every[0] + 1, every[-1], every[-1] + 1):
        found = snapshot(archive, TABLE, house, (cluster, partition, offset))
        assert found is not None
        assert found.offset is not None
        assert found.offset == max(each for each in every if each < offset)
        until = [each.record for each in records(archive, TABLE) if each.record.offset <= found.offset]
        frames = [decode(each.payload or b"", "")[0].frame for each in until]
        assert found.frame == max(frames)
    assert snapshot(archive, TABLE, house, (cluster, partition, every[0])) is None
    assert snapshot(archive, TABLE, house, ("another", partition, 10_000)) is None
    assert snapshot(archive, "BAC-9", house) is None


# ── which of them are used ───────────────────────────────────────────────────────────────────────────


def test_one_of_another_version_is_not_used_and_made_again(
    tmp_path: Path, archive: Path, house: House, read: list[str]
) -> None:
    copy = shutil.copytree(archive, tmp_path / "copy")
    for day in DAYS:
        table = parquet.read_table(file_of(copy, day))
        old = pa.array(["of another version"] * len(table))
        at = table.schema.get_field_index("settings")
        parquet.write_table(table.set_column(at, table.schema.field(at), old), file_of(copy, day))
    assert not from_start(copy, TABLE, house, DAYS[1])
    assert snapshot(copy, TABLE, house) is None
    list(audit_day(*log.logs(copy, TABLE), house, DAYS[1]))
    assert read[0].startswith(str(DAYS[0]))
    take_snapshots(copy, house, date.max, never_stop)
    assert [rows(copy, day) for day in DAYS] == [rows(archive, day) for day in DAYS]


def test_another_lateness_makes_them_useless_and_a_later_submission_does_not(
    archive: Path, house: House
) -> None:
    later = Submission(since=date(2025, 4, 1), chapter="631a", options={"ez": True})
    earlier = Submission(since=date(2025, 2, 1), chapter="631a", options={"tie_odds": 9})
    for changed, usable in (
        ({"lateness_seconds": 300}, False),
        ({"submissions": [*house.submissions, later]}, True),
        ({"submissions": [*house.submissions, earlier]}, False),
        ({"tables": {TABLE: house.tables[TABLE]}}, True),
    ):
        other = msgspec.structs.replace(house, **changed)
        assert bool(from_start(archive, TABLE, other, DAYS[1])) is usable, changed


def test_days_that_come_later_go_on_from_the_last(tmp_path: Path, archive: Path, played: Path) -> None:
    house = houses.load("house.yaml", played)
    sent = [each for each in records_of_floor(played) if each.key == TABLE.encode()]
    copy = tmp_path / "copy"
    first = [each for each in sent if house.gaming_date(each.received) == DAYS[0]]
    write_journal(copy, first, house)
    seal_all_days(copy, house)
    write_journal(copy, sent[len(first) :], house)
    seal_all_days(copy, house)
    ours, theirs = rows(copy, DAYS[1]), rows(archive, DAYS[1])
    assert [row["offset"] for row in ours] == [row["offset"] for row in theirs]
    assert json.loads(ours[-1]["progress"])["state"] == json.loads(theirs[-1]["progress"])["state"]


def test_frames_of_a_table_that_the_house_does_not_have_get_none(
    tmp_path: Path, house: House, played: Path
) -> None:
    sent = [replace_fields(each, key=b"BAC-77") for each in records_of_floor(played)[:10]]
    write_journal(tmp_path / "copy", sent, house)
    seal_all_days(tmp_path / "copy", house)
    files = [file.name for file in (tmp_path / "copy/days").rglob("*.parquet")]
    assert files
    assert all("snapshots" not in name for name in files)
