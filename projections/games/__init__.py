"""The games, by the chapter of the regulations that they are played under: one line each."""

from collections.abc import Mapping
from typing import Final

from projections.adjudication import Game
from projections.games.baccarat import Baccarat
from schemas.errors import BadInput

GAMES: Final[Mapping[str, Game]] = {
    "631a": Baccarat(),
}


def game_of(chapter: str) -> Game:
    """Find the game of a chapter.

    Raises:
        BadInput: no game is played under that chapter here.
    """
    try:
        return GAMES[chapter]
    except KeyError:
        raise BadInput(f"unknown chapter {chapter!r}; this software knows {', '.join(GAMES)}") from None
