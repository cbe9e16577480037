"""Theoretical win: what stakes earn the house on average, by the proven advantage of each wager.

`advantages.json` beside this file has the results of every game's proof by `replay.cli.prove`. A figure is
only used for the text, the decks and the options that it was proven for; anything else is unknown. A side
wager by a pay table of the house is counted when it is first met. Figures are of chips only, per unit first
staked: what a coupon adds and how a house rounds vigorish are left out.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil, floor, isqrt
from pathlib import Path
from typing import Any, Final, Self

import msgspec
from msgspec import Struct

from projections.engine.games import side_wager_proof
from projections.engine.observation import Key
from schemas.rulebook import Rulebook

FILE: Final = Path(__file__).with_name("advantages.json")

_SPAN: Final = Fraction(196, 100)  # standard deviations to either side that hold 95% of a normal distribution
_FINE: Final = 10**9  # to what part of a unit a root is computed


class Advantage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Advantage of one wager per unit first staked, under one text and one choice of the house.

    `options` are the choices that affect it; other choices do not change it. `digest` is that of the rules it
    was proven by (`rules_digest`), `text` the first day of these rules. `error` bounds what a simulation
    leaves open of `house_advantage`, and is 0 if it is exact. `variance` is that of the player's gain, `most`
    the most that a unit gains, if that is proven. `counts_in` are the wagers made in play that are part of
    it, `unless` the words of the play with which the wager earns something else. `beside` has the covariance
    of the player's gains on a unit staked on this wager and a unit on another, both of one round, for others
    that depend only on these choices: below zero if one wins what the other loses. `terms` describes its
    other assumptions.
    """

    chapter: str
    wager: str
    text: date
    decks: int
    options: dict[str, Any]
    house_advantage: Fraction
    variance: Fraction
    most: Fraction | None = None
    method: str
    error: Fraction
    counts_in: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    beside: dict[str, Fraction] = {}
    terms: str | None = None
    digest: str


class FieldSums(Struct, frozen=True, kw_only=True):
    """Figures that are added field by field, as those of other rounds are independent of them."""

    def __add__(self, other: Self) -> Self:
        """Add other figures."""
        return type(self)(
            **{name: getattr(self, name) + getattr(other, name) for name in self.__struct_fields__}
        )


class Expected(FieldSums, frozen=True, kw_only=True):
    """Average earnings of the house on some stakes, in cents.

    `win_cents` is the sum of each stake times its advantage, `variance` at most that of the sum, in square
    cents, `error_cents` at most what simulations leave open. `known_cents` were staked on wagers whose
    advantage is known, `unknown_cents` on `unknown_wagers` others, which are not in the sums.
    """

    win_cents: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    error_cents: Fraction = Fraction(0)
    known_cents: int = 0
    unknown_cents: int = 0
    unknown_wagers: int = 0

    def interval(self) -> tuple[int, int]:
        """Return the cents between which the win is 95 times in 100 or more, if it is distributed normally.

        >>> Expected(win_cents=Fraction(1000), variance=Fraction(250_000)).interval()
        (20, 1980)
        """
        reach = _SPAN * _root(self.variance) + self.error_cents
        return floor(self.win_cents - reach), ceil(self.win_cents + reach)


@lru_cache(maxsize=4096)
def advantage_of(book: Rulebook, wager: str) -> Advantage | None:
    """Return what a wager against the house earns it under a rulebook; None if that is not known.

    Unknown are wagers that no text and no pay table of the house settles, pay tables whose deals cannot be
    counted, and choices of the house for which nothing was proven. Whether a word of the play makes it
    another wager (`unless`) must be checked by the caller, as `expected` does.
    """
    if book.wager_law(wager) is None:
        return _of_side_wager(book, wager)
    for each in _advantages(rules_digest(book)).get((wager, book.decks), ()):
        if all(book.options[name] == value for name, value in each.options.items()):
            return each
    return None


_counted: Final[dict[tuple[str, str], Advantage | None]] = {}


def _of_side_wager(book: Rulebook, wager: str) -> Advantage | None:
    """Return the advantage of a side wager by the house's pay table, counted once for rulebooks that are one.

    Nothing of how it comes out beside another wager is known.
    """
    if book.side_lines(wager) is None:
        return None
    key = (book.digest, wager)
    if key not in _counted:
        found = side_wager_proof.proven(book, wager)
        _counted[key] = (
            None
            if found is None
            else Advantage(
                chapter=book.chapter,
                wager=wager,
                text=book.since,
                decks=book.decks,
                options={},
                house_advantage=found.house_advantage,
                variance=found.variance,
                most=found.most,
                method=found.method,
                error=Fraction(0),
                digest=rules_digest(book),
            )
        )
    return _counted[key]


