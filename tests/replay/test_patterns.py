"""Patterns: each by figures that are worked by hand, and that none of them depends on who is who."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from projections.engine.card_signals import WagerSignals
from projections.views.text import text
from replay.patterns.pattern import Lead, Pattern
from replay.patterns.played_rounds import (
    HandId,
    LateWager,
    PlayedHand,
    PlayedRound,
    SettledWager,
    WeighedWin,
)
from replay.patterns.registry import PATTERNS, leads
from replay.patterns.wins import allowed, chance_of

DAY: Final = date(2025, 4, 1)


def played(
    number: int, *hands: PlayedHand, dealer: str = "D-1", shoe: str = "1", count: int = 0
) -> PlayedRound:
    return PlayedRound(HandId(DAY, "BAC-1", str(number)), shoe, dealer, list(hands), count)


def hand(patron: str | None, seat: int = 1, **fields: Any) -> PlayedHand:
    return PlayedHand(seat, None, patron, **fields)


def chances(name: str, rounds: Iterable[PlayedRound]) -> dict[str | None, Fraction]:
    """Return how many of each patron's wagers it has, and how likely that is by chance."""
    pattern = PATTERNS[name]()
    for each in rounds:
        pattern.count_round(each)
    return {each.patron: each.chance for each in pattern.candidates()}


def found(name: str, rounds: Iterable[PlayedRound], rate: Fraction) -> list[Lead]:
    return list(leads(rounds, rate, [name]))


# ── dumping ──────────────────────────────────────────────────────────────────────────────────────────


def dumped(of_one: int, of_others: int, wrong: int) -> list[PlayedRound]:
    """Play rounds of A, the first of them `wrong` in A's favour, and rounds of B that are right."""
    mine = [played(n, hand("A", overpaid_cents=100 if n < wrong else 0)) for n in range(of_one)]
    return mine + [played(of_one + n, hand("B", seat=2)) for n in range(of_others)]


def test_mistakes_that_all_go_to_one_patron_are_as_rare_as_to_draw_the_rounds_so() -> None:
    # All three mistakes of eight rounds lie among A's four: 4 of the 56 ways to choose three of eight.
    assert chances("dumping", dumped(4, 4, wrong=3)) == {"A": Fraction(4, 56)}


def test_who_sits_in_every_round_is_distinguished_by_hands() -> None:
    both = [played(n, hand("A", overpaid_cents=100), hand("B", seat=2)) for n in range(3)]
    # Three of six hands are wrong, and all three are A's: 1 of the 20 ways to choose three of six.
    assert chances("dumping", both) == {"A": Fraction(1, 20)}


def test_the_mistakes_of_another_dealer_are_not_counted() -> None:
    rounds = dumped(4, 4, wrong=3)
    other = [
        replace(each, dealer="D-2", id=replace(each.id, table="BAC-2")) for each in dumped(20, 20, wrong=20)
    ]
    pattern = PATTERNS["dumping"]()
    for each in rounds + other:
        pattern.count_round(each)
    assert {each.dealer: each.chance for each in pattern.candidates()}["D-1"] == Fraction(4, 56)


def test_a_lead_has_to_stand_out_among_all_pairs_that_were_looked_at() -> None:
    # 1/14 stands out at 1/7 among the two pairs of the dealer, at 1/8 it does not.
    rounds = dumped(4, 4, wrong=3)
    assert found("dumping", rounds, Fraction(1, 8)) == []
    (lead,) = found("dumping", rounds, Fraction(1, 7))
    assert (lead.candidate.patron, lead.candidate.dealer) == ("A", "D-1")
    assert [each.id.round for each in lead.candidate.hands] == ["0", "1", "2"]
    assert text(lead.candidate.says) == (
        "Of 8 hands in rounds that D-1 called, 3 were settled in their patron's favor otherwise than the "
        "rules have it. A played 4 of the 8, and 3 of the 3, by $3.00 in all."
    )


# ── late wagers ──────────────────────────────────────────────────────────────────────────────────────


def late(move: Any, result: Any, wager: str = "player") -> LateWager:
    return LateWager(wager, move, result)


IN_TIME: Final = [SettledWager("player", "win"), SettledWager("player", "lose")]


def test_late_wagers_that_win_are_as_rare_as_to_draw_winners() -> None:
    rounds = [
        played(n, hand("B", seat=2, settled=IN_TIME), hand("A", late=[late("place", "win")])) for n in (1, 2)
    ]
    # Two of six wagers were late; four of the six won: 6 of the 15 ways to draw two are winners both.
    assert chances("late_wagers", rounds) == {"A": Fraction(6, 15)}


