"""The account of a table's procedures: what was done since the last shoe, what was raised of the day."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from copy import copy
from datetime import date
from typing import Any, Final, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from projections.engine.crew import Crew
from projections.engine.findings import Raised
from projections.engine.procedures.curatorship import Curatorship
from projections.engine.procedures.entries import DayBegan, Noted, ProcedureEntry, Unreported
from projections.engine.procedures.posts import Posts, Supervision, follow_supervision
from schemas.events import (
    BankTaken,
    CardBurned,
    ChipsPlaced,
    CuratorNamed,
    DealerAssigned,
    DealerRelieved,
    DeviceStateReported,
    DocumentFiled,
    Event,
    FloorpersonAssigned,
    ItemInspected,
    ItemMoved,
    NoticeGiven,
    PlayerLeft,
    PlayerSeated,
    ProcedureStepTaken,
    RoundClosed,
    RoundOpened,
    ShoeExhausted,
    ShoeLoaded,
    TableClosed,
    TableOpened,
)
from schemas.procedures import DISCARD_RACK, SHUFFLER, TABLE, DeviceState, ItemKind, ProcedureStep
from schemas.values import Micros

_GAPS_HELD: Final = 64  # of each source
_OF_PREPARATION: Final = (
    ProcedureStepTaken,
    ShoeLoaded,
    PlayerSeated,
    PlayerLeft,
    DealerAssigned,
    DealerRelieved,
    CuratorNamed,
)
_OF_DICE_HELD: Final = 32
_SETS_HELD: Final = 16
_OF_TILES_HELD: Final = 32
_STEPS_HELD: Final = 4_000  # of one batch between two shoes; a preparation has some sixty


# The kinds of event that can change who is at a table.
_OF_PEOPLE: Final = frozenset(
    (
        PlayerSeated,
        PlayerLeft,
        DealerAssigned,
        DealerRelieved,
        FloorpersonAssigned,
        CuratorNamed,
        TableClosed,
    )
)


class PeopleAtTable(Struct, frozen=True):
    """Attendance at a table at a moment: occupied seats, its crew, and the seat that deals from the shoe.

    `is_curator_gone` if who dealt in that seat has left it, though another may sit there now. `patrons` are
    the persons in the seats who are known, with their seats. Nobody was there before `since`, as the table
    was closed; `seats_since` are when somebody was last reported to come to each seat or to leave it,
    `dealers_since` when each dealer was last reported to come.
    """

    seats: frozenset[int] = frozenset()
    patrons: frozenset[tuple[int, str]] = frozenset()
    crew: Crew = Crew()
    curator: int | None = None
    is_curator_gone: bool = False
    since: Micros = 0
    seats_since: dict[int, Micros] = {}
    dealers_since: dict[str, Micros] = {}

    def seated_since(self, *seats: int) -> Micros:
        """Return since when each of these seats was reported as it is."""
        return max(self.since, min(self.seats_since.get(seat, 0) for seat in seats))

    def assigned_since(self, *dealers: str) -> Micros:
        """Return since when each of these dealers was reported to be at the table."""
        return max(self.since, min(self.dealers_since.get(dealer, 0) for dealer in dealers))

    def after(self, event: Event) -> "PeopleAtTable":
        """Return who is there once an event has happened."""
        if type(event) not in _OF_PEOPLE:  # nearly all of them
            return self
        changed: dict[str, Any]
        match event:
            case PlayerSeated():
                arrived = frozenset([(event.seat, event.patron)] if event.patron is not None else [])
                changed = {"seats": self.seats | {event.seat}, "patrons": self._others(event.seat) | arrived}
            case PlayerLeft() if event.bettor is None:
                changed = {
                    "seats": self.seats - {event.seat},
                    "patrons": self._others(event.seat),
                    "is_curator_gone": self.is_curator_gone or event.seat == self.curator,
                }
            case DealerAssigned() | DealerRelieved() | FloorpersonAssigned():
                came = {event.dealer: event.at} if isinstance(event, DealerAssigned) else {}
                crew, since = self.crew.after(event), self.dealers_since | came
                return replace(self, crew=crew, dealers_since=since)
            case CuratorNamed():
                return replace(self, curator=event.seat, is_curator_gone=False)
            case TableClosed():
                return PeopleAtTable(since=event.at + 1)
            case _:
                return self
        return replace(self, **changed, seats_since=self.seats_since | {event.seat: event.at})

    def at(self, moment: Micros, entries: Iterable[Noted]) -> "PeopleAtTable":
        """Return who is there at a moment, by what happened until then."""
        present = self
        for entry in entries:
            if entry.at <= moment:
                present = present.after(entry.event)
        return present

    def _others(self, seat: int) -> frozenset[tuple[int, str]]:
        """Return the known persons in other seats."""
        return frozenset(each for each in self.patrons if each[0] != seat)


class Answer(Struct, frozen=True):
    """The last answer to a point of the table's checklist, or the last figure of it, and its moment."""

    at: Micros
    value: int


