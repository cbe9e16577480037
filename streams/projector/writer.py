"""The writer of batches of records: updates the alerts at once and writes to the store."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import Final

import structlog
from msgspec import Struct

from projections.casework import alert_watch
from projections.casework.alert_watch import CaseworkNews
from projections.casework.alerts.alert_arrival import Arrival
from projections.casework.command_handler import CommandHandler
from projections.casework.table_status import Floor, Lag, TableStatus, encode
from projections.engine.conclusion import id_of
from projections.store.rows import Offset, QuarantinedRecord, StoredTableStatus
from projections.store.runs import Run
from projections.store.store import Entry, Store, Taken
from schemas.codec import decode
from schemas.errors import BadInput
from streams import observability, processes
from streams.messages import Result, entry_of
from streams.projector.forged_input import ForgedInputAlerts
from streams.projector.record_batch import Arrived, Batch, FetchedRecord, read, refuse
from streams.topics import FRAMES, ROUNDS

# ── Which run of the store the conclusions of a live floor belong to ──────────────────────────────────

LIVE: Final = "live"


def live_run(runs: Iterable[Run], prefix: str, software: str, cluster: str, zone: str) -> Run:
    """Return the run for what one version of the software concluded in one Kafka cluster.

    A run is one pass of one version over one source, and the source of a live floor is a cluster's log:

    - After a restart the run continues: same name, version and cluster.
    - After an upgrade the new version's conclusions begin a run beside the old one, which stays as it is.
      While workers of two versions are at work, each version's conclusions go to its own.
    - A new cluster, Kafka's data having been thrown away, begins a run as well, with a number behind its
      name: its workers know nothing of the revisions concluded before, so the same numbers mean others.
    - Where the name is taken by something else, such as another process's run, the next number is.

    `runs` are those of the store. No case is an error, so nothing of this ever stops a floor.

    >>> from datetime import UTC, datetime
    >>> first = live_run([], "live", "1.0", "A", "America/New_York")
    >>> first.run, live_run([first], "live", "1.0", "A", "UTC") is first
    ('live 1.0', True)
    >>> live_run([first], "live", "1.1", "A", "UTC").run, live_run([first], "live", "1.0", "B", "UTC").run
    ('live 1.1', 'live 1.0 (2)')
    """
    taken = {run.run: run for run in runs}
    source = f"{ROUNDS} of cluster {cluster}"
    name = first = f"{prefix} {software}"
    number = 1
    while (run := taken.get(name)) and (run.version, run.source) != (software, source):
        number += 1
        name = f"{first} ({number})"
    return run or Run(name, datetime.now(UTC), software, source, zone, "live")


# ── Status of the floor's tables, stored besides the conclusions from the same log ──────────────────────
# Frames come many times more often than conclusions, and a commit for each batch of them would hold up the
# conclusions behind it. So they are folded at once and written every five seconds. After a crash the frames
# since then are read again, and as each device's numbers are known, none counts twice.

_EVERY: Final = 5_000_000  # microseconds


class Due(Struct, frozen=True):
    """Write of a floor: how tables stand, and how far its frames have been read for it."""

    standings: Sequence[StoredTableStatus] = ()
    offsets: Sequence[Offset] = ()


class News(Struct, frozen=True):
    """Statuses of tables since the last news, and how long their last conclusions took."""

    standings: Mapping[str, TableStatus]
    lags: Mapping[str, Lag]


class Standings:
    """The standings of the floor that one Kafka cluster carries; they go on with what the store has."""

    def __init__(self, store: Store, cluster: str) -> None:
        self._cluster = cluster
        self._floor = Floor(store.standings(cluster))
        self._lags: dict[str, Lag] = {}
        self._reached: dict[int, int] = {}
        self._unwritten: set[str] = set()
        self._changed = set(self._floor.tables)
        self._written = 0

    def fold_frame(self, partition: int, offset: int, value: bytes) -> None:
        """Fold a record of `floor.frames`; one that cannot be read is the worker's to refuse."""
        self._reached[partition] = offset + 1
        try:
            frame, _ = decode(value, FRAMES)
        except BadInput:
            return
        if self._floor.fold_frame(frame):
            self._unwritten.add(frame.table)
            self._changed.add(frame.table)

    def came(self, result: Result) -> None:
        """Note that the room knows of a conclusion, and how long that took."""
        now = processes.now()
        # Clocks of two hosts differ by more than a fast floor takes.
        took = max(0, now - result.received)
        self._lags[result.conclusion.table] = Lag(took, now, result.software, result.plugin_faults)

    def due(self) -> Due | None:
        """Return what is to be written, where five seconds have gone by since it was asked for last."""
        if not self._reached or processes.now() - self._written < _EVERY:
            return None
        tables = self._floor.tables
        due = Due(
            [
                StoredTableStatus(self._cluster, table, encode(tables[table]).decode())
                for table in self._unwritten
            ],
            [Offset(self._cluster, FRAMES, part, at) for part, at in self._reached.items()],
        )
        self._reached, self._unwritten, self._written = {}, set(), processes.now()
        return due

    def silent(self) -> dict[str, dict[str, int]]:
        """Return the silent devices of the tables with reports since the last news, and since when."""
        return {table: self._floor.tables[table].silent for table in self._changed}

    def news(self) -> News:
        """Return what changed since this was asked last; at first, all that the store has."""
        news = News({table: self._floor.tables[table].copied() for table in self._changed}, self._lags)
        self._changed, self._lags = set(), {}
        return news


