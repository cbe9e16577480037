"""A floor that plays on in one process: concluded as by an audit, at the pace that it had."""

import asyncio
import heapq
import selectors
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from projections.engine.audit.table_audit import TableAudit
from projections.engine.conclusion import Conclusion, canonical
from projections.engine.observation import Round
from projections.store.runs import Run
from projections.store.store import Store
from projections.store.stored_alerts import came_on
from projections.web.bootstrap import ConsoleSettings, load_console_on
from projections.web.live.broadcaster import LiveFloor, State
from replay.serving.played_floor import PlayedSource
from schemas import house as houses
from schemas.codec import Frame, decode, encode
from schemas.house import House
from streams import log
from streams.projector.record_batch import FetchedRecord
from streams.projector.writer import HeardBatch, StoreWriter
from streams.replayed.player import Ahead, Play, Replayed, Timed, recorded
from streams.simulator import faults
from streams.simulator.simulate import next_day, simulate
from streams.topics import FRAMES
from tests.builders.alerts import DAY, EVENING, MINUTE, TABLES, build_finding
from tests.builders.alerts import build_conclusion as found_of

FLOOR: Final[dict[str, Any]] = {"tables": 2, "hours": 0.6, "seed": "played on"}
SECOND: Final = 1_000_000
HOUR: Final = 60 * MINUTE
NEXT: Final = date(2025, 3, 2)


def frames_received(frames: dict[str, list[Frame]]) -> Iterator[Timed]:
    """Return the frames of tables in the order of their receipt."""
    return heapq.merge(
        *(
            [Timed(each.received, (place, each.frame), table, encode(each)) for each in of_table]
            for place, (table, of_table) in enumerate(frames.items())
        )
    )


class Wrought(selectors.DefaultSelector):
    """Waits for nothing but work under way; the time that is waited for goes by at once."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for work; put the clock forward where a moment is waited for."""
        if timeout is not None and timeout > 0:
            self.passed += timeout
            return super().select(0)
        return super().select(timeout)


class Ending(LiveFloor):
    """Records when a play is over."""

    def __init__(self, store: Store, zone: str) -> None:
        super().__init__(store.reading(), zone, "recorded")
        self.over = asyncio.Event()

    def turned(self, state: State) -> None:
        """Note how things stand."""
        if (self.state, state) == ("ok", "recorded"):
            self.over.set()
        super().turned(state)


def at_once(work: Callable[[Callable[[], float]], Coroutine[Any, Any, None]]) -> None:
    """Run work on a clock that is put forward to whatever is waited for; it is given that clock."""
    selector = Wrought()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.passed  # type: ignore[method-assign]
    try:
        loop.run_until_complete(work(loop.time))
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


class Hearing(StoreWriter):
    """Stores, and notes what it is given and when."""

    clock: Callable[[], float]
    heard: list[tuple[float, FetchedRecord]]

    def hear(self, cluster: str, records: Sequence[FetchedRecord]) -> HeardBatch:
        """Record the call, and pass it on."""
        self.heard += [(self.clock(), each) for each in records]
        return super().hear(cluster, records)


def played(store: Store, play: Play, speed: float = 1000) -> list[tuple[float, FetchedRecord]]:
    """Play to the end; give what was stored, each with the seconds since the beginning."""
    storing = Hearing(store, play.house.zone, play.name)
    storing.heard = []

    async def to_the_end(clock: Callable[[], float]) -> None:
        storing.clock = clock
        live = Ending(store, play.house.zone)
        following = asyncio.create_task(Replayed(storing, live, play, speed).follow())
        over = asyncio.create_task(live.over.wait())
        await asyncio.wait([following, over], return_when=asyncio.FIRST_COMPLETED)
        following.cancel()
        with suppress(asyncio.CancelledError):
            await following

    at_once(to_the_end)
    return storing.heard


def concluded(frames: dict[str, list[Frame]], house: House) -> list[Conclusion]:
    """Audit tables; give what is concluded, as far as it is without waiting for their ends."""
    audits = {table: TableAudit(table, house) for table in frames}
    return [
        each.conclusion
        for table, of_table in frames.items()
        for frame in of_table
        for each in audits[table].feed(frame.events)
    ]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("floor") / "floor"
    simulate(folder, rates=faults.rates(), **FLOOR)
    return folder


@pytest.fixture(scope="module")
def morrow() -> dict[str, list[Frame]]:
    return next_day(rates=faults.rates(), **FLOOR)


def first_day(floor: Path, tables: Sequence[str]) -> dict[str, list[Frame]]:
    return {
        table: [
            decode(line, "")[0] for line in (floor / "events" / f"{table}.jsonl").read_bytes().splitlines()
        ]
        for table in tables
    }


def test_the_next_day_goes_on_where_the_floor_ended(floor: Path, morrow: dict[str, list[Frame]]) -> None:
    house = houses.load(log.HOUSE, floor)
    assert list(morrow) == list(house.tables)
    for table, before in first_day(floor, list(morrow)).items():
        frames = [*before, *morrow[table]]
        assert [each.frame for each in frames] == list(range(1, len(frames) + 1))
        assert {house.gaming_date(each.received) for each in morrow[table]} == {NEXT}
        last: dict[tuple[str, int], int] = {}
        for event in (event for frame in frames for event in frame.events):
            last[event.device, event.epoch] = max(event.seq, last.get((event.device, event.epoch), 0))
        seen = {(event.device, event.epoch, event.seq) for frame in frames for event in frame.events}
        assert len(seen) == sum(last.values())  # no number is missing, and none is given twice