class BankTurns(Struct, frozen=True):
    """Banker of the last round, and the seats with wagers in the last one that no player banked.

    Where none such was seen yet `wagered` is absent; `since` is when that round was opened.
    """

    banked: int | None = None
    wagered: frozenset[int] | None = None
    since: Micros = 0

    def after(self, entries: Iterable[Noted]) -> "BankTurns":
        """Return them after a round was played, and people came and left."""
        seats, banked = self.wagered, self.banked
        placed: set[int] = set()
        bank: int | None = None
        opened, since = self.since, self.since
        for entry in entries:
            match entry.event:
                case RoundOpened():
                    opened = entry.at
                case PlayerSeated() | PlayerLeft(bettor=None):
                    seats = seats - {entry.event.seat} if seats is not None else None
                    banked = None if banked == entry.event.seat else banked
                case BankTaken():
                    bank = entry.event.seat
                case ChipsPlaced() if entry.event.seat:
                    placed.add(entry.event.seat)
                case RoundClosed():
                    if bank is None:
                        seats, since = frozenset(placed), opened
                    banked, placed, bank = bank, set(), None
        return BankTurns(banked, seats, since)


class Cover(Struct, frozen=True):
    """A cover card that was reached: when, and how many hands were opened after the one it belongs to."""

    at: Micros
    hands: int
    is_announced: bool = False


_E = TypeVar("_E")


def _of(entries: Iterable[Noted], kind: type[_E]) -> Iterator[tuple[Micros, _E]]:
    """Yield the events of a kind with their moments."""
    for entry in entries:
        if isinstance(entry.event, kind):
            yield entry.at, entry.event


def _steps(
    entries: Iterable[Noted], names: Collection[ProcedureStep]
) -> Iterator[tuple[Micros, ProcedureStepTaken]]:
    """Yield the steps of some names with their moments."""
    return ((at, step) for at, step in _of(entries, ProcedureStepTaken) if step.step in names)


