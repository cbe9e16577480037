"""Read straight from a real broker, by time and by offset: the same as from an archive, or one clear line."""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
import yaml
from click.testing import CliRunner, Result
from confluent_kafka import Producer

from replay.cli import main
from schemas import house as houses
from schemas.house import House
from streams import topics
from streams.archive.record_names import KafkaRecord
from streams.broker import HOST, LocalBroker
from streams.simulator import faults
from streams.simulator.simulate import simulate
from streams.topic_setup import create_topics
from tests.builders.archives import records_of_floor, replace_fields, write_journal
from tests.integration.conftest import PATIENCE, delete_topics, free_port

DAY: Final = 86_400_000_000  # microseconds
ODD: Final[list[tuple[bytes | None, bytes | None]]] = [
    (b"BAC-101", b"no frame"),
    (b"BAC-102", None),
    (None, b"without a key"),
]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a floor yesterday and the day before: Kafka drops what is older than a week."""
    folder = tmp_path_factory.mktemp("floor")
    begins = House(house="any").gaming_day(time.time_ns() // 1000 - 2 * DAY)[1]
    start = datetime.fromtimestamp(begins / 1_000_000, UTC)
    simulate(folder, tables=2, hours=0.5, days=2, seed="kafka", rates=faults.rates(sensors=True), start=start)
    return folder


@pytest.fixture(scope="module")
def sent(broker: LocalBroker, played: Path) -> list[KafkaRecord]:
    """Send a played floor and what is no frame; give it as the broker has it, but for the cluster's name."""
    records = records_of_floor(played)
    middle = len(records) // 2
    odd = [replace_fields(records[middle], key=key, payload=payload) for key, payload in ODD]
    found: list[KafkaRecord] = []
    producer = Producer({"bootstrap.servers": broker.address})
    for each in (*records[:middle], *odd, *records[middle:]):

        def told(error: object, message: object, each: KafkaRecord = each) -> None:
            assert error is None
            found.append(replace_fields(each, offset=message.offset()))  # type: ignore[attr-defined]  confluent_kafka's message

        producer.produce(
            topics.FRAMES,
            each.payload,
            each.key,
            partition=each.partition,
            timestamp=each.received // 1000,
            on_delivery=told,
        )
    producer.flush(PATIENCE)
    assert len(found) == len(records) + len(ODD)
    return found


def archive_of(folder: Path, played: Path, records: Sequence[KafkaRecord], *, whole: bool) -> Path:
    """Archive records; where they are not whole, of the tables alone."""
    house = houses.load("house.yaml", played)
    text = (played / "house.yaml").read_text("utf-8")
    if not whole:
        text = yaml.safe_dump({key: each for key, each in yaml.safe_load(text).items() if key != "ledgers"})
        records = [each for each in records if (each.key or b"").decode() not in house.ledgers]
    folder.mkdir()
    (folder / "house.yaml").write_text(text, "utf-8")
    write_journal(folder, records, house)
    return folder


@pytest.fixture
def ask(broker: LocalBroker, played: Path, sent: list[KafkaRecord]) -> Iterator[Callable[..., Result]]:
    assert sent

    def asked(verb: str, query: str, *more: str) -> Result:
        where = f"kafka://{broker.address}{query}"
        what = ["findings"] if verb == "export" else []
        house = str(played / "house.yaml")
        return CliRunner().invoke(main, [verb, *what, where, *more, "--house", house], catch_exceptions=False)

    return asked


def audited(archive: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["audit", str(archive), *more], catch_exceptions=False)


def test_all_that_kafka_has_is_what_an_archive_of_it_gives(
    tmp_path: Path, played: Path, sent: list[KafkaRecord], ask: Callable[..., Result]
) -> None:
    archive = archive_of(tmp_path / "archive", played, sent, whole=True)
    for form in ("jsonl", "csv", "table"):
        there, here = audited(archive, "--format", form), ask("audit", "", "--format", form)
        assert here.stdout == there.stdout != ""
        assert here.exit_code == there.exit_code == 2
    assert "no frame" not in here.stderr


def lines(answer: str) -> list[str]:
    """Return the lines of an answer in an order of their own.

    Where a record that is no frame comes among the tables depends on which partition was delivered first.
    """
    return sorted(answer.splitlines())


