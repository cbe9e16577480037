"""Batches of records fetched from Kafka: their decoded content, and which refused records ring."""

import threading
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, TypeVar

import structlog
from msgspec import Struct, field

from projections.casework import alert_watch
from projections.casework.cases.alert import SENDER_REFUSED
from projections.casework.command_handler import CommandHandler
from projections.engine.checks.plugin_checks import software
from projections.engine.conclusion import Conclusion, Line, id_of_table_day
from projections.engine.facts import Word, fact, listed
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised, identify
from projections.store.rows import QuarantinedRecord, as_stored, utc
from projections.store.runs import DayReport, Run
from projections.store.store import Store
from schemas.codec import UNREAD
from schemas.errors import BadInput
from schemas.house import House
from streams import observability, processes
from streams.messages import (
    VERSION,
    Quarantined,
    Reported,
    Result,
    read_quarantined,
    read_reported,
    read_result,
)
from streams.topics import FRAMES, QUARANTINE, REPORTS

# ── Records of Kafka as they were fetched, and the content of a batch ──────────────────────────────────

PROCESS: Final = "projector"

_Message = TypeVar("_Message", Result, Quarantined, Reported)

_log: Final = structlog.get_logger()


class FetchedRecord(Struct, frozen=True):
    """A record as Kafka has it."""

    topic: str
    partition: int
    offset: int
    value: bytes
    key: bytes = b""

    def name(self) -> str:
        """Return its name within its cluster."""
        return f"{self.topic}/{self.partition}/{self.offset}"

    def place(self) -> str:
        """Return where it stands, for people."""
        return f"{self.topic}, partition {self.partition}, offset {self.offset}"


class Arrived(Struct, frozen=True):
    """A conclusion, and the record that it came in."""

    record: FetchedRecord
    result: Result


class Batch(Struct):
    """Records of one cluster by what they are; `reached` is how far all but the frames lead."""

    frames: list[FetchedRecord] = field(default_factory=list)
    results: list[Arrived] = field(default_factory=list)
    refused: list[QuarantinedRecord] = field(default_factory=list)
    reports: list[DayReport] = field(default_factory=list)
    reached: dict[tuple[str, int], int] = field(default_factory=dict)

    def leads(self) -> dict[tuple[str, int], int]:
        """Return how far all of it leads, frames too."""
        return self.reached | {(each.topic, each.partition): each.offset + 1 for each in self.frames}

    def __len__(self) -> int:
        """Count what came: frames, and what is to be written."""
        return len(self.frames) + len(self.results) + len(self.refused) + len(self.reports)


def read(cluster: str, records: Sequence[FetchedRecord]) -> Batch:
    """Read records; an unreadable one is refused without affecting the others."""
    batch = Batch()
    for record in records:
        if record.topic == FRAMES:
            batch.frames.append(record)
            continue
        batch.reached[record.topic, record.partition] = record.offset + 1
        try:
            if record.topic == QUARANTINE:
                batch.refused.append(_found(cluster, record.value))
            elif record.topic == REPORTS:
                batch.reports.append(_report(record.value))
            else:
                batch.results.append(Arrived(record, _checked_version(read_result(record.value))))
        except (*UNREAD, BadInput) as error:
            batch.refused.append(refuse(cluster, record, str(error)))
    return batch


def _found(cluster: str, value: bytes) -> QuarantinedRecord:
    """Read what another process could not read."""
    each = _checked_version(read_quarantined(value))
    return QuarantinedRecord(
        cluster, each.id, each.where, each.reason, each.payload, each.table, each.code, each.source
    )


def _report(value: bytes) -> DayReport:
    """Read a report of a gaming day."""
    each = _checked_version(read_reported(value))
    return DayReport(
        gaming_day=each.gaming_day,
        report=each.report,
        digest=each.digest,
        made_by=each.software,
        body=each.body,
        restricted=each.restricted,
    )


def _checked_version(message: _Message) -> _Message:
    """Return a message whose version is known."""
    if message.v != VERSION:
        raise BadInput(f"schema version {message.v} is unknown; this software reads {VERSION}")
    return message


