"""Layouts of a floor's baccarat tables, and what they change to during the day."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from streams.simulator.games.baccarat.rules import Ways
from streams.simulator.plan import Layout

_CAMERAS: Final = (("camera", "tray"), ("camera",), ("tray",), ())

# The choices of each table of a floor, in turn; missing ones are the text's or the default.
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


# The chapters that print no more wagers than the three, and those that read the others as 631a.
_PLAIN: Final = (
    Ways(vigorish="5%", vigorish_rounding_cents=5),
    Ways(vigorish="25% on tie"),
    Ways(vigorish="4%", vigorish_deferred=True),
    Ways(vigorish="25% on tie", vigorish_rounding_cents=5, tie_odds=9),
)
_OF_545: Final = (
    Ways(vigorish="4%", vigorish_rounding_cents=20),
    Ways(vigorish="5%", vigorish_rounding_cents=25, vigorish_deferred=True),
    Ways(vigorish="4%", tie_odds=9),
)
_OF_2013: Final = (
    Ways(vigorish="25% on tie", house_money=True, dragon_bonus="A"),
    Ways(ez=True, house_money=True, dragon_bonus="B"),
    Ways(vigorish="4%", vigorish_rounding_cents=5, house_money=True, house_money_portion="1/2"),
    Ways(vigorish="5%", vigorish_deferred=True, dragon_bonus="C", house_money_vigorish="original"),
)
_POSITIONS: Final = {"541": 7, "543": 9, "545": 12, "627a": 7, "629a": 9}  # 541.2(a), 543.2(a), 545.2(a)
_DECKS: Final = {"541": (8, 16, 6), "627a": (12, 8, 14)}


def lay_out_of(chapter: str) -> Callable[[int], Layout]:
    """Return the function that makes the layouts of the tables of a chapter other than 631a."""
    ways_of = {"541": _PLAIN, "543": _PLAIN, "545": _OF_545}.get(chapter, _OF_2013)
    decks = _DECKS.get(chapter, (8, 6, 7))

    def lay_out_one(index: int) -> Layout:
        return Layout(
            decks=decks[index % len(decks)],
            positions=_POSITIONS[chapter],
            ways=ways_of[index % len(ways_of)],
            sources=("terminal", "shoe", "chips", *_CAMERAS[index % len(_CAMERAS)]),
        )

    return lay_out_one


def lay_out(index: int) -> Layout:
    """Return the layout of the floor's table with this ordinal among the baccarat tables."""
    ways = _LAYOUTS[index % len(_LAYOUTS)]
    change = _CHANGES[index % len(_CHANGES)]
    # One more than the four sets of readers, so that layouts and readers meet in every combination.
    readers = _CAMERAS[(index + index // len(_LAYOUTS)) % len(_CAMERAS)]
    return Layout(
        decks=(8, 6, 8, 7)[index % 4],
        positions=10 + 3 * index % 5,  # 10 to 14, 631a.2(a)
        ways=ways,
        later=msgspec.structs.replace(ways, **change) if change else None,
        sources=("terminal", "shoe", "chips", *readers),
    )
