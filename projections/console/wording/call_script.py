"""What is read to the floor over the telephone of a round: what to do at each seat, and then why.

Every wager that was not settled as the text has it is in it, however many there are. It goes by seat, as the
pit does: chips change hands there once, whatever the wagers and the findings are. Both sides stay apart, so
that a script says the same sums as the row of the queue.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from projections.console.records.shown import Told
from projections.hand.spots import Spot
from projections.room.board.sums import Sum
from schemas.values import dollars


class Correction(Struct, frozen=True):
    """What is to change hands at a seat, with one bettor: what is owed there, and what was overpaid.

    Cents, neither below zero. Seat 0 is the dealer, who bets where a patron banks.
    """

    seat: int
    bettor: str | None
    owed_cents: int
    overpaid_cents: int

    def says(self) -> str:
        """Say what to do.

        >>> Correction(1, None, 126_100, 0).says(), Correction(3, "anna", 0, 5_350).says()
        ('Seat 1: pay $1,261', 'Seat 3 anna: take back $53.50')
        >>> Correction(4, None, 10_000, 2_500).says()
        'Seat 4: pay $75 ($100 owed, $25 overpaid)'
        """
        net = self.owed_cents - self.overpaid_cents
        act = f"pay {_spoken(net)}" if net > 0 else f"take back {_spoken(-net)}" if net else "nothing to pay"
        both = self.owed_cents and self.overpaid_cents
        parts = f" ({_spoken(self.owed_cents)} owed, {_spoken(self.overpaid_cents)} overpaid)"
        return f"{who_bets(self.seat, self.bettor)}: {act}{parts if both else ''}"


class CallScript(Struct, frozen=True):
    """A round as it is read out: which it is, what to do at each seat, what came and why."""

    round: str
    acts: tuple[str, ...]
    why: str

    def says(self) -> str:
        """Say all of it.

        >>> CallScript("Round 4 at T-1, 20:15", (), "called void").says()
        'Round 4 at T-1, 20:15: called void.'
        >>> CallScript("Round 4 at T-1, 20:15", ("Seat 1: pay $5",), "called void").says()
        'Round 4 at T-1, 20:15. Seat 1: pay $5. Called void.'
        """
        if not self.acts:
            return f"{self.round}: {self.why}."
        return f"{'. '.join([self.round, *self.acts])}. {self.reason}"

    @property
    def reason(self) -> str:
        """What came and why, as a sentence of its own."""
        return f"{self.why[:1].upper()}{self.why[1:]}."


def who_bets(seat: int, bettor: str | None) -> str:
    """Name who has a wager: by the seat, and by name or letter where several bet there.

    >>> who_bets(4, "anna"), who_bets(0, None)
    ('Seat 4 anna', 'Dealer')
    """
    return f"{f'Seat {seat}' if seat else 'Dealer'}{f' {bettor}' if bettor else ''}"


def corrections(told: Told) -> list[Correction]:
    """Return what is to change hands at each seat of a round, in their order; nothing where all is right."""
    found: dict[tuple[int, str | None], Correction] = {}
    for spot, cents in _wrong(told):
        at = spot.seat, spot.bettor
        known = found.get(at, Correction(*at, 0, 0))
        owed, overpaid = known.owed_cents + max(-cents, 0), known.overpaid_cents + max(cents, 0)
        found[at] = Correction(*at, owed, overpaid)
    return [found[at] for at in sorted(found, key=lambda at: (at[0], at[1] or ""))]


def hand_sums(told: Told) -> tuple[Sum, ...]:
    """Return what a round's wagers come to, each side apart, what is owed to patrons first."""
    wrong = [cents for _, cents in _wrong(told)]
    owed, overpaid = [-cents for cents in wrong if cents < 0], [cents for cents in wrong if cents > 0]
    sums = Sum("house", sum(owed), len(owed)), Sum("patron", sum(overpaid), len(overpaid))
    return tuple(each for each in sums if each.count)


def net_of(spot: Spot) -> int:
    """Give by how many cents more than the text has it a wager brought its bettor, vigorish and all."""
    gain, vigorish = spot.against_the_rule
    return gain - vigorish


def spots_of(told: Told) -> Iterable[Spot]:
    """Give the wagers of a round, place by place."""
    return (spot for place in told.places for spot in place.wagers)


def _wrong(told: Told) -> Iterator[tuple[Spot, int]]:
    return ((spot, net_of(spot)) for spot in spots_of(told) if net_of(spot))


def _spoken(cents: int) -> str:
    return dollars(cents).removesuffix(".00")
