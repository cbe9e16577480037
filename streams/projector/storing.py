"""Records of Kafka into the store: conclusions, what could not be read, how tables stand, how far this leads.

A record that cannot be stored stops nothing and takes no neighbour along: it goes to the store's own
quarantine. Everything is idempotent by run, id and revision, so a batch may come again.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, TypeVar

import structlog
from msgspec import Struct

from projections.hand.identity import id_of
from projections.room import watch
from projections.room.desk import Desk
from projections.store.reports import DayReport
from projections.store.rows import Offset, Refused
from projections.store.runs import Run
from projections.store.store import Entry, Store, Taken
from schemas.codec import UNREAD
from schemas.errors import BadInput
from streams import clock, telling
from streams.messages import (
    VERSION,
    Quarantined,
    Reported,
    Result,
    entry_of,
    read_quarantined,
    read_reported,
    read_result,
)
from streams.projector.runs import LIVE, live_run
from streams.projector.standing import Due, News, Standings
from streams.topics import FRAMES, QUARANTINE, REPORTS

PROCESS: Final = "projector"

_SECOND: Final = 1_000_000  # microseconds
_Message = TypeVar("_Message", Result, Quarantined, Reported)

_log: Final = structlog.get_logger()


class Fetched(Struct, frozen=True):
    """A record as Kafka has it."""

    topic: str
    partition: int
    offset: int
    value: bytes
    key: bytes = b""

    def name(self) -> str:
        """Name it within its cluster."""
        return f"{self.topic}/{self.partition}/{self.offset}"

    def place(self) -> str:
        """Say where it stands, for people."""
        return f"{self.topic}, partition {self.partition}, offset {self.offset}"


class _Arrived(Struct, frozen=True):
    record: Fetched
    result: Result


class Storing:
    """Takes records into a store; `named` begins the name of each run (see `live_run`), `zone` is theirs.

    A `desk` on the store is told what was concluded.
    """

    def __init__(self, store: Store, zone: str, named: str = LIVE, desk: Desk | None = None) -> None:
        self._store, self._zone, self._named, self._desk = store, zone, named, desk
        self._runs: dict[tuple[str, str], Run] = {}
        self._standings: tuple[str, Standings] | None = None

    def offsets(self, cluster: str) -> dict[tuple[str, int], int]:
        """Give how far a cluster's partitions have been read."""
        return self._store.offsets(cluster)

    def take(self, cluster: str, records: Sequence[Fetched]) -> int:
        """Store a batch of records and how far it leads, in one transaction; give how much was new.

        A batch of frames alone is folded, and stored now and then (see `standing`): an empty batch stores
        what is left of that. Where one of them cannot be stored, the others are written first, by halves
        until it stands alone; a crash in between repeats them, which changes nothing.

        Raises:
            DiscardrackError: the store's file cannot be written.
        """
        standings = self._of(cluster)
        results: list[_Arrived] = []
        refused: list[Refused] = []
        reports: list[DayReport] = []
        for record in records:
            try:
                if record.topic == FRAMES:
                    standings.take(record.partition, record.offset, record.value)
                elif record.topic == QUARANTINE:
                    refused.append(_found(cluster, record.value))
                elif record.topic == REPORTS:
                    reports.append(_report(record.value))
                else:
                    results.append(_Arrived(record, _known(read_result(record.value))))
            except (*UNREAD, BadInput) as error:
                refused.append(_refuse(cluster, record, str(error)))
        if self._desk is not None:
            self._desk.stood(standings.silent())
        reached = {(each.topic, each.partition): each.offset + 1 for each in records if each.topic != FRAMES}
        due = standings.due()
        if not reached and due is None:
            return 0
        stand = due or Due()
        offsets = [Offset(cluster, topic, part, at) for (topic, part), at in reached.items()]
        offsets += stand.offsets
        try:
            taken = self._store.take(
                self._by_run(cluster, results), refused, offsets, reports, stand.standings
            )
        except BadInput:
            taken = Taken()
            refused += self._sift(cluster, results, taken)
            taken.reports = self._store.take({}, refused, offsets, reports, stand.standings).reports
        if due is not None:
            standings.written()
        brought = len(taken.stored) + len(refused) + taken.reports
        self._tell(cluster, results, taken)
        return brought

    def news(self, cluster: str) -> News:
        """Give how the tables stand that were heard of since this was asked last; at first, all of them."""
        return self._of(cluster).news()

    def desk_news(self) -> watch.News:
        """Give what happened at the desk since this was asked last."""
        return self._desk.news() if self._desk is not None else watch.News()

    def _of(self, cluster: str) -> Standings:
        if self._standings is None or self._standings[0] != cluster:
            self._standings = (cluster, Standings(self._store, cluster))
        return self._standings[1]

    def _sift(self, cluster: str, results: list[_Arrived], taken: Taken) -> list[Refused]:
        """Store what can be stored of results that cannot be stored together; give the others."""
        try:
            more = self._store.take(self._by_run(cluster, results))
        except BadInput as error:
            if len(results) == 1:
                return [_refuse(cluster, results[0].record, str(error))]
            half = len(results) // 2
            return [
                *self._sift(cluster, results[:half], taken),
                *self._sift(cluster, results[half:], taken),
            ]
        taken.stored |= more.stored
        taken.raised |= more.raised
        return []

    def _by_run(self, cluster: str, results: list[_Arrived]) -> dict[Run, list[Entry]]:
        entries: defaultdict[Run, list[Entry]] = defaultdict(list)
        for each in results:
            entries[self._run(cluster, each.result.software)].append(entry_of(each.result))
        return entries

    def _run(self, cluster: str, software: str) -> Run:
        if (cluster, software) not in self._runs:
            known = [*self._store.runs(), *self._runs.values()]
            self._runs[cluster, software] = live_run(known, self._named, software, cluster, self._zone)
        return self._runs[cluster, software]

    def _tell(self, cluster: str, results: list[_Arrived], taken: Taken) -> None:
        """Log and count what was new: each conclusion, and each finding that its run did not have."""
        now = clock.now()
        arrived: list[watch.Arrived] = []
        for result in (each.result for each in results):
            run, about = self._run(cluster, result.software).run, id_of(result.conclusion)
            if (run, about, result.revision) not in taken.stored:
                continue
            taken.stored.discard((run, about, result.revision))
            self._of(cluster).came(result)
            seen, concluded, _ = entry_of(result)
            arrived.append((concluded, run, seen))
            telling.RESULTS.labels(result.conclusion.verdict).inc()
            for stage, at in (("judged", result.judged), ("stored", now)):
                # Clocks of two hosts differ by more than a fast floor takes.
                telling.LATENCY.labels(stage).observe(max(0.0, (at - result.received) / _SECOND))
            for finding in result.conclusion.findings:
                if (run, finding.id) not in taken.raised:
                    continue
                taken.raised.discard((run, finding.id))
                telling.FINDINGS.labels(finding.check, finding.severity).inc()
                _log.info(
                    "finding_stored",
                    frame=result.frame,
                    about=about,
                    revision=result.revision,
                    check=finding.check,
                    finding=finding.id,
                    run=run,
                )
        if self._desk is not None and arrived:
            self._desk.concluded(arrived, now)


def _found(cluster: str, value: bytes) -> Refused:
    """Read what another process could not read."""
    each = _known(read_quarantined(value))
    return Refused(cluster, each.id, each.where, each.reason, each.payload, each.table)


def _report(value: bytes) -> DayReport:
    """Read a report of a gaming day."""
    each = _known(read_reported(value))
    return DayReport(
        gaming_day=each.gaming_day,
        report=each.report,
        digest=each.digest,
        made_by=each.software,
        body=each.body,
        restricted=each.restricted,
    )


def _known(message: _Message) -> _Message:
    """Give a message whose version is known."""
    if message.v != VERSION:
        raise BadInput(f"schema version {message.v} is unknown; this software reads {VERSION}")
    return message


def _refuse(cluster: str, record: Fetched, why: str) -> Refused:
    telling.QUARANTINED.labels(PROCESS).inc()
    _log.warning("record_refused", record=record.name(), reason=why)
    return Refused(cluster, record.name(), record.place(), why, record.value.decode(errors="replace"))
