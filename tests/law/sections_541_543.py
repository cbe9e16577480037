"""What Chapters 541 and 543 have in the same words, and Chapter 545 has not, as in `sections_2010`."""

from tests.law import baccarat_proofs as prove
from tests.law import sections_2010
from tests.law.baccarat_proofs import Table
from tests.law.curator_proofs import prove_bets_closed
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed
from tests.law.layout_proofs import prove_approved, prove_point
from tests.law.preparation_proofs import (
    prove_burn_by_value,
    prove_cut_order,
    prove_recut,
    prove_recut_not_late,
    prove_recut_rotation,
    prove_shuffle_and_cut,
    prove_shuffle_verified,
)
from tests.law.settling_proofs import (
    prove_order_of_reports,
    prove_several_dealers,
    prove_vigorish_in_turn,
    prove_winners_in_turn,
)
from tests.law.turning_proofs import prove_side


def section_8_a_1(table: Table) -> None:
    prove.banker_wins(table, table.cite("8(a)(1)(i)"))
    prove.banker_loses(table, table.cite("8(a)(1)(ii)"))
    prove.banker_returned(table, table.cite("8(a)(1)(iii)(A)"))
    prove.charged_on_a_tie(table, table.cite("8(a)(1)(iii)(B)"))
    prove.of_its_own_text(table, "banker", table.cite("8(a)(1)"))


def section_8_a_1_iii(table: Table) -> None:
    prove.banker_returned(table, table.cite("8(a)(1)(iii)(A)"))
    prove.charged_on_a_tie(table, table.cite("8(a)(1)(iii)(B)"))


def section_8_a_1_iii_a(table: Table) -> None:
    prove.banker_returned(table, table.cite("8(a)(1)(iii)(A)"))


def section_8_a_1_iii_b(table: Table) -> None:
    prove.charged_on_a_tie(table, table.cite("8(a)(1)(iii)(B)"))


def section_12_b(table: Table) -> None:
    prove.collected_and_paid(table, table.cite("12(b)"))
    prove_winners_in_turn(table.chapter, table.cite("12(b)"))
    prove_vigorish_in_turn(table.chapter, table.cite("12(b)"), first=True)
    prove_order_of_reports(table.chapter, table.cite("12(b)"))
    prove_several_dealers(table.chapter, table.cite("12(b)"), each_own=False)


def section_13(table: Table) -> None:
    sections_2010.section_13(table)
    section_13_d(table)
    section_13_f(table)


def section_13_c(table: Table) -> None:
    prove.vigorish_of_a_win(table, table.cite("13(c)"))
    # "Except as otherwise provided in subsection (f)": then none is taken of a win.
    prove.vigorish_on_a_tie(table, table.cite("13(f)"))


def section_13_d(table: Table) -> None:
    exact_and_rounded = {1050: (52, 55), 100: (5, 5), 120: (6, 10), 1000: (50, 50), 19: (0, 5)}
    prove.vigorish_rounded(table, table.cite("13(d)"), table.cite("13(c)"), 5, "5%", exact_and_rounded)
    exact_and_rounded = {1050: (42, 45), 125: (5, 5), 1000: (40, 40), 1001: (40, 45)}
    prove.vigorish_rounded(table, table.cite("13(d)"), table.cite("13(c)"), 5, "4%", exact_and_rounded)
    # The charge on a tie is rounded too: of $10.50 it is 262.5.
    prove.charge_rounded(table, table.cite("13(d)"), table.cite("13(f)"))
    prove.other_rounding(table, table.cite("13(d)"), "5%", 1, 10, 20, 25)
    prove.other_rounding(table, table.cite("13(d)"), "4%", 1, 10, 20, 25)
    prove.rounded_now_so_now_so(table, table.cite("13(d)"), 5, 52, 55)


def section_13_f(table: Table) -> None:
    prove.vigorish_on_a_tie(table, table.cite("13(f)"))


