"""The end of a floor's gaming days: the boxes are counted, and the ledgers closed."""

from collections.abc import Iterable
from typing import Final

from schemas.ledgers import LedgerClosed
from streams.simulator.money.books import Books
from streams.simulator.money.count_room import count
from streams.simulator.money.ledgers import DEVICES
from streams.simulator.sessions import Session

_MINUTE: Final = 60_000_000


def close(books: Books, sessions: Iterable[Session]) -> None:
    """Count the boxes of each gaming day, and close its ledgers."""
    for session in sessions:
        counted = count(books, session)
        for ledger in DEVICES:
            books.ledgers.enter(ledger, counted + 8 * _MINUTE, LedgerClosed, date=session.day)
