"""The projector without a broker: records into the store, none stops its neighbours, pages are notified."""

import asyncio
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from aiokafka import TopicPartition
from msgspec.structs import replace
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import canonical
from projections.engine.findings import Finding
from projections.engine.observation import Key, Paid, Round, Wager
from projections.store.store import Store
from projections.web.live.broadcaster import LiveFloor, Rate, State
from schemas.errors import DiscardrackError
from streams.messages import Quarantined, encode, read_result, result_of
from streams.projector import kafka_follower
from streams.projector.kafka_follower import STALLED, Cluster, Projector
from streams.projector.record_batch import FetchedRecord
from streams.projector.writer import StoreWriter
from streams.topics import FRAMES, QUARANTINE, ROUNDS
from tests.builders.audited_floor import play_and_audit_floor
from tests.builders.projector import (
    DAY,
    build_fetched_record,
    build_result,
    open_event_stream,
    project_batch,
    read_event,
    read_event_stream,
)
from tests.builders.round_records import run_verb
from tests.builders.texts import verbatim_fact

SECOND = 1_000_000
RUN = "live 1.0"

OVERPAID = Finding(
    id="aaaa",
    check="paid_too_much",
    weight="mismatch",
    severity="high",
    message=verbatim_fact("banker: paid $30.00, due $25.00: overpaid $5.00"),
    citations=("631a.13(c)",),
    status="adopted",
)


@pytest.fixture
def storing(store: Store) -> StoreWriter:
    return StoreWriter(store, "America/New_York")


def ask(store: Store, query: str) -> list[tuple[Any, ...]]:
    with store.reading() as db:
        return db.sql(query).fetchall()


def rounds(store: Store) -> list[str]:
    return [number for (number,) in ask(store, "SELECT round FROM rounds ORDER BY round")]


# ── what came is stored ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Concluded]]:
    return play_and_audit_floor(tmp_path_factory.mktemp("floor"), tables=2)


def test_what_comes_through_messages_is_what_the_embedded_audit_concluded(
    store: Store, storing: StoreWriter, floor: list[tuple[str, Concluded]]
) -> None:
    records = [
        build_fetched_record(offset, result_of(each, "1.0", frame, 0, 0))
        for offset, (frame, each) in enumerate(floor)
    ]
    assert project_batch(storing, "A", records) == len(records)
    revised = sum(each.revision > 1 for _, each in floor)
    assert revised > 0, "a floor without a revised round would prove little"
    assert canonical(store.conclusions(RUN)) == canonical(each.conclusion for _, each in floor)
    assert ask(store, "SELECT count(*) FROM rounds") == [(len(records),)]


def test_what_was_seen_comes_through_messages_whole(floor: list[tuple[str, Concluded]]) -> None:
    seen = [each.seen for _, each in floor if each.seen is not None and each.seen.paid]
    assert seen, "no round with settlement"
    for frame, each in floor:
        read = read_result(encode(result_of(each, "1.0", frame, 0, 0)))
        if each.seen is None or read.seen is None:
            assert (each.seen, read.seen) == (None, None)
        else:
            assert dict(read.seen.wagers) == each.seen.wagers
            assert dict(read.seen.paid or ()) == (each.seen.paid or {})


def test_offsets_are_those_of_the_next_records(storing: StoreWriter) -> None:
    project_batch(
        storing,
        "A",
        [
            build_fetched_record(4, build_result("1")),
            build_fetched_record(5, build_result("2")),
            build_fetched_record(9, build_result("3"), partition=0),
        ],
    )
    assert storing.offsets("A") == {(ROUNDS, 3): 6, (ROUNDS, 0): 10}
    project_batch(storing, "A", [build_fetched_record(6, build_result("4"))])
    assert storing.offsets("A") == {(ROUNDS, 3): 7, (ROUNDS, 0): 10}
    assert storing.offsets("B") == {}


def test_a_batch_that_comes_again_changes_nothing(store: Store, storing: StoreWriter) -> None:
    batch = [
        build_fetched_record(0, build_result("1", "mismatch", OVERPAID)),
        build_fetched_record(1, build_result("2")),
        build_fetched_record(2, b"{"),
    ]
    assert project_batch(storing, "A", batch) == 3
    before = ask(store, "SELECT * FROM rounds"), ask(store, "SELECT * FROM quarantine")
    project_batch(storing, "A", batch)
    project_batch(StoreWriter(store, "UTC"), "A", batch)
    assert (ask(store, "SELECT * FROM rounds"), ask(store, "SELECT * FROM quarantine")) == before


