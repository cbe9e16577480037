"""681a.5: the shuffle and the cut of the cards."""

from tests.builders.shoes import prove_shuffled
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed
from tests.law.preparation_proofs import (
    prove_cut_order,
    prove_idle_exchanged,
    prove_idle_spread,
    prove_idle_washed,
    prove_one_stack,
    prove_recut,
    prove_recut_not_late,
    prove_reshuffle_at_cover_card,
    prove_reshuffle_directed,
    prove_shuffle,
    prove_shuffle_after_shoe,
    prove_shuffle_and_cut,
)
from tests.law.turning_proofs import prove_manual_shoe, prove_shuffling_shoe


def test_681a_5_a() -> None:
    prove_shuffled("681a", "681a.5(a)")


def test_681a_5_c() -> None:
    prove_cut("681a", "681a.5(c)")
    prove_cut_before_loading("681a", "681a.5(c)")


def test_681a_5_d() -> None:
    prove_cut_completed("681a", "681a.5(d)")
    prove_cover_card("681a", "681a.5(d)", 10)


def test_681a_5_a_reported() -> None:
    prove_shuffle("681a", "681a.5(a)")
    prove_shuffle_after_shoe("681a", "681a.5(a)", "681a.7(d)(2)")
    prove_one_stack("681a", "681a.5(a)")


def test_681a_5() -> None:
    prove_shuffle_and_cut("681a", "681a.5(a)", "681a.5(c)", "681a.7(c)")


def test_681a_5_b() -> None:
    prove_cut_order("681a", "681a.5(b)")


def test_681a_5_e() -> None:
    prove_recut("681a", "681a.5(e)", (2, 5, 7), None)
    prove_recut_not_late("681a", "681a.5(e)", 5)


def test_681a_5_f() -> None:
    prove_reshuffle_at_cover_card("681a", "681a.7(d)", "681a.5(f)")
    prove_reshuffle_directed("681a", "681a.5(f)")


def test_681a_5_g() -> None:
    prove_idle_spread("681a", "681a.5(g)")
    prove_idle_washed("681a", "681a.5(g)(1)")


def test_681a_5_g_1() -> None:
    prove_idle_washed("681a", "681a.5(g)(1)")


def test_681a_5_g_2() -> None:
    prove_idle_exchanged("681a", "681a.5(g)(2)")


def test_681a_5_h() -> None:
    prove_manual_shoe("681a", "681a.5(h)")
    prove_shuffling_shoe("681a", "681a.5(c)")
