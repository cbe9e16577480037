"""Exact tails and intervals: against sums that are written out, and tables that are printed."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.patterns.exact_tails import binomial_tail, clopper_pearson, holm, hypergeometric_tail

FINE = Fraction(1, 2**150)


def summed(at_least: int, trials: int, chance: Fraction) -> Fraction:
    """Add the terms of the upper tail one by one."""
    return sum(
        (comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(at_least, trials + 1)),
        Fraction(0),
    )


@pytest.mark.parametrize(
    ("at_least", "trials", "chance", "tail"),
    [
        # Of five throws of a coin four or five heads: 5 + 1 of 32.
        (4, 5, Fraction(1, 2), Fraction(6, 32)),
        # Of three dice two or three sixes: 3 x 5 + 1 of 216.
        (2, 3, Fraction(1, 6), Fraction(16, 216)),
        (3, 3, Fraction(1), Fraction(1)),
        (1, 3, Fraction(0), Fraction(0)),
        (0, 0, Fraction(1, 2), Fraction(1)),
    ],
)
def test_a_binomial_tail_is_the_sum_of_its_terms(
    at_least: int, trials: int, chance: Fraction, tail: Fraction
) -> None:
    assert 0 <= binomial_tail(at_least, trials, chance) - tail < FINE


@given(st.integers(1, 60), st.integers(0, 61), st.integers(1, 99))
def test_a_binomial_tail_is_never_below_the_exact_one(trials: int, at_least: int, percent: int) -> None:
    exact = summed(at_least, trials, Fraction(percent, 100))
    assert 0 <= binomial_tail(at_least, trials, Fraction(percent, 100)) - exact < FINE


def test_a_tail_of_many_trials_is_had_at_once() -> None:
    # Of 200,000 at one in a thousand 200 are expected; by the normal curve 0.5000 + 0.0141 for 200 or more.
    assert Fraction(509, 1000) < binomial_tail(200, 200_000, Fraction(1, 1000)) < Fraction(511, 1000)


@pytest.mark.parametrize(
    ("at_least", "drawn", "marked", "total", "tail"),
    [
        # Fisher's cups of tea: all four right, and three or more: 1 and 1 + 4 x 4 of 70.
        (4, 4, 4, 8, Fraction(1, 70)),
        (3, 4, 4, 8, Fraction(17, 70)),
        (0, 4, 4, 8, Fraction(1)),
        (1, 7, 2, 8, Fraction(1)),
    ],
)
def test_a_hypergeometric_tail_counts_the_ways(
    at_least: int, drawn: int, marked: int, total: int, tail: Fraction
) -> None:
    assert hypergeometric_tail(at_least, drawn, marked, total) == tail


@pytest.mark.parametrize(
    ("count", "trials", "low", "high"),
    [
        (0, 10, 0, 3085),  # 1 - 0.025^(1/10) = 0.30850
        (10, 10, 6915, 10_000),  # 0.025^(1/10) = 0.69150
        (1, 10, 25, 4451),  # printed: 0.25 % to 44.50 %
        (5, 10, 1870, 8130),  # printed: 18.71 % to 81.29 %
        (1, 1, 250, 10_000),
    ],
)
def test_intervals_are_those_that_are_printed(count: int, trials: int, low: int, high: int) -> None:
    assert clopper_pearson(count, trials, Fraction(5, 100), parts=10_000) == (
        Fraction(low, 10_000),
        Fraction(high, 10_000),
    )


@given(st.integers(1, 40).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_an_interval_holds_what_was_seen_and_ends_where_the_tails_do(seen: tuple[int, int]) -> None:
    count, trials = seen
    low, high = clopper_pearson(count, trials, Fraction(5, 100), parts=1000)
    assert low <= Fraction(count, trials) <= high
    half, step = Fraction(25, 1000), Fraction(1, 1000)
    assert count == 0 or summed(count, trials, low) <= half < summed(count, trials, low + step)
    assert count == trials or summed(trials - count, trials, 1 - high) <= half


def test_there_is_no_interval_of_nothing() -> None:
    with pytest.raises(ValueError, match="no share"):
        clopper_pearson(0, 0, Fraction(5, 100))


def test_holm_goes_on_until_one_does_not_stand_out() -> None:
    # Of four at 5 %: 1.25 %, then 1.67 %, then 2.5 %, then 5 %.
    chances = [Fraction(25, 1000), Fraction(1, 100), Fraction(51, 1000), Fraction(16, 1000)]
    assert holm(chances, Fraction(5, 100)) == [True, True, False, True]
    assert holm([Fraction(2, 100), Fraction(4, 100)], Fraction(5, 100), tests=3) == [False, False]


@given(st.lists(st.fractions(0, 1), max_size=8), st.fractions(0, 1), st.randoms())
def test_the_order_of_the_tests_does_not_matter(
    chances: list[Fraction], rate: Fraction, random: object
) -> None:
    shuffled = list(enumerate(chances))
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    stands = holm([chance for _, chance in shuffled], rate)
    assert {place for (place, _), out in zip(shuffled, stands, strict=True) if out} == {
        place for place, out in enumerate(holm(chances, rate)) if out
    }
