"""Tables' status comes into the store with the offsets of their frames, and to the pages."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from msgspec.structs import asdict

from projections.casework.table_status import Lag, TableStatus
from projections.store.store import Store
from projections.web.live.broadcaster import LiveFloor
from schemas import events as e
from schemas.codec import VERSION, Frame, encode
from streams.projector.record_batch import FetchedRecord
from streams.projector.writer import StoreWriter
from streams.topics import FRAMES
from tests.builders.projector import build_fetched_record, build_result, project_batch, read_event_stream
from tests.builders.projector import open_event_stream as opened_stream
from tests.builders.table_script import BANKER_WINS, START, Script

SECOND = 1_000_000


def played() -> list[FetchedRecord]:
    """Play a round, a frame an event, all in one partition from offset 10."""
    script = Script()
    script.open()
    script.say("T", e.DealerAssigned, dealer="D-1", calling=True)
    script.begin()
    script.deal(BANKER_WINS)
    script.end()
    return [
        FetchedRecord(
            FRAMES,
            2,
            10 + n,
            encode(Frame(v=VERSION, table="BAC-1", frame=1 + n, received=START + n, events=[event])),
        )
        for n, event in enumerate(script.events)
    ]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Set the clock on the wall, in seconds."""

    def put(seconds: int) -> None:
        monkeypatch.setattr("streams.processes.now", lambda: seconds * SECOND)

    put(1_000)
    return put


def standing(storing: StoreWriter, table: str = "BAC-1") -> dict[str, Any]:
    return asdict(storing.news("A").standings[table])


def test_frames_come_into_the_store_with_their_offset_every_five_seconds(
    store: Store, at: Callable[[int], None]
) -> None:
    storing = StoreWriter(store, "UTC")
    frames = played()
    assert project_batch(storing, "A", frames[:3]) == 0  # the first are written at once
    assert storing.offsets("A") == {(FRAMES, 2): 13}
    at(1_004)
    project_batch(storing, "A", frames[3:5])
    assert storing.offsets("A") == {(FRAMES, 2): 13}
    assert json.loads(store.standings("A")["BAC-1"])["received"] == START + 2
    at(1_005)
    project_batch(storing, "A", [])
    assert storing.offsets("A") == {(FRAMES, 2): 15}
    assert json.loads(store.standings("A")["BAC-1"])["received"] == START + 4
    assert store.standings("B") == {}


def test_after_a_crash_it_goes_on_where_it_was_written_and_nothing_counts_twice(
    path: Path, at: Callable[[int], None]
) -> None:
    frames = played()
    with Store(path) as store:
        whole = StoreWriter(store, "UTC")
        project_batch(whole, "A", frames)
        expected = standing(whole)
    path.unlink()
    with Store(path) as store:
        first = StoreWriter(store, "UTC")
        project_batch(first, "A", frames[:5])
        project_batch(first, "A", frames[5:9])  # not written: the process was killed before
    with Store(path) as store:
        second = StoreWriter(store, "UTC")
        ((_, reached),) = second.offsets("A").items()
        assert reached == 15
        project_batch(second, "A", frames[3:])  # from before the offset, as if it had been lost
        assert standing(second) == expected
    assert expected["drawn"] == 2 + 4
    at(1_000)


def test_a_frame_that_cannot_be_read_stops_nothing_and_is_not_refused_here(store: Store) -> None:
    storing = StoreWriter(store, "UTC")
    frames = played()
    assert project_batch(storing, "A", [*frames[:4], FetchedRecord(FRAMES, 2, 14, b"{"), *frames[5:]]) == 0
    told = standing(storing)
    assert (told["dealers"], told["drawn"], told["last"]) == ((), 2 + 4, "1")  # the dealer's frame is lost
    with store.reading() as db:
        assert db.sql("SELECT count(*) FROM quarantine").fetchall() == [(0,)]


def test_a_conclusion_that_cannot_be_stored_takes_no_standing_along(store: Store) -> None:
    storing = StoreWriter(store, "UTC")
    project_batch(storing, "A", [*played(), build_fetched_record(7, build_result("9", revision=10**12))])
    assert storing.offsets("A")[FRAMES, 2] == 10 + len(played())
    assert "BAC-1" in store.standings("A")


def test_another_cluster_s_floor_is_another_one(store: Store) -> None:
    storing = StoreWriter(store, "UTC")
    project_batch(storing, "A", played())
    project_batch(storing, "B", [])
    assert storing.news("B").standings == {}
    assert standing(storing)["last"] == "1"


def test_how_long_a_conclusion_took_is_measured_by_table(store: Store, at: Callable[[int], None]) -> None:
    storing = StoreWriter(store, "UTC")
    received = (998 * SECOND, 999 * SECOND)
    project_batch(
        storing,
        "A",
        [build_fetched_record(n, build_result(str(n), received=came)) for n, came in enumerate(received)],
    )
    assert storing.news("A").lags == {"BAC-101": Lag(SECOND, 1_000 * SECOND, "1.0")}
    assert storing.news("A").lags == {}
    at(1_001)
    project_batch(
        storing, "A", [build_fetched_record(2, build_result("3", received=1_002 * SECOND))]
    )  # a gateway whose clock is ahead
    assert storing.news("A").lags == {"BAC-101": Lag(0, 1_001 * SECOND, "1.0")}


# ── the pages ────────────────────────────────────────────────────────────────────────────────────────


def names(outgoing: bytes) -> list[str]:
    return [name for name, _ in read_event_stream(outgoing)]


def test_pages_are_notified_of_moved_tables_at_most_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("projections.web.live.broadcaster.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("projections.web.live.broadcaster._COMMITS", 0.25)  # of these they are told sooner

    async def scenario() -> None:
        live = LiveFloor(duckdb.connect(), "UTC")
        stream = await opened_stream(live)
        for round_ in ("1", "2", "3"):
            live.set_state("A", {"BAC-1": TableStatus(round=round_)}, {})
        live.stored(1)
        assert names(await anext(stream)) == ["stored", "tables"]
        assert live.tables["BAC-1"].round == "3"
        clock[0] += 0.9
        live.set_state("A", {}, {})
        live.stored(1)
        assert names(await anext(stream)) == ["stored"]
        clock[0] += 0.1
        live.set_state("A", {}, {})  # nothing new, but what moved within the second was not told yet
        assert names(await anext(stream)) == ["tables"]

    asyncio.run(scenario())


def test_tables_of_a_floor_that_is_no_longer_followed_are_gone() -> None:
    live = LiveFloor(duckdb.connect(), "UTC")
    live.set_state("A", {"BAC-1": TableStatus(), "BAC-2": TableStatus()}, {"BAC-1": Lag(1, 2)})
    live.set_state("A", {"BAC-1": TableStatus(round="8")}, {})
    assert set(live.tables) == {"BAC-1", "BAC-2"}
    live.set_state("B", {"BAC-3": TableStatus()}, {})
    assert (set(live.tables), live.lags) == ({"BAC-3"}, {})