def test_what_plays_on_is_concluded_as_by_an_audit_of_both_days(
    floor: Path, morrow: dict[str, list[Frame]], store: Store
) -> None:
    house = houses.load(log.HOUSE, floor)
    before = recorded(log.logs(floor))
    played(store, Play("demo", house, Ahead(frames_received(morrow)), before))
    both = {table: [*frames, *morrow[table]] for table, frames in first_day(floor, list(morrow)).items()}
    expected = [each for each in concluded(both, house) if each.gaming_date == NEXT]
    (run,) = store.runs()
    stored = store.conclusions(run.run)
    assert canonical(stored) == canonical(expected)
    assert len({each.round for each in stored}) > 30


def test_nothing_is_played_before_its_time_and_all_in_its_order(
    morrow: dict[str, list[Frame]], floor: Path, store: Store
) -> None:
    speed = 100
    house = houses.load(log.HOUSE, floor)
    heard = played(
        store, Play("demo", house, Ahead(frames_received(morrow)), recorded(log.logs(floor))), speed
    )
    times = [at for at, each in heard if each.topic == FRAMES]
    frames = [each for at, each in heard if each.topic == FRAMES]
    due = sorted(
        (each.received, place, each.frame, table)
        for place, (table, of_table) in enumerate(morrow.items())
        for each in of_table
    )
    told = [decode(each.value, "")[0] for each in frames]
    assert [(each.table, each.frame) for each in told] == [(table, frame) for _, _, frame, table in due]
    first = due[0][0]
    for at, (received, *_) in zip(times, due, strict=True):
        # How late it is hangs on the machine; early it never is.
        assert at - (received - first) / SECOND / speed > -0.000_1, (at, received)


def test_an_archive_is_played_in_the_order_of_receipt_and_a_line_that_is_no_frame_is_put_aside(
    floor: Path, tmp_path: Path, store: Store
) -> None:
    folder = tmp_path / "floor"
    (folder / "events").mkdir(parents=True)
    (folder / "house.yaml").write_bytes((floor / "house.yaml").read_bytes())
    for table in ("BAC-101", "BAC-102"):
        lines = (floor / "events" / f"{table}.jsonl").read_bytes().splitlines(keepends=True)[:600]
        spoilt = [*lines[:300], b"no frame\n", *lines[300:]] if table == "BAC-102" else lines
        (folder / "events" / f"{table}.jsonl").write_bytes(b"".join(spoilt))
    house = houses.load(log.HOUSE, folder)
    timed = list(recorded(log.logs(folder)))
    assert [each.at for each in timed] == sorted(each.at for each in timed)
    assert {each.key for each in timed} == {"BAC-101", "BAC-102"}
    heard = played(store, Play("replayed 1", house, Ahead(timed)))
    given = [each.value for _, each in heard if each.topic == FRAMES]
    assert len(given) == 1201
    # What devices tell is as it was; only the receipt is another.
    whole = [each.payload for each in timed if each.payload != b"no frame\n"]
    read = [decode(each, "")[0] for each in given if each != b"no frame\n"]
    assert [each.events for each in read] == [decode(each, "")[0].events for each in whole]
    assert min(each.received for each in read) > max(each.at for each in timed)
    with store.reading() as db:
        rows = db.execute("SELECT reason FROM quarantine").fetchall()
    assert [row[0].partition(": ")[2].partition(":")[0] for row in rows] == ["not a frame"]


def test_the_days_before_a_play_are_past_when_the_room_opens(store: Store) -> None:
    """Two rounds of an evening, one never seen to open, found before the next morning's play."""
    rounds = [
        (Round(table="BAC-1", number="1", day=DAY, at=EVENING, dealer="D-1"), build_finding("seen")),
        (None, build_finding("unseen", severity="critical", check="late_wager", net_cents=None)),
    ]
    entries = [(seen, found_of(str(at), found), 1) for at, (seen, found) in enumerate(rounds, 1)]
    store.write(Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor"), entries)
    morning = EVENING + 9 * HOUR
    frames = Ahead([Timed(morning, (0, 1), "BAC-1", b"")])
    playing = PlayedSource(Play("demo", House(house="here", tables=TABLES), frames), 10)
    desk = load_console_on(
        store, Path(), playing.house, ConsoleSettings(), playing.state, playing.begins
    ).commands
    shown = desk.queue_items(desk.alert_queue.floor_time_received)
    # Left to the night both are to be taken within a day and closed within three.
    assert {each.alert.id: each.queue for each in shown} == {"seen": "nightly", "unseen": "nightly"}
    noted = came_on(store.reading(), DAY)
    spans = {(each.taken_due - each.came, each.closed_due - each.came) for each in noted}
    assert spans == {(24 * HOUR, 72 * HOUR)}
    assert desk.breaches(DAY, noted[0].came + 23 * HOUR) == []
    # The room's gaming day is the one that plays; its clock goes on from where that begins.
    assert desk.alert_queue.today == NEXT
    assert desk.alert_queue.floor_now(desk.alert_queue.floor_time_received + MINUTE) == morning + MINUTE


def test_what_is_played_from_before_the_latest_round_puts_no_clock_back(store: Store) -> None:
    seen = Round(table="BAC-1", number="1", day=DAY, at=EVENING, dealer="D-1")
    run = Run("live", datetime(2025, 3, 1, tzinfo=UTC), "1.0", "the floor")
    store.write(run, [(seen, found_of("1", build_finding("m")), 1)])
    house = House(house="here", tables=TABLES)
    desk = load_console_on(store, Path(), house, ConsoleSettings(), "ok", EVENING - 20 * HOUR).commands
    assert (desk.alert_queue.today, desk.alert_queue.floor_time) == (DAY, EVENING)
    assert [each.queue for each in desk.queue_items(desk.alert_queue.floor_time_received)] == ["act_now"]
