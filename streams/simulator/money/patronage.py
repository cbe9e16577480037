"""Patronage: who is known, who buys in against a Counter Check, who cashes out."""

from typing import Any, Final

from schemas import events, ledgers
from schemas.serials import serial_ranges
from streams.simulator.labels import ExpectedFinding
from streams.simulator.money import people
from streams.simulator.money.changes import Changes
from streams.simulator.money.coupons import Coupons
from streams.simulator.money.till import Till
from streams.simulator.script import Happening

_OF_PATRONS: Final = frozenset(
    (
        events.PlayerSeated,
        events.RoundOpened,
        events.RoundClosed,
        events.ChipsBought,
        events.ChipsColoredUp,
    )
)
_MINUTE: Final = 60_000_000
_NAMED_SHARE: Final = 0.7  # of those who sit down
_BY_CHECK: Final = 0.08  # of what known patrons buy in
_BOOK: Final = 9999  # the last number of a table's book
_OFF: Final = 10_000  # cents by which a check is made out wrongly
_FAULTS: Final = ("counter_check_unsigned", "counter_check_sum_wrong", "counter_check_missing_number")


def changes(till: Till) -> Changes:
    """Walk through a table's day once, and return what patrons did otherwise."""
    patrons = _Patrons(till)
    happenings = till.table.script.happenings
    for place, each in enumerate(happenings):
        if each.kind in _OF_PATRONS:
            patrons.see(place, each)
    patrons.sign(happenings[0].at, happenings[-1].at)
    return patrons.changes


class _Patrons:
    """Patrons of the seats, as far as they are known, and the table's book of Counter Checks."""

    def __init__(self, till: Till) -> None:
        self.till, self.changes = till, Changes()
        self.coupons = Coupons(till, self.changes)
        self.names: dict[int, str] = {}
        self.opened = 0
        self.ordinal = 0
        self.book = f"KB-{till.plan.number}"
        self.first = till.carried.numbers.get("K", 0) + 1
        self.made: list[str] = []
        self.lacks = False
        self.owing: dict[int, list[tuple[str, int]]] = {}

    def see(self, place: int, each: Happening) -> None:
        """Process one act."""
        till, fields = self.till, each.fields
        if each.kind is events.PlayerSeated:
            self._sit(place, each)
        elif each.kind is events.RoundOpened:
            self.opened = place
        elif each.kind is events.RoundClosed:
            happenings = till.table.script.happenings
            if self.ordinal == till.drop_before:
                self.coupons.used.clear()  # those are in another box by now
            self.coupons.play(till.table.past[self.ordinal], range(self.opened, place), happenings)
            self.ordinal += 1
        elif each.kind is events.ChipsBought:
            patron = self.names.get(fields["seat"])
            before = till.table.script.happenings[place - 1]
            is_spoken = before.fields.get("step") == "verbal_wager_confirmed"  # a spoken wager is of cash
            if patron is not None and not is_spoken and till.rng.random() < _BY_CHECK:
                self._take_check(place, each, patron)
        elif each.kind is events.ChipsColoredUp:
            self._color_up(place, each)

    def _sit(self, place: int, each: Happening) -> None:
        seat = each.fields["seat"]
        self.names.pop(seat, None)
        stated = each.fields.get("patron")
        if stated is not None:  # of a scheme: the same person every day, and no player of coupons
            self.names[seat] = stated
            self.coupons.sit(seat, None, each.at)
            return
        if self.till.rng.random() < _NAMED_SHARE:
            self.names[seat] = self.till.number("P")
            self.changes.at(place, patron=self.names[seat])
        self.coupons.sit(seat, self.names.get(seat), each.at)

    def _color_up(self, place: int, each: Happening) -> None:
        """Make a patron take the chips to the cage, with those from coupons."""
        seat = each.fields["seat"]
        self._redeem(seat, each.at)
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
        """Make a patron sign a Counter Check instead of paying cash."""
        till, taken = self.till, each.fields["cents"]
        fault = till.one_of(_FAULTS)
        if fault == "counter_check_missing_number":
            self._label(fault, "counter_check_number_missing", till.number("K"), who=self.book)
            self.lacks = True
        check, written = till.number("K"), taken
        self.made.append(check)
        if fault == "counter_check_unsigned":
            self._label(fault, fault, check)
        elif fault == "counter_check_sum_wrong":
            written += _OFF
            paper = ExpectedFinding(check="box_counter_checks_differ", table="count_room", serial=check)
            self._label(fault, "counter_check_sum_differs", check, delta=-_OFF, follows=[paper])
        till.books.ledgers.enter(
            "counter_checks",
            each.at - 20_000_000,
            ledgers.CheckMade,
            check=check,
            table=till.plan.name,
            patron=patron,
            cents=written,
            by=till.floorperson,
            signed=fault != "counter_check_unsigned",
        )
        self.changes.at(place, events.CounterCheckTaken, check=check)
        till.written[check] = written
        if fault is None:
            self.owing.setdefault(each.fields["seat"], []).append((check, taken))

    def _redeem(self, seat: int, at: int) -> None:
        """Make a patron who leaves redeem the Counter Checks of the visit, all or in part, or later."""
        rng = self.till.rng
        for check, cents in self.owing.pop(seat, ()):
            part = rng.choice((cents, cents, cents // 2, 0))
            if part:
                self.till.books.ledgers.enter(
                    "counter_checks", at + 10 * _MINUTE, ledgers.CheckRedeemed, check=check, cents=part
                )

    def sign(self, opened: int, closed: int) -> None:
        """Sign the table's book out to table games at its opening, and in after its closing."""
        till, enter = self.till, self.till.books.ledgers.enter
        first, then, last = (
            f"K-{till.plan.number}-{number:04}"
            for number in (self.first, till.carried.numbers.get("K", 0) + 1, _BOOK)
        )
        # Nobody checks the numbers of a book that was not signed out.
        if self.made and not self.lacks and till.strikes("counter_check_unsigned_out"):
            who = self.book if till.carried.book_known else None
            self._label(
                "counter_check_unsigned_out", "counter_check_book_not_out", serial_ranges(self.made), who=who
            )
        else:
            till.carried.book_known = True
            enter(
                "counter_checks",
                opened,
                ledgers.BookSignedOut,
                book=self.book,
                first=first,
                last=last,
                given_by=people.FINANCE,
                taken_by=people.TABLE_GAMES,
            )
        enter(
            "counter_checks",
            closed + 5 * _MINUTE,
            ledgers.BookSignedIn,
            book=self.book,
            next=then,
            given_by=people.TABLE_GAMES,
            taken_by=people.FINANCE,
        )

    def _label(self, fault: str, check: str, serial: str, **particulars: Any) -> None:
        self.till.label(fault, check, table="counter_checks", serial=serial, **particulars)
