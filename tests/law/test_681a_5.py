"""681a.5: the shuffle and the cut of the cards."""

from tests.builders.shoes import prove_shuffled
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed


def test_681a_5_a() -> None:
    prove_shuffled("681a", "681a.5(a)")


def test_681a_5_c() -> None:
    prove_cut("681a", "681a.5(c)")
    prove_cut_before_loading("681a", "681a.5(c)")


def test_681a_5_d() -> None:
    prove_cut_completed("681a", "681a.5(d)")
    prove_cover_card("681a", "681a.5(d)", 10)
