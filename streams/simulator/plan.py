"""Plan of a table before it opens."""

from typing import Any, Final

import msgspec
from msgspec import Struct

from schemas.law_text import chapter

ZONE: Final = "America/New_York"
GAMING_DAY_STARTS: Final = 6  # the hour in the property's zone


class Layout(Struct, frozen=True):
    """Layout of a game at one table: its rules, those it changes to, and what its devices read.

    `ways` and `later` hold the Rules Submission's options under their names.
    """

    positions: int
    ways: Struct
    sources: tuple[str, ...]
    later: Struct | None = None
    decks: int | None = None


class Due(Struct, frozen=True):
    """A dealer's fault that is made for certain, once: its kind, and from which moment (microseconds UTC) on.

    It is made at the first opportunity for it.
    """

    kind: str
    at: int


class Plan(Struct, frozen=True):
    """Table before it opens: its game, layout, rules, the rules that it changes to, devices by source.

    `rules` is how often its rules have changed by then; `due` is a fault that its dealers will make;
    `dice_way` is which of the ways of 603a.13(f) the house follows.
    """

    name: str
    number: int
    chapter: str
    positions: int
    ways: Struct
    later: Struct | None
    devices: dict[str, str]
    decks: int | None = None
    rules: int = 0
    due: Due | None = None
    dice_way: int = 1


def options(number: str, ways: Struct) -> dict[str, Any]:
    """Return a Rules Submission's options whole, under their names, as far as a chapter has them."""
    options_of_law = chapter(number).options
    return {name: choice for name, choice in msgspec.structs.asdict(ways).items() if name in options_of_law}
