"""Cards of a round of the Blackjack kind on which a side wager's pay table can depend."""

from collections.abc import Iterator, Sequence
from typing import Final

from projections.engine.games.blackjack.dealer_hand import DealerHand
from projections.engine.games.blackjack.hands import PAIR, HandAct, Layout, first_hand, total, up_card, worth
from projections.engine.games.blackjack.manner import Manner
from projections.engine.games.blackjack.player_hand import is_blackjack
from projections.engine.games.blackjack.stakes import hand_of
from projections.engine.observation import Key
from projections.engine.side_wagers import CardSet, Ending, readings

OF_DEALER: Final = frozenset({"dealer_first_two", "dealer", "up_card"})
PARTS: Final = frozenset({"first_two", "first_two_and_up_card"}) | OF_DEALER


def side_endings(
    manner: Manner, layout: Layout, dealer: DealerHand, key: Key, parts: frozenset[str]
) -> Iterator[Ending]:
    """Yield what a seat's side wager can depend on, once for each way to read the cards of `parts`.

    A part is absent if it is not sure which cards it has. There is no ending for a wager on a split
    hand, as no text says how it is settled.
    """
    if hand_of(key) != first_hand(key.seat):
        return
    acts = {part: found for part, found in _acts(layout, dealer, key.seat).items() if part in parts}
    read = {act.place: act.what for found in acts.values() for act in found}
    for cards in readings(list(read.values()), manner.ranks):
        at = dict(zip(read, cards, strict=True))
        yield Ending(
            {part: card_set(manner, part, [at[act.place] for act in found]) for part, found in acts.items()}
        )


def card_set(manner: Manner, part: str, cards: Sequence[str]) -> CardSet:
    """Return what conditions can ask of the cards of a part; the dealer's aces count as in his hand."""
    values = [worth(card[0]) for card in cards]
    limit = manner.dealer_limit if part in OF_DEALER else manner.limit
    return CardSet(tuple(cards), len(cards), total(values, limit), is_blackjack(values))


def _acts(layout: Layout, dealer: DealerHand, seat: int) -> dict[str, tuple[HandAct, ...]]:
    """Return the cards of each part of which it is sure which cards it has."""
    found: dict[str, tuple[HandAct, ...]] = {}
    hand, first_two, up = layout.hand(first_hand(seat)), layout.dealt.get(seat, ()), up_card(layout)
    if hand is not None and not hand.begun_wrongly and len(first_two) == PAIR:
        found["first_two"] = first_two
    if up is not None:
        found["up_card"] = (up,)
        if "first_two" in found:
            found["first_two_and_up_card"] = (*first_two, up)
    if not layout.dealer.begun_wrongly and len(layout.dealer.opening) == PAIR:
        found["dealer_first_two"] = layout.dealer.opening
        if dealer.is_complete and not dealer.unsure and not dealer.defects:
            drawn = tuple(step for step in layout.dealer.steps if step.is_card)
            found["dealer"] = (*layout.dealer.opening, *drawn)
    return found
