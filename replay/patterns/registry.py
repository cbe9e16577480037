"""The patterns, and what they come to over a recording."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from replay.patterns.count_betting import CountBetting
from replay.patterns.dumping import Dumping
from replay.patterns.edge_sorting import EdgeSorting
from replay.patterns.late_wagers import LateWagers
from replay.patterns.pattern import Lead, Pattern
from replay.patterns.played_rounds import PlayedRound
from replay.patterns.wins import Wins

PATTERNS: Final[Mapping[str, type[Pattern]]] = {
    each.name: each for each in (LateWagers, Dumping, Wins, CountBetting, EdgeSorting)
}
# Of a thousand months of clean play one, or fewer, has a lead of a pattern.
RATE: Final = Fraction(1, 1000)


def leads(
    rounds: Iterable[PlayedRound], rate: Fraction = RATE, names: Collection[str] = ()
) -> Iterator[Lead]:
    """Yield the leads of the named patterns, or of all, once the rounds have passed.

    On clean play a pattern has one lead or more with a probability of at most `rate`.
    """
    looking = [pattern() for name, pattern in PATTERNS.items() if not names or name in names]
    for played in rounds:
        for each in looking:
            each.count_round(played)
    for each in looking:
        yield from each.leads(rate)
