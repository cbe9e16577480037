"""551.13: who may draw, and when the dealer must."""

from typing import Final

import pytest

from tests.law.spanish21_table import audit, cites, found, owed

STANDS: Final = "1:Kd D:{} 1:8s D:{} 1:stand"  # seat 1 stands on 18


def dealer(cards: str) -> str:
    """Deal 18 to seat 1, and a hand to the dealer."""
    up, hole, *drawn = cards.split()
    return " ".join([STANDS.format(up, hole), *(f"D:{card}" for card in drawn)])


def test_551_13() -> None:
    assert audit(dealer("Kc 6h 2d")).outcome == "18"
    assert found(audit(dealer("Kc 7h"))) == []
    assert found(audit(dealer("Kc 6h"))) == [("dealer_stood_wrongly", "dealer")]
    test_551_13_a("1:Kd 1:Qs 1:Ac", [], 1000)
    test_551_13_a_1("1:Kd 1:5s 1:6c 1:2c", 1000)


@pytest.mark.parametrize(
    ("cards", "findings", "owes"),
    [
        ("1:Kd 1:Qs 1:Ac", [], 1000),  # on 20
        ("1:Kd 1:8s 1:2c 1:Ac", [], 1000),
        ("1:2d 1:3s 1:2c 1:3d 1:4h 1:2h 1:4c", [], 1000),  # seven cards, 20
        ("1:Kd 1:7s 1:3c", [], 1000),  # on a hard 17
        ("1:Ad 1:9s 1:5c 1:4d", [], 0),  # on a soft 20: 15, 19
        ("1:Kd 1:8s 1:5c 1:2c", ["hand_drew_wrongly"], -1000),  # over 21
    ],
)
def test_551_13_a(cards: str, findings: list[str], owes: int) -> None:
    one, two, *more = cards.split()
    concluded = audit(f"{one} D:9c {two} D:Kh {' '.join(more)}")
    assert [check for check, _ in found(concluded)] == findings
    assert owed(concluded) == {"1 wager": owes}


@pytest.mark.parametrize(
    ("cards", "owes"),
    [("1:Ad 1:Ks 1:2c", 1500), ("1:Kd 1:5s 1:6c 1:2c", 1000), ("1:Ad 1:5s 1:5c 1:2c", 1000)],
)
def test_551_13_a_1(cards: str, owes: int) -> None:
    one, two, *more = cards.split()
    concluded = audit(f"{one} D:9c {two} D:Kh {' '.join(more)}")
    assert found(concluded) == [("hand_drew_wrongly", "seat1")]
    assert "551.13(a)(1)" in cites(concluded)
    assert owed(concluded) == {"1 wager": owes}


def test_551_13_a_2() -> None:
    # The 13, 18 or 6 is all that it comes to, against 19.
    for cards, further in (("6d 5s 2d", "7d"), ("6d 5s 7d", "2d"), ("2d 2s 2c", "Ad")):
        one, two, last = cards.split()
        play = f"1:{one} D:9c 1:{two} D:Kh 1:double 1:{last} 1:{further}"
        concluded = audit(play, "1 wager 1000", "1 double_down 1000")
        assert found(concluded) == [("hand_drew_wrongly", "seat1")]
        assert "551.13(a)(2)" in cites(concluded)
        assert owed(concluded) == {"1 wager": -1000, "1 double_down": -1000}


@pytest.mark.parametrize(
    ("cards", "outcome"),
    [
        ("Kc 7h", "17"),
        ("Ac 6h", "17"),
        ("Kc 8h", "18"),
        ("Ac 7h", "18"),
        ("Ac 8h", "19"),
        ("Ac 9h", "20"),
        ("Kc 9h", "19"),
        ("Kc Qh", "20"),
        ("Kc 5h 2d", "17"),
        ("Ac Ah 5d", "17"),
        ("Ac Ah 9d", "21"),
        ("Kc 5h 3d", "18"),
        ("Ac 2h 5d", "18"),
        ("Kc 6h 5d", "21"),
        ("Kc 6h Ad", "17"),
        ("Ac 5h 5d", "21"),
        ("Ac 5h Kd Ad", "17"),
        ("Kc 2h 4d Kd", "bust"),
    ],
)
def test_551_13_b(cards: str, outcome: str) -> None:
    concluded = audit(dealer(cards))
    assert (concluded.outcome, found(concluded)) == (outcome, [])
    if len(cards.split()) > 2:
        short = audit(dealer(cards.rpartition(" ")[0]))
        assert found(short) == [("dealer_stood_wrongly", "dealer")]
        assert owed(short) == {"1 wager": None}
    long = audit(dealer(f"{cards} 2d"))
    assert found(long) == [("dealer_drew_wrongly", "dealer")]
    assert (long.outcome, owed(long)) == (outcome, owed(concluded))
    assert "551.13(b)" in cites(long)


NO_EFFECT: Final = {
    "over 21": "1:Kd D:Kc 1:6s D:6h 1:9d",
    "a Blackjack": "1:Kd D:Kc 1:As D:6h",
    "21 in three cards": "1:5d D:Kc 1:6s D:6h 1:Kd",
    "surrendered": "1:Kd D:Kc 1:6s D:6h 1:surrender",
    "rescued": "1:6d D:Kc 1:5s D:6h 1:double 1:2d 1:rescue",
    "dead": "1:Kd D:Kc 1:6s D:6h 1:dead",
}


@pytest.mark.parametrize("cards", NO_EFFECT.values(), ids=list(NO_EFFECT))
def test_551_13_c(cards: str) -> None:
    stakes = ["1 wager 1000", *(["1 double_down 1000"] if "double" in cards else [])]
    idle = audit(cards, *stakes)
    assert (idle.outcome, found(idle)) == ("16", [])
    drew = audit(f"{cards} D:2d", *stakes)
    assert found(drew) == [("dealer_drew_wrongly", "dealer")]
    assert "551.13(c)" in cites(drew)
    assert owed(drew) == owed(idle)
    # One hand that hangs on his count, and he draws.
    one, up, two, hole, *more = cards.split()
    both = [one, "2:Kh", up, two, "2:8h", hole, *more, "2:stand"]
    assert found(audit(" ".join([*both, "D:2d"]), *stakes, "2 wager 10")) == []
    stood = audit(" ".join(both), *stakes, "2 wager 10")
    assert found(stood) == [("dealer_stood_wrongly", "dealer")]
    assert owed(stood) == owed(idle) | {"2 wager": None}


def test_551_13_c_21_in_two_cards() -> None:
    # After a split it is no Blackjack: a dealer's 21 would have it returned, and less would lose to it.
    cards = "1:Ad D:Kc 1:As D:6h 1:split 1:Ks 1:stand 1.2:Qd 1.2:stand"
    stakes = ("1 wager 1000", "1.2 wager 1000")
    assert found(audit(cards, *stakes)) == [("dealer_stood_wrongly", "dealer")]
    drew = audit(f"{cards} D:5d", *stakes)
    assert (found(drew), owed(drew)) == ([], {"1 wager": 0, "1.2 wager": 0})
