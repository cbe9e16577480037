"""Script of a table: what truly happened, in its order; devices report it later."""

from collections.abc import Collection
from random import Random
from typing import Any, Final

from msgspec import Struct

from schemas import events
from schemas.events import Reported

_READERS: Final = {
    "shoe": (
        events.ShoeLoaded,
        events.CardBurned,
        events.CardDrawn,
        events.CardDiscarded,
        events.ShoeExhausted,
        events.ShoeCounted,
    ),
    "chips": (
        events.ChipsPlaced,
        events.ChipsRemoved,
        events.CouponPlaced,
        events.ChipsPaid,
        events.ChipsCollected,
        events.VigorishCollected,
        events.VigorishMarked,
        events.MarkerButtonRemoved,
    ),
    "camera": (events.CardSeen, events.StackSeen),
    "tray": (events.InventoryCounted,),
    "reader": (events.RangeIndicated,),
    "tiles": (events.TilesDealt, events.TileLaid),
    "dice": (events.DiceRolled,),
}

# Which source reports a kind of event; what is not named here comes from the dealers' terminal.
SOURCE_OF: Final[dict[type[Reported], str]] = {
    kind: source for source, kinds in _READERS.items() for kind in kinds
}


class Happening(Struct, gc=False):
    """Act: when (microseconds UTC), of what kind, and in which round and shoe.

    `reader` is the source that reports it, of a kind that several do.
    """

    at: int
    kind: type[Reported]
    fields: dict[str, Any]
    shoe: str | None
    reader: str | None = None

    @property
    def source(self) -> str:
        """The kind of device that reports it."""
        return self.reader or SOURCE_OF.get(self.kind, "terminal")

    @property
    def round(self) -> str | None:
        """The round that was open, if any."""
        name: str | None = self.fields.get("round")
        return name


class Script:
    """The table's true clock and all that happened by it, in order of time."""

    def __init__(self, start: int, rng: Random, sources: Collection[str]) -> None:
        self.now = start
        self.rng = rng
        self.sources = frozenset(sources)
        self.shoe: str | None = None
        self.happenings: list[Happening] = []

    def wait(self, least_ms: int, most_ms: int) -> None:
        """Make a time between two bounds go by, in milliseconds."""
        self.now += 1000 * self.rng.randint(least_ms, most_ms)

    def tell(self, kind: type[Reported], /, *, source: str | None = None, **fields: Any) -> None:
        """Note what happens now, if the table has a device that sees it; `source` where several might."""
        if (source or SOURCE_OF.get(kind, "terminal")) in self.sources:
            self.happenings.append(Happening(self.now, kind, fields, self.shoe, source))
