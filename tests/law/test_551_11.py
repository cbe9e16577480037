"""551.11: doubling and rescue; 551.12: splitting pairs."""

from typing import Final

import pytest

from tests.law.spanish21_table import audit, cites, found, owed, stands_on

DOUBLED: Final = ("1 wager 1000", "1 double_down 1000")
SPLIT: Final = ("1 wager 1000", "1.2 wager 1000")
NOTHING: Final = {"1 wager": None, "1 double_down": None}


def hand(more: str, *, one: str = "6d", two: str = "5s", up: str = "9c", hole: str = "Kh") -> str:
    """Deal 6-5 to seat 1 against a dealer's 19, and what follows."""
    return f"1:{one} D:{up} 1:{two} D:{hole} {more}"


def test_551_11() -> None:
    assert owed(audit(hand("1:double 1:9d"), *DOUBLED)) == {"1 wager": 1000, "1 double_down": 1000}


@pytest.mark.parametrize("before", ["", "1:2c ", "1:2c 1:2d ", "1:2c 1:2d 1:2s 1:3c "])
def test_551_11_a(before: str) -> None:
    concluded = audit(hand(f"{before}1:double 1:Ad"), *DOUBLED)
    assert concluded.findings == ()
    assert None not in owed(concluded).values()


@pytest.mark.parametrize(
    "play",
    [
        hand("1:double 1:9d", one="Kd", two="As"),  # a Blackjack
        hand("1:Kc 1:double 1:9d"),  # a 21
        hand("1:9c 1:2d 1:double 1:9d"),  # over 21
        hand("1:stand 1:double 1:9d"),
        hand("1:surrender 1:double 1:9d"),
        hand("1:2c 1:double 1:2d 1:double 1:9d"),
    ],
)
def test_551_11_a_not(play: str) -> None:
    concluded = audit(play, *DOUBLED)
    if "surrender" in play:
        assert found(concluded) == [("hand_drew_wrongly", "seat1")]
        return
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert "551.11(a)" in cites(concluded)
    assert owed(concluded) == NOTHING


@pytest.mark.parametrize(
    ("double", "findings"), [(1, []), (999, []), (1000, []), (1001, ["double_too_high"])]
)
def test_551_11_a_stake(double: int, findings: list[str]) -> None:
    concluded = audit(hand("1:double 1:9d"), "1 wager 1000", f"1 double_down {double}")
    assert [finding.check for finding in concluded.findings] == findings
    assert owed(concluded) == {"1 wager": 1000, "1 double_down": None if findings else double}


def test_551_11_a_no_stake_and_no_double() -> None:
    assert found(audit(hand("1:double 1:9d"))) == [("stake_missing", "seat1")]
    concluded = audit(hand("1:9d 1:stand"), *DOUBLED)
    assert found(concluded) == [("wager_not_permitted", "seat1")]
    assert owed(concluded) == {"1 wager": 1000, "1 double_down": None}


def test_551_11_a_one_card() -> None:
    none = audit(hand("1:double"), *DOUBLED)
    assert found(none) == [("card_missing", "seat1")]
    assert owed(none) == NOTHING
    two = audit(hand("1:double 1:7d 1:2c"), *DOUBLED)
    assert found(two) == [("hand_drew_wrongly", "seat1")]
    assert owed(two) == {"1 wager": -1000, "1 double_down": -1000}


def test_551_11_b() -> None:
    cards = "1:6s D:9c 1:7s D:9h 1:double 1:8s"
    assert stands_on("551.11(b)", cards, *DOUBLED, wager="1 double_down") == 1000
    assert stands_on("551.6(g)", cards, *DOUBLED) == 1000


def test_551_11_c() -> None:
    for last in ("9d", "2d"):
        cards = hand(f"1:double 1:{last}", up="Ac")
        assert stands_on("551.11(c)", cards, *DOUBLED, wager="1 double_down") == 0
        assert owed(audit(cards, *DOUBLED))["1 wager"] == -1000


@pytest.mark.parametrize("last", ["2d", "8d", "9d", "Kd"])
def test_551_11_d(last: str) -> None:
    cards = hand(f"1:double 1:{last} 1:rescue")
    assert stands_on("551.11(d)", cards, *DOUBLED) == -1000
    assert stands_on("551.11(d)", cards, *DOUBLED, wager="1 double_down") == 0


@pytest.mark.parametrize(
    "play",
    [
        hand("1:double 1:Kc 1:rescue", one="9d"),  # over 21
        hand("1:double 1:rescue"),  # before the card
        hand("1:2c 1:rescue"),  # no double
    ],
)
def test_551_11_d_not(play: str) -> None:
    concluded = audit(play, *(DOUBLED if "double" in play else ["1 wager 1000"]))
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert "551.11(d)" in cites(concluded)
    assert set(owed(concluded).values()) == {None}


