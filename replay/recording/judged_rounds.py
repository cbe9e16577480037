"""Rounds with their rulebooks and conclusions, from round records or from recorded events alike.

What a file holds is told by its first line that can be read and says it; coupon logs are for `audit` alone.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from projections.engine.audit.judge import judge, not_in_force
from projections.engine.audit.round_records import RecordContext, book_of, is_repeat, read, repeated, to_round
from projections.engine.audit.table_audit import Concluded
from projections.engine.conclusion import Conclusion
from projections.engine.observation import Round
from projections.programmes.coupons.coupon_audit import CouponConclusion, judge_case
from replay.cli.custody import no_recording
from replay.recording.event_audit import Unread, audited, house_of
from replay.recording.import_records import contexts, house_of_record
from replay.recording.ledger_days import with_ledgers
from schemas import coupon_log
from schemas import house as houses
from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.record import RoundRecord
from schemas.rulebook import Rulebook
from streams import log

Form: TypeAlias = Literal["frames", "records", "coupons"]


class _OfTable(msgspec.Struct):
    table: str


_read_table: Final = msgspec.json.Decoder(_OfTable).decode


class Judged(msgspec.Struct, frozen=True):
    """A conclusion, what it was drawn from, and the house by whose choices.

    `seen` is absent for a shoe, `book` where the chapter was not in force on the gaming date.
    """

    conclusion: Conclusion
    house: House
    seen: Round | None = None
    book: Rulebook | None = None

    @property
    def is_repeat(self) -> bool:
        """Whether it is of a record that repeats another: `seen` has no money, and no sum counts it."""
        return is_repeat(self.conclusion)


def judged(path: Path, house_file: str | None, table: str | None = None) -> Iterator[Judged | Unread]:
    """Judge whatever a path holds: a file of round records, a file of frames or an archive folder.

    With a table only that table's rounds are judged, and only its part of an archive is read.

    Raises:
        BadInput: the path holds none of these, the archive lacks the table, or the house file is missing
            or at fault.
    """
    form = "frames" if log.is_archive(path) else form_of(path) if path.is_file() else None
    if form == "coupons":
        raise BadInput(f"{path}: a coupon log, of which there are no rounds; discardrack audit judges it")
    if form == "frames":
        house = house_of(path, house_file)
        concluded = audited(log.logs(path, table), house)
        for each in with_ledgers(concluded, path, house) if table is None else concluded:
            if isinstance(each, Unread) or table in (None, each.conclusion.table):
                yield judged_by(each, house)
    elif form == "records":
        yield from _records(path, houses.load(house_file, Path.cwd()) if house_file else None, table)
    else:
        raise no_recording(path)


def tables_in(file: Path) -> list[str]:
    """Return the tables that a file of round records or of frames tells of; other lines are passed over."""
    found: set[str] = set()
    (only,) = log.logs(file)
    for _, _, payload in only.payloads():
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found.add(_read_table(payload).table)
    return sorted(found)


def judged_by(each: Concluded | Unread, house: House) -> Judged | Unread:
    """Put the house to a conclusion; what could not be read stays as it is."""
    return each if isinstance(each, Unread) else Judged(each.conclusion, house, each.seen, each.book)


def form_of(path: Path) -> Form:
    """Return what a file holds: all that is Parquet is frames, else the first line that says so decides.

    A file in which no line does is taken for round records.

    Raises:
        BadInput: there is no line, so that nothing can be said of it, not even that all is clean.
    """
    if log.is_parquet(path):
        return "frames"
    empty = True
    for _, line in log.payloads(path):
        empty = False
        try:
            first = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if isinstance(first, dict):
            if "play" in first:
                return "records"
            if "case" in first:
                return "coupons"
            if "events" in first:
                return "frames"
    if empty:
        raise BadInput(f"{path}: empty, there is nothing to judge; look where it was written")
    return "records"


def judged_coupons(path: Path, house_file: str | None) -> Iterator[CouponConclusion | Unread]:
    """Judge a coupon log case by case, by the settings of a house or the defaults.

    Raises:
        BadInput: the house file is missing or at fault.
    """
    house = houses.load(house_file, Path.cwd()) if house_file else houses.DEFAULT
    for number, line in log.payloads(path):
        try:
            yield judge_case(coupon_log.read(line), house)
        except BadInput as error:
            yield Unread(number, str(error))


def _records(path: Path, house: House | None, table: str | None) -> Iterator[Judged | Unread]:
    contexts_there = contexts(path, house, table)
    for number, line in log.payloads(path):
        try:
            record = read(line)
            if table in (None, record.table):
                own = house_of_record(record, path, house)
                yield _record(record, own, contexts_there.get(number, RecordContext()))
        except BadInput as error:
            yield Unread(number, str(error))


def _record(record: RoundRecord, house: House, context: RecordContext) -> Judged:
    observed = to_round(record, house)
    if context.first is not None:
        bare = msgspec.structs.replace(observed, wagers={}, paid=None)
        return Judged(repeated(observed, record.chapter, context.first), house, bare)
    observed.doubts.extend(context.doubts)
    try:
        book = book_of(record, house)
    except NotInForce as error:
        return Judged(not_in_force(observed, record.chapter, str(error)), house, observed)
    return Judged(judge(observed, book, context.surplus), house, observed, book)
