"""The ledgers of a floor while it is played: entries as they are made, and the frames that bring them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from schemas.codec import Frame
from schemas.ledgers import Entry, Ledger
from streams.simulator.frames import Arrival, cut

# Which device keeps which ledger.
DEVICES: Final[Mapping[Ledger, str]] = {
    "cage": "CG-1",
    "count_room": "CR-1",
    "counter_checks": "CC-1",
    "coupons": "MP-1",
}
_ON_ITS_WAY: Final = 40_000  # microseconds from a ledger's device to the gateway


class _Made(Struct, frozen=True):
    at: int
    kind: type[Entry]
    fields: dict[str, Any]


class Ledgers:
    """All that is entered, in whatever order it becomes known; moments in microseconds UTC."""

    def __init__(self) -> None:
        self._made: dict[Ledger, list[_Made]] = {name: [] for name in DEVICES}

    def enter(self, ledger: Ledger, at: int, kind: type[Entry], **fields: Any) -> None:
        """Make an entry at a moment."""
        self._made[ledger].append(_Made(at, kind, fields))

    def arrivals(self, ledger: Ledger) -> list[Arrival]:
        """Return a ledger's entries in the order of their time, numbered by its device, as they arrive."""
        made = sorted(self._made[ledger], key=lambda each: each.at)
        return [
            Arrival(
                each.at + _ON_ITS_WAY,
                each.kind(device=DEVICES[ledger], epoch=1, seq=number, at=each.at, **each.fields),  # type: ignore[arg-type]  # kinds are all of the union
            )
            for number, each in enumerate(made, 1)
        ]

    def frames(self) -> Iterator[tuple[Ledger, list[Frame]]]:
        """Yield each ledger's frames."""
        for ledger in DEVICES:
            yield ledger, list(cut(ledger, self.arrivals(ledger)))
