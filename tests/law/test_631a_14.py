"""631a.14: what is done with the cards and devices, as their reports show it."""

from tests.law.curator_proofs import (
    prove_curator_left_before_a_round,
    prove_dealer_keeps_shoe,
    prove_dealer_remains,
    prove_end_of_round_lost,
    prove_loss_after_surplus_third,
    prove_loss_settled,
    prove_loss_unread,
    prove_loss_unsettled,
    prove_newcomer_told,
    prove_no_offers_reported,
    prove_offered_to_all,
    prove_offered_to_who_is_there,
    prove_order_obeyed,
    prove_pass_ordered,
    prove_passed_before_first_card,
    prove_shoe_passed,
    prove_shoe_passed_on_loss,
)


def test_631a_14_b() -> None:
    prove_shoe_passed("631a", "631a.14(b)")
    prove_end_of_round_lost("631a")


def test_631a_14_a_2() -> None:
    prove_pass_ordered("631a", "631a.14(a)(2)")


def test_631a_14() -> None:
    prove_shoe_passed("631a", "631a.14(b)")
    prove_pass_ordered("631a", "631a.14(a)(2)")
    prove_shoe_passed_on_loss("631a", "631a.14(a)(1)")


def test_631a_14_a_1() -> None:
    prove_shoe_passed_on_loss("631a", "631a.14(a)(1)")


def test_631a_14_a_1_where_hands_are_not_settled() -> None:
    prove_loss_unsettled("631a")
    prove_loss_after_surplus_third("631a", is_settled=True)
    prove_loss_settled("631a")
    prove_loss_unread("631a")


def test_631a_14_a_1_where_others_were_offered_the_shoe() -> None:
    prove_offered_to_all("631a")


def test_631a_14_a_1_until_the_first_card() -> None:
    prove_passed_before_first_card("631a")


def test_631a_14_a_1_asks_players_alone() -> None:
    prove_dealer_keeps_shoe("631a")


def test_631a_14_a_2_is_obeyed() -> None:
    prove_order_obeyed("631a", "631a.14(a)(1)", "631a.14(a)(2)")


def test_631a_14_b_to_who_is_there() -> None:
    prove_offered_to_who_is_there("631a", "631a.7(b)", "631a.14(b)", "631a.7(d)(2)")


def test_631a_14_b_without_reports_of_offers() -> None:
    prove_no_offers_reported("631a")


def test_631a_14_b_another_player_in_the_curators_seat() -> None:
    prove_curator_left_before_a_round("631a", "631a.14(b)")


def test_631a_14_b_from_the_dealer() -> None:
    prove_dealer_remains("631a", "631a.14(b)")
    prove_newcomer_told()
