"""The hands of Chapter 551 as they lie on the table."""

from projections.engine.game import Game
from projections.engine.games.blackjack.table_layout import hands_dealt, hands_played
from projections.engine.games.spanish21.play import judge_play
from projections.engine.games.spanish21.rules import rules_of
from projections.engine.observation import Lying, Round
from schemas.rulebook import Rulebook


def lying(game: Game, observed: Round, book: Rulebook | None) -> list[Lying]:
    """Return the layout of the hands; as they were dealt if the round is void or no text was in force."""
    if book is None or observed.void:
        return hands_dealt(game, observed)
    rules = rules_of(book)
    found = judge_play(rules, tuple(observed.play))
    return hands_played(observed, rules.manner, found.ends, found.dealer)
