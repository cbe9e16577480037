"""What a round says that its game cannot mean."""

from projections.hand.facts import verbatim
from projections.hand.game import Game, fault_of
from projections.hand.round import Doubt, Round
from schemas.values import CARDS


def doubt_words(seen: Round, game: Game, terminal: str, *, submitted: bool) -> None:
    """Doubt what is said in words that the game does not have, and a round without a submission.

    `submitted` tells whether a Rules Submission of the house is in force for the table. A result that is none
    of the game's is taken as not announced.
    """
    if seen.announced is not None and seen.announced not in game.calls:
        message = f"announced {seen.announced!r}, which is no result of this game"
        seen.doubts.append(Doubt("data_missing", "call", verbatim(message), terminal))
        seen.announced = None
    seen.doubts += game.doubts(seen)
    for who, what in seen.play:
        if (fault := fault_of(game, who, what)) is not None:
            message = f"a card went to {who!r}, which is no hand here" if what in CARDS else fault
            seen.doubts.append(Doubt("data_missing", "cards", verbatim(message)))
            break
    if not submitted:
        message = "no Rules Submission of the house is in force for the table"
        seen.doubts.append(Doubt("data_missing", "all", verbatim(message)))
