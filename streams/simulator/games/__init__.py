"""The play scripts, by the chapter that they are played under: one line each."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from msgspec import Struct

from streams.simulator.games.baccarat import faults as baccarat_faults
from streams.simulator.games.baccarat import layouts as baccarat_layouts
from streams.simulator.games.baccarat import play as baccarat
from streams.simulator.games.baccarat.layouts import lay_out_of
from streams.simulator.games.baccarat21 import play as baccarat21
from streams.simulator.games.bonuscraps import play as bonuscraps
from streams.simulator.games.downunder import play as downunder
from streams.simulator.games.paigow import layouts as paigow_layouts
from streams.simulator.games.paigow import play as paigow
from streams.simulator.games.spanish21 import play as spanish21
from streams.simulator.kinds import Kind
from streams.simulator.plan import Layout, Plan
from streams.simulator.table import Table


class Script(Struct, frozen=True):
    """Simulation of a game.

    `prefix` begins its tables' names, `lay_out` returns the layout of a floor's n-th table of the game,
    `play` plays a table between two moments (microseconds UTC) at rates of faults, `faults` are the kinds
    that only this game has. `coupon_wager` is the main wager that pays even money without vigorish, under
    which a Match Play Coupon may lie; None if there is none.
    """

    prefix: str
    lay_out: Callable[[int], Layout]
    play: Callable[[Plan, Random, dict[str, float], int, int], Table]
    faults: Mapping[str, Kind]
    coupon_wager: str | None


SCRIPTS: Final[Mapping[str, Script]] = {
    "631a": Script("BAC", baccarat_layouts.lay_out, baccarat.play, baccarat_faults.KINDS, "player"),
    "541": Script("MIN", lay_out_of("541"), baccarat.play, baccarat_faults.KINDS, "player"),
    "543": Script("MID", lay_out_of("543"), baccarat.play, baccarat_faults.KINDS, "player"),
    "545": Script("BTN", lay_out_of("545"), baccarat.play, baccarat_faults.KINDS, "player"),
    "627a": Script("MNB", lay_out_of("627a"), baccarat.play, baccarat_faults.KINDS, "player"),
    "629a": Script("MDB", lay_out_of("629a"), baccarat.play, baccarat_faults.KINDS, "player"),
    "681a": Script("TOB", baccarat21.lay_out, baccarat21.play, baccarat21.FAULTS, "player"),
    "623a": Script("CR", bonuscraps.lay_out, bonuscraps.play, bonuscraps.FAULTS, None),
    "535": Script("PG", paigow_layouts.lay_out, paigow.play, paigow_layouts.FAULTS, None),
    "551": Script("S21", spanish21.lay_out, spanish21.play, spanish21.FAULTS, "wager"),
    "685a": Script("DUB", downunder.lay_out, downunder.play, downunder.FAULTS, "bet"),
}
