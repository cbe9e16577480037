"""Reporting of devices: their epochs, numbers and clocks, and what the terminal received."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field

from schemas import events
from schemas.events import Event, Heard
from streams.simulator.script import Happening

_POLLS: Final = frozenset(
    (events.TableOpened, events.RoundOpened, events.RoundClosed, events.DevicesPolled, events.TableClosed)
)


class Clock(Struct):
    """Clock and life of one device: its constant offset, times of being off, and when it restarted.

    All in microseconds; `off` holds (from, to, shift).
    """

    offset: int
    off: list[tuple[int, int, int]] = field(default_factory=list)
    restarts: list[int] = field(default_factory=list)

    def error(self, at: int) -> int:
        """Return how far the device's clock is ahead of the terminal's at a true moment."""
        if not self.off:
            return self.offset
        return self.offset + sum(shift for start, end, shift in self.off if start <= at < end)

    def epoch(self, at: int) -> int:
        """Return the epoch at a true moment."""
        return 1 + bisect_right(self.restarts, at) if self.restarts else 1


class Report(Struct, gc=False):
    """An event as its device sent it, and the true moment of its content."""

    at: int
    event: Event
    shoe: str | None


class Reporter:
    """A table's devices as they report, day after day; `devices` and `clocks` are by source."""

    def __init__(self, devices: Mapping[str, str], clocks: Mapping[str, Clock]) -> None:
        self._devices, self._clocks = devices, clocks
        self._numbers = dict.fromkeys(devices, 0)
        self._epochs = dict.fromkeys(devices, 1)

    def report(self, happenings: Iterable[Happening]) -> Iterator[Report]:
        """Stamp with numbers and times what happened, device by device."""
        devices, clocks, epochs, numbers = self._devices, self._clocks, self._epochs, self._numbers
        for each in happenings:
            source, kind, at = each.source, each.kind, each.at
            clock = clocks[source]
            epoch = clock.epoch(at)
            if epoch != epochs[source]:
                epochs[source], numbers[source] = epoch, 0
            number = numbers[source] = numbers[source] + 1
            fields: dict[str, Any] = each.fields
            if kind in _POLLS:
                fields = fields | {"heard": _last_heard(at, devices, clocks, epochs, numbers)}
            event = kind(device=devices[source], epoch=epoch, seq=number, at=at + clock.error(at), **fields)
            yield Report(at, event, each.shoe)  # type: ignore[arg-type]  # kinds are all of the union


def _last_heard(
    at: int,
    devices: Mapping[str, str],
    clocks: Mapping[str, Clock],
    epochs: Mapping[str, int],
    numbers: Mapping[str, int],
) -> dict[str, Heard]:
    last_heard = {}
    for source, device in devices.items():
        if source != "terminal":
            clock = clocks[source]
            epoch = clock.epoch(at)
            number = numbers[source] if epoch == epochs[source] else 0
            last_heard[device] = Heard(epoch, number, clock.error(at))
    return last_heard
