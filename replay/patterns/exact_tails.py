"""Tails of the binomial and the hypergeometric distribution, and intervals of counts, without floating point.

A tail is a ratio of two sums of terms. Each term follows from the one before it by a rational factor, and is
rounded down in one computation and up in another. So the tail is between two fractions that differ by less
than one part in 2^150. For a level of significance the upper one is used: nothing is called rarer than it is.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Final, TypeAlias

_ONE: Final = 1 << 200  # what the term at the tail's edge is taken for

# The factor from a term to the next, as numerator and denominator.
_Factor: TypeAlias = Callable[[int], tuple[int, int]]
Interval: TypeAlias = tuple[Fraction, Fraction]


def binomial_tail(at_least: int, trials: int, chance: Fraction) -> Fraction:
    """Return how likely so many successes or more are, rounded up in the far decimals.

    >>> binomial_tail(2, 4, Fraction(1, 4)) - Fraction(67, 256) < Fraction(1, 2**150)  # 1 - (81 + 108) / 256
    True
    >>> binomial_tail(0, 4, Fraction(1, 4)), binomial_tail(5, 4, Fraction(1, 4))
    (Fraction(1, 1), Fraction(0, 1))
    """
    if at_least <= 0:
        return Fraction(1)
    if at_least > trials or chance == 0:
        return Fraction(0)
    if chance == 1:
        return Fraction(1)
    return _tail(at_least, trials, chance.as_integer_ratio())[1]


def hypergeometric_pmf(drawn: int, marked: int, total: int) -> list[Fraction]:
    """Return how likely none, one, two and so on of the `drawn` are among the `marked` of a `total`; exact.

    >>> hypergeometric_pmf(2, marked=1, total=4)
    [Fraction(1, 2), Fraction(1, 2), Fraction(0, 1)]
    """
    all_ways = comb(total, drawn)
    return [
        Fraction(comb(marked, hits) * comb(total - marked, drawn - hits), all_ways)
        for hits in range(drawn + 1)
    ]


def hypergeometric_tail(at_least: int, drawn: int, marked: int, total: int) -> Fraction:
    """Return how likely so many or more of the `drawn` are among the `marked` of a `total`; exact.

    >>> hypergeometric_tail(3, drawn=3, marked=4, total=8)  # 4 of the 56 ways to draw three of eight
    Fraction(1, 14)
    """
    # Each term follows from the one before it, so that no binomial coefficient is computed again.
    least, most = max(0, drawn - (total - marked)), min(drawn, marked)
    if at_least <= least:
        return Fraction(1)
    if at_least > most:
        return Fraction(0)
    ways = term = comb(marked, at_least) * comb(total - marked, drawn - at_least)
    for hits in range(at_least, most):
        over = (marked - hits) * (drawn - hits)
        term = term * over // ((hits + 1) * (total - marked - drawn + hits + 1))
        ways += term
    return Fraction(ways, comb(total, drawn))


def clopper_pearson(count: int, trials: int, outside: Fraction, parts: int = 10**6) -> Interval:
    """Return the exact interval of Clopper and Pearson for a share that showed `count` times in `trials`.

    It misses the true share at most `outside` of the time, half of that on either side. Its ends are rounded
    outwards to whole `parts` of one.

    >>> low, high = clopper_pearson(1, 10, Fraction(5, 100), parts=10_000)
    >>> float(low), float(high)
    (0.0025, 0.4451)

    Raises:
        ValueError: there are no trials, or more were seen than there are.
    """
    if not 0 <= count <= trials or trials == 0:
        raise ValueError(f"{count} of {trials} have no share")
    half = outside / 2
    return _rare_up_to(count, trials, half, parts), 1 - _rare_up_to(trials - count, trials, half, parts)


def _rare_up_to(count: int, trials: int, half: Fraction, parts: int) -> Fraction:
    """Return the largest share, in whole parts of one, by which so many or more are still too rare.

    It is below the share that was seen, because the median of the expected number at that share is not below
    `count`. The search starts there in steps that double: far away the terms are huge numbers.
    """

    def is_rare(share: int) -> bool:
        return binomial_tail(count, trials, Fraction(share, parts)) <= half

    safe = open_end = -(-count * parts // trials)
    step = 1
    while safe and not (safe < open_end and is_rare(safe)):
        open_end, safe, step = safe, max(0, safe - step), 2 * step
    while open_end - safe > 1:
        middle = (safe + open_end) // 2
        if is_rare(middle):
            safe = middle
        else:
            open_end = middle
    return Fraction(safe, parts)


@lru_cache(maxsize=4096)
def _tail(at_least: int, trials: int, chance: tuple[int, int]) -> Interval:
    """Return two fractions that enclose the upper tail."""
    part, denominator = chance
    rest = denominator - part

    def upwards(number: int) -> tuple[int, int]:
        return (trials - number) * part, (number + 1) * rest

    def downwards(number: int) -> tuple[int, int]:
        return number * rest, (trials - number + 1) * part

    above = _sums(range(at_least, trials), upwards)
    below = _sums(range(at_least, 0, -1), downwards)
    least, most = _ONE + above[0], _ONE + above[1]
    return Fraction(least, least + below[1]), Fraction(most, most + below[0])


def _sums(numbers: Sequence[int], factor: _Factor) -> tuple[int, int]:
    """Return the sum of the terms that follow the first, rounded down and rounded up."""
    least = most = _ONE
    low = high = 0
    for place, number in enumerate(numbers):
        over, under = factor(number)
        least, most = least * over // under, -(-most * over // under)
        if most <= 1 and over < under:
            return low, high + len(numbers) - place  # all that follow are no larger
        low, high = low + least, high + most
    return low, high


def holm(chances: Iterable[Fraction], rate: Fraction, tests: int | None = None) -> list[bool]:
    """Return which of several tests are significant, with probability `rate` at most that any is by chance.

    Holm's procedure: the rarest is compared with the rate over the number of tests, the next with the rate
    over one test less, until one is not significant. It assumes nothing about how the tests depend on each
    other, and misses no more than Bonferroni's. `tests` is how many were made, if only the rarest are given.

    >>> holm([Fraction(3, 100), Fraction(1, 100), Fraction(4, 100)], Fraction(5, 100))
    [False, True, False]
    """
    found = list(chances)
    many = len(found) if tests is None else tests
    stands = [False] * len(found)
    for passed, place in enumerate(sorted(range(len(found)), key=found.__getitem__)):
        if found[place] * (many - passed) > rate:
            break
        stands[place] = True
    return stands
