"""The games, by the chapter of the regulations that they are played under: one line each.

A game is a package; docs/plugins.md has those of other distributions. Its function `game` returns the
chapters that it serves. It may have two modules that are loaded only on demand: `table_layout`, how its
hands lie, and `proof`.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final

from msgspec import Struct

from projections.engine.findings import hold_names
from projections.engine.game import Game
from schemas.errors import BadInput
from schemas.law_text import plugin_chapters
from schemas.plugins import GAMES, Plugin, plugins


class Registered(Struct, frozen=True):
    """A chapter's game: what people call it, and the package that answers for it."""

    called: str
    package: str


REGISTRY: Final[Mapping[str, Registered]] = {
    "535": Registered("pai_gow", "paigow"),
    "541": Registered("minibaccarat", "baccarat"),
    "543": Registered("midibaccarat", "baccarat"),
    "545": Registered("baccarat_2010", "baccarat"),
    "551": Registered("spanish_21", "spanish21"),
    "623a": Registered("bonus_craps", "bonuscraps"),
    "627a": Registered("minibaccarat_2013", "baccarat"),
    "629a": Registered("midibaccarat_2013", "baccarat"),
    "631a": Registered("baccarat", "baccarat"),
    "681a": Registered("21_baccarat", "baccarat21"),
    "685a": Registered("down_under_blackjack", "downunder"),
}


def played_chapters() -> tuple[str, ...]:
    """Return the chapters that games are played under: our own, then those of plugins."""
    return (*REGISTRY, *plugin_chapters())


@cache
def game_of(chapter: str) -> Game:
    """Return the game of a chapter; its package is loaded when it is first asked for.

    Raises:
        BadInput: no game is played under that chapter here, or the plugin that has it does not load.
    """
    if chapter not in played_chapters():
        raise BadInput(f"unknown chapter {chapter!r}; this software knows {', '.join(played_chapters())}")
    if chapter not in REGISTRY:
        return _of_plugin(plugins(GAMES)[chapter])
    game: Game = import_module(_package(chapter)).game(chapter)
    return game


def _of_plugin(plugin: Plugin) -> Game:
    try:
        game = plugin.load().game(plugin.name)
        hold_names(game.kinds, plugin)
    except Exception as error:
        raise BadInput(f"chapter {plugin.name!r}: {plugin.distribution}: {error}") from error
    if not isinstance(game, Game):
        raise BadInput(f"chapter {plugin.name!r}: {plugin.distribution}: its function game returns no Game")
    return game


def games() -> Mapping[str, Game]:
    """Return every game by its chapter; one of a plugin that does not load is warned of and left out."""
    found = {chapter: game_of(chapter) for chapter in REGISTRY}
    for chapter in plugin_chapters():
        try:
            found[chapter] = game_of(chapter)
        except BadInput as error:
            plugins(GAMES)[chapter].leave_out(error)
    return found


@cache
def module_of(chapter: str, name: str) -> ModuleType | None:
    """Return a module of the package of a chapter's game; None if that game has none of that name."""
    full = f"{_package(chapter)}.{name}"
    return import_module(full) if find_spec(full) is not None else None


def _package(chapter: str) -> str:
    return (
        f"{__name__}.{REGISTRY[chapter].package}" if chapter in REGISTRY else plugins(GAMES)[chapter].module
    )
