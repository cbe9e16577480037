"""The floor's tables: their layouts, devices and Rules Submissions, and the house file that states them."""

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
import yaml
from msgspec import Struct

from streams.simulator.rules import Ways

ZONE: Final = "America/New_York"
CHAPTER: Final = "631a"
GAMING_DAY_STARTS: Final = 6  # the hour in the property's zone

_FIRST_TABLE: Final = 101

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

_READERS: Final = (("camera", "tray"), ("camera",), ("tray",), ())
_LETTER: Final = {"terminal": "T", "shoe": "S", "chips": "C", "camera": "V", "tray": "I"}


class Plan(Struct, frozen=True):
    """One table before it opens: layout, rules, the rules that it changes to, and its devices by source."""

    name: str
    number: int
    decks: int
    positions: int
    ways: Ways
    later: Ways | None
    devices: dict[str, str]


def plan(tables: int) -> list[Plan]:
    """Lay out a floor of so many tables."""
    return [_plan(index) for index in range(tables)]


def _plan(index: int) -> Plan:
    ways = _LAYOUTS[index % len(_LAYOUTS)]
    change = _CHANGES[index % len(_CHANGES)]
    number = _FIRST_TABLE + index
    # One beside the four sets of readers, so that layouts and readers meet in every combination.
    readers = _READERS[(index + index // len(_LAYOUTS)) % len(_READERS)]
    return Plan(
        name=f"BAC-{number}",
        number=number,
        decks=(8, 6, 8, 7)[index % 4],
        positions=10 + 3 * index % 5,  # 10 to 14, 631a.2(a)
        ways=ways,
        later=msgspec.structs.replace(ways, **change) if change else None,
        devices={source: f"{_LETTER[source]}-{number}" for source in ("terminal", "shoe", "chips", *readers)},
    )


def local(moment: datetime) -> datetime:
    """Read a moment without an offset as one of the property's zone.

    >>> local(datetime(2025, 3, 1, 6)).isoformat()  # noqa: DTZ001
    '2025-03-01T06:00:00-05:00'
    """
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(ZONE))


def options(ways: Ways) -> dict[str, Any]:
    """Give a Rules Submission's options whole, under their names."""
    return msgspec.structs.asdict(ways)


def house_file(plans: Sequence[Plan], since: date, path: Path) -> None:
    """Write the house file that an audit of the floor needs, its Rules Submissions in force from a day."""
    common = _LAYOUTS[0]
    submissions: list[dict[str, Any]] = [
        {"from": since, "chapter": CHAPTER, "options": msgspec.to_builtins(common)}
    ]
    for each in plans:
        own = {name: choice for name, choice in options(each.ways).items() if choice != getattr(common, name)}
        if own:
            submissions.append({"from": since, "chapter": CHAPTER, "tables": [each.name], "options": own})
    house = {
        "house": "simulated",
        "zone": ZONE,
        "gaming_day_starts": f"{GAMING_DAY_STARTS:02}:00",
        "clock_uncertainty_ms": 250,
        "patience_seconds": 10,
        "lateness_seconds": 120,
        "tables": {
            each.name: {
                "chapter": CHAPTER,
                "decks": each.decks,
                "sources": {device: source for source, device in each.devices.items()},
            }
            for each in plans
        },
        "submissions": submissions,
    }
    path.write_text(yaml.safe_dump(house, sort_keys=False, default_flow_style=None), encoding="utf-8")