def test_nothing_of_a_transaction_stays_that_does_not_end(
    store: Store, storing: StoreWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_batch(storing, "A", [build_fetched_record(0, build_result("1"))])
    monkeypatch.setitem(
        Store.write_batch.__globals__["_INSERTS"], "offsets", "INSERT INTO nowhere FROM arriving"
    )
    with pytest.raises(DiscardrackError, match="the store cannot be written: Catalog Error"):
        project_batch(
            storing, "A", [build_fetched_record(1, build_result("2")), build_fetched_record(2, b"{")]
        )
    assert rounds(store) == ["1"]
    assert ask(store, "SELECT * FROM quarantine") == []
    assert storing.offsets("A") == {(ROUNDS, 3): 1}


# ── what cannot be stored ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"not json", "JSON is malformed"),
        (b"", "Input data was truncated"),
        (b'{"software": "\xff"}', "utf-8"),
        (encode(build_result("9")).replace(b'"clean"', b'"fine"'), "Invalid enum value"),
        (encode(build_result("9", v=2)), "schema version 2 is unknown; this software reads 1"),
        (encode(build_result("9", revision=10**12)), "a figure that no column of the store can hold"),
        (encode(build_result("9", "mismatch", OVERPAID, OVERPAID)), "duplicate key"),
        (encode(build_result("1", "mismatch")), "two conclusions for revision 1 of"),
    ],
    ids=["text", "empty", "bytes", "verdict", "version", "figure", "doubled", "second"],
)
def test_what_cannot_be_stored_is_one_row_and_takes_no_neighbour_along(
    store: Store, storing: StoreWriter, bad: bytes, reason: str
) -> None:
    batch = [build_fetched_record(n, build_result(str(n))) for n in range(1, 5)]
    with capture_logs() as logged:
        project_batch(storing, "A", [*batch[:2], build_fetched_record(77, bad, partition=5), *batch[2:]])
    assert rounds(store) == ["1", "2", "3", "4"]
    ((name, why, payload, place),) = ask(store, "SELECT id, reason, payload, place FROM quarantine")
    assert (name, place) == (f"{ROUNDS}/5/77", f"{ROUNDS}, partition 5, offset 77")
    assert reason in why
    assert payload == bad.decode(errors="replace")
    assert storing.offsets("A") == {(ROUNDS, 3): 5, (ROUNDS, 5): 78}
    assert [each["record"] for each in logged if each["event"] == "record_refused"] == [name]


def test_several_at_fault_among_many_are_all_found(store: Store, storing: StoreWriter) -> None:
    bad = {7, 8, 40, 99}
    project_batch(
        storing,
        "A",
        [
            build_fetched_record(n, build_result(f"{n:03}", revision=10**12 if n in bad else 1))
            for n in range(100)
        ],
    )
    assert rounds(store) == [f"{n:03}" for n in range(100) if n not in bad]
    assert {name for (name,) in ask(store, "SELECT id FROM quarantine")} == {f"{ROUNDS}/3/{n}" for n in bad}


def test_what_another_process_could_not_read_is_a_row_once(store: Store, storing: StoreWriter) -> None:
    found = Quarantined(id="floor.frames/2/7", where="floor.frames 2:7", reason="no", payload="{", table="T")
    again = replace(found, reason="still no")
    batch = [FetchedRecord(QUARANTINE, 0, n, encode(each)) for n, each in enumerate((found, again))]
    project_batch(storing, "A", [*batch, FetchedRecord(QUARANTINE, 0, 2, b"?")])
    assert ask(store, "SELECT cluster, id, place, payload, table_id FROM quarantine ORDER BY id") == [
        ("A", "floor.frames/2/7", "floor.frames 2:7", "{", "T"),
        ("A", f"{QUARANTINE}/0/2", f"{QUARANTINE}, partition 0, offset 2", "?", None),
    ]
    (found_why, own_why) = ask(store, "SELECT reason FROM quarantine ORDER BY id")
    assert found_why == ("no",)
    assert own_why[0].startswith("JSON is malformed")
    assert storing.offsets("A") == {(QUARANTINE, 0): 3}


# ── runs ─────────────────────────────────────────────────────────────────────────────────────────────


def runs(store: Store) -> list[tuple[str, str, str]]:
    return sorted((run.run, run.version, run.source) for run in store.runs())


def test_versions_at_work_together_have_a_run_each(store: Store, storing: StoreWriter) -> None:
    project_batch(
        storing,
        "A",
        [
            build_fetched_record(0, build_result("1")),
            build_fetched_record(1, build_result("1", "mismatch", software="1.1")),
        ],
    )
    assert runs(store) == [
        ("live 1.0", "1.0", "floor.rounds of cluster A"),
        ("live 1.1", "1.1", "floor.rounds of cluster A"),
    ]
    assert ask(store, "SELECT run, verdict FROM rounds ORDER BY run") == [
        ("live 1.0", "clean"),
        ("live 1.1", "mismatch"),
    ]


