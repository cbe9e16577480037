"""Chapter 541, Minibaccarat of 2010: a test for each clause that decides cards or money."""

from typing import Final

from tests.law import baccarat_proofs as prove
from tests.law import sections_541_543, sections_2010
from tests.law.layout_proofs import prove_most, prove_point
from tests.law.preparation_proofs import (
    prove_batch_stored,
    prove_batches_alternate,
    prove_batches_colored,
    prove_certificate_spares_shuffle_only,
    prove_decks,
    prove_decks_changed_after,
    prove_each_batch_apart,
    prove_idle_exchanged,
    prove_idle_spread,
    prove_idle_washed,
    prove_last_hand,
    prove_rack_of_one_batch,
    prove_shuffle,
    prove_shuffle_after_shoe,
    two_batches,
)
from tests.law.preparing import weighed
from tests.law.turning_proofs import prove_cleared, prove_manual_shoe, prove_shuffling_shoe

TABLE: Final = prove.Table("541", prove.OF_2010)

# The sections whose words it shares: test_541_1 and so on.
globals().update(prove.sections_of(TABLE, sections_2010, sections_541_543))


def test_541_3_a() -> None:
    prove.decks_admitted(TABLE, [6, 7, 8], [0, 1, 5, 9])
    prove.cards_of_a_shoe(TABLE, "541.3(a)", 6, 6)


def test_541_3_b() -> None:
    prove.decks_admitted(TABLE, [12, 14, 16], [10, 11, 13, 15, 17, 18])
    prove.cards_of_a_shoe(TABLE, "541.3(a)", 12, 6)


def test_541_3_b_2() -> None:
    # Of sixteen decks eight are in the shoe.
    prove.cards_of_a_shoe(TABLE, "541.3(a)", 16, 8)


def test_541_4_d() -> None:
    prove_each_batch_apart("541", "541.4(a)")


def test_541_5_a_reported() -> None:
    prove_shuffle("541", "541.5(a)")
    prove_certificate_spares_shuffle_only("541")
    prove_shuffle_after_shoe("541", "541.5(a)")


def test_541_10_e() -> None:
    prove_last_hand("541", "541.10(e)")
    prove_shuffle_after_shoe("541", "541.5(a)")


def test_541_3_c() -> None:
    prove_decks_changed_after("541", "541.3(c)", 4)


def test_541_3_c_of_two_batches() -> None:
    # The exception that it names, 541.2(a), says nothing of decks; 541.3(b) alternates those of two batches.
    for hours, expected in ((3, []), (4, [("decks_not_changed", "undetermined", ("541.3(c)",))])):
        table = two_batches("541", hours=hours)
        assert weighed(table.findings("decks_not_changed")) == expected


def test_541_3_b_3() -> None:
    prove_batches_colored("541", "541.3(b)(3)")


def test_541_3_b_4() -> None:
    prove_batch_stored("541", "541.3(b)(4)")


def test_541_3_b_5() -> None:
    prove_batches_alternate("541", "541.3(b)(5)")


def test_541_3_b_6() -> None:
    prove_rack_of_one_batch("541", "541.3(b)(6)")


def test_541_3_b_1() -> None:
    prove_decks("541", "541.3(a)", (6, 7, 8))


def test_541_5_h() -> None:
    prove_idle_spread("541", "541.5(h)")
    prove_idle_washed("541", "541.5(h)(1)")


def test_541_5_h_1() -> None:
    prove_idle_washed("541", "541.5(h)(1)")


def test_541_5_h_2() -> None:
    prove_idle_exchanged("541", "541.5(h)(2)")


def test_541_2_f() -> None:
    prove_point("541", "discard_rack", "541.2(f)")


def test_541_12_c() -> None:
    prove_cleared("541", "541.12(c)", in_order=True)


def test_541_7() -> None:
    prove_manual_shoe("541", "541.7", "541.15")


def test_541_15() -> None:
    prove_manual_shoe("541", "541.7", "541.15")
    prove_shuffling_shoe("541", "541.5(d)")


def test_541_2_a() -> None:
    prove_most("541", "positions", 7, "541.2(a)")
