"""What patrons do with their money: who is known, who buys in against a Counter Check, who cashes out."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct, field

from schemas import events, ledgers
from schemas.events import Reported
from streams.simulator.money import people
from streams.simulator.money.till import Till
from streams.simulator.script import Happening

_MINUTE: Final = 60_000_000
_KNOWN: Final = 0.7  # of those who sit down
_BY_CHECK: Final = 0.08  # of what known patrons buy in
_BOOK: Final = 999  # the last number of a table's book


class Change(Struct):
    """What is otherwise about a thing that happened, and what happens right after it."""

    kind: type[Reported] | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    then: list[tuple[type[Reported], dict[str, Any]]] = field(default_factory=list)

    def of(self, each: Happening) -> Happening:
        """Give what happened as it is with the change."""
        return Happening(each.at, self.kind or each.kind, {**each.fields, **self.fields}, each.shoe)


def changes(till: Till) -> Mapping[int, Change]:
    """Go through a table's day once, and give the changes by the place of what happened."""
    found: dict[int, Change] = {}
    patrons = _Patrons(till, found)
    happenings = till.table.script.happenings
    for place, each in enumerate(happenings):
        patrons.see(place, each)
    patrons.sign_in(happenings[0].at, happenings[-1].at)
    return found


class _Patrons:
    """Who sits where, as far as they are known, and the table's book of Counter Checks."""

    def __init__(self, till: Till, found: dict[int, Change]) -> None:
        self.till, self.found = till, found
        self.names: dict[int, str] = {}
        self.first = till.carried.numbers.get("K", 0) + 1

    def see(self, place: int, each: Happening) -> None:
        """See one thing happen."""
        till, told = self.till, each.fields
        if each.kind is events.PlayerSeated:
            self.names.pop(told["seat"], None)
            if till.rng.random() < _KNOWN:
                self.names[told["seat"]] = till.number("P")
                self.found[place] = Change(fields={"patron": self.names[told["seat"]]})
        elif each.kind is events.ChipsBought:
            patron = self.names.get(told["seat"])
            if patron is not None and till.rng.random() < _BY_CHECK:
                self._take_check(place, each, patron)
        elif each.kind is events.ChipsColoredUp and told["cents"]:
            till.books.ledgers.enter(
                "cage",
                each.at + till.rng.randint(2, 9) * _MINUTE,
                ledgers.ChipsCashed,
                cents=told["cents"],
                patron=self.names.get(told["seat"]),
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
        self.found[place] = Change(kind=events.CounterCheckTaken, fields={"check": check})

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