def pair(one: str, two: str, *, up: str = "9c", hole: str = "Kh") -> str:
    """Split two cards; one hand comes to K and stands, the other to a 9 and stands."""
    return f"1:{one} D:{up} 1:{two} D:{hole} 1:split 1:Kd 1:stand 1.2:9d 1.2:stand"


def test_551_12() -> None:
    assert owed(audit(pair("8d", "8s"), *SPLIT)) == {"1 wager": -1000, "1.2 wager": -1000}


@pytest.mark.parametrize(
    ("one", "two", "allowed"),
    [("8d", "8s", True), ("Kd", "Jc", True), ("Ad", "As", True), ("9d", "8s", False), ("Ad", "Ks", False)],
)
def test_551_12_a(one: str, two: str, allowed: bool) -> None:  # noqa: FBT001  a case of the table
    concluded = audit(pair(one, two), *SPLIT)
    if allowed:
        assert concluded.findings == ()
        assert None not in owed(concluded).values()
        return
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert "551.12(a)" in cites(concluded)
    assert owed(concluded) == {"1 wager": None, "1.2 wager": None}


@pytest.mark.parametrize(
    ("stake", "findings"), [(1000, []), (999, ["split_stake_differs"]), (1001, ["split_stake_differs"])]
)
def test_551_12_a_stake(stake: int, findings: list[str]) -> None:
    concluded = audit(pair("8d", "8s"), "1 wager 1000", f"1.2 wager {stake}")
    assert [finding.check for finding in concluded.findings] == findings
    assert owed(concluded) == {"1 wager": -1000, "1.2 wager": None if findings else -1000}


def test_551_12_a_hands() -> None:
    assert found(audit(pair("8d", "8s"))) == [("stake_missing", "seat1.2")]
    concluded = audit("1:8d D:9c 1:8s D:Kh 1:stand 1.2:Kd", *SPLIT)
    assert sorted(found(concluded)) == [("no_such_hand", "seat1.2"), ("no_such_hand", "seat1.2")]
    assert owed(concluded) == {"1 wager": -1000, "1.2 wager": None}


@pytest.mark.parametrize("before", ["1:3c", "1:stand", "1:double"])
def test_551_12_a_first(before: str) -> None:
    play = f"1:8d D:9c 1:8s D:Kh {before} 1:split 1:Kd 1:stand 1.2:9d 1.2:stand"
    concluded = audit(play, *SPLIT)
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert set(owed(concluded).values()) == {None}


@pytest.mark.parametrize(("lacking", "who"), [("1:Kd 1:stand", "seat1"), ("1.2:9d 1.2:stand", "seat1.2")])
def test_551_12_b(lacking: str, who: str) -> None:
    concluded = audit(pair("8d", "8s").replace(lacking, ""), *SPLIT)
    assert found(concluded) == [("card_missing", who)]
    assert "551.12(b)" in cites(concluded)
    assert None in owed(concluded).values()


def test_551_12_c() -> None:
    hands = "1:Kd 1:stand 1.3:9d 1.3:2d 1.3:stand 1.2:3d 1.2:9s 1.2:stand"
    three = f"1:8d D:9c 1:8s D:Kh 1:split 1:8c 1:split {hands}"
    due = owed(audit(three, *SPLIT, "1.3 wager 1000"))
    assert due == {"1 wager": -1000, "1.2 wager": 1000, "1.3 wager": 0}
    four = three.replace("1:Kd", "1:8h 1:split 1:Kd") + " 1.4:Kc 1.4:stand"
    concluded = audit(four, *SPLIT, "1.3 wager 1000", "1.4 wager 1000")
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert "551.12(c)" in cites(concluded)
    assert owed(concluded) == {"1 wager": None, "1.2 wager": 1000, "1.3 wager": 0, "1.4 wager": None}


def test_551_12_d() -> None:
    cards = pair("8d", "8s", up="Ac")
    assert owed(audit(cards, *SPLIT)) == {"1 wager": -1000, "1.2 wager": 0}
    assert stands_on("551.12(d)", cards, *SPLIT, wager="1.2 wager") == 0


def test_551_12_e() -> None:
    cards = "1:7d D:7c 1:7d D:Kh 1:split 1:7d 1:7d 1.2:Ks 1.2:stand"
    due = owed(audit(cards, *SPLIT))
    # (g)(4) pays 2 to 1, (h) nothing.
    assert due == {"1 wager": 2000, "1.2 wager": 0}
    concluded = audit(cards, *SPLIT, paid=["1 wager 2000", "1 fixed_payout 100000"])
    assert [finding.check for finding in concluded.findings] == ["paid_too_much"]