class Preparation(Struct, frozen=True):
    """Handling of a shoe's cards before its first round opened, in order of time.

    `since` is when it could begin: as the table opened, or as the shoe before came into play, and `people`
    who was there then. `loaded` is absent if the loading was not reported, `preceding` where no shoe was in
    play before; `preceding_batch` is the batch of that shoe, `batch` the one of this, if it is named, and
    `cover` the cover card of that shoe as it ended, unless it ran out of cards.
    """

    shoe: str
    since: Micros
    opened: Micros
    entries: tuple[Noted, ...]
    loaded: Noted | None = None
    preceding: str | None = None
    batch: str = ""
    preceding_batch: str = ""
    people: PeopleAtTable = PeopleAtTable()
    cover: Cover | None = None

    @property
    def ready(self) -> Micros:
        """Return when the cards were put into the shoe, or else when the first round opened."""
        return self.loaded.at if self.loaded is not None else self.opened

    def steps(self, *names: ProcedureStep) -> Iterator[tuple[Micros, ProcedureStepTaken]]:
        """Yield the steps of these names, in order."""
        return _steps(self.entries, names)

    def last(self, *names: ProcedureStep) -> tuple[Micros, ProcedureStepTaken] | None:
        """Return the last step of these names; None if there was none."""
        return max(self.steps(*names), key=lambda step: step[0], default=None)

    def receipts(self) -> list[tuple[Micros, ItemMoved]]:
        """Return what was reported of cards that came to the table."""
        return [
            (entry.at, entry.event)
            for entry in self.entries
            if isinstance(entry.event, ItemMoved) and entry.event.place == TABLE
        ]

    @property
    def is_opening(self) -> bool:
        """Return True if the cards are new to the table: they came since the last shoe, or there was none."""
        return self.preceding is None or bool(self.receipts())

    @property
    def is_certified(self) -> bool:
        """Return True if a certificate states that the cards came inspected and shuffled."""
        return any(
            isinstance(entry.event, DocumentFiled) and entry.event.document == "preshuffle_certificate"
            for entry in self.entries
        )

    def at_table(self, until: Micros) -> PeopleAtTable:
        """Return who was at the table at a moment of the preparation."""
        return self.people.at(until, self.entries)


class Container(Struct, frozen=True):
    """The inventory's container: its last inspection and whether anything was reported since a moment.

    `since` is when it came to the table, or the table was closed. Before the first round after an opening it
    `is_opening`.
    """

    since: Micros = 0
    inspection: ItemInspected | None = None
    is_reported: bool = False
    is_opening: bool = False

    def after(self, at: Micros, event: Event) -> "Container":
        """Return what is reported of it once an event has happened."""
        match event:
            case ItemMoved(kind="inventory_container", place="table"):
                return Container(at, is_reported=True, is_opening=self.is_opening)
            case ItemInspected(kind="inventory_container"):
                return replace(self, inspection=event, is_reported=True)
            case TableOpened():
                return replace(self, is_opening=True)
            case TableClosed():
                return Container(at)
            case RoundOpened() if self.is_opening:
                return replace(self, is_opening=False)
        return self


class Window(Struct, frozen=True):
    """Window of events that are checked at once: a round with what came before it, or what followed the last.

    `before` is the account as it stood before them, `after` as it stands when they have happened; both know
    all gaps that may affect them. `preparation` is set if a shoe came into play.
    """

    entries: list[Noted]
    before: "ProceduresAccount"
    after: "ProceduresAccount"
    preparation: Preparation | None

    @property
    def since(self) -> Micros:
        """Return its first moment, the last of the window before."""
        return self.before.until

    @property
    def until(self) -> Micros:
        """Return its last moment."""
        return self.after.until

    @property
    def is_first_of_day(self) -> bool:
        """Return True if the gaming day's first round was opened in it."""
        return self.before.rounds == 0 and self.after.rounds > 0

    @property
    def shoe(self) -> str:
        """Return the shoe in play at its end; empty if there is none."""
        return self.after.shoe or ""

    @property
    def has_round(self) -> bool:
        """Return True if a round was opened in it."""
        return any(self.events(RoundOpened))

    def events(self, kind: type[_E]) -> Iterator[tuple[Micros, _E]]:
        """Yield its events of a kind, in order."""
        return _of(self.entries, kind)

    def steps(self, *names: ProcedureStep) -> Iterator[tuple[Micros, ProcedureStepTaken]]:
        """Yield its steps of these names, in order."""
        return _steps(self.entries, names)


