"""Every deal of four tiles to the dealer and four to a player counted exactly, as both set by one way.

How a player sets his tiles is his own affair: the proof has him set them as the house does. Of two hands
equally good by the house's way the better other hand is played. A player's bank is left out, as is who wagers
how much against it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Final, TypeAlias

from projections.engine.adjudication import Result, Ruling
from projections.engine.games.paigow.play import BANKS
from projections.engine.games.paigow.rules import Rules, rules_of
from projections.engine.games.paigow.setting import Setting, decides, house_ways, laid
from projections.engine.games.paigow.wagers import clause_of, reckon
from projections.engine.games.proving import BookOf, Proven, counted
from projections.engine.observation import Wager
from schemas.errors import LawError
from schemas.values import dollars

_HAND: Final = 4  # tiles, 535.8(d)

# A stake on which odds and vigorish give whole cents, so that nothing is dropped.
_STAKE: Final = 10_000

_WAYS: Final = ("best_high", "best_low")

# Tiles of one kind are equal: some of a set, as sorted kinds.
Some: TypeAlias = tuple[str, ...]
_Outcomes: TypeAlias = dict[Setting, dict[Setting, Result]]


def proof(book_of: BookOf, decks: int | None) -> Iterator[Proven]:
    """Prove the wager against the dealer, under each way of setting that the house can submit as one way.

    Raises:
        BadInput: a number of decks; the chapter is played without cards.
    """
    outcomes: _Outcomes = {}
    for way in _WAYS:
        book = book_of({"house_way": way}, decks)
        rules = rules_of(book)
        yield counted(
            "pai_gow",
            _gains(rules, results(rules, rules.ranking.in_set, outcomes)),
            _STAKE,
            decks=book.decks,
            option=f"house_way={way}, the player setting alike",
            hangs_on={"house_way": way},
            unless=BANKS,
            terms="the player sets as the house does, the vigorish is not rounded",
        )


def _gains(rules: Rules, ended: Mapping[Result, int]) -> Counter[int]:
    """Count what the wager gains, vigorish taken, over the deals on which each result comes about."""
    gains: Counter[int] = Counter()
    for result, deals in ended.items():
        ruling = Ruling(result, "535.10(g)", rules.odds if result == "win" else None)
        owed = reckon(rules, ruling, Wager(_STAKE), 0, clause_of("pai_gow", ()))
        if owed.cents is None or owed.vigorish_cents is None:
            raise LawError("the rules leave open what a finished hand is owed")
        if owed.fraction or (owed.vigorish is not None and owed.vigorish.fraction):
            raise LawError(f"the odds or the vigorish leave a fraction of a cent on {dollars(_STAKE)}")
        gains[owed.cents - owed.vigorish_cents] += deals
    return gains


def set_by_house(rules: Rules, tiles: Some) -> Setting:
    """Set four tiles by the house's way."""
    settings = [laid(rules, *way) for way in house_ways(rules, tiles)]
    if rules.house_way == "best_low":
        return max(settings, key=lambda each: (each.low, each.high))
    return max(settings, key=lambda each: (each.high, each.low))


def results(rules: Rules, in_set: Mapping[str, int], outcomes: _Outcomes) -> Counter[Result]:
    """Count on how many deals of four tiles to each a player wins, ties and loses; tiles of a kind differ.

    No tile is in both hands. The count starts from pairs of hands drawn as if one could be. Pairs that share
    some tiles are subtracted, those that share more are added again, and so on. `outcomes` caches
    comparisons.
    """
    hands = {tiles: set_by_house(rules, tiles) for tiles in _some(in_set, _HAND)}
    holding: dict[Some, Counter[Setting]] = {}
    for tiles, setting in hands.items():
        for shared, rest in _within(tiles, in_set):
            holding.setdefault(shared, Counter())[setting] += rest
    ended: Counter[Result] = Counter()
    for shared, settings in holding.items():
        sign = -1 if len(shared) % 2 else 1
        weight = sign * _ways(Counter(shared), in_set)
        for player, players in settings.items():
            row = outcomes.setdefault(player, {})
            by_result = {"win": 0, "push": 0, "lose": 0}
            for house, houses in settings.items():
                result = row.get(house)
                if result is None:
                    result = row[house] = decides(player, house)[0]
                by_result[result] += houses
            ended["win"] += weight * players * by_result["win"]
            ended["push"] += weight * players * by_result["push"]
            ended["lose"] += weight * players * by_result["lose"]
    return ended


def _some(in_set: Mapping[str, int], size: int) -> Iterator[Some]:
    """Yield every hand of a number of tiles that a set holds; tiles of a kind count as equal."""
    for tiles in combinations_with_replacement(sorted(in_set), size):
        if all(times <= in_set[tile] for tile, times in Counter(tiles).items()):
            yield tiles


def _within(tiles: Some, in_set: Mapping[str, int]) -> Iterator[tuple[Some, int]]:
    """Yield each part of a hand, and in how many ways single tiles make the part into the hand."""
    parts: list[tuple[Some, int]] = [((), 1)]
    for tile, times in Counter(tiles).items():
        parts = [
            ((*part, *[tile] * n), ways * comb(in_set[tile] - n, times - n))
            for part, ways in parts
            for n in range(times + 1)
        ]
    yield from parts


def _ways(tiles: Counter[str], in_set: Mapping[str, int]) -> int:
    """Count the single tiles that a part can be."""
    return prod(comb(in_set[tile], times) for tile, times in tiles.items())
