"""House advantage of a side wager by its pay table, every deal counted exactly."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import lcm, perm
from typing import Final, TypeAlias

from projections.engine.games.baccarat.play import Deal
from projections.engine.games.baccarat.proof import SIX, finished
from projections.engine.games.baccarat.rules import rules_of
from projections.engine.games.baccarat.wagers import first_two, winner
from projections.engine.games.proving import Proven, counted
from projections.engine.side_wagers import CardSet, Ending, asks_for_faces, line_of, meets
from schemas.rulebook import Rulebook
from schemas.side_wagers import UNDECIDED, PayLine
from schemas.values import RANKS, SUITS

_PACK: Final = tuple(map("".join, product(RANKS, SUITS)))
_TWO: Final = 2
_FIRST_TWO: Final = ("player_first_two", "banker_first_two")
_Pair: TypeAlias = tuple[str, str]
_Sort: TypeAlias = tuple[bool, ...]


def proven(book: Rulebook, wager: str) -> Proven | None:
    """Count what a side wager brings in every deal of a full shoe.

    None where its pay table leaves a line open, or asks for more than is counted here: for the first two
    cards together with how the hands end, or for the cards of a hand that may hold three.
    """
    lines = book.side_lines(wager)
    if lines is None or any(line.pays == UNDECIDED for line in lines):
        return None
    conditions = [condition for line in lines for condition in line.conditions]
    parts = {part for condition in conditions for part in condition.parts()}
    if parts <= {*_FIRST_TWO}:
        ends = _dealt(book, lines, [part for part in _FIRST_TWO if part in parts])
    elif parts.isdisjoint(_FIRST_TWO) and not any(map(asks_for_faces, conditions)):
        ends = _ended(book, lines)
    else:
        return None
    stake = lcm(*(line.paid_at.denominator for line in lines if line.paid_at is not None))
    gains: Counter[int] = Counter()
    for line, ways in ends:
        gains[_gain(line, stake)] += ways
    return counted(wager, gains, stake, decks=book.decks)


def _gain(line: PayLine | None, stake: int) -> int:
    if line is None:
        return -stake
    return int(line.paid_at * stake) if line.paid_at is not None else 0


def _ended(book: Rulebook, lines: Sequence[PayLine]) -> Iterator[tuple[PayLine | None, int]]:
    """Yield by which line each way to end is paid, and in how many deals it comes about."""
    pack = dict.fromkeys(RANKS, len(SUITS) * book.shoe_decks)
    for deal, ways in finished(rules_of(book), pack).items():
        yield line_of(lines, _ending(deal)), ways


def _ending(deal: Deal) -> Ending:
    card_sets = {
        "player": CardSet(None, deal.player_cards, deal.player, deal.player_natural),
        "banker": CardSet(None, deal.banker_cards, deal.banker, deal.banker_natural),
    }
    return Ending(card_sets, winner(deal), abs(deal.player - deal.banker))


def _dealt(
    book: Rulebook, lines: Sequence[PayLine], parts: Sequence[str]
) -> Iterator[tuple[PayLine | None, int]]:
    """Yield by which line the first two cards are paid, and in how many deals they come about.

    Pairs of cards that no condition tells apart are one sort. Where both hands are asked for, the pairs left
    to the other hand are counted by sort, less what the first hand's cards take from them.
    """
    rules, left = rules_of(book), dict.fromkeys(_PACK, book.shoe_decks)
    sets = {pair: first_two(rules, pair) for pair in combinations_with_replacement(_PACK, _TWO)}
    others = perm(sum(left.values()) - _TWO * len(parts), SIX - _TWO * len(parts))
    if len(parts) == 1:
        for pair, cards in sets.items():
            yield line_of(lines, Ending({parts[0]: cards})), _taken(pair, left) * others
        return
    sorts, other_sorts = ({pair: _sort(lines, part, cards) for pair, cards in sets.items()} for part in parts)
    of_all = Counter[_Sort]()
    for pair in sets:
        of_all[other_sorts[pair]] += _taken(pair, left)
    deals: Counter[tuple[_Sort, _Sort]] = Counter()
    for pair in sets:
        without = {card: count - pair.count(card) for card, count in left.items()}
        of_rest = of_all.copy()
        for touched in {_pair(card, other) for card in pair for other in _PACK}:
            of_rest[other_sorts[touched]] += _taken(touched, without) - _taken(touched, left)
        for other, ways in of_rest.items():
            deals[sorts[pair], other] += _taken(pair, left) * ways * others
    examples = [{sort: sets[pair] for pair, sort in each.items()} for each in (sorts, other_sorts)]
    for found, ways in deals.items():
        card_sets = {part: of[sort] for part, of, sort in zip(parts, examples, found, strict=True)}
        yield line_of(lines, Ending(card_sets)), ways


def _sort(lines: Sequence[PayLine], part: str, cards: CardSet) -> _Sort:
    """Return which of the conditions on the first two cards of a hand they meet."""
    return tuple(
        test is None or meets(test, cards)
        for line in lines
        for condition in line.conditions
        for test in (getattr(condition, part),)
    )


def _pair(one: str, other: str) -> _Pair:
    return (one, other) if _PACK.index(one) <= _PACK.index(other) else (other, one)


def _taken(pair: _Pair, left: Mapping[str, int]) -> int:
    """Return in how many ways two cards are drawn, in either order."""
    one, other = pair
    return left[one] * (left[one] - 1) if one == other else 2 * left[one] * left[other]