def left_out(book: Rulebook, stakes: Iterable[Key], play: Iterable[tuple[str, str]]) -> frozenset[Key]:
    """Return the stakes of one round whose earnings are unknown, by the wagers and who did what.

    What was staked in play, on doubles and split hands, goes with the wager that it is part of.
    """
    keys = set(stakes)
    proven = {name: advantage_of(book, name) for name in {key.wager for key in keys}}
    acts = {what for _, what in play}
    in_play = {name for each in proven.values() if each is not None for name in each.counts_in}
    unknown = {
        name for name, each in proven.items() if each is None or not acts.isdisjoint(each.unless)
    } - in_play
    return frozenset(key for key in keys if key.wager in unknown)


def expected(book: Rulebook, stakes: Mapping[Key, int], play: Collection[tuple[str, str]]) -> Expected:
    """Return what the stakes of one round earn the house on average: cents by wager, and who did what.

    Stakes that were made in play, on doubles and split hands, are counted with the first one: its advantage
    includes their money. Wagers of a round depend on the same cards. One wager on several seats is one stake.
    Two wagers have the covariance that was proven, or, if none was, the most that it can be. Rounds that were
    called void earn nothing, and must not be given.
    """
    out = left_out(book, stakes, play)
    staked: dict[str, tuple[int, Advantage]] = {}
    for key, cents in stakes.items():
        advantage = advantage_of(book, key.wager) if key not in out else None
        if advantage is not None and (key.hand is None or not advantage.counts_in):
            before, _ = staked.get(key.wager, (0, advantage))
            staked[key.wager] = (before + cents, advantage)
    return Expected(
        win_cents=sum((cents * each.house_advantage for cents, each in staked.values()), Fraction(0)),
        variance=_variance(list(staked.values())),
        error_cents=sum((cents * each.error for cents, each in staked.values()), Fraction(0)),
        known_cents=sum(cents for cents, _ in staked.values()),
        unknown_cents=sum(stakes[key] for key in out),
        unknown_wagers=len(out),
    )


def _variance(staked: Sequence[tuple[int, Advantage]]) -> Fraction:
    """Return the variance of all that a round's stakes bring, never too little."""
    found = Fraction(0)
    for place, (cents, each) in enumerate(staked):
        found += cents * cents * _fine(each.variance)
        found += sum((2 * cents * other * _together(each, one) for other, one in staked[:place]), Fraction(0))
    return found


def _together(one: Advantage, other: Advantage) -> Fraction:
    """Return the covariance of two wagers of a round as it was proven, or the most that it can be."""
    proven = one.beside.get(other.wager, other.beside.get(one.wager))
    return _fine(proven) if proven is not None else _root(one.variance) * _root(other.variance)


@lru_cache(maxsize=1024)
def _fine(exact: Fraction) -> Fraction:
    """Round a figure up to a billionth, so that sums of many rounds stay short.

    >>> _fine(Fraction(1, 3)), _fine(Fraction(-2, 3))
    (Fraction(166666667, 500000000), Fraction(-333333333, 500000000))
    """
    return Fraction(ceil(exact * _FINE), _FINE)


@lru_cache(maxsize=1024)
def _root(square: Fraction) -> Fraction:
    """Return a square root, to a billionth, rounded up.

    >>> _root(Fraction(9, 4)), _root(Fraction(0))
    (Fraction(3, 2), Fraction(0, 1))
    """
    parts = -(-square.numerator * _FINE * _FINE // square.denominator)
    root = isqrt(parts)
    return Fraction(root if root * root == parts else root + 1, _FINE)


def rules_digest(book: Rulebook) -> str:
    """Return the rules of a rulebook apart from what the house chose: its text, figures and options' names.

    Where a figure of the law or an option is added or changed, what was proven before has another name.
    """
    figures = {name: str(number.value) for name, number in sorted(book.numbers.items())}
    stated = f"{book.chapter} {book.since} {figures} {sorted(book.options)}"
    return hashlib.sha256(stated.encode()).hexdigest()[:16]


def load(text: bytes) -> list[Advantage]:
    """Read the rows of `advantages.json`."""
    return msgspec.json.decode(text, type=list[Advantage], dec_hook=_fraction)


def dump(rows: Iterable[Advantage]) -> bytes:
    """Write rows for `advantages.json`: sorted, one a line, fractions as text."""
    lines = (
        msgspec.json.encode(row, enc_hook=str, order="deterministic") for row in sorted(rows, key=_place)
    )
    return b"[\n" + b",\n".join(lines) + b"\n]\n"


def _place(row: Advantage) -> tuple[str, date, int, str, bytes]:
    chosen = msgspec.json.encode(row.options, order="deterministic")
    return row.chapter, row.text, row.decks, row.wager, chosen


def _fraction(_: type, value: Any) -> Fraction:
    return Fraction(value)


@cache
def _advantages(digest: str) -> Mapping[tuple[str, int], list[Advantage]]:
    """Return what was proven by some rules, by wager and decks."""
    advantages: dict[tuple[str, int], list[Advantage]] = {}
    for each in _all():
        if each.digest == digest:
            advantages.setdefault((each.wager, each.decks), []).append(each)
    return advantages


@cache
def _all() -> list[Advantage]:
    return load(FILE.read_bytes())
