"""Acts of people at a table on a gaming day, read from its events unchanged: no round is judged here.

Openings and closings, changes of rules, who sat where and bought for how much, counts, fills and credits, and
the devices that fell silent. Nothing of the cards and chips is stored. Seats are as reported and corrected
until the day's lateness window was over; a day's reports do not contain later corrections.
"""

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct, field

from projections.engine.fold.corrections import replacements_of
from projections.engine.fold.seats import OF_SEATS, SeatHistory
from projections.engine.silence import OF_SILENCE, OfSilence, SilentDevices
from replay.nightly.gaming_days import Day
from schemas.codec import AnyEvent
from schemas.events import (
    ChipsBought,
    CounterCheckTaken,
    CreditSent,
    DeviceCameBack,
    DevicesPolled,
    DeviceWentSilent,
    Event,
    EventId,
    FillReceived,
    HouseRulesChanged,
    InventoryListed,
    Occasion,
    PlayerLeft,
    PlayerSeated,
    ReportCorrected,
    Reported,
    RoundClosed,
    RoundOpened,
    TableClosed,
    TableOpened,
    id_of,
)
from schemas.house import TableSetup
from schemas.values import Option, total

_SurveyedEvent: TypeAlias = (
    TableOpened
    | TableClosed
    | HouseRulesChanged
    | PlayerSeated
    | PlayerLeft
    | ChipsBought
    | CounterCheckTaken
    | FillReceived
    | CreditSent
    | InventoryListed
    | OfSilence
)


class Rules(Struct, frozen=True):
    """A change of the house's rules at the table: when, under which number, and all the options."""

    at: int
    rules: int
    options: dict[str, Option]


class Counted(Struct, frozen=True):
    """The inventory as people counted it."""

    at: int
    occasion: Occasion
    slip: str
    cents: int


class Moved(Struct, frozen=True):
    """Chips that left the tray (cash, a Counter Check, a table credit) or came into it (a fill); cents."""

    at: int
    what: str
    cents: int


class Silence(Struct, frozen=True):
    """Silence of a device within the day, in time; still silent at its end if `on`."""

    device: str
    begins: int
    ends: int
    on: bool


class Survey(Struct, kw_only=True):
    """A table's gaming day as its terminal reported it; moments in microseconds UTC, sums in cents.

    `reach` is the latest moment of any report, `is_open` whether the table was open then. `before` are the
    last rules before the day. `bought` is cash by patron, if the person in the seat was known,
    `unnamed_cents` that of all others. `received` is the last receipt of a frame with anything of the day.
    """

    opened: bool = False
    is_open: bool = False
    reach: int = 0
    received: int = 0
    open_micros: int = 0
    before: Rules | None = None
    rules: list[Rules] = field(default_factory=list)
    counts: list[Counted] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)
    bought: dict[str, int] = field(default_factory=dict)
    unnamed_cents: int = 0
    silences: list[Silence] = field(default_factory=list)

    def is_closed(self, day: Day) -> bool:
        """Return True if nothing of the day can still come: the table closed, or reported past the day."""
        return not self.is_open or self.reach > day.late


class SurveyBuilder:
    """Reads a table's frames in the order they came, and builds its survey.

    The constructor gets the seating reports from before the first frame.
    """

    def __init__(
        self, setup: TableSetup, day: Day, *, is_open: bool = False, events: Iterable[Event] = ()
    ) -> None:
        self._sources, self._day, self._open = setup.sources, day, is_open
        self._seats = [*events]
        self._kept: dict[EventId, _SurveyedEvent] = {}
        self._corrections: dict[EventId, ReportCorrected] = {}
        self._reach = self._received = 0

    def add_events(self, received: int, events: Iterable[AnyEvent]) -> None:
        """Add a frame's events; reports of devices that are not the table's are left out."""
        day, sources = self._day, self._sources
        reach = self._reach
        for event in events:
            reach = max(reach, event.at)
            if day.begins <= event.at < day.ends and received > self._received:
                self._received = received
            if sources.get(event.device) != "terminal":
                continue  # only the terminal's events are used
            if isinstance(event, OF_SEATS) and event.at <= day.late:
                self._seats.append(event)
            if event.at >= day.ends:
                continue
            if isinstance(event, _SurveyedEvent):
                self._kept.setdefault(id_of(event), event)
            elif isinstance(event, ReportCorrected):
                self._corrections.setdefault(id_of(event), event)
        self._reach = reach

    def is_past(self) -> bool:
        """Return True if the day is over by what was reported."""
        return self._reach > self._day.late

    def result(self) -> Survey:
        """Return what was done on the day."""
        survey = Survey(is_open=self._open, reach=self._reach, received=self._received)
        _Fold(survey, self._day, SeatHistory(self._seats), was_open=self._open).add_events(self._in_order())
        return survey

    def _in_order(self) -> list[_SurveyedEvent]:
        """Return the events by time, with corrections in the place of the events that they name."""
        message = replacements_of(self._corrections.values())
        corrected = (message.get(name, event) for name, event in self._kept.items())
        # A correction may replace an event by another one.
        return sorted((event for event in corrected if isinstance(event, _SurveyedEvent)), key=_place)


