"""What patrons do with their money: who is known, who buys in against a Counter Check, who cashes out."""

from typing import Final

from schemas import events, ledgers
from streams.simulator.money import people
from streams.simulator.money.changes import Changes
from streams.simulator.money.coupons import Coupons
from streams.simulator.money.till import Till
from streams.simulator.script import Happening

_MINUTE: Final = 60_000_000
_KNOWN: Final = 0.7  # of those who sit down
_BY_CHECK: Final = 0.08  # of what known patrons buy in
_BOOK: Final = 999  # the last number of a table's book


def changes(till: Till) -> Changes:
    """Go through a table's day once, and give what patrons did otherwise."""
    patrons = _Patrons(till)
    happenings = till.table.script.happenings
    for place, each in enumerate(happenings):
        patrons.see(place, each)
    patrons.sign_in(happenings[0].at, happenings[-1].at)
    return patrons.changes


class _Patrons:
    """Who sits where, as far as they are known, and the table's book of Counter Checks."""

    def __init__(self, till: Till) -> None:
        self.till, self.changes = till, Changes()
        self.coupons = Coupons(till, self.changes)
        self.names: dict[int, str] = {}
        self.opened = 0
        self.ordinal = 0
        self.first = till.carried.numbers.get("K", 0) + 1

    def see(self, place: int, each: Happening) -> None:
        """See one thing happen."""
        till, told = self.till, each.fields
        if each.kind is events.PlayerSeated:
            self._sit(place, each)
        elif each.kind is events.RoundOpened:
            self.opened = place
        elif each.kind is events.RoundClosed:
            happenings = till.table.script.happenings
            self.coupons.play(till.table.past[self.ordinal], range(self.opened, place), happenings)
            self.ordinal += 1
        elif each.kind is events.ChipsBought:
            patron = self.names.get(told["seat"])
            if patron is not None and till.rng.random() < _BY_CHECK:
                self._take_check(place, each, patron)
        elif each.kind is events.ChipsColoredUp:
            self._color_up(place, each)

    def _sit(self, place: int, each: Happening) -> None:
        seat = each.fields["seat"]
        self.names.pop(seat, None)
        if self.till.rng.random() < _KNOWN:
            self.names[seat] = self.till.number("P")
            self.changes.at(place, patron=self.names[seat])
        self.coupons.sit(seat, self.names.get(seat), each.at)

    def _color_up(self, place: int, each: Happening) -> None:
        """Let a patron take the chips to the cage, with those that coupons brought."""
        seat = each.fields["seat"]
        cents = each.fields["cents"] + self.coupons.won.pop(seat, 0)
        if not cents:
            return
        self.changes.at(place, cents=cents)
        self.till.books.ledgers.enter(
            "cage",
            each.at + self.till.rng.randint(2, 9) * _MINUTE,
            ledgers.ChipsCashed,
            cents=cents,
            patron=self.names.get(seat),
        )

    def _take_check(self, place: int, each: Happening, patron: str) -> None:
        """Let a patron sign a Counter Check in place of paying cash."""
        till, cents, check = self.till, each.fields["cents"], self.till.number("K")
        till.books.ledgers.enter(
            "counter_checks",
            each.at - 20_000_000,
            ledgers.CheckMade,
            check=check,
            table=till.plan.name,
            patron=patron,
            cents=cents,
            by=till.floorperson,
        )
        self.changes.at(place, events.CounterCheckTaken, check=check)

    def sign_in(self, opened: int, closed: int) -> None:
        """Sign the table's book out to table games before its opening, and in after its closing."""
        number, enter = self.till.plan.number, self.till.books.ledgers.enter
        used = self.till.carried.numbers.get("K", 0)
        first, then = (f"K-{number}-{ordinal:04}" for ordinal in (self.first, used + 1))
        enter(
            "counter_checks",
            opened,
            ledgers.BookSignedOut,
            book=f"KB-{number}",
            first=first,
            last=f"K-{number}-{_BOOK:04}",
            given_by=people.FINANCE,
            taken_by=people.TABLE_GAMES,
        )
        enter(
            "counter_checks",
            closed + 5 * _MINUTE,
            ledgers.BookSignedIn,
            book=f"KB-{number}",
            next=then,
            given_by=people.TABLE_GAMES,
            taken_by=people.FINANCE,
        )
