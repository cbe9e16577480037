"""Every event that a table's devices report, one frozen value a kind, in the past tense.

An event is what a device reports that it saw, never what should have happened. Each carries its device, the
device's epoch (a reader that restarts begins a new one), its own gapless number in that epoch and the
device's clock in microseconds UTC. The table is in the frame (see `schemas.codec`).

`round` is the number of the round that was open, as the table's terminal gave it out to the devices; it is
absent between rounds. docs/events.md describes when and in what order devices report.
"""

from collections.abc import Mapping
from datetime import date
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from schemas.procedures import (
    Checklist,
    DeviceState,
    DocumentKind,
    Face,
    Figures,
    ItemKind,
    Marks,
    NoticeKind,
    ProcedureStep,
)
from schemas.values import (
    Card,
    Cents,
    Count,
    Decks,
    Denominations,
    Gain,
    Micros,
    Name,
    Offset,
    Option,
    Ordinal,
    Person,
    Seat,
    Seq,
    Spot,
    Tile,
)


class Reported(
    Struct,
    frozen=True,
    kw_only=True,
    gc=False,
    tag_field="event",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Fields of every event: who reported it, under which number, and when by the device's clock."""

    device: Name
    epoch: Seq
    seq: Seq
    at: Micros
    round: Name | None = None


class InRound(Reported, frozen=True, kw_only=True, gc=False):
    """An event of one round."""

    round: Name


class Deed(InRound, frozen=True, kw_only=True, gc=False):
    """Act of the play besides cards and chips.

    `drawn` is how many cards of the round had left the shoe when it was done, if the terminal has it;
    otherwise the clocks decide between which cards it was.
    """

    drawn: Count | None = None


# When people count a table inventory.
Occasion: TypeAlias = Literal["opening", "drop", "closing", "shift"]


class Heard(Struct, frozen=True, array_like=True, gc=False):
    """Last report of a device that the terminal had: its epoch, its last number, and its clock's offset.

    The offset is the device's clock less the terminal's, in microseconds, as the terminal measured it. A last
    number of 0 means that the device has not reported yet in this epoch.
    """

    epoch: Ordinal
    seq: Ordinal
    offset: Offset = 0


class EventId(Struct, frozen=True, array_like=True, gc=False, order=True):
    """The name of one event within its table: device, epoch, number."""

    device: str
    epoch: Ordinal
    seq: Ordinal


# ── the table and its people: the dealers' terminal ──────────────────────────────────────────────────


class TableOpened(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """The table opened for gaming with this table inventory; `heard` has each device's last number."""

    inventory_cents: Cents
    heard: dict[Name, Heard]


class TableClosed(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """The table closed for gaming; no earlier report is still under way."""

    heard: dict[Name, Heard]


class DevicesPolled(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """Heartbeat between rounds: the last number of each device, so that a hole shows without a round."""

    heard: dict[Name, Heard]


class DeviceWentSilent(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """The terminal lost touch with a device: what happens from now on it may not have seen."""

    silent: Name


class DeviceCameBack(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """The terminal has a device again; if this report is lost, a later number in a poll shows it."""

    back: Name


class HouseRulesChanged(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A new Rules Submission took effect at this table: its ordinal and all its options."""

    rules: Ordinal
    options: dict[Name, Option]


class DealerAssigned(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A dealer came to the table: the one calling the game, or one paying and collecting."""

    dealer: Name
    calling: bool = False


class DealerRelieved(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A dealer left the table."""

    dealer: Name


class FloorpersonAssigned(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A floorperson took over the supervision of the table from the previous one."""

    floorperson: Name


class CuratorNamed(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """The dealing shoe was accepted: by the player in a seat, or by the dealer where `seat` is absent."""

    seat: Seat | None = None


class PlayerSeated(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A person sat down; `patron` is who, where the person is known."""

    seat: Seat
    patron: Name | None = None


class PlayerLeft(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """The person in a seat left the gaming table, or one of several who bet on its spots."""

    seat: Seat
    bettor: Name | None = None


class ChipsBought(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """Cash went into the drop box and value chips of the same sum to the player."""

    seat: Seat
    cents: Cents


class ChipsColoredUp(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """Chips were exchanged for chips of other denominations of the same sum."""

    seat: Seat
    cents: Cents


class TokeGiven(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A player's tip went into the tip box."""

    seat: Seat
    cents: Cents


class FillReceived(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """Chips came from the cage into the table inventory, counted at the table against the Fill Slip."""

    slip: Name
    cents: Cents
    denominations: Denominations | None = None
    counted_by: Person | None = None
    witnessed_by: Person | None = None


class CreditSent(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """Chips left the table inventory for the cage as a table credit, with a Credit Slip."""

    slip: Name
    cents: Cents
    denominations: Denominations | None = None
    counted_by: Person | None = None
    witnessed_by: Person | None = None


class CounterCheckTaken(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """Chips went to a player against the issuance copy of a Counter Check, 465a.36(b)(2)."""

    seat: Seat
    check: Name
    cents: Cents


class InventoryListed(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """People counted the table inventory onto a Table Inventory Slip, 465a.37, 465a.41, 465a.42, 465a.44.

    At an opening `slip` is the duplicate that lay with the chips.
    """

    slip: Name
    occasion: Occasion
    denominations: Denominations
    counted_by: Person | None = None
    witnessed_by: Person | None = None
    signatures: tuple[Person, ...] = ()


class SlipDropped(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A document went into the drop box: a Fill, Credit, Table Inventory or Fill Request Slip."""

    slip: Name


class CouponDropped(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A Match Play Coupon went into the drop box, 603a.21(e); `round` is absent if none was open."""

    coupon: Name


class DropBoxChanged(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """The drop box was taken off the table, or put on it, or one for the other."""

    removed: Name | None = None
    attached: Name | None = None


# ── the round as the dealer calls it: the dealers' terminal ──────────────────────────────────────────


class RoundOpened(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """A round opened, dealt from this shoe, under the house rules with this ordinal."""

    shoe: Name
    heard: dict[Name, Heard]
    rules: Ordinal = 0


class WagersClosed(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """The dealer announced "no more bets"."""


class SimulatedRoundDealt(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """The round was declared a simulated one, in which wagers may not be accepted."""


class OutcomeAnnounced(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """The dealer announced the result."""

    outcome: Name


class PayoutHanded(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """The payout of a wager that is settled during the deal, House Money, was handed to the player."""

    seat: Seat
    cents: Cents
    bettor: Name | None = None
    wager: Name = "house_money"


class PayoutAdded(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """Of such a payout `cents` went to the player's wager on `to`, the rest was handed over."""

    seat: Seat
    to: Name
    cents: Cents
    handed_cents: Cents = 0
    bettor: Name | None = None
    wager: Name = "house_money"


class RoundVoided(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """The round was called void and all wagers returned."""


class SettlementAdjusted(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """A mistake in a wager's settlement was corrected by this much: of the player's gain, and of vigorish."""

    seat: Seat
    wager: Name
    cents: Gain
    vigorish_cents: Gain = 0
    bettor: Name | None = None
    hand: Name | None = None


class RoundClosed(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """The round was over: cards cleared, wagers settled.

    A barrier: `heard` has every device's last number.
    """

    heard: dict[Name, Heard]


# ── what is done in some games: the dealers' terminal, and readers of ranges, tiles and dice ─────────


class HandDecided(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """A hand was decided on: stand, double, split, surrender, left, dead and their like."""

    hand: Name
    decision: Name


class RangeIndicated(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """The card reader lit the range of the dealer's hole card, or the dealer placed the card so."""

    range: Name


class BankTaken(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """A player took the dealer's bank, or half of it."""

    seat: Seat
    co_bank: bool = False


class TilesDealt(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """A stack of four tiles went to a position: a seat, the dealer, or a dead hand.

    `stacks` are those that its tiles came from, one for each tile, 1 to 8 from the dealer's right.
    """

    position: Name
    stacks: tuple[Ordinal, ...] = ()


class TileLaid(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """A tile was seen in a hand as it was laid open: "seat3.high", "dealer.low"."""

    hand: Name
    tile: Tile


class HandExposed(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """A tile of a position was shown before its time."""

    position: Name


class HandReset(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """The hand of a position was set again."""

    position: Name


class HandCalled(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """The dealer announced what happened to a seat: win, lose or tie."""

    seat: Seat
    result: Name


class DiceRolled(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """Dice were rolled or shaken: their pips, `3-4` or `3-4-6`."""

    dice: Name


class RollCancelled(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """The dealer called no roll."""


class ShooterNamed(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """A person became the shooter."""

    seat: Seat


class NumberMarked(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """A marker button was put on a number."""

    number: Count


class MarkersCleared(Deed, frozen=True, kw_only=True, gc=False, tag=True):
    """All marker buttons were taken off."""


# ── the cards: the dealing shoe, and a camera as the second reader ────────────────────────────────────


class ShoeLoaded(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A new set of cards was placed in the dealing shoe; `batch` is which, where the table has several."""

    shoe: Name
    decks: Decks
    batch: Name | None = None


class CardBurned(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A card was drawn before play into the discard bucket; the card is absent if it was face down."""

    card: Card | None = None


class CardDrawn(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """A card left the shoe for a hand."""

    hand: Name
    card: Card


class CardDiscarded(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """A card left the shoe for the discard bucket without a hand; absent if it was not disclosed."""

    card: Card | None = None


class ShoeExhausted(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """The shoe held no card where one was to be drawn."""


class ShoeCounted(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """The shoe had ended, and what was left in it was counted into the discard rack before it was emptied.

    `left` is how many cards; `cards` names them in the order in which they would have left the shoe, `??` one
    that was not read, and is absent if they were counted and not read.
    """

    shoe: Name
    left: Count
    cards: tuple[Card, ...] | None = None


class CardSeen(InRound, frozen=True, kw_only=True, gc=False, tag=True):
    """A second reader saw this card on the layout as the `place`-th of a hand."""

    hand: Name
    place: Seq
    card: Card


# ── the chips: the layout's chip reader, a camera as the second reader, the tray reader ──────────────


class OnSpot(InRound, frozen=True, kw_only=True, gc=False):
    """Chips on one wager: seat, wager, and the person where several bet on one spot."""

    seat: Spot
    wager: Name
    cents: Cents
    bettor: Name | None = None
    hand: Name | None = None


class ChipsPlaced(OnSpot, frozen=True, kw_only=True, gc=False, tag=True):
    """Chips were placed as a wager, or added to one."""


class ChipsRemoved(OnSpot, frozen=True, kw_only=True, gc=False, tag=True):
    """Chips of a wager were withdrawn by the person who made it."""


class CouponPlaced(OnSpot, frozen=True, kw_only=True, gc=False, tag=True):
    """A Match Play Coupon of this value was placed under a wager's chips."""

    coupon: Name


class StackSeen(OnSpot, frozen=True, kw_only=True, gc=False, tag=True):
    """A second reader saw this sum on a spot when the wagers were closed."""


class ChipsPaid(OnSpot, frozen=True, kw_only=True, gc=False, tag=True):
    """Winnings were paid, the stake not counted."""


class ChipsCollected(OnSpot, frozen=True, kw_only=True, gc=False, tag=True):
    """Chips of a wager were collected by the dealer."""


class VigorishCollected(OnSpot, frozen=True, kw_only=True, gc=False, tag=True):
    """Vigorish of a wager was collected at the time of payout."""


class VigorishMarked(OnSpot, frozen=True, kw_only=True, gc=False, tag=True):
    """Vigorish of a wager was marked with a coin or marker button as owed."""


class MarkerButtonRemoved(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """Vigorish owed was collected and the marker button of this sum taken away."""

    seat: Seat
    cents: Cents
    bettor: Name | None = None


class InventoryCounted(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """The tray reader counted the table inventory; once as a round opens and once when it is settled."""

    cents: Cents


# ── the floor's procedures: the pit's terminal, shuffler, card inventory, staff, recorder, register ──────


class ProcedureStepTaken(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A step of a procedure was done at the table: by a person, a device, or the player in a seat.

    `item` is the batch of cards, or the set of tiles or dice, where the table has several. `count` is what
    the step counts or measures, out of `total`; `hand` is where the cover card appeared, `witness`
    before whom it was done.
    """

    step: ProcedureStep
    by: Person | None = None
    witness: Person | None = None
    seat: Seat | None = None
    item: Name | None = None
    count: Count | None = None
    total: Count | None = None
    face: Face | None = None
    manner: Name | None = None
    hand: Name | None = None


class ItemInspected(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """An item was inspected by someone; another person watched or verified it if one is named.

    `checklist` is what was looked for, and whether it was in order; `place` is where, `persons` who else was
    there.
    """

    kind: ItemKind
    item: Name
    passed: bool
    by: Person
    verified_by: Person | None = None
    figures: Figures = {}
    marks: Marks = {}
    checklist: Checklist = {}
    place: Name | None = None
    persons: tuple[Person, ...] = ()


class ItemMoved(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """An item came to a place: cards to the table or into a shuffler, dice to a pit."""

    kind: ItemKind
    item: Name
    place: Name
    origin: Name | None = None
    persons: tuple[Person, ...] = ()
    sealed: bool | None = None
    figures: Figures = {}
    marks: Marks = {}


class NoticeGiven(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A person or an office was notified of something: `to` is a person's role or an office."""

    notice: NoticeKind
    to: Name
    by: Person
    item: Name | None = None


class DeviceStateReported(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A device or a system of the floor is in a state from now on; `count` is how many cards it counted.

    A surveillance camera of the table `covers` this part of it.
    """

    kind: ItemKind
    item: Name
    state: DeviceState
    by: Person | None = None
    batch: Name | None = None
    count: Count | None = None
    covers: Name | None = None


class DocumentFiled(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """A document was filed: what it is, of which item, and its date.

    The destruction of a record is filed with the date of the record.
    """

    document: DocumentKind
    number: Name
    dated: date
    kind: ItemKind | None = None
    item: Name | None = None
    signers: tuple[Person, ...] = ()


class StaffAssigned(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """By the schedule or by badge a person has these tables from now on, in this role."""

    person: Person
    tables: tuple[Name, ...]


# ── corrections ──────────────────────────────────────────────────────────────────────────────────────


class ReportCorrected(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """An earlier event was mistaken: it never happened, or it happened as in `instead`.

    It has the round of the event that it names, and none if that one has none.
    """

    mistaken: EventId
    instead: "Event | None" = None


Event: TypeAlias = (
    TableOpened
    | TableClosed
    | DevicesPolled
    | DeviceWentSilent
    | DeviceCameBack
    | HouseRulesChanged
    | DealerAssigned
    | DealerRelieved
    | FloorpersonAssigned
    | CuratorNamed
    | PlayerSeated
    | PlayerLeft
    | ChipsBought
    | ChipsColoredUp
    | TokeGiven
    | FillReceived
    | CreditSent
    | CounterCheckTaken
    | InventoryListed
    | SlipDropped
    | CouponDropped
    | DropBoxChanged
    | RoundOpened
    | WagersClosed
    | SimulatedRoundDealt
    | OutcomeAnnounced
    | PayoutHanded
    | PayoutAdded
    | RoundVoided
    | HandDecided
    | RangeIndicated
    | BankTaken
    | TilesDealt
    | TileLaid
    | HandExposed
    | HandReset
    | HandCalled
    | DiceRolled
    | RollCancelled
    | ShooterNamed
    | NumberMarked
    | MarkersCleared
    | SettlementAdjusted
    | RoundClosed
    | ShoeLoaded
    | CardBurned
    | CardDrawn
    | CardDiscarded
    | ShoeExhausted
    | ShoeCounted
    | CardSeen
    | ChipsPlaced
    | ChipsRemoved
    | CouponPlaced
    | StackSeen
    | ChipsPaid
    | ChipsCollected
    | VigorishCollected
    | VigorishMarked
    | MarkerButtonRemoved
    | InventoryCounted
    | ProcedureStepTaken
    | ItemInspected
    | ItemMoved
    | NoticeGiven
    | DeviceStateReported
    | DocumentFiled
    | StaffAssigned
    | ReportCorrected
)


Source: TypeAlias = Literal[
    "terminal",
    "shoe",
    "chips",
    "camera",
    "tray",
    "reader",
    "tiles",
    "dice",
    "pit",
    "shuffler",
    "cards",
    "staff",
    "recorder",
    "register",
]

# What each kind of device can report; everything else comes from the terminal alone.
_BY_DEVICES: Final[dict[Source, tuple[type[Reported], ...]]] = {
    "shoe": (ShoeLoaded, CardBurned, CardDrawn, CardDiscarded, ShoeExhausted, ShoeCounted),
    "chips": (
        ChipsPlaced,
        ChipsRemoved,
        CouponPlaced,
        ChipsPaid,
        ChipsCollected,
        VigorishCollected,
        VigorishMarked,
        MarkerButtonRemoved,
    ),
    "camera": (CardSeen, StackSeen),
    "tray": (InventoryCounted,),
    "reader": (RangeIndicated,),
    "tiles": (TilesDealt, TileLaid),
    "dice": (DiceRolled,),
    "pit": (ProcedureStepTaken, ItemInspected, ItemMoved, NoticeGiven, DeviceStateReported),
    "shuffler": (ProcedureStepTaken, ItemMoved, DeviceStateReported),
    "cards": (ItemInspected, ItemMoved, DocumentFiled),
    "staff": (StaffAssigned,),
    "recorder": (DeviceStateReported, NoticeGiven),
    "register": (DocumentFiled, ItemInspected, NoticeGiven),
}
# The sources of the floor's procedures; a floor without them is not asked for any.
PROCEDURAL: Final[frozenset[Source]] = frozenset(
    {"pit", "shuffler", "cards", "staff", "recorder", "register"}
)


TABLE_KINDS: Final[frozenset[type[Reported]]] = frozenset(get_args(Event))
# What a device of each source may report; most kinds have one source, a step or an inspection has several.
KINDS_OF: Final[Mapping[str, frozenset[type[Reported]]]] = {
    "terminal": TABLE_KINDS - {kind for kinds in _BY_DEVICES.values() for kind in kinds},
    **{source: frozenset(kinds) for source, kinds in _BY_DEVICES.items()},
}


def may_report(source: str | None, event: object) -> bool:
    """Return True if a device of a source reports events of this kind.

    >>> exhausted = ShoeExhausted(device="S-1", epoch=1, seq=1, at=0, round="1")
    >>> [may_report(source, exhausted) for source in ("shoe", "terminal", None)]
    [True, False, False]
    """
    return source is not None and type(event) in KINDS_OF.get(source, ())


def id_of(event: Reported) -> EventId:
    """Return an event by its device, epoch and number."""
    return EventId(event.device, event.epoch, event.seq)