# ── A batch of records: the room is notified at once, and the store is written after that ───────────────
# A record that cannot be stored affects no others: it goes to the store's own quarantine. Everything is
# idempotent by run, id and revision, so a batch may come again.

_SECOND: Final = 1_000_000  # microseconds

_log: Final = structlog.get_logger()


class HeardBatch(Struct):
    """A batch that the room knows and that is to be written, with how its new alerts came."""

    cluster: str
    batch: Batch
    came: Sequence[Arrival]
    due: Due | None


class StoreWriter:
    """Writes records into a store; `run_name` begins the name of each run (see `live_run`), `zone` is theirs.

    Casework on the store, if any, gets the conclusions, and `alarms` the refused input. One thread may `hear`
    while another writes.
    """

    def __init__(
        self,
        store: Store,
        zone: str,
        run_name: str = LIVE,
        commands: CommandHandler | None = None,
        alarms: ForgedInputAlerts | None = None,
    ) -> None:
        self._store, self._zone, self._run_name, self._commands = store, zone, run_name, commands
        self._alarms = alarms
        self._runs: dict[tuple[str, str], Run] = {}
        self._standings: tuple[str, Standings] | None = None
        # The newest revision of what was revised, which little is, by run and id.
        self._revised: dict[str, dict[str, int]] = {}

    def offsets(self, cluster: str) -> dict[tuple[str, int], int]:
        """Return how far a cluster's partitions have been read."""
        return self._store.offsets(cluster)

    def hear(self, cluster: str, records: Sequence[FetchedRecord]) -> HeardBatch:
        """Notify the room of the content of a batch, and return it for `write`; there may be no room.

        Frames are folded, and the tables' status is written at intervals (see `Standings`).
        """
        batch = read(cluster, records)
        standings = self._of(cluster)
        for each in batch.frames:
            standings.fold_frame(each.partition, each.offset, each.value)
        came: Sequence[Arrival] = ()
        if self._commands is not None:
            self._commands.set_silent_devices(standings.silent())
            came = self._commands.take_conclusions(self._fresh(cluster, batch.results), processes.now())
        return HeardBatch(cluster, batch, came, standings.due())

    def write(self, batches: Sequence[HeardBatch]) -> int:
        """Store batches with their offsets, those of one cluster in one transaction; return how much was new.

        If something cannot be stored, the rest is written first, by halves until it is isolated. A crash in
        between repeats that, which changes nothing.

        Raises:
            DiscardrackError: the store's file cannot be written.
        """
        brought = 0
        for cluster, heard_of in groupby(batches, key=attrgetter("cluster")):  # one follows the other
            some = list(heard_of)
            results = [result for each in some for result in each.batch.results]
            refused = [row for each in some for row in each.batch.refused]
            if self._alarms is not None and (forged := [row for row in refused if row.code is not None]):
                # Before how far it leads: what a crash leaves undone comes again, and is the same.
                self._alarms.store(forged)
                refused = [row for row in refused if row.code is None]
                brought += len(forged)
            reports = [report for each in some for report in each.batch.reports]
            reached = {place: at for each in some for place, at in each.batch.reached.items()}
            due = [each.due for each in some if each.due is not None]
            if not reached and not due:
                self._written(some)
                continue
            # Later batches replace the status of a table, and how far its frames are stored.
            standings = {stands.table: stands for each in due for stands in each.standings}
            offsets = {(each.topic, each.partition): each for one in due for each in one.offsets}
            offsets |= {place: Offset(cluster, *place, at) for place, at in reached.items()}
            rest = (list(offsets.values()), reports, list(standings.values()))
            came = [alert for each in some for alert in each.came]
            apart: set[str] = set()
            try:
                taken = self._store.write_batch(self._by_run(cluster, results), refused, *rest, came)
            except BadInput:
                taken = Taken()
                refused += self._sift(cluster, results, taken, apart)
                arrivals = [each for each in came if each.about not in apart]
                taken.reports = self._store.write_batch({}, refused, *rest, arrivals).reports
            self._written(some, apart)
            brought += len(taken.stored) + len(refused) + taken.reports
            self._tell(cluster, results, taken)
        return brought

    def hurried_by(self, hurry: Callable[[], object]) -> None:
        """Set the callback, for any thread, for when somebody waits for records that are not written yet."""
        if self._commands is not None:
            self._commands.set_hurry(hurry)

    def news(self, cluster: str) -> News:
        """Return the status of the tables with reports since the last call; at first, of all."""
        return self._of(cluster).news()

    def casework_news(self) -> CaseworkNews:
        """Return what happened at the desk since this was asked last."""
        return self._commands.news() if self._commands is not None else CaseworkNews()

    def _of(self, cluster: str) -> Standings:
        if self._standings is None or self._standings[0] != cluster:
            self._standings = (cluster, Standings(self._store, cluster))
        return self._standings[1]

    def _fresh(self, cluster: str, results: Sequence[Arrived]) -> list[alert_watch.ReceivedConclusion]:
        """Return the conclusions that are not older than what the room knows: a revision may come late."""
        arrived: list[alert_watch.ReceivedConclusion] = []
        for result in (each.result for each in results):
            run, about = self._run(cluster, result.software).run, id_of(result.conclusion)
            basis, concluded, revision = entry_of(result)
            if run not in self._revised:
                self._revised[run] = self._store.revised(run)
            if revision < self._revised[run].get(about, 1):
                continue
            if revision > 1:
                self._revised[run][about] = revision
            arrived.append(
                alert_watch.ReceivedConclusion(concluded, run, basis, result.received, result.judged)
            )
        return arrived

    def _written(self, batches: Sequence[HeardBatch], refused: Iterable[str] = ()) -> None:
        if self._commands is not None:
            self._commands.confirm_written(len(batches), refused)

    def _sift(
        self, cluster: str, results: list[Arrived], taken: Taken, refused: set[str]
    ) -> list[QuarantinedRecord]:
        """Store what can be stored of results that cannot be stored together; give and name the others."""
        try:
            more = self._store.write_batch(self._by_run(cluster, results))
        except BadInput as error:
            if len(results) == 1:
                refused.add(id_of(results[0].result.conclusion))
                return [refuse(cluster, results[0].record, str(error))]
            half = len(results) // 2
            return [
                *self._sift(cluster, results[:half], taken, refused),
                *self._sift(cluster, results[half:], taken, refused),
            ]
        taken.stored |= more.stored
        taken.raised |= more.raised
        return []

    def _by_run(self, cluster: str, results: list[Arrived]) -> dict[Run, list[Entry]]:
        entries: defaultdict[Run, list[Entry]] = defaultdict(list)
        for each in results:
            entries[self._run(cluster, each.result.software)].append(entry_of(each.result))
        return entries

    def _run(self, cluster: str, software: str) -> Run:
        if (cluster, software) not in self._runs:
            runs = [*self._store.runs(), *self._runs.values()]
            self._runs[cluster, software] = live_run(runs, self._run_name, software, cluster, self._zone)
        return self._runs[cluster, software]

    def _tell(self, cluster: str, results: list[Arrived], taken: Taken) -> None:
        """Log and count what was new: each conclusion, and each finding that its run did not have."""
        now = processes.now()
        for result in (each.result for each in results):
            run, about = self._run(cluster, result.software).run, id_of(result.conclusion)
            if (run, about, result.revision) not in taken.stored:
                continue
            taken.stored.discard((run, about, result.revision))
            if self._standings is not None and self._standings[0] == cluster:
                self._standings[1].came(result)
            observability.RESULTS.labels(result.conclusion.verdict).inc()
            for stage, at in (("judged", result.judged), ("stored", now)):
                # Clocks of two hosts differ by more than a fast floor takes.
                observability.LATENCY.labels(stage).observe(max(0.0, (at - result.received) / _SECOND))
            for finding in result.conclusion.findings:
                if (run, finding.id) not in taken.raised:
                    continue
                taken.raised.discard((run, finding.id))
                observability.FINDINGS.labels(finding.check, finding.severity).inc()
                _log.info(
                    "finding_stored",
                    frame=result.frame,
                    about=about,
                    revision=result.revision,
                    check=finding.check,
                    finding=finding.id,
                    run=run,
                )
