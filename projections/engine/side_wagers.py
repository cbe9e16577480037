"""Side wagers that another text approves, settled by the pay table that the house gives with its citation."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Final

from msgspec import Struct

from projections.engine.adjudication import UNDECIDED, Reckoning, Ruling, agreed, reckon, silent_on
from projections.engine.facts import fact
from projections.engine.observation import Wager
from schemas import side_wagers
from schemas.side_wagers import CardTest, Condition, PayLine, figures
from schemas.values import RANKS, RANKS_OF, SUITS, is_certain

_COLORS: Final = {"c": "black", "s": "black", "d": "red", "h": "red"}
_MOST_READINGS: Final = 52 * 52  # of two cards that were not read; of more nothing is said


class CardSet(Struct, frozen=True):
    """Cards of a hand as conditions ask of them: how many, what they count, whether they are a Natural.

    `cards` is None if it is open which of the cards are the hand's.
    """

    cards: tuple[str, ...] | None
    count: int
    total: int
    is_natural: bool


class Ending(Struct, frozen=True):
    """End of a round as conditions ask of it; what is open of it is absent."""

    card_sets: Mapping[str, CardSet]
    winner: str | None = None
    margin: int | None = None


class Paytable(Struct, frozen=True):
    """Pay table of a side wager: its lines, and the text that approves it."""

    cite: str
    lines: tuple[PayLine, ...]


class _OpenError(Exception):
    """Condition on something of which the round leaves open what it is."""


def readings(cards: Sequence[str], ranks: str = RANKS) -> list[tuple[str, ...]]:
    """Return the cards that those can be which were not read; none where that is too many.

    `ranks` are those of the decks.

    >>> len(readings(["9s", "0?"])), readings(["?h"])[:2], readings(["??", "??", "??"])
    (16, [('Ah',), ('2h',)], [])
    >>> readings(["0h"], ranks="A23456789JQK")
    [('Jh',), ('Qh',), ('Kh',)]
    """
    possible = [
        (card,)
        if is_certain(card)
        else tuple(rank + suit for rank, suit in product(RANKS_OF[card[0]], _suits(card)) if rank in ranks)
        for card in cards
    ]
    return list(product(*possible)) if prod(map(len, possible)) <= _MOST_READINGS else []


def _suits(card: str) -> str:
    return SUITS if card[1] == "?" else card[1]


def parts_of(lines: Iterable[PayLine]) -> frozenset[str]:
    """Return the parts of a round that a pay table asks for."""
    return frozenset(part for line in lines for condition in line.conditions for part in condition.parts())


def settled(
    paytable: Paytable, chips: Wager, coupon_cents: int, endings: Iterable[Ending], *, coupon_even: bool
) -> Reckoning:
    """Compute what a side wager is owed, in cents, where each of several endings may be the round's.

    A coupon that counts is paid at the wager's odds, or 1 to 1 where the house says so (603a.21). It is open
    where the endings give different money, or leave open what the pay table asks.
    """
    found: list[Reckoning] = []
    for ending in endings:
        try:
            line = line_of(paytable.lines, ending)
        except _OpenError:
            return UNDECIDED
        found.append(_reckoned(paytable.cite, line, chips.cents, coupon_cents, coupon_even=coupon_even))
    return agreed(found)


def line_of(lines: Iterable[PayLine], ending: Ending) -> PayLine | None:
    """Return the first line of a pay table that holds; None where none does, and the wager loses."""
    return next(
        (line for line in lines if any(_holds(condition, ending) for condition in line.conditions)),
        None,
    )


def _reckoned(cite: str, line: PayLine | None, cents: int, coupon: int, *, coupon_even: bool) -> Reckoning:
    if line is not None and line.pays == side_wagers.UNDECIDED:
        return silent_on(fact("engine.pay_line_undecided", line=line.name), cite)
    return reckon(_ruled(cite, line), cents, coupon, Fraction(1) if coupon_even else None)


def _ruled(cite: str, line: PayLine | None) -> Ruling:
    if line is None:
        return Ruling("lose", cite)
    if line.paid_at is None:
        return Ruling("push", cite, reason=fact("engine.pay_line_returned", line=line.name))
    return Ruling("win", cite, line.paid_at, cite, fact("engine.pay_line_holds", line=line.name))


def _holds(condition: Condition, ending: Ending) -> bool:
    return all(_part_holds(part, getattr(condition, part), ending) for part in condition.parts())


def _part_holds(part: str, test: Any, ending: Ending) -> bool:
    found = ending.card_sets.get(part) if isinstance(test, CardTest) else getattr(ending, part)
    if found is None:
        raise _OpenError
    if isinstance(test, CardTest):
        return meets(test, found)
    return found == test if isinstance(test, str) else found in figures(test)


# ── Conditions on cards: each holds where a test is silent on it ──────────────────────────────────────


def meets(test: CardTest, cards: CardSet) -> bool:
    """Return True if cards meet every condition of a test."""
    return _figures_hold(test, cards) and _cards_hold(test, cards)


def _figures_hold(test: CardTest, cards: CardSet) -> bool:
    return (
        (test.total is None or cards.total in figures(test.total))
        and (test.cards is None or cards.count in figures(test.cards))
        and (test.natural is None or cards.is_natural is test.natural)
    )


def _is_of_faces(test: CardTest) -> bool:
    return bool(test.same or test.ranks or test.among or test.suits or test.straight is not None)


def asks_for_faces(condition: Condition) -> bool:
    """Return True if a condition is on ranks or suits, not only on the number of cards and their count."""
    tests = (getattr(condition, part) for part in condition.parts())
    return any(isinstance(test, CardTest) and _is_of_faces(test) for test in tests)


def _cards_hold(test: CardTest, cards: CardSet) -> bool:
    if not _is_of_faces(test):
        return True
    if cards.cards is None:
        raise _OpenError
    ranks = [card[0] for card in cards.cards]
    suits = [card[1] for card in cards.cards]
    shared: Mapping[str, Collection[str]] = {
        "rank": set(ranks),
        "suit": set(suits),
        "color": {_COLORS[suit] for suit in suits},
    }
    return (
        all(len(shared[each]) == 1 for each in test.same)
        and (not test.ranks or sorted(test.ranks) == sorted(ranks))
        and (not test.among or set(ranks) <= set(test.among))
        and (not test.suits or set(suits) <= set(test.suits))
        and (test.straight is None or _is_straight(ranks) is test.straight)
    )


def _is_straight(ranks: Sequence[str]) -> bool:
    """Return True if ranks follow one another, the ace high or low.

    >>> [_is_straight(each) for each in ("A23", "QKA", "KA2", "456", "445")]
    [True, True, False, True, False]
    """
    places = sorted(RANKS.index(rank) for rank in ranks)
    high = sorted(place or len(RANKS) for place in places)
    return any(way == list(range(way[0], way[0] + len(way))) for way in (places, high))
