"""Operators see an alert before the store has it, and see it withdrawn if the store refuses it."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from projections.casework.command_handler import CommandHandler
from projections.engine.findings import Finding
from projections.store.store import Store
from projections.store.stored_alerts import came_of
from projections.web.bootstrap import open_commands, wall_clock
from projections.web.live.broadcaster import LiveFloor
from schemas.room_settings import RoomSettings
from streams.messages import Result, encode
from streams.projector.ingest import BatchIngest
from streams.projector.record_batch import FetchedRecord
from streams.projector.writer import HeardBatch, StoreWriter
from streams.topics import ROUNDS
from tests.builders.alerts import TABLES, build_conclusion, build_finding


@pytest.fixture
def desk(store: Store) -> CommandHandler:
    return open_commands(store, RoomSettings(), TABLES, wall_clock(), live=True)


@pytest.fixture
def storing(store: Store, desk: CommandHandler) -> StoreWriter:
    return StoreWriter(store, "America/New_York", commands=desk)


def record(offset: int, number: str, revision: int, *findings: Finding) -> FetchedRecord:
    said = build_conclusion(number, *findings)
    told = Result(software="1.0", frame="BAC-1#7", received=0, judged=0, revision=revision, conclusion=said)
    return FetchedRecord(ROUNDS, 0, offset, encode(told))


def stand(desk: CommandHandler) -> set[str]:
    return {each.alert.id for each in desk.queue_items(wall_clock())}


def stored(store: Store) -> set[str]:
    return {name for (name,) in store.reading().execute("SELECT id FROM findings").fetchall()}


def test_an_alert_stands_and_is_news_before_it_is_written(
    store: Store, desk: CommandHandler, storing: StoreWriter
) -> None:
    heard = storing.hear("A", [record(0, "1", 1, build_finding("a"))])
    assert stand(desk) == {"a"}
    assert desk.news().touched == {"a"}
    assert (stored(store), came_of(store.reading(), ["a"], wall_clock())) == (set(), [])
    assert storing.write([heard]) == 1
    assert stored(store) == {"a"}
    assert [each.id for each in came_of(store.reading(), ["a"], wall_clock())] == ["a"]
    assert not desk.news()


def test_who_asks_the_store_for_an_alert_waits_until_it_is_there(
    store: Store, desk: CommandHandler, storing: StoreWriter
) -> None:
    heard = storing.hear("A", [record(0, "1", 1, build_finding("a"))])
    found: list[set[str]] = []

    def ask() -> None:
        desk.wait_until_written()
        found.append(stored(store))

    asking = threading.Thread(target=ask)
    asking.start()
    asking.join(0.05)
    assert found == []
    storing.write([heard])
    asking.join()
    assert found == [{"a"}]


def test_a_revision_that_comes_late_changes_nothing_for_the_room(
    desk: CommandHandler, storing: StoreWriter
) -> None:
    """The second revision takes back what the first found; then the first comes again, written or not."""
    first, second = record(0, "1", 1, build_finding("a")), record(1, "1", 2)
    heard = [storing.hear("A", [first]), storing.hear("A", [second]), storing.hear("A", [first])]
    assert stand(desk) == set()
    storing.write(heard)
    storing.write([storing.hear("A", [first])])
    assert stand(desk) == set()


def test_the_same_revision_again_rings_no_second_time(desk: CommandHandler, storing: StoreWriter) -> None:
    batch = [record(0, "1", 1, build_finding("a"))]
    storing.write([storing.hear("A", batch)])
    rings = desk.rings(wall_clock())
    storing.write([storing.hear("A", batch)])
    assert (stand(desk), desk.rings(wall_clock())) == ({"a"}, rings)


def test_what_the_store_refuses_stands_no_more_and_what_it_has_stands_again(
    store: Store, desk: CommandHandler, storing: StoreWriter
) -> None:
    """A second conclusion of the same revision says something else; one that cannot be held says anything."""
    storing.write([storing.hear("A", [record(0, "1", 1, build_finding("a"))])])
    desk.news()
    heard = storing.hear(
        "A", [record(1, "1", 1, build_finding("b")), record(2, "2", 10**12, build_finding("c"))]
    )
    assert stand(desk) == {"b", "c"}
    storing.write([heard])
    assert stand(desk) == stored(store) == {"a"}
    assert desk.news().touched == {"a", "b", "c"}
    assert came_of(store.reading(), ["b", "c"], wall_clock()) == []


def test_batches_that_are_heard_one_by_one_are_written_together(
    store: Store, monkeypatch: pytest.MonkeyPatch, storing: StoreWriter
) -> None:
    taken: list[int] = []
    write_batch = store.write_batch

    def counted(concluded: Any, *rest: Any) -> Any:
        taken.append(sum(map(len, concluded.values())))
        return write_batch(concluded, *rest)

    monkeypatch.setattr(store, "write_batch", counted)
    heard = [storing.hear("A", [record(n, str(n), 1, build_finding(f"f{n}"))]) for n in range(3)]
    assert storing.write(heard) == 3
    assert taken == [3]
    assert storing.offsets("A") == {(ROUNDS, 0): 3}


class Slow(StoreWriter):
    """Writes when it is let, and notes how much at once."""

    may: threading.Event
    wrote: list[int]

    def write(self, heard: Sequence[HeardBatch]) -> int:
        """Wait, and write."""
        self.may.wait()
        self.wrote.append(len(heard))
        return super().write(heard)


def test_the_pages_hear_of_what_comes_while_the_store_is_busy(store: Store, desk: CommandHandler) -> None:
    storing = Slow(store, "UTC", commands=desk)
    storing.may, storing.wrote = threading.Event(), []

    async def scenario() -> None:
        live = LiveFloor(store.reading(), "UTC")
        entering = BatchIngest(storing, live)
        for n in range(4):
            await entering.broadcast("A", [record(n, str(n), 1, build_finding(f"f{n}"))])
        assert live.broadcasts == 4
        assert entering.reached == {}
        storing.may.set()
        await entering.written()
        assert entering.reached == {(ROUNDS, 0): 4}

    asyncio.run(scenario())
    assert storing.wrote == [1, 3]
    assert stored(store) == {f"f{n}" for n in range(4)}


def test_who_asks_the_store_hurries_what_would_be_written_later(
    store: Store, desk: CommandHandler, storing: StoreWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streams.projector.ingest._PACE", 3600.0)

    async def scenario() -> None:
        entering = BatchIngest(storing, LiveFloor(store.reading(), "UTC"))
        await entering.broadcast("A", [record(0, "1", 1, build_finding("f0"))])
        await entering.written()  # the first is written at once
        await entering.broadcast("A", [record(1, "2", 1, build_finding("f1"))])
        await asyncio.sleep(0.1)
        assert stored(store) == {"f0"}
        await asyncio.to_thread(desk.wait_until_written)
        assert stored(store) == {"f0", "f1"}
        await entering.written()

    asyncio.run(scenario())


def test_who_ends_it_waits_for_what_is_being_written(store: Store, desk: CommandHandler) -> None:
    storing = Slow(store, "UTC", commands=desk)
    storing.may, storing.wrote = threading.Event(), []

    async def scenario() -> None:
        entering = BatchIngest(storing, LiveFloor(store.reading(), "UTC"))
        await entering.broadcast("A", [record(0, "1", 1, build_finding("a"))])
        ending = asyncio.create_task(entering.written())
        await asyncio.sleep(0.01)
        ending.cancel()
        asyncio.get_running_loop().call_later(0.05, storing.may.set)
        with pytest.raises(asyncio.CancelledError):
            await ending
        assert stored(store) == {"a"}

    asyncio.run(scenario())


def test_a_finding_of_another_severity_in_a_newer_revision_is_the_one_that_stands(
    desk: CommandHandler, storing: StoreWriter
) -> None:
    said = build_finding("a")
    heard = [
        storing.hear("A", [record(0, "1", 1, said)]),
        storing.hear("A", [record(1, "1", 2, replace(said, severity="critical"))]),
    ]
    storing.write(heard)
    assert [each.alert.severity for each in desk.queue_items(wall_clock())] == ["critical"]
