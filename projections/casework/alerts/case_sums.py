"""What several alerts that are looked at together come to: each wager once, each side apart."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import Final

from msgspec import Struct

from projections.casework.cases.alert import Alert
from projections.engine.findings import Side

_SIGN: Final[dict[Side | None, int]] = {"patron": 1, "house": -1}
_ORDER: Final[tuple[Side | None, ...]] = ("house", "patron", None)


class Sum(Struct, frozen=True, gc=False):
    """What `count` wagers, or findings of no wager, come to on one side: `cents` in all, without a sign.

    What favours the house is owed to patrons, what favours the patron was overpaid; of a difference that
    favours nobody, as one of a count, there is no side.
    """

    favours: Side | None
    cents: int
    count: int


def sums_of(alerts: Iterable[Alert]) -> tuple[Sum, ...]:
    """Return what alerts come to: a sum for each side, what is owed to patrons first.

    A wager counts once, by what its payment and its vigorish come to together, however many checks found
    it. What was put right, or is not proven, is owed by nobody and left out; so is what differs by nothing.

    >>> from datetime import date
    >>> common = {"run": "r", "about": "a", "gaming_date": date(2025, 3, 1), "table": "T", "chapter": "631a",
    ...     "weight": "mismatch", "severity": "money", "message": "", "seat": 1}
    >>> found = [("short", "tie", 4_000, "house"), ("over", "pair", 2_500, "patron"),
    ...     ("vigorish_wrong", "pair", 500, "house"), ("again", "tie", 4_000, "house")]
    >>> made = [Alert(id=of, check=of, wager=wager, net_cents=by, favours=side, **common)
    ...     for of, wager, by, side in found]
    >>> [(each.favours, each.cents, each.count) for each in sums_of(made)]
    [('house', 4000, 1), ('patron', 2000, 1)]
    """
    wagers: defaultdict[Hashable, dict[bool, int]] = defaultdict(dict)
    nobody: list[int] = []
    for alert in alerts:
        if alert.put_right or alert.weight != "mismatch":
            continue
        cents = abs(alert.comes_to_cents or 0)
        if alert.favours is None:
            nobody += [cents] * (cents > 0)
            continue
        parts, of_vigorish = wagers[alert.on], alert.check.startswith("vigorish")
        parts[of_vigorish] = max(parts.get(of_vigorish, 0), cents * _SIGN[alert.favours], key=abs)
    by_side: dict[Side | None, list[int]] = {"house": [], "patron": [], None: nobody}
    for parts in wagers.values():
        if net := sum(parts.values()):
            by_side["patron" if net > 0 else "house"].append(abs(net))
    return tuple(Sum(side, sum(by_side[side]), len(by_side[side])) for side in _ORDER if by_side[side])
