"""551.12: splitting pairs."""

from typing import Final

import pytest

from tests.law.spanish21_table import audit, cites, found, owed, stands_on

SPLIT: Final = ("1 wager 1000", "1.2 wager 1000")


def pair(one: str, two: str, *, up: str = "9c", hole: str = "Kh") -> str:
    """Split two cards; one hand comes to K and stands, the other to a 9 and stands."""
    return f"1:{one} D:{up} 1:{two} D:{hole} 1:split 1:Kd 1:stand 1.2:9d 1.2:stand"


def test_551_12() -> None:
    assert owed(audit(pair("8d", "8s"), *SPLIT)) == {"1 wager": -1000, "1.2 wager": -1000}
    assert found(audit(pair("9d", "8s"), *SPLIT)) == [("decision_not_allowed", "seat1")]
    # A king and a jack are of one value, less than the original wager is not enough; then three hands.
    assert found(audit(pair("Kd", "Jc"), *SPLIT)) == []
    assert found(audit(pair("8d", "8s"), "1 wager 1000", "1.2 wager 999")) == [
        ("split_stake_differs", "seat1.2")
    ]
    test_551_12_c()


@pytest.mark.parametrize(
    ("one", "two", "allowed"),
    [("8d", "8s", True), ("Kd", "Jc", True), ("Ad", "As", True), ("9d", "8s", False), ("Ad", "Ks", False)],
)
def test_551_12_a(one: str, two: str, allowed: bool) -> None:  # noqa: FBT001  a case of the table
    concluded = audit(pair(one, two), *SPLIT)
    for before in ("1:3c", "1:stand", "1:double"):
        test_551_12_a_first(before)
    for stake in (999, 1001):
        test_551_12_a_stake(stake, ["split_stake_differs"])
    test_551_12_a_hands()
    for each in ("AA", "22", "33", "44", "55", "66", "77", "88", "99", "JJ", "JQ", "JK", "QQ", "QK", "KK"):
        assert audit(pair(f"{each[0]}d", f"{each[1]}s"), *SPLIT).findings == ()
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
    # The second hand may be split again as well, and by value: 18 each and 20, 19, 20 and 18 against 19.
    start = "1:8d D:9c 1:8s D:Kh 1:split 1:Kd 1:stand 1.2:8c 1.2:split"
    second = audit(f"{start} 1.2:Jd 1.2:stand 1.3:3d 1.3:9s 1.3:stand", *SPLIT, "1.3 wager 1000")
    lost = {"1 wager": -1000, "1.2 wager": -1000}
    assert (found(second), owed(second)) == ([], lost | {"1.3 wager": 1000})
    start = "1:Kd D:9c 1:Qs D:Kh 1:split 1:Jc 1:split"
    values = audit(f"{start} 1:9d 1:stand 1.3:Qd 1.3:stand 1.2:8d 1.2:stand", *SPLIT, "1.3 wager 1000")
    assert owed(values) == {"1 wager": 0, "1.2 wager": -1000, "1.3 wager": 1000}
    other = audit(f"{start.replace('Jc', '9c')} 1:9d 1:stand 1.3:Qd 1.3:stand 1.2:8d 1.2:stand", *SPLIT)
    assert ("decision_not_allowed", "seat1") in found(other)
    # Each may draw or be doubled, aces as well: 20 and 20, 20 and 17 against 19.
    aces = audit("1:Ad D:9c 1:As D:Kh 1:split 1:5d 1:4c 1:stand 1.2:2d 1.2:7c 1.2:stand", *SPLIT)
    assert (found(aces), owed(aces)) == ([], {"1 wager": 1000, "1.2 wager": 1000})
    play = "1:8d D:9c 1:8s D:Kh 1:split 1:2d 1:double 1:Kd 1.2:9d 1.2:stand"
    doubled = audit(play, *SPLIT, "1 double_down 1000")
    due = {"1 wager": 1000, "1 double_down": 1000, "1.2 wager": -1000}
    assert (found(doubled), owed(doubled)) == ([], due)
    # But not surrendered.
    surrendered = audit("1:8d D:9c 1:8s D:Kh 1:split 1:7d 1:stand 1.2:6d 1.2:surrender", *SPLIT)
    assert found(surrendered) == [("decision_not_allowed", "seat1.2")]


