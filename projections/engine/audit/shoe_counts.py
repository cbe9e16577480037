"""Counts of a shoe's cards: what they prove of a card too many, a card too few, or decks too few.

A shoe is seldom dealt to its end, so most shoes prove nothing either way. Those that do bound the time of the
defect: it was present in a shoe that shows it, and absent in one that refutes it.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from projections.engine.audit.restitution import hands_of
from projections.engine.fold.corrections import DeviceEvents
from projections.engine.observation import Round
from schemas.codec import AnyEvent
from schemas.events import CardBurned, ShoeLoaded
from schemas.values import CARDS, is_certain

Tells: TypeAlias = Literal["shows", "refutes", "silent"]
DefectEffect: TypeAlias = Literal["affected", "possible", "untouched"]

_DECK: Final = 52
_REMEMBERED: Final = 48 * 3_600_000_000  # microseconds; no shoe is in play for two days
_CLOCKS: Final = 5_000_000  # microseconds; so far may a shoe's clock be ahead of the terminal's


class Load(Struct, frozen=True):
    """A shoe as it was loaded: the decks that its reader reported, the cards burned (None if face down)."""

    shoe: str
    at: int
    decks: int
    burned: tuple[str | None, ...] = ()


class Loads:
    """The loadings of a table's shoes: takes events as they come, and answers round by round, in order."""

    def __init__(self, reader: str | None) -> None:
        self._events = DeviceEvents(reader, (ShoeLoaded, CardBurned))

    def add_event(self, event: AnyEvent) -> None:
        """Add an event if it is about a shoe's loading; ignore others."""
        self._events.take(event)

    def of(self, observed: Round) -> Load | None:
        """Return the loading of the shoe that a round was dealt from; None if it was not reported."""
        self._events.forget(observed.at - _REMEMBERED)
        found: Load | None = None
        current: Load | None = None
        for event in self._events.events():
            if isinstance(event, ShoeLoaded):
                if event.at > observed.at + _CLOCKS:
                    break
                current = Load(event.shoe, event.at, event.decks)
            elif isinstance(event, CardBurned) and current is not None:
                current = Load(current.shoe, current.at, current.decks, (*current.burned, event.card))
            if current is not None and (observed.shoe or "").partition(" (")[0] == current.shoe:
                found = current
        return found


class ShoeCount(Struct):
    """A shoe's cards as far as they were seen: how often each, how many unread, and whether it ran empty.

    `decks_expected` is how many decks it should have held. It is not `is_complete` if the cards of a round
    are in doubt.
    """

    title: str
    load: Load | None
    decks_expected: int
    first: str
    last: str = ""
    rounds: int = 0
    hands: int = 0
    cards: dict[str, int] = field(default_factory=dict)
    unread: int = 0
    is_complete: bool = True
    exhausted: bool = False
    reached: dict[tuple[str, int], str] = field(default_factory=dict)

    def count_round(self, observed: Round) -> None:
        """Count a round's cards."""
        self.last = observed.number
        self.rounds += 1
        self.hands += hands_of(observed.wagers)
        self.exhausted = self.exhausted or observed.exhausted
        self.is_complete = self.is_complete and observed.cards_known
        for _, card in observed.play:
            if card in CARDS:
                self._count(card, observed.number)

    def burn(self) -> None:
        """Count the cards that were burned as it was loaded."""
        for card in self.load.burned if self.load is not None else ():
            self._count(card or "??", "")

    def _count(self, card: str, number: str) -> None:
        if not is_certain(card):
            self.unread += 1
            return
        self.cards[card] = times = self.cards.get(card, 0) + 1
        if times > self.decks_expected:
            self.reached.setdefault((card, times), number)

    @property
    def dealt(self) -> int:
        """Return how many cards left it."""
        return sum(self.cards.values()) + self.unread

    @property
    def emptied(self) -> bool:
        """Return True if it ran empty and all its cards were reported."""
        return self.exhausted and self.is_complete and self.load is not None


class ExtraCard(Struct, frozen=True):
    """Surplus card of a kind: one more than the decks hold."""

    card: str

    def tells(self, shoe: ShoeCount) -> tuple[Tells, str]:
        """Return whether a shoe shows or refutes the defect, and why."""
        times = shoe.cards.get(self.card, 0)
        if times > shoe.decks_expected:
            number = shoe.reached[self.card, shoe.decks_expected + 1]
            when = f"by round {number}" if number else "as the shoe was burned"
            capacity = f"{shoe.decks_expected} decks hold it {shoe.decks_expected} times"
            return (
                "shows",
                f"{self.card} had left the shoe {shoe.decks_expected + 1} times {when}; {capacity}",
            )
        if shoe.emptied and times + shoe.unread <= shoe.decks_expected:
            return "refutes", f"the shoe ran empty with {self.card} seen {times} times"
        return "silent", f"{self.card} was seen {times} times of {shoe.decks_expected}"


class MissingCard(Struct, frozen=True):
    """Missing card of a kind: one less than the decks hold."""

    card: str

    def tells(self, shoe: ShoeCount) -> tuple[Tells, str]:
        """Return whether a shoe shows or refutes the defect, and why."""
        times = shoe.cards.get(self.card, 0)
        if times >= shoe.decks_expected:
            return "refutes", f"{self.card} was seen {times} times: none was missing"
        if shoe.emptied and times + shoe.unread < shoe.decks_expected:
            text = f"the shoe ran empty with {self.card} seen {times} times of {shoe.decks_expected}"
            return "shows", f"{text}, if no burned card's report was lost"
        return (
            "silent",
            f"{self.card} was seen {times} times of {shoe.decks_expected}, not all cards were seen",
        )


class WrongDeckCount(Struct, frozen=True):
    """Another number of decks than the rules ask for."""

    decks: int

    def tells(self, shoe: ShoeCount) -> tuple[Tells, str]:
        """Return whether a shoe shows or refutes the defect, and why."""
        often = {card: times for card, times in shoe.cards.items() if times > self.decks}
        if often:
            card = min(often)
            return "refutes", f"{card} was seen {often[card]} times, which {self.decks} decks do not hold"
        if shoe.load is not None and shoe.load.decks == self.decks:
            return (
                "shows",
                f"loaded with {self.decks} decks by its own reader, {shoe.decks_expected} asked for",
            )
        if shoe.emptied and shoe.dealt <= self.decks * _DECK:
            return "shows", f"it ran empty after {shoe.dealt} cards"
        return "silent", f"no card was seen more than {max(shoe.cards.values(), default=0)} times"


Defect: TypeAlias = ExtraCard | MissingCard | WrongDeckCount


def standings(evidence: Sequence[Tells]) -> list[DefectEffect]:
    """Return for each shoe in order whether the defect affected it.

    Between two shoes that show it, with none between that refutes it, it was there all the time. Before the
    first and after the last it may have been, up to a shoe that refutes it.

    >>> standings(["silent", "refutes", "silent", "shows", "silent", "shows", "silent"])
    ['untouched', 'untouched', 'possible', 'affected', 'affected', 'affected', 'possible']
    """
    found: list[DefectEffect] = []
    stretch: list[Tells] = []
    for each in (*evidence, "refutes"):
        if each != "refutes":
            stretch.append(each)
            continue
        shows = [place for place, tells in enumerate(stretch) if tells == "shows"]
        for place in range(len(stretch)):
            if not shows:
                found.append("untouched")
            else:
                found.append("affected" if shows[0] <= place <= shows[-1] else "possible")
        stretch.clear()
        found.append("untouched")
    return found[:-1]
