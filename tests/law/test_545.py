"""Chapter 545, Baccarat of 2010: a test for each clause that decides cards or money."""

from typing import Final

from tests.builders.shoes import prove_shuffled
from tests.law import baccarat_proofs as prove
from tests.law.blackjack_proofs import prove_verbal_wager_by_dealer
from tests.law.curator_proofs import (
    prove_cards_called,
    prove_dealer_designated,
    prove_pass_ordered,
    prove_point_counts,
    prove_shoe_offered,
    prove_shoe_passed,
    prove_shoe_passed_on_loss,
)
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed
from tests.law.layout_proofs import prove_approved, prove_least, prove_most, prove_point
from tests.law.preparation_proofs import (
    prove_burn_by_value,
    prove_certificate_spares_shuffle_only,
    prove_curator_cuts,
    prove_cut_order,
    prove_decks_changed_each_shoe,
    prove_decks_received,
    prove_defects,
    prove_each_dealer_shuffles,
    prove_each_deck,
    prove_inspection,
    prove_last_hand,
    prove_opening,
    prove_recut,
    prove_recut_not_late,
    prove_shuffle,
    prove_shuffle_and_cut,
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
    prove_no_wager,
    prove_third,
    prove_tucked,
    prove_turn_offered,
)

TABLE: Final = prove.Table("545", prove.OF_2010)


def test_545_1() -> None:
    prove.no_card_after_a_natural(TABLE, "545.11(a)")
    prove.in_force_for_two_years(TABLE, "545.1")


def test_545_3() -> None:
    prove.cards_of_a_shoe(TABLE, "545.3(a)", 7, 7)


def test_545_3_a() -> None:
    prove.decks_admitted(TABLE, [6, 7, 8], [0, 1, 5, 9, 12, 16])
    prove.cards_of_a_shoe(TABLE, "545.3(a)", 6, 6)


def test_545_6() -> None:
    prove.face_values(TABLE)
    prove.tens_are_zero(TABLE)
    prove.an_ace_is_one(TABLE)
    prove.last_digit(TABLE)


def test_545_6_a() -> None:
    prove.face_values(TABLE)
    prove.tens_are_zero(TABLE)
    prove.an_ace_is_one(TABLE)


def test_545_6_a_1() -> None:
    prove.face_values(TABLE)


def test_545_6_a_2() -> None:
    prove.tens_are_zero(TABLE)


def test_545_6_a_3() -> None:
    prove.an_ace_is_one(TABLE)


def test_545_6_b() -> None:
    prove.last_digit(TABLE)


def test_545_6_b_1() -> None:
    prove.ace_2_4(TABLE)


def test_545_6_b_2() -> None:
    prove.ace_2_9(TABLE)


def test_545_8() -> None:
    prove.a_table_settled(TABLE)
    prove.no_late_wager(TABLE, "545.8(c)")


def test_545_8_a() -> None:
    prove.no_other_wager(TABLE, "545.8(a)")


def test_545_8_a_1() -> None:
    prove.banker_wins(TABLE, "545.8(a)(1)(i)")
    prove.banker_loses(TABLE, "545.8(a)(1)(ii)")
    prove.banker_returned(TABLE, "545.8(a)(1)(iii)")


def test_545_8_a_1_i() -> None:
    prove.banker_wins(TABLE, "545.8(a)(1)(i)")


def test_545_8_a_1_ii() -> None:
    prove.banker_loses(TABLE, "545.8(a)(1)(ii)")


def test_545_8_a_1_iii() -> None:
    prove.banker_returned(TABLE, "545.8(a)(1)(iii)")


def test_545_8_a_2() -> None:
    prove.player_wins(TABLE, "545.8(a)(2)(i)")
    prove.player_loses(TABLE, "545.8(a)(2)(ii)")


def test_545_8_a_2_i() -> None:
    prove.player_wins(TABLE, "545.8(a)(2)(i)")


def test_545_8_a_2_ii() -> None:
    prove.player_loses(TABLE, "545.8(a)(2)(ii)")


