"""685a.2: what is done with the cards and devices, as their reports show it."""

from tests.law.preparation_proofs import prove_reader_inspected


def test_685a_2_d() -> None:
    prove_reader_inspected("685a", "685a.2(d)")
