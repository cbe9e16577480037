"""The end of a floor's gaming days: the boxes are counted, and the ledgers closed."""

from collections.abc import Sequence
from typing import Final

from schemas.ledgers import LedgerClosed
from streams.simulator.money.books import Books
from streams.simulator.money.count_room import count
from streams.simulator.money.ledgers import DEVICES
from streams.simulator.sessions import Session

_MINUTE: Final = 60_000_000


def close(books: Books, sessions: Sequence[Session]) -> None:
    """Count the boxes of each gaming day, tell of its coupons, and close its ledgers."""
    counted = {session.day: count(books, session) for session in sessions}
    books.programme.enter(books.ledgers, sessions, counted)
    for day, at in counted.items():
        for ledger in DEVICES:
            books.ledgers.enter(ledger, at + 8 * _MINUTE, LedgerClosed, date=day)
