"""Who wagered insurance, and when: its time ends in the play."""

from collections.abc import Collection, Sequence

from projections.engine.games.blackjack.layout import seat_of
from projections.engine.games.blackjack.stakes import INSURANCE


def insured_after(play: Sequence[tuple[str, str]], ends: Collection[int]) -> set[tuple[int, str | None]]:
    """Return who made or increased insurance after the first of these places in a play: seat and bettor.

    >>> insured_after([("seat1", "stand"), ("seat2/anna", "place insurance")], [0])
    {(2, 'anna')}
    """
    late: set[tuple[int, str | None]] = set()
    for who, what in play[min(ends, default=len(play)) :]:
        hand, _, bettor = who.partition("/")
        seat = seat_of(hand)
        if seat is not None and what in (f"place {INSURANCE}", f"increase {INSURANCE}"):
            late.add((seat, bettor or None))
    return late
