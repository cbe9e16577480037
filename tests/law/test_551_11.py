"""551.11: doubling and rescue."""

from typing import Final

import pytest

from tests.law.spanish21_table import audit, cites, found, owed, stands_on

DOUBLED: Final = ("1 wager 1000", "1 double_down 1000")
SPLIT_AND_DOUBLED: Final = (*DOUBLED, "1.2 wager 1000")
NOTHING: Final = {"1 wager": None, "1 double_down": None}


def hand(more: str, *, one: str = "6d", two: str = "5s", up: str = "9c", hole: str = "Kh") -> str:
    """Deal 6-5 to seat 1 against a dealer's 19, and what follows."""
    return f"1:{one} D:{up} 1:{two} D:{hole} {more}"


# Doubles that may not be taken back: over 21, before the card, and where there is none.
NOT_RESCUED: Final = [
    hand("1:double 1:Kc 1:rescue", one="9d"),
    hand("1:double 1:rescue"),
    hand("1:2c 1:rescue"),
]

# Hands that may not be doubled.
NOT_DOUBLED: Final = [
    hand("1:double 1:9d", one="Kd", two="As"),  # a Blackjack
    hand("1:Kc 1:double 1:9d"),  # a 21
    hand("1:9c 1:2d 1:double 1:9d"),  # over 21
    hand("1:stand 1:double 1:9d"),
    hand("1:surrender 1:double 1:9d"),
    hand("1:2c 1:double 1:2d 1:double 1:9d"),
    hand("1:double 1:double 1:9d"),
    hand("1:double 1:2d 1:double 1:9d"),
]


def test_551_11() -> None:
    assert owed(audit(hand("1:double 1:9d"), *DOUBLED)) == {"1 wager": 1000, "1 double_down": 1000}
    assert owed(audit(hand("1:double 1:9d 1:rescue"), *DOUBLED)) == {"1 wager": -1000, "1 double_down": 0}
    test_551_11_a_stake(1001, ["double_too_high"])
    test_551_11_a_one_card()


@pytest.mark.parametrize("before", ["", "1:2c ", "1:2c 1:2d ", "1:2c 1:2d 1:2s 1:3c "])
def test_551_11_a(before: str) -> None:
    # "On the first two cards dealt to him"; a house may read it of the wager that a double is.
    play = hand(f"{before}1:double 1:Ad")
    read_freely = audit(play, *DOUBLED, double_down_on="any")
    assert read_freely.findings == ()
    assert None not in owed(read_freely).values()
    concluded = audit(play, *DOUBLED)
    assert found(concluded) == ([("decision_not_allowed", "seat1")] if before else [])
    assert (None in owed(concluded).values()) == bool(before)
    test_551_11_a_first_two_cards_of_a_split_pair()
    # Whatever two cards but a Blackjack: 4, 8, a soft 17, 20.
    for one, two in ("22", "53", "A6", "KQ"):
        assert found(audit(hand("1:double 1:2c", one=f"{one}d", two=f"{two}s"), *DOUBLED)) == []
    for other in NOT_DOUBLED:
        test_551_11_a_not(other)
    for double in (1, 999, 1000):
        test_551_11_a_stake(double, [])
    test_551_11_a_stake(1001, ["double_too_high"])
    test_551_11_a_no_stake_and_no_double()
    test_551_11_a_one_card()


def test_551_11_a_first_two_cards_of_a_split_pair() -> None:
    # The second of the two is drawn to it; a third one is beyond them.
    pair = hand("1:split 1:2c 1:double 1:9d 1.2:Kc 1.2:stand", one="8d", two="8s")
    assert found(audit(pair, *SPLIT_AND_DOUBLED)) == []
    aces = hand("1:split 1:7c 1:double 1:9d 1.2:Kc 1.2:stand", one="Ad", two="As")
    assert found(audit(aces, *SPLIT_AND_DOUBLED)) == []
    beyond = hand("1:split 1:2c 1:2d 1:double 1:9d 1.2:Kc 1.2:stand", one="8d", two="8s")
    assert found(audit(beyond, *SPLIT_AND_DOUBLED)) == [("decision_not_allowed", "seat1")]


@pytest.mark.parametrize("play", NOT_DOUBLED)
def test_551_11_a_not(play: str) -> None:
    for cards in ("first_two", "any"):
        concluded = audit(play, *DOUBLED, double_down_on=cards)
        if "surrender" in play:
            assert found(concluded) == [("hand_drew_wrongly", "seat1")]
            continue
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
    # 21 in three cards against 21 in three, 551.6(b)(4).
    both_21 = "1:6d 2:Kd D:Kc 1:5s 2:9d D:5h 1:double 1:Ks 2:stand D:6s"
    assert owed(audit(both_21, *DOUBLED, "2 wager 1000")) == {
        "1 wager": 1000,
        "1 double_down": 1000,
        "2 wager": -1000,
    }
    # Three 7s against a 7: neither (g)(4) nor (h).
    assert owed(audit("1:7d D:7c 1:7d D:Kh 1:double 1:7d", *DOUBLED)) == {
        "1 wager": 1000,
        "1 double_down": 1000,
    }
    cards = "1:6s D:9c 1:7s D:9h 1:double 1:8s"
    assert stands_on("551.11(b)", cards, *DOUBLED, wager="1 double_down") == 1000
    assert stands_on("551.6(g)", cards, *DOUBLED) == 1000


def test_551_11_c() -> None:
    for last in ("9d", "2d"):
        cards = hand(f"1:double 1:{last}", up="Ac")
        assert stands_on("551.11(c)", cards, *DOUBLED, wager="1 double_down") == 0
        assert owed(audit(cards, *DOUBLED))["1 wager"] == -1000
    # With a king up, and on a hand over 21.
    lost = {"1 wager": -1000, "1 double_down": 0}
    assert owed(audit(hand("1:double 1:9d", up="Kc", hole="Ah"), *DOUBLED)) == lost
    assert owed(audit(hand("1:double 1:Kd", one="9d", up="Ac"), *DOUBLED)) == lost
    # A dealer's 21 in three cards is no Blackjack.
    beaten = hand("1:double 1:9d D:6s", up="Kc", hole="5h")
    assert owed(audit(beaten, *DOUBLED)) == {"1 wager": -1000, "1 double_down": -1000}


@pytest.mark.parametrize("last", ["2d", "8d", "9d", "Kd"])
def test_551_11_d(last: str) -> None:
    cards = hand(f"1:double 1:{last} 1:rescue")
    assert stands_on("551.11(d)", cards, *DOUBLED) == -1000
    assert stands_on("551.11(d)", cards, *DOUBLED, wager="1 double_down") == 0
    # 9-8-A is 18; and of a split hand, whose other one has 18.
    aces = hand("1:double 1:Ad 1:rescue", one="9d", two="8s")
    assert owed(audit(aces, *DOUBLED)) == {"1 wager": -1000, "1 double_down": 0}
    split = hand("1:split 1:3d 1:double 1:4c 1:rescue 1.2:Kc 1.2:stand", one="8d", two="8s")
    due = {"1 wager": -1000, "1 double_down": 0, "1.2 wager": -1000}
    assert owed(audit(split, *SPLIT_AND_DOUBLED)) == due
    for other in NOT_RESCUED:
        test_551_11_d_not(other)


@pytest.mark.parametrize("play", NOT_RESCUED)
def test_551_11_d_not(play: str) -> None:
    concluded = audit(play, *(DOUBLED if "double" in play else ["1 wager 1000"]))
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert "551.11(d)" in cites(concluded)
    assert set(owed(concluded).values()) == {None}
