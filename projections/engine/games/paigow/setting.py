"""Four tiles set into a high and a low hand: every way, the dealer's ways, and how two settings compare."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from msgspec import Struct

from projections.engine.adjudication import Result
from projections.engine.games.paigow.rules import Rank, Rules, Two, rank_of, two

# Four tiles parted into two hands, in the order of their spelling: the same however they were laid.
Parted: TypeAlias = tuple[Two, Two]


class Setting(Struct, frozen=True, gc=False):
    """Four tiles as they are set, 535.1: the high hand is the one that ranks higher.

    `crossed` says that they were laid the other way round.
    """

    high: Rank
    low: Rank
    crossed: bool = False


def parted(one: Sequence[str], other: Sequence[str]) -> Parted:
    """Write two hands of two tiles in one form, whichever lay where."""
    first, second = sorted((two(one), two(other)))
    return first, second


def laid(rules: Rules, high: Two, low: Two) -> Setting:
    """Set two hands as they were laid; by definition the better one is the high hand, 535.1."""
    above, below = rank_of(rules.ranking, high), rank_of(rules.ranking, low)
    return Setting(below, above, crossed=True) if below > above else Setting(above, below)


def ways(tiles: Sequence[str]) -> list[Parted]:
    """Return every way to part four tiles: three, or fewer where tiles are alike.

    >>> ways(("6-6", "6-6", "5-1", "4-1"))
    [(('4-1', '5-1'), ('6-6', '6-6')), (('4-1', '6-6'), ('5-1', '6-6'))]
    """
    a, b, c, d = sorted(tiles)
    return list(dict.fromkeys((parted((a, b), (c, d)), parted((a, c), (b, d)), parted((a, d), (b, c)))))


@lru_cache(maxsize=1 << 12)
def house_ways(rules: Rules, tiles: tuple[str, ...]) -> list[Parted]:
    """Return the ways in which the dealer may set four tiles, 535.10(d), as far as the house's own way tells.

    Of several that the text admits the house may play the best high or the best low hand; where two are
    equally good in that, both stand.
    """
    _, admitted = admitted_by(rules, tiles)
    if rules.house_way == "any" or len(admitted) == 1:
        return admitted
    judged = {way: laid(rules, *way) for way in admitted}
    high = rules.house_way == "best_high"
    worth = {way: each.high if high else each.low for way, each in judged.items()}
    best = max(worth.values())
    return [way for way, rank in worth.items() if rank == best]


def admitted_by(rules: Rules, tiles: Sequence[str]) -> tuple[str, list[Parted]]:
    """Return the paragraph of 535.10(d) by which the dealer sets four tiles, and the ways that it admits."""
    every = ways(tiles)
    ranked = {way: [rank_of(rules.ranking, hand) for hand in way] for way in every}
    clauses: Mapping[str, Callable[[Rank], bool]] = {
        "535.10(d)(1)": lambda rank: rank.pair == rules.ranking.supreme,
        "535.10(d)(2)": lambda rank: rank.pair > 0,
        "535.10(d)(3)": lambda rank: rank.pair == 0 and rank.value in rules.together,
    }
    for clause, asks in clauses.items():
        if plays := [way for way in every if any(map(asks, ranked[way]))]:
            return clause, plays
    return "535.10(d)(4)", [way for way in every if _highest_with_lowest(rules, way, tiles)]


def _highest_with_lowest(rules: Rules, way: Parted, tiles: Sequence[str]) -> bool:
    """535.10(d)(4), at either rank of a tile of the Supreme Pair: (d)(4) does not say how it counts there."""
    counts = rules.ranking.counts
    for ranks in product(*([rank for _, rank in counts[tile]] for tile in tiles)):
        by_rank = sorted(zip(ranks, tiles, strict=True))
        if two((by_rank[0][1], by_rank[-1][1])) in way:
            return True
    return False


@lru_cache(maxsize=1 << 12)
def decides(player: Setting, house: Setting) -> tuple[Result, str]:
    """Compare a player's hands with the dealer's or bank's: what becomes of his wager, by which clause.

    Equal hands are a copy, which the dealer or bank wins (535.4(b), (g)); a low hand of zero never wins
    (535.10(g), (h)(1)).
    """
    high = player.high > house.high
    low = player.low > house.low and not player.low.is_zero
    if high:
        return ("win", "535.10(j)") if low else ("push", "535.10(h)(1)")
    return ("push", "535.10(h)(2)") if low else ("lose", "535.10(g)")


def decides_dealers(dealer: Setting, bank: Setting) -> Result | None:
    """Compare the dealer's hands with the bank's, 535.11(n).

    The text does not say whether a low hand of zero costs the dealer what it costs a player: None where that
    matters.
    """
    higher = [dealer.high > bank.high, dealer.low > bank.low]
    result: Result = "win" if all(higher) else "push" if any(higher) else "lose"
    return result if decides(dealer, bank)[0] == result else None
