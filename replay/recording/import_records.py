"""Round records of a file of played rounds; read ahead for what they state of each other."""

import csv
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

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
from schemas import law_text
from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.record import RoundRecord
from schemas.rulebook import rulebook
from schemas.vendors import vendor_of
from schemas.vendors.form import Ambiguous, Row, RowDefaults, Vendor
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


# ── What a file of played rounds holds, as round records: of vendors' forms, or already in that form ────


class ImportOptions(Struct, frozen=True):
    """Facts about a file that the caller states if the file does not."""

    zone: ZoneInfo
    table: str | None = None
    decks: int | None = None
    day: date | None = None


_encode: Final = msgspec.json.Encoder()


def import_records(file: Path, options: ImportOptions) -> Iterator[bytes | Rejected]:
    """Read a file's rounds as lines of round records.

    Raises:
        BadInput: the file's form is not known, or it lacks what the caller did not give.
    """
    lines = log.payloads(file)
    number, first = next(lines, (0, b""))
    if not number:
        raise BadInput(f"{file}: empty, there are no rounds to import")
    first = first.removeprefix(b"\xef\xbb\xbf")
    kind = kind_at(file)
    if kind is None:
        contexts_there = read_ahead(file, None).contexts
        for each, line in chain([(number, first)], lines):
            again = _repeated_record(each, contexts_there.get(each, RecordContext()))
            yield again or _checked(each, line, file, options)
        return
    try:
        header = _cells(first)
        vendor = vendor_of(header)
    except (BadInput, csv.Error) as error:
        if kind.shape != "table":
            raise kind.refuse(file, "round records or CSV of a form known here") from None
        raise BadInput(f"{file}: {error}") from None
    yield from _converted(lines, header, vendor, _defaults(file, vendor, options))


def import_rounds(
    found: Iterable[tuple[int, RoundRecord] | Rejected], file: Path
) -> Iterator[RoundRecord | Rejected]:
    """Yield the records of an export that can be judged, and what is left out, as of a file of records."""
    records: list[tuple[int, RoundRecord]] = []
    for each in found:
        if isinstance(each, Rejected):
            yield each
            continue
        try:
            _check(each[1], file)
        except BadInput as error:
            yield Rejected(each[0], str(error))
        else:
            records.append(each)
    placed = [_of(record, line, house_of_record(record, file, None)) for line, record in records]
    contexts = _together(sorted(placed, key=lambda each: each.seen.day)).contexts
    for line, record in records:
        yield _repeated_record(line, contexts.get(line, RecordContext())) or record


def _defaults(file: Path, vendor: Vendor, options: ImportOptions) -> RowDefaults:
    """Return the caller's values for what the vendor's form lacks."""
    if not options.table:
        raise BadInput(f"{file}: the file does not name its table; say --table")
    if options.day is None and not vendor.dated:
        raise BadInput(f"{file}: the file has no dates; say --gaming-day")
    rulebook(vendor.chapter, max(law_text.chapter(vendor.chapter).texts), {}, options.decks)
    return RowDefaults(table=options.table, zone=options.zone, day=options.day, decks=options.decks)


def _converted(
    lines: Iterator[tuple[int, bytes]], header: list[str], vendor: Vendor, defaults: RowDefaults
) -> Iterator[bytes | Rejected]:
    rows = [(number, _row(number, line, header)) for number, line in lines]
    # Whether a round is given twice in two ways is known only after all rows: then neither is used.
    rows_by_name: dict[str, list[tuple[int, Row]]] = {}
    for number, row in rows:
        if not isinstance(row, Rejected) and (name := _name(row, vendor)) is not None:
            rows_by_name.setdefault(name, []).append((number, row))
    before: tuple[int, Row] | None = None
    for number, row in rows:
        if isinstance(row, Rejected):
            yield row
            continue
        name = _name(row, vendor)
        again = _repeated_row(name, number, rows_by_name[name]) if name is not None else None
        yield again or _same_as_before(number, row, before, vendor) or _record(number, row, vendor, defaults)
        before = number, row


def _cells(line: bytes) -> list[str]:
    """Split one line of CSV; an unclosed quotation affects only its own line."""
    text = line.decode(errors="replace").rstrip("\r\n")
    return [cell.strip() for cell in next(csv.reader([text], strict=True))]


def _row(number: int, line: bytes, header: list[str]) -> Row | Rejected:
    try:
        cells = _cells(line)
    except csv.Error as error:
        return Rejected(number, str(error))
    if len(cells) != len(header):
        return Rejected(number, f"{len(cells)} cells where the head has {len(header)}")
    return dict(zip(header, cells, strict=True))


def _name(row: Row, vendor: Vendor) -> str | None:
    try:
        return vendor.name(row)
    except BadInput:
        return None


def _repeated_row(name: str, number: int, rows: list[tuple[int, Row]]) -> Rejected | None:
    """Return what is wrong with a round that is given more than once.

    The first one is used if all agree.
    """
    first, row = rows[0]
    if any(other != row for _, other in rows):
        numbers = " and ".join(str(line) for line, _ in rows)
        message = f"round {name} stands on lines {numbers}, with different data"
        return Rejected(number, message, why="ambiguous")
    if number == first:
        return None
    return Rejected(number, f"round {name} stands on line {first} already", why="repeated")


def _same_as_before(number: int, row: Row, before: tuple[int, Row] | None, vendor: Vendor) -> Rejected | None:
    """Return that a row repeats the one before, if all but its number is equal: one round, logged twice."""
    if before is None:
        return None
    line, other = before
    if any(cell != other[column] for column, cell in row.items() if column != vendor.number):
        return None
    message = f"all but its number equals line {line}, the row before: logged twice"
    return Rejected(number, message, why="repeated")


def _repeated_record(line: int, context: RecordContext) -> Rejected | None:
    """Return what is wrong with a record whose round stands in the file more than once."""
    if context.first is not None:
        return Rejected(line, f"the same round stands on line {context.first} already", why="repeated")
    for doubt in context.doubts:
        why: Why = "repeated" if doubt.check == ROUND_REPEATED.check else "ambiguous"
        return Rejected(line, text(doubt.message), why=why)
    return None


def _record(number: int, row: Row, vendor: Vendor, defaults: RowDefaults) -> bytes | Rejected:
    try:
        record = vendor.record(row, defaults)
    except BadInput as error:
        return Rejected(number, str(error))
    if isinstance(record, Ambiguous):
        return Rejected(number, record.reason, why="ambiguous")
    return _encode.encode(record)


def _checked(number: int, line: bytes, file: Path, options: ImportOptions) -> bytes | Rejected:
    """Pass a round record on as it stands, with the decks that it does not name."""
    try:
        record = read(line)
        if record.decks is None and record.house is None and options.decks is not None:
            record = msgspec.structs.replace(record, decks=options.decks)
            line = _encode.encode(msgspec.json.decode(line) | {"decks": options.decks})
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