def test_a_restart_goes_on_with_its_run_in_its_zone(path: Path) -> None:
    for offset, zone in enumerate(("America/New_York", "UTC")):
        with Store(path) as store:
            project_batch(
                StoreWriter(store, zone), "A", [build_fetched_record(offset, build_result(str(offset)))]
            )
    with Store(path) as store:
        assert [(run.run, run.zone) for run in store.runs()] == [("live 1.0", "America/New_York")]
        assert rounds(store) == ["0", "1"]


def test_a_new_cluster_begins_a_run_though_its_numbers_are_the_same(
    store: Store, storing: StoreWriter
) -> None:
    project_batch(storing, "A", [build_fetched_record(0, build_result("1"))])
    project_batch(
        storing,
        "B",
        [build_fetched_record(0, build_result("1", "mismatch", OVERPAID)), build_fetched_record(1, b"{")],
    )
    project_batch(storing, "A", [build_fetched_record(1, b"{")])
    assert [name for name, _, _ in runs(store)] == ["live 1.0", "live 1.0 (2)"]
    assert ask(store, "SELECT run, verdict FROM rounds ORDER BY run") == [
        ("live 1.0", "clean"),
        ("live 1.0 (2)", "mismatch"),
    ]
    assert ask(store, "SELECT cluster, id FROM quarantine ORDER BY cluster") == [
        ("A", f"{ROUNDS}/3/1"),
        ("B", f"{ROUNDS}/3/1"),
    ]


def test_a_run_may_be_named(store: Store) -> None:
    project_batch(StoreWriter(store, "UTC", "rehearsal"), "A", [build_fetched_record(0, build_result("1"))])
    assert [run.run for run in store.runs()] == ["rehearsal 1.0"]


# ── what it tells ────────────────────────────────────────────────────────────────────────────────────


