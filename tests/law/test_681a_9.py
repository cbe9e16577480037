"""681a.9: cards found face up, and cards drawn by accident."""

import pytest

from tests.law.baccarat21_table import audit, checks, cited, owed
from tests.law.baccarat_table import deal
from tests.law.preparation_proofs import prove_broken_shuffler, prove_jam


def test_681a_9() -> None:
    # What went to the discard rack belongs to no hand.
    play = [("discard", "9h"), *deal("Tc 7c", "9d 8d"), ("discard", "4h")]
    concluded = audit(play, ("player", 1000), ("tie", 100))
    assert (concluded.verdict, owed(concluded)) == ("clean", {"player": 0, "tie": 1000})


@pytest.mark.parametrize("place", range(7))
def test_681a_9_a(place: int) -> None:
    play = deal("9c 7c 4c", "Td 6d 3d")
    play.insert(place, ("discard", "5h"))
    concluded = audit(play, ("player", 1000))
    assert (concluded.verdict, owed(concluded)) == ("clean", {"player": 1000})


@pytest.mark.parametrize("hand", ["Tc 7c", "9c 8c", "Ac 6c"])
def test_681a_9_b(hand: str) -> None:
    for player, banker, who in ((f"{hand} 4c", "9d 8d", "player"), ("9d 8d", f"{hand} 4c", "banker")):
        concluded = audit(deal(player, banker), ("player", 1000), ("tie", 100))
        assert checks(concluded) == [("hand_drew_wrongly", who)]
        assert cited(concluded) == {"681a.7(g)", "681a.9(b)"}
        assert owed(concluded) == {"player": 0, "tie": 1000}


def test_681a_9_b_more_than_17() -> None:
    concluded = audit(deal("Tc 8c 3c", "9d 9h"), ("player", 1000))
    assert checks(concluded) == [("hand_drew_wrongly", "player")]
    assert cited(concluded) == {"681a.7(g)"}
    assert owed(concluded) == {"player": 0}


def test_681a_9_c() -> None:
    prove_jam("681a", "681a.9(c)")


def test_681a_9_d() -> None:
    prove_broken_shuffler("681a", "681a.9(d)", is_removed=False)
