"""Signals of the cards to wagers of Baccarat: the Player's first card, and the count for the Dragon 7."""

from collections.abc import Mapping, Sequence
from typing import Final

from projections.engine.card_signals import CardSignals, Result, WagerSignals, first_card
from projections.engine.observation import Key

# Who knows the back of such a card knows that the Player's Hand begins ahead.
_AHEAD: Final = frozenset("6789")
# A Banker's Hand wins with seven on three cards because of low cards: the more 4 to 7 are left, the likelier.
_TAGS: Final = dict.fromkeys("4567", -1) | dict.fromkeys("89", 2)
_ON_HANDS: Final = ("player", "banker", "tie")


def signals(seat: int, stakes: Mapping[Key, int], play: Sequence[tuple[str, str]]) -> WagerSignals:
    """Return the size on the Player's Hand less that on the Banker's, beside the Player's first card."""
    del seat  # the hands are everybody's
    on = {
        wager: sum(cents for key, cents in stakes.items() if key.wager == wager)
        for wager in ("player", "banker", "dragon_7")
    }
    card = first_card(play, "player")
    return WagerSignals(
        size_cents=on["player"] - on["banker"] if on["player"] or on["banker"] else None,
        is_ahead=card[0] in _AHEAD if card is not None else None,
        counted_cents=on["dragon_7"],
    )


def by_outcome(outcome: str | None, wager: str) -> Result | None:
    """Return how a wager on a hand, or on the tie, ends by what was announced.

    >>> by_outcome("tie", "player"), by_outcome("banker", "banker"), by_outcome(None, "tie")
    ('push', 'win', None)
    """
    if outcome not in _ON_HANDS or wager not in _ON_HANDS:
        return None
    return "win" if wager == outcome else "push" if outcome == "tie" else "lose"


SIGNALS: Final = CardSignals(signals=signals, tags=_TAGS, end_alike=True, by_outcome=by_outcome)
