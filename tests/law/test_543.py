"""Chapter 543, Midibaccarat of 2010: a test for each clause that decides cards or money."""

from typing import Final

from tests.law import baccarat_proofs as prove
from tests.law import sections_541_543, sections_2010
from tests.law.curator_proofs import prove_point_counts
from tests.law.layout_proofs import prove_most, prove_point
from tests.law.preparation_proofs import (
    prove_certificate_spares_shuffle_only,
    prove_decks_changed_each_shoe,
    prove_last_hand,
    prove_shuffle,
)
from tests.law.turning_proofs import (
    prove_cleared,
    prove_equal,
    prove_highest,
    prove_manual_shoe,
    prove_side,
    prove_third,
    prove_tucked,
    prove_turn_offered,
)

TABLE: Final = prove.Table("543", prove.OF_2010)

# The sections whose words it shares: test_543_1 and so on.
globals().update(prove.sections_of(TABLE, sections_2010, sections_541_543))


def test_543_3_a() -> None:
    prove.decks_admitted(TABLE, [6, 7, 8], [0, 1, 5, 9, 12, 16])
    prove.cards_of_a_shoe(TABLE, "543.3(a)", 6, 6)


def test_543_5_a_reported() -> None:
    prove_shuffle("543", "543.5(a)")
    prove_certificate_spares_shuffle_only("543")


def test_543_10_e() -> None:
    prove_last_hand("543", "543.10(e)")
    prove_decks_changed_each_shoe("543", "543.3(b)")


def test_543_3_b() -> None:
    prove_decks_changed_each_shoe("543", "543.3(b)")


def test_543_2_f() -> None:
    prove_point("543", "discard_bucket", "543.2(f)")


def test_543_9_c_3_i() -> None:
    prove_highest("543", "543.9(c)(3)(i)", "player")
    prove_point_counts("543", "543.10(a)")


def test_543_9_c_3_ii() -> None:
    prove_highest("543", "543.9(c)(3)(ii)", "banker")
    prove_point_counts("543", "543.10(a)")


def test_543_9_c_3_iii() -> None:
    prove_third("543", "543.9(c)(3)(iii)", "player")


def test_543_9_c_3_iv() -> None:
    prove_third("543", "543.9(c)(3)(iv)", "banker")


def test_543_9_c_3_v() -> None:
    prove_equal("543", "543.9(c)(3)(v)")


def test_543_14_f() -> None:
    prove_turn_offered("543", "543.14(f)")


def test_543_9_c_3() -> None:
    prove_side("543", "players", "543.9(c)(3)")
    prove_tucked("543", "543.9(c)(3)")


def test_543_12_c() -> None:
    prove_cleared("543", "543.12(c)", in_order=False)


def test_543_7() -> None:
    prove_manual_shoe("543", "543.7")


def test_543_2_a() -> None:
    prove_most("543", "positions", 9, "543.2(a)")
