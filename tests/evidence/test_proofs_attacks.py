"""What insiders may do to a closed archive, with its key or without: it is detected, or is not signed."""

import json
import os
import shutil
import sqlite3
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from projections.evidence import checkpoint
from projections.evidence.checkpoint import Checkpoint, CheckpointEntry, entries_root, public
from projections.store import disk
from schemas.errors import BadInput
from streams.archive import keys, sealed_files
from streams.archive.checkpoint_chain import Found, chain
from streams.archive.day_sealing import DayCloser, entry_of
from streams.archive.record_names import KafkaRecord, checkpoint_file
from streams.archive.verification import Checked, check
from streams.topics import QUARANTINE
from tests.builders.archives import replace_fields

TABLE: Final = "days/2025-03-01/BAC-101.parquet"
SECOND: Final = "days/2025-03-02/BAC-101.parquet"
LINK: Final = "is a link: what it leads to is no part of the archive"
TODAY: Final = date(2025, 4, 1)
LATER: Final = 4_000_000_000_000_000  # microseconds, after any day was closed


@pytest.fixture
def archive(closed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(closed / "archive", tmp_path / "archive"))


@pytest.fixture
def key(closed: Path) -> Ed25519PrivateKey:
    return keys.load(closed / "a.key")


def looked(archive: Path, *, events: bool = True, today: date = TODAY) -> Checked:
    return check(archive, (), (), events=events, today=today)


def wrong(archive: Path, **how: Any) -> dict[str, str]:
    return {each.where: each.what for each in looked(archive, **how).troubles}


def close(archive: Path, key: Ed25519PrivateKey) -> list[Checkpoint]:
    return list(DayCloser(archive).close("simulated", key, LATER))


def late_part(archive: Path, records: Sequence[KafkaRecord]) -> str:
    file = archive / TABLE
    made = sealed_files.write(file.parent, "BAC-101", records, sealed_files.stretch_of(file).since)
    return made.relative_to(archive).as_posix()


# ── what is not of the archive ───────────────────────────────────────────────────────────────────────


def test_a_folder_that_is_a_link_is_reported(archive: Path, tmp_path: Path) -> None:
    elsewhere = Path(shutil.copytree(archive / "days/2025-03-01", tmp_path / "elsewhere"))
    (archive / "days/2025-03-09").symlink_to(elsewhere)
    assert wrong(archive)["days/2025-03-09"] == LINK


def test_a_file_that_is_a_link_is_reported(archive: Path) -> None:
    (archive / "houses/x.yaml").symlink_to("/dev/zero")
    assert wrong(archive) == {"houses/x.yaml": LINK}


@pytest.mark.parametrize(
    "folder", ["days/2025-03-01/EVIL.parquet", "days/today", "more", "days/2025-03-01/x"]
)
def test_a_folder_of_a_stranger_is_reported(archive: Path, folder: str) -> None:
    (archive / folder).mkdir(parents=True)
    assert wrong(archive) == {folder: "is a folder that no archiver makes"}


# ── retention ────────────────────────────────────────────────────────────────────────────────────────


def removed(archive: Path, at: str) -> None:
    """Remove a part, and write into the log what retention would have."""
    (entry,) = (each for found in chain(archive) for each in found.entries if each.path == TABLE)
    (archive / TABLE).unlink()
    told = {
        "path": TABLE,
        "sha256": entry.sha256,
        "bytes": entry.size,
        "day": "2025-03-01",
        "table": "BAC-101",
        "by": "R. Ames",
        "at": at,
    }
    (archive / "retention.jsonl").write_text(json.dumps(told) + "\n")


def test_465a_6_a_young_day_may_not_have_been_removed(archive: Path) -> None:
    removed(archive, "2025-03-20T00:00:00Z")
    says = "was removed by R. Ames on 2025-03-20, when it had to be kept still (465a.6)"
    assert wrong(archive) == {TABLE: says}


def test_465a_6_nor_by_a_date_that_is_not_yet(archive: Path) -> None:
    removed(archive, "2035-03-20T00:00:00Z")
    assert wrong(archive)[TABLE].startswith("was removed by R. Ames on 2025-04-01, when")


def test_465a_6_when_its_years_are_over_it_may(archive: Path) -> None:
    removed(archive, "2030-03-20T00:00:00Z")
    found = looked(archive, today=date(2031, 1, 1))
    assert found.troubles == ()
    assert (
        f"{TABLE}: removed by R. Ames at 2030-03-20 00:00:00+00:00, as retention.jsonl tells" in found.notes
    )


