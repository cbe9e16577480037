"""A table's devices speaking a script: rounds written as a person tells them, turned into events.

Times are in seconds since the table opened; each device numbers its own events.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, TypeAlias

import msgspec

from schemas import events as e
from schemas.codec import VERSION, Frame
from schemas.house import House, Submission, TableSetup
from schemas.values import Denominations, Person

Spot: TypeAlias = (
    tuple[int, str] | tuple[int, str, str]
)  # seat, wager, and the person where several bet on it

START: Final = 1_743_500_000_000_000  # 2025-04-01 05:33:20 in New York
SECOND: Final = 1_000_000
SOURCES: Final = {"T": "terminal", "S": "shoe", "C": "chips", "V": "camera", "I": "tray"}

# Hands on which both sides stay, and how they end.
BANKER_WINS: Final = "P6c B7d PKc BKd"  # 6 to 7
PLAYER_WINS: Final = "P7c B6d PKc BKd"  # 7 to 6
TIE: Final = "P6c B6d PKc BKd"  # 6 to 6

DEALER: Final = Person("dana", "dealer")
FLOORPERSON: Final = Person("fred", "floorperson")
_CHIPS: Final = (100_000, 10_000, 2_500, 500, 100, 25, 5, 1)


def chips_for(cents: int) -> Denominations:
    """Make up a sum of as few chips as can be.

    >>> chips_for(1_250_050)
    {100000: 12, 10000: 5, 25: 2}
    """
    chips: Denominations = {}
    for each in _CHIPS:
        if cents >= each:
            chips[each], cents = divmod(cents, each)
    return chips


def build_house(*, without: Iterable[str] = (), decks: int = 8, **options: Any) -> House:
    """Return a house with one table, BAC-1, which lacks the devices named in `without`."""
    sources: Any = {device: source for device, source in SOURCES.items() if device not in set(without)}
    return House(
        house="script",
        gaming_day_starts="05:00",
        tables={"BAC-1": TableSetup(chapter="631a", decks=decks, sources=sources)},
        submissions=[Submission(since=date(2012, 5, 19), chapter="631a", options=options)],
    )


def build_house_with_cage(*, without: Iterable[str] = (), **options: Any) -> House:
    """Return the same house with a cage that keeps its ledger, so that slips and boxes are asked for."""
    return msgspec.structs.replace(build_house(without=without, **options), ledgers={"cage": ["CG-1"]})


def rename_devices(
    house: House, events: Iterable[e.Event], names: Mapping[str, str]
) -> tuple[House, list[e.Event]]:
    """Return a house and the events of its one table with other names of some devices."""
    setup = house.tables["BAC-1"]
    sources = {names.get(device, device): source for device, source in setup.sources.items()}
    renamed = []
    for each in events:
        other: dict[str, Any] = {"device": names.get(each.device, each.device)}
        if isinstance(each, e.TableOpened | e.TableClosed | e.RoundOpened | e.RoundClosed):
            other["heard"] = {names.get(device, device): last for device, last in each.heard.items()}
        renamed.append(msgspec.structs.replace(each, **other))
    tables = {"BAC-1": msgspec.structs.replace(setup, sources=sources)}
    return msgspec.structs.replace(house, tables=tables), renamed


class Script:
    """Collects the events of one table."""

    def __init__(self, without: Iterable[str] = (), *, start: int = START) -> None:
        self.start = start
        self.devices = [device for device in SOURCES if device not in set(without)]
        self.numbers = dict.fromkeys(self.devices, 0)
        self.epochs = dict.fromkeys(self.devices, 1)
        self.offsets = dict.fromkeys(self.devices, 0)  # a device's clock less the true one, microseconds
        self.events: list[e.Event] = []
        self.now = 0.0
        self.tray = 100_000_00
        self.drop = 0
        self.tips = 0
        self.count = 0
        self.rules = 0
        self.shoe = ""
        self.decks = 8
        self.places: dict[str, int] = {}

    @property
    def number(self) -> str:
        """The number of the latest round."""
        return str(self.count)

    def say(self, device: str, kind: type[Any], /, after: float = 0.5, **fields: Any) -> Any:
        """Report something by a device, `after` seconds later; nothing for one that the table lacks."""
        self.now += after
        if device not in self.numbers:
            return None
        self.numbers[device] += 1
        event = kind(
            device=device,
            epoch=self.epochs[device],
            seq=self.numbers[device],
            at=self.start + round(self.now * SECOND) + self.offsets[device],
            **fields,
        )
        self.events.append(event)
        return event

    def restart(self, device: str) -> None:
        """Begin a new epoch of a device."""
        self.epochs[device] += 1
        self.numbers[device] = 0

    def heard(self) -> dict[str, e.Heard]:
        """Poll every device but the terminal."""
        return {
            device: e.Heard(self.epochs[device], self.numbers[device], self.offsets[device])
            for device in self.devices
            if device != "T"
        }

    # ── the table ────────────────────────────────────────────────────────────────────────────────────

    def open(self) -> None:
        """Open the table and load its first shoe."""
        self.say("T", e.TableOpened, inventory_cents=self.tray, heard=self.heard())
        self.load("shoe 1")

    def load(self, shoe: str) -> None:
        """Load a shoe and burn: the ace shown, and for it one card face down, 631a.5(f)."""
        self.shoe = shoe
        self.say("S", e.ShoeLoaded, shoe=shoe, decks=self.decks)
        self.say("S", e.CardBurned, card="Ac")
        self.say("S", e.CardBurned)

    def close(self) -> None:
        """Close the table."""
        self.say("T", e.TableClosed, heard=self.heard())

    def buy(self, seat: int, cents: int) -> None:
        """Sell chips to a player for cash."""
        self.say("T", e.ChipsBought, seat=seat, cents=cents)
        self.tray -= cents
        self.drop += cents

    # ── the tray and the drop box ────────────────────────────────────────────────────────────────────

    def open_counted(self, slip: str = "TI-1", box: str = "B-1") -> None:
        """Add a drop box, open the table, count the inventory as on its slip, and drop the slip."""
        self.change_box(None, box)
        self.open()
        self.list_inventory(slip, "opening")
        self.drop_slip(slip)

    def close_counted(self, slip: str = "TI-2", box: str = "B-1") -> None:
        """Count the inventory, drop the slip, take the box off and close the table."""
        self.list_inventory(slip, "closing")
        self.drop_slip(slip)
        self.change_box(box, None)
        self.close()

    def list_inventory(self, slip: str, occasion: e.Occasion, cents: int | None = None, **fields: Any) -> Any:
        """Count the inventory by the dealer while the floorperson watches, and sign by both."""
        told = {
            "denominations": chips_for(self.tray if cents is None else cents),
            "counted_by": DEALER,
            "witnessed_by": FLOORPERSON,
            "signatures": (DEALER, FLOORPERSON),
        }
        return self.say("T", e.InventoryListed, slip=slip, occasion=occasion, **(told | fields))

    def drop_slip(self, slip: str) -> Any:
        """Drop a slip into the drop box."""
        return self.say("T", e.SlipDropped, slip=slip)

    def change_box(self, removed: str | None, attached: str | None) -> Any:
        """Replace a drop box by another one."""
        return self.say("T", e.DropBoxChanged, removed=removed, attached=attached)

    def fill(self, slip: str, cents: int, **fields: Any) -> Any:
        """Add chips from the cage."""
        self.tray += cents
        return self.say("T", e.FillReceived, slip=slip, cents=cents, **fields)

    def credit(self, slip: str, cents: int, **fields: Any) -> Any:
        """Send chips to the cage."""
        self.tray -= cents
        return self.say("T", e.CreditSent, slip=slip, cents=cents, **fields)

    def take_check(self, seat: int, check: str, cents: int, **fields: Any) -> Any:
        """Return chips against a Counter Check."""
        self.tray -= cents
        return self.say("T", e.CounterCheckTaken, seat=seat, check=check, cents=cents, **fields)

    def pay_off(self, seat: int, cents: int, bettor: str | None = None) -> None:
        """Collect vigorish that was owed, and take its marker button away."""
        self.say("C", e.MarkerButtonRemoved, seat=seat, cents=cents, bettor=bettor)
        self.tray += cents

    def change_rules(self, **options: Any) -> None:
        """Bring a new Rules Submission into effect."""
        self.rules += 1
        self.say("T", e.HouseRulesChanged, rules=self.rules, options=options)

    # ── a round, step by step ────────────────────────────────────────────────────────────────────────

    def begin(self, wagers: Mapping[Any, int] | None = None) -> str:
        """Open a round and let wagers be made; give its number."""
        self.count += 1
        self.places = {"player": 0, "banker": 0}
        self.tell(e.RoundOpened, shoe=self.shoe, rules=self.rules, heard=self.heard())
        self.count_tray()
        for spot, cents in (wagers or {}).items():
            self.on(spot, e.ChipsPlaced, cents)
        return self.number

    def tell(self, kind: type[Any], after: float = 0.5, **fields: Any) -> Any:
        """Report something of the round by the terminal."""
        return self.say("T", kind, after, round=self.number, **fields)

    def on(self, spot: Spot, kind: type[Any], cents: int, after: float = 0.5, **fields: Any) -> Any:
        """Report chips on a spot by the chip reader (or the camera, for what it reads)."""
        device = "V" if kind is e.StackSeen else "C"
        fields |= _whose(spot) | {"wager": spot[1]}
        return self.say(device, kind, after, round=self.number, cents=cents, **fields)

    def no_more_bets(self, wagers: Mapping[Any, int] | None = None) -> None:
        """Call "no more bets", at which the camera reads every stack."""
        self.tell(e.WagersClosed, after=3)
        for spot, cents in (wagers or {}).items():
            self.on(spot, e.StackSeen, cents, after=0.1)

    def deal(self, cards: str) -> None:
        """Deal cards, each seen by both readers."""
        for each in cards.split():
            hand = {"P": "player", "B": "banker"}[each[0]]
            self.places[hand] += 1
            place = self.places[hand]
            self.say("S", e.CardDrawn, 1.5, round=self.number, hand=hand, card=each[1:])
            self.say("V", e.CardSeen, 0.3, round=self.number, hand=hand, place=place, card=each[1:])

    def announce(self, outcome: str) -> None:
        """Announce the result."""
        self.tell(e.OutcomeAnnounced, after=2, outcome=outcome)

    def settle(
        self, gains: Mapping[Any, int], vigorish: Mapping[Any, int] | None = None, *, marked: bool = False
    ) -> None:
        """Collect and pay the gains, and take or mark the vigorish; all in cents."""
        for spot, gain in gains.items():
            if gain:
                self.on(spot, e.ChipsPaid if gain > 0 else e.ChipsCollected, abs(gain))
                self.tray -= gain
        for spot, cents in (vigorish or {}).items():
            self.on(spot, e.VigorishMarked if marked else e.VigorishCollected, cents)
            self.tray += 0 if marked else cents

    def hand_over(self, spot: Spot, cents: int, after: float = 0.5) -> None:
        """Hand a House Money payout to its winner."""
        self.tell(e.PayoutHanded, after, **_whose(spot), cents=cents)
        self.tray -= cents

    def add_payout(self, spot: Spot, to: str, cents: int, after: float = 0.5, *, handed: int = 0) -> None:
        """Add a House Money payout to the winner's wager `to`, and hand over the rest."""
        self.tell(e.PayoutAdded, after, **_whose(spot), to=to, cents=cents, handed_cents=handed)
        self.tray -= cents + handed

    def adjust(self, spot: Spot, cents: int, vigorish: int = 0, number: str | None = None) -> None:
        """Adjust a settlement by so much of the gain, and of the vigorish."""
        fields = _whose(spot) | {"wager": spot[1], "cents": cents, "vigorish_cents": vigorish}
        self.say("T", e.SettlementAdjusted, round=number or self.number, **fields)
        self.tray += vigorish - cents

    def correct(self, mistaken: Any, instead: Any = None, number: str | None = None) -> None:
        """Correct a mistaken report."""
        self.say(
            "T", e.ReportCorrected, round=number or self.number, mistaken=e.id_of(mistaken), instead=instead
        )

    def count_tray(self) -> None:
        """Count by the tray reader."""
        self.say("I", e.InventoryCounted, round=self.number, cents=self.tray)

    def end(self) -> None:
        """Count the tray and close the round."""
        self.count_tray()
        self.tell(e.RoundClosed, after=1, heard=self.heard())
        self.now += 5

    def play(
        self,
        cards: str,
        wagers: Mapping[Any, int],
        announced: str,
        gains: Mapping[Any, int],
        vigorish: Mapping[Any, int] | None = None,
        *,
        marked: bool = False,
    ) -> str:
        """Play a round: cards as `P9s B5d ...`, wagers and gains in cents by spot; give its number."""
        number = self.begin(wagers)
        self.no_more_bets(wagers)
        self.deal(cards)
        self.announce(announced)
        self.settle(gains, vigorish, marked=marked)
        self.end()
        return number


def _whose(spot: Spot) -> dict[str, Any]:
    """Return the seat, and the person where several bet on it."""
    return {"seat": spot[0], "bettor": spot[2] if len(spot) > 2 else None}


def frame_of(events: Sequence[e.Event], number: int = 1) -> Frame:
    """Pack events into one frame, received when the last of them was reported."""
    return Frame(v=VERSION, table="BAC-1", frame=number, received=events[-1].at, events=list(events))
