"""House advantage of a side wager by its pay table, every deal counted exactly.

The module `proof` of a game's package counts by `side_deals` how often each ending comes about that a pay
table asks for: endings, each with its number of ordered deals, or None where that is too much to count.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import comb, factorial, lcm, prod
from typing import Final, TypeAlias

from projections.engine.games import module_of
from projections.engine.games.proving import Proven, counted
from projections.engine.side_wagers import CardSet, Ending, line_of, meets, parts_of
from schemas.rulebook import Rulebook
from schemas.side_wagers import UNDECIDED, PayLine
from schemas.values import SUITS

Deals: TypeAlias = Iterable[tuple[Ending, int]]
CardSetOf: TypeAlias = Callable[[str, tuple[str, ...]], CardSet]
_Pair: TypeAlias = tuple[str, ...]
_Sort: TypeAlias = tuple[bool, ...]
_TWO: Final = 2


def proven(book: Rulebook, wager: str) -> Proven | None:
    """Count what a side wager brings in every deal of a full shoe.

    None where its pay table leaves a line open, or asks for more than its game counts.
    """
    lines = book.side_lines(wager)
    side_deals = getattr(module_of(book.chapter, "proof"), "side_deals", None)
    if lines is None or side_deals is None or any(line.pays == UNDECIDED for line in lines):
        return None
    deals: Deals | None = side_deals(book, lines) if parts_of(lines) else [(Ending({}), 1)]
    if deals is None:
        return None
    stake = lcm(*(line.paid_at.denominator for line in lines if line.paid_at is not None))
    gains: Counter[int] = Counter()
    for ending, ways in deals:
        gains[_gain(line_of(lines, ending), stake)] += ways
    return counted(wager, gains, stake, decks=book.decks)


def _gain(line: PayLine | None, stake: int) -> int:
    if line is None:
        return -stake
    return int(line.paid_at * stake) if line.paid_at is not None else 0


def pack_of_ranks(ranks: str) -> tuple[str, ...]:
    """Return one card of each rank and suit."""
    return tuple(map("".join, product(ranks, SUITS)))


def ways_to_draw(ranks: str, decks: int, count: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield each so many cards of a shoe, and in how many ways they are drawn, in any order.

    >>> list(ways_to_draw("A", decks=2, count=2))[:2]
    [(('Ac', 'Ac'), 2), (('Ac', 'Ad'), 8)]
    """
    for cards in combinations_with_replacement(pack_of_ranks(ranks), count):
        yield cards, factorial(count) * prod(comb(decks, times) for times in Counter(cards).values())


def first_two_dealt(card_set: CardSetOf, lines: Sequence[PayLine], ranks: str, decks: int) -> Deals:
    """Yield what the first two cards of one hand or of two can be, and in how many deals they come about.

    The pay table asks for nothing else. Pairs of cards that no condition tells apart are one sort, of which
    one pair is an example. With two hands the pairs left to the second are counted by sort, less what the
    cards of the first take from them.
    """
    first, *others = sorted(parts_of(lines))
    if not others:
        for pair, ways in ways_to_draw(ranks, decks, _TWO):
            yield Ending({first: card_set(first, pair)}), ways
        return
    (second,) = others
    pack = pack_of_ranks(ranks)
    left, places = dict.fromkeys(pack, decks), {card: n for n, card in enumerate(pack)}
    sorts: dict[str, dict[_Pair, _Sort]] = {first: {}, second: {}}
    examples: dict[str, dict[_Sort, CardSet]] = {first: {}, second: {}}
    of_all: Counter[_Sort] = Counter()
    for pair, ways in ways_to_draw(ranks, decks, _TWO):
        for part, found in sorts.items():
            cards = card_set(part, pair)
            found[pair] = sort = _sort(lines, part, cards)
            examples[part].setdefault(sort, cards)
        of_all[sorts[second][pair]] += ways
    deals: Counter[tuple[_Sort, _Sort]] = Counter()
    for pair, sort in sorts[first].items():
        without = {card: count - pair.count(card) for card, count in left.items()}
        of_rest = of_all.copy()
        for touched in {_in_order(places, card, other) for card in pair for other in pack}:
            of_rest[sorts[second][touched]] += _taken(touched, without) - _taken(touched, left)
        for other_sort, ways in of_rest.items():
            deals[sort, other_sort] += _taken(pair, left) * ways
    for (sort, other_sort), ways in deals.items():
        yield Ending({first: examples[first][sort], second: examples[second][other_sort]}), ways


def _sort(lines: Sequence[PayLine], part: str, cards: CardSet) -> _Sort:
    """Return which of the conditions on the first two cards of a hand they meet."""
    return tuple(
        test is None or meets(test, cards)
        for line in lines
        for condition in line.conditions
        for test in (getattr(condition, part),)
    )


def _in_order(places: Mapping[str, int], one: str, other: str) -> _Pair:
    return (one, other) if places[one] <= places[other] else (other, one)


def _taken(pair: _Pair, left: Mapping[str, int]) -> int:
    """Return in how many ways two cards are drawn, in either order."""
    one, other = pair
    return left[one] * (left[one] - 1) if one == other else 2 * left[one] * left[other]
