"""A sitting that is dealt from a shoe: its loading, its burn card, and each card as it is drawn and seen."""

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from schemas import events
from schemas.values import RANKS
from streams.simulator.plan import Plan
from streams.simulator.shoe import Shoe
from streams.simulator.shoe_breaches import Breach, breach, end_shoe, is_in_order
from streams.simulator.sitting import Sitting
from streams.simulator.table import Round


class Dealing(Sitting):
    """A game of cards. `ranks` are those that the decks hold, `longest` the cards that a round may need."""

    ranks: ClassVar[str] = RANKS
    longest: ClassVar[int]

    def __init__(self, plan: Plan, rng: Random, rates: Mapping[str, float], start: int) -> None:
        super().__init__(plan, rng, dict(rates), start)
        self.shoes = 0
        self.breach: Breach | None = None
        self.drawn = 0
        self.on_hand: dict[str, int] = {}
        self._load()

    def end_round(self, current: Round) -> None:
        """Collect the cards, and remove the cover card once it has come."""
        if not current.is_void:
            self.procedures.clear(current)
        self.procedures.end_round(current)

    def prepare(self) -> None:
        """Begin a new shoe once the cover card has come out."""
        shoe = self.table.shoe
        if shoe.cover_is_out or shoe.left < self.longest:
            self.script.wait(10_000, 20_000)
            self.end_source()
            self._load()
        self.drawn = 0
        self.on_hand = {}

    def end_source(self) -> None:
        """Count what is left in the shoe."""
        end_shoe(self.table, self.table.shoe, self.breach)

    def source(self) -> str:
        """Return the shoe."""
        return self.table.shoe.name

    def draw(self, current: Round, hand: str, *, place: int | None = None) -> str:
        """Deal a card to a hand; where the camera sees it, as the `place`-th of the hand."""
        self.script.wait(700, 1400)
        card = self._take()
        self.drawn += 1
        self.on_hand[hand] = self.on_hand.get(hand, 0) + 1
        self.script.tell(events.CardDrawn, round=current.name, hand=hand, card=card)
        self.script.wait(200, 400)
        place = place or self.on_hand[hand]
        self.script.tell(events.CardSeen, round=current.name, hand=hand, place=place, card=card)
        self.table.lay_open(current, hand, card)
        return card

    def discard(self, current: Round) -> str:
        """Move a card that was on no hand to the discard rack."""
        self.script.wait(700, 1400)
        card = self._take()
        self.script.tell(events.CardDiscarded, round=current.name, card=card)
        self.table.lay_open(current, "discard", card)
        return card

    def decide(self, current: Round, hand: str, decision: str) -> None:
        """Make a person or the dealer decide on a hand; the terminal keys it with the cards dealt so far."""
        self.script.wait(800, 2500)
        self.script.tell(
            events.HandDecided, round=current.name, hand=hand, decision=decision, drawn=self.drawn
        )

    def _take(self) -> str:
        card = self.table.shoe.draw()
        if card is None:
            raise ValueError(f"{self.table.shoe.name} ran out: a round may need more than {self.longest}")
        return card

    def _load(self) -> None:
        table = self.table
        before = table.shoe if self.shoes and is_in_order(self.breach) else None
        self.shoes += 1
        self.script.wait(100_000, 170_000)
        name = f"{table.plan.number}-{self.shoes:02}"
        table.shoe = Shoe(name, table.plan.decks or 0, self.rng, self.ranks)
        self.script.shoe = name
        if table.strikes("foreign_card"):
            table.shoe.slip_in(1)
            self.breach = Breach("foreign_card", table.gaming_date(), len(table.shoe.cards) + 1)
        else:
            self.breach = breach(table, table.shoe, before)
        self.procedures.prepare(table.shoe)
        self.script.tell(events.ShoeLoaded, shoe=name, decks=table.plan.decks)
        self.script.wait(1500, 3000)
        table.shoe.draw()
        table.shoe.read_from = table.shoe.drawn
        self.script.tell(events.CardBurned, card=None)
        self.script.wait(1500, 3000)
        self.script.tell(events.DevicesPolled)