def test_from_a_time_on_and_up_to_one(
    tmp_path: Path, played: Path, sent: list[KafkaRecord], ask: Callable[..., Result]
) -> None:
    zone = houses.load("house.yaml", played).local(sent[0].received).tzinfo
    times = sorted(each.received for each in sent)
    begins, ends = (
        datetime.fromtimestamp(times[len(times) * part // 5] // 1_000_000, zone) for part in (2, 4)
    )
    within = [
        each
        for each in sent
        if begins.timestamp() * 1_000_000 <= each.received < ends.timestamp() * 1_000_000
    ]
    assert 0 < len(within) < len(sent)
    there = audited(archive_of(tmp_path / "archive", played, within, whole=False)).stdout
    local = f"?since={begins.replace(tzinfo=None).isoformat()}&until={ends.replace(tzinfo=None).isoformat()}"
    ran = ask("audit", local)
    assert lines(ran.stdout) == lines(there) != []
    assert "what was sent before is not known" in ran.stderr
    utc = (each.astimezone(UTC).isoformat() for each in (begins, ends))
    assert lines(ask("audit", "?since={}&until={}".format(*utc)).stdout) == lines(there)


def test_from_an_offset_of_a_partition_on(
    tmp_path: Path, played: Path, sent: list[KafkaRecord], ask: Callable[..., Result]
) -> None:
    within = [each for each in sent if each.partition == 1 and each.offset >= 100]
    there = audited(archive_of(tmp_path / "archive", played, within, whole=False)).stdout
    assert ask("audit", "?partition=1&offset=100").stdout == there != ""


def test_a_hand_that_is_not_archived_yet_is_put_on_the_table(
    tmp_path: Path, played: Path, sent: list[KafkaRecord], ask: Callable[..., Result]
) -> None:
    archive = archive_of(tmp_path / "archive", played, sent, whole=True)
    arguments = (
        "BAC-102",
        "12",
        "--date",
        str(houses.load("house.yaml", played).gaming_date(sent[0].received)),
    )
    there = CliRunner().invoke(main, ["hand", str(archive), *arguments], catch_exceptions=False)
    here = ask("hand", "", *arguments)
    assert (here.exit_code, here.stdout) == (0, there.stdout)
    assert "BAC-102, round 12" in here.stdout


def test_what_is_released_from_kafka_is_noted_in_a_file_that_is_named(
    tmp_path: Path, broker: LocalBroker, ask: Callable[..., Result]
) -> None:
    log = tmp_path / "custody.jsonl"
    where = f"kafka://{broker.address}"
    refused = ask("export", "")
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert f"{where}: has no log of custody; what is released has to be noted" in refused.stderr
    ran = ask("export", "", "--custody", str(log), "--by", "A. Reyes")
    assert ran.stdout.count("\n") > 1
    lines = [json.loads(line) for line in log.read_bytes().splitlines()]
    assert [(each["by"], each["archive"], each["does"]) for each in lines] == [
        ("A. Reyes", where, "open"),
        ("A. Reyes", where, "release"),
    ]
    assert lines[1]["sha256"] == hashlib.sha256(ran.stdout.encode()).hexdigest()


def test_what_is_not_there_is_one_line(
    broker: LocalBroker, sent: list[KafkaRecord], ask: Callable[..., Result]
) -> None:
    beyond = 1 + max(each.offset for each in sent if each.partition == 0)
    later = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    for query, says in (
        ("?partition=12", "floor.frames has no partition 12, but 0 to 11"),
        (f"?partition=0&offset={beyond}", f"offset {beyond} is not in partition 0; it has 0 to {beyond - 1}"),
        ("?partition=11&offset=0", "offset 0 is not in partition 11; it has no record now"),
        (f"?since={later}", "floor.frames has no record of that time"),
    ):
        ran = ask("audit", query)
        assert (ran.exit_code, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
        assert says in ran.stderr
    ran = ask("hand", "", "BAC-999", "1")
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert f"discardrack: kafka://{broker.address}: no table 'BAC-999'; it holds " in ran.stderr


@pytest.fixture
def without_frames(broker: LocalBroker) -> Iterator[None]:
    """Take from the broker the topic of frames, and all that was sent, for the time of a test."""
    delete_topics(broker, topics.FRAMES)
    yield
    create_topics(broker.address)


@pytest.mark.usefixtures("without_frames")
def test_a_broker_without_the_topic_is_one_line(broker: LocalBroker, played: Path) -> None:
    arguments = ["audit", f"kafka://{broker.address}", "--house", str(played / "house.yaml")]
    ran = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert f"{broker.address}: has no topic floor.frames" in ran.stderr


def test_nobody_at_the_address_is_one_line(played: Path) -> None:
    # In a process of its own: the client leaves the sockets of failed attempts to the garbage collector.
    where = f"{HOST}:{free_port()}"
    call = [str(Path(sys.executable).with_name("discardrack")), "audit", f"kafka://{where}"]
    ran = subprocess.run(  # noqa: S603  our own command
        [*call, "--house", played / "house.yaml"], capture_output=True, text=True, check=False
    )
    says = f"discardrack: {where}: no Kafka broker answers there within 5 s\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", says)
