"""The patrons: where they sit, what they hold and what they like to wager."""

from random import Random
from typing import Final

LEAST_WAGER: Final = 2500  # cents, the table's minimum on its main wagers
_BASES: Final = (2500, 2500, 5000, 5000, 7500, 10000, 15000, 20000, 30000, 50000, 100000)
SIDES: Final = (500, 1000, 1000, 2000, 2500, 5000)
_BUY_INS: Final = (100000, 200000, 300000, 500000)


class Patron:
    """A person at a position; `bettor` distinguishes persons if several wager on one position's spots."""

    def __init__(self, seat: int, bettor: str | None, rng: Random) -> None:
        self.seat = seat
        self.bettor = bettor
        self.rng = rng
        self.chips = 0
        self.base = rng.choice(_BASES)
        # Most wager in red chips; some in singles, whose vigorish is no multiple of a quarter.
        self.unit = rng.choice((500, 500, 500, 100, 100))
        self.likes_banker = rng.uniform(0.3, 0.8)
        self.likes_sides = rng.uniform(0.05, 0.5)
        self.rounds_left = rng.randint(15, 160)

    def buy_in(self) -> int:
        """Return how much cash this person changes into chips at once, in cents."""
        return max(self.rng.choice(_BUY_INS), 10 * self.base // 10000 * 10000)
