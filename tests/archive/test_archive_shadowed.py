"""Files put next to a closed day are not read in its place: journal rows, links, snapshots, footers."""

import hashlib
import json
import logging
import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, Final

import msgspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from schemas import house as houses
from schemas.errors import BadInput
from streams.archive import keys, sealed_files
from streams.archive.archive_reader import filed, names, records
from streams.archive.day_sealing import DayCloser, seal
from streams.archive.journal import Journal
from streams.archive.record_names import KafkaRecord, days_of
from streams.archive.snapshots import from_start
from tests.builders.archives import (
    LONG_AFTER,
    build_kafka_records,
    replace_fields,
    seal_all_days,
    write_journal,
)
from tests.builders.round_records import run_verb

TABLE: Final = "BAC-101"
FIRST, SECOND, LATER = date(2025, 3, 1), date(2025, 3, 2), date(2026, 11, 21)
PART: Final = f"days/{FIRST}/{TABLE}.parquet"
SNAPSHOTS: Final = f"days/{SECOND}/{TABLE}.snapshots.parquet"
DAY: Final = 86_400_000_000  # microseconds
MARCH_2: Final = 1_740_916_800_000_000  # noon UTC
HOUSE: Final = houses.DEFAULT


@pytest.fixture
def archive(closed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(closed / "archive", tmp_path / "archive"))


def put(archive: Path, record: KafkaRecord, day: date, name: str = TABLE) -> None:
    """Write a row into the journal, as whoever may write to the file can."""
    with closing(sqlite3.connect(archive / "journal.sqlite", isolation_level=None)) as journal:
        journal.execute(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(record.cluster, record.topic, record.partition, record.offset, record.received),
                *(str(day), name, record.key, record.payload),
            ),
        )


def read(archive: Path, table: str = TABLE) -> list[KafkaRecord]:
    return [each.record for each in records(archive, table)]


def closed_with_gaps(folder: Path, *, key: bool = True) -> Path:
    """Seal, and close, two days of a table of which other tables had the offsets between."""
    archive = folder / "gaps"
    for day in (0, 1):
        sent = [
            replace_fields(each, offset=100 * day + 10 * number)
            for number, each in enumerate(build_kafka_records(b"a", b"b", b"c", at=MARCH_2 + day * DAY))
        ]
        write_journal(archive, sent, HOUSE)
    seal_all_days(archive, HOUSE, LONG_AFTER)
    if key:
        list(DayCloser(archive).close("house", keys.make(folder / "gaps.key"), LONG_AFTER))
    return archive


# ── rows of the journal ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("day", [FIRST, SECOND, LATER])
def test_a_row_of_the_journal_takes_no_sealed_records_place(archive: Path, day: date) -> None:
    """One that begins before the sealed part, so that its run is looked at first, and one among it."""
    as_closed = read(archive)
    record = as_closed[1000]
    before = as_closed[0]
    put(archive, replace_fields(record, payload=b"forged"), day)
    put(archive, replace_fields(before, payload=b"forged"), day)
    assert read(archive) == as_closed


def test_an_offset_that_no_broker_gives_is_one_line(archive: Path) -> None:
    put(archive, replace_fields(read(archive)[0], offset=-1, payload=b""), LATER)
    ran = run_verb("hand", archive, TABLE, "1", "--date", FIRST)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert f"journal.sqlite: has {TABLE} at recorded/0/-1, which no broker gives" in ran.stderr


@pytest.mark.parametrize("offset", [5, 15, 20, 50, 105, 119, 120])
@pytest.mark.parametrize("day", [date(2025, 3, 2), date(2025, 3, 3), LATER])
def test_the_journal_is_ignored_for_closed_days(
    tmp_path: Path, offset: int, day: date, caplog: pytest.LogCaptureFixture
) -> None:
    """Other tables have the offsets between, so that nothing sealed stands at the same place."""
    archive = closed_with_gaps(tmp_path)
    as_closed = read(archive, "BAC-1")
    assert [each.offset for each in as_closed] == [0, 10, 20, 100, 110, 120]
    put(archive, replace_fields(as_closed[0], offset=offset, payload=b"forged"), day, "BAC-1")
    assert read(archive, "BAC-1") == as_closed
    (said,) = [each.getMessage() for each in caplog.records]
    assert f"of BAC-1 for {day} lies among what is closed, and is left out" in said


