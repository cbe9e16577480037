"""551.15: a shoe that shuffles by itself."""

from tests.law.turning_proofs import prove_manual_shoe, prove_shuffling_shoe


def test_551_15() -> None:
    prove_manual_shoe("551", "551.15")
    prove_shuffling_shoe("551", "551.5(d)")
