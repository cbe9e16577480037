"""What Chapters 541, 543 and 545 have in the same words, a function a section that proves it of any of them.

`baccarat_proofs.sections_of` names them for each chapter: `section_8_c` is `test_541_8_c` in `test_541.py`.
"""

from tests.builders.shoes import prove_shuffled
from tests.law import baccarat_proofs as prove
from tests.law.baccarat_proofs import Table
from tests.law.blackjack_proofs import prove_verbal_wager_by_dealer
from tests.law.curator_proofs import prove_called_seven, prove_point_counts
from tests.law.preparation_proofs import (
    prove_decks_received,
    prove_defects,
    prove_each_deck,
    prove_inspection,
    prove_opening,
    prove_spread,
    prove_wash,
)


def section_1(table: Table) -> None:
    prove.no_card_after_a_natural(table, table.cite("11(a)"))
    prove.in_force_for_two_years(table, table.cite("1"))


def section_3(table: Table) -> None:
    prove.cards_of_a_shoe(table, table.cite("3(a)"), 7, 7)


def section_6(table: Table) -> None:
    prove.face_values(table)
    prove.tens_are_zero(table)
    prove.an_ace_is_one(table)
    prove.last_digit(table)


def section_6_a(table: Table) -> None:
    prove.face_values(table)
    prove.tens_are_zero(table)
    prove.an_ace_is_one(table)


def section_6_a_1(table: Table) -> None:
    prove.face_values(table)
    for seven in ("2c 5c", "3c 4c", "6c Ac", "7c Kc", "8c 9c"):
        prove_called_seven(table.chapter, table.cite("10(a)"), seven)


def section_6_a_2(table: Table) -> None:
    prove.tens_are_zero(table)
    for ten in "TJQK":
        prove_called_seven(table.chapter, table.cite("10(a)"), f"7c {ten}c")


def section_6_a_3(table: Table) -> None:
    prove.an_ace_is_one(table)
    prove_called_seven(table.chapter, table.cite("10(a)"), "Ac 6c")


def section_6_b(table: Table) -> None:
    prove.last_digit(table)
    prove_called_seven(table.chapter, table.cite("10(a)"), "9c 8c")


def section_6_b_1(table: Table) -> None:
    prove.ace_2_4(table)


def section_6_b_2(table: Table) -> None:
    prove.ace_2_9(table)


def section_8(table: Table) -> None:
    prove.a_table_settled(table)
    prove.no_late_wager(table, table.cite("8(c)"))


def section_8_a(table: Table) -> None:
    prove.no_other_wager(table, table.cite("8(a)"))


def section_8_a_1_i(table: Table) -> None:
    prove.banker_wins(table, table.cite("8(a)(1)(i)"))


def section_8_a_1_ii(table: Table) -> None:
    prove.banker_loses(table, table.cite("8(a)(1)(ii)"))


def section_8_a_2(table: Table) -> None:
    prove.player_wins(table, table.cite("8(a)(2)(i)"))
    prove.player_loses(table, table.cite("8(a)(2)(ii)"))
    prove.player_returned(table, table.cite("8(a)(2)(iii)"))
    prove.of_its_own_text(table, "player", table.cite("8(a)(2)"))


def section_8_a_2_i(table: Table) -> None:
    prove.player_wins(table, table.cite("8(a)(2)(i)"))


def section_8_a_2_ii(table: Table) -> None:
    prove.player_loses(table, table.cite("8(a)(2)(ii)"))


def section_8_a_2_iii(table: Table) -> None:
    prove.player_returned(table, table.cite("8(a)(2)(iii)"))


def section_8_a_3(table: Table) -> None:
    prove.tie_wins(table, table.cite("8(a)(3)(i)"))
    prove.tie_loses(table, table.cite("8(a)(3)(ii)"))
    prove.of_its_own_text(table, "tie", table.cite("8(a)(3)"))


def section_8_a_3_i(table: Table) -> None:
    prove.tie_wins(table, table.cite("8(a)(3)(i)"))


def section_8_a_3_ii(table: Table) -> None:
    prove.tie_loses(table, table.cite("8(a)(3)(ii)"))


def section_8_c(table: Table) -> None:
    prove.no_late_wager(table, table.cite("8(c)"))


def section_9(table: Table) -> None:
    prove.order_of_four(table, table.cite("9(c)"))


def section_9_a(table: Table) -> None:
    prove.two_hands(table)


def section_9_c(table: Table) -> None:
    prove.order_of_four(table, table.cite("9(c)"))


def section_10(table: Table) -> None:
    prove.order_of_thirds(table, table.cite("10(c)"), table.cite("11(b)(1)"))
    prove.one_card_more(table, table.cite("10(d)"))
    prove.player_draws(table, table.cite("11(b)(1)"))


