"""The events of a round as an archive has them, for pages that show them."""

from collections.abc import Sequence
from datetime import date
from typing import Protocol, runtime_checkable

from msgspec import Struct

from schemas.events import Event
from schemas.house import House


class ArchivedEvents(Struct, frozen=True):
    """The events that name a round, in the order of their devices' clocks; `unread` are unreadable frames.

    Only unreadable frames that may contain the round's number count. `kept` is false if the archive has
    nothing at all of the table's gaming day.
    """

    events: Sequence[Event]
    unread: int
    kept: bool


@runtime_checkable  # Litestar asks whether what it hands on is one
class EventReader(Protocol):
    """Reader of events: it has the archive."""

    def of_round(self, table: str, day: date, number: str, house: House) -> ArchivedEvents:
        """Return the events that name a round; `house` has the gaming day if the archive does not.

        Raises:
            BadInput: the archive, or a file of it, cannot be read.
        """
