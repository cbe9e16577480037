"""631a.14: what is done with the cards and devices, as their reports show it."""

from tests.law.curator_proofs import (
    prove_end_of_round_lost,
    prove_pass_ordered,
    prove_shoe_passed,
    prove_shoe_passed_on_loss,
)


def test_631a_14_b() -> None:
    prove_shoe_passed("631a", "631a.14(b)")
    prove_end_of_round_lost("631a")


def test_631a_14_a_2() -> None:
    prove_pass_ordered("631a", "631a.14(a)(2)")


def test_631a_14() -> None:
    prove_shoe_passed("631a", "631a.14(b)")
    prove_pass_ordered("631a", "631a.14(a)(2)")
    prove_shoe_passed_on_loss("631a", "631a.14(a)(1)")


def test_631a_14_a_1() -> None:
    prove_shoe_passed_on_loss("631a", "631a.14(a)(1)")
