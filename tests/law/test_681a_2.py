"""681a.2: what the layout and the table must have."""

from tests.law.layout_proofs import prove_approved, prove_inspected_at_opening, prove_most, prove_point


def test_681a_2() -> None:
    prove_point("681a", "logo", "681a.2(b)(1)")
    prove_inspected_at_opening("681a", "logo", "681a.2(b)(1)")
    prove_point("681a", "box_places", "681a.2(c)")


def test_681a_2_b_1() -> None:
    prove_point("681a", "logo", "681a.2(b)(1)")


def test_681a_2_b_2() -> None:
    prove_point("681a", "player_areas", "681a.2(b)(2)")


def test_681a_2_b_3() -> None:
    prove_point("681a", "banker_areas", "681a.2(b)(3)")


def test_681a_2_b_4() -> None:
    prove_point("681a", "player_bonus_areas", "681a.2(b)(4)")


def test_681a_2_b_5() -> None:
    prove_point("681a", "banker_bonus_areas", "681a.2(b)(5)")


def test_681a_2_b_6() -> None:
    prove_point("681a", "tie_areas", "681a.2(b)(6)")


def test_681a_2_b_7() -> None:
    prove_point("681a", "draw_rule", "681a.2(b)(7)(i)")


def test_681a_2_b_7_i() -> None:
    prove_point("681a", "draw_rule", "681a.2(b)(7)(i)")


def test_681a_2_b_7_ii() -> None:
    prove_point("681a", "payout_odds", "681a.2(b)(7)(ii)")


def test_681a_2_c() -> None:
    prove_point("681a", "box_places", "681a.2(c)")


def test_681a_2_d() -> None:
    prove_point("681a", "discard_rack", "681a.2(d)")


def test_681a_2_a() -> None:
    prove_most("681a", "positions", 8, "681a.2(a)")


def test_681a_2_b() -> None:
    prove_approved("681a", "layout", "681a.2(b)")
