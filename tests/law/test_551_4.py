"""551.4: what is done with the cards and devices, as their reports show it."""

from tests.law.preparation_proofs import (
    prove_defects,
    prove_inspection,
    prove_opening,
    prove_spread,
    prove_tens_removed,
    prove_wash,
)


def test_551_4_a() -> None:
    prove_inspection("551", "551.4(a)", verified="551.4(b)")
    prove_defects("551", "551.4(a)")


def test_551_4_b() -> None:
    prove_spread("551", "551.4(b)")
    prove_tens_removed()
    prove_inspection("551", "551.4(a)", verified="551.4(b)")


def test_551_4_c() -> None:
    prove_wash("551", "551.4(c)")


def test_551_4() -> None:
    prove_opening("551", "551.4(a)", "551.4(b)", "551.4(c)")
