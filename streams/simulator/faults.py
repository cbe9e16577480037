"""Every fault that can be injected: its kind, what it is found as, its rate; and the file of rates."""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import yaml

from schemas.errors import BadInput
from streams.simulator.games import SCRIPTS
from streams.simulator.kinds import SHARED, Kind
from streams.simulator.money.kinds import MONEY
from streams.simulator.posts import POSTS
from streams.simulator.procedures import PROCEDURES as TABLE_PROCEDURES
from streams.simulator.schemes import SCHEMES
from streams.simulator.shoe_breaches import SHOES

# Every kind of dealer's fault: what all games have, and what each adds.
DEALERS: Final[Mapping[str, Kind]] = {
    **SHARED,
    **{name: kind for script in SCRIPTS.values() for name, kind in script.faults.items()},
}

# What people do otherwise than a procedure has it: with cards and tiles, and at the posts of the floor.
PROCEDURES: Final[Mapping[str, Kind]] = {**TABLE_PROCEDURES, **POSTS}

SENSORS: Final[Mapping[str, Kind]] = {
    "event_lost": Kind(None, 0.0002, "event"),
    "event_doubled": Kind(None, 0.0003, "event"),
    "events_out_of_order": Kind(None, 0.0003, "event"),
    "event_late": Kind(None, 0.0002, "event"),
    "device_silent": Kind(None, 0.25, "table and hour"),
    "device_restarted": Kind(None, 0.25, "table and hour"),
    "clock_off": Kind(None, 0.25, "table and hour"),
    "card_misread": Kind(None, 0.0015, "card that two sources read"),
    "card_unread": Kind(None, 0.0007, "reading of a card"),
    "stack_misread": Kind(None, 0.001, "sum that two sources read"),
}

# The groups of a file of rates.
_GROUPS: Final[Mapping[str, Mapping[str, Kind]]] = {
    "dealers": DEALERS,
    "money": MONEY,
    "procedures": PROCEDURES,
    "schemes": SCHEMES,
    "shoes": SHOES,
    "sensors": SENSORS,
}

_MOST_SUGGESTED: Final = 3  # kinds that are named to one who misspelt one

# Rates of a floor without any fault.
NONE: Final[Mapping[str, float]] = dict.fromkeys(
    [*DEALERS, *MONEY, *PROCEDURES, *SCHEMES, *SHOES, *SENSORS], 0.0
)


def rates(path: Path | None = None, *, sensors: bool = False) -> dict[str, float]:
    """Return the rate of every kind: the defaults, with the sensors' where asked for, then the file's.

    Raises:
        BadInput: the file cannot be read, or names an unknown kind or a rate outside 0 to 1.
    """
    of_people = (DEALERS, MONEY, PROCEDURES, SCHEMES, SHOES)
    chosen = {name: kind.rate for kinds in of_people for name, kind in kinds.items()}
    chosen |= {name: kind.rate if sensors else 0.0 for name, kind in SENSORS.items()}
    if path is None:
        return chosen
    stated = _read(path)
    if stated.get("only", False):
        chosen = dict(NONE)
    for group, kinds in _GROUPS.items():
        for name, rate in (stated.get(group) or {}).items():
            if name not in kinds:
                raise BadInput(f"{path}: {group}.{name}: unknown kind of fault; {_instead(group, str(name))}")
            if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
                raise BadInput(f"{path}: {group}.{name}: a rate is a number from 0 to 1, not {rate!r}")
            chosen[name] = float(rate)
    return chosen


def _instead(group: str, name: str) -> str:
    """Return which kind may be meant by a name that there is not, and where all of them are listed.

    >>> _instead("sensors", "clock_of")
    'did you mean clock_off? docs/faults.md lists all'
    >>> _instead("sensors", "coupon_replayed")
    'it is one of money: docs/faults.md lists all'
    >>> _instead("sensors", "xyz")
    'docs/faults.md lists all'
    """
    of = next((other for other, kinds in _GROUPS.items() if name in kinds), None)
    if of is not None:
        return f"it is one of {of}: docs/faults.md lists all"
    matches = get_close_matches(name, _GROUPS[group], _MOST_SUGGESTED)
    return (f"did you mean {' or '.join(matches)}? " if matches else "") + "docs/faults.md lists all"


def _read(path: Path) -> dict[str, Any]:
    try:
        stated = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadInput(f"{path}: not a faults file: {error}") from None
    if not isinstance(stated, dict):
        raise BadInput(f"{path}: a faults file holds kinds and their rates under {', '.join(_GROUPS)}")
    for key in stated:
        if key not in (*_GROUPS, "only"):
            raise BadInput(f"{path}: unknown key {key!r}; there are {', '.join(_GROUPS)}, only")
    for group in _GROUPS:
        if not isinstance(stated.get(group) or {}, dict):
            raise BadInput(f"{path}: {group} holds kinds and their rates")
    if not isinstance(stated.get("only", False), bool):
        raise BadInput(f"{path}: only is true or false, not {stated['only']!r}")
    return stated
