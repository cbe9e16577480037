"""631a.7: what is done with the cards and devices, as their reports show it."""

from tests.law.curator_proofs import prove_dealer_designated, prove_offers_told, prove_shoe_offered
from tests.law.turning_proofs import prove_manual_shoe


def test_631a_7_b() -> None:
    prove_offers_told()
    prove_shoe_offered("631a", "631a.7(b)", "631a.7(d)(2)")


def test_631a_7_d_1() -> None:
    prove_dealer_designated("631a")


def test_631a_7_d_2() -> None:
    prove_shoe_offered("631a", "631a.7(b)", "631a.7(d)(2)")


def test_631a_7_a() -> None:
    prove_manual_shoe("631a", "631a.7(a)")


def test_631a_7() -> None:
    prove_manual_shoe("631a", "631a.7(a)")
    prove_shoe_offered("631a", "631a.7(b)", "631a.7(d)(2)")


def test_631a_7_d() -> None:
    prove_dealer_designated("631a")
    prove_shoe_offered("631a", "631a.7(b)", "631a.7(d)(2)")
