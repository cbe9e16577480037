"""Decisions that the clocks do not part from a card of their seat."""

from projections.engine.facts import CardRef, HandRef, Word, fact
from projections.engine.games.blackjack.layout import DEALER, seat_of
from projections.engine.observation import Doubt, Round
from schemas.values import CARDS


def near_doubts(seen: Round) -> list[Doubt]:
    """Doubt the cards of a round where a decision was made too near to a card that it may speak of.

    That is a card of its own seat. What is said of other seats' cards changes nothing.
    """
    doubts: dict[int, Doubt] = {}
    for near in seen.near:
        (who, what), (other, card) = seen.play[near.act], seen.play[near.other]
        seat = seat_of(who)
        if seat is None or what in CARDS or card not in CARDS or other == DEALER or seat_of(other) != seat:
            continue
        message = fact(
            "games.blackjack.too_near_to_card",
            hand=HandRef(who),
            act=Word(what),
            other=HandRef(other),
            card=CardRef(card),
        )
        doubts.setdefault(near.act, Doubt("data_missing", "cards", message, near.device))
    return list(doubts.values())
