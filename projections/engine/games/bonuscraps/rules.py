"""Bonus Craps, Chapter 623a, as predicates: each function states one lettered clause."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from projections.engine.games.bonuscraps.play import NextRoll
from schemas.rulebook import Rulebook

Decided: TypeAlias = Literal["win", "lose"]

_WAGERS: Final = ("all_small", "all_or_nothing_at_all", "all_tall")


class Bonus(Struct, frozen=True):
    """A Bonus Craps wager: the numbers that it needs, its odds, and where either stands."""

    numbers: frozenset[int]
    odds: Fraction
    cite: str
    odds_cite: str


class Rules(Struct, frozen=True, eq=False):
    """Chapter 623a's figures together with a house's choices; the limits in cents.

    `others` are the wagers of Craps itself that the text names, and where.
    """

    wagers: dict[str, Bonus]
    others: dict[str, str]
    loser: int
    points: frozenset[int]
    any_come_out: bool
    removable: bool
    minimum: int
    maximum: int | None


@lru_cache(maxsize=256)
def rules_of(book: Rulebook) -> Rules:
    """Convert a rulebook of Chapter 623a to the form that the predicates use."""
    chosen = book.options
    return Rules(
        wagers={wager: _bonus(book, wager) for wager in _WAGERS},
        others={name: law.cite for name, law in book.wagers.items() if name not in _WAGERS},
        loser=book.number("loser").value,
        points=frozenset(book.number("points").value),
        any_come_out=chosen["bonus_craps_made"] == "any_come_out",
        removable=chosen["bonus_craps_removal"] == "allowed",
        minimum=chosen["minimum_wager_cents"],
        maximum=chosen["maximum_wager_cents"],
    )


def _bonus(book: Rulebook, wager: str) -> Bonus:
    needs, pays = book.number(f"{wager}_numbers"), f"{wager}_odds"
    return Bonus(frozenset(needs.value), book.odds(pays), needs.cite, book.number(pays).cite)


def decided(rules: Rules, wager: str, totals: Iterable[int]) -> Decided | None:
    """623a.3(a)(43), 623a.12(4)-(6): by the totals thrown since the wager was made; None if by none of them.

    The numbers come in any order, and a wager that has won is not lost to the 7 that follows.

    Raises:
        KeyError: it is no Bonus Craps wager.
    """
    lacking = set(rules.wagers[wager].numbers)
    for total in totals:
        if total == rules.loser:
            return "lose"
        lacking.discard(total)
        if not lacking:
            return "win"
    return None


def may_be_made(rules: Rules, next_roll: NextRoll) -> bool:
    """623a.12(1): before a new shooter's initial come out roll; 623a.3(a)(43): before the come out roll."""
    return next_roll.come_out if rules.any_come_out else next_roll.initial
