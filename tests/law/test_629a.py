"""Chapter 629a, Midibaccarat, as 43 Pa.B. 834 prints it: a test for each clause that decides cards or money.

What is not printed is read from Chapters 543 and 631a, and cites them.
"""

from datetime import UTC, datetime
from typing import Final

from tests.law import baccarat_proofs as prove
from tests.law import side_wager_proofs as side
from tests.law.baccarat_table import BANKER_BY_1, audit, bet, checks, owed
from tests.law.blackjack_proofs import prove_verbal_wager_by_dealer
from tests.law.layout_proofs import prove_approved, prove_point
from tests.law.turning_proofs import prove_equal, prove_third

TABLE: Final = prove.Table("629a", prove.OF_2013)


def test_629a_7() -> None:
    side.house_money_wins(TABLE, "629a.7(a)(7)(i)")
    side.house_money_loses(TABLE, "629a.7(a)(7)(ii)")
    prove.no_late_wager(TABLE, "629a.7(c)")


def test_629a_7_a() -> None:
    side.no_such_wager(TABLE, "629a.7(a)")


def test_629a_7_a_7() -> None:
    side.house_money_offered(TABLE, "629a.7(a)(7)")


def test_629a_7_a_7_i() -> None:
    side.house_money_wins(TABLE, "629a.7(a)(7)(i)")


def test_629a_7_a_7_ii() -> None:
    side.house_money_loses(TABLE, "629a.7(a)(7)(ii)")


def test_629a_7_c() -> None:
    prove.no_late_wager(TABLE, "629a.7(c)")


def test_629a_8() -> None:
    prove.order_of_four(TABLE, "629a.8(c)")
    side.house_money_before_third_cards(TABLE, "629a.8(c)(3)")


def test_629a_8_c() -> None:
    prove.order_of_four(TABLE, "629a.8(c)")


def test_629a_8_c_3() -> None:
    side.house_money_before_third_cards(TABLE, "629a.8(c)(3)")


def test_629a_8_c_3_i() -> None:
    side.house_money_taken_or_added(TABLE, "629a.8(c)(3)(i)", "629a.7(a)(7)(ii)")


def test_629a_8_c_3_i_a() -> None:
    side.house_money_joins_the_wager(TABLE, "629a.8(c)(3)(i)(A)")


def test_629a_8_c_3_ii() -> None:
    side.house_money_before_third_cards(TABLE, "629a.8(c)(3)")


def test_629a_12() -> None:
    side.house_money_odds(TABLE, "629a.12(h)")


def test_629a_12_h() -> None:
    side.house_money_odds(TABLE, "629a.12(h)")


def test_629a_reads_543_hands() -> None:
    prove.order_of_four(TABLE, "629a.8(c)")
    prove.order_of_thirds(TABLE, "543.10(c)", "543.11(b)(1)")
    prove.one_card_more(TABLE, "543.10(d)")
    prove.face_values(TABLE)


def test_629a_reads_543_11() -> None:
    prove.no_card_after_a_natural(TABLE, "543.11(a)")
    prove.player_draws(TABLE, "543.11(b)(1)")
    prove.player_stays(TABLE, "543.11(b)(2)")
    prove.banker_alone(TABLE, "543.11(c)(1)")
    prove.banker_on_less_than_3(TABLE, "543.11(c)(2)(i)")
    prove.banker_on_7(TABLE, "543.11(c)(2)(ii)")
    prove.table_1(TABLE, "543.11(c)(2)(iii)")


def test_629a_reads_543_8() -> None:
    prove.banker_wins(TABLE, "543.8(a)(1)(i)")
    prove.banker_loses(TABLE, "543.8(a)(1)(ii)")
    prove.banker_returned(TABLE, "543.8(a)(1)(iii)(A)")
    prove.charged_on_a_tie(TABLE, "543.8(a)(1)(iii)(B)")
    prove.player_wins(TABLE, "543.8(a)(2)(i)")
    prove.player_loses(TABLE, "543.8(a)(2)(ii)")
    prove.player_returned(TABLE, "543.8(a)(2)(iii)")
    prove.tie_wins(TABLE, "543.8(a)(3)(i)")
    prove.tie_loses(TABLE, "543.8(a)(3)(ii)")


def test_629a_reads_543_12() -> None:
    prove.announced(TABLE, "543.12(a)")
    prove.collected_and_paid(TABLE, "543.12(b)")


def test_629a_reads_543_13() -> None:
    prove.player_odds(TABLE, "543.13(a)")
    prove.tie_odds(TABLE, "543.13(b)")
    prove.vigorish_of_a_win(TABLE, "543.13(c)")
    prove.charge_rounded(TABLE, "543.13(d)", "543.13(f)")
    prove.vigorish_left_owing(TABLE, "543.13(e)")
    prove.vigorish_on_a_tie(TABLE, "543.13(f)")
    side.coupon_counts_on_a_tie(TABLE)
    side.house_money_vigorish(TABLE, "543.13(c)")


def test_629a_reads_543_14() -> None:
    prove.surplus_third(TABLE, "543.11(b)(2)", "543.14(b)", "543.14(c)")
    prove.disclosed_card(TABLE, "543.14(c)")
    prove.void_round(TABLE, "543.14(e)", vigorish="25% on tie")


def test_629a_reads_543_3() -> None:
    prove.decks_admitted(TABLE, [6, 7, 8], [5, 9, 12])
    prove.cards_of_a_shoe(TABLE, "543.3(a)", 7, 7)


def test_629a_reads_631a_ez() -> None:
    side.ez_baccarat(TABLE, "631a.13(f)")
    side.ez_takes_no_vigorish(TABLE)
    side.ez_calls(TABLE)
    side.not_offered(TABLE)


def test_629a_reads_631a_dragon_bonus() -> None:
    side.dragon_bonus(TABLE)
    side.refused(TABLE)


def test_629a_in_force_from_its_printing() -> None:
    before = audit(BANKER_BY_1, bet("banker"), at=datetime(2013, 2, 8, 20, tzinfo=UTC), chapter="629a")
    assert (checks(before), owed(before, "banker")) == (["not_in_force"], (None, None))
    first = audit(BANKER_BY_1, bet("banker"), at=datetime(2013, 2, 9, 20, tzinfo=UTC), chapter="629a")
    assert (first.verdict, owed(first, "banker")) == ("clean", (10_000, 500))


def test_629a_2() -> None:
    prove_point("629a", "house_money_areas", "629a.2(b)(7)", option="house_money")


def test_629a_2_b_7() -> None:
    prove_point("629a", "house_money_areas", "629a.2(b)(7)", option="house_money")


def test_629a_2_b_8() -> None:
    prove_point("629a", "vigorish_areas", "629a.2(b)(8)", option="vigorish_deferred")


def test_629a_8_c_4() -> None:
    prove_third("629a", "629a.8(c)(4)", "player")


def test_629a_8_c_5() -> None:
    prove_third("629a", "629a.8(c)(5)", "banker")


def test_629a_8_c_6() -> None:
    prove_equal("629a", "629a.8(c)(6)")


def test_629a_7_b() -> None:
    prove_verbal_wager_by_dealer("629a", "629a.7(b)")


def test_629a_2_b() -> None:
    prove_approved("629a", "layout", "629a.2(b)")