def test_551_12_d() -> None:
    cards = pair("8d", "8s", up="Ac")
    assert owed(audit(cards, *SPLIT)) == {"1 wager": -1000, "1.2 wager": 0}
    assert stands_on("551.12(d)", cards, *SPLIT, wager="1.2 wager") == 0
    test_551_12_d_of_rescued_hands()
    # A second hand over 21, and one of three; a dealer's 21 in three cards is no Blackjack.
    over = "1:8d D:Ac 1:8s D:Kh 1:split 1:Kd 1:stand 1.2:9d 1.2:6c"
    assert owed(audit(over, *SPLIT)) == {"1 wager": -1000, "1.2 wager": 0}
    start = "1:8d D:Kc 1:8s D:Ah 1:split 1:Kd 1:stand 1.2:8c 1.2:split"
    three = audit(f"{start} 1.2:Jd 1.2:stand 1.3:3d 1.3:9s 1.3:stand", *SPLIT, "1.3 wager 1000")
    assert owed(three) == {"1 wager": -1000, "1.2 wager": 0, "1.3 wager": 0}
    beaten = audit(pair("8d", "8s", up="Kc", hole="5h") + " D:6d", *SPLIT)
    assert owed(beaten) == {"1 wager": -1000, "1.2 wager": -1000}


def test_551_12_d_of_rescued_hands() -> None:
    """A rescue forfeits a hand's own wager, but what the split added no Blackjack lets the dealer collect."""
    stakes = (*SPLIT, "1 double_down 1000", "1.2 double_down 1000")
    hands = "1:split 1:3d 1:double 1:4c 1:rescue 1.2:2d 1.2:double 1.2:5d 1.2:rescue"
    doubles = {"1 double_down": 0, "1.2 double_down": 0}
    beaten = f"1:8d D:Ac 1:8s D:Kh {hands}"
    assert owed(audit(beaten, *stakes)) == {"1 wager": -1000, "1.2 wager": 0} | doubles
    unread = f"1:8d D:Ac 1:8s D:?? {hands}"  # with a ten a Blackjack
    assert owed(audit(unread, *stakes))["1.2 wager"] is None
    other = f"1:8d D:9c 1:8s D:Kh {hands}"
    assert owed(audit(other, *stakes)) == {"1 wager": -1000, "1.2 wager": -1000} | doubles


def test_551_12_e() -> None:
    cards = "1:7d D:7c 1:7d D:Kh 1:split 1:7d 1:7d 1.2:Ks 1.2:stand"
    due = owed(audit(cards, *SPLIT))
    # (g)(4) pays 2 to 1, (h) nothing.
    assert due == {"1 wager": 2000, "1.2 wager": 0}
    concluded = audit(cards, *SPLIT, paid=["1 wager 2000", "1 fixed_payout 100000"])
    assert [finding.check for finding in concluded.findings] == ["paid_too_much"]


# 8 and 3, 8 and 9; the first hand's third card makes 18. The dealer has 19.
FIRST_COMPLETE = "1:8d D:9c 1:8s D:Kh 1:split 1:3d 1:7d 1:stand 1.2:9d 1.2:stand"
SECOND_TOO_SOON = "1:8d D:9c 1:8s D:Kh 1:split 1:3d 1.2:9d 1:7d 1:stand 1.2:stand"
FORGOTTEN = "1:8d D:9c 1:8s D:Kh 1:split 1:3d 1:draw 1.2:9d 1.2:stand 1:7d 1:stand"
THREE = "1:8d D:9c 1:8s D:Kh 1:split 1:8c 1:split 1:Kd 1:stand {} 1.2:9s 1.2:stand"


def test_551_12_b_one_after_the_other() -> None:
    assert found(audit(FIRST_COMPLETE, *SPLIT)) == []
    assert found(audit(FORGOTTEN, *SPLIT)) == []
    concluded = audit(SECOND_TOO_SOON, *SPLIT)
    assert found(concluded) == [("card_order_wrong", "seat1")]
    assert concluded.findings[0].citations == ("551.12(b)",)
    assert owed(concluded) == {"1 wager": -1000, "1.2 wager": -1000}


def test_551_12_b_three_hands() -> None:
    stakes = (*SPLIT, "1.3 wager 1000")
    assert found(audit(THREE.format("1.3:9d 1.3:2d 1.3:stand"), *stakes)) == []
    # The next hand's card lies between the two of this one; what follows from that is no second finding.
    between = "1.3:9d 1.2:3c 1.3:2d 1.3:stand"
    assert found(audit(THREE.format(between), *stakes)) == [("card_order_wrong", "seat1.3")]


def test_551_12_b_a_hand_that_is_split_again_got_its_card_too_soon() -> None:
    # The second ace gets an ace before the first hand is complete, and is split again.
    play = "1:Ad D:9c 1:Ah D:Kh 1:split 1:5c {} 1:7c 1:stand {} 1.2:split 1.2:9d 1.2:stand 1.3:8d 1.3:stand"
    stakes = ("1 wager 1000", "1.2 wager 1000", "1.3 wager 1000")
    soon = audit(play.format("1.2:As", ""), *stakes)
    assert found(soon) == [("card_order_wrong", "seat1")]
    assert "551.12(b)" in cites(soon)
    assert found(audit(play.format("", "1.2:As"), *stakes)) == []
