"""Chapter 541, Minibaccarat of 2010: a test for each clause that decides cards or money."""

from typing import Final

from tests.builders.shoes import prove_shuffled
from tests.law import baccarat_proofs as prove
from tests.law.blackjack_proofs import prove_verbal_wager_by_dealer
from tests.law.curator_proofs import prove_bets_closed, prove_point_counts
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed
from tests.law.layout_proofs import prove_approved, prove_most, prove_point
from tests.law.preparation_proofs import (
    prove_batch_stored,
    prove_batches_alternate,
    prove_batches_colored,
    prove_burn_by_value,
    prove_certificate_spares_shuffle_only,
    prove_cut_order,
    prove_decks,
    prove_decks_changed_after,
    prove_decks_received,
    prove_defects,
    prove_each_batch_apart,
    prove_each_deck,
    prove_idle_exchanged,
    prove_idle_spread,
    prove_idle_washed,
    prove_inspection,
    prove_last_hand,
    prove_opening,
    prove_rack_of_one_batch,
    prove_recut,
    prove_recut_not_late,
    prove_shuffle,
    prove_shuffle_after_shoe,
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
from tests.law.turning_proofs import prove_cleared, prove_manual_shoe, prove_shuffling_shoe, prove_side

TABLE: Final = prove.Table("541", prove.OF_2010)


def test_541_1() -> None:
    prove.no_card_after_a_natural(TABLE, "541.11(a)")
    prove.in_force_for_two_years(TABLE, "541.1")


def test_541_3() -> None:
    prove.cards_of_a_shoe(TABLE, "541.3(a)", 7, 7)


def test_541_3_a() -> None:
    prove.decks_admitted(TABLE, [6, 7, 8], [0, 1, 5, 9])
    prove.cards_of_a_shoe(TABLE, "541.3(a)", 6, 6)


def test_541_3_b() -> None:
    prove.decks_admitted(TABLE, [12, 14, 16], [10, 11, 13, 15, 17, 18])
    prove.cards_of_a_shoe(TABLE, "541.3(a)", 12, 6)


def test_541_3_b_2() -> None:
    # Of sixteen decks eight are in the shoe.
    prove.cards_of_a_shoe(TABLE, "541.3(a)", 16, 8)


def test_541_6() -> None:
    prove.face_values(TABLE)
    prove.tens_are_zero(TABLE)
    prove.an_ace_is_one(TABLE)
    prove.last_digit(TABLE)


def test_541_6_a() -> None:
    prove.face_values(TABLE)
    prove.tens_are_zero(TABLE)
    prove.an_ace_is_one(TABLE)


def test_541_6_a_1() -> None:
    prove.face_values(TABLE)


def test_541_6_a_2() -> None:
    prove.tens_are_zero(TABLE)


def test_541_6_a_3() -> None:
    prove.an_ace_is_one(TABLE)


def test_541_6_b() -> None:
    prove.last_digit(TABLE)


def test_541_6_b_1() -> None:
    prove.ace_2_4(TABLE)


def test_541_6_b_2() -> None:
    prove.ace_2_9(TABLE)


def test_541_8() -> None:
    prove.a_table_settled(TABLE)
    prove.no_late_wager(TABLE, "541.8(c)")


def test_541_8_a() -> None:
    prove.no_other_wager(TABLE, "541.8(a)")


def test_541_8_a_1() -> None:
    prove.banker_wins(TABLE, "541.8(a)(1)(i)")
    prove.banker_loses(TABLE, "541.8(a)(1)(ii)")
    prove.banker_returned(TABLE, "541.8(a)(1)(iii)(A)")


def test_541_8_a_1_i() -> None:
    prove.banker_wins(TABLE, "541.8(a)(1)(i)")


def test_541_8_a_1_ii() -> None:
    prove.banker_loses(TABLE, "541.8(a)(1)(ii)")


def test_541_8_a_1_iii() -> None:
    prove.banker_returned(TABLE, "541.8(a)(1)(iii)(A)")
    prove.charged_on_a_tie(TABLE, "541.8(a)(1)(iii)(B)")


def test_541_8_a_1_iii_a() -> None:
    prove.banker_returned(TABLE, "541.8(a)(1)(iii)(A)")


def test_541_8_a_1_iii_b() -> None:
    prove.charged_on_a_tie(TABLE, "541.8(a)(1)(iii)(B)")


def test_541_8_a_2() -> None:
    prove.player_wins(TABLE, "541.8(a)(2)(i)")
    prove.player_loses(TABLE, "541.8(a)(2)(ii)")


def test_541_8_a_2_i() -> None:
    prove.player_wins(TABLE, "541.8(a)(2)(i)")


def test_541_8_a_2_ii() -> None:
    prove.player_loses(TABLE, "541.8(a)(2)(ii)")


def test_541_8_a_2_iii() -> None:
    prove.player_returned(TABLE, "541.8(a)(2)(iii)")


def test_541_8_a_3() -> None:
    prove.tie_wins(TABLE, "541.8(a)(3)(i)")
    prove.tie_loses(TABLE, "541.8(a)(3)(ii)")


def test_541_8_a_3_i() -> None:
    prove.tie_wins(TABLE, "541.8(a)(3)(i)")


def test_541_8_a_3_ii() -> None:
    prove.tie_loses(TABLE, "541.8(a)(3)(ii)")


def test_541_8_c() -> None:
    prove.no_late_wager(TABLE, "541.8(c)")


def test_541_9() -> None:
    prove.order_of_four(TABLE, "541.9(c)")


def test_541_9_a() -> None:
    prove.a_table_settled(TABLE)


def test_541_9_c() -> None:
    prove.order_of_four(TABLE, "541.9(c)")


def test_541_10() -> None:
    prove.order_of_thirds(TABLE, "541.10(c)", "541.11(b)(1)")
    prove.one_card_more(TABLE, "541.10(d)")
    prove.player_draws(TABLE, "541.11(b)(1)")


def test_541_10_b() -> None:
    prove.player_draws(TABLE, "541.11(b)(1)")
    prove.table_1(TABLE, "541.11(c)(2)(iii)", "D")


def test_541_10_c() -> None:
    prove.order_of_thirds(TABLE, "541.10(c)", "541.11(b)(1)")


def test_541_10_d() -> None:
    prove.one_card_more(TABLE, "541.10(d)")


def test_541_11() -> None:
    prove.no_card_after_a_natural(TABLE, "541.11(a)")
    prove.player_draws(TABLE, "541.11(b)(1)")
    prove.table_1(TABLE, "541.11(c)(2)(iii)")


def test_541_11_a() -> None:
    prove.no_card_after_a_natural(TABLE, "541.11(a)")


def test_541_11_b() -> None:
    prove.player_draws(TABLE, "541.11(b)(1)")
    prove.player_stays(TABLE, "541.11(b)(2)")


def test_541_11_b_1() -> None:
    prove.player_draws(TABLE, "541.11(b)(1)")


def test_541_11_b_2() -> None:
    prove.player_stays(TABLE, "541.11(b)(2)")


def test_541_11_c() -> None:
    prove.banker_alone(TABLE, "541.11(c)(1)")
    prove.table_1(TABLE, "541.11(c)(2)(iii)")


def test_541_11_c_1() -> None:
    prove.banker_alone(TABLE, "541.11(c)(1)")


def test_541_11_c_2() -> None:
    prove.banker_on_less_than_3(TABLE, "541.11(c)(2)(i)")
    prove.banker_on_7(TABLE, "541.11(c)(2)(ii)")


def test_541_11_c_2_i() -> None:
    prove.banker_on_less_than_3(TABLE, "541.11(c)(2)(i)")


def test_541_11_c_2_ii() -> None:
    prove.banker_on_7(TABLE, "541.11(c)(2)(ii)")


def test_541_11_c_2_iii() -> None:
    prove.table_1(TABLE, "541.11(c)(2)(iii)")


def test_541_11_d() -> None:
    prove.rows_are_two_cards(TABLE, "541.11(c)(2)(iii)")


def test_541_11_e() -> None:
    prove.columns_are_third_cards(TABLE, "541.11(c)(2)(iii)")


def test_541_11_f() -> None:
    prove.table_1(TABLE, "541.11(c)(2)(iii)", "D")
    prove.table_1(TABLE, "541.11(c)(2)(iii)", "S")


def test_541_11_g() -> None:
    prove.example_of_the_text(TABLE, "541.11(c)(2)(iii)")


def test_541_12() -> None:
    prove.announced(TABLE, "541.12(a)")
    prove.a_table_settled(TABLE)
    prove.collected_and_paid(TABLE, "541.12(b)")


def test_541_12_a() -> None:
    prove.announced(TABLE, "541.12(a)")


def test_541_12_b() -> None:
    prove.collected_and_paid(TABLE, "541.12(b)")
    prove_winners_in_turn("541", "541.12(b)")
    prove_vigorish_in_turn("541", "541.12(b)", first=True)
    prove_order_of_reports("541", "541.12(b)")
    prove_several_dealers("541", "541.12(b)", each_own=False)


def test_541_13() -> None:
    prove.a_table_settled(TABLE)


def test_541_13_a() -> None:
    prove.player_odds(TABLE, "541.13(a)")


def test_541_13_b() -> None:
    prove.tie_odds(TABLE, "541.13(b)")


def test_541_13_c() -> None:
    prove.vigorish_of_a_win(TABLE, "541.13(c)")


def test_541_13_d() -> None:
    exact_and_rounded = {1050: (52, 55), 100: (5, 5), 120: (6, 10), 1000: (50, 50), 19: (0, 5)}
    prove.vigorish_rounded(TABLE, "541.13(d)", "541.13(c)", 5, "5%", exact_and_rounded)
    exact_and_rounded = {1050: (42, 45), 125: (5, 5), 1000: (40, 40), 1001: (40, 45)}
    prove.vigorish_rounded(TABLE, "541.13(d)", "541.13(c)", 5, "4%", exact_and_rounded)
    # The charge on a tie is rounded too: of $10.50 it is 262.5.
    prove.charge_rounded(TABLE, "541.13(d)", "541.13(f)")
    prove.other_rounding(TABLE, 25, "5%")
    prove.other_rounding(TABLE, 20, "4%")
    prove.rounded_now_so_now_so(TABLE, "541.13(d)", 5, 52, 55)


def test_541_13_e() -> None:
    prove.vigorish_left_owing(TABLE, "541.13(e)")


def test_541_13_f() -> None:
    prove.vigorish_on_a_tie(TABLE, "541.13(f)")


def test_541_14() -> None:
    prove.surplus_third(TABLE, "541.11(b)(2)", "541.14(b)", "541.14(c)")
    prove.void_round(TABLE, "541.14(e)")


def test_541_14_b() -> None:
    prove.surplus_third(TABLE, "541.11(b)(2)", "541.14(b)", "541.14(c)")


def test_541_14_c() -> None:
    prove.disclosed_card(TABLE, "541.14(c)")


def test_541_14_e() -> None:
    prove.void_round(TABLE, "541.14(e)")
    prove.void_round(TABLE, "541.14(e)", vigorish="25% on tie")


def test_541_5_a() -> None:
    prove_shuffled("541", "541.5(a)")


def test_541_5_d() -> None:
    prove_cut("541", "541.5(d)")
    prove_cut_before_loading("541", "541.5(d)")


def test_541_5_e() -> None:
    prove_cut_completed("541", "541.5(e)", cover_card="undetermined")
    prove_cover_card("541", "541.5(e)", 14)


def test_541_4_a() -> None:
    prove_inspection("541", "541.4(a)")
    prove_defects("541", "541.4(a)")
    prove_each_deck("541", "541.4(a)")


def test_541_4_b() -> None:
    prove_spread("541", "541.4(b)")


def test_541_4_c() -> None:
    prove_wash("541", "541.4(c)")


def test_541_4() -> None:
    prove_opening("541", "541.4(a)", "541.4(b)", "541.4(c)")


def test_541_4_d() -> None:
    prove_each_batch_apart("541", "541.4(a)")


def test_541_5_a_reported() -> None:
    prove_shuffle("541", "541.5(a)")
    prove_certificate_spares_shuffle_only("541")
    prove_shuffle_after_shoe("541", "541.5(a)")


def test_541_5_b() -> None:
    prove_shuffle_verified("541", "541.5(b)")


def test_541_5() -> None:
    prove_shuffle_and_cut("541", "541.5(a)", "541.5(d)", "541.5(g)")


def test_541_5_c() -> None:
    prove_cut_order("541", "541.5(c)")


def test_541_5_f() -> None:
    prove_recut("541", "541.5(f)", (5,), 2)
    prove_recut_not_late("541", "541.5(f)", 5)


def test_541_5_g() -> None:
    prove_burn_by_value("541", "541.5(g)", is_shown=True)


def test_541_10_e() -> None:
    prove_last_hand("541", "541.10(e)")
    prove_shuffle_after_shoe("541", "541.5(a)")


def test_541_3_c() -> None:
    prove_decks_changed_after("541", "541.3(c)", 4)


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


def test_541_10_a() -> None:
    prove_point_counts("541", "541.10(a)")


def test_541_2() -> None:
    prove_point("541", "logo", "541.2(c)(1)")
    prove_point("541", "box_places", "541.2(e)")


def test_541_2_c_1() -> None:
    prove_point("541", "logo", "541.2(c)(1)")


def test_541_2_c_2() -> None:
    prove_point("541", "wager_areas", "541.2(c)(2)")


def test_541_2_c_3() -> None:
    prove_point("541", "tie_odds", "541.2(c)(3)")


def test_541_2_c_4() -> None:
    prove_point("541", "vigorish_areas", "541.2(c)(4)")


def test_541_2_c_5() -> None:
    prove_point("541", "card_areas", "541.2(c)(5)")


def test_541_2_d() -> None:
    prove_point("541", "marker_buttons", "541.2(d)")


def test_541_2_e() -> None:
    prove_point("541", "box_places", "541.2(e)")


def test_541_2_f() -> None:
    prove_point("541", "discard_rack", "541.2(f)")


def test_541_9_c_1() -> None:
    prove_side("541", "face_up", "541.9(c)(1)")


def test_541_9_c_2() -> None:
    prove_side("541", "face_down", "541.9(c)(2)")


def test_541_12_c() -> None:
    prove_cleared("541", "541.12(c)", in_order=True)


def test_541_7() -> None:
    prove_manual_shoe("541", "541.7", "541.15")


def test_541_15() -> None:
    prove_manual_shoe("541", "541.7", "541.15")
    prove_shuffling_shoe("541", "541.5(d)")


def test_541_2_a() -> None:
    prove_most("541", "positions", 7, "541.2(a)")


def test_541_8_b() -> None:
    prove_verbal_wager_by_dealer("541", "541.8(b)")


def test_541_3_a_decks_received() -> None:
    prove_decks_received("541", "541.3(a)", (6, 7, 8), 2)


def test_541_9_b() -> None:
    prove_bets_closed("541", "541.9(b)")


def test_541_2_c() -> None:
    prove_approved("541", "layout", "541.2(c)")


def test_541_2_b() -> None:
    prove_approved("541", "table_make", "541.2(b)")
