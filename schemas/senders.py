"""Senders: the one rule by which the gateway and the worker accept an event or refuse it.

A device is known by the house file alone, at its one table or ledger, and reports the kinds of its source.
What people do at the console is no device's to report. See docs/proofs.md for each kind of event.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from schemas.events import KINDS_OF, TABLE_KINDS, Reported
from schemas.house import House
from schemas.ledgers import Entry, belongs
from schemas.surveillance import DEVICE, STREAM, OperatorActed

Refusal: TypeAlias = Literal[
    "unknown_table",
    "unknown_device",
    "other_table",
    "kind_not_of_source",
    "console_event",
    "unsigned",
    "wrongly_signed",
]
WHY: Final[dict[Refusal, str]] = {
    "unknown_table": "neither a table nor a ledger of the house file has this name",
    "unknown_device": "the house file names no such device",
    "other_table": "the house file has this device elsewhere",
    "kind_not_of_source": "a device of this source does not report this kind of event",
    "console_event": "what people do at the console no device may report",
    "unsigned": "the action has no signature; discardrack serve signs what it sends",
    "wrongly_signed": "no key that is trusted has signed the action as it stands",
}


class Senders:
    """The devices of a house file, by the table or ledger at which they stand.

    Of tables that are `left_out` the file is at fault: what their devices are is known only once it is
    corrected. Until then everything is accepted there, unless its device stands elsewhere. Whoever judges
    by the corrected file asks again.

    >>> from schemas.events import InventoryCounted
    >>> from schemas.house import TableSetup
    >>> setup = TableSetup(chapter="631a", sources={"TR-1": "tray", "T-1": "terminal"})
    >>> senders = Senders(House(house="doctest", tables={"BAC-1": setup}))
    >>> counted = InventoryCounted(device="T-1", epoch=1, seq=1, at=0, cents=5)
    >>> senders.refusal("BAC-1", counted)
    'kind_not_of_source'
    """

    def __init__(self, house: House, left_out: Collection[str] = ()) -> None:
        self._left_out = frozenset(left_out)
        self._sources = {name: table.sources for name, table in house.tables.items()}
        self._kinds = {
            name: {device: KINDS_OF.get(source, frozenset()) for device, source in sources.items()}
            for name, sources in self._sources.items()
        }
        self._ledgers = {str(name): frozenset(devices) for name, devices in house.ledgers.items()}
        self._devices = {device for devices in self._sources.values() for device in devices}.union(
            *self._ledgers.values()
        )

    def stream_refusal(self, stream: str) -> Refusal | None:
        """Return why nothing of a stream is accepted from devices; None if its devices may report."""
        if stream == STREAM:
            return "console_event"
        is_known = stream in self._sources or stream in self._ledgers or stream in self._left_out
        return None if is_known else "unknown_table"

    def refusal(self, stream: str, event: Reported) -> Refusal | None:
        """Return why an event of a stream is not taken; None if its device may report it."""
        kinds = self._kinds.get(stream, {})
        if type(event) in kinds.get(event.device, ()):
            return None
        if type(event) in TABLE_KINDS:
            stands_elsewhere = event.device in self._devices and event.device not in kinds
            if stream in self._left_out and event.device != DEVICE and not stands_elsewhere:
                return None
        elif (
            isinstance(event, Entry)
            and event.device in self._ledgers.get(stream, ())
            and belongs(event, stream)
        ):
            return None
        return self._why(stream, event)

    def refused(self, stream: str, events: Sequence[Reported]) -> Iterator[tuple[int, Refusal]]:
        """Yield which of a stream's events are not taken, by their place from 0, and why."""
        kinds = self._kinds.get(stream, {})
        for place, event in enumerate(events):
            if type(event) not in kinds.get(event.device, ()) and (code := self.refusal(stream, event)):
                yield place, code

    def _why(self, stream: str, event: Reported) -> Refusal:
        if isinstance(event, OperatorActed) or event.device == DEVICE or stream == STREAM:
            return "console_event"
        if event.device in self._sources.get(stream, ()) or event.device in self._ledgers.get(stream, ()):
            return "kind_not_of_source"
        if event.device in self._devices:
            return "other_table"
        return self.stream_refusal(stream) or "unknown_device"
