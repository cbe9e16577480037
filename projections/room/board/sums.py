"""What several alerts that are looked at together come to, by the side that they favour."""

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from projections.hand.findings import Side
from projections.room.work.alert import Alert


class Sum(Struct, frozen=True, gc=False):
    """The differences of `count` alerts that favour one side, or nobody's: `cents` in all, without a sign."""

    favours: Side | None
    cents: int
    count: int


def sums_of(alerts: Iterable[Alert], check: str) -> tuple[Sum, ...]:
    """Add up the differences that a check found, a sum for each side, the largest first.

    What other checks found is left out, as the same money may be in both; so is what differs by nothing.

    >>> from datetime import date
    >>> common = {"run": "r", "about": "a", "gaming_date": date(2025, 3, 1), "table": "T", "chapter": "631a",
    ...     "weight": "mismatch", "severity": "money", "message": ""}
    >>> found = ("pays", 4_000, "house"), ("pays", -2_500, "patron"), ("pays", 500, "house"), ("x", 9, None)
    >>> made = [Alert(id="1", check=of, delta_cents=by, favours=side, **common) for of, by, side in found]
    >>> [(each.favours, each.cents, each.count) for each in sums_of(made, "pays")]
    [('house', 4500, 2), ('patron', 2500, 1)]
    """
    by_side: defaultdict[Side | None, list[int]] = defaultdict(list)
    for alert in alerts:
        if alert.check == check and alert.delta_cents:
            by_side[alert.favours].append(abs(alert.delta_cents))
    sums = (Sum(side, sum(cents), len(cents)) for side, cents in by_side.items())
    return tuple(sorted(sums, key=lambda each: (-each.cents, each.favours or "")))
