"""Counts of the cards dealt first, as far as a side wager's pay table depends on them."""

from collections.abc import Sequence
from typing import Final

from projections.engine.games.blackjack.manner import Manner
from projections.engine.games.blackjack.side_endings import card_set
from projections.engine.games.side_wager_proof import Deals, first_two_dealt, pack_of_ranks, ways_to_draw
from projections.engine.side_wagers import Ending, parts_of
from schemas.side_wagers import PayLine

_THREE: Final = "first_two_and_up_card"


def side_deals(manner: Manner, lines: Sequence[PayLine], decks: int) -> Deals | None:
    """Count what a pay table asks of the cards that are dealt first, over every deal of a full shoe.

    None where it asks for the dealer's hand as it ended, or for the up card and his first two cards.
    """
    parts = parts_of(lines)
    if parts <= {"first_two", "dealer_first_two"}:
        return first_two_dealt(lambda part, cards: card_set(manner, part, cards), lines, manner.ranks, decks)
    if parts & {"dealer", "dealer_first_two"}:
        return None
    return _with_up_card(manner, parts, decks)


def _with_up_card(manner: Manner, parts: frozenset[str], decks: int) -> Deals:
    """Yield the cards of a seat with each up card, and in how many ways they are drawn."""
    if parts == {_THREE}:
        for three, ways in ways_to_draw(manner.ranks, decks, 3):
            yield Ending({_THREE: card_set(manner, _THREE, three)}), ways
        return
    for pair, ways in ways_to_draw(manner.ranks, decks, 2):
        for up in pack_of_ranks(manner.ranks):
            cards = {"first_two": pair, "up_card": (up,), _THREE: (*pair, up)}
            ending = Ending({part: card_set(manner, part, cards[part]) for part in parts})
            yield ending, ways * (decks - pair.count(up))
