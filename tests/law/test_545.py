"""Chapter 545, Baccarat of 2010: a test for each clause that decides cards or money."""

from typing import Final

from tests.law import baccarat_proofs as prove
from tests.law import sections_2010
from tests.law.curator_proofs import (
    prove_cards_called,
    prove_curator_left_before_a_round,
    prove_dealer_designated,
    prove_dealer_keeps_shoe,
    prove_dealer_remains,
    prove_loss_after_surplus_third,
    prove_loss_settled,
    prove_loss_unread,
    prove_loss_unsettled,
    prove_no_offers_reported,
    prove_offered_to_all,
    prove_offered_to_who_is_there,
    prove_order_obeyed,
    prove_pass_ordered,
    prove_passed_before_first_card,
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
    prove_each_dealer_shuffles,
    prove_last_hand,
    prove_recut,
    prove_recut_not_late,
    prove_recut_rotation,
    prove_shuffle,
    prove_shuffle_and_cut,
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

# The sections whose words it shares: test_545_1 and so on.
globals().update(prove.sections_of(TABLE, sections_2010))


def test_545_3_a() -> None:
    prove.decks_admitted(TABLE, [6, 7, 8], [0, 1, 5, 9, 12, 16])
    prove.cards_of_a_shoe(TABLE, "545.3(a)", 6, 6)


def test_545_8_a_1() -> None:
    prove.banker_wins(TABLE, "545.8(a)(1)(i)")
    prove.banker_loses(TABLE, "545.8(a)(1)(ii)")
    prove.banker_returned(TABLE, "545.8(a)(1)(iii)")
    prove.of_its_own_text(TABLE, "banker", "545.8(a)(1)")


def test_545_8_a_1_iii() -> None:
    prove.banker_returned(TABLE, "545.8(a)(1)(iii)")


def test_545_12_b() -> None:
    prove.collected_and_paid(TABLE, "545.12(b)")
    prove_winners_in_turn("545", "545.12(b)")
    prove_vigorish_in_turn("545", "545.12(b)", first=True)
    prove_order_of_reports("545", "545.12(b)")
    prove_several_dealers("545", "545.12(b)", each_own=True)


def test_545_13() -> None:
    sections_2010.section_13(TABLE)
    prove_rounding()


def test_545_13_d() -> None:
    prove_rounding()


def prove_rounding() -> None:
    exact_and_rounded = {1050: (52, 75), 500: (25, 25), 520: (26, 50), 1000: (50, 50), 19: (0, 25)}
    prove.vigorish_rounded(TABLE, "545.13(d)", "545.13(c)", 25, "5%", exact_and_rounded)
    exact_and_rounded = {1050: (42, 60), 500: (20, 20), 1000: (40, 40), 1001: (40, 60), 1525: (61, 80)}
    prove.vigorish_rounded(TABLE, "545.13(d)", "545.13(c)", 20, "4%", exact_and_rounded)
    prove.other_rounding(TABLE, "545.13(d)", "5%", 1, 5, 20, 50)
    prove.other_rounding(TABLE, "545.13(d)", "4%", 1, 5, 10, 25)
    prove.rounded_now_so_now_so(TABLE, "545.13(d)", 25, 52, 75)


def test_545_15() -> None:
    prove.surplus_third(TABLE, "545.11(b)(2)", "545.15(b)", "545.15(c)")
    prove.disclosed_card(TABLE, "545.15(c)")
    prove.void_round(TABLE, "545.15(e)")


def test_545_15_b() -> None:
    prove.surplus_third(TABLE, "545.11(b)(2)", "545.15(b)", "545.15(c)")


def test_545_15_c() -> None:
    prove.disclosed_card(TABLE, "545.15(c)")
    prove.surplus_third(TABLE, "545.11(b)(2)", "545.15(b)", "545.15(c)")


def test_545_15_e() -> None:
    prove.void_round(TABLE, "545.15(e)")


def test_545_5_c() -> None:
    prove_cut("545", "545.5(c)")
    prove_cut_before_loading("545", "545.5(c)")


def test_545_5_d() -> None:
    prove_cut_completed("545", "545.5(d)")
    prove_cover_card("545", "545.5(d)", 14)


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
    prove_recut_rotation("545", "545.5(e)", 7, 5, 2)
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


def test_545_14_a_1_where_hands_are_not_settled() -> None:
    prove_loss_unsettled("545")
    prove_loss_after_surplus_third("545", is_settled=False)
    prove_loss_settled("545")
    prove_loss_unread("545")


def test_545_14_a_1_where_others_were_offered_the_shoe() -> None:
    prove_offered_to_all("545")


def test_545_14_a_1_until_the_first_card() -> None:
    prove_passed_before_first_card("545")


def test_545_14_a_1_asks_players_alone() -> None:
    prove_dealer_keeps_shoe("545")


def test_545_14_a_2_is_obeyed() -> None:
    prove_order_obeyed("545", "545.14(a)(1)", "545.14(a)(2)")


def test_545_14_b_to_who_is_there() -> None:
    prove_offered_to_who_is_there("545", "545.7(b)", "545.14(b)", "545.7(d)(2)")


def test_545_14_b_without_reports_of_offers() -> None:
    prove_no_offers_reported("545")


def test_545_14_b_another_player_in_the_curators_seat() -> None:
    prove_curator_left_before_a_round("545", "545.14(b)")


def test_545_14_b_from_the_dealer() -> None:
    prove_dealer_remains("545", "545.14(b)")
