"""A worker that makes no progress is found; one that waits for Kafka, or was frozen, is not taken for one."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

import httpx
import pytest
from mode.utils.queues import FlowControlEvent, FlowControlQueue

from streams.app import app
from streams.observability import IDLE, serve_metrics
from streams.worker.stall_watch import LAGGING, SILENT, STALLED, UNSETTLED, Progress, Standstill
from tests.integration.conftest import free_port

SETTLED: Final = Progress(beats=1, work=1, settled=True)
MOVING: Final = Progress(beats=1, work=1, settled=False)


def reasons(looks: int, of: Progress, lag: int | None, *, beats: int = 1, work: int = 0) -> list[str | None]:
    """Look so many times at a worker that goes on by so many beats and frames from one look to the next."""
    standstill = Standstill()
    found = []
    for n in range(looks):
        seen = Progress(of.beats + n * beats, of.work + n * work, 0, of.settled, of.away)
        found.append(standstill.look(seen, lag))
    return found


@pytest.mark.parametrize(
    ("seen", "lag", "beats", "looks", "reason"),
    [
        (SETTLED, 3, 1, LAGGING, "no frame applied"),
        (MOVING, 0, 1, UNSETTLED, "the rebalance does not end"),
        (SETTLED, 0, 0, SILENT, "the event loop is blocked"),
        (SETTLED, None, 0, SILENT, "the event loop is blocked"),
    ],
)
def test_a_standstill_is_found_at_its_look_and_not_before(
    seen: Progress, lag: int | None, beats: int, looks: int, reason: str
) -> None:
    assert reasons(looks + 1, seen, lag, beats=beats) == [*[None] * looks, reason]


@pytest.mark.parametrize(
    ("seen", "lag", "work"),
    [
        (SETTLED, 0, 0),  # nothing waits
        (SETTLED, 3, 1),  # it goes on
        (SETTLED, None, 0),  # Kafka is away
        (MOVING, None, 0),
        (Progress(1, 1, 0, settled=True, away=True), 3, 0),  # Kafka takes nothing
    ],
)
def test_what_is_no_standstill_never_becomes_one(seen: Progress, lag: int | None, work: int) -> None:
    assert set(reasons(3 * UNSETTLED, seen, lag, work=work)) == {None}


def test_one_frame_makes_the_count_begin_again() -> None:
    standstill = Standstill()
    works: Sequence[int] = [1] * LAGGING + [2] * LAGGING + [2]
    found = [standstill.look(Progress(n, work, 0, settled=True), 1) for n, work in enumerate(works)]
    assert found == [None] * (2 * LAGGING) + ["no frame applied"]


def test_faust_s_flow_throws_away_what_came_since_it_was_resumed_first_and_ours_does_not() -> None:
    """Faust resumes the flow again when its tables are recovered, after it has begun to fetch."""

    async def left(flow: FlowControlEvent) -> int:
        queue: FlowControlQueue[int] = FlowControlQueue(flow_control=flow, clear_on_resume=True)
        flow.resume()
        await queue.put(1)
        flow.resume()
        return queue.qsize()

    async def left_of_both() -> tuple[int, int]:
        return await left(FlowControlEvent()), await left(type(app.flow_control)())

    assert asyncio.run(left_of_both()) == (0, 1)


def test_what_came_before_a_rebalance_is_thrown_away_when_it_is_over() -> None:
    async def left() -> int:
        flow = type(app.flow_control)()
        queue: FlowControlQueue[int] = FlowControlQueue(flow_control=flow, clear_on_resume=True)
        flow.resume()
        await queue.put(1)
        flow.suspend()
        flow.resume()
        return queue.qsize()

    assert asyncio.run(left()) == 0


def test_the_worker_s_port_says_that_it_stands_still() -> None:
    port = free_port()
    serve_metrics(port)
    try:
        for idle, status, says in ((0.0, 200, "ok"), (4.0, 200, "ok"), (9.0, 503, "stalled")):
            IDLE.set(idle)
            answer = httpx.get(f"http://127.0.0.1:{port}/healthz")
            assert (answer.status_code, answer.json()) == (status, {"status": says, "idle_seconds": idle})
        figures = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert "discardrack_worker_idle_seconds 9.0" in figures
    finally:
        IDLE.set(0)


def test_a_process_whose_event_loop_is_blocked_ends_and_says_where() -> None:
    script = """
import asyncio, sys, time
from streams.observability import log_as_json
from streams.worker import stall_watch as watch

log_as_json()
watch._LOOK, watch.SILENT = 0.01, 3

async def main():
    watch.Watch("127.0.0.1:1", watch.Progress(), asyncio.get_running_loop()).start()
    time.sleep(60)

asyncio.run(main())
"""
    ended = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == STALLED
    line = json.loads(ended.stderr.splitlines()[-1])
    assert (line["event"], line["reason"]) == ("worker_stalled", "the event loop is blocked")
    assert any("main" in place for places in line["threads"].values() for place in places)
