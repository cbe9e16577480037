"""The count room: the day's boxes are brought, emptied, shown and counted, each by itself, 465a.25."""

from typing import Final

from schemas import ledgers
from streams.simulator.money import people
from streams.simulator.money.books import Books, Box
from streams.simulator.money.chips import in_bills
from streams.simulator.sessions import Session

_MINUTE: Final = 60_000_000
_BROUGHT: Final = 6 * _MINUTE  # from the table to the count room
_BEFORE: Final = 10 * _MINUTE  # from the last closing to the count, and from that to the day's end
_LONGEST: Final = 2 * _MINUTE  # for one box


def count(books: Books, session: Session) -> int:
    """Count all boxes of a gaming day after its last table has closed; give when it is done."""
    boxes = sorted(books.boxes.pop(session.day, []), key=lambda box: (box.removed_at, box.name))
    at = books.closed[session.day] + _BEFORE
    step = min(_LONGEST, (session.ends - 2 * _BEFORE - at) // (len(boxes) + 1))
    for number, box in enumerate(boxes):
        books.ledgers.enter(
            "count_room",
            box.removed_at + _BROUGHT,
            ledgers.BoxReceived,
            box=box.name,
            table=box.table,
            by=people.security(number),
        )
        _count(books, box, at, step)
        books.programme.day(session.day).counted.extend(box.coupons)
        at += step
    return at


def _count(books: Books, box: Box, at: int, step: int) -> None:
    books.ledgers.enter("count_room", at + step // 4, ledgers.BoxEmptied, box=box.name, shown=True)
    books.ledgers.enter(
        "count_room",
        at + step * 3 // 4,
        ledgers.BoxCounted,
        box=box.name,
        table=box.table,
        cash=in_bills(box.cash),
        counter_checks=box.checks,
        coupons=tuple(box.coupons),
        slips=box.slips,
        by=people.COUNT_TEAM,
    )
