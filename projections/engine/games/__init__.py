"""The games, by the chapter of the regulations that they are played under: one line each."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from projections.engine.game import Game
from projections.engine.games.baccarat import Baccarat
from projections.engine.games.baccarat import proof as baccarat
from projections.engine.games.baccarat21 import Baccarat21
from projections.engine.games.baccarat21 import proof as baccarat21
from projections.engine.games.bonuscraps import BonusCraps
from projections.engine.games.bonuscraps import proof as bonuscraps
from projections.engine.games.downunder import DownUnderBlackjack
from projections.engine.games.downunder import proof as downunder
from projections.engine.games.paigow import PaiGow
from projections.engine.games.paigow import proof as paigow
from projections.engine.games.spanish21 import Spanish21
from projections.engine.games.spanish21 import proof as spanish21
from projections.proof.proving import Proof, Readings
from schemas.errors import BadInput


class Registered(Struct, frozen=True):
    """A chapter's game: what people call it, who answers for it, and its proof where it can be enumerated.

    `readings` shows which reading of an ambiguous clause gives the figures that the regulator published.
    """

    called: str
    game: Game
    proof: Proof | None = None
    readings: Readings | None = None


REGISTRY: Final[Mapping[str, Registered]] = {
    "535": Registered("pai_gow", PaiGow(), paigow.proof),
    "541": Registered("minibaccarat", Baccarat("541"), baccarat.proof),
    "543": Registered("midibaccarat", Baccarat("543"), baccarat.proof),
    "545": Registered("baccarat_2010", Baccarat("545"), baccarat.proof),
    "551": Registered("spanish_21", Spanish21(), spanish21.proof),
    "623a": Registered("bonus_craps", BonusCraps(), bonuscraps.proof),
    "627a": Registered("minibaccarat_2013", Baccarat("627a"), baccarat.proof),
    "629a": Registered("midibaccarat_2013", Baccarat("629a"), baccarat.proof),
    "631a": Registered("baccarat", Baccarat("631a"), baccarat.proof),
    "681a": Registered("21_baccarat", Baccarat21(), baccarat21.proof, baccarat21.readings),
    "685a": Registered("down_under_blackjack", DownUnderBlackjack(), downunder.proof, downunder.readings),
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


def proof_of(name: str) -> tuple[str, Proof]:
    """Find a game's proof, by its chapter or by what people call it; give the chapter with it.

    Raises:
        BadInput: there is no enumeration of such a game here.
    """
    for chapter, each in REGISTRY.items():
        if name in (chapter, each.called) and each.proof is not None:
            return chapter, each.proof
    raise BadInput(f"no game {name!r} can be enumerated here; known are {_known(with_readings=False)}")


def readings_of(name: str) -> tuple[str, Readings]:
    """Find a game's readings, by its chapter or by what people call it; give the chapter with it.

    Raises:
        BadInput: the regulator published no figure of such a game that a reading could reproduce.
    """
    for chapter, each in REGISTRY.items():
        if name in (chapter, each.called) and each.readings is not None:
            return chapter, each.readings
    raise BadInput(
        f"no published figure tells the readings of {name!r}; known are {_known(with_readings=True)}"
    )


def _known(*, with_readings: bool) -> str:
    named = (
        f"{each.called} ({chapter})"
        for chapter, each in REGISTRY.items()
        if (each.readings if with_readings else each.proof) is not None
    )
    return ", ".join(named)
