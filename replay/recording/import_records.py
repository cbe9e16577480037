"""Round records of a file of played rounds; read ahead for what they state of each other."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projections.engine.audit.round_records import (
    PlacedRecord,
    RecordContext,
    RecordHistory,
    ShoeOfRecords,
    book_of,
    read,
    to_round,
)
from projections.engine.checks.data import ROUND_REPEATED
from projections.views.text import text
from replay.adaptors.rows import Rejected, Why
from replay.recording.file_kinds import kind_at
from schemas import house as houses
from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.record import RoundRecord
from streams import log

# ── A file of round records read ahead, for what its records show about each other ───────────────────────


class _OutOfOrder(Exception):
    """A table's gaming days do not stand one after another."""


class RecordsAhead(Struct, frozen=True):
    """Knowledge of a file from all its records: by line of each other, and of their shoes."""

    contexts: dict[int, RecordContext]
    shoes: list[ShoeOfRecords]


def read_ahead(path: Path, house: House | None, table: str | None = None) -> RecordsAhead:
    """Return what the records of a file show together; with a table, those of that table only.

    A table's gaming day is held in memory at a time, and all of the file only if its days are not in order.
    Unreadable lines are skipped.
    """
    try:
        return _together(_placed(path, house, table))
    except _OutOfOrder:
        return _together(sorted(_placed(path, house, table), key=lambda each: each.seen.day))


def house_of_record(record: RoundRecord, path: Path, house: House | None) -> House:
    """Return the house of a record: the one that was named, the record's own, or the default.

    Raises:
        BadInput: the record's own is missing or at fault.
    """
    return house or (houses.load(record.house, path.parent) if record.house else houses.DEFAULT)


def _together(records: Iterable[PlacedRecord]) -> RecordsAhead:
    histories: dict[str, RecordHistory] = {}
    found: dict[int, RecordContext] = {}
    for day in _days(records):
        found |= histories.setdefault(day[0].seen.table, RecordHistory()).take_day(day)
    return RecordsAhead(found, [shoe for history in histories.values() for shoe in history.end()])


def _days(records: Iterable[PlacedRecord]) -> Iterator[list[PlacedRecord]]:
    """Yield each table's records by gaming day.

    Raises:
        _OutOfOrder: a record of an earlier day than the one before at its table.
    """
    current: dict[str, list[PlacedRecord]] = {}
    for each in records:
        day = current.setdefault(each.seen.table, [])
        if day and day[0].seen.day != each.seen.day:
            if each.seen.day < day[0].seen.day:
                raise _OutOfOrder
            yield day
            day = current[each.seen.table] = []
        day.append(each)
    yield from current.values()


def _placed(path: Path, house: House | None, table: str | None) -> Iterator[PlacedRecord]:
    for line, payload in log.payloads(path):
        with suppress(BadInput):
            record = read(payload)
            if table in (None, record.table):
                yield _of(record, line, house_of_record(record, path, house))


def _of(record: RoundRecord, line: int, house: House) -> PlacedRecord:
    observed = to_round(record, house)
    try:
        book = book_of(record, house)
    except NotInForce:
        return PlacedRecord(line, record, observed, house, None)
    return PlacedRecord(line, record, observed, house, book)


# ── Round records that come from elsewhere, checked ──────────────────────────────────────────────────────


_encode: Final = msgspec.json.Encoder()


def import_records(file: Path, decks: int | None) -> Iterator[bytes | Rejected]:
    """Yield the lines of a file of round records as they stand, with `decks` where they name none.

    Raises:
        BadInput: the file is empty, or holds something else.
    """
    if next(log.payloads(file), None) is None:
        raise BadInput(f"{file}: empty, there are no rounds to import")
    if (kind := kind_at(file)) is not None:
        raise kind.refuse(file, "round records")
    contexts = read_ahead(file, None).contexts
    for number, line in log.payloads(file):
        yield _repeated(number, contexts.get(number, RecordContext())) or _checked(number, line, file, decks)


def import_rounds(
    found: Iterable[tuple[int, RoundRecord] | Rejected], file: Path
) -> Iterator[RoundRecord | Rejected]:
    """Yield the records of an export that can be judged, and what is left out, by line."""
    records: list[tuple[int, RoundRecord]] = []
    left_out: list[Rejected] = []
    for each in found:
        if isinstance(each, Rejected):
            left_out.append(each)
            continue
        try:
            _check(each[1], file)
        except BadInput as error:
            left_out.append(Rejected(each[0], str(error)))
        else:
            records.append(each)
    placed = [_of(record, line, house_of_record(record, file, None)) for line, record in records]
    contexts = _together(sorted(placed, key=lambda each: each.seen.day)).contexts
    by_line: list[tuple[int, RoundRecord | Rejected]] = [(each.line, each) for each in left_out]
    for line, record in records:
        by_line.append((line, _repeated(line, contexts.get(line, RecordContext())) or record))
    yield from (each for _, each in sorted(by_line, key=lambda numbered: numbered[0]))


def _repeated(line: int, context: RecordContext) -> Rejected | None:
    """Return what is wrong with a record whose round stands in the file more than once."""
    if context.first is not None:
        return Rejected(line, f"the same round stands on line {context.first} already", why="repeated")
    for doubt in context.doubts:
        why: Why = "repeated" if doubt.check == ROUND_REPEATED.check else "ambiguous"
        return Rejected(line, text(doubt.message), why=why)
    return None


def _checked(number: int, line: bytes, file: Path, decks: int | None) -> bytes | Rejected:
    """Pass a round record on as it stands, with the decks that it does not name."""
    try:
        record = read(line)
        if record.decks is None and record.house is None and decks is not None:
            record = msgspec.structs.replace(record, decks=decks)
            line = _encode.encode(msgspec.json.decode(line) | {"decks": decks})
        _check(record, file)
    except BadInput as error:
        return Rejected(number, str(error))
    return line.rstrip()


def _check(record: RoundRecord, file: Path) -> None:
    house = houses.load(record.house, file.parent) if record.house else houses.DEFAULT
    to_round(record, house)
    try:
        book_of(record, house)
    except NotInForce:
        # A round of a day before its chapter is still a round; the audit reports that.
        return
