"""Rounds with their rulebooks and conclusions, from round records and from recorded events in the same form.

The kind of a file follows from its first line that can be read and shows it; coupon logs are for `audit`
only.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from projections.engine.audit.judge import judge, not_in_force
from projections.engine.audit.round_records import RecordContext, book_of, is_repeat, read, repeated, to_round
from projections.engine.conclusion import Conclusion
from projections.engine.observation import Round
from projections.programmes.coupons.coupon_audit import CouponConclusion, judge_case
from replay.recording.event_audit import audit_logs
from replay.recording.import_records import house_of_record, read_ahead
from replay.recording.ledger_days import with_ledgers
from replay.recording.recording import Recording
from schemas import coupon_log
from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.record import RoundRecord
from schemas.rulebook import Rulebook
from streams import log
from streams.log import Unread


class JudgedRound(msgspec.Struct, frozen=True):
    """A conclusion, what it was drawn from, and the house by whose choices.

    `seen` is absent for a shoe, `book` where the chapter was not in force on the gaming date.
    """

    conclusion: Conclusion
    house: House
    seen: Round | None = None
    book: Rulebook | None = None

    @property
    def is_repeat(self) -> bool:
        """Return True if the record repeats another: `seen` has no money, and no sum counts it."""
        return is_repeat(self.conclusion)


def judge_rounds(recording: Recording, table: str | None = None) -> Iterator[JudgedRound | Unread]:
    """Judge the rounds of a recording: round records or frames.

    With a table only that table's rounds are judged, and only its part of an archive is read.

    Raises:
        BadInput: it holds neither, the archive lacks the table, or the house file is missing or at fault.
    """
    recording.check_rounds()
    if recording.form == "records":
        yield from _records(recording.path, recording.named_house, table)
        return
    house = recording.house
    concluded = audit_logs(recording.logs_of(table), house)
    for each in with_ledgers(concluded, recording) if table is None else concluded:
        if isinstance(each, Unread):
            yield each
        elif table in (None, each.conclusion.table):
            yield JudgedRound(each.conclusion, house, each.seen, each.book)


def judge_coupons(recording: Recording) -> Iterator[CouponConclusion | Unread]:
    """Judge a coupon log case by case, by the settings of a house or the defaults.

    Raises:
        BadInput: the house file is missing or at fault.
    """
    for number, line in log.payloads(recording.path):
        try:
            yield judge_case(coupon_log.read(line), recording.house)
        except BadInput as error:
            yield Unread(number, str(error))


def _records(path: Path, house: House | None, table: str | None) -> Iterator[JudgedRound | Unread]:
    ahead = read_ahead(path, house, table)
    for number, line in log.payloads(path):
        try:
            record = read(line)
            if table in (None, record.table):
                own = house_of_record(record, path, house)
                yield _record(record, own, ahead.contexts.get(number, RecordContext()))
        except BadInput as error:
            yield Unread(number, str(error))
    for shoe in ahead.shoes:
        yield JudgedRound(shoe.conclusion, shoe.house)


def _record(record: RoundRecord, house: House, context: RecordContext) -> JudgedRound:
    observed = to_round(record, house)
    if context.first is not None:
        bare = msgspec.structs.replace(observed, wagers={}, paid=None)
        return JudgedRound(repeated(observed, record.chapter, context.first), house, bare)
    observed.doubts.extend(context.doubts)
    try:
        book = book_of(record, house)
    except NotInForce as error:
        return JudgedRound(not_in_force(observed, record.chapter, str(error)), house, observed)
    return JudgedRound(judge(observed, book, context.surplus, house.severity), house, observed, book)
