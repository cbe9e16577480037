"""The vigorish ledger of a shoe: what accrued, was taken, marked and collected, and by which rule."""

from msgspec import Struct, field

from projections.engine.adjudication import Vigorish
from schemas.values import dollars


class Booked(Struct, frozen=True):
    """Vigorish put on a marker button, or collected and taken off it: negative cents.

    `round` is that in which it was; None between two rounds.
    """

    round: str | None
    cents: int


class Owing(Struct):
    """One person's vigorish through a shoe, in cents.

    `accrued` is what the law takes by the house's choice, `rounding` how much of it rounding up added.
    `taken` was collected at the payout, `marked` put on a marker button, `collected` paid off it; `booked` is
    each of these two in order, since the person came to the seat.
    """

    accrued: int = 0
    rounding: int = 0
    taken: int = 0
    marked: int = 0
    collected: int = 0
    booked: tuple[Booked, ...] = ()

    @property
    def owed(self) -> int:
        """What the marker button still stands for."""
        return self.marked - self.collected

    def mark(self, cents: int, number: str | None) -> None:
        """Book what was put on the marker button, in the round of a number."""
        self.marked += cents
        self.booked += (Booked(number, cents),)

    def collect(self, cents: int, number: str | None) -> None:
        """Book what was collected and taken off the marker button, in the round of a number."""
        self.collected += cents
        self.booked += (Booked(number, -cents),)


class VigorishLedger(Struct):
    """A shoe's vigorish by person (`3`, `3/anna`), and the rules by which it was reckoned."""

    people: dict[str, Owing] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)

    def of(self, who: str) -> Owing:
        """Return a person's account."""
        return self.people.setdefault(who, Owing())

    def close(self, who: str) -> tuple[Booked, ...]:
        """Return what was booked for a person, with whom it ends: the seat's next begins anew."""
        account = self.people.get(who)
        if account is None:
            return ()
        booked, account.booked = account.booked, ()
        return booked

    def accrue(self, who: str, due: Vigorish) -> None:
        """Book what a win owes, and by which rule."""
        account = self.of(who)
        account.accrued += due.expected
        account.rounding += due.expected - due.exact
        rule = rule_of(due)
        if rule not in self.rules:
            self.rules.append(rule)

    def copied(self) -> "VigorishLedger":
        """Copy it for a fold that may have to be done again."""
        return VigorishLedger(
            {
                who: Owing(each.accrued, each.rounding, each.taken, each.marked, each.collected, each.booked)
                for who, each in self.people.items()
            },
            list(self.rules),
        )


def rule_of(due: Vigorish) -> str:
    """Return by which rule vigorish was reckoned.

    >>> from fractions import Fraction
    >>> rule_of(Vigorish(75, 52, 75, True, 1050, Fraction(1, 20), 25, "631a.13(c)"))
    '5% of what is won, rounded up to $0.25, 631a.13(c)'
    """
    way = f"rounded up to {dollars(due.unit)}" if due.expected != due.exact else "exact"
    if due.exact == due.rounded and not due.fraction:
        way = "exact, as nothing was to be rounded"
    return f"{due.rate * 100}% of what is {due.of}, {way}, {due.rounding_cite or due.cite}"