def test_545_8_a_2_iii() -> None:
    prove.player_returned(TABLE, "545.8(a)(2)(iii)")


def test_545_8_a_3() -> None:
    prove.tie_wins(TABLE, "545.8(a)(3)(i)")
    prove.tie_loses(TABLE, "545.8(a)(3)(ii)")


def test_545_8_a_3_i() -> None:
    prove.tie_wins(TABLE, "545.8(a)(3)(i)")


def test_545_8_a_3_ii() -> None:
    prove.tie_loses(TABLE, "545.8(a)(3)(ii)")


def test_545_8_c() -> None:
    prove.no_late_wager(TABLE, "545.8(c)")


def test_545_9() -> None:
    prove.order_of_four(TABLE, "545.9(c)")


def test_545_9_a() -> None:
    prove.a_table_settled(TABLE)


def test_545_9_c() -> None:
    prove.order_of_four(TABLE, "545.9(c)")


def test_545_10() -> None:
    prove.order_of_thirds(TABLE, "545.10(c)", "545.11(b)(1)")
    prove.one_card_more(TABLE, "545.10(d)")
    prove.player_draws(TABLE, "545.11(b)(1)")


def test_545_10_b() -> None:
    prove.player_draws(TABLE, "545.11(b)(1)")
    prove.table_1(TABLE, "545.11(c)(2)(iii)", "D")


def test_545_10_c() -> None:
    prove.order_of_thirds(TABLE, "545.10(c)", "545.11(b)(1)")


def test_545_10_d() -> None:
    prove.one_card_more(TABLE, "545.10(d)")


def test_545_11() -> None:
    prove.no_card_after_a_natural(TABLE, "545.11(a)")
    prove.player_draws(TABLE, "545.11(b)(1)")
    prove.table_1(TABLE, "545.11(c)(2)(iii)")


def test_545_11_a() -> None:
    prove.no_card_after_a_natural(TABLE, "545.11(a)")


def test_545_11_b() -> None:
    prove.player_draws(TABLE, "545.11(b)(1)")
    prove.player_stays(TABLE, "545.11(b)(2)")


def test_545_11_b_1() -> None:
    prove.player_draws(TABLE, "545.11(b)(1)")


def test_545_11_b_2() -> None:
    prove.player_stays(TABLE, "545.11(b)(2)")


def test_545_11_c() -> None:
    prove.banker_alone(TABLE, "545.11(c)(1)")
    prove.table_1(TABLE, "545.11(c)(2)(iii)")


def test_545_11_c_1() -> None:
    prove.banker_alone(TABLE, "545.11(c)(1)")


def test_545_11_c_2() -> None:
    prove.banker_on_less_than_3(TABLE, "545.11(c)(2)(i)")
    prove.banker_on_7(TABLE, "545.11(c)(2)(ii)")


def test_545_11_c_2_i() -> None:
    prove.banker_on_less_than_3(TABLE, "545.11(c)(2)(i)")


def test_545_11_c_2_ii() -> None:
    prove.banker_on_7(TABLE, "545.11(c)(2)(ii)")


def test_545_11_c_2_iii() -> None:
    prove.table_1(TABLE, "545.11(c)(2)(iii)")


def test_545_11_d() -> None:
    prove.rows_are_two_cards(TABLE, "545.11(c)(2)(iii)")


def test_545_11_e() -> None:
    prove.columns_are_third_cards(TABLE, "545.11(c)(2)(iii)")


def test_545_11_f() -> None:
    prove.table_1(TABLE, "545.11(c)(2)(iii)", "D")
    prove.table_1(TABLE, "545.11(c)(2)(iii)", "S")


def test_545_11_g() -> None:
    prove.example_of_the_text(TABLE, "545.11(c)(2)(iii)")


def test_545_12() -> None:
    prove.announced(TABLE, "545.12(a)")
    prove.a_table_settled(TABLE)
    prove.collected_and_paid(TABLE, "545.12(b)")


def test_545_12_a() -> None:
    prove.announced(TABLE, "545.12(a)")


