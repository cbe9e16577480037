"""The account of a table's procedures: what was done since the last shoe, what was raised of the day."""

from collections.abc import Iterable, Iterator
from copy import copy
from datetime import date
from typing import Final

from msgspec import Struct, field

from projections.engine.findings import Raised
from projections.engine.procedures.entries import DayBegan, Noted, ProcedureEntry, Unreported
from schemas.events import (
    CardBurned,
    DealerAssigned,
    DealerRelieved,
    DeviceStateReported,
    DocumentFiled,
    Event,
    ItemInspected,
    ItemMoved,
    PlayerLeft,
    PlayerSeated,
    ProcedureStepTaken,
    RoundOpened,
    ShoeLoaded,
    TableClosed,
    TableOpened,
)
from schemas.procedures import ProcedureStep
from schemas.values import Micros

_GAPS_HELD: Final = 64
_OF_PREPARATION: Final = (
    ProcedureStepTaken,
    CardBurned,
    PlayerSeated,
    PlayerLeft,
    DealerAssigned,
    DealerRelieved,
)
_STEPS_HELD: Final = 4_000  # of one batch between two shoes; a preparation has some sixty


class Preparation(Struct, frozen=True):
    """What was done with the cards of a shoe before its first round opened, in order of time.

    `since` is when it could begin: as the table opened, or as the shoe before came into play. `loaded` is
    absent where the loading was not reported, `preceding` where no shoe was in play before.
    """

    shoe: str
    since: Micros
    opened: Micros
    entries: tuple[Noted, ...]
    loaded: Noted | None = None
    preceding: str | None = None

    def steps(self, *names: ProcedureStep) -> Iterator[tuple[Micros, ProcedureStepTaken]]:
        """Yield the steps of these names, in order."""
        for entry in self.entries:
            if isinstance(entry.event, ProcedureStepTaken) and entry.event.step in names:
                yield entry.at, entry.event

    def last(self, *names: ProcedureStep) -> tuple[Micros, ProcedureStepTaken] | None:
        """Return the last step of these names; None where there was none."""
        return max(self.steps(*names), key=lambda step: step[0], default=None)


class Window(Struct):
    """What was folded at once: a round with what came before it, or what followed the last one.

    `gaps` are all that may bear on it. `preparation` is there where a shoe came into play.
    """

    entries: list[Noted]
    gaps: list[Unreported]
    preparation: Preparation | None = None


class ProceduresAccount(Struct):
    """What is kept of a table's procedures between two rounds.

    `begun` says that the table was seen to open, or a shoe to end: what was done before the record begins is
    not asked for. `steps` are what was done with cards since the shoe in play came into play, by batch;
    `since` is that moment. `raised` is what was raised of the gaming day, `judged` of how many shoes it is.
    """

    day: date | None = None
    begun: bool = False
    shoe: str | None = None
    loaded: Noted | None = None
    since: Micros = 0
    steps: dict[str, list[Noted]] = field(default_factory=dict)
    gaps: list[Unreported] = field(default_factory=list)
    raised: list[Raised] = field(default_factory=list)
    judged: int = 0

    def take(self, entries: Iterable[ProcedureEntry]) -> Iterator["Window | DayBegan"]:
        """Take what was folded; yield each day that began, and last the window with what belongs to it."""
        noted: list[Noted] = []
        for entry in entries:
            match entry:
                case DayBegan():
                    yield entry
                case Unreported():
                    self.gaps.append(entry)
                case Noted():
                    noted.append(entry)
        del self.gaps[:-_GAPS_HELD]
        noted.sort(key=lambda each: each.at)
        preparation = None
        for each in noted:
            preparation = self._follow(each) or preparation
        yield Window(noted, list(self.gaps), preparation)

    def _follow(self, entry: Noted) -> Preparation | None:
        """Follow the shoes; return the preparation of the one that comes into play."""
        event = entry.event
        match event:
            case TableOpened():
                self.begun, self.since = True, entry.at
            case TableClosed():
                self.shoe, self.loaded, self.begun = None, None, False
                self.steps.clear()
            case ShoeLoaded():
                self.loaded = entry
                self._keep(entry)
            case RoundOpened() if self.loaded is not None or event.shoe != self.shoe:
                return self._begin(entry, event.shoe)
            case _ if event.round is None and _is_of_cards(event):
                self._keep(entry)
        return None

    def _keep(self, entry: Noted) -> None:
        batch = self.steps.setdefault(_batch_of(entry.event), [])
        if len(batch) < _STEPS_HELD:
            batch.append(entry)

    def _begin(self, opened: Noted, shoe: str) -> Preparation | None:
        """Bring a shoe into play; of what preceded the record nothing is known."""
        batch = _batch_of(self.loaded.event) if self.loaded is not None else ""
        named = [name for name in self.steps if name]
        if not batch and len(named) == 1:
            batch = named[0]
        entries = [*self.steps.pop("", ()), *(self.steps.pop(batch, ()) if batch else ())]
        preparation = Preparation(
            shoe,
            self.since,
            opened.at,
            tuple(sorted(entries, key=lambda each: each.at)),
            self.loaded,
            self.shoe,
        )
        known = self.begun or self.shoe is not None
        self.judged += known
        self.shoe, self.loaded, self.since, self.begun = shoe, None, opened.at, True
        return preparation if known else None

    def next_day(self, day: date) -> None:
        """Begin a gaming day: what was raised is of the one before."""
        self.day, self.raised, self.judged = day, [], 0

    def copied(self) -> "ProceduresAccount":
        """Copy it for a fold that may have to be done again."""
        other = copy(self)
        other.steps = {batch: list(entries) for batch, entries in self.steps.items()}
        other.gaps, other.raised = list(self.gaps), list(self.raised)
        return other


def _is_of_cards(event: Event) -> bool:
    """Return True if an event may be part of a shoe's preparation."""
    if isinstance(event, ItemInspected | ItemMoved | DocumentFiled | DeviceStateReported):
        return event.kind in ("cards", "shoe", "shuffler")
    return isinstance(event, _OF_PREPARATION)


def _batch_of(event: Event) -> str:
    """Return the batch of cards that an event names; empty where it names none."""
    match event:
        case ShoeLoaded() | DeviceStateReported():
            return event.batch or ""
        case ProcedureStepTaken() | ItemInspected() | ItemMoved() | DocumentFiled():
            return event.item or ""
    return ""
