"""From the cards as they left the shoe to the two Point Counts, and the cards that were wrong.

Order 631a.9(c); third cards 631a.10, 631a.11; surplus cards 631a.15(b), (c). The other chapters have the same
rules in other sections, except for 541.14(c), 543.14(c) and 545.15(c).
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import Fact, HandRef, fact
from projections.engine.games.baccarat.rules import (
    CARD_AFTER_NATURAL,
    INITIAL_CARD_MISSING,
    THIRD_CARD_EXTRA,
    THIRD_CARD_MISSING,
    Rules,
    banker_draws,
    is_natural,
    player_draws,
    value,
)
from projections.engine.kinds import CARD_ORDER_WRONG
from schemas.values import RANKS_OF

Dealt = tuple[str, str]  # hand, card
Valued = tuple[str, int]  # hand, value of the card

_INITIAL: Final = ["player", "banker", "player", "banker"]


class Deal(Struct, frozen=True, eq=False):
    """Two finished hands: Point Counts, numbers of cards, Naturals, and what was wrong with the cards.

    If `settles` is false a card is missing or out of order, and no text says how such a hand is settled.
    `initial` is true if at least the first four cards are right.
    """

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    player_natural: bool
    banker_natural: bool
    initial: bool
    settles: bool
    defects: tuple[Defect, ...]


def _unsettled(*defects: Defect, initial: bool = True) -> Deal:
    return Deal(
        0,
        0,
        0,
        0,
        player_natural=False,
        banker_natural=False,
        initial=initial,
        settles=False,
        defects=defects,
    )


def possible_deals(rules: Rules, cards: Sequence[Dealt]) -> Sequence[Deal]:
    """Work out the hands for every card that an unread one could be; one deal where all were read.

    Of the cards after the first four a hand is counted with the first that it got. Another is too many
    whatever its value, so it has one here: there are at most ten thousand deals, however many were not read.
    """
    return _possible_deals(rules, tuple(cards))


@lru_cache(maxsize=8)  # how the hands lie asks again what was asked to settle them
def _possible_deals(rules: Rules, cards: tuple[Dealt, ...]) -> Sequence[Deal]:
    if [hand for hand, _ in cards[:4]] != _INITIAL:
        return (_initial_defects(rules, cards),)
    values = [_values(card) for _, card in cards]
    hands = [hand for hand, _ in cards[4:]]
    if all(len(possible) == 1 for possible in values):
        (p1,), (b1,), (p2,), (b2,), *thirds = values
        rest = tuple((hand, third[0]) for hand, third in zip(hands, thirds, strict=True))
        return (deal(rules, (p1 + p2) % 10, (b1 + b2) % 10, rest),)
    players = {(a + b) % 10 for a, b in product(values[0], values[2])}
    bankers = {(a + b) % 10 for a, b in product(values[1], values[3])}
    counted = [
        possible if hands.index(hand) == place else possible[:1]
        for place, (hand, possible) in enumerate(zip(hands, values[4:], strict=True))
    ]
    return tuple(
        deal(rules, player, banker, tuple(zip(hands, thirds, strict=True)))
        for player in sorted(players)
        for banker in sorted(bankers)
        for thirds in product(*counted)
    )


def possible_pairs(cards: Sequence[Dealt]) -> set[int]:
    """Return how many of the two hands can hold a pair by rank in their first two cards, 631a.8(a)(7)(i).

    >>> possible_pairs([("player", "9s"), ("banker", "Kd"), ("player", "9h"), ("banker", "0?")])
    {1, 2}
    """
    first, second, third, fourth = (RANKS_OF[card[0]] for _, card in cards[:4])
    return {a + b for a in _pair(first, third) for b in _pair(second, fourth)}


def _pair(ranks: str, others: str) -> set[int]:
    if len(ranks) == len(others) == 1:
        return {int(ranks == others)}
    return {0, 1} if set(ranks) & set(others) else {0}


@lru_cache(maxsize=1024)
def _values(card: str) -> tuple[int, ...]:
    return tuple(sorted({value(rank) for rank in RANKS_OF[card[0]]}))


def _initial_defects(rules: Rules, cards: Sequence[Dealt]) -> Deal:
    missing = [
        Defect(
            INITIAL_CARD_MISSING,
            fact("games.baccarat.initial_cards_missing", hand=HandRef(hand), held=count),
            (rules.cite("initial_cards"),),
            who=hand,
        )
        for hand in ("player", "banker")
        if (count := sum(1 for to, _ in cards if to == hand)) < 2  # noqa: PLR2004  two cards make a hand
    ]
    order_wrong = Defect(
        CARD_ORDER_WRONG,
        fact("games.baccarat.initial_order_wrong"),
        (rules.cite("initial_cards"),),
    )
    return _unsettled(*(missing or [order_wrong]), initial=False)


@lru_cache(maxsize=256)
def deal(rules: Rules, player: int, banker: int, thirds: tuple[Valued, ...]) -> Deal:
    """Finish the hands from the Point Counts of the first two cards and the values of those that followed."""
    if is_natural(rules, player) or is_natural(rules, banker):
        return _with_natural(rules, player, banker, thirds)
    if player_draws(rules, player):
        return _player_draws(rules, player, banker, thirds)
    return _player_stays(rules, player, banker, thirds)


def _with_natural(rules: Rules, player: int, banker: int, thirds: tuple[Valued, ...]) -> Deal:
    """631a.11(a): with a Natural on either side no more cards."""
    defects = tuple(
        Defect(
            CARD_AFTER_NATURAL,
            fact("games.baccarat.card_after_natural", hand=HandRef(hand)),
            (rules.cite("natural_stops"),),
            who=hand,
        )
        for hand in _hands(thirds)
    )
    return Deal(
        player=player,
        banker=banker,
        player_cards=2,
        banker_cards=2,
        player_natural=is_natural(rules, player),
        banker_natural=is_natural(rules, banker),
        initial=True,
        settles=True,
        defects=defects,
    )


def _player_draws(rules: Rules, player: int, banker: int, thirds: tuple[Valued, ...]) -> Deal:
    mine = [third for hand, third in thirds if hand == "player"]
    bankers = [third for hand, third in thirds if hand == "banker"]
    if not mine:
        missing = Defect(
            THIRD_CARD_MISSING,
            _third("player", player, got=False),
            (rules.cite("player_draws_below"),),
            who="player",
        )
        return _unsettled(missing, *_certain(rules, banker, bankers))
    if thirds[0][0] != "player":
        order_wrong = Defect(
            CARD_ORDER_WRONG,
            fact("games.baccarat.third_order_wrong"),
            (rules.cite("third_cards"), rules.cite("player_draws_below")),
        )
        return _unsettled(order_wrong)
    defects = [_second_third(rules, "player")] if len(mine) > 1 else []
    return _bankers_turn(rules, banker, mine[0], bankers, (player + mine[0]) % 10, 3, defects)


def _certain(rules: Rules, banker: int, bankers: list[int]) -> list[Defect]:
    """Return what was wrong with the Banker's third card whatever the Player's missing one was."""
    draws = {banker_draws(rules, banker, third) for third in range(10)}
    if draws == {True} and not bankers:
        kind, got = THIRD_CARD_MISSING, False
    elif draws == {False} and bankers:
        kind, got = THIRD_CARD_EXTRA, True
    else:
        return []
    message = _third("banker", banker, got=got)
    return [Defect(kind, message, (_draw_clause(rules, banker, 0),), who="banker")]


def _player_stays(rules: Rules, player: int, banker: int, thirds: tuple[Valued, ...]) -> Deal:
    bankers = [third for hand, third in thirds if hand == "banker"]
    if all(hand != "player" for hand, _ in thirds):
        return _bankers_turn(rules, banker, None, bankers, player, 2, [])
    becomes_bankers = banker_draws(rules, banker, None) and thirds[0][0] == "player"
    surplus = _surplus_third(rules, player, becomes_bankers=becomes_bankers)
    if becomes_bankers:
        if rules.disclosed_third_discarded:
            return _unsettled(surplus)
        # The card drawn in error is the Banker's; one that the Banker was given besides is left out
        # and is part of the same mistake.
        bankers = [thirds[0][1]]
    return _bankers_turn(rules, banker, None, bankers, player, 2, [surplus])


def _surplus_third(rules: Rules, player: int, *, becomes_bankers: bool) -> Defect:
    """Return the defect of a Player's Hand that stays but got a card, 631a.15(b), (c), and the card's place.

    If the Banker's Hand must draw, the card is the Banker's third. By 541.14(b), (c), 543.14(b), (c) and
    545.15(b), (c) that holds for an undisclosed card only; a disclosed one is discarded. No record has which
    of the two it was, so the money is left open.
    """
    becomes = None
    if becomes_bankers:
        becomes = "undisclosed" if rules.disclosed_third_discarded else "banker"
    return Defect(
        THIRD_CARD_EXTRA,
        fact("games.baccarat.surplus_third", points=player, becomes=becomes),
        (rules.cite("player_stays"), *rules.surplus_third),
        who="player",
    )


def _bankers_turn(
    rules: Rules,
    banker: int,
    players_third: int | None,
    bankers: list[int],
    player: int,
    player_cards: int,
    defects: list[Defect],
) -> Deal:
    draws = banker_draws(rules, banker, players_third)
    if draws and not bankers:
        return _unsettled(
            *defects,
            Defect(
                THIRD_CARD_MISSING,
                _bankers_third(banker, players_third, got=False),
                (_draw_clause(rules, banker, players_third),),
                who="banker",
            ),
        )
    if bankers and not draws:
        defects.append(
            Defect(
                THIRD_CARD_EXTRA,
                _bankers_third(banker, players_third, got=True),
                (_draw_clause(rules, banker, players_third),),
                who="banker",
            )
        )
    elif len(bankers) > 1:
        defects.append(_second_third(rules, "banker"))
    return Deal(
        player=player,
        banker=(banker + bankers[0]) % 10 if draws else banker,
        player_cards=player_cards,
        banker_cards=3 if draws else 2,
        player_natural=False,
        banker_natural=False,
        initial=True,
        settles=True,
        defects=tuple(defects),
    )


def _second_third(rules: Rules, hand: str) -> Defect:
    return Defect(
        THIRD_CARD_EXTRA,
        fact("games.baccarat.second_third", hand=HandRef(hand)),
        (rules.cite("one_third_card"),),
        who=hand,
    )


def _third(hand: str, points: int, *, got: bool) -> Fact:
    return fact("games.baccarat.third_card", hand=HandRef(hand), points=points, got=int(got))


def _bankers_third(points: int, against: int | None, *, got: bool) -> Fact:
    return fact("games.baccarat.bankers_third", points=points, against=against, got=int(got))


def _draw_clause(rules: Rules, banker: int, players_third: int | None) -> str:
    """Return the clause by which the Banker's Hand had to draw or stay."""
    if players_third is None:
        return rules.cite("banker_draws_to_alone")
    if banker < rules.banker_draws_below:
        return rules.cite("banker_draws_below")
    return rules.cite("banker_stays_at" if banker >= rules.banker_stays_at else "banker_table")


def _hands(thirds: tuple[Valued, ...]) -> list[str]:
    return list(dict.fromkeys(hand for hand, _ in thirds))
