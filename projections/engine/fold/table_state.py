"""The state of a table: between rounds it is small and can be copied.

The open round is put together in `Building` and taken from it when the round is over.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from datetime import date
from typing import Any, Final

from msgspec import Struct, field

from projections.engine.accounts.inventory_entries import ChipsMoved, Entry, GamingDayBegan, Reason
from projections.engine.observation import Gap, Key, Paid, Wager
from projections.engine.procedures.entries import (
    RELIED_ON,
    DayBegan,
    Noted,
    ProcedureEntry,
    Unreported,
    is_noted,
)
from projections.engine.shoe import Shoe
from schemas.events import (
    CardDiscarded,
    CardDrawn,
    CardSeen,
    Deed,
    Event,
    Heard,
    RoundClosed,
    RoundOpened,
    SettlementAdjusted,
)

_ADJUSTED_HELD: Final = 64


class Building(Struct, gc=False):
    """A round while it is put together from its devices' reports; sums in cents, times in microseconds."""

    number: str
    cards: list[CardDrawn] = []
    discards: list[CardDiscarded] = []
    seen_cards: list[CardSeen] = []
    wagers: dict[Key, Wager] = {}
    second_coupons: list[Key] = []
    stacks: dict[Key, int] = {}
    paid: dict[Key, Paid] = {}
    settled_at: dict[Key, int] = {}
    deeds: list[Deed] = []
    counts: list[int] = []
    inventory_change: int = 0
    announced: str | None = None
    opened: RoundOpened | None = None
    closed: RoundClosed | None = None
    wagers_closed_at: int | None = None
    last_move_at: int = 0
    void: bool = False
    simulated: bool = False
    exhausted: bool = False
    silent: list[str] = []


class Later(Struct, frozen=True):
    """Chips that moved into the tray as an earlier round was put right, with the terminal's number of it."""

    epoch: int
    seq: int
    cents: int


class TableState(Struct):
    """A table between rounds: its shoe, the vigorish owed on marker buttons, its people and its chips.

    It is a function of the table's events alone.

    `owing` is keyed by seat, or seat/person; `lapsed` is what was not paid when it was due, and
    `marks_missing` says that an ended shoe's marks were not all reported. `lying` is what the marker buttons
    stand for, by the same keys: one lies until its vigorish is collected (631a.13(d)(2)(iii)), also beyond
    its shoe and the player's leaving, or until the table closes. `shoes` is how many were begun.
    `inventory` is what happened to the table inventory and its drop box since its account was brought up to
    date, `chips` by how much the tray has changed since the record begins, and `later` what has yet to be
    booked of it; `adjusted` are the terminal's numbers of what was put right late, and `reached` how far they
    were booked. `procedures` is what was done by the floor's procedures since their account was brought up to
    date, as far as `noted_until` by the terminal's clock; None where no source of them is connected.
    """

    shoe: Shoe | None = None
    next_shoe: Shoe | None = None
    loading_unknown: list[Gap] = field(default_factory=list)
    ended: Shoe | None = None
    owing: dict[str, int] = field(default_factory=dict)
    lapsed: dict[str, int] = field(default_factory=dict)
    lying: dict[str, int] = field(default_factory=dict)
    marks_missing: bool = False
    turns: dict[str, int] = field(default_factory=dict)
    leaving: list[str] = field(default_factory=list)
    rules: int = 0
    options: dict[str, Any] | None = None
    calling: str | None = None
    floorperson: str | None = None
    silent: list[str] = field(default_factory=list)
    is_open: bool = False
    day: date | None = None
    shoes: int = 0
    inventory: list[Entry] = field(default_factory=list)
    chips: int = 0
    later: list[Later] = field(default_factory=list)
    adjusted: list[tuple[int, int]] = field(default_factory=list)
    reached: tuple[int, int] = (0, 0)
    building: Building | None = None
    procedures: list[ProcedureEntry] | None = None
    noted_until: int = 0

    def copied(self) -> "TableState":
        """Copy the state between two rounds."""
        other = copy(self)
        other.shoe = self.shoe.copied() if self.shoe is not None else None
        other.next_shoe = self.next_shoe.copied() if self.next_shoe is not None else None
        other.loading_unknown = list(self.loading_unknown)
        other.owing = dict(self.owing)
        other.lapsed = dict(self.lapsed)
        other.lying = dict(self.lying)
        other.turns = dict(self.turns)
        other.leaving = list(self.leaving)
        other.silent = list(self.silent)
        other.inventory = list(self.inventory)
        other.later, other.adjusted = list(self.later), list(self.adjusted)
        other.procedures = None if self.procedures is None else list(self.procedures)
        return other

    def keep_day(self, day: date) -> None:
        """Begin the inventory of a gaming day, where the one that is kept is of an earlier one."""
        if self.day is None or self.day < day:
            self.day = day
            self.inventory.append(GamingDayBegan(day))
            if self.procedures is not None:
                self.procedures.append(DayBegan(day))

    def move(self, reason: Reason, cents: int) -> None:
        """Book a change of the table inventory with its reason; positive is into the tray."""
        self.chips += cents
        self.inventory.append(ChipsMoved(reason, cents))

    def note(self, events: Iterable[Event], heard: Mapping[str, Heard]) -> None:
        """Pass on what the account of procedures takes; `heard` tells each device's clock."""
        if self.procedures is None:
            return
        latest: dict[str, int] = {}
        for event in events:
            if is_noted(event):
                offset = heard[event.device].offset if event.device in heard else 0
                latest[event.device] = at = max(event.at - offset, latest.get(event.device, 0))
                self.procedures.append(Noted(at, event))

    def note_unreported(self, gaps: Iterable[Gap], until: int) -> None:
        """Pass on what was not reported between the last moment noted and another one."""
        if self.procedures is None:
            return
        since, self.noted_until = self.noted_until, max(until, self.noted_until)
        for gap in gaps:
            if gap.source in RELIED_ON:
                self.procedures.append(Unreported(gap.source, since, max(since, until), gap.message))

    def put_off(self, event: SettlementAdjusted) -> None:
        """Keep what moved after a round had closed until the terminal's reports have come that far.

        What comes when they are past it already is not used: counts have been held against the account
        without it.
        """
        place = (event.epoch, event.seq)
        if place > self.reached and place not in self.adjusted:
            self.adjusted = [*self.adjusted[-_ADJUSTED_HELD:], place]
            self.later.append(Later(*place, event.vigorish_cents - event.cents))

    def catch_up(self, place: tuple[int, int] | None = None) -> int:
        """Book what was put off and moved before a number of the terminal's, or all of it; give the sum."""
        self.reached = max(self.reached, place or self.reached)
        due = [each for each in self.later if place is None or (each.epoch, each.seq) < place]
        for each in due:
            self.move("put_right", each.cents)
            self.later.remove(each)
        return sum(each.cents for each in due)

    def round(self, number: str) -> Building:
        """Return the round that is being put together; the first of its events begins it."""
        if self.building is None:
            self.building = Building(number, silent=list(self.silent))
        return self.building
