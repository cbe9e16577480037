"""The present status of each table, folded frame by frame: dealer, open round, silent devices."""

from collections.abc import Mapping
from copy import copy
from typing import Final, get_args

import msgspec
from msgspec import Struct, field

from projections.engine.crew import Crew
from projections.engine.silence import OF_SILENCE, SilentDevices
from schemas.codec import Frame
from schemas.events import (
    CardBurned,
    CardDiscarded,
    CardDrawn,
    DealerAssigned,
    DealerRelieved,
    Event,
    FloorpersonAssigned,
    RoundClosed,
    RoundOpened,
    ShoeLoaded,
    TableClosed,
    TableOpened,
)

# ── One table's standing, folded from its events ──────────────────────────────────────────────────────
# Where a table's devices contradict one another or correct themselves, the standing may be off until the
# next opening of a round; the audit waits and weighs, a tile does not.

HOUR: Final = 3_600_000_000  # microseconds
_MOST_CLOSES: Final = (
    1_000  # closes of an hour: more than any game has, so that a faulty device does not fill memory
)


_SPAN: Final = 300_000_000  # microseconds: five minutes
_SPANS: Final = HOUR // _SPAN


class DeviceReports(Struct, frozen=True, array_like=True):
    """Reports of a device: when the gateway received the newest (microseconds UTC), and how many of an hour.

    They are counted by spans of five minutes, the last of which is that of the newest.
    """

    newest: int = 0
    counts: tuple[int, ...] = (0,) * _SPANS

    def hour_to(self, now: int) -> tuple[int, ...]:
        """Return the counts of an hour's spans, the last of which is that of a moment.

        >>> DeviceReports(0, (*range(11), 5)).hour_to(2 * _SPAN)
        (2, 3, 4, 5, 6, 7, 8, 9, 10, 5, 0, 0)
        """
        passed = min(max(0, now // _SPAN - self.newest // _SPAN), _SPANS)
        return (*self.counts[passed:], *(0,) * passed)

    def plus_one(self, received: int) -> "DeviceReports":
        """Return the reports with another, which the gateway received at that moment."""
        *earlier, last = self.hour_to(received)
        return DeviceReports(max(self.newest, received), (*earlier, last + 1))


class TableStatus(Struct, omit_defaults=True):
    """Status of a table; moments are microseconds UTC by a device's own clock, but for receipts.

    `open` is None if no report had it yet, and `since` is when the table opened or closed. `calling` is the
    dealer who calls the game, since `calling_since`, `dealers` all who are at it. `round` is the one that is
    open, since `opened`; `last` the one that closed last. `closes` are the moments at which rounds of the
    last hour closed, counted back from the newest of them. `drawn` is how many cards have left the shoe,
    which was loaded at `loaded`. `lost` are devices that the terminal lost. `at` is the newest moment that a
    device reported, `received` the gateway's receipt of the newest frame. `reports` are those of each
    device.
    """

    open: bool | None = None
    since: int | None = None
    dealers: tuple[str, ...] = ()
    calling: str | None = None
    calling_since: int | None = None
    floorperson: str | None = None
    round: str | None = None
    opened: int | None = None
    last: str | None = None
    closes: tuple[int, ...] = ()
    shoe: str | None = None
    loaded: int | None = None
    drawn: int = 0
    lost: SilentDevices = SilentDevices()
    at: int = 0
    received: int = 0
    heard: dict[str, tuple[int, int]] = field(default_factory=dict)
    reports: dict[str, DeviceReports] = field(default_factory=dict)

    @property
    def silent(self) -> dict[str, int]:
        """Return since when each device that the terminal lost is silent."""
        return {device: each.since for device, each in self.lost.devices.items()}

    def rounds_an_hour(self, now: int) -> int:
        """Count the rounds that closed in the hour before a moment (microseconds UTC).

        >>> TableStatus(closes=(0, 1_800_000_000, HOUR)).rounds_an_hour(HOUR + 1)
        2
        """
        return sum(now - HOUR <= at for at in self.closes)

    def copied(self) -> "TableStatus":
        """Copy it, for readers while the fold continues."""
        other = copy(self)
        other.heard, other.reports = dict(self.heard), dict(self.reports)
        return other


def evolve(status: TableStatus, event: Event, received: int) -> None:
    """Fold one event, which came in a frame of that receipt, into a status; it is changed in place.

    An event that a device reported before, or that is older than its latest one, changes nothing: it is a
    repeat, or filled a hole late.
    """
    status.received = max(status.received, received)
    place = (event.epoch, event.seq)
    if place <= status.heard.get(event.device, (0, 0)):
        return
    status.heard[event.device] = place
    status.reports[event.device] = status.reports.get(event.device, DeviceReports()).plus_one(received)
    status.at = max(status.at, event.at)
    if isinstance(event, OF_SILENCE):
        status.lost = status.lost.after(event)
    match event:
        case CardDrawn() | CardBurned() | CardDiscarded():
            status.drawn += 1
        case RoundOpened() | RoundClosed():
            _round(status, event)
        case ShoeLoaded():
            status.shoe, status.loaded, status.drawn = event.shoe, event.at, 0
        case TableOpened():
            status.open, status.since, status.closes = True, event.at, ()
        case TableClosed():
            _closed(status, event)
        case DealerAssigned() | DealerRelieved() | FloorpersonAssigned():
            crew = Crew(status.dealers, status.calling, status.floorperson)
            _staff(status, crew.after(event), event.at)
        case _:
            # Left out on purpose: cards and chips on the layout, calls, documents, boxes, corrections. A tile
            # shows none of them, and cards face down must not come here.
            pass


def _round(status: TableStatus, event: RoundOpened | RoundClosed) -> None:
    status.open = True  # also where the record begins after the table opened
    if isinstance(event, RoundOpened):
        status.round, status.opened = event.round, event.at
        if status.shoe != event.shoe:
            status.shoe, status.loaded, status.drawn = event.shoe, None, 0
        return
    if status.round == event.round:
        status.round = status.opened = None
    status.last = event.round
    newest = max((event.at, *status.closes))
    status.closes = tuple(at for at in (*status.closes, event.at) if at > newest - HOUR)[-_MOST_CLOSES:]


def _closed(status: TableStatus, event: TableClosed) -> None:
    status.open, status.since = False, event.at
    status.round = status.opened = None
    _staff(status, Crew(floorperson=status.floorperson), event.at)


def _staff(status: TableStatus, crew: Crew, at: int) -> None:
    if status.calling != crew.calling:
        status.calling_since = at if crew.calling is not None else None
    status.dealers, status.calling, status.floorperson = crew.dealers, crew.calling, crew.floorperson


# ── How every table of a floor stands, folded frame by frame ──────────────────────────────────────────

_TABLES: Final = get_args(Event)

encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(TableStatus).decode


class Lag(Struct, frozen=True):
    """Delay of a table's last conclusion, from the gateway's receipt until the console had it; microseconds.

    The gateway's receipt is of the frame that brought it; how long that took from the felt is not in it.
    `software` is what the worker judged it by, `plugin_faults` what went wrong with plugins there.
    """

    took: int
    at: int  # when the room knew
    software: str | None = None
    plugin_faults: tuple[str, ...] = ()


class Floor:
    """The standings of a floor's `tables`, by table."""

    def __init__(self, stored: Mapping[str, str]) -> None:
        """Continue from the statuses in the store: JSON by table."""
        self.tables = {table: _decode(text) for table, text in stored.items()}

    def fold_frame(self, frame: Frame) -> bool:
        """Fold a frame; False where it is no table's, such as a ledger's entries, and was passed over."""
        events = [event for event in frame.events if isinstance(event, _TABLES)]
        if not events:
            return False
        status = self.tables.setdefault(frame.table, TableStatus())
        for event in events:
            evolve(status, event, frame.received)
        return True
