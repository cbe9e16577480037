"""Round records judged into a store, and what the console tells of them; as its tests need it."""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from projections.engine.audit.judge import judge
from projections.engine.audit.round_records import book_of, read, to_round
from projections.engine.audit.table_audit import Concluded
from projections.store.runs import Run
from projections.store.store import Entry, Store
from projections.store.store_file import connect
from projections.web.records.record_views import RecordKey, RecordView
from projections.web.records.store_queries import Kind, Reader
from schemas.house import DEFAULT, House

RUN: Final = Run("first", datetime(2025, 1, 3, 11, 0, tzinfo=UTC), "1.0", "the archive")
EVENING: Final = date(2025, 1, 1)  # the gaming date of the records that builders.round_records builds


_FILES: Final[dict[bytes, bytes]] = {}


def store_records(path: Path, *records: dict[str, Any], house: House = DEFAULT) -> Path:
    """Judge records and store them as one run; the same records are judged and stored once a process."""
    content = msgspec.json.encode([records, house])
    if content in _FILES and not path.exists():
        path.write_bytes(_FILES[content])
        return path
    is_new = not path.exists()
    with Store(path) as store:
        store.write(RUN, [judge_record(each, house) for each in records])
    if is_new:
        _FILES[content] = path.read_bytes()
    return path


def judge_record(told: dict[str, Any], house: House = DEFAULT) -> Entry:
    """Judge a record, as a store takes it."""
    record = read(json.dumps(told).encode())
    seen, book = to_round(record, house), book_of(record, house)
    concluded = Concluded(judge(seen, book), 1, seen, book)
    return concluded.basis, concluded.conclusion, 1


def read_record_view(
    path: Path, name: str, *, kind: Kind = "round", day: date = EVENING, house: House = DEFAULT
) -> RecordView:
    """Return a round of BAC-7, of the evening unless another is given, as a page has it."""
    reader = Reader(connect(path, writing=False), house)
    try:
        told = reader.record(kind, RecordKey(RUN.run, day, "BAC-7", name), None)
    finally:
        reader.close()
    assert told is not None
    return told