def figure(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_a_finding_is_logged_once_with_the_frame_that_brought_it(storing: StoreWriter) -> None:
    labels = {"check": "paid_too_much", "severity": "high"}
    before = figure("discardrack_findings_total", **labels)
    first = build_fetched_record(0, build_result("1", "mismatch", OVERPAID))
    stays = build_fetched_record(
        1, build_result("1", "mismatch", OVERPAID, replace(OVERPAID, id="bbbb"), revision=2)
    )
    with capture_logs() as logged:
        project_batch(storing, "A", [first])
        project_batch(storing, "A", [first, stays])
    told = [each for each in logged if each["event"] == "finding_stored"]
    assert [(each["finding"], each["revision"], each["frame"]) for each in told] == [
        ("aaaa", 1, "BAC-101#7"),
        ("bbbb", 2, "BAC-101#7"),
    ]
    assert told[0]["about"] == "2025-03-01|BAC-101|1"
    assert figure("discardrack_findings_total", **labels) == before + 2


def test_latency_is_counted_from_the_gateway_s_receipt(
    storing: StoreWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streams.processes.now", lambda: 107_000_000)
    name = "discardrack_latency_seconds_sum"
    before = {stage: figure(name, stage=stage) for stage in ("judged", "stored")}
    batch = [build_fetched_record(0, build_result("1", received=100 * SECOND, judged=102 * SECOND))]
    project_batch(storing, "A", batch)
    project_batch(storing, "A", batch)
    after = {stage: figure(name, stage=stage) - before[stage] for stage in before}
    assert after == pytest.approx({"judged": 2.0, "stored": 7.0})


# ── the pages ────────────────────────────────────────────────────────────────────────────────────────


def test_every_waiting_page_is_notified_of_every_commit() -> None:
    async def scenario() -> None:
        live = LiveFloor(duckdb.connect(), "UTC")
        one, other = await open_event_stream(live), await open_event_stream(live)
        live.stored(2)
        assert read_event(await anext(one)) == ("stored", {"state": "kafka away"})
        live.stored(0)  # nothing that a page shows
        live.stored(3)
        live.turned("ok")
        assert read_event(await anext(one)) == ("stored", {"state": "ok"})
        assert read_event(await anext(other)) == ("stored", {"state": "ok"})

    asyncio.run(scenario())


def test_the_notice_of_a_commit_says_how_the_floor_is_followed() -> None:
    async def scenario() -> None:
        live = LiveFloor(duckdb.connect(), "UTC")
        stream = await open_event_stream(live)
        live.turned("ok")
        live.lag = 1200
        live.written = datetime(2025, 3, 1, 20, 40, tzinfo=UTC)
        follows = "Following the floor, 1,200 waiting"
        ((stored_name, stored), floor_event) = read_event_stream(await anext(stream))
        assert (stored_name, stored["state"]) == ("stored", "ok")
        assert stored["text"] == f"{follows}; last written 03/01/2025 8:40:00 PM UTC."
        assert floor_event == ("floor", {"followed": True, "text": follows})
        live.turned("kafka away")
        ((_, stored), (_, floor)) = read_event_stream(await anext(stream))
        assert not floor["followed"]
        assert re.fullmatch(
            r"Not following the floor since [/\d]+ [:\d]+ [AP]M UTC: Kafka away", floor["text"]
        )
        assert stored["text"] == f"{floor['text']}; last written 03/01/2025 8:40:00 PM UTC."

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("state", "plays", "followed"),
    [
        ("ok", None, True),
        ("recorded", None, True),
        ("kafka away", 10.0, True),
        ("kafka away", None, False),
        ("topics missing", None, False),
        ("audit stalled", None, False),
    ],
)
def test_a_floor_is_followed_unless_something_is_in_the_way(
    state: State, plays: float | None, *, followed: bool
) -> None:
    live = LiveFloor(duckdb.connect(), "UTC", state)
    live.play_speed = plays
    assert live.is_current is followed


def test_simultaneous_news_goes_out_as_one_and_consecutive_commits_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("projections.web.live.broadcaster._COMMITS", 0.05)

    async def scenario() -> None:
        live = LiveFloor(duckdb.connect(), "UTC")
        stream = await open_event_stream(live)
        live.stored(1)
        live.rated(Rate(3, 2))
        together = await anext(stream)
        assert [event for event, _ in read_event_stream(together)] == ["stored", "rate"]
        live.stored(2)
        live.stored(3)
        assert read_event(await anext(stream)) == ("stored", {"state": "kafka away"})

    asyncio.run(scenario())


def test_a_silent_stream_says_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projections.web.live.broadcaster._SILENCE", 0.01)

    async def scenario() -> None:
        live = LiveFloor(duckdb.connect(), "UTC")
        stream = await open_event_stream(live)
        assert await anext(stream) == b": still here\r\n\r\n"
        live.stored(1)
        assert read_event(await anext(stream)) == ("stored", {"state": "kafka away"})

    asyncio.run(scenario())


def test_streams_end_when_the_process_is_about_to() -> None:
    async def scenario() -> list[bytes]:
        live = LiveFloor(duckdb.connect(), "UTC")
        stream = await open_event_stream(live)
        live.end()
        return [message async for message in stream]

    assert asyncio.run(scenario()) == []


def test_seen_of_a_round_is_stored_with_its_money(store: Store, storing: StoreWriter) -> None:
    seen = Round(
        table="BAC-101",
        number="1",
        day=DAY,
        at=1_740_859_200_000_000,
        play=[("player", "2d"), ("banker", "9s")],
        wagers={Key(1, None, "banker", None): Wager(2500), Key(2, "b", "tie", None): Wager(700, 500, "MP")},
        paid={Key(1, None, "banker", None): Paid(3000, 125)},
    )
    each = Concluded(build_result("1").conclusion, 1, seen)
    project_batch(storing, "A", [build_fetched_record(0, result_of(each, "1.0", "BAC-101#7", 0, 0))])
    assert ask(store, "SELECT seat, bettor, wager, cents, coupon FROM wagers ORDER BY seat") == [
        (1, None, "banker", 2500, None),
        (2, "b", "tie", 700, "MP"),
    ]
    assert ask(store, "SELECT seat, paid_cents, paid_vigorish_cents FROM settlements") == [(1, 3000, 125)]


def test_runs_without_a_name_are_refused(tmp_path: Path) -> None:
    ran = run_verb("serve", "--store", tmp_path / "store.duckdb", "--broker", "localhost:1", "--run", " ")
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert "--run ' ' is no name" in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_that_nobody_audits_the_floor_is_said_until_somebody_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames wait in Kafka and the workers' group acknowledges none: each page's header says so."""
    monkeypatch.setattr(kafka_follower, "_LOOK", 0)
    cluster, part = Cluster("c", ()), TopicPartition(FRAMES, 0)
    acknowledged = [*[3] * (STALLED + 2), 4]

    async def scenario() -> None:
        live = LiveFloor(duckdb.connect(), "UTC")
        storing: Any = None
        projector = Projector(storing, "broker:1", live)
        monkeypatch.setattr(projector, "_ends", {part: 9})
        monkeypatch.setattr(projector, "_state", "ok")
        live.turned("ok")
        seen: list[State] = []

        async def look() -> tuple[Cluster, dict[TopicPartition, int]]:
            seen.append(live.state)
            return (cluster, {part: acknowledged.pop(0)}) if acknowledged else (Cluster("another", ()), {})

        monkeypatch.setattr(projector, "_look", look)
        await projector._watch(cluster)  # noqa: SLF001  it ends with another cluster; `follow` never ends
        assert seen == [*["ok"] * (STALLED + 1), "audit stalled", "audit stalled", "ok"]

    asyncio.run(scenario())
