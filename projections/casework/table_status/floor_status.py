"""How every table of a floor stands, folded frame by frame."""

from collections.abc import Mapping
from typing import Final, get_args

import msgspec
from msgspec import Struct

from projections.casework.table_status.table_status_fold import Standing, evolve
from schemas.codec import Frame
from schemas.events import Event

_TABLES: Final = get_args(Event)

encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Standing).decode


class Lag(Struct, frozen=True):
    """How long a table's last conclusion took from the gateway's receipt until the room knew; microseconds.

    The gateway's receipt is of the frame that brought it; how long that took from the felt is not in it.
    """

    took: int
    at: int  # when the room knew


class Floor:
    """The standings of a floor's `tables`, by table."""

    def __init__(self, stored: Mapping[str, str]) -> None:
        """Go on with what the store has: standings as JSON, by table."""
        self.tables = {table: _decode(told) for table, told in stored.items()}

    def take(self, frame: Frame) -> bool:
        """Fold a frame; False where it is no table's, such as a ledger's entries, and was passed over."""
        events = [event for event in frame.events if isinstance(event, _TABLES)]
        if not events:
            return False
        standing = self.tables.setdefault(frame.table, Standing())
        for event in events:
            evolve(standing, event, frame.received)
        return True