class ProceduresAccount(Struct):
    """State of a table's procedures between two rounds.

    `begun` is true if the table was seen to open, or a shoe to end: nothing is required of the time before
    the record begins. `until` is its last moment, `day_since` the first of its day; `gaps` are all that may
    still matter. `steps` are what was done with cards since the shoe in play came into play, by batch.
    `since` is that moment, `then` the people at the table at it and `people` those there now. `loaded` is set
    if a shoe was loaded and had no round yet; `is_empty` is true if the shoe in play ran out, `cover` is the
    cover card that was reached in it. `received` is the last receipt of each batch at the table, `devices`
    each device's kind and state, `answers` the last ones to the table's checklist, `shoe_device` the last
    dealing shoe that came to the table, `layout` the last inspection that named its layout or its make,
    `approved` the items with an approval, by its earliest date. `dice` is what was done with each set,
    `dice_placed` the set in use, `tiles` what was done with sets of tiles since the last round was opened,
    `last_round_at` when the last round was opened, `seen` the steps that the table reported since it opened,
    `container` what was reported of the inventory's. `raised` is what was raised for the gaming day, `judged`
    for how many shoes, `inspected` the day's inspections, `rounds` its number of rounds, `supervised` which
    floorpersons had the table, and `staff_gaps` how often the staff source did not report.
    """

    table: str = ""
    day: date | None = None
    begun: bool = False
    shoe: str | None = None
    batch: str = ""
    loaded: Noted | None = None
    since: Micros = 0
    then: PeopleAtTable = PeopleAtTable()
    people: PeopleAtTable = PeopleAtTable()
    cover: Cover | None = None
    is_empty: bool = False
    steps: dict[str, list[Noted]] = field(default_factory=dict)
    received: dict[str, Noted] = field(default_factory=dict)
    devices: dict[str, tuple[ItemKind, DeviceState]] = field(default_factory=dict)
    inspected: list[Noted] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    shoe_device: Noted | None = None
    layout: Noted | None = None
    approved: dict[str, date] = field(default_factory=dict)
    bank: BankTurns = BankTurns()
    dice: dict[str, list[Noted]] = field(default_factory=dict)
    dice_placed: Noted | None = None
    tiles: list[Noted] = field(default_factory=list)
    until: Micros = 0
    day_since: Micros = 0
    last_round_at: Micros | None = None
    rounds: int = 0
    seen: set[ProcedureStep] = field(default_factory=set)
    gaps: list[Unreported] = field(default_factory=list)
    raised: list[Raised] = field(default_factory=list)
    judged: int = 0
    posts: Posts = Posts()
    container: Container = Container()
    curatorship: Curatorship = Curatorship()
    supervised: list[Supervision] = field(default_factory=list)
    staff_gaps: int = 0

    @property
    def batch_opened(self) -> Micros | None:
        """Return when the batch in play came to the table; None if that is not known."""
        batch = self.received.get(self.batch) or next(iter(self.received.values()), None)
        return batch.at if batch is not None and (self.batch or len(self.received) == 1) else None

    def add_entries(self, entries: Iterable[ProcedureEntry]) -> Iterator["Window | DayBegan"]:
        """Process folded entries; yield each day that began, and last the window with its entries."""
        noted: list[Noted] = []
        for entry in entries:
            match entry:
                case DayBegan():
                    yield entry
                case Unreported():
                    self.gaps.append(entry)
                    self.staff_gaps += entry.source == "staff"
                case Noted():
                    noted.append(entry)
        self.gaps = _bounded(self.gaps)
        noted.sort(key=lambda each: each.at)
        before = self.copied()
        self.bank = before.bank.after(noted)
        preparation = None
        for each in noted:
            preparation = self._follow(each) or preparation
        self.day_since = self.day_since or (noted[0].at if noted else self.until)
        if noted:
            self.until = max(self.until, noted[-1].at)
        yield Window(noted, before, self, preparation)

    def _follow(self, entry: Noted) -> Preparation | None:
        """Follow people and shoes; return the preparation of the shoe that comes into play."""
        event = entry.event
        self.people = self.people.after(event)
        self.container = self.container.after(entry.at, event)
        self.curatorship = self.curatorship.after(entry.at, event, self.people.crew.calling)
        self._follow_posts(entry)
        self._follow_tiles(entry)
        match event:
            case TableOpened():
                self.begun, self.since, self.then = True, entry.at, self.people
            case TableClosed():
                self.shoe, self.loaded, self.begun, self.batch, self.cover = None, None, False, "", None
                self.steps.clear()
                self.received.clear()
                self.seen.clear()
            case RoundOpened():
                self.rounds, self.last_round_at = self.rounds + 1, entry.at
                if self.loaded is not None or event.shoe != self.shoe:
                    return self._begin(entry, event.shoe)
                if self.cover is not None:
                    self.cover = replace(self.cover, hands=self.cover.hands + 1)
            case ShoeLoaded():
                self.loaded = entry
            case ProcedureStepTaken():
                self.seen.add(event.step)
                self._follow_cover_card(entry.at, event)
            case _:
                self._follow_items(entry)
        self._follow_dice(entry)
        if _is_of_cards(event) and not _is_gone(event):
            batch = self.steps.setdefault(_batch_of(event), [])
            if len(batch) < _STEPS_HELD:
                batch.append(entry)
        return None

    def _follow_posts(self, entry: Noted) -> None:
        before, self.posts = self.posts, self.posts.after(entry.at, entry.event, self.table)
        if self.posts is not before and before.floorpersons != self.posts.floorpersons:
            self.supervised = follow_supervision(self.supervised, entry.at, before, self.posts)

    def _follow_tiles(self, entry: Noted) -> None:
        match entry.event:
            case RoundOpened() | TableClosed():
                self.tiles.clear()
            case ItemMoved(kind="tiles") | ItemInspected(kind="tiles"):
                self.tiles.append(entry)
                del self.tiles[:-_OF_TILES_HELD]

    def _follow_dice(self, entry: Noted) -> None:
        item = _dice_of(entry.event)
        if item is None:
            return
        history = self.dice.setdefault(item, [])
        history.append(entry)
        del history[:-_OF_DICE_HELD]
        while len(self.dice) > _SETS_HELD:
            del self.dice[next(iter(self.dice))]
        if isinstance(entry.event, ProcedureStepTaken):
            self.dice_placed = entry

    def _follow_cover_card(self, at: Micros, step: ProcedureStepTaken) -> None:
        if step.step == "cover_card_reached" and self.cover is None and not self.is_empty:
            # Found first in the shoe between two hands, it belongs to the next one.
            self.cover = Cover(at, 0 if step.round is not None else -1)
        elif step.step == "last_hand_announced" and self.cover is not None:
            self.cover = replace(self.cover, is_announced=True)

    def _follow_items(self, entry: Noted) -> None:
        match entry.event:
            case ItemMoved(kind="cards", place="table") as receipt:
                self.received[receipt.item] = entry
            case ItemMoved(kind="cards") as move if _is_gone(move):
                self.received.pop(move.item, None)
                self.steps.pop(move.item, None)
            case ItemMoved(kind="shoe", place="table"):
                self.shoe_device = entry
            case DocumentFiled(document="approval", item=str() as item) as approval:
                self.approved[item] = min(approval.dated, self.approved.get(item, approval.dated))
            case ShoeExhausted():
                self.is_empty = True  # a new set follows at once, 631a.15(e)
            case ItemInspected() as inspection:
                self.inspected.append(entry)
                if inspection.kind == "table" and inspection.marks:
                    self.layout = entry
                self.answers |= answers_of(entry.at, inspection)
            case DeviceStateReported() as device:
                self.devices[device.item] = device.kind, device.state

    def _begin(self, opened: Noted, shoe: str) -> Preparation | None:
        """Open a shoe; None if what preceded the record is not known."""
        batch = _batch_of(self.loaded.event) if self.loaded is not None else ""
        if not batch:
            batches = [name for name in self.steps if name]
            batch = max(batches, key=self._came, default="")
        entries = [*self.steps.pop("", ()), *(self.steps.pop(batch, ()) if batch else ())]
        preparation = Preparation(
            shoe,
            self.since,
            opened.at,
            tuple(sorted(entries, key=lambda each: each.at)),
            self.loaded,
            self.shoe,
            batch,
            self.batch,
            self.then,
            None if self.is_empty else self.cover,
        )
        is_known = self.begun or self.shoe is not None
        self.judged += is_known
        self.shoe, self.loaded, self.since, self.begun = shoe, None, opened.at, True
        self.batch, self.then, self.cover, self.is_empty = batch, self.people, None, False
        return preparation if is_known else None

    def _came(self, batch: str) -> Micros:
        """Return when a batch came to the table, 0 if that was not reported."""
        return self.received[batch].at if batch in self.received else 0

    def next_day(self, day: date) -> None:
        """Begin a gaming day and clear what belongs to the day before."""
        self.day, self.raised, self.judged = day, [], 0
        self.inspected, self.rounds, self.day_since = [], 0, 0
        self.staff_gaps = 0
        self.supervised = [Supervision(name, self.until) for name in sorted(self.posts.floorpersons)]

    def copied(self) -> "ProceduresAccount":
        """Copy it for a fold that may have to be done again."""
        other = copy(self)
        other.steps = {batch: list(entries) for batch, entries in self.steps.items()}
        other.received, other.devices = dict(self.received), dict(self.devices)
        other.inspected, other.seen = list(self.inspected), set(self.seen)
        other.dice = {name: list(history) for name, history in self.dice.items()}
        other.tiles = list(self.tiles)
        other.answers, other.approved = dict(self.answers), dict(self.approved)
        other.gaps, other.raised = list(self.gaps), list(self.raised)
        return other