def test_not_while_a_legal_hold_was_on_it(archive: Path) -> None:
    hold = {"does": "add", "hold": "C-1", "by": "A", "at": "2026-01-01T00:00:00Z", "tables": ["BAC-101"]}
    (archive / "holds.jsonl").write_text(json.dumps(hold) + "\n")
    removed(archive, "2030-03-20T00:00:00Z")
    assert "while the legal hold C-1 was on it" in wrong(archive, today=date(2031, 1, 1))[TABLE]


@pytest.mark.parametrize("line", [b'{"a":' * 200_000, b"\0" * (1 << 20), b"[]", b'{"path":5}'])
def test_a_log_of_rubbish_proves_no_removal(archive: Path, line: bytes) -> None:
    removed(archive, "2030-03-20T00:00:00Z")
    (archive / "retention.jsonl").write_bytes(line + b"\n")
    assert wrong(archive, today=date(2031, 1, 1)) == {TABLE: "is missing"}


# ── what the honest archiver must not sign afterwards ────────────────────────────────────────────────


def hold(archive: Path, name: str) -> bytes:
    line = json.dumps({"does": "add", "hold": name, "by": "A", "at": "2025-03-03T00:00:00Z"}).encode() + b"\n"
    with (archive / "holds.jsonl").open("ab") as log:
        log.write(line)
    return line


def with_a_log(archive: Path, key: Ed25519PrivateKey) -> None:
    """Close a log together with a record that came late."""
    hold(archive, "C-1")
    last = list(sealed_files.read(archive / TABLE))[-1]
    late_part(archive, [replace_fields(last, offset=last.offset + 10_000)])
    assert len(close(archive, key)) == 1


@pytest.mark.parametrize("text", [b"", b"{}\n"])
def test_a_log_that_was_cut_is_not_signed_again(archive: Path, key: Ed25519PrivateKey, text: bytes) -> None:
    with_a_log(archive, key)
    (archive / "holds.jsonl").write_bytes(text)
    assert "holds.jsonl" in wrong(archive)
    last = list(sealed_files.read(archive / TABLE))[-1]
    late_part(archive, [replace_fields(last, offset=last.offset + 20_000)])
    with pytest.raises(BadInput, match="put it back as it was"):
        close(archive, key)


def test_a_log_that_was_cut_and_signed_with_the_key_is_reported(
    archive: Path, key: Ed25519PrivateKey
) -> None:
    with_a_log(archive, key)
    (archive / "holds.jsonl").write_bytes(b"")
    forge(archive, key, [CheckpointEntry("holds.jsonl", "log", 0, sha256_of(b""))])
    assert wrong(archive)["holds.jsonl"] == "has 0 bytes, of the 72 that checkpoint 3 closed"
    hold(archive, "C-1")  # put back, but checkpoint 4 says that it was cut
    assert wrong(archive)["holds.jsonl"].startswith("is shorter in checkpoint 4 than in an earlier one")


def test_a_late_part_with_a_record_that_is_there_already_is_not_signed(
    archive: Path, key: Ed25519PrivateKey
) -> None:
    changed = replace_fields(list(sealed_files.read(archive / TABLE))[5], payload=b"another")
    path = late_part(archive, [changed])
    assert list(wrong(archive)) == [path]
    with pytest.raises(BadInput, match="has records that another closed part has"):
        close(archive, key)


def test_what_came_late_of_two_topics_may_stand_at_one_offset(archive: Path, key: Ed25519PrivateKey) -> None:
    """Offsets count within a topic: partition 0, offset 5 is a frame and another record of the quarantine."""
    frames = list(sealed_files.read(archive / TABLE))
    quarantine = archive / "days/2025-03-01/quarantine"
    since = sealed_files.stretch_of(archive / TABLE).since
    for record in (frames[2], frames[5]):  # the second is a further part, as what comes late is
        sealed_files.write(quarantine, "BAC-101", [replace_fields(record, topic=QUARANTINE)], since)
    (made,) = close(archive, key)
    assert [entry.path for entry in made.entries] == [
        "days/2025-03-01/quarantine/BAC-101.2.parquet",
        "days/2025-03-01/quarantine/BAC-101.parquet",
    ]
    assert wrong(archive) == {}


def test_a_record_in_two_parts_is_reported_whoever_signed_them(archive: Path, key: Ed25519PrivateKey) -> None:
    changed = replace_fields(list(sealed_files.read(archive / TABLE))[5], payload=b"another")
    path = late_part(archive, [changed])
    secret = (archive / "salt").read_bytes()
    forge(archive, key, [entry_of(archive, Found(path, "part"), secret)])
    assert wrong(archive, events=False) == {}
    ((where, what),) = wrong(archive).items()
    assert "stands in another part too" in what
    assert where in (path, TABLE)