def test_wagers_that_are_taken_back_late_are_sought_to_lose() -> None:
    moves = [late("withdraw", "lose"), late("reduce", "lose"), late("increase", "lose")]
    rounds = [played(1, hand("B", seat=2, settled=IN_TIME), hand("A", late=moves))]
    # Of five wagers four lost. Both that were taken back are losers in 6 of 10 ways, one of them in 4 of 10;
    # the one that was put there is a winner in 1 of 5. Two or more of the three: both, or one and the winner.
    assert chances("late_wagers", rounds) == {"A": Fraction(6, 10) + Fraction(4, 10) * Fraction(1, 5)}


def test_a_stranger_s_late_wagers_are_those_of_a_seat_on_a_day() -> None:
    rounds = [
        played(n, hand("B", seat=2, settled=IN_TIME), hand(None, late=[late("place", "win")])) for n in (1, 2)
    ]
    (lead,) = found("late_wagers", rounds, Fraction(1, 2))
    assert (lead.candidate.patron, lead.candidate.table, lead.candidate.seat) == (None, "BAC-1", 1)
    assert text(lead.candidate.says).startswith("Of 2 wagers that somebody in seat 1 of BAC-1 made")


def test_a_late_wager_whose_end_nobody_knows_is_not_counted() -> None:
    rounds = [played(1, hand("B", seat=2, settled=IN_TIME), hand("A", late=[late("place", None)]))]
    assert chances("late_wagers", rounds) == {}


# ── wins ─────────────────────────────────────────────────────────────────────────────────────────────


def won(patron: str, gain: int, number: int = 1) -> PlayedRound:
    even = WeighedWin(gain=gain, mean=Fraction(0), variance=Fraction(100), most=Fraction(10))
    return played(number, hand(patron, weighed=even))


def test_what_a_round_allows_is_bennett_s_bound() -> None:
    # V = 10,000, b = 100, and the largest growth, 3/512 by the cent: gb = 0.5859375, exp(gb) - 1 - gb =
    # 0.21076... by its series 0.171661 + 0.033528 + 0.004911 + 0.000576 + 0.000056 + 0.000005.
    most = max(allowed(Fraction(10_000), Fraction(100)))
    assert Decimal("0.210736") < most < Decimal("0.210738")


@pytest.mark.parametrize("manner", ["flat", "after a loss", "after a win", "until ahead"])
def test_of_all_ways_that_coins_can_fall_no_more_stand_out_than_the_rate(manner: str) -> None:
    chances = [tossed(falls, manner) for falls in product((1, -1), repeat=8)]
    for rate in (Fraction(1, 4), Fraction(1, 20), Fraction(1, 100)):
        assert Fraction(sum(chance <= rate for chance in chances), len(chances)) <= rate


def tossed(falls: Sequence[int], manner: str) -> Fraction:
    """Wager $100, or more as the manner has it, on each fall of a coin; give how likely as much is."""
    size, beyond, exponents = 10_000, 0, [Decimal(0)] * len(allowed(Fraction(1), Fraction(1)))
    for fall in falls:
        beyond += size * fall
        more = allowed(Fraction(size * size), Fraction(size))
        exponents = [one + other for one, other in zip(exponents, more, strict=True)]
        if manner == "until ahead" and beyond >= 3 * size:
            break
        size = 2 * size if {"after a loss": -1, "after a win": 1}.get(manner) == fall else 10_000
    return chance_of(Fraction(beyond), exponents)


def test_who_wins_a_hundred_even_wagers_stands_out() -> None:
    # By chance once in 2^100, more than 10^30; the bound gives away much of that and is rare all the same.
    hundred = [100 * each for each in allowed(Fraction(10_000**2), Fraction(10_000))]
    assert Fraction(1, 2**100) <= chance_of(Fraction(1_000_000), hundred) < Fraction(1, 10**12)


def test_who_lost_is_no_candidate_and_yet_one_of_those_looked_at() -> None:
    rounds = [won("A", 10), won("B", -10, 2)]
    pattern = PATTERNS["wins"]()
    for each in rounds:
        pattern.count_round(each)
    assert ([each.patron for each in pattern.candidates()], pattern.tests) == (["A"], 2)


# ── bets with the count ──────────────────────────────────────────────────────────────────────────────


def counted_shoe(number: int, *, goes_with: bool) -> list[PlayedRound]:
    """Play eight rounds in which the count rises in the last four; A's wagers do so too, or the other way."""
    sizes = [100] * 4 + [500] * 4 if goes_with else [500] * 4 + [100] * 4
    return [
        played(
            10 * number + n,
            hand("A", signals=WagerSignals(counted_cents=size)),
            shoe=str(number),
            count=5 if n == 3 else 0,
        )
        for n, size in enumerate(sizes)
    ]


