"""The devices that a table's terminal has lost, for the audit, the console and the nightly reports."""

from collections.abc import Mapping
from typing import Final, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from schemas.events import (
    DeviceCameBack,
    DevicesPolled,
    DeviceWentSilent,
    Heard,
    RoundClosed,
    RoundOpened,
    TableClosed,
    TableOpened,
)

OfSilence: TypeAlias = (
    DeviceWentSilent | DeviceCameBack | DevicesPolled | TableOpened | RoundOpened | RoundClosed | TableClosed
)
OF_SILENCE: Final[tuple[type[OfSilence], ...]] = get_args(OfSilence)


class LostDevice(Struct, frozen=True):
    """A device that is silent `since` a moment; `last` is its number at the first poll after that."""

    since: int
    last: tuple[int, int] | None = None


class SilentDevices(Struct, frozen=True):
    """Devices that are silent, in the order in which the terminal lost them.

    A device is silent until the terminal reports that it is back. That report may be lost: so it is also back
    once a poll has a later number of it than the first poll since it was lost.
    """

    devices: dict[str, LostDevice] = {}

    def after(self, event: OfSilence) -> "SilentDevices":
        """Return the devices that are silent after an event.

        >>> lost = SilentDevices().after(DeviceWentSilent(device="T-1", epoch=1, seq=1, at=5, silent="S-1"))
        >>> lost.devices
        {'S-1': LostDevice(since=5, last=None)}
        >>> lost.after(DeviceCameBack(device="T-1", epoch=1, seq=2, at=9, back="S-1")).devices
        {}
        >>> def polled(silent, *last):
        ...     positions = {"S-1": Heard(*last)}
        ...     return silent.after(DevicesPolled(device="T-1", epoch=1, seq=2, at=9, heard=positions))
        >>> [bool(polled(polled(lost, 1, 7), *last).devices) for last in ((1, 7), (1, 8), (2, 0))]
        [True, False, False]
        """
        match event:
            case DeviceWentSilent():
                since = self.devices[event.silent].since if event.silent in self.devices else event.at
                return SilentDevices(self.devices | {event.silent: LostDevice(since)})
            case DeviceCameBack():
                left = {name: each for name, each in self.devices.items() if name != event.back}
                return SilentDevices(left)
        return self._polled(event.heard) if self.devices else self

    def _polled(self, positions: Mapping[str, Heard]) -> "SilentDevices":
        silent = {}
        for name, each in self.devices.items():
            last = (positions[name].epoch, positions[name].seq) if name in positions else None
            if last is None or each.last is None or last <= each.last:
                silent[name] = replace(each, last=each.last or last)
        return SilentDevices(silent)
