"""631a.5: the shuffle, the cut, and the cards burned before play."""

from tests.builders.shoes import prove_shuffled
from tests.law.baccarat_table import BANKER_BY_1, PLAYER_BY_1, audit, bet, owed
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed
from tests.law.preparation_proofs import (
    prove_burn_by_value,
    prove_curator_cuts,
    prove_cut_order,
    prove_each_dealer_shuffles,
    prove_recut,
    prove_recut_not_late,
    prove_recut_rotation,
    prove_shuffle,
    prove_shuffle_and_cut,
)


def test_631a_5_a() -> None:
    prove_shuffled("631a", "631a.5(a)")


def test_631a_5_f() -> None:
    # The card exposed before the first round of a shoe goes to the discard bucket and to no hand.
    burned = [("burn", "9h"), *PLAYER_BY_1]
    concluded = audit(burned, bet("player", 5000))
    assert (concluded.verdict, concluded.outcome) == ("clean", "player")
    assert owed(concluded, "player") == (5000, 0)
    assert audit([("burn", "As"), *BANKER_BY_1], bet("player", 5000)).outcome == "banker"
    prove_burn_by_value("631a", "631a.5(f)", is_shown=False)


def test_631a_5_c() -> None:
    prove_cut("631a", "631a.5(c)")
    prove_cut_before_loading("631a", "631a.5(c)")


def test_631a_5_d() -> None:
    prove_cut_completed("631a", "631a.5(d)")
    prove_cover_card("631a", "631a.5(d)", 14)


def test_631a_5_a_reported() -> None:
    prove_shuffle("631a", "631a.5(a)")
    prove_each_dealer_shuffles("631a", "631a.5(a)")


def test_631a_5() -> None:
    prove_shuffle_and_cut("631a", "631a.5(a)", "631a.5(c)", "631a.5(f)")


def test_631a_5_b() -> None:
    prove_cut_order("631a", "631a.5(b)")
    prove_curator_cuts("631a", "631a.5(b)")


def test_631a_5_e() -> None:
    prove_recut("631a", "631a.5(e)", (5,), 2)
    prove_recut_rotation("631a", "631a.5(e)", 7, 5, 2)
    prove_recut_not_late("631a", "631a.5(e)", 5)