def _bounded(gaps: list[Unreported]) -> list[Unreported]:
    """Return gaps, the earliest of a source made one that spans them if it has more than are held.

    None is forgotten: a check that looks back over all days is undetermined where a report may be missing.
    """
    count_by_source = Counter(gap.source for gap in gaps)
    to_merge = {source: n - _GAPS_HELD + 1 for source, n in count_by_source.items() if n > _GAPS_HELD}
    if not to_merge:
        return gaps
    earliest: dict[str, Unreported] = {}
    later: list[Unreported] = []
    for gap in gaps:
        if not to_merge.get(gap.source):
            later.append(gap)
            continue
        first = earliest.get(gap.source, gap)
        since, until = min(first.since, gap.since), max(first.until, gap.until)
        earliest[gap.source] = Unreported(gap.source, since, until, first.message)
        to_merge[gap.source] -= 1
    return [*earliest.values(), *later]


def _dice_of(event: Event) -> str | None:
    """Return the set of dice that something was done with; None if it was not done with dice."""
    match event:
        case ItemMoved(kind="dice") | ItemInspected(kind="dice"):
            return event.item
        case DocumentFiled(kind="dice") | NoticeGiven(notice="defect" | "removal_request" | "inspection"):
            return event.item
        case ProcedureStepTaken(step="dice_placed"):
            return event.item or ""
    return None


