"""How the baccarat tables of a floor are laid out, and what they change to during the day."""

from typing import Any, Final

import msgspec

from streams.simulator.games.baccarat.rules import Ways
from streams.simulator.plan import Layout

_CAMERAS: Final = (("camera", "tray"), ("camera",), ("tray",), ())

# What each table of a floor chose, in turn; what is not said is the text's or the default.
_LAYOUTS: Final = (
    Ways(vigorish_rounding_cents=25),
    Ways(ez=True, dragon_bonus="A"),
    Ways(vigorish_rounding_cents=25, vigorish_deferred=True, dragon_bonus="B", house_money=True),
    Ways(tie_odds=9, dragon_bonus="C", disclosed_card="simulate"),
    Ways(
        vigorish_deferred=True,
        house_money=True,
        house_money_portion="1/2",
        house_money_vigorish="original",
        disclosed_card="simulate",
    ),
    Ways(vigorish_rounding_cents=25, house_money=True, house_money_portion="1/2", dragon_bonus="A"),
    Ways(ez=True, house_money=True, tie_odds=9),
    Ways(vigorish_rounding_cents=25, vigorish_deferred=True, tie_odds=9),
    Ways(house_money=True, dragon_bonus="B", house_money_vigorish="original"),
    Ways(vigorish_rounding_cents=25, vigorish_deferred=True, dragon_bonus="C", disclosed_card="simulate"),
)

# What some tables change to during the day, in turn; None keeps the rules of the morning.
_CHANGES: Final[tuple[dict[str, Any] | None, ...]] = (
    None,
    {"dragon_bonus": "B"},
    None,
    {"vigorish_rounding_cents": 25, "tie_odds": 8},
    None,
    {"house_money_portion": "1", "dragon_bonus": "C"},
    None,
    {"vigorish_deferred": False, "vigorish_rounding_cents": 0},
    {"house_money": False},
)


def lay_out(index: int) -> Layout:
    """Lay out a floor's table with this ordinal among the baccarat tables."""
    ways = _LAYOUTS[index % len(_LAYOUTS)]
    change = _CHANGES[index % len(_CHANGES)]
    # One beside the four sets of readers, so that layouts and readers meet in every combination.
    readers = _CAMERAS[(index + index // len(_LAYOUTS)) % len(_CAMERAS)]
    return Layout(
        decks=(8, 6, 8, 7)[index % 4],
        positions=10 + 3 * index % 5,  # 10 to 14, 631a.2(a)
        ways=ways,
        later=msgspec.structs.replace(ways, **change) if change else None,
        sources=("terminal", "shoe", "chips", *readers),
    )