def test_545_12_b() -> None:
    prove.collected_and_paid(TABLE, "545.12(b)")
    prove_winners_in_turn("545", "545.12(b)")
    prove_vigorish_in_turn("545", "545.12(b)", first=True)
    prove_order_of_reports("545", "545.12(b)")
    prove_several_dealers("545", "545.12(b)", each_own=True)


def test_545_13() -> None:
    prove.a_table_settled(TABLE)


def test_545_13_a() -> None:
    prove.player_odds(TABLE, "545.13(a)")


def test_545_13_b() -> None:
    prove.tie_odds(TABLE, "545.13(b)")


def test_545_13_c() -> None:
    prove.vigorish_of_a_win(TABLE, "545.13(c)")


def test_545_13_d() -> None:
    exact_and_rounded = {1050: (52, 75), 500: (25, 25), 520: (26, 50), 1000: (50, 50), 19: (0, 25)}
    prove.vigorish_rounded(TABLE, "545.13(d)", "545.13(c)", 25, "5%", exact_and_rounded)
    exact_and_rounded = {1050: (42, 60), 500: (20, 20), 1000: (40, 40), 1001: (40, 60), 1525: (61, 80)}
    prove.vigorish_rounded(TABLE, "545.13(d)", "545.13(c)", 20, "4%", exact_and_rounded)
    prove.other_rounding(TABLE, 20, "5%")
    prove.other_rounding(TABLE, 25, "4%")
    prove.rounded_now_so_now_so(TABLE, "545.13(d)", 25, 52, 75)


def test_545_13_e() -> None:
    prove.vigorish_left_owing(TABLE, "545.13(e)")


def test_545_15() -> None:
    prove.surplus_third(TABLE, "545.11(b)(2)", "545.15(b)", "545.15(c)")
    prove.void_round(TABLE, "545.15(e)")


def test_545_15_b() -> None:
    prove.surplus_third(TABLE, "545.11(b)(2)", "545.15(b)", "545.15(c)")


def test_545_15_c() -> None:
    prove.disclosed_card(TABLE, "545.15(c)")


def test_545_15_e() -> None:
    prove.void_round(TABLE, "545.15(e)")


def test_545_5_a() -> None:
    prove_shuffled("545", "545.5(a)")


def test_545_5_c() -> None:
    prove_cut("545", "545.5(c)")
    prove_cut_before_loading("545", "545.5(c)")


def test_545_5_d() -> None:
    prove_cut_completed("545", "545.5(d)")
    prove_cover_card("545", "545.5(d)", 14)


def test_545_4_a() -> None:
    prove_inspection("545", "545.4(a)")
    prove_defects("545", "545.4(a)")
    prove_each_deck("545", "545.4(a)")


def test_545_4_b() -> None:
    prove_spread("545", "545.4(b)")


def test_545_4_c() -> None:
    prove_wash("545", "545.4(c)")


def test_545_4() -> None:
    prove_opening("545", "545.4(a)", "545.4(b)", "545.4(c)")


def test_545_5_a_reported() -> None:
    prove_shuffle("545", "545.5(a)")
    prove_each_dealer_shuffles("545", "545.5(a)")
    prove_certificate_spares_shuffle_only("545")


def test_545_5() -> None:
    prove_shuffle_and_cut("545", "545.5(a)", "545.5(c)", "545.5(f)")


def test_545_5_b() -> None:
    prove_cut_order("545", "545.5(b)")
    prove_curator_cuts("545", "545.5(b)")


def test_545_5_e() -> None:
    prove_recut("545", "545.5(e)", (5,), 2)
    prove_recut_not_late("545", "545.5(e)", 5)


def test_545_5_f() -> None:
    prove_burn_by_value("545", "545.5(f)", is_shown=True)


def test_545_10_e() -> None:
    prove_last_hand("545", "545.10(e)")
    prove_decks_changed_each_shoe("545", "545.3(b)")


def test_545_3_b() -> None:
    prove_decks_changed_each_shoe("545", "545.3(b)")


