"""Which patron sat where, as a table's terminal told it.

The fold of the table has no use for it; who is owed what by name hangs on it.
"""

from typing import Final

from projections.fold.noted import Noted
from schemas.codec import Told
from schemas.events import PlayerLeft, PlayerSeated, TableClosed

# Rounds are asked for in order, but for the lateness window. Nobody sits for two days at a stretch.
_REMEMBERED: Final = 48 * 3_600_000_000  # microseconds


class Seating:
    """Who sat at a table: takes its events as they come, and answers round by round, in order."""

    def __init__(self, terminal: str | None) -> None:
        self._moves = Noted(terminal, (PlayerSeated, PlayerLeft, TableClosed))

    def take(self, event: Told) -> None:
        """Take note of an event, if it is about who sits; others are passed over."""
        self._moves.take(event)

    def patron(self, seat: int, at: int, number: str) -> str | None:
        """Name who sat in a seat as a round opened, or sat down in it during the round where nobody did.

        `at` is when it opened by the terminal's clock, microseconds UTC. None where nobody is known.
        """
        self._moves.forget(at - _REMEMBERED)
        sits: str | None = None
        for move in self._moves.events():
            if move.at > at and (sits is not None or move.round != number):
                break
            if isinstance(move, TableClosed):
                sits = None
            elif isinstance(move, PlayerSeated) and move.seat == seat:
                sits = move.patron
            elif isinstance(move, PlayerLeft) and move.seat == seat and move.bettor is None:
                sits = None
        return sits