def _place(event: Reported) -> tuple[int, str, int, int]:
    return event.at, event.device, event.epoch, event.seq


class _Fold:
    """Folds the events of a survey; what is before the day is only remembered."""

    def __init__(self, survey: Survey, day: Day, seats: SeatHistory, *, was_open: bool) -> None:
        self.survey, self.day, self.seats = survey, day, seats
        self.open_since: int | None = day.begins if was_open else None
        self.silent = SilentDevices()

    def add_events(self, events: Iterable[_SurveyedEvent]) -> None:
        for event in events:
            self._take(event)
            if not isinstance(event, DevicesPolled):
                self.survey.opened = self.survey.opened or self.day.holds(event.at)
        survey = self.survey
        survey.is_open = self.open_since is not None
        until = min(self.day.ends, max(survey.reach, self.day.begins))
        if self.open_since is not None:
            survey.opened = survey.opened or survey.reach >= self.day.begins
            self._was_open(until)
        self._were_silent(SilentDevices(), until, on=True)

    def _take(self, event: _SurveyedEvent) -> None:  # noqa: C901, PLR0912  one case an event
        within = self.day.holds(event.at)
        survey = self.survey
        if isinstance(event, OF_SILENCE):
            self._were_silent(self.silent.after(event), event.at)
        match event:
            case TableOpened():
                if self.open_since is None:
                    self.open_since = event.at
            case TableClosed():
                if self.open_since is not None:
                    self._was_open(event.at)
                self.open_since = None
            case HouseRulesChanged():
                rules = Rules(event.at, event.rules, dict(event.options))
                if within:
                    survey.rules.append(rules)
                else:
                    survey.before = rules
            case PlayerSeated() | PlayerLeft():
                pass  # who sat follows from all of them together
            case ChipsBought():
                if within:
                    self._bought(event)
            case CounterCheckTaken():
                self._moved(event.at, "counter_checks", event.cents)
            case FillReceived():
                self._moved(event.at, "fills", event.cents)
            case CreditSent():
                self._moved(event.at, "credits", event.cents)
            case InventoryListed():
                if within:
                    survey.counts.append(
                        Counted(event.at, event.occasion, event.slip, total(event.denominations))
                    )
            case DeviceWentSilent() | DeviceCameBack() | DevicesPolled() | RoundOpened() | RoundClosed():
                pass  # only who is silent follows from it

    def _bought(self, event: ChipsBought) -> None:
        self._moved(event.at, "cash", event.cents)
        patron = self.seats.patrons(event.at, event.round or "").get(event.seat)
        if patron is None:
            self.survey.unnamed_cents += event.cents
        else:
            self.survey.bought[patron] = self.survey.bought.get(patron, 0) + event.cents

    def _moved(self, at: int, what: str, cents: int) -> None:
        if self.day.holds(at):
            self.survey.moved.append(Moved(at, what, cents))

    def _was_open(self, until: int) -> None:
        begins = max(self.open_since or 0, self.day.begins)
        self.survey.open_micros += max(0, min(until, self.day.ends) - begins)

    def _were_silent(self, now: SilentDevices, until: int, *, on: bool = False) -> None:
        """Note the silences that are over, or go `on` beyond the day, and who is silent now."""
        for device, each in self.silent.devices.items():
            if device not in now.devices and until > self.day.begins:
                begins = max(each.since, self.day.begins)
                self.survey.silences.append(Silence(device, begins, min(until, self.day.ends), on))
        self.silent = now