def test_a_house_file_without_its_version_is_not_signed(archive: Path, key: Ed25519PrivateKey) -> None:
    house = (archive / "house.yaml").read_bytes()
    (archive / "house.yaml").write_bytes(house + b"# mine\n")
    assert list(wrong(archive)) == ["house.yaml"]
    with pytest.raises(BadInput, match=r"is none of those in houses/"):
        close(archive, key)


def test_a_snapshot_that_was_changed_is_removed_and_never_signed(archive: Path) -> None:
    path = TABLE.replace(".parquet", ".snapshots.parquet")
    shutil.copy(archive / SECOND.replace(".parquet", ".snapshots.parquet"), archive / path)
    assert list(wrong(archive)) == [path]
    assert DayCloser(archive).drop_changed_snapshots() == [path]
    found = looked(archive)
    assert found.troubles == ()
    assert f"{path}: is not there; what it held can be concluded again" in found.notes


def test_each_snapshot_is_read_once_a_night(
    archive: Path, key: Ed25519PrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def hashed(file: Path) -> str:
        read.append(file.relative_to(archive).as_posix())
        return disk.sha256_of(file)

    def entered(archive: Path, found: Found, secret: bytes) -> CheckpointEntry:
        read.append(found.path)
        return entry_of(archive, found, secret)

    monkeypatch.setattr("streams.archive.day_sealing.sha256_of", hashed)
    monkeypatch.setattr("streams.archive.day_sealing.entry_of", entered)
    night = DayCloser(archive)
    assert night.drop_changed_snapshots() == []
    made_anew = SECOND.replace(".parquet", ".snapshots.parquet")
    shutil.copy(archive / TABLE.replace(".parquet", ".snapshots.parquet"), archive / made_anew)
    (checkpoint,) = night.close("simulated", key, LATER)
    assert [entry.path for entry in checkpoint.entries] == [made_anew]
    snapshots = sorted(each for each in read if each.endswith(".snapshots.parquet"))
    two_days_of_two_tables = [
        f"days/2025-03-0{day}/BAC-10{table}.snapshots.parquet" for day in (1, 2) for table in (1, 2)
    ]
    assert snapshots == sorted([*two_days_of_two_tables, made_anew])


# ── with the key ─────────────────────────────────────────────────────────────────────────────────────


def sha256_of(text: bytes) -> str:
    from hashlib import sha256  # noqa: PLC0415  beside the one thing that it is for

    return sha256(text).hexdigest()


def forge(archive: Path, key: Ed25519PrivateKey, entries: Sequence[CheckpointEntry], **other: Any) -> None:
    """Add a checkpoint that is as good as any, but for what it says."""
    last = list(chain(archive))[-1]
    body = msgspec.structs.replace(
        last.body,
        number=last.body.number + 1,
        before=checkpoint.PreviousCheckpoint(last.body.number, last.body.day, last.body_hash),
        closed=datetime(2030, 1, 1, tzinfo=UTC),
        day=date(2025, 3, 1),
        entries=len(entries),
        root=entries_root(entries),
        key=public(key),
    )
    body = msgspec.structs.replace(body, **other)
    checkpoint_file(archive, body.number).write_bytes(checkpoint.write(body, entries, key))


LOG: Final = CheckpointEntry("custody.jsonl", "log", 0, sha256_of(b""))


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (CheckpointEntry("days/2025-03-01/X.parquet", "log", 0, "0" * 64), "which no file of that path is"),
        (
            CheckpointEntry("days/2025-03-01/X.parquet", "snapshots", 0, "0" * 64),
            "which no file of that path is",
        ),
        (
            CheckpointEntry("days", "part", 0, "0" * 64, "X", "t", 1, 1, "0" * 64),
            "which no file of that path is",
        ),
        (
            CheckpointEntry("days/xyz/a.parquet", "part", 0, "0" * 64, "X", "t", 1, 1, "0" * 64),
            "which no file of that",
        ),
        (CheckpointEntry("d" * 5000, "log", 0, "0" * 64), "which no file of that path is"),
        (
            CheckpointEntry("days/2025-03-01/X.parquet", "part", 0, "0" * 64),
            "does not say what an entry of its kind says",
        ),
        (
            CheckpointEntry("custody.jsonl", "log", 0, "0" * 64, table="X"),
            "does not say what an entry of its kind says",
        ),
    ],
)
def test_an_entry_of_another_kind_than_its_path_is_reported(
    archive: Path, key: Ed25519PrivateKey, entry: CheckpointEntry, says: str
) -> None:
    forge(archive, key, [entry])
    assert says in wrong(archive)[f"checkpoint 3, {entry.path}"]


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"house": "another"}, "is of house 'another'"),
        ({"closed": datetime(1999, 1, 1, tzinfo=UTC)}, "was closed before"),
    ],
)
def test_a_body_that_no_archiver_writes_is_reported(
    archive: Path, key: Ed25519PrivateKey, other: dict[str, Any], says: str
) -> None:
    (archive / "custody.jsonl").write_bytes(b"")
    forge(archive, key, [LOG], **other)
    assert says in wrong(archive)["checkpoints/000003.jsonl"]


