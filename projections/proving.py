"""What the exact enumeration of a game says of one wager: the form that every game's proof answers in."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from msgspec import Struct

from schemas.rulebook import Rulebook

# Composes the rulebook of some options and a number of decks; None for as many as a silent record has.
BookOf: TypeAlias = Callable[[Mapping[str, Any], int | None], Rulebook]


class Proven(Struct, frozen=True, kw_only=True):
    """One wager under one choice of the house: on how many deals it wins, is returned and loses.

    `house_advantage` is what the house keeps of a unit staked, vigorish included, on average over all deals.
    `published` is the regulator's own figure, where the texts print one; `error` bounds what a simulation
    leaves open.
    """

    wager: str
    option: str | None
    decks: int
    win: int
    push: int
    lose: int
    house_advantage: Fraction
    published: str | None = None
    method: str = "exact"
    error: str = "0"


# A game's proof: every wager that its chapter knows, in the order in which the text names them.
Proof: TypeAlias = Callable[[BookOf, int | None], Iterator[Proven]]


class Reading(Struct, frozen=True, kw_only=True):
    """What one figure that the regulator published comes to under one reading of the text.

    `figure` names it, `published` is as it is printed, `option` the choice as `name=value`, `is_default`
    whether the software takes it unless told otherwise, `computed` the exact figure, `reproduces` whether it
    is the published one at the digits that are printed.
    """

    figure: str
    published: str
    option: str
    is_default: bool
    computed: Fraction
    reproduces: bool


# A game's published figures, each under every reading that bears on it.
Readings: TypeAlias = Callable[[BookOf, int | None], Iterator[Reading]]
