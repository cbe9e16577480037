"""The watch over a worker: it logs and ends a worker that makes no progress while frames wait.

The supervisor of the workers starts it again, and it continues where its group is. The watch runs in a thread
with a client of its own, so that neither a blocked event loop nor an endless rebalance can hold it up.
"""

import asyncio
import os
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from typing import Final, NoReturn

import structlog
from kafka import KafkaConsumer, TopicPartition
from kafka.errors import KafkaError
from msgspec import Struct

from streams import observability
from streams.topics import FRAMES

STALLED: Final = 75  # the exit status, EX_TEMPFAIL of sysexits.h: try again
_LOOK: Final = 1.0  # seconds between two looks
_ANSWER: Final = 3_000  # milliseconds in which Kafka answers
# Looks without progress after which a worker ends. A rebalance waits for a worker that is gone as long as the
# session lasts (streams.app), and for one that is slow as long as a rebalance may take.
LAGGING: Final = 10
UNSETTLED: Final = 30
SILENT: Final = 30

_log: Final = structlog.get_logger()


class Progress(Struct):
    """Last state that the event loop reported: set there, read by the watch.

    `beats` counts these reports, `work` the frames that were taken, `recovered` the records of the tables'
    states. `settled` is False during a rebalance and the recovery after it. `next` has for each partition the
    first offset that is not stored. `away` is True while Kafka accepts nothing.
    """

    beats: int = 0
    work: int = 0
    recovered: int = 0
    settled: bool = False
    away: bool = False
    next: Mapping[int, int] = {}


class Standstill:
    """Counts the looks at a worker that makes no progress; a process that was frozen was not looked at."""

    def __init__(self) -> None:
        self._beats, self._work = -1, (-1, -1)
        self._silent = self._lagging = self._unsettled = 0

    @property
    def looks(self) -> int:
        """Return the number of looks since there was progress, while there should have been."""
        return max(self._silent, self._lagging, self._unsettled)

    def look(self, progress: Progress, lag: int | None) -> str | None:
        """Return why the worker should end; None while it should not. `lag` is None if Kafka is away.

        >>> standstill = Standstill()
        >>> reasons = [standstill.look(Progress(beats=n, work=7, settled=True), 3) for n in range(11)]
        >>> reasons[-2:]
        [None, 'no frame applied']
        >>> standstill.look(Progress(beats=12, work=8, settled=True), 3), standstill.looks
        (None, 0)
        """
        counts = progress.work, progress.recovered
        silent, idle = progress.beats == self._beats, counts == self._work
        self._beats, self._work = progress.beats, counts
        self._silent = self._silent + 1 if silent else 0
        judged = idle and not silent and lag is not None and not progress.away
        self._lagging = self._lagging + 1 if judged and progress.settled and lag else 0
        self._unsettled = self._unsettled + 1 if judged and not progress.settled else 0
        if self._silent >= SILENT:
            return "the event loop is blocked"
        if self._lagging >= LAGGING:
            return "no frame applied"
        if self._unsettled >= UNSETTLED:
            return "the rebalance does not end"
        return None


class Watch(threading.Thread):
    """Checks once a second how far a worker is behind Kafka, logs it, and ends it at a standstill."""

    def __init__(self, broker: str, progress: Progress, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(name="watch", daemon=True)
        self._broker, self._seen, self._loop = broker, progress, loop
        self._consumer: KafkaConsumer | None = None

    def run(self) -> None:
        """Check until the process ends."""
        standstill = Standstill()
        while True:
            time.sleep(_LOOK)
            applied = dict(self._seen.next)
            lags = self._lags(applied)
            lag = sum(lags.values()) if lags is not None else None
            reason = standstill.look(self._seen, lag)
            observability.IDLE.set(standstill.looks * _LOOK)
            if reason is not None:
                end(reason, loop=self._loop, lag=lag, partitions=sorted(applied), settled=self._seen.settled)

    def _lags(self, applied: Mapping[int, int]) -> dict[int, int] | None:
        """Return how many frames of each partition are not applied; None while Kafka does not answer."""
        try:
            if self._consumer is None:
                self._consumer = KafkaConsumer(
                    bootstrap_servers=self._broker.split(","),
                    bootstrap_timeout_ms=_ANSWER,
                    request_timeout_ms=_ANSWER,
                    fetch_max_wait_ms=500,
                )
            ends = self._consumer.end_offsets([TopicPartition(FRAMES, each) for each in applied])
        except (KafkaError, OSError, ValueError):
            consumer, self._consumer = self._consumer, None
            if consumer is not None:
                consumer.close(timeout_ms=0)
            return None
        lags = {place.partition: max(0, end - applied[place.partition]) for place, end in ends.items()}
        observability.LAG.clear()
        for partition, lag in lags.items():
            observability.LAG.labels(str(partition)).set(lag)
        return lags


def end(reason: str, *, loop: asyncio.AbstractEventLoop | None = None, **more: object) -> NoReturn:
    """End this process at once, and log what each thread and task is doing; nothing is lost by that.

    What was not acknowledged is done again by the worker that takes over.
    """
    threads = {
        str(number): _place(frame)
        for number, frame in sys._current_frames().items()  # noqa: SLF001  no other way
    }
    tasks = [] if loop is None else [_task(each) for each in asyncio.all_tasks(loop)]
    _log.error("worker_stalled", reason=reason, status=STALLED, threads=threads, tasks=tasks, **more)
    os._exit(STALLED)


def _place(frame: object) -> list[str]:
    """Return the innermost calls of a frame, by file, line and function: no values, which may be names."""
    return [f"{each.filename}:{each.lineno} {each.name}" for each in traceback.extract_stack(frame)[-3:]]  # type: ignore[arg-type]


def _task(task: asyncio.Task[object]) -> str:
    places = [f"{each.f_code.co_filename}:{each.f_lineno}" for each in task.get_stack(limit=1)]
    return " ".join([task.get_name(), *places])
