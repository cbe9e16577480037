"""Contents of a vendor's form, and what a reader of one returns."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import TypeAlias
from zoneinfo import ZoneInfo

from msgspec import Struct

from schemas.record import RoundRecord

# A row of a vendor's file: column -> cell, as it stands there.
Row: TypeAlias = Mapping[str, str]


class RowDefaults(Struct, frozen=True):
    """Facts about a file that the caller states, and the file does not.

    `day` is the gaming date of all its rounds, `zone` that of its clock.
    """

    table: str
    zone: ZoneInfo
    day: date | None = None
    decks: int | None = None


class Ambiguous(Struct, frozen=True):
    """A row that may be of more than one round: nothing in it decides which."""

    reason: str


class Vendor(Struct, frozen=True):
    """A vendor's form: the columns it is recognized by, and how a row of it is read.

    `name` returns the number of a row's round and `record` the round, or that the row may mean several. Both
    raise BadInput if the row cannot be read. `dated` is whether the rows have the time when they were dealt,
    `number` is the column that numbers the rounds.
    """

    columns: tuple[str, ...]
    chapter: str
    dated: bool
    number: str
    name: Callable[[Row], str]
    record: Callable[[Row, RowDefaults], RoundRecord | Ambiguous]
