"""631a.2: what the layout and the table must have."""

from tests.law.layout_proofs import prove_approved, prove_least, prove_most, prove_point


def test_631a_2() -> None:
    prove_point("631a", "logo", "631a.2(b)(1)")
    prove_point("631a", "box_places", "631a.2(d)")


def test_631a_2_b_1() -> None:
    prove_point("631a", "logo", "631a.2(b)(1)")


def test_631a_2_b_2() -> None:
    prove_point("631a", "wager_areas", "631a.2(b)(2)")


def test_631a_2_b_3() -> None:
    prove_point("631a", "payout_odds", "631a.2(b)(3)")


def test_631a_2_b_4() -> None:
    prove_point("631a", "card_areas", "631a.2(b)(4)")


def test_631a_2_b_5() -> None:
    prove_point("631a", "dragon_bonus_areas", "631a.2(b)(5)", option="dragon_bonus")


def test_631a_2_b_6() -> None:
    prove_point("631a", "dragon_7_areas", "631a.2(b)(6)(i)", option="ez")


def test_631a_2_b_6_i() -> None:
    prove_point("631a", "dragon_7_areas", "631a.2(b)(6)(i)", option="ez")


def test_631a_2_b_6_ii() -> None:
    prove_point("631a", "dragon_7_push", "631a.2(b)(6)(ii)", option="ez")


def test_631a_2_b_6_iii() -> None:
    prove_point("631a", "panda_8_areas", "631a.2(b)(6)(iii)", option="ez")


def test_631a_2_b_7() -> None:
    prove_point("631a", "house_money_areas", "631a.2(b)(7)", option="house_money")


def test_631a_2_b_8() -> None:
    prove_point("631a", "vigorish_areas", "631a.2(b)(8)", option="vigorish_deferred")


def test_631a_2_c() -> None:
    prove_point("631a", "marker_buttons", "631a.2(c)")


def test_631a_2_d() -> None:
    prove_point("631a", "box_places", "631a.2(d)")


def test_631a_2_e() -> None:
    prove_point("631a", "discard_bucket", "631a.2(e)")


def test_631a_2_a() -> None:
    prove_most("631a", "positions", 14, "631a.2(a)")
    prove_least("631a", "positions", 10, "631a.2(a)")


def test_631a_2_b() -> None:
    prove_approved("631a", "layout", "631a.2(b)")
