"""Signals of the cards to the wager in Down Under Blackjack."""

from typing import Final

from projections.engine.games.blackjack.card_signals import signals_on

SIGNALS: Final = signals_on("bet")
