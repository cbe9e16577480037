"""681a.4: what is done with the cards and devices, as their reports show it."""

from tests.law.preparation_proofs import (
    prove_certificate,
    prove_defects,
    prove_each_batch_apart,
    prove_inspection,
    prove_opening,
    prove_spread,
    prove_wash,
)


def test_681a_4_a() -> None:
    prove_inspection("681a", "681a.4(a)")
    prove_defects("681a", "681a.4(a)")


def test_681a_4_b() -> None:
    prove_spread("681a", "681a.4(b)")


def test_681a_4_c() -> None:
    prove_wash("681a", "681a.4(c)")


def test_681a_4() -> None:
    prove_opening("681a", "681a.4(a)", "681a.4(b)", "681a.4(c)")


def test_681a_4_e() -> None:
    prove_certificate("681a")


def test_681a_4_d() -> None:
    prove_each_batch_apart("681a", "681a.4(a)")
