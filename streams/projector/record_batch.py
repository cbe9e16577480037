"""Batches of records fetched from Kafka, and their decoded content."""

from collections.abc import Sequence
from typing import Final, TypeVar

import structlog
from msgspec import Struct, field

from projections.store.rows import QuarantinedRecord
from projections.store.runs import DayReport
from schemas.codec import UNREAD
from schemas.errors import BadInput
from streams import observability
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
