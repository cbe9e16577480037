"""The play of a round of Spanish 21 described hand by hand, each step with its provision."""

from collections.abc import Sequence
from typing import Final

from projections.engine.facts import CardRef, HandRef, Word, fact
from projections.engine.game import Laid, Reason
from projections.engine.games.blackjack.hands import Hand, lay_out, named_cards, total, values_of
from projections.engine.games.blackjack.player_hand import End
from projections.engine.games.spanish21.play import PlayedRound
from projections.engine.games.spanish21.rules import Rules
from schemas.values import RANKS

_LIMIT: Final = 21  # up to which an ace counts 11, 551.3(b)(3)

_DECIDED: Final = {
    "stand": "551.8(f)",
    "double": "551.11(a)",
    "surrender": "551.9(a)",
    "rescue": "551.11(d)",
    "dead": "551.16(i)",
    "draw": "551.13(a)",
}


def hands(play: Sequence[tuple[str, str]]) -> list[Laid]:
    """Return each hand with all its cards, those that are disregarded too, and what they come to."""
    layout = lay_out(play, RANKS)
    laid: list[Hand] = [*layout.hands, layout.dealer]
    return [Laid(hand.name, hand.cards, counts(hand.cards)) for hand in laid]


def counts(cards: Sequence[str]) -> int | None:
    """Count a hand, 551.3(b); None if a card's value was not read, or there is none.

    >>> counts(["Ad", "Ac"]), counts(["9d", "?c"]), counts(["Kd", "0?", "Ac"])
    (12, None, 21)
    """
    values = [values_of(card, RANKS) for card in cards]
    if not values or any(len(each) != 1 for each in values):
        return None
    return total([value for (value,) in values], _LIMIT)


def reasons(rules: Rules, now: PlayedRound) -> list[Reason]:
    """Return the play hand by hand: each step and its provision, in order."""
    reasons_given: list[Reason] = []
    for split in now.layout.splits:
        hand, new, cards = HandRef(split.hand), HandRef(split.new), named_cards(split.cards)
        reasons_given.append((fact("games.spanish21.splits", hand=hand, cards=cards, new=new), "551.12(a)"))
    for each in now.layout.hands:
        reasons_given += _hand(rules, each, now.ends.get(each.name))
    return [*reasons_given, *_dealer(rules, now)]


def _hand(rules: Rules, hand: Hand, ends: Sequence[End] | None) -> list[Reason]:
    at = HandRef(hand.name)
    lying = [step.what for step in hand.opening]
    count = counts(lying)
    blackjack = not hand.split and count == rules.manner.limit
    first = fact(
        "games.spanish21.begins_with",
        hand=at,
        cards=named_cards(lying),
        count=count,
        blackjack=int(blackjack),
    )
    reasons_given: list[Reason] = [(first, "551.1" if blackjack else "551.3(b)")]
    end = ends[0] if ends is not None and len(ends) == 1 else None
    for step in hand.steps:
        if not step.is_card:
            decision = fact("games.spanish21.decides", hand=at, act=Word(step.what))
            reasons_given.append((decision, _DECIDED[step.what]))
            continue
        card = CardRef(step.what)
        if end is not None and len(lying) >= len(end.cards):
            reasons_given.append((fact("games.spanish21.gets_too_many", hand=at, card=card), "551.13(a)"))
        else:
            lying.append(step.what)
            decision = fact("games.spanish21.gets", hand=at, card=card, count=counts(lying))
            reasons_given.append((decision, "551.3(b)"))
    if end is not None and end.left is None and end.settles and end.total > rules.manner.limit:
        over = fact("games.spanish21.is_over", hand=at, limit=rules.manner.limit)
        reasons_given.append((over, "551.6(b)(2)"))
    return reasons_given


def _dealer(rules: Rules, now: PlayedRound) -> list[Reason]:
    cards = now.layout.dealer.cards
    if not cards:
        return []
    blackjack = len(now.dealer.ends) == 1 and next(iter(now.dealer.ends)).blackjack
    first = fact(
        "games.spanish21.dealer_begins_with",
        cards=named_cards(cards[:2]),
        count=counts(cards[:2]),
        blackjack=int(blackjack),
    )
    if blackjack:
        return [(first, "551.1")]
    reasons_given: list[Reason] = [(first, "551.3(b)")]
    end = next(iter(now.dealer.ends)) if len(now.dealer.ends) == 1 and now.dealer.is_complete else None
    stands = False
    for place in range(2, len(cards)):
        stands = stands or (end is not None and counts(cards[:place]) == end.total)
        card = CardRef(cards[place])
        if stands:
            reasons_given.append((fact("games.spanish21.dealer_draws_too_many", card=card), "551.13(b)"))
            continue
        draw = fact("games.spanish21.dealer_draws", card=card, count=counts(cards[: place + 1]))
        reasons_given.append((draw, "551.13(b)"))
    if len(now.dealer.ends) == 1 and now.dealer.is_complete:
        (end,) = now.dealer.ends
        if end.total > rules.manner.limit:
            reasons_given.append(
                (fact("games.spanish21.dealer_is_over", limit=rules.manner.limit), "551.6(b)(1)")
            )
        elif end.total < rules.manner.dealer_stands_at:
            reasons_given.append((fact("games.spanish21.dealer_need_not_draw"), "551.13(c)"))
        else:
            reasons_given.append((fact("games.spanish21.dealer_stands", count=end.total), "551.13(b)"))
    return reasons_given
