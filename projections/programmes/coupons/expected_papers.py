"""What the ledger says that marketing's form and finance's reconciliation should show.

A day begins and ends somewhere, and papers are filled in before or after it does: where two ways of counting
are both by the text, either is taken.
"""

from datetime import date
from functools import cached_property
from typing import Final

from msgspec import Struct

from projections.programmes.coupons.ledger import Ledger, Tally
from schemas.coupon_log import Reconciled

Serials = frozenset[str]

FIGURES: Final = ("given", "returned", "voided", "distributed", "redeemed")


class AtHand(Struct, dict=True):
    """Coupons that marketing had on a gaming day, and where they went.

    `new` came from finance, `carried` were kept from the day before; `unkept` are still there although nobody
    kept them, `later` are for a later day; `stray` were never issued.
    """

    new: Serials
    carried: Serials
    unkept: Serials
    later: Serials
    distributed: Serials
    distributed_today: Serials
    voided: Serials
    returned: Serials

    @cached_property
    def whole(self) -> Serials:
        """Return all that marketing had to distribute."""
        return self.new | self.carried

    @cached_property
    def to_distribute(self) -> list[Serials]:
        """Return the ways to count what there was to distribute."""
        beside: tuple[Serials, ...] = (frozenset(), self.later, self.unkept, self.later | self.unkept)
        return [self.whole | more for more in beside]

    @cached_property
    def received(self) -> list[Serials]:
        """Return the ways to count what came from finance: what was kept may be told with it or apart."""
        return [self.new, self.new | self.later, *self.to_distribute]

    @cached_property
    def given_out(self) -> list[Serials]:
        """Return the ways to count what patrons were given."""
        return [self.distributed, self.distributed & self.whole, self.distributed_today]

    @cached_property
    def remaining(self) -> list[Serials]:
        """Return the ways to count what remained: before or after it was returned."""
        gone = self.distributed | self.voided
        return [each - gone for each in self.to_distribute] + [
            each - gone - self.returned for each in self.to_distribute
        ]


def at_hand(ledger: Ledger, day: date, *, stale: bool = True, presumed: bool = True) -> AtHand:
    """Return what marketing had on a gaming day, by the time that it fills in its form.

    With `stale` what left it earlier and stands on no form yet is this day's; with `presumed` coupons were
    handed out that were played without.
    """
    left = {
        serial: each
        for serial, each in ledger.left.items()
        if (each.day == day or (stale and each.day < day)) and (presumed or not each.presumed)
    }
    sorts: dict[str, set[str]] = {"new": set(), "carried": set(), "unkept": set(), "later": set()}
    for serial in (*(serial for serial, _ in ledger.held("marketing")), *left):
        sort = _sort(ledger, serial, day, stale=stale)
        if sort is not None:
            sorts[sort].add(serial)
    gone = {
        how: frozenset(serial for serial, each in left.items() if each.how == how)
        for how in ("distributed", "voided", "returned")
    }
    gone["voided"] |= {serial for serial, on in ledger.voids.items() if on == day or (stale and on < day)}
    return AtHand(
        **{sort: frozenset(serials) for sort, serials in sorts.items()},
        **gone,
        distributed_today=frozenset(
            serial for serial, each in left.items() if (each.how, each.day) == ("distributed", day)
        ),
    )


def ways_at_hand(ledger: Ledger, day: date) -> list[AtHand]:
    """Return what marketing had, in each way in which it may be counted."""
    return [
        at_hand(ledger, day, stale=stale, presumed=presumed)
        for presumed in (True, False)
        for stale in (True, False)
    ]


def _sort(ledger: Ledger, serial: str, day: date, *, stale: bool) -> str | None:
    """Return how a coupon came to be in marketing's hands; None where it was never issued."""
    coupon = ledger.coupons[serial]
    if coupon.needed_for is None:
        return None
    if coupon.on_form is None and (stale or coupon.needed_for >= day):
        return "later" if coupon.needed_for > day and serial not in ledger.left else "new"
    since = coupon.on_form or coupon.needed_for
    return "carried" if coupon.kept_on is not None and coupon.kept_on >= since else "unkept"


def pending(ledger: Ledger, until: date | None = None) -> Tally:
    """Add up what awaits reconciliation, up to a gaming day or all of it."""
    added = Tally()
    for day, tally in ledger.tallies.items():
        if until is None or day <= until:
            for name in Tally.__struct_fields__:
                setattr(added, name, getattr(added, name) + getattr(tally, name))
    return added


def counts(ledger: Ledger, day: date) -> dict[str, set[int]]:
    """Return the numbers that a reconciliation for a day may show, by figure."""
    admitted: dict[str, set[int]] = {figure: set() for figure in FIGURES}
    for sums in (pending(ledger, day), pending(ledger)):
        admitted["given"] |= {sums.given}
        # What expired goes back, but not for reissuance; what is void comes back with it, but is void.
        back = {sums.returned, sums.returned - sums.returned_expired}
        admitted["returned"] |= back | {each + sums.returned_void for each in back}
        # What never left finance, or was back, may be told with the others or not.
        admitted["voided"] |= {sums.voided, sums.voided_issued}
        # What a provider mailed is kept for reconciliation too, 603a.20(q)(4).
        out = {sums.distributed, sums.distributed + sums.presumed_distributed}
        admitted["distributed"] |= {each + mailed for each in out for mailed in (0, sums.mailed)}
        admitted["redeemed"] |= {sums.redeemed, sums.redeemed - sums.redeemed_improperly}
    # With what was kept from the day before.
    at_hand = ledger.forms.get(day) or [len(way.whole) for way in ways_at_hand(ledger, day)]
    admitted["given"].update(at_hand)
    return admitted


def early(event: Reconciled, ledger: Ledger, day: date) -> list[str]:
    """Return the figures in which a reconciliation takes in what came after its gaming day."""
    by_day, everything = pending(ledger, day), pending(ledger)
    return [
        figure
        for figure in FIGURES
        if getattr(event, figure) == getattr(everything, figure) != getattr(by_day, figure)
    ]