def answers_of(at: Micros, inspection: ItemInspected) -> dict[str, Answer]:
    """Return what an inspection of the table answered, by point or figure; empty for another item."""
    if inspection.kind != "table":
        return {}
    found = (*inspection.checklist.items(), *inspection.figures.items())
    return {name: Answer(at, int(value)) for name, value in found}


def _is_gone(event: Event) -> bool:
    """Return True if an item left the table and its devices."""
    return isinstance(event, ItemMoved) and event.place not in (TABLE, SHUFFLER, DISCARD_RACK)


def _is_of_cards(event: Event) -> bool:
    """Return True if an event may be part of a shoe's preparation."""
    if isinstance(event, ItemInspected | ItemMoved | DocumentFiled):
        return event.kind == "cards"
    if isinstance(event, DeviceStateReported):
        return event.kind in ("cards", "shoe", "shuffler")
    if isinstance(event, CardBurned):
        return event.round is None
    return isinstance(event, _OF_PREPARATION)


def _batch_of(event: Event) -> str:
    """Return the batch of cards that an event names; empty if it names none."""
    match event:
        case ShoeLoaded() | DeviceStateReported():
            return event.batch or ""
        case ProcedureStepTaken() | ItemInspected() | ItemMoved() | DocumentFiled():
            return event.item or ""
    return ""
