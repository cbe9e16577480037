"""Chapter 627a, Minibaccarat, as 43 Pa.B. 834 prints it: a test for each clause that decides cards or money.

What is not printed is read from Chapters 541 and 631a, and cites them.
"""

from datetime import UTC, datetime
from typing import Final

from tests.law import baccarat_proofs as prove
from tests.law import side_wager_proofs as side
from tests.law.baccarat_table import BANKER_BY_1, audit, bet, checks, owed
from tests.law.blackjack_proofs import prove_verbal_wager_by_dealer
from tests.law.layout_proofs import prove_approved, prove_point

TABLE: Final = prove.Table("627a", prove.OF_2013)


def test_627a_7() -> None:
    side.house_money_wins(TABLE, "627a.7(a)(7)(i)")
    side.house_money_loses(TABLE, "627a.7(a)(7)(ii)")
    prove.no_late_wager(TABLE, "627a.7(c)")


def test_627a_7_a() -> None:
    side.no_such_wager(TABLE, "627a.7(a)")


def test_627a_7_a_7() -> None:
    side.house_money_offered(TABLE, "627a.7(a)(7)")


def test_627a_7_a_7_i() -> None:
    side.house_money_wins(TABLE, "627a.7(a)(7)(i)")


def test_627a_7_a_7_ii() -> None:
    side.house_money_loses(TABLE, "627a.7(a)(7)(ii)")


def test_627a_7_c() -> None:
    prove.no_late_wager(TABLE, "627a.7(c)")


def test_627a_8() -> None:
    side.house_money_before_third_cards(TABLE, "627a.8(d)")


def test_627a_8_d() -> None:
    side.house_money_before_third_cards(TABLE, "627a.8(d)")


def test_627a_8_d_1() -> None:
    side.house_money_taken_or_added(TABLE, "627a.8(d)(1)", "627a.7(a)(7)(ii)")


def test_627a_8_d_1_i() -> None:
    side.house_money_joins_the_wager(TABLE, "627a.8(d)(1)(i)")


def test_627a_8_d_2() -> None:
    side.house_money_before_third_cards(TABLE, "627a.8(d)")


def test_627a_12() -> None:
    side.house_money_odds(TABLE, "627a.12(g)")
    side.ez_baccarat(TABLE, "627a.12(f)")


def test_627a_12_f() -> None:
    side.ez_baccarat(TABLE, "627a.12(f)")


def test_627a_12_g() -> None:
    side.house_money_odds(TABLE, "627a.12(g)")


def test_627a_reads_541_hands() -> None:
    prove.order_of_four(TABLE, "541.9(c)")
    prove.order_of_thirds(TABLE, "541.10(c)", "541.11(b)(1)")
    prove.one_card_more(TABLE, "541.10(d)")
    prove.face_values(TABLE)


def test_627a_reads_541_11() -> None:
    prove.no_card_after_a_natural(TABLE, "541.11(a)")
    prove.player_draws(TABLE, "541.11(b)(1)")
    prove.player_stays(TABLE, "541.11(b)(2)")
    prove.banker_alone(TABLE, "541.11(c)(1)")
    prove.banker_on_less_than_3(TABLE, "541.11(c)(2)(i)")
    prove.banker_on_7(TABLE, "541.11(c)(2)(ii)")
    prove.table_1(TABLE, "541.11(c)(2)(iii)")


def test_627a_reads_541_8() -> None:
    prove.banker_wins(TABLE, "541.8(a)(1)(i)")
    prove.banker_loses(TABLE, "541.8(a)(1)(ii)")
    prove.banker_returned(TABLE, "541.8(a)(1)(iii)(A)")
    prove.charged_on_a_tie(TABLE, "541.8(a)(1)(iii)(B)")
    prove.player_wins(TABLE, "541.8(a)(2)(i)")
    prove.player_loses(TABLE, "541.8(a)(2)(ii)")
    prove.player_returned(TABLE, "541.8(a)(2)(iii)")
    prove.tie_wins(TABLE, "541.8(a)(3)(i)")
    prove.tie_loses(TABLE, "541.8(a)(3)(ii)")


def test_627a_reads_541_12() -> None:
    prove.announced(TABLE, "541.12(a)")
    prove.collected_and_paid(TABLE, "541.12(b)")


def test_627a_reads_541_13() -> None:
    prove.player_odds(TABLE, "541.13(a)")
    prove.tie_odds(TABLE, "541.13(b)")
    prove.vigorish_of_a_win(TABLE, "541.13(c)")
    prove.charge_rounded(TABLE, "541.13(d)", "541.13(f)")
    prove.vigorish_left_owing(TABLE, "541.13(e)")
    prove.vigorish_on_a_tie(TABLE, "541.13(f)")
    side.coupon_counts_on_a_tie(TABLE)
    side.house_money_vigorish(TABLE, "541.13(c)")


def test_627a_reads_541_14() -> None:
    prove.surplus_third(TABLE, "541.11(b)(2)", "541.14(b)", "541.14(c)")
    prove.disclosed_card(TABLE, "541.14(c)")
    prove.void_round(TABLE, "541.14(e)", vigorish="25% on tie")


def test_627a_reads_541_3() -> None:
    prove.decks_admitted(TABLE, [6, 7, 8, 12, 14, 16], [5, 9, 13, 18])
    prove.cards_of_a_shoe(TABLE, "541.3(a)", 16, 8)


def test_627a_reads_631a_ez() -> None:
    side.ez_baccarat(TABLE, "627a.12(f)")
    side.ez_takes_no_vigorish(TABLE)
    side.ez_calls(TABLE)
    side.not_offered(TABLE)


def test_627a_reads_631a_dragon_bonus() -> None:
    side.dragon_bonus(TABLE)
    side.refused(TABLE)


def test_627a_in_force_from_its_printing() -> None:
    before = audit(BANKER_BY_1, bet("banker"), at=datetime(2013, 2, 8, 20, tzinfo=UTC), chapter="627a")
    assert (checks(before), owed(before, "banker")) == (["not_in_force"], (None, None))
    first = audit(BANKER_BY_1, bet("banker"), at=datetime(2013, 2, 9, 20, tzinfo=UTC), chapter="627a")
    assert (first.verdict, owed(first, "banker")) == ("clean", (10_000, 500))


def test_627a_2() -> None:
    prove_point("627a", "house_money_areas", "627a.2(b)(7)", option="house_money")


def test_627a_2_b_7() -> None:
    prove_point("627a", "house_money_areas", "627a.2(b)(7)", option="house_money")


def test_627a_2_b_8() -> None:
    prove_point("627a", "vigorish_areas", "627a.2(b)(8)", option="vigorish_deferred")


def test_627a_7_b() -> None:
    prove_verbal_wager_by_dealer("627a", "627a.7(b)")


def test_627a_2_b() -> None:
    prove_approved("627a", "layout", "627a.2(b)")
