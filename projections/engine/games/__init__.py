"""The games, by the chapter of the regulations that they are played under: one line each."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from projections.engine.game import Game
from projections.engine.games.baccarat import Baccarat
from projections.engine.games.baccarat21 import Baccarat21
from projections.engine.games.bonuscraps import BonusCraps
from projections.engine.games.downunder import DownUnderBlackjack
from projections.engine.games.paigow import PaiGow
from projections.engine.games.spanish21 import Spanish21
from schemas.errors import BadInput


class Registered(Struct, frozen=True):
    """A chapter's game: what people call it, and who answers for it."""

    called: str
    game: Game


REGISTRY: Final[Mapping[str, Registered]] = {
    "535": Registered("pai_gow", PaiGow()),
    "541": Registered("minibaccarat", Baccarat("541")),
    "543": Registered("midibaccarat", Baccarat("543")),
    "545": Registered("baccarat_2010", Baccarat("545")),
    "551": Registered("spanish_21", Spanish21()),
    "623a": Registered("bonus_craps", BonusCraps()),
    "627a": Registered("minibaccarat_2013", Baccarat("627a")),
    "629a": Registered("midibaccarat_2013", Baccarat("629a")),
    "631a": Registered("baccarat", Baccarat("631a")),
    "681a": Registered("21_baccarat", Baccarat21()),
    "685a": Registered("down_under_blackjack", DownUnderBlackjack()),
}

GAMES: Final[Mapping[str, Game]] = {chapter: each.game for chapter, each in REGISTRY.items()}


def game_of(chapter: str) -> Game:
    """Find the game of a chapter.

    Raises:
        BadInput: no game is played under that chapter here.
    """
    try:
        return GAMES[chapter]
    except KeyError:
        raise BadInput(f"unknown chapter {chapter!r}; this software knows {', '.join(GAMES)}") from None
