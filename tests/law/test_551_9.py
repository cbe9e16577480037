"""551.9: surrender."""

from typing import Final

import pytest

from tests.law.spanish21_table import audit, cites, found, gain, owed, stands_on

INSURED = ("1 wager 1000", "1 insurance 500")
# What a player may not have had or said before he surrenders, and the stakes of it.
DECIDED: Final[list[tuple[str, tuple[str, ...]]]] = [
    ("1:2c", ()),
    ("1:stand", ()),
    ("1:double 1:2c", ("1 double_down 1000",)),
    ("1:draw", ()),
]


def test_551_9() -> None:
    assert gain("1:Kd D:9c 1:6s D:Kh 1:surrender") == -500
    for before, stakes in DECIDED:
        test_551_9_a_first_decision(before, stakes)


@pytest.mark.parametrize("cents", [2, 500, 1001, 1])
def test_551_9_a(cents: int) -> None:
    assert gain("1:Kd D:9c 1:6s D:Kh 1:surrender", f"1 wager {cents}") == -(cents // 2)
    # Any two cards, those too that would have won: 4, 11, a pair of 8s, a soft 16, 20, a Blackjack.
    for one, two in ("22", "56", "88", "A5", "KQ", "AK"):
        assert gain(f"1:{one}d D:9c 1:{two}s D:Kh 1:surrender", f"1 wager {cents}") == -(cents // 2)
    for before, stakes in DECIDED:
        test_551_9_a_first_decision(before, stakes)
    test_551_9_a_split()


@pytest.mark.parametrize(("before", "stakes"), DECIDED)
def test_551_9_a_first_decision(before: str, stakes: tuple[str, ...]) -> None:
    concluded = audit(f"1:3d D:9c 1:6s D:Kh {before} 1:surrender", "1 wager 1000", *stakes)
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert "551.9(a)" in cites(concluded)
    assert set(owed(concluded).values()) == {None}


def test_551_9_a_split() -> None:
    play = "1:8d D:9c 1:8s D:Kh 1:split 1:7d 1:stand 1.2:6d 1.2:surrender"
    concluded = audit(play, "1 wager 1000", "1.2 wager 1000")
    assert found(concluded) == [("decision_not_allowed", "seat1.2")]
    assert owed(concluded) == {"1 wager": -1000, "1.2 wager": None}


@pytest.mark.parametrize("up", "23456789")
def test_551_9_a_1(up: str) -> None:
    assert stands_on("551.9(a)(1)", f"1:Kd D:{up}c 1:6s D:Kh 1:surrender") == -500


@pytest.mark.parametrize("up", "AJQK")
def test_551_9_a_2(up: str) -> None:
    assert stands_on("551.9(a)(2)", f"1:Kd D:{up}c 1:6s D:9h 1:surrender") == -500
    hole = "Kh" if up == "A" else "Ah"
    assert stands_on("551.9(a)(2)", f"1:Kd D:{up}c 1:6s D:{hole} 1:surrender") == -1000


@pytest.mark.parametrize(("hole", "wager", "insurance"), [("Kh", -1000, 1000), ("9h", -500, -500)])
def test_551_9_b(hole: str, wager: int, insurance: int) -> None:
    due = owed(audit(f"1:Kd D:Ac 1:6s D:{hole} 1:surrender", *INSURED))
    assert due == {"1 wager": wager, "1 insurance": insurance}