def test_545_7_b() -> None:
    prove_shoe_offered("545", "545.7(b)", "545.7(d)(2)")


def test_545_7_d_1() -> None:
    prove_dealer_designated("545")


def test_545_7_d_2() -> None:
    prove_shoe_offered("545", "545.7(b)", "545.7(d)(2)")


def test_545_14_b() -> None:
    prove_shoe_passed("545", "545.14(b)")


def test_545_14_a_2() -> None:
    prove_pass_ordered("545", "545.14(a)(2)")


def test_545_9_b() -> None:
    prove_cards_called("545", "545.9(b)")


def test_545_10_a() -> None:
    prove_point_counts("545", "545.10(a)")


def test_545_2() -> None:
    prove_point("545", "logo", "545.2(b)(1)")
    prove_point("545", "box_places", "545.2(d)")


def test_545_2_b_1() -> None:
    prove_point("545", "logo", "545.2(b)(1)")


def test_545_2_b_2() -> None:
    prove_point("545", "wager_areas", "545.2(b)(2)")


def test_545_2_b_3() -> None:
    prove_point("545", "tie_odds", "545.2(b)(3)")


def test_545_2_b_4() -> None:
    prove_point("545", "vigorish_areas", "545.2(b)(4)")


def test_545_2_b_5() -> None:
    prove_point("545", "card_areas", "545.2(b)(5)")


def test_545_2_c() -> None:
    prove_point("545", "marker_buttons", "545.2(c)")


def test_545_2_d() -> None:
    prove_point("545", "box_places", "545.2(d)")


def test_545_2_e() -> None:
    prove_point("545", "discard_bucket", "545.2(e)")


def test_545_9_d_2() -> None:
    prove_highest("545", "545.9(d)(2)", "player")
    prove_point_counts("545", "545.10(a)")


def test_545_9_d_3() -> None:
    prove_highest("545", "545.9(d)(3)", "banker")
    prove_point_counts("545", "545.10(a)")


def test_545_9_d_4() -> None:
    prove_third("545", "545.9(d)(4)", "player")


def test_545_9_d_5() -> None:
    prove_third("545", "545.9(d)(5)", "banker")


def test_545_9_d_6() -> None:
    prove_equal("545", "545.9(d)(6)")


def test_545_9_d_7() -> None:
    prove_no_wager("545", "545.9(d)(7)")


def test_545_9_d_1() -> None:
    prove_tucked("545", "545.9(d)(1)")


def test_545_15_f() -> None:
    prove_turn_offered("545", "545.15(f)")


def test_545_9_d() -> None:
    prove_tucked("545", "545.9(d)(1)")
    prove_highest("545", "545.9(d)(2)", "player")


def test_545_12_c() -> None:
    prove_cleared("545", "545.12(c)", in_order=False)


def test_545_7_a() -> None:
    prove_manual_shoe("545", "545.7(a)")


def test_545_2_a() -> None:
    prove_most("545", "positions", 14, "545.2(a)")
    prove_least("545", "positions", 10, "545.2(a)")


def test_545_8_b() -> None:
    prove_verbal_wager_by_dealer("545", "545.8(b)")


def test_545_3_a_decks_received() -> None:
    prove_decks_received("545", "545.3(a)", (6, 7, 8), 2)


def test_545_7() -> None:
    prove_manual_shoe("545", "545.7(a)")
    prove_shoe_offered("545", "545.7(b)", "545.7(d)(2)")


def test_545_7_d() -> None:
    prove_dealer_designated("545")
    prove_shoe_offered("545", "545.7(b)", "545.7(d)(2)")


def test_545_14() -> None:
    prove_shoe_passed("545", "545.14(b)")
    prove_pass_ordered("545", "545.14(a)(2)")
    prove_shoe_passed_on_loss("545", "545.14(a)(1)")


def test_545_2_b() -> None:
    prove_approved("545", "layout", "545.2(b)")


def test_545_14_a_1() -> None:
    prove_shoe_passed_on_loss("545", "545.14(a)(1)")
