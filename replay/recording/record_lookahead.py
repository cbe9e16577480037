"""A file of round records read ahead, for what its records tell of each other."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from projections.engine.audit.record_context import Placed, RecordContext, RecordHistory
from projections.engine.audit.round_records import book_of, read, to_round
from schemas import house as houses
from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.record import RoundRecord
from streams import log


class _OutOfOrder(Exception):
    """A table's gaming days do not stand one after another."""


def contexts(path: Path, house: House | None, table: str | None = None) -> dict[int, RecordContext]:
    """Return by line what the records of a file tell of each other; with a table, of that table alone.

    A table's gaming day is held in memory at a time, and all of the file only where its days do not stand in
    order. What cannot be read is passed over.
    """
    try:
        return _found(_placed(path, house, table))
    except _OutOfOrder:
        return _found(sorted(_placed(path, house, table), key=lambda each: each.seen.day))


def house_of_record(record: RoundRecord, path: Path, house: House | None) -> House:
    """Return the house of a record: the one that was named, the record's own, or the default.

    Raises:
        BadInput: the record's own is missing or at fault.
    """
    return house or (houses.load(record.house, path.parent) if record.house else houses.DEFAULT)


def _found(records: Iterable[Placed]) -> dict[int, RecordContext]:
    histories: dict[str, RecordHistory] = {}
    found: dict[int, RecordContext] = {}
    for day in _days(records):
        found |= histories.setdefault(day[0].seen.table, RecordHistory()).take_day(day)
    return found


def _days(records: Iterable[Placed]) -> Iterator[list[Placed]]:
    """Yield each table's records by gaming day.

    Raises:
        _OutOfOrder: a record of an earlier day than the one before at its table.
    """
    current: dict[str, list[Placed]] = {}
    for each in records:
        day = current.setdefault(each.seen.table, [])
        if day and day[0].seen.day != each.seen.day:
            if each.seen.day < day[0].seen.day:
                raise _OutOfOrder
            yield day
            day = current[each.seen.table] = []
        day.append(each)
    yield from current.values()


def _placed(path: Path, house: House | None, table: str | None) -> Iterator[Placed]:
    for line, payload in log.payloads(path):
        with suppress(BadInput):
            record = read(payload)
            if table in (None, record.table):
                yield _of(record, line, house_of_record(record, path, house))


def _of(record: RoundRecord, line: int, house: House) -> Placed:
    seen = to_round(record, house)
    try:
        book = book_of(record, house)
    except NotInForce:
        return Placed(line, record, seen, record.chapter, 0)
    return Placed(line, record, seen, book.digest, book.shoe_decks)
