"""The games, by the chapter of the regulations that they are played under: one line each."""

from collections.abc import Mapping
from typing import Final

from projections.game import Game
from projections.games.baccarat import Baccarat, proof
from projections.proving import Proof
from schemas.errors import BadInput

GAMES: Final[Mapping[str, Game]] = {
    "631a": Baccarat(),
}

# Where a chapter's game can be enumerated: what people call it, and its proof.
PROOFS: Final[Mapping[str, tuple[str, Proof]]] = {
    "631a": ("baccarat", proof.proof),
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


def proof_of(name: str) -> tuple[str, Proof]:
    """Find a game's proof, by its chapter or by what people call it; give the chapter with it.

    Raises:
        BadInput: there is no enumeration of such a game here.
    """
    for chapter, (called, proof_of_game) in PROOFS.items():
        if name in (chapter, called):
            return chapter, proof_of_game
    known = ", ".join(f"{called} ({chapter})" for chapter, (called, _) in PROOFS.items())
    raise BadInput(f"no game {name!r} can be enumerated here; known are {known}")
