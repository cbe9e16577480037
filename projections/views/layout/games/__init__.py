"""How the hands of a game lie, where that is more than which card came to whom.

A game that is not listed lies as the play has it, and all of it counts.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from projections.engine.game import Game
from projections.engine.games import game_of
from projections.engine.games.baccarat import Baccarat
from projections.engine.games.baccarat21 import Baccarat21
from projections.engine.games.downunder import DownUnderBlackjack
from projections.engine.games.paigow import PaiGow
from projections.engine.games.spanish21 import Spanish21
from projections.engine.observation import ASIDE, Round
from projections.views.layout.games import baccarat, baccarat21, paigow, twentyone
from projections.views.layout.laid_hand import Lying, pieces, places_of
from schemas.rulebook import Rulebook

# The rulebook is absent where none was in force or the cards are in doubt: then nothing is disregarded.
Reader: TypeAlias = Callable[[Game, Round, Rulebook | None], list[Lying]]

_READERS: Final[Mapping[type[Game], Reader]] = {
    Baccarat: baccarat.lying,
    Baccarat21: baccarat21.lying,
    DownUnderBlackjack: twentyone.down_under,
    PaiGow: paigow.lying,
    Spanish21: twentyone.spanish,
}


def lying(chapter: str, seen: Round, book: Rulebook | None) -> tuple[Lying, ...]:
    """Lay the hands of a round out.

    `book` is absent where no text was in force or the cards are in doubt: then nothing is disregarded.
    """
    game = game_of(chapter)
    hands = _READERS.get(type(game), _as_dealt)(game, seen, book)
    aside = [
        Lying(hand, pieces(seen, at, at), None) for hand in sorted(ASIDE) if (at := places_of(seen, hand))
    ]
    return (*hands, *aside)


def _as_dealt(game: Game, seen: Round, book: Rulebook | None) -> list[Lying]:
    del book
    return [
        Lying(each.hand, pieces(seen, places_of(seen, each.hand)), each.point_count)
        for each in game.hands(seen)
    ]
