"""Wagers of Chapter 681a: how the hands decide each (681a.7), and its odds (681a.8)."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

from projections.engine.adjudication import Ruling
from projections.engine.facts import Listed, Word, fact, listed
from projections.engine.games.baccarat21.play import HANDS, Score, hand_of, possible_deals
from projections.engine.games.baccarat21.rules import Rules
from projections.engine.side_wagers import CardSet, Ending

ON_HANDS: Final = ("player", "banker")
BONUS_ON: Final[Mapping[str, str]] = {"bonus_player": "player", "bonus_banker": "banker"}
OPTIONAL: Final = frozenset({"tie", *BONUS_ON})  # 681a.6(d)

_LETTER: Final = {"player": "i", "banker": "j"}
_OTHER: Final = {"player": "banker", "banker": "player"}
_BONUS_CLAUSE: Final = {"player": "681a.7(k)(2)", "banker": "681a.7(k)(3)"}


@lru_cache(maxsize=1 << 12)
def on_hands(rules: Rules, wager: str, player: Score, banker: Score) -> Ruling:
    """Return how finished hands decide a Player, Banker or Tie Wager."""
    if wager == "tie":
        return _tie(rules, player, banker)
    own, other = (player, banker) if wager == "player" else (banker, player)
    return _on_hand(rules, wager, own[0], other[0])


def _on_hand(rules: Rules, hand: str, own: int, other: int) -> Ruling:
    """681a.7(i) for the Player's Hand and (j) for the Banker's, with the same content."""
    clause = f"681a.7({_LETTER[hand]})"
    if own == other:
        return Ruling("push", f"{clause}(4)")
    over, others_over = own > rules.counting.most, other > rules.counting.most
    if over is not others_over:
        if others_over:
            return _won(rules, hand, own, f"{clause}(1)")
        # A hand over 21 against one that is not: the clause is the one that pays the other hand.
        return Ruling("lose", f"681a.7({_LETTER[_OTHER[hand]]})(1)")
    clause += "(3)" if over else "(2)"
    if (own < other) if over else (own > other):
        return _won(rules, hand, own, f"{clause}(i)")
    return Ruling("lose", f"{clause}(ii)")


def _won(rules: Rules, hand: str, own: int, clause: str) -> Ruling:
    if own == rules.hand_paid_less:
        message = fact("games.baccarat21.wins_with_points", hand=Word(hand), points=own)
        return Ruling("win", clause, rules.hand_paid_less_odds, "681a.8(a)", message)
    return Ruling("win", clause, rules.hand_odds, "681a.8(a)")


def _tie(rules: Rules, player: Score, banker: Score) -> Ruling:
    (counts, aces), (others, others_aces) = player, banker
    if counts != others:
        return Ruling("lose", "681a.7(k)(1)(ii)")
    if aces is not others_aces and not rules.ace_ace_ties_by_value:
        return Ruling("lose", "681a.7(k)(1)(ii)", reason=fact("games.baccarat21.tie_loses_to_aces"))
    return Ruling("win", "681a.7(k)(1)(i)", rules.tie_odds, "681a.8(b)")


_WINNERS: Final[Mapping[str, Literal["player", "banker", "tie"]]] = {
    "win": "player",
    "lose": "banker",
    "push": "tie",
}


def winner(rules: Rules, player: Score, banker: Score) -> Literal["player", "banker", "tie"]:
    """Return which of two finished hands won, by the Player Wager."""
    return _WINNERS[on_hands(rules, "player", player, banker).result]


def side_ending(
    rules: Rules, cards: Sequence[tuple[str, str]], bonus: tuple[bool | None, bool | None]
) -> Ending:
    """Return what conditions of a side wager can ask of a deal whose cards were all read.

    `bonus` is for each hand whether a Bonus Wager requires its card with a natural. That card is none of the
    hand's. Where a card is missing or one too many was dealt it is open what a hand has.
    """
    of = {hand: tuple(card for to, card in cards if to == hand) for hand in HANDS}
    player, banker = ("".join(card[0] for card in of[hand]) for hand in HANDS)
    ((players, bankers),) = [
        (deal.player, deal.banker) for deal in possible_deals(rules, player, banker, bonus)
    ]
    card_sets = {f"{hand}_first_two": first_two(rules, of[hand][:2]) for hand in HANDS}
    stopped = any(each.is_natural for each in card_sets.values())
    ((first,), (second,)) = players.scores, bankers.scores
    for hand, ended, score in (("player", players, first), ("banker", bankers, second)):
        if score is not None and not any(ended.defects):
            own = of[hand][:2] if stopped else of[hand]
            card_sets[hand] = CardSet(own, len(own), score[0], card_sets[f"{hand}_first_two"].is_natural)
    return Ending(card_sets, None if first is None or second is None else winner(rules, first, second))


def first_two(rules: Rules, cards: tuple[str, ...]) -> CardSet:
    """Return what conditions of a side wager can ask of the first two cards of a hand."""
    hand = hand_of(rules, "".join(card[0] for card in cards))
    return CardSet(cards, len(cards), hand.initial, hand.natural)


@lru_cache(maxsize=1 << 12)
def named_awards(awards: Iterable[str]) -> Listed:
    """Return what a hand contains, as facts."""
    return listed(*(fact("games.baccarat21.award", award=award) for award in awards))


def on_awards(rules: Rules, hand: str, awards: tuple[str, ...]) -> Ruling:
    """Return how what a hand contains decides the Bonus Wager on it."""
    clause = _BONUS_CLAUSE[hand]
    if not awards:
        return Ruling("lose", f"{clause}(ii)")
    with_awards = fact("games.baccarat21.wins_with", hand=Word(hand), awards=named_awards(awards))
    pays = sum((rules.bonus_odds[award] for award in awards), Fraction(0))
    return Ruling("win", f"{clause}(i)", pays, "681a.8(c)", with_awards)
