"""What a round says that its game cannot mean."""

from projections.engine.facts import fact
from projections.engine.game import Game, fault_of
from projections.engine.observation import Doubt, Round
from schemas.values import CARDS


def doubt_words(seen: Round, game: Game, terminal: str, *, submitted: bool) -> None:
    """Doubt what is said in words that the game does not have, and a round without a submission.

    `submitted` tells whether a Rules Submission of the house is in force for the table. A result that is none
    of the game's is taken as not announced.
    """
    if seen.announced is not None and seen.announced not in game.calls:
        unknown = fact("audit.no_such_result", announced=seen.announced)
        seen.doubts.append(Doubt("data_missing", "call", unknown, terminal))
        seen.announced = None
    seen.doubts += game.doubts(seen)
    for who, what in seen.play:
        if (fault := fault_of(game, who, what)) is not None:
            wrong = (
                fact("audit.no_such_hand", at=who)
                if what in CARDS
                else fact("audit.no_such_act", fault=fault)
            )
            seen.doubts.append(Doubt("data_missing", "cards", wrong))
            break
    if not submitted:
        seen.doubts.append(Doubt("data_missing", "all", fact("audit.no_rules_submission")))
