"""test_551_14"""

from tests.law.blackjack_proofs import prove_boxes


def test_551_14() -> None:
    prove_boxes("551", "551.14", 3, "wager")
