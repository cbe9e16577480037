"""PATH as a kafka:// address, without a broker: how it is read, and refused in one line."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from replay.cli import main
from schemas.values import microseconds
from streams import kafka_log
from streams.archive.record_names import JOURNAL
from streams.kafka_log import KafkaRange
from tests.builders.archives import build_kafka_records, write_journal
from tests.builders.table_script import build_house

HOUSE: Final = """
house: script
gaming_day_starts: "05:00"
tables: {BAC-1: {chapter: 631a, sources: {T: terminal}}}
ledgers: {cage: [CG-1]}
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "own.yaml"
    file.write_text(HOUSE, "utf-8")
    return file


def asked(address: str, *more: object) -> Result:
    return CliRunner().invoke(main, ["audit", address, *map(str, more)], catch_exceptions=False)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("kafka://", "write kafka://HOST:PORT, several HOST:PORT with commas"),
        ("kafka://localhost", "write kafka://HOST:PORT"),
        ("kafka://localhost:9092,", "write kafka://HOST:PORT"),
        ("kafka://localhost:9092?from=1", "'from' is not asked for so; after ? stand since, until,"),
        ("kafka://localhost:9092?since", "since '' is no time; write 2025-03-01T10:00"),
        ("kafka://localhost:9092?since=today", "since 'today' is no time"),
        ("kafka://localhost:9092?partition=-1&offset=0", "partition '-1' is no number"),
        ("kafka://localhost:9092?partition=0&partition=1", "'partition' is not asked for so"),
        ("kafka://localhost:9092?offset=5", "an offset goes with the partition that it is of"),
        (
            "kafka://localhost:9092?partition=1&offset=5&since=2025-03-01T10:00",
            "an offset goes with the partition that it is of, and not with since",
        ),
    ],
)
def test_a_wrong_address_is_one_line(address: str, says: str, own: Path) -> None:
    ran = asked(address, "--house", own)
    assert (ran.exit_code, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert says in ran.stderr


def test_a_house_file_is_needed() -> None:
    ran = asked("kafka://localhost:9092")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == (
        "discardrack: kafka://localhost:9092: events from Kafka need a house file; say --house FILE\n"
    )


def utc(hour: int, minute: int) -> int:
    return microseconds(datetime(2025, 11, 2, hour, minute, tzinfo=UTC))


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("", {}),
        # The clock in New York showed 1:30 twice that night: as 5:30 and as 6:30 UTC.
        ("?since=2025-11-02T01:30&until=2025-11-02T01:30", {"since": utc(5, 30), "until": utc(6, 30)}),
        ("?since=2025-11-02T03:00", {"since": utc(8, 0)}),
        ("?since=2025-11-02T01:30Z&until=2025-11-02T03:30+01:00", {"since": utc(1, 30), "until": utc(2, 30)}),
        ("?since=2025-11-02T01:30%2B01:00", {"since": utc(0, 30)}),
        ("?partition=3&offset=1200", {"partition": 3, "offset": 1200}),
    ],
)
def test_times_are_of_the_property_unless_they_say_otherwise(
    query: str, wanted: dict[str, int], own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[KafkaRange] = []

    def fetch(asked: KafkaRange, archive: Path, _house: object, _told: object) -> bool:
        heard.append(asked)
        write_journal(archive, build_kafka_records(b"no frame"), build_house())
        return True

    monkeypatch.setattr(kafka_log, "fetch", fetch)
    assert asked(f"kafka://localhost:9092{query}", "--house", own).exit_code == 2
    assert heard == [KafkaRange(broker="localhost:9092", **wanted)]


def test_nothing_of_a_copy_stays(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    there: list[bool] = []

    def fetch(_asked: KafkaRange, archive: Path, _house: object, _told: object) -> bool:
        write_journal(archive, build_kafka_records(b"no frame"), build_house())
        there.append((archive / JOURNAL).is_file() and scratch in archive.parents)
        return False

    monkeypatch.setattr(kafka_log, "fetch", fetch)
    ran = asked("kafka://localhost:9092", "--house", own)
    assert there == [True]
    assert '"error":' in ran.stdout
    assert "what was sent before is not known" in ran.stderr
    assert not any(scratch.iterdir())
