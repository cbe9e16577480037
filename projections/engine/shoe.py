"""A dealing shoe by a table's events: its name and turn, its vigorish, what was not reported."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from msgspec import Struct, field

from projections.engine.observation import Gap

_GAPS_NOTED_AT_MOST: Final = 8


class Booked(Struct, frozen=True):
    """Vigorish put on a marker button, or collected and taken off it: negative cents.

    `round` is the one in which it happened; None between two rounds.
    """

    round: str | None
    cents: int


class VigorishAccount(Struct):
    """Vigorish of one person through a shoe as it was reported, in cents.

    `taken` was collected at the payout, `marked` put on a marker button, `collected` paid off it; `booked` is
    each of these two in order, since the person came to the seat.
    """

    taken: int = 0
    marked: int = 0
    collected: int = 0
    booked: tuple[Booked, ...] = ()

    @property
    def owed(self) -> int:
        """Return what the marker button still stands for."""
        return self.marked - self.collected

    def mark(self, cents: int, number: str | None) -> None:
        """Book what was put on the marker button in a round."""
        self.marked += cents
        self.booked += (Booked(number, cents),)

    def collect(self, cents: int, number: str | None) -> None:
        """Book what was collected and taken off the marker button, in the round of a number."""
        self.collected += cents
        self.booked += (Booked(number, -cents),)


class VigorishLedger(Struct):
    """A shoe's vigorish by person (`3`, `3/anna`), as it was reported."""

    people: dict[str, VigorishAccount] = field(default_factory=dict)

    def of(self, who: str) -> VigorishAccount:
        """Return a person's account."""
        return self.people.setdefault(who, VigorishAccount())

    def close(self, who: str) -> tuple[Booked, ...]:
        """Return what was booked for a person and end the account; the seat's next person begins again."""
        account = self.people.get(who)
        if account is None:
            return ()
        booked, account.booked = account.booked, ()
        return booked

    def copied(self) -> "VigorishLedger":
        """Copy it for a fold that may have to be done again."""
        return VigorishLedger(
            {
                who: VigorishAccount(each.taken, each.marked, each.collected, each.booked)
                for who, each in self.people.items()
            }
        )


class Lapse(Struct, frozen=True):
    """Vigorish that was still owed when it had to be paid: by whom, how much, and at which occasion.

    It is not `sure` if missing reports of the shoe could have changed the sum. The sum is what was `booked`,
    and `before`: the part of what was collected that paid for earlier lapses.
    """

    who: str
    cents: int
    occasion: str
    sure: bool
    booked: tuple[Booked, ...] = ()
    before: int = 0


class Shoe(Struct):
    """A dealing shoe by the table's events.

    `name` is empty until its loading or a round names it. `number` counts the table's shoes. `day` is the
    gaming date of its first round. `is_named` is false until a round's opening has named it. `turn`
    distinguishes it from earlier shoes of the same name since the table opened. `decks` is what was loaded,
    `burned` the cards that were burned and read since the last round, `face_down` how many were burned
    unread; `unknown` is what was not reported. `left` is how many cards were counted in it at its end, None
    before that, and `rest` which, None if they were not read.
    """

    name: str
    day: date | None = None
    is_named: bool = True
    turn: int = 1
    decks: int | None = None
    number: int = 0
    lapses: list[Lapse] = field(default_factory=list)
    unknown: list[Gap] = field(default_factory=list)
    vigorish: VigorishLedger = field(default_factory=VigorishLedger)
    burned: list[str] = field(default_factory=list)
    face_down: int = 0
    left: int | None = None
    rest: tuple[str, ...] | None = None

    def end(self, left: int | None, rest: tuple[str, ...] | None = None) -> None:
        """Note what was counted in the shoe as it ended; None if play from it goes on after all."""
        self.left, self.rest = left, rest

    def title(self) -> str:
        """Return the shoe's name, with its turn if there were earlier ones of the same name.

        >>> Shoe("A").title(), Shoe("A", turn=2).title()
        ('A', 'A (2)')
        """
        return self.name if self.turn == 1 else f"{self.name} ({self.turn})"

    def lack(self, gaps: Iterable[Gap]) -> None:
        """Note what was not reported."""
        note_gaps(self.unknown, gaps)

    def counts_all(self) -> bool:
        """Return True if everything about its vigorish was reported."""
        return all(gap.source not in ("chips", "terminal") for gap in self.unknown)

    def copied(self) -> "Shoe":
        """Copy it for a fold that may have to be done again."""
        return Shoe(
            self.name,
            self.day,
            self.is_named,
            self.turn,
            self.decks,
            self.number,
            list(self.lapses),
            list(self.unknown),
            self.vigorish.copied(),
            list(self.burned),
            self.face_down,
            self.left,
            self.rest,
        )


def note_gaps(noted: list[Gap], gaps: Iterable[Gap]) -> None:
    """Note what was not reported; the first few of each device are enough."""
    for gap in gaps:
        if sum(1 for each in noted if each.device == gap.device) < _GAPS_NOTED_AT_MOST:
            noted.append(gap)
