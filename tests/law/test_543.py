"""Chapter 543, Midibaccarat of 2010: a test for each clause that decides cards or money."""

from typing import Final

from tests.builders.shoes import prove_shuffled
from tests.law import baccarat_proofs as prove
from tests.law.blackjack_proofs import prove_verbal_wager_by_dealer
from tests.law.curator_proofs import prove_bets_closed, prove_point_counts
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed
from tests.law.layout_proofs import prove_approved, prove_most, prove_point
from tests.law.preparation_proofs import (
    prove_burn_by_value,
    prove_certificate_spares_shuffle_only,
    prove_cut_order,
    prove_decks_changed_each_shoe,
    prove_decks_received,
    prove_defects,
    prove_each_deck,
    prove_inspection,
    prove_last_hand,
    prove_opening,
    prove_recut,
    prove_recut_not_late,
    prove_shuffle,
    prove_shuffle_and_cut,
    prove_shuffle_verified,
    prove_spread,
    prove_wash,
)
from tests.law.settling_proofs import (
    prove_order_of_reports,
    prove_several_dealers,
    prove_vigorish_in_turn,
    prove_winners_in_turn,
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


def test_543_1() -> None:
    prove.no_card_after_a_natural(TABLE, "543.11(a)")
    prove.in_force_for_two_years(TABLE, "543.1")


def test_543_3() -> None:
    prove.cards_of_a_shoe(TABLE, "543.3(a)", 7, 7)


def test_543_3_a() -> None:
    prove.decks_admitted(TABLE, [6, 7, 8], [0, 1, 5, 9, 12, 16])
    prove.cards_of_a_shoe(TABLE, "543.3(a)", 6, 6)


def test_543_6() -> None:
    prove.face_values(TABLE)
    prove.tens_are_zero(TABLE)
    prove.an_ace_is_one(TABLE)
    prove.last_digit(TABLE)


def test_543_6_a() -> None:
    prove.face_values(TABLE)
    prove.tens_are_zero(TABLE)
    prove.an_ace_is_one(TABLE)


def test_543_6_a_1() -> None:
    prove.face_values(TABLE)


def test_543_6_a_2() -> None:
    prove.tens_are_zero(TABLE)


def test_543_6_a_3() -> None:
    prove.an_ace_is_one(TABLE)


def test_543_6_b() -> None:
    prove.last_digit(TABLE)


def test_543_6_b_1() -> None:
    prove.ace_2_4(TABLE)


def test_543_6_b_2() -> None:
    prove.ace_2_9(TABLE)


def test_543_8() -> None:
    prove.a_table_settled(TABLE)
    prove.no_late_wager(TABLE, "543.8(c)")


def test_543_8_a() -> None:
    prove.no_other_wager(TABLE, "543.8(a)")


def test_543_8_a_1() -> None:
    prove.banker_wins(TABLE, "543.8(a)(1)(i)")
    prove.banker_loses(TABLE, "543.8(a)(1)(ii)")
    prove.banker_returned(TABLE, "543.8(a)(1)(iii)(A)")


def test_543_8_a_1_i() -> None:
    prove.banker_wins(TABLE, "543.8(a)(1)(i)")


def test_543_8_a_1_ii() -> None:
    prove.banker_loses(TABLE, "543.8(a)(1)(ii)")


def test_543_8_a_1_iii() -> None:
    prove.banker_returned(TABLE, "543.8(a)(1)(iii)(A)")
    prove.charged_on_a_tie(TABLE, "543.8(a)(1)(iii)(B)")


def test_543_8_a_1_iii_a() -> None:
    prove.banker_returned(TABLE, "543.8(a)(1)(iii)(A)")


def test_543_8_a_1_iii_b() -> None:
    prove.charged_on_a_tie(TABLE, "543.8(a)(1)(iii)(B)")


def test_543_8_a_2() -> None:
    prove.player_wins(TABLE, "543.8(a)(2)(i)")
    prove.player_loses(TABLE, "543.8(a)(2)(ii)")


def test_543_8_a_2_i() -> None:
    prove.player_wins(TABLE, "543.8(a)(2)(i)")


def test_543_8_a_2_ii() -> None:
    prove.player_loses(TABLE, "543.8(a)(2)(ii)")


def test_543_8_a_2_iii() -> None:
    prove.player_returned(TABLE, "543.8(a)(2)(iii)")


def test_543_8_a_3() -> None:
    prove.tie_wins(TABLE, "543.8(a)(3)(i)")
    prove.tie_loses(TABLE, "543.8(a)(3)(ii)")


def test_543_8_a_3_i() -> None:
    prove.tie_wins(TABLE, "543.8(a)(3)(i)")


def test_543_8_a_3_ii() -> None:
    prove.tie_loses(TABLE, "543.8(a)(3)(ii)")


def test_543_8_c() -> None:
    prove.no_late_wager(TABLE, "543.8(c)")


def test_543_9() -> None:
    prove.order_of_four(TABLE, "543.9(c)")


def test_543_9_a() -> None:
    prove.a_table_settled(TABLE)


def test_543_9_c() -> None:
    prove.order_of_four(TABLE, "543.9(c)")


def test_543_10() -> None:
    prove.order_of_thirds(TABLE, "543.10(c)", "543.11(b)(1)")
    prove.one_card_more(TABLE, "543.10(d)")
    prove.player_draws(TABLE, "543.11(b)(1)")


def test_543_10_b() -> None:
    prove.player_draws(TABLE, "543.11(b)(1)")
    prove.table_1(TABLE, "543.11(c)(2)(iii)", "D")


def test_543_10_c() -> None:
    prove.order_of_thirds(TABLE, "543.10(c)", "543.11(b)(1)")


def test_543_10_d() -> None:
    prove.one_card_more(TABLE, "543.10(d)")


def test_543_11() -> None:
    prove.no_card_after_a_natural(TABLE, "543.11(a)")
    prove.player_draws(TABLE, "543.11(b)(1)")
    prove.table_1(TABLE, "543.11(c)(2)(iii)")


def test_543_11_a() -> None:
    prove.no_card_after_a_natural(TABLE, "543.11(a)")


def test_543_11_b() -> None:
    prove.player_draws(TABLE, "543.11(b)(1)")
    prove.player_stays(TABLE, "543.11(b)(2)")


def test_543_11_b_1() -> None:
    prove.player_draws(TABLE, "543.11(b)(1)")


def test_543_11_b_2() -> None:
    prove.player_stays(TABLE, "543.11(b)(2)")


def test_543_11_c() -> None:
    prove.banker_alone(TABLE, "543.11(c)(1)")
    prove.table_1(TABLE, "543.11(c)(2)(iii)")


def test_543_11_c_1() -> None:
    prove.banker_alone(TABLE, "543.11(c)(1)")


def test_543_11_c_2() -> None:
    prove.banker_on_less_than_3(TABLE, "543.11(c)(2)(i)")
    prove.banker_on_7(TABLE, "543.11(c)(2)(ii)")


def test_543_11_c_2_i() -> None:
    prove.banker_on_less_than_3(TABLE, "543.11(c)(2)(i)")


def test_543_11_c_2_ii() -> None:
    prove.banker_on_7(TABLE, "543.11(c)(2)(ii)")


def test_543_11_c_2_iii() -> None:
    prove.table_1(TABLE, "543.11(c)(2)(iii)")


def test_543_11_d() -> None:
    prove.rows_are_two_cards(TABLE, "543.11(c)(2)(iii)")


def test_543_11_e() -> None:
    prove.columns_are_third_cards(TABLE, "543.11(c)(2)(iii)")


def test_543_11_f() -> None:
    prove.table_1(TABLE, "543.11(c)(2)(iii)", "D")
    prove.table_1(TABLE, "543.11(c)(2)(iii)", "S")


def test_543_11_g() -> None:
    prove.example_of_the_text(TABLE, "543.11(c)(2)(iii)")


def test_543_12() -> None:
    prove.announced(TABLE, "543.12(a)")
    prove.a_table_settled(TABLE)
    prove.collected_and_paid(TABLE, "543.12(b)")


def test_543_12_a() -> None:
    prove.announced(TABLE, "543.12(a)")


def test_543_12_b() -> None:
    prove.collected_and_paid(TABLE, "543.12(b)")
    prove_winners_in_turn("543", "543.12(b)")
    prove_vigorish_in_turn("543", "543.12(b)", first=True)
    prove_order_of_reports("543", "543.12(b)")
    prove_several_dealers("543", "543.12(b)", each_own=False)


def test_543_13() -> None:
    prove.a_table_settled(TABLE)


def test_543_13_a() -> None:
    prove.player_odds(TABLE, "543.13(a)")


def test_543_13_b() -> None:
    prove.tie_odds(TABLE, "543.13(b)")


def test_543_13_c() -> None:
    prove.vigorish_of_a_win(TABLE, "543.13(c)")


def test_543_13_d() -> None:
    exact_and_rounded = {1050: (52, 55), 100: (5, 5), 120: (6, 10), 1000: (50, 50), 19: (0, 5)}
    prove.vigorish_rounded(TABLE, "543.13(d)", "543.13(c)", 5, "5%", exact_and_rounded)
    exact_and_rounded = {1050: (42, 45), 125: (5, 5), 1000: (40, 40), 1001: (40, 45)}
    prove.vigorish_rounded(TABLE, "543.13(d)", "543.13(c)", 5, "4%", exact_and_rounded)
    # The charge on a tie is rounded too: of $10.50 it is 262.5.
    prove.charge_rounded(TABLE, "543.13(d)", "543.13(f)")
    prove.other_rounding(TABLE, 25, "5%")
    prove.other_rounding(TABLE, 20, "4%")
    prove.rounded_now_so_now_so(TABLE, "543.13(d)", 5, 52, 55)


def test_543_13_e() -> None:
    prove.vigorish_left_owing(TABLE, "543.13(e)")


def test_543_13_f() -> None:
    prove.vigorish_on_a_tie(TABLE, "543.13(f)")


def test_543_14() -> None:
    prove.surplus_third(TABLE, "543.11(b)(2)", "543.14(b)", "543.14(c)")
    prove.void_round(TABLE, "543.14(e)")


def test_543_14_b() -> None:
    prove.surplus_third(TABLE, "543.11(b)(2)", "543.14(b)", "543.14(c)")


def test_543_14_c() -> None:
    prove.disclosed_card(TABLE, "543.14(c)")


def test_543_14_e() -> None:
    prove.void_round(TABLE, "543.14(e)")
    prove.void_round(TABLE, "543.14(e)", vigorish="25% on tie")


def test_543_5_a() -> None:
    prove_shuffled("543", "543.5(a)")


def test_543_5_d() -> None:
    prove_cut("543", "543.5(d)")
    prove_cut_before_loading("543", "543.5(d)")


def test_543_5_e() -> None:
    prove_cut_completed("543", "543.5(e)", cover_card="undetermined")
    prove_cover_card("543", "543.5(e)", 14)


def test_543_4_a() -> None:
    prove_inspection("543", "543.4(a)")
    prove_defects("543", "543.4(a)")
    prove_each_deck("543", "543.4(a)")


def test_543_4_b() -> None:
    prove_spread("543", "543.4(b)")


def test_543_4_c() -> None:
    prove_wash("543", "543.4(c)")


def test_543_4() -> None:
    prove_opening("543", "543.4(a)", "543.4(b)", "543.4(c)")


def test_543_5_a_reported() -> None:
    prove_shuffle("543", "543.5(a)")
    prove_certificate_spares_shuffle_only("543")


def test_543_5_b() -> None:
    prove_shuffle_verified("543", "543.5(b)")


def test_543_5() -> None:
    prove_shuffle_and_cut("543", "543.5(a)", "543.5(d)", "543.5(g)")


def test_543_5_c() -> None:
    prove_cut_order("543", "543.5(c)")


def test_543_5_f() -> None:
    prove_recut("543", "543.5(f)", (5,), 2)
    prove_recut_not_late("543", "543.5(f)", 5)


def test_543_5_g() -> None:
    prove_burn_by_value("543", "543.5(g)", is_shown=True)


def test_543_10_e() -> None:
    prove_last_hand("543", "543.10(e)")
    prove_decks_changed_each_shoe("543", "543.3(b)")


def test_543_3_b() -> None:
    prove_decks_changed_each_shoe("543", "543.3(b)")


def test_543_10_a() -> None:
    prove_point_counts("543", "543.10(a)")


def test_543_2() -> None:
    prove_point("543", "logo", "543.2(c)(1)")
    prove_point("543", "box_places", "543.2(e)")


def test_543_2_c_1() -> None:
    prove_point("543", "logo", "543.2(c)(1)")


def test_543_2_c_2() -> None:
    prove_point("543", "wager_areas", "543.2(c)(2)")


def test_543_2_c_3() -> None:
    prove_point("543", "tie_odds", "543.2(c)(3)")


def test_543_2_c_4() -> None:
    prove_point("543", "vigorish_areas", "543.2(c)(4)")


def test_543_2_c_5() -> None:
    prove_point("543", "card_areas", "543.2(c)(5)")


def test_543_2_d() -> None:
    prove_point("543", "marker_buttons", "543.2(d)")


def test_543_2_e() -> None:
    prove_point("543", "box_places", "543.2(e)")


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


def test_543_9_c_1() -> None:
    prove_side("543", "face_up", "543.9(c)(1)")


def test_543_9_c_2() -> None:
    prove_side("543", "face_down", "543.9(c)(2)")


def test_543_9_c_3() -> None:
    prove_side("543", "players", "543.9(c)(3)")
    prove_tucked("543", "543.9(c)(3)")


def test_543_12_c() -> None:
    prove_cleared("543", "543.12(c)", in_order=False)


def test_543_7() -> None:
    prove_manual_shoe("543", "543.7")


def test_543_2_a() -> None:
    prove_most("543", "positions", 9, "543.2(a)")


def test_543_8_b() -> None:
    prove_verbal_wager_by_dealer("543", "543.8(b)")


def test_543_3_a_decks_received() -> None:
    prove_decks_received("543", "543.3(a)", (6, 7, 8), 2)


def test_543_9_b() -> None:
    prove_bets_closed("543", "543.9(b)")


def test_543_2_c() -> None:
    prove_approved("543", "layout", "543.2(c)")


def test_543_2_b() -> None:
    prove_approved("543", "table_make", "543.2(b)")
