"""685a.2: what is done with the cards and devices, as their reports show it."""

from tests.law.layout_proofs import prove_approved, prove_most, prove_point, prove_rack_height
from tests.law.preparation_proofs import prove_reader_inspected


def test_685a_2_d() -> None:
    prove_reader_inspected("685a", "685a.2(d)")


def test_685a_2() -> None:
    prove_point("685a", "logo", "685a.2(b)(1)")
    prove_point("685a", "box_places", "685a.2(c)")


def test_685a_2_b_1() -> None:
    prove_point("685a", "logo", "685a.2(b)(1)")


def test_685a_2_b_2() -> None:
    prove_point("685a", "wager_areas", "685a.2(b)(2)")


def test_685a_2_b_3() -> None:
    prove_point("685a", "small_range_area", "685a.2(b)(3)(i)")


def test_685a_2_b_3_i() -> None:
    prove_point("685a", "small_range_area", "685a.2(b)(3)(i)")


def test_685a_2_b_3_ii() -> None:
    prove_point("685a", "medium_range_area", "685a.2(b)(3)(ii)")


def test_685a_2_b_3_iii() -> None:
    prove_point("685a", "large_range_area", "685a.2(b)(3)(iii)")


def test_685a_2_b_4() -> None:
    prove_point("685a", "blackjack_odds", "685a.2(b)(4)(i)")


def test_685a_2_b_4_i() -> None:
    prove_point("685a", "blackjack_odds", "685a.2(b)(4)(i)")


def test_685a_2_b_4_ii() -> None:
    prove_point("685a", "insurance_odds", "685a.2(b)(4)(ii)")


def test_685a_2_b_4_iii() -> None:
    prove_point("685a", "draw_rule", "685a.2(b)(4)(iii)")


def test_685a_2_b_4_iv() -> None:
    prove_point("685a", "no_surrender", "685a.2(b)(4)(iv)")


def test_685a_2_b_5() -> None:
    prove_point("685a", "match_areas", "685a.2(b)(5)", wager="match_the_dealer")


def test_685a_2_b_6() -> None:
    prove_point("685a", "payout_odds", "685a.2(b)(6)")


def test_685a_2_c() -> None:
    prove_point("685a", "box_places", "685a.2(c)")


def test_685a_2_e() -> None:
    prove_point("685a", "discard_rack", "685a.2(e)")


def test_685a_2_e_1() -> None:
    prove_rack_height("685a", 6, "685a.2(e)(1)", "685a.2(e)(2)")


def test_685a_2_e_2() -> None:
    prove_rack_height("685a", 6, "685a.2(e)(1)", "685a.2(e)(2)")


def test_685a_2_a() -> None:
    prove_most("685a", "positions", 6, "685a.2(a)")


def test_685a_2_b() -> None:
    prove_approved("685a", "layout", "685a.2(b)")
