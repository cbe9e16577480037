"""551.15: a shoe that shuffles by itself."""

from tests.law.turning_proofs import prove_manual_shoe


def test_551_15() -> None:
    prove_manual_shoe("551", "551.15")
