"""631a.4: what is done with the cards and devices, as their reports show it."""

from tests.law.preparation_proofs import (
    prove_certificate,
    prove_defects,
    prove_inspection,
    prove_opening,
    prove_spread,
    prove_wash,
)


def test_631a_4_a() -> None:
    prove_inspection("631a", "631a.4(a)")
    prove_defects("631a", "631a.4(a)")


def test_631a_4_b() -> None:
    prove_spread("631a", "631a.4(b)")


def test_631a_4_c() -> None:
    prove_wash("631a", "631a.4(c)")


def test_631a_4() -> None:
    prove_opening("631a", "631a.4(a)", "631a.4(b)", "631a.4(c)")


def test_631a_4_d() -> None:
    prove_certificate("631a")
