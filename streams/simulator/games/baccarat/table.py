"""A baccarat table in play, and the round that is open."""

from random import Random

from streams.simulator import table
from streams.simulator.games.baccarat.rules import BATCH, UNITS, Result, Ways
from streams.simulator.plan import Plan


class Round(table.Round, kw_only=True):
    """The round that is open: the hands that count and the hands as the dealer takes them.

    `unit` is what vigorish may be rounded up to, in cents.
    """

    ways: Ways
    unit: int
    simulated: bool = False
    counts: Result = Result((), ())
    believed: Result = Result((), ())
    is_open: bool = False
    ran_out_after: int | None = None
    announced: str | None = None


class Table(table.Table):
    """A baccarat table; `odd_seats` are those whose vigorish a dealer takes the other way in this shoe."""

    ways: Ways
    later: Ways | None

    def __init__(self, plan: Plan, rng: Random, rates: dict[str, float], start: int) -> None:
        super().__init__(plan, rng, rates, start)
        self.odd_seats: frozenset[int] = frozenset()
        self.decks = BATCH.get(plan.decks or 0, plan.decks or 0)
        self.unit = UNITS[plan.chapter][self.ways.vigorish]
