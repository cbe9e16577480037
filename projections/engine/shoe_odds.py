"""Odds that a full and shuffled shoe keeps cards back, exactly, and from which card on to warn.

The cards seen of a shuffled shoe are a sample without replacement of its contents. A warning means that the
sample is rare: of `one_in` full shoes that are dealt to their last card at most one gives any warning. Each
question has a third of that: cards, ranks, and the number of decks.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final, NamedTuple

from projections.engine.pack import Pack

_QUESTIONS: Final = 3
_PRECISION: Final = 1_000_000_000_000


def chance_of_at_most(seen: int, drawn: int, copies: int, size: int) -> Fraction:
    """Return how likely at most `seen` of `copies` cards are among `drawn` of a shoe of `size` cards.

    >>> chance_of_at_most(0, 2, 4, 52)  # no ace in two cards of one deck: 48/52 x 47/51
    Fraction(188, 221)
    """
    ways = sum(
        comb(copies, count) * comb(size - copies, drawn - count) for count in range(min(seen, drawn) + 1)
    )
    return Fraction(ways, comb(size, drawn))


def chance_of_no_more(most: int, drawn: int, pack: Pack) -> Fraction:
    """Return how likely no kind of card comes more than `most` times among `drawn` of a pack.

    >>> chance_of_no_more(1, 2, Pack(2))  # two cards of two decks are not alike: 102/103
    Fraction(102, 103)
    """
    return Fraction(_ways_of_no_more(most, pack)[drawn], comb(pack.size, drawn))


def one_in(chance: Fraction) -> str:
    """Return a chance as one in so many.

    >>> one_in(Fraction(3, 40_000)), one_in(Fraction(1, 52**9))
    ('13,333', 'more than a million million')
    """
    times = chance.denominator // chance.numerator
    return f"{times:,}" if times <= _PRECISION else "more than a million million"


@cache
def _ways_of_no_more(most: int, pack: Pack) -> Sequence[int]:
    """Return for each number of cards in how many ways they can be drawn, no kind more than `most` times.

    That is the polynomial of one kind, raised to the number of kinds. Its coefficients are packed into one
    whole number, each in as many bits as the greatest of them can need.
    """
    width = pack.size
    of_a_kind = sum(comb(pack.decks, times) << (times * width) for times in range(most + 1))
    ways, mask = of_a_kind**pack.kinds, (1 << width) - 1
    return [(ways >> (drawn * width)) & mask for drawn in range(pack.size + 1)]


@cache
def levels_of_absence(copies: int, kinds: int, size: int, one_in: int) -> tuple[int, ...]:
    """Return from how many cards on it is a warning to have seen one of some kinds 0, 1, 2, … times.

    Half of a question's share belongs to a kind that was not seen at all, a quarter to one that was seen
    once, and so on. If it never is a warning the level is above the shoe's size.
    """
    levels: list[int] = []
    for seen in range(copies):
        share = Fraction(1, _QUESTIONS * one_in * kinds * 2 ** (seen + 1))
        levels.append(_first(seen, copies, size, share, levels[-1] if levels else 0))
    return tuple(levels)


def _first(seen: int, copies: int, size: int, share: Fraction, below: int) -> int:
    """Find the least number of cards, above `below`, at which seeing so few is rarer than `share`."""
    above = size + 1
    while above - below > 1:
        drawn = (above + below) // 2
        if chance_of_at_most(seen, drawn, copies, size) < share:
            above = drawn
        else:
            below = drawn
    return above


@cache
def levels_of_repeats(pack: Pack, one_in: int) -> tuple[int, ...]:
    """Return from how many cards on it is a warning that no kind came more than 0, 1, 2, … times."""
    share = Fraction(1, _QUESTIONS * one_in * max(1, pack.decks - 1))
    levels = [1]
    for most in range(1, pack.decks):
        ways = _ways_of_no_more(most, pack)
        drawn = (n for n in range(levels[-1], pack.size + 1) if ways[n] < share * comb(pack.size, n))
        levels.append(next(drawn, pack.size + 1))
    return tuple(levels)


class Levels(NamedTuple):
    """From how many cards on it is a warning to have seen a card, or a rank, so often, or none oftener."""

    cards: tuple[int, ...]
    ranks: tuple[int, ...]
    repeats: tuple[int, ...]


@cache
def levels_of(pack: Pack, one_in: int) -> Levels:
    """Return the levels of a pack's cards and ranks that stay away, and of its decks."""
    return Levels(
        levels_of_absence(pack.decks, pack.kinds, pack.size, one_in),
        levels_of_absence(pack.holds("A?"), len(pack.ranks), pack.size, one_in),
        levels_of_repeats(pack, one_in),
    )