def section_10_b(table: Table) -> None:
    prove.player_draws(table, table.cite("11(b)(1)"))
    prove.table_1(table, table.cite("11(c)(2)(iii)"), "D")


def section_10_c(table: Table) -> None:
    prove.order_of_thirds(table, table.cite("10(c)"), table.cite("11(b)(1)"))


def section_10_d(table: Table) -> None:
    prove.one_card_more(table, table.cite("10(d)"))


def section_11(table: Table) -> None:
    prove.no_card_after_a_natural(table, table.cite("11(a)"))
    section_11_b(table)
    section_11_c(table)
    prove.columns_are_third_cards(table, table.cite("11(c)(2)(iii)"))


def section_11_a(table: Table) -> None:
    prove.no_card_after_a_natural(table, table.cite("11(a)"))


def section_11_b(table: Table) -> None:
    prove.player_draws(table, table.cite("11(b)(1)"))
    prove.player_stays(table, table.cite("11(b)(2)"))


def section_11_b_1(table: Table) -> None:
    prove.player_draws(table, table.cite("11(b)(1)"))


def section_11_b_2(table: Table) -> None:
    prove.player_stays(table, table.cite("11(b)(2)"))


def section_11_c(table: Table) -> None:
    prove.banker_alone(table, table.cite("11(c)(1)"))
    section_11_c_2(table)


def section_11_c_1(table: Table) -> None:
    prove.banker_alone(table, table.cite("11(c)(1)"))


def section_11_c_2(table: Table) -> None:
    prove.banker_on_less_than_3(table, table.cite("11(c)(2)(i)"))
    prove.banker_on_7(table, table.cite("11(c)(2)(ii)"))
    prove.table_1(table, table.cite("11(c)(2)(iii)"))


def section_11_c_2_i(table: Table) -> None:
    prove.banker_on_less_than_3(table, table.cite("11(c)(2)(i)"))


def section_11_c_2_ii(table: Table) -> None:
    prove.banker_on_7(table, table.cite("11(c)(2)(ii)"))


def section_11_c_2_iii(table: Table) -> None:
    prove.table_1(table, table.cite("11(c)(2)(iii)"))


def section_11_d(table: Table) -> None:
    prove.rows_are_two_cards(table, table.cite("11(c)(2)(iii)"))


def section_11_e(table: Table) -> None:
    prove.columns_are_third_cards(table, table.cite("11(c)(2)(iii)"))
    prove.table_1(table, table.cite("11(c)(2)(iii)"))


def section_11_f(table: Table) -> None:
    prove.table_1(table, table.cite("11(c)(2)(iii)"), "D")
    prove.table_1(table, table.cite("11(c)(2)(iii)"), "S")


def section_11_g(table: Table) -> None:
    prove.example_of_the_text(table, table.cite("11(c)(2)(iii)"))


def section_12(table: Table) -> None:
    prove.announced(table, table.cite("12(a)"))
    prove.a_table_settled(table)
    prove.collected_and_paid(table, table.cite("12(b)"))


def section_12_a(table: Table) -> None:
    prove.announced(table, table.cite("12(a)"))


def section_13(table: Table) -> None:
    prove.a_table_settled(table)
    prove.tie_odds(table, table.cite("13(b)"))
    prove.vigorish_of_a_win(table, table.cite("13(c)"))


def section_13_a(table: Table) -> None:
    prove.player_odds(table, table.cite("13(a)"))


def section_13_b(table: Table) -> None:
    prove.tie_odds(table, table.cite("13(b)"))


def section_13_c(table: Table) -> None:
    prove.vigorish_of_a_win(table, table.cite("13(c)"))


def section_13_e(table: Table) -> None:
    prove.vigorish_left_owing(table, table.cite("13(e)"))


def section_5_a(table: Table) -> None:
    prove_shuffled(table.chapter, table.cite("5(a)"))


def section_4_a(table: Table) -> None:
    prove_inspection(table.chapter, table.cite("4(a)"))
    prove_defects(table.chapter, table.cite("4(a)"))
    prove_each_deck(table.chapter, table.cite("4(a)"))


def section_4_b(table: Table) -> None:
    prove_spread(table.chapter, table.cite("4(b)"))


def section_4_c(table: Table) -> None:
    prove_wash(table.chapter, table.cite("4(c)"))


def section_4(table: Table) -> None:
    prove_opening(table.chapter, table.cite("4(a)"), table.cite("4(b)"), table.cite("4(c)"))


def section_10_a(table: Table) -> None:
    prove_point_counts(table.chapter, table.cite("10(a)"))


def section_8_b(table: Table) -> None:
    prove_verbal_wager_by_dealer(table.chapter, table.cite("8(b)"))


def section_3_a_decks_received(table: Table) -> None:
    prove_decks_received(table.chapter, table.cite("3(a)"), (6, 7, 8), 2)
