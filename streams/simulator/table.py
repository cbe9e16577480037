"""A table in play: everything that changes while it plays, and the round that is open."""

from random import Random
from typing import Final

from msgspec import Struct, field

from schemas import events
from schemas.events import Reported
from streams.simulator.labels import ExpectedFinding, FaultLabel, Label
from streams.simulator.patrons import Patron
from streams.simulator.plan import Plan
from streams.simulator.script import Script
from streams.simulator.sessions import gaming_date
from streams.simulator.shoe import Shoe

Key = tuple[int, str | None, str, str | None]  # seat, bettor, wager, hand of a split

_LOW_TRAY: Final = 15_000_000
_OPENER: Final = 30_000_000


class Stake(Struct):
    """Wager: its owner, its chips, what was added to it, and how it was truly settled, in cents.

    `gain` and `vigorish` are as they stood when the round closed. `is_open` marks a wager whose money no
    text settles.
    """

    patron: Patron
    wager: str
    cents: int
    added: int = 0
    gain: int = 0
    vigorish: int = 0
    is_open: bool = False
    is_settled: bool = False
    hand: str | None = None

    @property
    def key(self) -> Key:
        """Seat, bettor, wager and hand."""
        return (self.patron.seat, self.patron.bettor, self.wager, self.hand)

    @property
    def total(self) -> int:
        """All chips on the spot, in cents."""
        return self.cents + self.added


class Made(Struct, frozen=True):
    """A dealer's fault as it was made: its kind and the subject of its first finding."""

    kind: str
    seat: int | None = None
    bettor: str | None = None
    wager: str | None = None
    who: str | None = None


class Round(Struct, kw_only=True):
    """The round that is open: its wagers, and the dealer's fault in it.

    `is_called_wrong` is true if a wrong result was announced because of that fault.
    """

    name: str
    shoe: str | None
    gaming_date: str
    stakes: dict[Key, Stake] = field(default_factory=dict)
    is_void: bool = False
    made: Made | None = None
    is_called_wrong: bool = False


class Table:
    """Table: its money, people, shoe and rules, the script of what happened and the labels of faults."""

    def __init__(self, plan: Plan, rng: Random, rates: dict[str, float], start: int) -> None:
        self.plan = plan
        self.rng = rng
        self.rates = rates
        self.ways = plan.ways
        self.later = plan.later
        self.rules = plan.rules
        self.script = Script(start, rng, plan.devices)
        self.labels: list[Label] = []
        self.patrons: list[Patron] = []
        self.owed: dict[tuple[int, str | None], int] = {}
        self.opener = _OPENER
        self.tray = _OPENER
        self.box = 0
        self.tips = 0
        self.fills = 0
        self.carried_away = 0
        self.past: list[Round] = []
        self.is_staged = False
        self.due = plan.due
        self.shoe: Shoe
        self.crowd = 0
        self.calling: str | None = None

    def strikes(self, kind: str, current: Round | None = None) -> bool:
        """Return True if an opportunity for a fault is taken; a round has one dealer's fault at most."""
        if current is not None and (current.made is not None or self.is_staged):
            return False
        if self.due is not None and self.due.kind == kind and self.due.at <= self.script.now:
            self.due = None
            return True
        rate = self.rates[kind]
        return bool(rate) and self.rng.random() < rate

    def buys_in(self, patron: Patron, round_name: str | None = None) -> None:
        """Make a patron change cash into chips."""
        cents = patron.buy_in()
        patron.chips += cents
        self.tray -= cents
        self.box += cents
        self.script.tell(events.ChipsBought, seat=patron.seat, cents=cents, round=round_name)

    def fill_if_low(self) -> None:
        """Move chips from the cage if the table inventory runs low."""
        if self.tray < _LOW_TRAY:
            cents = (_OPENER - self.tray) // 100_000 * 100_000
            self.tray += cents
            self.fills += cents
            slip = f"F-{self.plan.number}-{self.script.now // 1_000_000 % 86400:05}"
            self.script.tell(events.FillReceived, slip=slip, cents=cents)
            self.script.wait(4000, 9000)

    def open_round(self, current: Round) -> None:
        """Open a round: it is keyed, and the tray is counted before any chip moves."""
        for patron in self.patrons:
            patron.rounds_left -= 1
        self.script.tell(events.RoundOpened, round=current.name, shoe=current.shoe, rules=self.rules)
        self.script.wait(150, 350)
        self.count_tray(current.name)
        self.script.wait(300, 600)

    def close_round(self, current: Round) -> None:
        """Close a round that is settled: the tray is counted again, and the round is one of the past."""
        self.script.wait(1500, 3000)
        self.count_tray(current.name)
        self.script.wait(500, 1200)
        self.script.tell(events.RoundClosed, round=current.name)
        self.past.append(current)

    def tell(self, kind: type[Reported], current: Round, stake: Stake, cents: int) -> None:
        """Report what happens to a stake's chips: they are placed, seen, paid, collected and so on."""
        seat, bettor, wager, hand = stake.key
        self.script.tell(
            kind, round=current.name, seat=seat, wager=wager, cents=cents, bettor=bettor, hand=hand
        )

    def lay_open(self, current: Round, hand: str, card: str) -> None:
        """Show a card; label one that the decks do not hold that often: each is a finding of its own."""
        if self.shoe.show(card):
            self.labels.append(
                FaultLabel(
                    fault="foreign_card",
                    table=self.plan.name,
                    gaming_date=current.gaming_date,
                    round=current.name,
                    shoe=self.shoe.name,
                    primary=ExpectedFinding(check="card_not_in_deck", round=current.name, who=hand),
                    follows=[],
                    delta_cents=None,
                )
            )

    def count_tray(self, round_name: str) -> None:
        """Make the tray reader count the table inventory."""
        self.script.tell(events.InventoryCounted, cents=self.tray, round=round_name)

    def gaming_date(self) -> str:
        """Return the gaming date of now."""
        return str(gaming_date(self.script.now))
