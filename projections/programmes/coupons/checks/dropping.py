"""Did the coupon go into the table's drop box at the settlement, and only then? 603a.21(e)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from projections.engine.facts import fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty, Moment, just_tied
from projections.programmes.coupons.ledger import UNKNOWN
from schemas.coupon_log import Closed, Counted, Dropped, Named, Settled

NOT_DROPPED: Final = Duty(
    "coupon_not_dropped",
    severity="money",
    asks="Was the coupon dropped when the wager was paid or collected?",
    false_positives="Clocks of two systems that lie apart, or a drop that is not in the log.",
    cites=("603a.21(e)",),
)
ELSEWHERE: Final = Duty(
    "coupon_dropped_elsewhere",
    severity="money",
    asks="Was the coupon dropped into the box of the table where it was played?",
    false_positives="A table that goes by two names.",
    cites=("603a.21(e)",),
)
WITHOUT_PLAY: Final = Duty(
    "dropped_without_play",
    severity="money",
    asks="Was the coupon played before it was dropped?",
    false_positives="A play that is not in the log, or a misread serial number.",
    cites=("603a.21(e)", "603a.20(m)(3)"),
)
COUNTED_WITHOUT_PLAY: Final = Duty(
    "counted_without_play",
    severity="money",
    asks="Was the coupon that was found in the box played and dropped?",
    false_positives="A play that is not in the log, or a misread serial number.",
    cites=("603a.20(m)(3)", "603a.20(m)(1)", "603a.21(e)"),
)
KINDS: Final = (NOT_DROPPED, ELSEWHERE, WITHOUT_PLAY, COUNTED_WITHOUT_PLAY)


def check(moment: Moment) -> Iterator[Raised]:
    """Raise coupons that are overdue, that lie in another box, and that come there from nowhere."""
    event = moment.event
    yield from _overdue(moment)
    if isinstance(event, Settled):
        yield from _early(moment, event)
    elif isinstance(event, Dropped):
        yield from _dropped(moment, event)
    elif isinstance(event, Counted):
        for serial in moment.coupons:
            each = moment.ledger.coupons.get(serial)
            if each is None or each.lot == UNKNOWN or each.improper:
                continue  # what was played that never ought to have been is told as that
            if each.place in ("finance", "marketing", "patron"):
                message = fact("coupons.counted_without_play")
                yield moment.found(COUNTED_WITHOUT_PLAY, message, serials=[serial], table=event.table)
    if moment.due is not None:
        yield from _undecided(moment)


def _overdue(moment: Moment) -> Iterator[Raised]:
    """Raise what was settled and is not in a box by now; at the log's end, ever."""
    event, ledger = moment.event, moment.ledger
    limit = moment.settings.drop_seconds
    for serial, settled in ledger.awaiting_drop.items():
        passed = event.at - settled
        if passed <= timedelta(seconds=limit) and not isinstance(event, Closed):
            break  # those that follow were settled later
        came = isinstance(event, Dropped) and serial in moment.coupons
        message = (
            fact("coupons.dropped_late", seconds=int(passed.total_seconds()), limit=limit)
            if came
            else fact("coupons.not_dropped", limit=limit)
        )
        play = ledger.coupons[serial].play
        where = play.table if play is not None else None
        day = play.day if play is not None else None
        yield moment.found(NOT_DROPPED, message, serials=[serial], table=where, day=day)


def _early(moment: Moment, event: Settled) -> Iterator[Raised]:
    """Raise what was dropped well before the wager was decided."""
    limit = moment.settings.drop_seconds
    for serial in moment.coupons:
        each = moment.ledger.coupons.get(serial)
        if each is None or each.dropped_at is None or each.play is None or each.play.settled_at is not None:
            continue
        before = event.at - each.dropped_at
        if before > timedelta(seconds=limit) and each.lot != UNKNOWN:
            message = fact("coupons.dropped_early", seconds=int(before.total_seconds()))
            yield moment.found(NOT_DROPPED, message, serials=[serial], table=each.dropped_table)


def _dropped(moment: Moment, event: Dropped) -> Iterator[Raised]:
    for serial in moment.coupons:
        each = moment.ledger.coupons.get(serial)
        if each is None or each.lot == UNKNOWN:
            continue
        if each.place != "table" and not just_tied(moment, each):
            message = fact("coupons.dropped_without_play")
            yield moment.found(WITHOUT_PLAY, message, serials=[serial], table=event.table)
        elif event.table is None and event.drop_box is None:
            yield moment.found(ELSEWHERE, fact("coupons.dropped_into_no_box"), serials=[serial])
        elif each.play is not None and _differ(each.play.table, event.table):
            message = fact("coupons.dropped_elsewhere", played=each.play.table, dropped=str(event.table))
            yield moment.found(ELSEWHERE, message, serials=[serial], table=event.table)


def _differ(one: str | None, other: Named | None) -> bool:
    return None not in (one, other) and one != str(other)


def _undecided(moment: Moment) -> Iterator[Raised]:
    """Raise what was played on a day that is over and never settled."""
    due = moment.now_due
    for serial, each in moment.ledger.coupons.items():
        play = each.play
        if play is None or play.settled_at is not None or each.lot == UNKNOWN:
            continue
        if play.day in due and not (each.improper or each.voided_on):
            what = fact("coupons.never_settled", was_dropped=int(each.place != "table"))
            yield moment.found(NOT_DROPPED, what, serials=[serial], table=play.table, day=play.day)
