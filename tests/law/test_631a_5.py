"""631a.5: the shuffle, the cut, and the cards burned before play."""

from tests.law.baccarat_table import BANKER_BY_1, PLAYER_BY_1, audit, bet, owed


def test_631a_5_f() -> None:
    # The card exposed before the first round of a shoe goes to the discard bucket and to no hand.
    burned = [("burn", "9h"), *PLAYER_BY_1]
    concluded = audit(burned, bet("player", 5000))
    assert (concluded.verdict, concluded.outcome) == ("clean", "player")
    assert owed(concluded, "player") == (5000, 0)
    assert audit([("burn", "As"), *BANKER_BY_1], bet("player", 5000)).outcome == "banker"
