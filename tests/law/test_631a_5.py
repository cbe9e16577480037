"""631a.5: the shuffle, the cut, and the cards burned before play."""

from tests.builders.shoes import prove_shuffled
from tests.law.baccarat_table import BANKER_BY_1, PLAYER_BY_1, audit, bet, owed
from tests.law.cutting import prove_cover_card, prove_cut, prove_cut_before_loading, prove_cut_completed


def test_631a_5_a() -> None:
    prove_shuffled("631a", "631a.5(a)")


def test_631a_5_f() -> None:
    # The card exposed before the first round of a shoe goes to the discard bucket and to no hand.
    burned = [("burn", "9h"), *PLAYER_BY_1]
    concluded = audit(burned, bet("player", 5000))
    assert (concluded.verdict, concluded.outcome) == ("clean", "player")
    assert owed(concluded, "player") == (5000, 0)
    assert audit([("burn", "As"), *BANKER_BY_1], bet("player", 5000)).outcome == "banker"


def test_631a_5_c() -> None:
    prove_cut("631a", "631a.5(c)")
    prove_cut_before_loading("631a", "631a.5(c)")


def test_631a_5_d() -> None:
    prove_cut_completed("631a", "631a.5(d)")
    prove_cover_card("631a", "631a.5(d)", 14)