def test_a_checkpoint_that_names_nothing_is_reported(archive: Path, key: Ed25519PrivateKey) -> None:
    forge(archive, key, [])
    assert wrong(archive) == {"checkpoints/000003.jsonl": "names no file"}


def test_what_came_late_and_what_was_lost_is_reported(archive: Path, key: Ed25519PrivateKey) -> None:
    last = list(sealed_files.read(archive / TABLE))[-1]
    path = late_part(archive, [replace_fields(last, offset=last.offset + 10_000)])
    secret = (archive / "salt").read_bytes()
    lost = checkpoint.Lost(last.cluster, last.topic, last.partition, last.offset + 1, last.offset + 9)
    forge(archive, key, [entry_of(archive, Found(path, "part"), secret)], missing=(lost,))
    found = looked(archive)
    assert found.troubles == ()
    assert (
        f"2025-03-01, BAC-101: 1 record of {last.topic} came late: partition {last.partition}, offsets "
        f"{last.offset + 10_000} to {last.offset + 10_000}; closed by checkpoint 3 as {path}"
    ) in found.notes
    assert any("Kafka had lost" in each for each in found.notes)


def test_late_events_of_several_table_days_are_reported_for_each(
    archive: Path, key: Ed25519PrivateKey
) -> None:
    for path, offsets in ((TABLE, (20_000, 20_007, 20_009)), (SECOND.replace("101", "102"), (30_000,))):
        record = next(sealed_files.read(archive / path))
        late = [replace_fields(record, offset=offset) for offset in offsets]
        folder, _, file = path.rpartition("/")
        sealed_files.write(archive / folder, file.removesuffix(".parquet"), late, 0)
    close(archive, key)
    told = [each.partition("; ")[0] for each in looked(archive).notes if "came late" in each]
    assert told == [
        "2025-03-01, BAC-101: 3 records of floor.frames came late: partition 0, offsets 20000 to 20009",
        "2025-03-02, BAC-102: 1 record of floor.frames came late: partition 1, offsets 30000 to 30000",
    ]


# ── the journal ──────────────────────────────────────────────────────────────────────────────────────


def put(archive: Path, record: KafkaRecord, day: str = "2025-03-01") -> None:
    with sqlite3.connect(archive / "journal.sqlite") as base:
        columns = [row[1] for row in base.execute("PRAGMA table_info(records)")]
        told = {**msgspec.structs.asdict(record), "day": day, "name": "BAC-101"}
        marks = ", ".join("?" * len(columns))
        insert = f"INSERT INTO records VALUES ({marks})"  # noqa: S608  question marks
        base.execute(insert, [told[each] for each in columns])


def test_a_journal_that_disagrees_with_a_sealed_record_is_detected(archive: Path) -> None:
    record = list(sealed_files.read(archive / TABLE))[5]
    put(archive, record)
    assert wrong(archive) == {}  # sealed, and not dropped yet
    put(archive, replace_fields(record, payload=b"another", offset=record.offset + 1), day="2026-11-21")
    assert list(wrong(archive)) == ["journal.sqlite, 2026-11-21/BAC-101"]


def test_a_record_that_no_kafka_has_is_reported(archive: Path) -> None:
    put(archive, replace_fields(list(sealed_files.read(archive / TABLE))[5], offset=-1))
    assert "which is no place in Kafka" in wrong(archive)["journal.sqlite, 2025-03-01/BAC-101"]


def test_a_journal_that_cannot_be_read_hides_nothing_else(archive: Path) -> None:
    os.truncate(archive / TABLE, 100)
    (archive / "journal.sqlite").write_bytes(b"no journal")
    assert {TABLE, "journal.sqlite"} <= wrong(archive).keys()


def test_a_day_in_the_journal_that_is_none_hides_nothing_else(archive: Path) -> None:
    put(archive, list(sealed_files.read(archive / TABLE))[5], day="not a day")
    assert list(wrong(archive)) == ["journal.sqlite"]