def flat_shoe(number: int) -> list[PlayedRound]:
    return [played(10 * number + n, shoe=str(number)) for n in range(8)]


def test_sizes_that_go_with_the_count_of_each_shoe_are_as_rare_as_so_many_heads() -> None:
    # Of six shoes with wagers, each after one whose count stays where it was, all go with their own: 1 of 64.
    shoes = [each for n in range(0, 12, 2) for each in (*flat_shoe(n), *counted_shoe(n + 1, goes_with=True))]
    (chance,) = chances("count_betting", shoes).values()
    assert 0 <= chance - Fraction(1, 64) < Fraction(1, 2**150)


def test_sizes_that_go_against_the_count_speak_for_nothing() -> None:
    shoes = [each for n in range(0, 12, 2) for each in (*flat_shoe(n), *counted_shoe(n + 1, goes_with=False))]
    assert chances("count_betting", shoes) == {}


def test_its_hands_are_the_large_wagers_while_the_count_was_high() -> None:
    shoes = [*flat_shoe(0), *counted_shoe(1, goes_with=True)]
    (lead,) = found("count_betting", shoes, Fraction(3, 4))
    assert [each.id.round for each in lead.candidate.hands] == ["14", "15", "16", "17"]


# ── edge sorting ─────────────────────────────────────────────────────────────────────────────────────


def test_wagers_that_go_with_a_card_not_yet_drawn_are_as_rare_as_to_draw_the_rounds_so() -> None:
    rounds = [played(n, hand("A", signals=WagerSignals(500 if n < 4 else 100, n < 4))) for n in range(8)]
    # All four large wagers in the four rounds that began with such a card: 1 of 70 ways.
    assert chances("edge_sorting", rounds) == {"A": Fraction(1, 70)}


def test_wagers_of_one_size_say_nothing() -> None:
    rounds = [played(n, hand("A", signals=WagerSignals(100, n < 4))) for n in range(8)]
    assert chances("edge_sorting", rounds) == {}


# ── all of them ──────────────────────────────────────────────────────────────────────────────────────


@st.composite
def some_play(draw: st.DrawFn) -> list[PlayedRound]:
    rng = Random(draw(st.integers(0, 10**6)))  # noqa: S311  a known seed is the point
    return [
        played(n, *(_some_hand(rng, seat) for seat in (1, 2, 3)), shoe=str(n // 9), count=rng.randint(-3, 3))
        for n in range(draw(st.integers(1, 40)))
    ]


def _some_hand(rng: Random, seat: int) -> PlayedHand:
    size = rng.choice((100, 200, 500))
    result: Any = rng.choice(("win", "lose"))
    return hand(
        rng.choice(("A", "B", "C", "D")),
        seat,
        settled=[SettledWager("player", result)],
        late=[late("place", result)] if rng.random() < 0.2 else [],
        overpaid_cents=size if rng.random() < 0.2 else 0,
        signals=WagerSignals(size, rng.random() < 0.3, size),
        weighed=WeighedWin(
            size if result == "win" else -size, Fraction(0), Fraction(size * size), Fraction(size)
        ),
    )


@settings(deadline=None)
@given(some_play(), st.permutations(["A", "B", "C", "D"]))
def test_other_names_give_the_same_leads(rounds: list[PlayedRound], names: Sequence[str]) -> None:
    other = dict(zip(("A", "B", "C", "D"), names, strict=True))
    renamed = [
        replace(each, hands=[replace(one, patron=other[str(one.patron)]) for one in each.hands])
        for each in rounds
    ]
    rate = Fraction(1, 2)

    def stands(of: list[PlayedRound], name: Callable[[str], str]) -> list[tuple[str, str, Fraction]]:
        return sorted(
            (lead.pattern, name(str(lead.candidate.patron)), lead.candidate.chance)
            for lead in leads(of, rate)
        )

    assert stands(renamed, str) == stands(rounds, other.__getitem__)


@settings(deadline=None)
@given(some_play(), st.fractions(Fraction(1, 1000), Fraction(1, 2)))
def test_a_smaller_rate_gives_none_but_those_of_a_larger(rounds: list[PlayedRound], rate: Fraction) -> None:
    few, more = (
        {(each.pattern, each.candidate.hands) for each in leads(rounds, of)} for of in (rate, 2 * rate)
    )
    assert few <= more


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_every_pattern_says_what_it_asks_how_and_what_else_explains_it(pattern: type[Pattern]) -> None:
    assert pattern.question.endswith("?")
    assert all(each.endswith(".") for each in (pattern.statistic, pattern.innocent))
    accusing = ("cheat", "steal", "fraud", "guilt", "collu", "crime", "suspect")
    said = f"{pattern.question} {pattern.statistic} {pattern.innocent}".lower()
    assert not [word for word in accusing if word in said]
