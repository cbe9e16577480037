"""Archives of a live floor as the tests need them: what a broker would have given, without one."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
import pytest

from schemas import house as houses
from schemas.codec import Frame, decode
from schemas.house import House
from streams import processes, topics
from streams.archive.archiver import take_snapshots
from streams.archive.day_sealing import closed_days, seal
from streams.archive.journal import Journal, Place
from streams.archive.record_names import KafkaRecord
from streams.simulator.simulate import simulate
from tests.builders.simulated_tables import doubled_rates

CLUSTER: Final = "cluster-one"
LONG_AFTER: Final = 4_000_000_000_000_000  # microseconds, in the year 2096


def play_floor(folder: Path, *, tables: int = 2, hours: float = 1) -> Path:
    """Play tables half an hour of gaming day March 1, 2025, and the rest on the next.

    Sensors fail, and all faults are twice as frequent as by default: each kind of a sensor's is among them.
    """
    start = datetime(2025, 3, 2, 4, 0, tzinfo=ZoneInfo("America/New_York"))
    rates = doubled_rates(sensors=True)
    simulate(folder, tables=tables, hours=hours, seed="floor", rates=rates, start=start)
    return folder


def records_of_floor(played: Path) -> list[KafkaRecord]:
    """Return a played floor's frames as a broker would: all tables by time, a partition for each."""
    frames: list[tuple[Frame, int, bytes]] = []
    for partition, file in enumerate(sorted((played / "events").glob("*.jsonl"))):
        lines = file.read_bytes().splitlines()
        frames += [(decode(line, "")[0], partition, line) for line in lines]
    frames.sort(key=lambda each: (each[0].received, each[0].table))
    offsets = dict.fromkeys(range(len(frames)), 0)
    records: list[KafkaRecord] = []
    for frame, partition, line in frames:
        received = frame.received // 1000 * 1000
        at = offsets[partition]
        key = frame.table.encode()
        records.append(KafkaRecord(CLUSTER, topics.FRAMES, partition, at, received, key, line))
        offsets[partition] = at + 1
    return records


def write_journal(archive: Path, records: Sequence[KafkaRecord], house: House) -> None:
    """Write records to the journal, as the archiver does."""
    archive.mkdir(exist_ok=True)
    with Journal(archive, writable=True) as journal:
        for cluster in dict.fromkeys(each.cluster for each in records):
            journal.begin_cluster(cluster, len(journal.clusters()))
        places = {
            (each.cluster, each.topic, each.partition): Place(each.offset + 1, each.received)
            for each in records
        }
        journal.keep(((house.gaming_date(each.received), each) for each in records), places)


def seal_all_days(archive: Path, house: House, before: int = LONG_AFTER) -> None:
    """Seal every day that is over by a moment, and make its snapshots."""
    with Journal(archive, writable=True) as journal:
        for day in closed_days(journal, house, before):
            list(seal(journal, archive, day))
    take_snapshots(archive, house, house.gaming_date(before), never_stop)


def set_clock_to_noon(monkeypatch: pytest.MonkeyPatch, year: int, month: int, day: int) -> None:
    """Set the clock on the wall to noon in New York."""
    at = datetime(year, month, day, 12, tzinfo=ZoneInfo("America/New_York"))
    monkeypatch.setattr(processes, "now", lambda: round(at.timestamp()) * 1_000_000)


def never_stop() -> bool:
    """Stop for nothing."""
    return False


def archive_floor(
    folder: Path, played: Path, sealed: Callable[[Sequence[KafkaRecord], House], Iterable[int]] | None = None
) -> Path:
    """Archive a played floor: `sealed` says at which moments, all at its end by default."""
    house = houses.load("house.yaml", played)
    folder.mkdir(exist_ok=True)
    (folder / "house.yaml").write_bytes((played / "house.yaml").read_bytes())
    records = records_of_floor(played)
    write_journal(folder, records, house)
    for moment in sealed(records, house) if sealed is not None else (LONG_AFTER,):
        seal_all_days(folder, house, moment)
    return folder


def archive_three_shoes(folder: Path) -> None:
    """Play one table through three shoes of March 2, and archive it: `folder/floor` and `folder/archive`."""
    archive_floor(folder / "archive", play_floor(folder / "floor", tables=1, hours=3))


def build_kafka_records(
    *payloads: bytes | None, key: bytes | None = b"BAC-1", first: int = 0, at: int = 0
) -> list[KafkaRecord]:
    """Return records of one partition with these payloads, a second apart from `at`, microseconds UTC."""
    return [
        KafkaRecord(CLUSTER, topics.FRAMES, 3, first + n, at + n * 1_000_000, key, payload)
        for n, payload in enumerate(payloads)
    ]


def replace_fields(record: KafkaRecord, **fields: object) -> KafkaRecord:
    """Return a record with other fields."""
    return msgspec.structs.replace(record, **fields)
