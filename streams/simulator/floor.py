"""The floor's tables: which game each plays, and the house file that states them."""

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import msgspec
import yaml
from msgspec import Struct

from schemas.law_text import chapter
from streams.simulator.games import SCRIPTS
from streams.simulator.money.ledgers import DEVICES
from streams.simulator.plan import GAMING_DAY_STARTS, ZONE, Plan, options
from streams.simulator.procedures import SOURCES
from streams.simulator.supervision import SHIFTS, pit

CHAPTER: Final = "631a"  # the game of a floor that is not mixed

_FIRST_TABLE: Final = 101
_LETTER: Final = {
    "terminal": "T",
    "shoe": "S",
    "chips": "C",
    "camera": "V",
    "tray": "I",
    "reader": "R",
    "tiles": "P",
    "dice": "D",
    "pit": "F",
    "shuffler": "U",
    "cards": "K",
    "staff": "W",
    "recorder": "X",
    "register": "G",
}
_OPEN_END: Final = date(9000, 1, 1)


def plan(tables: int, *, mixed: bool = False, procedures: bool = False, dice_way: int = 1) -> list[Plan]:
    """Return the plans of a floor with so many tables: of one game, or of every game in turn.

    With `procedures` each table has the sources that report the floor's procedures; dice come to it by
    `dice_way` of 603a.13(f).
    """
    chapters = list(SCRIPTS) if mixed else [CHAPTER]
    return [
        _plan(
            chapters[index % len(chapters)],
            index // len(chapters),
            _FIRST_TABLE + index,
            SOURCES if procedures else (),
            dice_way,
        )
        for index in range(tables)
    ]


def _plan(number: str, ordinal: int, table: int, others: Sequence[str], dice_way: int) -> Plan:
    script = SCRIPTS[number]
    layout = script.lay_out(ordinal)
    return Plan(
        name=f"{script.prefix}-{table}",
        number=table,
        chapter=number,
        decks=layout.decks,
        positions=layout.positions,
        ways=layout.ways,
        later=layout.later,
        devices={source: f"{_LETTER[source]}-{table}" for source in (*layout.sources, *others)},
        dice_way=dice_way,
    )


def local(moment: datetime) -> datetime:
    """Read a moment without an offset as one of the property's zone.

    >>> local(datetime(2025, 3, 1, 6)).isoformat()  # noqa: DTZ001
    '2025-03-01T06:00:00-05:00'
    """
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(ZONE))


def house_file(plans: Sequence[Plan], since: date, path: Path, *, ledgers: bool = False) -> None:
    """Write the house file that an audit of the floor needs, its Rules Submissions in force from a day.

    A temporary chapter whose own end has come is held to be in force: what replaced it is not at hand. With
    `ledgers` it names who keeps them, and when shifts begin.
    """
    submissions: list[dict[str, Any]] = []
    common: dict[str, Struct] = {}
    for each in plans:
        if each.chapter not in common:
            common[each.chapter] = each.ways
            admitted = options(each.chapter, each.ways)
            chosen = {
                name: choice for name, choice in msgspec.to_builtins(each.ways).items() if name in admitted
            }
            submissions.append({"from": since, "chapter": each.chapter, "options": chosen})
    for each in plans:
        shared = options(each.chapter, common[each.chapter])
        chosen = options(each.chapter, each.ways)
        own = {name: choice for name, choice in chosen.items() if choice != shared[name]}
        if own:
            submissions.append(
                {"from": since, "chapter": each.chapter, "tables": [each.name], "options": own}
            )
    house = {
        "house": "simulated",
        "zone": ZONE,
        "gaming_day_starts": f"{GAMING_DAY_STARTS:02}:00",
        "clock_uncertainty_ms": 250,
        "patience_seconds": 10,
        "lateness_seconds": 120,
        "tables": {
            each.name: {
                "chapter": each.chapter,
                **({"decks": each.decks} if each.decks is not None else {}),
                "sources": {device: source for source, device in each.devices.items()},
                **({"pit": pit(each.number)} if ledgers else {}),
            }
            for each in plans
        },
        "submissions": submissions,
    }
    if any("pit" in each.devices for each in plans):
        house["procedures"] = {
            "dice_alternative": plans[0].dice_way,
            "settling": {"685a": "losers_first"},
            "adjacent_boxes": {"551": 2, "685a": 2},
        }
    if ledgers:
        house["ledgers"] = {ledger: [device] for ledger, device in DEVICES.items()}
        house["shifts"] = [f"{hour:02}:00" for hour in SHIFTS]
    ended = [number for number in common if any(text.until for text in chapter(number).texts.values())]
    if ended:
        house["in_force"] = {number: {"until": _OPEN_END} for number in ended}
    path.write_text(yaml.safe_dump(house, sort_keys=False, default_flow_style=None), encoding="utf-8")