def section_14(table: Table) -> None:
    prove.surplus_third(table, table.cite("11(b)(2)"), table.cite("14(b)"), table.cite("14(c)"))
    prove.disclosed_card(table, table.cite("14(c)"))
    prove.void_round(table, table.cite("14(e)"))


def section_14_b(table: Table) -> None:
    prove.surplus_third(table, table.cite("11(b)(2)"), table.cite("14(b)"), table.cite("14(c)"))


def section_14_c(table: Table) -> None:
    prove.surplus_third(table, table.cite("11(b)(2)"), table.cite("14(b)"), table.cite("14(c)"))
    prove.disclosed_card(table, table.cite("14(c)"))


def section_14_e(table: Table) -> None:
    prove.void_round(table, table.cite("14(e)"))
    prove.void_round(table, table.cite("14(e)"), vigorish="25% on tie")


def section_5_d(table: Table) -> None:
    prove_cut(table.chapter, table.cite("5(d)"))
    prove_cut_before_loading(table.chapter, table.cite("5(d)"))


def section_5_e(table: Table) -> None:
    prove_cut_completed(table.chapter, table.cite("5(e)"), cover_card="undetermined")
    prove_cover_card(table.chapter, table.cite("5(e)"), 14)


def section_5_b(table: Table) -> None:
    prove_shuffle_verified(table.chapter, table.cite("5(b)"))


def section_5(table: Table) -> None:
    prove_shuffle_and_cut(table.chapter, table.cite("5(a)"), table.cite("5(d)"), table.cite("5(g)"))


def section_5_c(table: Table) -> None:
    prove_cut_order(table.chapter, table.cite("5(c)"))


def section_5_f(table: Table) -> None:
    prove_recut(table.chapter, table.cite("5(f)"), (5,), 2)
    prove_recut_rotation(table.chapter, table.cite("5(f)"), 7, 5, 2)
    prove_recut_not_late(table.chapter, table.cite("5(f)"), 5)


def section_5_g(table: Table) -> None:
    prove_burn_by_value(table.chapter, table.cite("5(g)"), is_shown=True)


def section_2(table: Table) -> None:
    prove_point(table.chapter, "logo", table.cite("2(c)(1)"))
    prove_point(table.chapter, "box_places", table.cite("2(e)"))


def section_2_c_1(table: Table) -> None:
    prove_point(table.chapter, "logo", table.cite("2(c)(1)"))


def section_2_c_2(table: Table) -> None:
    prove_point(table.chapter, "wager_areas", table.cite("2(c)(2)"))


def section_2_c_3(table: Table) -> None:
    prove_point(table.chapter, "tie_odds", table.cite("2(c)(3)"))


def section_2_c_4(table: Table) -> None:
    prove_point(table.chapter, "vigorish_areas", table.cite("2(c)(4)"))


def section_2_c_5(table: Table) -> None:
    prove_point(table.chapter, "card_areas", table.cite("2(c)(5)"))


def section_2_d(table: Table) -> None:
    prove_point(table.chapter, "marker_buttons", table.cite("2(d)"))


def section_2_e(table: Table) -> None:
    prove_point(table.chapter, "box_places", table.cite("2(e)"))


def section_9_c(table: Table) -> None:
    sections_2010.section_9_c(table)
    section_9_c_1(table)
    section_9_c_2(table)


def section_9_c_1(table: Table) -> None:
    prove_side(table.chapter, "face_up", table.cite("9(c)(1)"))


def section_9_c_2(table: Table) -> None:
    prove_side(table.chapter, "face_down", table.cite("9(c)(2)"))


def section_9_b(table: Table) -> None:
    prove_bets_closed(table.chapter, table.cite("9(b)"))


def section_2_c(table: Table) -> None:
    prove_approved(table.chapter, "layout", table.cite("2(c)"))


def section_2_b(table: Table) -> None:
    prove_approved(table.chapter, "table_make", table.cite("2(b)"))
