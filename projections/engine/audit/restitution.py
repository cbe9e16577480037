"""Restitution: what money would have been otherwise, by wager, patron, dealer and table, and in total.

Every sum is the patron's: what a wager gained less the vigorish, in cents. A positive difference is owed to
the patron, a negative one was the house's.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from projections.engine.check_context import NOTHING_PAID
from projections.engine.observation import Key, Round

# Effect on a wager; docs/whatif.md and docs/incidents.md explain each.
Effect: TypeAlias = Literal[
    "changed",
    "unplayable",
    "plays_otherwise",
    "not_known",
    "same_cards",
    "not_derivable",
    "possible",
    "alone",
    "contradicted",
    "confirmed",
    "not_relied_on",
]
By: TypeAlias = Literal["patron", "dealer", "table", "total"]
_BYS: Final[Sequence[By]] = ("patron", "dealer", "table", "total")


class WagerDifference(Struct, frozen=True, kw_only=True):
    """Restitution of one wager: what it brought, what it should have brought, and why that may be unknown.

    `effect` is what happened to the wager, `reason` its description for a person. A sum that is None is not
    known.
    """

    key: Key
    effect: Effect
    stake: int = 0
    was: int | None = None
    becomes: int | None = None
    reason: str = ""

    @property
    def difference(self) -> int | None:
        """Return what the patron would have had beyond what was, in cents."""
        return self.becomes - self.was if self.becomes is not None and self.was is not None else None


class DifferenceSum(Struct, kw_only=True):
    """Wager differences added up: rounds and hands, the known money, the differences both ways.

    A hand is what one person wagers in one round; hands of a split are one. `to_patron` is the sum of the
    differences in the patron's favour, `to_house` of those in the house's, below zero. `was` and `reckoned`
    add up the known sums. Both are known of `known_wagers`.
    """

    rounds: int = 0
    hands: int = 0
    wagers: int = 0
    stake: int = 0
    was: int | None = None
    reckoned: int = 0
    to_patron: int = 0
    to_house: int = 0
    known_wagers: int = 0

    @property
    def becomes(self) -> int | None:
        """Return what the wagers would have come to; None if of any of them it is not known."""
        return self.reckoned if self.known_wagers and self.known_wagers == self.wagers else None

    @property
    def difference(self) -> int | None:
        """The net difference; None if of no wager it is known."""
        return self.to_patron + self.to_house if self.known_wagers else None

    def add(self, portions: Sequence[WagerDifference]) -> None:
        """Add shares of one round."""
        self.rounds += 1
        self.hands += hands_of(share.key for share in portions)
        self.wagers += len(portions)
        for share in portions:
            self.stake += share.stake
            if share.was is not None:
                self.was = (self.was or 0) + share.was
            if (difference := share.difference) is not None:
                self.known_wagers += 1
                self.reckoned += share.becomes or 0
                self.to_patron += max(difference, 0)
                self.to_house += min(difference, 0)


class DifferenceTally:
    """Adds rounds up, by patron, dealer, table and in all, and by what happened to the wagers."""

    def __init__(self) -> None:
        self._sums: dict[tuple[By, str, str], DifferenceSum] = {}

    def add(
        self,
        portions: Sequence[WagerDifference],
        names: Mapping[str, str],
        patrons: Mapping[Key, str | None],
        idle: Effect | None = None,
    ) -> None:
        """Add a round: its wagers, its dealer and table, and the patrons as far as they are known.

        Each line of each kind counts the round once for every effect, and again for all of them together. A
        round without wagers is counted under the effect `idle`, for no patron.
        """
        for by in _BYS:
            grouped: dict[tuple[str, str], list[WagerDifference]] = {}
            if not portions and by != "patron":
                grouped = {(names.get(by, ""), effect): [] for effect in ("", idle or "")}
            for share in portions:
                name = patrons.get(share.key) or "" if by == "patron" else names.get(by, "")
                for effect in ("", share.effect):
                    grouped.setdefault((name, effect), []).append(share)
            for (name, effect), some in grouped.items():
                self._sums.setdefault((by, name, effect), DifferenceSum()).add(some)

    def lines(self) -> Iterator[tuple[By, str, str, DifferenceSum]]:
        """Yield the sums in a fixed order: kind, name (empty if unknown), effect (empty for all), sum.

        If there is only one effect, its line is that of all.
        """
        for by in _BYS:
            ordered = sorted(key for key in self._sums if key[0] == by)
            effects = Counter(name for _, name, effect in ordered if effect)
            for kind, name, effect in ordered:
                if effect or effects[name] != 1:
                    yield kind, name, effect, self._sums[kind, name, effect]


def hands_of(keys: Iterable[Key]) -> int:
    """Count the persons who wager, by seat and name; the dealer is none.

    >>> hands_of([Key(1, None, "player", None), Key(1, None, "tie", None), Key(2, "anna", "tie", None)])
    2
    """
    return len({key.person for key in keys if key.seat != 0})


def net(gain: int | None, vigorish: int | None) -> int | None:
    """Return a gain less the vigorish; None if either is not known.

    >>> net(2000, 100), net(2000, None)
    (1900, None)
    """
    return gain - vigorish if gain is not None and vigorish is not None else None


def played(observed: Round, key: Key) -> int | None:
    """Return what a wager brought as it was played and corrected, in cents; None if that is not known."""
    if observed.paid is None or not observed.money_known or key in observed.wagers_in_doubt():
        return None
    return observed.paid.get(key, NOTHING_PAID).final_net_cents


def stake_of(observed: Round, key: Key) -> int:
    """Return the chips of a wager in cents; 0 if none were seen."""
    wager = observed.wagers.get(key)
    return wager.cents if wager is not None else 0
