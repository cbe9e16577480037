"""623a.2: what the layout and the table must have."""

from tests.law.layout_proofs import prove_approved, prove_most, prove_point


def test_623a_2() -> None:
    prove_point("623a", "logo", "623a.2(d)(1)")
    prove_point("623a", "box_places", "623a.2(e)")


def test_623a_2_d_1() -> None:
    prove_point("623a", "logo", "623a.2(d)(1)")


def test_623a_2_d_2() -> None:
    prove_point("623a", "wager_areas", "623a.2(d)(2)")


def test_623a_2_d_3() -> None:
    prove_point("623a", "no_call_bets", "623a.2(d)(3)")


def test_623a_2_d_4() -> None:
    prove_point("623a", "fire_gathering_areas", "623a.2(d)(4)(ii)", wager="fire")


def test_623a_2_d_4_i() -> None:
    prove_most("623a", "fire_areas", 16, "623a.2(d)(4)(i)")


def test_623a_2_d_4_ii() -> None:
    prove_point("623a", "fire_gathering_areas", "623a.2(d)(4)(ii)", wager="fire")


def test_623a_2_d_4_iii() -> None:
    prove_point("623a", "fire_odds", "623a.2(d)(4)(iii)(A)", wager="fire")
    prove_point("623a", "fire_time", "623a.2(d)(4)(iii)(B)", wager="fire")
    prove_point("623a", "fire_limits", "623a.2(d)(4)(iii)(C)", wager="fire")


def test_623a_2_d_4_iii_a() -> None:
    prove_point("623a", "fire_odds", "623a.2(d)(4)(iii)(A)", wager="fire")


def test_623a_2_d_4_iii_b() -> None:
    prove_point("623a", "fire_time", "623a.2(d)(4)(iii)(B)", wager="fire")


def test_623a_2_d_4_iii_c() -> None:
    prove_point("623a", "fire_limits", "623a.2(d)(4)(iii)(C)", wager="fire")


def test_623a_2_d_5() -> None:
    prove_point("623a", "all_small_area", "623a.2(d)(5)(i)(A)", wager="bonus_craps")


def test_623a_2_d_5_i() -> None:
    prove_point("623a", "all_small_area", "623a.2(d)(5)(i)(A)", wager="bonus_craps")


def test_623a_2_d_5_i_a() -> None:
    prove_point("623a", "all_small_area", "623a.2(d)(5)(i)(A)", wager="bonus_craps")


def test_623a_2_d_5_i_b() -> None:
    prove_point("623a", "all_or_nothing_area", "623a.2(d)(5)(i)(B)", wager="bonus_craps")


def test_623a_2_d_5_i_c() -> None:
    prove_point("623a", "all_tall_area", "623a.2(d)(5)(i)(C)", wager="bonus_craps")


def test_623a_2_d_5_ii() -> None:
    prove_point("623a", "number_areas", "623a.2(d)(5)(ii)", wager="bonus_craps")


def test_623a_2_d_5_iii() -> None:
    prove_point("623a", "bonus_odds", "623a.2(d)(5)(iii)", wager="bonus_craps")


def test_623a_2_e() -> None:
    prove_point("623a", "box_places", "623a.2(e)")


def test_623a_2_d() -> None:
    prove_approved("623a", "layout", "623a.2(d)")
