"""The dealer's hand: when it draws, what was wrong with it, and what it can have come to."""

from collections.abc import Collection
from itertools import product
from math import prod

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, fact
from projections.engine.games.blackjack.hands import DEALER, PAIR, TEN, Hand, total, values_of
from projections.engine.games.blackjack.manner import DEALER_DREW_WRONGLY, DEALER_STOOD_WRONGLY, Manner
from projections.engine.games.blackjack.player_hand import MOST_READINGS, is_blackjack
from projections.engine.kinds import CARD_MISSING


class DealerEnd(Struct, frozen=True):
    """Result of the dealer's hand, if its cards had certain values.

    Beyond the limit of the chapter it is a bust. `up` is the value of the first card, None if there was none.
    """

    up: int | None
    total: int
    blackjack: bool


class DealerHand(Struct, frozen=True):
    """The dealer's hand with all its possible ends.

    `ends` are its possible ends, each once, in the order of the cards' readings: if several lead to the same
    money, the same one is shown everywhere. If a card was missing they cover every card that it could have
    been. `defects` are what was wrong whatever the cards were. `unsure` is true if an unread card, or
    players' hands, decide whether more was. `is_complete` is true if no card was missing.
    """

    ends: tuple[DealerEnd, ...]
    defects: tuple[Defect, ...]
    unsure: bool
    is_complete: bool


_EVERY_VALUE = tuple(range(1, TEN + 1))


def dealer_ends(manner: Manner, hand: Hand, matters: Collection[bool]) -> DealerHand:
    """Judge the dealer's hand.

    `matters` is whether the dealer's count affects any player's hand, both if that is not known. If the text
    has no rule for a count that does not (`Provisions.dealer_idle`), drawing and not drawing are both right.
    """
    cards = hand.cards
    if len(cards) < PAIR:
        return _undealt(manner, hand)
    readings = [values_of(card, manner.ranks) for card in cards]
    if prod(map(len, readings)) > MOST_READINGS:
        return DealerHand(_anything(manner), (), unsure=True, is_complete=True)
    ways = [
        _judged(manner, hand, values, which)
        for values in product(*readings)
        for which in sorted(set(matters))
    ]
    names = set.intersection(*({defect.check for defect in way.defects} for way in ways))
    return DealerHand(
        ends=tuple(dict.fromkeys(end for way in ways for end in way.ends)),
        defects=tuple(defect for defect in ways[0].defects if defect.check in names),
        unsure=len({tuple(defect.check for defect in way.defects) for way in ways}) > 1,
        is_complete=all(way.is_complete for way in ways),
    )


def _undealt(manner: Manner, hand: Hand) -> DealerHand:
    if hand.cards:
        message = fact("games.blackjack.dealer_dealt_one")
    else:
        message = fact("games.blackjack.dealer_not_dealt_to")
    lacks = Defect(CARD_MISSING, message, manner.cites.dealer_hole, who=DEALER)
    ends = dict.fromkeys(
        end
        for up in (values_of(hand.cards[0], manner.ranks) if hand.cards else _EVERY_VALUE)
        for hole in _EVERY_VALUE
        for end in _completed(manner, (up, hole))
    )
    return DealerHand(tuple(ends), () if hand.foreign else (lacks,), unsure=False, is_complete=False)


def _judged(manner: Manner, hand: Hand, values: tuple[int, ...], matters: bool) -> DealerHand:  # noqa: FBT001  one of the cases tried
    idle = bool(manner.cites.dealer_idle) and not matters
    counting = list(values[:PAIR])
    surplus = 0
    for value in values[PAIR:]:
        if idle or _stands(manner, counting):
            surplus += 1
        else:
            counting.append(value)
    count = total(counting, manner.dealer_limit)
    end = DealerEnd(values[0], count, is_blackjack(counting))
    defects = []
    if surplus:
        stands = _stands(manner, counting)
        cites = manner.cites.dealer_draws if stands else manner.cites.dealer_idle
        message = fact(
            "games.blackjack.dealer_drew",
            count=count,
            bore_on_hand=int(stands),
            card=CardRef(hand.cards[len(counting)]),
        )
        defects.append(Defect(DEALER_DREW_WRONGLY, message, cites, who=DEALER))
    if not matters or _stands(manner, counting):
        return DealerHand((end,), tuple(defects), unsure=False, is_complete=True)
    if not hand.foreign:
        message = fact("games.blackjack.dealer_drew_none", count=count)
        defects.append(Defect(DEALER_STOOD_WRONGLY, message, manner.cites.dealer_draws, who=DEALER))
    return DealerHand(_completed(manner, tuple(counting)), tuple(defects), unsure=False, is_complete=False)


def _stands(manner: Manner, values: Collection[int]) -> bool:
    return total(values, manner.dealer_limit) >= manner.dealer_stands_at


def _anything(manner: Manner) -> tuple[DealerEnd, ...]:
    every = (end for up in _EVERY_VALUE for hole in _EVERY_VALUE for end in _completed(manner, (up, hole)))
    return tuple(dict.fromkeys(every))


def _completed(manner: Manner, values: tuple[int, ...]) -> tuple[DealerEnd, ...]:
    """Return all that a hand can come to until the dealer stands.

    Whatever he has while he must draw, he can still come to one less than he stands on, with every ace as
    one, and then draw any card: so no total is out of reach from there.
    """
    count = total(values, manner.dealer_limit)
    if count >= manner.dealer_stands_at:
        return (DealerEnd(values[0], count, is_blackjack(values)),)
    reached = range(manner.dealer_stands_at, manner.dealer_stands_at + TEN)
    return tuple(DealerEnd(values[0], count, blackjack=False) for count in reached)
