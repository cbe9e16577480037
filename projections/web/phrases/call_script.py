"""What is read to the floor over the telephone of a round: what to do at each seat, and then why.

Every wager that was not settled as the text has it is in it, however many there are. It goes by seat, as the
pit does: chips change hands there once, whatever the wagers and the findings are. Both sides stay apart, so
that a script says the same sums as the row of the queue.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from projections.casework.alerts.case_sums import Sum
from projections.views.wager_view import Spot
from projections.web.phrases.money_phrases import sums_in_words
from projections.web.records.record_views import Told
from schemas.values import dollars


class Correction(Struct, frozen=True):
    """What is to change hands at a seat, with one bettor: what is owed there, and what was overpaid.

    Cents, neither below zero. Seat 0 is the dealer, who bets where a patron banks.
    """

    seat: int
    bettor: str | None
    owed_cents: int
    overpaid_cents: int

    @property
    def net_cents(self) -> int:
        """What is to be paid; below zero what is to be taken back."""
        return self.owed_cents - self.overpaid_cents


class CallScript(Struct, frozen=True):
    """A round as it is read out: which it is, what to do at each seat, what that comes to, and why."""

    round: str
    acts: tuple[str, ...]
    sums: tuple[Sum, ...]
    why: str

    def says(self) -> str:
        """Say all of it; what it comes to where there is more than one thing to do.

        >>> CallScript("Round 4 at T-1, 20:15", (), (), "called void").says()
        'Round 4 at T-1, 20:15: called void.'
        >>> CallScript("Round 4 at T-1, 20:15", ("Seat 1: pay $5",), (), "called void").says()
        'Round 4 at T-1, 20:15. Seat 1: pay $5. Called void.'
        """
        if not self.acts:
            return f"{self.round}: {self.why}."
        total = [sums_in_words(self.sums)] if len(self.acts) > 1 else []
        return f"{'. '.join([self.round, *self.acts, *total])}. {self.reason}"

    @property
    def reason(self) -> str:
        """What came and why, as a sentence of its own."""
        return f"{self.why[:1].upper()}{self.why[1:]}."


def act_at(seat: int, there: Sequence[Correction]) -> str:
    """Return what to do at a seat: at once where it goes one way, else person by person.

    >>> act_at(1, [Correction(1, None, 126_100, 0)]), act_at(0, [Correction(0, None, 0, 5_350)])
    ('Seat 1: pay $1,261', 'Dealer: take back $53.50')
    >>> act_at(4, [Correction(4, None, 10_000, 2_500)])
    'Seat 4: pay $75 ($100 owed, $25 overpaid)'
    >>> act_at(1, [Correction(1, "A", 118_000, 0), Correction(1, "B", 8_100, 0)])
    'Seat 1: pay $1,261 (A $1,180, B $81)'
    >>> act_at(6, [Correction(6, "A", 9_000, 0), Correction(6, "B", 0, 12_000)])
    'Seat 6: pay A $90, take back $120 from B'
    """
    at = f"Seat {seat}" if seat else "Dealer"
    if len(there) == 1:
        (only,) = there
        both = only.owed_cents and only.overpaid_cents
        parts = f" ({_spoken(only.owed_cents)} owed, {_spoken(only.overpaid_cents)} overpaid)" if both else ""
        who = f" {only.bettor}" if only.bettor else ""
        return f"{at}{who}: {_act(only.net_cents)}{parts}"
    names = [each.bettor or "the player" for each in there]
    nets = [each.net_cents for each in there]
    if all(net > 0 for net in nets) or all(net < 0 for net in nets):
        each = ", ".join(f"{name} {_spoken(abs(net))}" for name, net in zip(names, nets, strict=True))
        return f"{at}: {_act(sum(nets))} ({each})"
    ways = (
        f"pay {name} {_spoken(net)}" if net > 0 else f"take back {_spoken(-net)} from {name}"
        for name, net in zip(names, nets, strict=True)
        if net
    )
    return f"{at}: {', '.join(ways) or _act(0)}"


def acts(told: Told) -> tuple[str, ...]:
    """Return what to do at each seat of a round, in their order."""
    by_seat = groupby(corrections(told), key=lambda each: each.seat)
    return tuple(act_at(seat, list(there)) for seat, there in by_seat)


def _act(net: int) -> str:
    return f"pay {_spoken(net)}" if net > 0 else f"take back {_spoken(-net)}" if net else "nothing to pay"


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
    """Return by how many cents more than the text has it a wager brought its bettor, vigorish and all."""
    gain, vigorish = spot.against_the_rule
    return gain - vigorish


def spots_of(told: Told) -> Iterable[Spot]:
    """Return the wagers of a round, place by place."""
    return (spot for place in told.places for spot in place.wagers)


def _wrong(told: Told) -> Iterator[tuple[Spot, int]]:
    return ((spot, net_of(spot)) for spot in spots_of(told) if net_of(spot))


def _spoken(cents: int) -> str:
    return dollars(cents).removesuffix(".00")
