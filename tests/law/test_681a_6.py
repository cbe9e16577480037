"""681a.6: the wagers, how they win, and when they are made."""

import pytest

from tests.law.baccarat21_table import audit, checks, cited, owed, owed_by
from tests.law.baccarat_table import NO_MORE_BETS, deal

PLAYER_19: str = "Kc 9c"
BANKER_18: str = "Kd 8d"


def test_681a_6() -> None:
    named = [("player", 100), ("banker", 100), ("tie", 100), ("bonus_player", 100), ("bonus_banker", 100)]
    assert audit(deal(PLAYER_19, BANKER_18), *named).verdict == "clean"
    for other in ("dragon_7", "house_money", "insurance", "bonus", "pair"):
        concluded = audit(deal(PLAYER_19, BANKER_18), (other, 100))
        assert checks(concluded) == [("wager_not_permitted", "")]
        assert cited(concluded) == {"681a.6(c)", "681a.6(d)"}
        assert concluded.findings[0].message == (
            f"the text knows no wager {other!r}; it has player, banker, tie, bonus_player, bonus_banker"
        )
        assert owed(concluded) == {other: None}


@pytest.mark.parametrize("move", ["place", "increase", "reduce"])
@pytest.mark.parametrize("wager", ["player", "banker", "tie", "bonus_player", "bonus_banker"])
def test_681a_6_b(wager: str, move: str) -> None:
    said = ("seat1", f"{move} {wager}")
    late = audit([NO_MORE_BETS, said, *deal(PLAYER_19, BANKER_18)], (wager, 100))
    assert checks(late) == [("late_wager", "")]
    assert cited(late) == {"681a.6(b)"}
    assert owed(late) == {wager: None}
    assert audit([said, NO_MORE_BETS, *deal(PLAYER_19, BANKER_18)], (wager, 100)).verdict == "clean"


def test_681a_6_c() -> None:
    both = audit(deal(PLAYER_19, BANKER_18), ("player", 100), ("banker", 200))
    assert (both.verdict, owed(both)) == ("clean", {"player": 100, "banker": -200})


# Two hands, and which of them is the better one.
HIGHER_OF_TWO = [("Kc 9c", "Kd 8d"), ("Ac Tc", "Kd Qd"), ("Tc 6c 5c", "Kd Td"), ("2c 3c 4c", "2d 3d 3h")]
LOWER_OVER_21 = [("9c 7c 6c", "Td 6d 8d"), ("Tc 6c 9c", "Td 6d Kd"), ("Tc 2c Kc", "Td 3d Kd")]


@pytest.mark.parametrize(("better", "worse"), HIGHER_OF_TWO)
def test_681a_6_c_1(better: str, worse: str) -> None:
    assert owed(audit(deal(better, worse), ("player", 1000))) == {"player": 1000}
    assert owed(audit(deal(worse, better), ("player", 1000))) == {"player": -1000}


def test_681a_6_c_1_i() -> None:
    assert owed(audit(deal("Tc 6c 5c", "Kd Td"), ("player", 1000))) == {"player": 1000}  # 21 is 21 or less
    assert owed(audit(deal("Tc 6c 6d", "Kd Td"), ("player", 1000))) == {"player": -1000}  # 22 is not


@pytest.mark.parametrize(("better", "worse"), LOWER_OVER_21)
def test_681a_6_c_1_ii(better: str, worse: str) -> None:
    assert owed(audit(deal(better, worse), ("player", 1000))) == {"player": 1000}
    assert owed(audit(deal(worse, better), ("player", 1000))) == {"player": -1000}


@pytest.mark.parametrize(("better", "worse"), HIGHER_OF_TWO)
def test_681a_6_c_2(better: str, worse: str) -> None:
    assert owed(audit(deal(worse, better), ("banker", 1000))) == {"banker": 1000}
    assert owed(audit(deal(better, worse), ("banker", 1000))) == {"banker": -1000}


def test_681a_6_c_2_i() -> None:
    assert owed(audit(deal("Kc Tc", "Td 6d 5d"), ("banker", 1000))) == {"banker": 1000}
    assert owed(audit(deal("Kc Tc", "Td 6d 6h"), ("banker", 1000))) == {"banker": -1000}


@pytest.mark.parametrize(("better", "worse"), LOWER_OVER_21)
def test_681a_6_c_2_ii(better: str, worse: str) -> None:
    assert owed(audit(deal(worse, better), ("banker", 1000))) == {"banker": 1000}
    assert owed(audit(deal(better, worse), ("banker", 1000))) == {"banker": -1000}


def test_681a_6_d() -> None:
    offered = [("player", 100), ("tie", 100), ("bonus_player", 100), ("bonus_banker", 100)]
    concluded = audit(deal("Qc Qd", "Kd Kh"), *offered)
    assert (concluded.verdict, owed(concluded)) == (
        "clean",
        {"player": 0, "tie": 1000, "bonus_player": 300, "bonus_banker": 300},
    )


def test_681a_6_d_1() -> None:
    assert owed_by(["681a.7(k)(1)(i)"], deal("Kc 9c", "Ad 8d"), "tie", 100) == 1000  # 19 and 19
    assert owed_by(["681a.7(k)(1)(ii)"], deal("Kc 9c", "Ad 9d"), "tie", 100) == -100
    # Two aces are worth 12 and tie no other 12.
    assert owed_by(["681a.7(k)(1)(ii)"], deal("Ac Ad", "Td 2d"), "tie", 100) == -100
    assert owed_by(["681a.7(k)(1)(i)"], deal("Ac Ad", "Ah As"), "tie", 100) == 1000
    assert owed_by(["681a.7(k)(1)(i)"], deal("Ac Ad", "Td 2d"), "tie", 100, ace_ace_tie="value") == 1000


def test_681a_6_d_2() -> None:
    assert owed_by(["681a.7(k)(2)(i)"], deal("9c 9d", "Kd 8d"), "bonus_player", 100) == 300
    assert owed_by(["681a.7(k)(2)(ii)"], deal("Kc 8c", "9d 9h"), "bonus_player", 100) == -100


def test_681a_6_d_3() -> None:
    assert owed_by(["681a.7(k)(3)(i)"], deal("Kc 8c", "9d 9h"), "bonus_banker", 100) == 300
    assert owed_by(["681a.7(k)(3)(ii)"], deal("9c 9d", "Kd 8d"), "bonus_banker", 100) == -100