def refuse(cluster: str, record: FetchedRecord, why: str) -> QuarantinedRecord:
    """Log a record that is not stored, and return the row that represents it."""
    observability.QUARANTINED.labels(PROCESS).inc()
    _log.warning("record_refused", record=record.name(), reason=why)
    return QuarantinedRecord(
        cluster, record.name(), record.place(), why, record.value.decode(errors="replace")
    )


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What somebody sent who may not send it: rows of the quarantine, and one alert for each place it came from.
#
# The alert is an account of a gaming day, found critical. Its revision is how many rows there are by then:
# read again it is the same one, and however much comes, it rings once.

PLACE: Final = "devices"
ACCOUNT: Final = "senders"
FORGED: Final = Kind(
    check=SENDER_REFUSED,
    severity="critical",
    asks="Did something report what it may not report?",
    false_positives="A device that was added or moved, and that the house file does not name there yet.",
)
_RUN: Final = "senders"
_SELECT_CODES: Final = "SELECT id, code FROM quarantine WHERE code IS NOT NULL AND source = ? AND noted >= ?"


class Alarms:
    """Stores the rows of refused senders, and raises alerts about them."""

    def __init__(self, store: Store, house: House, commands: CommandHandler) -> None:
        self._store, self._house, self._commands = store, house, commands
        # What follows Kafka and what takes actions back both come here, each in a thread of its own.
        self._taking = threading.Lock()

    def take_house(self, house: House, left_out: Mapping[str, str]) -> None:  # noqa: ARG002  of a protocol
        """Find the gaming day from now on by another house."""
        self._house = house

    def take(self, refused: Sequence[QuarantinedRecord]) -> None:
        """Store rows that have a code, with the alert of each place they came from, and ring.

        Raises:
            DiscardrackError: the store cannot be written.
        """
        with self._taking:
            self._take(refused)

    def _take(self, refused: Sequence[QuarantinedRecord]) -> None:
        now = processes.now()
        today, begins, _ = self._house.gaming_day(now)
        # By the floor's own clocks, by which casework decides what is urgent.
        alert_queue = self._commands.alert_queue
        day, at = (alert_queue.today if alert_queue.today > date.min else today), alert_queue.floor_now(now)
        run = self._run()
        arrived: list[alert_watch.ReceivedConclusion] = []
        for source in sorted({each.source or "" for each in refused}):
            rows: dict[str, str] = {
                each.id: each.code or "" for each in refused if (each.source or "") == source
            }
            with self._store.reading().cursor() as reading:
                codes = reading.execute(_SELECT_CODES, [source, as_stored(begins)]).fetchall()
            rows |= dict(codes)
            arrived.append(
                alert_watch.ReceivedConclusion(_conclusion_of(source, day, rows), run.run, at, now, now)
            )
        came = self._commands.take_conclusions(arrived, now)
        entries = [(each.basis, each.conclusion, each.conclusion.lines[0].count or 1) for each in arrived]
        self._store.write_batch({run: entries}, refused, came=came)
        self._commands.confirm_written(1)

    def _run(self) -> Run:
        for run in self._store.runs():
            if (run.run, run.source) == (f"{_RUN} {software()}", QUARANTINE):
                return run
        return Run(
            f"{_RUN} {software()}",
            utc(as_stored(processes.now())),
            software(),
            QUARANTINE,
            self._house.zone,
        )


def _conclusion_of(source: str, day: date, rows: dict[str, str]) -> Conclusion:
    """Conclude what came from a place on a gaming day: `rows` are the codes by the rows' ids."""
    # With its own place: input from another source is no repeat, and rings too.
    table = f"{PLACE} {source}"
    codes = sorted(set(rows.values()))
    message = fact("audit.sender_refused", times=len(rows), source=source, codes=listed(*map(Word, codes)))
    raised = Raised(kind=FORGED, message=message, cites=(HOUSE_CONTROL,), who=source)
    return Conclusion(
        table=table,
        account=ACCOUNT,
        gaming_date=day,
        chapter="465a",
        verdict="mismatch",
        outcome=None,
        expected=(),
        findings=tuple(identify([raised], about=f"{id_of_table_day(day, table)}|{ACCOUNT}", day=day)),
        notes=(),
        lines=(
            Line(name="refused", count=len(rows)),
            *(Line(name=code, count=list(rows.values()).count(code)) for code in codes),
        ),
    )
