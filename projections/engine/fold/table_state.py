"""The state of a table: between rounds it is small and can be copied.

The open round is put together in `Building` and taken from it when the round is over.
"""

from collections.abc import Iterable
from copy import copy
from datetime import date
from typing import Any, Final

from msgspec import Struct, field

from projections.engine.inventory.table_inventory import Tray
from projections.engine.observation import Gap, Key, Paid, Wager
from projections.engine.vigorish_ledger import Booked, VigorishLedger
from schemas.events import CardDiscarded, CardDrawn, CardSeen, Deed, RoundClosed, RoundOpened

_GAPS_TOLD: Final = 8


class Lapse(Struct, frozen=True):
    """Vigorish that was still owing when it had to be paid: by whom, how much, and at which occasion.

    It is not `sure` where something of the shoe was not reported that could have changed the sum. The sum is
    what was `booked`, and `before`: as much of what was collected as paid for what had lapsed earlier.
    """

    who: str
    cents: int
    occasion: str
    sure: bool
    booked: tuple[Booked, ...] = ()
    before: int = 0


class Shoe(Struct):
    """A dealing shoe: its cards as far as they were seen, and what only its whole history tells.

    `day` is the gaming date of its first round. It is not `named` while no round's opening has named it.
    `turn` tells it from earlier shoes of the same name since the table opened. `decks` is what was loaded.
    Of the cards `seen` those `alone` were read by one of two readers, as the other had a hole; those `burned`
    were burned since the last round.
    `ways` is in which round vigorish was first taken exact, and first rounded, where the two differ.
    """

    name: str
    day: date | None = None
    named: bool = True
    turn: int = 1
    decks: int | None = None
    seen: dict[str, int] = field(default_factory=dict)
    ways: dict[str, str] = field(default_factory=dict)
    lapses: list[Lapse] = field(default_factory=list)
    conflicts: dict[str, int] = field(default_factory=dict)
    unknown: list[Gap] = field(default_factory=list)
    vigorish: VigorishLedger = field(default_factory=VigorishLedger)
    alone: dict[str, int] = field(default_factory=dict)
    burned: list[str] = field(default_factory=list)

    def title(self) -> str:
        """Return the shoe so that it can be told from earlier ones of the same name.

        >>> Shoe("A").title(), Shoe("A", turn=2).title()
        ('A', 'A (2)')
        """
        return self.name if self.turn == 1 else f"{self.name} ({self.turn})"

    def raises(self) -> bool:
        """Return True if there is anything to say of the shoe before it ends."""
        return bool(self.lapses or len(self.ways) > 1 or self.conflicts or self.unknown)

    def lack(self, gaps: Iterable[Gap]) -> None:
        """Note what was not reported; of each device the first few say enough."""
        for gap in gaps:
            if sum(1 for each in self.unknown if each.device == gap.device) < _GAPS_TOLD:
                self.unknown.append(gap)

    def counts_all(self) -> bool:
        """Return True if everything about its vigorish was reported."""
        return all(gap.source not in ("chips", "terminal") for gap in self.unknown)

    def copied(self) -> "Shoe":
        """Copy it for a fold that may have to be done again."""
        return Shoe(
            self.name,
            self.day,
            self.named,
            self.turn,
            self.decks,
            dict(self.seen),
            dict(self.ways),
            list(self.lapses),
            dict(self.conflicts),
            list(self.unknown),
            self.vigorish.copied(),
            dict(self.alone),
            list(self.burned),
        )


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


class TableState(Struct):
    """A table between rounds: its shoe, the vigorish owed on marker buttons, its people and its money.

    `owing` is keyed by seat, or seat/person; `lapsed` is what was not paid when it was due, and
    `marks_missing` says that an ended shoe's marks were not all reported. `lying` is what the marker buttons
    stand for, by the same keys: one lies until its vigorish is collected (631a.13(d)(2)(iii)), also beyond
    its shoe and the player's leaving, or until the table closes. `tray` is the
    table inventory of the gaming day, `trays` those of days that are over and not concluded yet.
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
    tray: Tray = field(default_factory=Tray)
    trays: list[Tray] = field(default_factory=list)
    building: Building | None = None

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
        other.tray = self.tray.copied()
        other.trays = list(self.trays)
        return other

    def keep_day(self, day: date) -> None:
        """Begin the account of a gaming day, where the one that is kept is of an earlier one."""
        if self.tray.day is None:
            self.tray.day = day
        elif self.tray.day < day:
            self.trays.append(self.tray)
            self.tray = self.tray.next_day(day)

    def round(self, number: str) -> Building:
        """Return the round that is being put together; the first of its events begins it."""
        if self.building is None:
            self.building = Building(number, silent=list(self.silent))
        return self.building
