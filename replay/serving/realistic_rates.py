"""Rates at which dealers may err at real tables, for a night that rings as a room's does."""

from typing import Final

from projections.catalogue import KINDS
from streams.simulator import faults
from streams.simulator.kinds import Kind
from streams.simulator.money.kinds import MONEY
from streams.simulator.procedures import PROCEDURES

# So many times rarer than in docs/faults.md: about one wager in 2,000 is then settled wrongly, and about one
# round in 1,200 dealt, called or taken wrongly otherwise. No source was found for either; both are assumed.
_RARER_MONEY: Final = 12
_RARER_OTHERS: Final = 60


def realistic_rates(*, sensors: bool = False) -> dict[str, float]:
    """Return the rate of every kind of fault, of dealers and money as it is assumed for real tables.

    Devices fail by `faults.rates`. The rates of docs/faults.md are made so that an hour shows every kind.
    docs/console.md has how often a night at these rates rings.

    >>> rates = realistic_rates()
    >>> round(rates["winner_not_paid"] * 12, 6), round(rates["announced_wrong"] * 60, 6)
    (0.0004, 0.0015)
    """
    devices = {name: rate for name, rate in faults.rates(sensors=sensors).items() if name in faults.SENSORS}
    others = (*faults.DEALERS.items(), *MONEY.items(), *PROCEDURES.items())
    return {**faults.NONE, **{name: _rate(kind) for name, kind in others}, **devices}


def _rate(kind: Kind) -> float:
    money = kind.check is None or KINDS[kind.check].severity == "by_amount"
    return kind.rate / (_RARER_MONEY if money else _RARER_OTHERS)