def test_the_journal_is_read_for_days_not_closed_yet(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    archive = closed_with_gaps(tmp_path)
    as_closed = read(archive, "BAC-1")
    late = replace_fields(as_closed[-1], offset=121, payload=b"late")
    write_journal(archive, [late, *build_kafka_records(b"next", first=130, at=MARCH_2 + 2 * DAY)], HOUSE)
    assert [each.payload for each in read(archive, "BAC-1")[6:]] == [b"late", b"next"]
    assert not caplog.records


def test_a_day_that_is_sealed_out_of_its_turn_hides_none_before_it(tmp_path: Path) -> None:
    archive = tmp_path / "turn"
    write_journal(archive, build_kafka_records(b"a", b"b", at=MARCH_2), HOUSE)
    write_journal(archive, build_kafka_records(b"c", b"d", first=2, at=MARCH_2 + DAY), HOUSE)
    everything = read(archive, "BAC-1")
    with Journal(archive, writable=True) as journal:
        list(seal(journal, archive, date(2025, 3, 3)))
    list(DayCloser(archive).close("house", keys.make(tmp_path / "turn.key"), LONG_AFTER))
    assert days_of(archive) == [date(2025, 3, 3)]
    assert read(archive, "BAC-1") == everything


def test_without_a_checkpoint_what_is_sealed_wins_too(tmp_path: Path) -> None:
    archive = closed_with_gaps(tmp_path, key=False)
    as_sealed = read(archive, "BAC-1")
    put(archive, replace_fields(as_sealed[1], payload=b"forged"), LATER, "BAC-1")
    put(archive, replace_fields(as_sealed[1], offset=5, payload=b"not known to be false"), LATER, "BAC-1")
    assert [each.payload for each in read(archive, "BAC-1")] == [
        *(b"a", b"not known to be false", b"b", b"c"),
        *(b"a", b"b", b"c"),
    ]


def test_a_further_part_takes_no_closed_records_place(tmp_path: Path) -> None:
    archive = closed_with_gaps(tmp_path)
    as_closed = read(archive, "BAC-1")
    forged = [
        replace_fields(as_closed[0], offset=0, payload=b"x"),
        replace_fields(as_closed[1], payload=b"forged"),
    ]
    sealed_files.write(archive / "days/2025-03-02", "BAC-1", forged, since=0)
    assert read(archive, "BAC-1") == as_closed


# ── footers ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "said", [{"first": 500}, {"first": 1}, {"last": 19}, {"last": 21}, {"partition": 4}, {"cluster": "x"}]
)
def test_a_footer_is_held_to_the_records(tmp_path: Path, said: dict[str, Any]) -> None:
    part = closed_with_gaps(tmp_path, key=False) / "days/2025-03-02/BAC-1.parquet"
    stretch = msgspec.structs.asdict(sealed_files.stretch_of(part))
    assert len(list(sealed_files.read(part))) == 3
    footed(part, json.dumps({**stretch, **said}))
    for after in (-1, 0, 10):
        with pytest.raises(BadInput, match="its records are not those that its footer tells of"):
            list(sealed_files.read(part, after))


def footed(part: Path, stretch: str) -> None:
    """Write a part again with another footer."""
    table = parquet.ParquetFile(part).read()
    table = table.replace_schema_metadata({b"discardrack.stretch": stretch.encode()})
    parquet.write_table(table, part, compression="zstd", write_page_checksum=True)


@pytest.mark.parametrize("order", [(0, 2, 1), (0, 0, 1, 2), (0, 1, 2, 2)])
def test_records_that_are_doubled_or_out_of_order_are_no_part(tmp_path: Path, order: tuple[int, ...]) -> None:
    sent = build_kafka_records(b"a", b"b", b"c", at=MARCH_2)
    part = sealed_files.write(tmp_path, "BAC-1", sent, since=0)
    table = parquet.ParquetFile(part).read()
    metadata = table.schema.metadata
    parquet.write_table(
        table.take(pa.array(order)).replace_schema_metadata(metadata), part, write_page_checksum=True
    )
    with pytest.raises(BadInput, match="or not in their order"):
        list(sealed_files.read(part))


def test_an_offset_below_nought_is_no_part(tmp_path: Path) -> None:
    part = sealed_files.write(
        tmp_path, "BAC-1", build_kafka_records(b"a", b"b", first=-1, at=MARCH_2), since=0
    )
    with pytest.raises(BadInput, match="its records are not those"):
        list(sealed_files.read(part))


# ── links ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "link",
    [
        "days/2025-03-09",
        f"days/{FIRST}/{TABLE}.2.parquet",
        PART,
        f"days/{FIRST}",
        "days",
    ],
)
def test_a_link_is_not_followed(archive: Path, tmp_path: Path, link: str) -> None:
    path, elsewhere = archive / link, tmp_path / "elsewhere"
    if path.exists():
        path.rename(elsewhere)
    elif path.suffix:
        shutil.copy(archive / PART, elsewhere)
    else:
        shutil.copytree(archive / f"days/{FIRST}", elsewhere)
    path.symlink_to(elsewhere)
    assert date(2025, 3, 9) not in days_of(archive)
    for reads in (lambda: list(records(archive, TABLE)), lambda: names(archive)):
        with pytest.raises(BadInput, match=f"{link}: is a link, which is never followed here"):
            reads()
    ran = run_verb("hand", archive, TABLE, "1", "--date", FIRST)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)


