"""Result of a game's exact enumeration for one wager: the form of every game's proof."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from msgspec import Struct

from schemas.rulebook import Rulebook

# Composes the rulebook of some options and a number of decks; None for as many as a silent record has.
BookOf: TypeAlias = Callable[[Mapping[str, Any], int | None], Rulebook]


class Proven(Struct, frozen=True, kw_only=True):
    """Wager under one choice of the house: on how many deals it wins, is returned and loses.

    `house_advantage` is what the house keeps of a unit staked, vigorish included, on average over all deals.
    `variance` is that of the player's gain on a unit staked, vigorish included. `published` is the
    regulator's own figure, if the texts print one. `error` bounds what a simulation leaves open of the
    advantage; the variance is then the sample's. `most` is the most that a unit gains, if every deal was
    counted.

    `hangs_on` are the options that affect both figures, each with its value: the other options do not change
    them. `counts_in` are the wagers made in play whose money is counted as the wager's own, per unit first
    staked. `unless` are the words of the play with which the wager earns something else. `terms` describes in
    a few words what else the figures assume.
    """

    wager: str
    option: str | None
    decks: int
    win: int
    push: int
    lose: int
    house_advantage: Fraction
    variance: Fraction
    most: Fraction | None = None
    published: str | None = None
    method: str = "exact"
    error: str = "0"
    hangs_on: Mapping[str, Any] = {}
    counts_in: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    more_figures: Mapping[str, Fraction] = {}
    terms: str | None = None


def earned(gains: Mapping[int, int], stake: int) -> tuple[Fraction, Fraction]:
    """Return the house advantage and the variance of a wager of `stake` that gains so much in so many ways.

    >>> earned({1: 18, -1: 20}, stake=1)
    (Fraction(1, 19), Fraction(360, 361))
    """
    ways = sum(gains.values())
    mean = Fraction(sum(gain * times for gain, times in gains.items()), stake * ways)
    square = Fraction(sum(gain * gain * times for gain, times in gains.items()), stake * stake * ways)
    return -mean, square - mean * mean


def most_of(gains: Mapping[int, int], stake: int) -> Fraction:
    """Return the most that a unit staked gains in any of the ways that there are.

    >>> most_of({50: 1, 8: 0, -10: 20}, stake=10)
    Fraction(5, 1)
    """
    return Fraction(max(gain for gain, ways in gains.items() if ways), stake)


def counted(
    wager: str,
    gains: Mapping[int, int],
    stake: int,
    *,
    decks: int,
    option: str | None = None,
    hangs_on: Mapping[str, Any] = {},
    published: str | None = None,
    unless: tuple[str, ...] = (),
    terms: str | None = None,
) -> Proven:
    """Return the figures of a counted wager: `gains` has in how many ways a wager of `stake` gains how much.

    A gain is a win, and a gain of zero a return.
    """
    house_advantage, variance = earned(gains, stake)
    return Proven(
        wager=wager,
        option=option,
        decks=decks,
        win=sum(ways for gain, ways in gains.items() if gain > 0),
        push=gains.get(0, 0),
        lose=sum(ways for gain, ways in gains.items() if gain < 0),
        house_advantage=house_advantage,
        variance=variance,
        most=most_of(gains, stake),
        published=published,
        hangs_on=hangs_on,
        unless=unless,
        terms=terms,
    )


# A game's proof: every wager that its chapter knows, in the order in which the text names them.
Proof: TypeAlias = Callable[[BookOf, int | None], Iterator[Proven]]


class PublishedFigure(Struct, frozen=True, kw_only=True):
    """Value of one figure that the regulator published, under one reading of the text.

    `figure` is its name, `published` is as it is printed, `option` the choice as `name=value`. `is_default`
    is true if the software takes it by default. `computed` is the exact figure, and `reproduces` is true if
    it equals the published one at the printed digits.
    """

    figure: str
    published: str
    option: str
    is_default: bool
    computed: Fraction
    reproduces: bool


# A game's published figures, each under every reading that affects it.
Readings: TypeAlias = Callable[[BookOf, int | None], Iterator[PublishedFigure]]
