"""Coupons at a table: who plays one under which wager, and how it is paid, collected and dropped, 603a.21.

One lies only under a main wager that then wins even money, loses, or is returned: what it brings is its value
once, whatever the house pays on a coupon elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from schemas import events
from streams.simulator.money.changes import Changes
from streams.simulator.money.programme import VALUES
from streams.simulator.money.till import Till
from streams.simulator.script import Happening
from streams.simulator.table import Round, Stake

# The wagers by chapter that pay even money without vigorish.
_WAGERS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("631a", "541", "543", "545", "627a", "629a", "681a"), "player"),
    "551": "wager",
    "685a": "bet",
}
_MINUTE: Final = 60_000_000
_GIVEN: Final = 0.3  # of the known patrons who sit down
_MOST: Final = 3
_PLAYED: Final = 0.2  # of the wagers under which one may lie


class Held(Struct, frozen=True):
    """A coupon in a patron's hands."""

    serial: str
    value: int


class Coupons:
    """The coupons in the hands of a table's patrons, by seat, and where they lie in the round that is on."""

    def __init__(self, till: Till, changes: Changes) -> None:
        self.till, self.changes = till, changes
        self.wager = _WAGERS.get(till.plan.chapter)
        self.held: dict[int, list[Held]] = {}
        self.won: dict[int, int] = {}

    def sit(self, seat: int, patron: str | None, at: int) -> None:
        """Let somebody sit down, with coupons or without."""
        self.held.pop(seat, None)
        self.won.pop(seat, None)
        till = self.till
        if patron is None or self.wager is None or till.rng.random() >= _GIVEN:
            return
        value = till.rng.choice(VALUES)
        programme, day = till.books.programme, till.day
        self.held[seat] = [
            Held(programme.hand(day, value, patron, at - _MINUTE), value)
            for _ in range(till.rng.randint(1, _MOST))
        ]

    def play(self, current: Round, places: range, happenings: Sequence[Happening]) -> None:
        """Let one patron play a coupon in a round in which nothing goes wrong, now and then."""
        if current.made is not None or current.is_void:
            return
        chances = list(self._chances(current))
        if not chances or self.till.rng.random() >= _PLAYED:
            return
        stake, held = self.till.rng.choice(chances)
        placed = self._place_of(stake, places, happenings, events.ChipsPlaced)
        if placed is not None:
            self._lay(current, stake, held, placed)
            self._settle(current, stake, held, places, happenings)

    def _chances(self, current: Round) -> Iterator[tuple[Stake, Held]]:
        """Give the wagers under which a coupon of their owner may lie."""
        for stake in current.stakes.values():
            seat, bettor, wager, hand = stake.key
            held = self.held.get(seat, ())
            if wager != self.wager or not held or bettor is not None or hand is not None:
                continue
            of_seat = [other for other in current.stakes.values() if other.patron.seat == seat]
            plain = all(other.hand is None and other.wager != "double_down" for other in of_seat)
            if plain and _is_even(stake) and stake.cents >= held[0].value:
                yield stake, held[0]

    def _lay(self, current: Round, stake: Stake, held: Held, placed: int) -> None:
        told = {"seat": stake.patron.seat, "wager": stake.wager, "cents": held.value, "coupon": held.serial}
        self.changes.then(placed, events.CouponPlaced, round=current.name, **told)

    def _settle(
        self, current: Round, stake: Stake, held: Held, places: range, happenings: Sequence[Happening]
    ) -> None:
        """Pay the coupon with its wager, or collect it; put it into the drop box either way, but on a tie."""
        if not stake.gain:
            return
        kind = events.ChipsPaid if stake.gain > 0 else events.ChipsCollected
        settled = self._place_of(stake, places, happenings, kind)
        if settled is None:
            raise ValueError(f"{self.till.plan.name}, round {current.name}: {stake.key} is settled unseen")
        if stake.gain > 0:
            self.changes.at(settled, cents=stake.gain + held.value)
            self.won[stake.patron.seat] = self.won.get(stake.patron.seat, 0) + held.value
        self.changes.then(settled, events.CouponDropped, round=current.name, coupon=held.serial)
        self.held[stake.patron.seat].remove(held)
        self.till.books.programme.day(self.till.day).redeemed.append(held.serial)

    @staticmethod
    def _place_of(
        stake: Stake, places: range, happenings: Sequence[Happening], kind: type[events.Reported]
    ) -> int | None:
        """Find the last thing of a kind that happened to a wager in a round."""
        for place in reversed(places):
            each = happenings[place]
            if (
                each.kind is kind
                and (each.fields["seat"], each.fields["bettor"], each.fields["wager"]) == (stake.key[:3])
            ):
                return place
        return None


def _is_even(stake: Stake) -> bool:
    """Tell whether a wager was settled at even money or returned, without anything beside it."""
    return not (stake.is_open or stake.added or stake.vigorish) and stake.gain in (
        -stake.cents,
        0,
        stake.cents,
    )