def test_a_link_to_the_quarantine_is_not_followed(archive: Path, tmp_path: Path) -> None:
    shutil.copytree(archive / f"days/{FIRST}", tmp_path / "elsewhere")
    folder = archive / f"days/{FIRST}/quarantine"
    shutil.rmtree(folder, ignore_errors=True)
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="quarantine: is a link"):
        list(filed(archive, TABLE, topic="floor.quarantine"))


def test_a_snapshot_that_is_a_link_is_not_followed(archive: Path, tmp_path: Path) -> None:
    (archive / SNAPSHOTS).rename(tmp_path / "elsewhere")
    (archive / SNAPSHOTS).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="is a link"):
        from_start(archive, TABLE, houses.load("house.yaml", archive), SECOND)


# ── snapshots ────────────────────────────────────────────────────────────────────────────────────────


def forge(archive: Path) -> None:
    """Make the audit believe at the start of a day that another shoe's numbers are long past."""
    file = archive / SNAPSHOTS
    table = parquet.ParquetFile(file).read()
    rows = table.to_pylist()
    for row in rows:
        progress = json.loads(row["progress"])
        for epochs in progress["buffer"]["tallies"]["of"].values():
            for tally in epochs.values():
                tally["ahead"] = list(range(tally["next"], tally["next"] + 3000))
        row["progress"] = json.dumps(progress)
    parquet.write_table(pa.Table.from_pylist(rows, table.schema), file, write_page_checksum=True)


def hand_of_the_second_day(archive: Path) -> Any:
    return run_verb("hand", archive, TABLE, number_of(archive), "--date", SECOND, "--format", "json")


def number_of(archive: Path) -> str:
    """Return the number of a round that the second day opens."""
    for each in records(archive, TABLE):
        if each.day == SECOND:
            for event in json.loads(each.record.payload or b"")["events"]:
                if event["event"] == "RoundOpened":
                    return str(event["round"])
    raise AssertionError


def test_a_snapshot_that_is_as_it_was_closed_is_used(archive: Path, caplog: pytest.LogCaptureFixture) -> None:
    house = houses.load("house.yaml", archive)
    begun = from_start(archive, TABLE, house, SECOND)
    assert begun
    assert begun[0].frame > 0
    assert not caplog.records


def test_a_forged_snapshot_is_not_used(archive: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    as_closed = hand_of_the_second_day(archive)
    assert (as_closed.exit_code, caplog.records) == (0, [])
    forge(archive)
    forged = hand_of_the_second_day(archive)
    assert (forged.exit_code, forged.stdout) == (0, as_closed.stdout)
    (said,) = [each.getMessage() for each in caplog.records]
    assert said.endswith(
        f"{SNAPSHOTS}: is not as it was closed, and not used; more has to be read in its place"
    )


def test_without_checkpoints_the_forged_snapshot_would_be_believed(archive: Path) -> None:
    """Else the test before this one could not fail."""
    as_closed = hand_of_the_second_day(archive)
    forge(archive)
    shutil.rmtree(archive / "checkpoints")
    assert hand_of_the_second_day(archive).stdout != as_closed.stdout


def test_a_checkpoint_that_nobody_signed_makes_no_snapshot_good(archive: Path) -> None:
    house = houses.load("house.yaml", archive)
    second = archive / "checkpoints/000002.jsonl"
    as_closed = sha256(archive / SNAPSHOTS)
    forge(archive)
    assert as_closed in second.read_bytes()
    second.write_bytes(second.read_bytes().replace(as_closed, sha256(archive / SNAPSHOTS)))
    begun = from_start(archive, TABLE, house, SECOND)
    (archive / SNAPSHOTS).unlink()
    assert begun == from_start(archive, TABLE, house, SECOND)


def test_a_checkpoint_that_the_next_one_does_not_name_makes_no_snapshot_good(archive: Path) -> None:
    """Someone's own key can sign one; the one after it names another."""
    house = houses.load("house.yaml", archive)
    assert from_start(archive, TABLE, house, FIRST)
    second = archive / "checkpoints/000002.jsonl"
    second.write_bytes(second.read_bytes().replace(b'"body":"', b'"body":"0', 1))
    assert not from_start(archive, TABLE, house, FIRST)


def sha256(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).hexdigest().encode()
