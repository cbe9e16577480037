"""Coupons at a table: who plays one under which wager, and how it is paid, collected and dropped, 603a.21.

One is only put under a main wager that then wins even money, loses, or is returned. It brings its value once,
whatever the house pays on a coupon elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from schemas import events
from streams.simulator.games import SCRIPTS
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.money.changes import Changes
from streams.simulator.money.programme import VALUES
from streams.simulator.money.till import Till
from streams.simulator.script import Happening
from streams.simulator.table import Made, Round, Stake

_MINUTE: Final = 60_000_000
_GIVEN: Final = 0.3  # of the known patrons who sit down
_MOST: Final = 3
_PLAYED: Final = 0.2  # of the wagers under which one may lie
_CHECKS: Final[Mapping[str, str]] = {
    "coupon_replayed": "coupon_reused",
    "coupon_counterfeit": "coupon_unknown",
    "coupon_expired": "coupon_expired",
    "coupon_dropped_without_play": "dropped_without_play",
}
_FAULTS: Final = tuple(_CHECKS)


class HeldCoupon(Struct, frozen=True):
    """A coupon in a patron's hands."""

    serial: str
    value: int


class Coupons:
    """The coupons in the hands of a table's patrons, by seat, and their places in the present round.

    `won` is what they brought, `used` those that are in the drop box, `tied` those that were played and kept.
    """

    def __init__(self, till: Till, changes: Changes) -> None:
        self.till, self.changes = till, changes
        self.programme = till.books.programme
        self.wager = SCRIPTS[till.plan.chapter].coupon_wager
        self.held: dict[int, list[HeldCoupon]] = {}
        self.won: dict[int, int] = {}
        self.used: list[HeldCoupon] = []
        self.tied: set[str] = set()

    def sit(self, seat: int, patron: str | None, at: int) -> None:
        """Make somebody sit down, with coupons or without."""
        self.held.pop(seat, None)
        self.won.pop(seat, None)
        till = self.till
        if patron is None or self.wager is None or till.rng.random() >= _GIVEN:
            return
        value = till.rng.choice(VALUES)
        self.held[seat] = [
            HeldCoupon(self.programme.hand(till.day, value, patron, at - _MINUTE), value)
            for _ in range(till.rng.randint(1, _MOST))
        ]

    def play(self, current: Round, places: range, happenings: Sequence[Happening]) -> None:
        """Make one patron play a coupon in a round in which nothing goes wrong, now and then."""
        if current.made is not None or current.is_void:
            return
        till = self.till
        chances = list(self._chances(current))
        if not chances or till.rng.random() >= _PLAYED:
            return
        stake, coupon = till.rng.choice(chances)
        spots = _Spots(current, stake, places, happenings)
        if coupon.value > stake.cents:
            if till.strikes("coupon_short_chips"):
                self._short(spots, coupon)
            return
        fault = till.one_of(_FAULTS)
        if fault == "coupon_dropped_without_play" and coupon.serial not in self.tied:
            self._drop_unplayed(spots, coupon)
            return
        laid = self._laid(fault, coupon, stake)
        if laid is None:
            return
        self._lay(spots, laid)
        self._settle(spots, laid, is_proper=laid is coupon)

    def _chances(self, current: Round) -> Iterator[tuple[Stake, HeldCoupon]]:
        """Yield the wagers under which a coupon of their owner could be put."""
        for stake in current.stakes.values():
            seat, bettor, wager, hand = stake.key
            coupons = self.held.get(seat, ())
            if wager != self.wager or not coupons or bettor is not None or hand is not None:
                continue
            of_seat = [other for other in current.stakes.values() if other.patron.seat == seat]
            plain = all(other.hand is None and other.wager != "double_down" for other in of_seat)
            if plain and _is_even(stake):
                yield stake, coupons[0]

    def _laid(self, fault: str | None, coupon: HeldCoupon, stake: Stake) -> HeldCoupon | None:
        """Return the coupon that is played: the patron's own, or one that may not be redeemed; None for none.

        One that was in the box before is played again only if it is dropped again, so that the box shows it.
        """
        till = self.till
        if fault == "coupon_replayed":
            again = [each for each in self.used if each.value == coupon.value and stake.gain]
            laid = till.rng.choice(again) if again else None
        elif fault == "coupon_counterfeit":
            number = till.number("MP")[-4:]
            laid = HeldCoupon(f"MP{coupon.value // 100:03}-9{till.plan.number:03}{number}", coupon.value)
        elif fault == "coupon_expired":
            laid = HeldCoupon(self.programme.old(coupon.value), coupon.value)
        else:
            return coupon
        if laid is not None and fault is not None:
            till.label(fault, _CHECKS[fault], table="coupons", serial=laid.serial)
            self.used = [each for each in self.used if each is not laid]
        return laid

    def _lay(self, spots: "_Spots", coupon: HeldCoupon) -> None:
        stake = spots.stake
        fields = {
            "seat": stake.patron.seat,
            "wager": stake.wager,
            "cents": coupon.value,
            "coupon": coupon.serial,
        }
        self.changes.then(
            spots.last(events.ChipsPlaced), events.CouponPlaced, round=spots.current.name, **fields
        )

    def _settle(self, spots: "_Spots", coupon: HeldCoupon, *, is_proper: bool, counts: bool = True) -> None:
        """Pay the coupon with its wager, or collect it; put it into the drop box either way, except on a tie.

        Unless it `counts` it brings nothing.
        """
        stake, till = spots.stake, self.till
        if not stake.gain:
            self.tied.add(coupon.serial)
            return
        settled = spots.last(events.ChipsPaid if stake.gain > 0 else events.ChipsCollected)
        if counts and stake.gain > 0:
            self.changes.at(settled, cents=stake.gain + coupon.value)
            self.won[stake.patron.seat] = self.won.get(stake.patron.seat, 0) + coupon.value
        if is_proper:
            self.held[stake.patron.seat].remove(coupon)
            self.programme.day(till.day).redeemed.append(coupon.serial)
            if counts and till.strikes("coupon_not_dropped"):
                till.label("coupon_not_dropped", "coupon_not_dropped", table="coupons", serial=coupon.serial)
                return
            self.used.append(coupon)
        self.changes.then(settled, events.CouponDropped, round=spots.current.name, coupon=coupon.serial)

    def _drop_unplayed(self, spots: "_Spots", coupon: HeldCoupon) -> None:
        """Make a coupon go into the drop box that was under no wager."""
        self.held[spots.stake.patron.seat].remove(coupon)
        fault = "coupon_dropped_without_play"
        self.till.label(fault, _CHECKS[fault], table="coupons", serial=coupon.serial)
        self.changes.then(
            spots.closed(), events.CouponDropped, round=spots.current.name, coupon=coupon.serial
        )

    def _short(self, spots: "_Spots", coupon: HeldCoupon) -> None:
        """Place a coupon under chips of less than its value; the chips are settled without it."""
        current, stake = spots.current, spots.stake
        seat, _, wager, _ = stake.key
        current.made = Made("coupon_short_chips", seat, None, wager)
        self._lay(spots, coupon)
        self._settle(spots, coupon, is_proper=True, counts=False)
        self.till.labels.append(
            FaultLabel(
                fault=current.made.kind,
                table=self.till.plan.name,
                gaming_date=current.gaming_date,
                round=current.name,
                shoe=current.shoe,
                primary=ExpectedFinding(
                    check="coupon_over_chips", round=current.name, seat=seat, wager=wager
                ),
                follows=[ExpectedFinding(check="chips_below_coupon", table="coupons", serial=coupon.serial)],
                delta_cents=None,
            )
        )


class _Spots(Struct, frozen=True):
    """Place of a wager's chip movements among the acts of a round."""

    current: Round
    stake: Stake
    places: range
    happenings: Sequence[Happening]

    def last(self, kind: type[events.Reported]) -> int:
        """Return the place of the last thing of a kind that happened to the wager."""
        return next(
            place
            for place in reversed(self.places)
            if self.happenings[place].kind is kind and _spot(self.happenings[place]) == self.stake.key[:3]
        )

    def closed(self) -> int:
        """Return the place at which wagers were closed."""
        return next(place for place in self.places if self.happenings[place].kind is events.WagersClosed)


def _spot(each: Happening) -> tuple[int, str | None, str]:
    return each.fields["seat"], each.fields["bettor"], each.fields["wager"]


def _is_even(stake: Stake) -> bool:
    """Return True if a wager was settled at even money or returned, with nothing added."""
    even = (-stake.cents, 0, stake.cents)
    return not (stake.is_open or stake.added or stake.vigorish or not stake.cents) and stake.gain in even
