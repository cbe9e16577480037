"""551.8: how the cards are dealt, and whose turn it is."""

from itertools import permutations

import pytest

from tests.builders.shoes import Table, pack, shuffled
from tests.builders.texts import text_of
from tests.law.blackjack_proofs import prove_hole_card_read
from tests.law.preparation_proofs import (
    prove_burn_before_cards,
    prove_burn_of_one,
    prove_collection,
    prove_reshuffle_at_cover_card,
    prove_shuffle_after_shoe,
)
from tests.law.spanish21_table import audit, cites, found, owed
from tests.law.turning_proofs import prove_cleared

TWO = ("1 wager 1000", "2 wager 1000")
DEALT = {"1": ("Kd", "8s"), "2": ("9d", "9s"), "D": ("9c", "Kh")}
STANDING = " 1:stand 2:stand"


def dealt(order: str) -> str:
    """Deal two cards each in an order such as 12D12D."""
    cards = {who: iter(two) for who, two in DEALT.items()}
    return " ".join(f"{who}:{next(cards[who])}" for who in order)


def test_551_8() -> None:
    concluded = audit(dealt("12D12D") + STANDING, *TWO)
    assert (concluded.verdict, concluded.outcome) == ("clean", "19")
    assert found(audit(dealt("112D2D") + STANDING, *TWO))[0][0] == "card_order_wrong"
    called = audit(dealt("12D12D") + STANDING, *TWO, announced="20")
    assert found(called) == [("announced_wrong", None)]


# What the text itself admits: the dealer who missed his cards (551.16(f)), the seat that was left out in the
# first or in the second round (551.16(h)) and gets its second card when all other players have theirs.
ADMITTED = {"12D12D", "1212DD", "2D121D", "2D12D1", "12D21D", "12D2D1", "1D122D", "1D12D2", "12D1D2"}
ORDERS = sorted({"".join(order) for order in permutations("1212DD")})


@pytest.mark.parametrize("order", ORDERS)
def test_551_8_d(order: str) -> None:
    concluded = audit(dealt(order) + STANDING, *TWO, "1 match_the_dealer 100")
    if order in ADMITTED:
        assert (concluded.verdict, concluded.outcome) == ("clean", "19")
        return
    assert found(concluded) == [("card_order_wrong", None)]
    assert "551.8(d)" in cites(concluded)
    assert concluded.outcome is None
    assert set(owed(concluded).values()) == {None}


def test_551_8_d_1() -> None:
    # Cards to a box without a wager, and boxes in their order only.
    assert found(audit(dealt("12D12D") + STANDING)) == [("stake_missing", "seat2")]
    assert found(audit(dealt("21D21D") + STANDING, *TWO)) == [("card_order_wrong", None)]


def test_551_8_d_2() -> None:
    assert found(audit("D:9c 1:Kd 1:8s D:Kh 1:stand")) == [("card_order_wrong", None)]
    assert found(audit("D:9c 1:Kd D:Kh 1:8s 1:stand")) == [("card_order_wrong", None)]
    assert found(audit("1:Kd D:9c 1:8s D:Kh 1:stand")) == []
    assert found(audit("1:Kd 1:8s 1:stand")) == [("card_missing", "dealer")]


def test_551_8_d_3() -> None:
    concluded = audit("1:Kd D:9c D:Kh")
    assert found(concluded) == [("card_missing", "seat1")]
    assert "551.8(d)" in cites(concluded)
    assert owed(concluded) == {"1 wager": None}
    assert found(audit(dealt("112D2D") + STANDING, *TWO)) == [("card_order_wrong", None)]


def test_551_8_d_4() -> None:
    concluded = audit("1:Kd D:9c 1:8s 1:stand")
    assert found(concluded) == [("card_missing", "dealer")]
    assert "551.8(d)" in cites(concluded)
    assert owed(concluded) == {"1 wager": None}
    assert found(audit(dealt("12DD12") + STANDING, *TWO)) == [("card_order_wrong", None)]


@pytest.mark.parametrize("act", ["1:2c", "1:stand", "1:double", "1:surrender", "D:2h"])
def test_551_8_d_nothing_before(act: str) -> None:
    concluded = audit(f"1:Kd 2:9d D:9c 1:8s {act} 2:9s D:Kh{STANDING}", *TWO)
    assert "card_order_wrong" in [check for check, _ in found(concluded)]


def test_551_8_f() -> None:
    turns = "{} 1:5d 2:4d D:9c 1:8s 2:8c D:Kh {}"
    assert found(audit(turns.format("", "1:7h 1:stand 2:7d 2:stand"), *TWO)) == []
    concluded = audit(turns.format("", "2:7d 2:stand 1:7h 1:stand"), *TWO, "2 match_the_dealer 100")
    assert found(concluded) == [("card_order_wrong", "seat1")]
    assert "551.8(f)" in cites(concluded)
    assert owed(concluded) == {"1 wager": None, "2 wager": None, "2 match_the_dealer": -100}
    # Who stood gets no card.
    stood = audit("1:Kd D:9c 1:8s D:Kh 1:stand 1:3d")
    assert found(stood) == [("hand_drew_wrongly", "seat1")]
    assert "551.8(f)" in cites(stood)
    assert owed(stood) == {"1 wager": -1000}
    doubled = audit("1:Kd D:9c 1:8s D:Kh 1:stand 1:double 1:3d", "1 wager 1000", "1 double_down 1000")
    assert found(doubled) == [("decision_not_allowed", "seat1")]
    assert "551.8(f)" in cites(doubled)


def test_551_8_g() -> None:
    assert found(audit("1:5d D:9c 1:8s D:Kh 1:draw")) == [("card_missing", "seat1")]
    assert found(audit("1:5d D:9c 1:8s D:Kh 1:draw 1:7h")) == []
    assert found(audit("1:5d D:9c 1:8s D:Kh 1:double", "1 wager 9", "1 double_down 9")) == [
        ("card_missing", "seat1")
    ]
    twice = audit("1:5d D:9c 1:6s D:Kh 1:double 1:3d 1:4c", "1 wager 9", "1 double_down 9")
    assert found(twice) == [("hand_drew_wrongly", "seat1")]


def test_551_8_h() -> None:
    before = "1:5d D:9c 1:8s D:4h "
    assert found(audit(before + "1:7h 1:stand D:5d")) == []
    concluded = audit(before + "D:5d 1:7h 1:stand")
    assert found(concluded) == [("card_order_wrong", "seat1")]
    assert "551.8(h)" in cites(concluded)
    assert owed(concluded) == {"1 wager": None}
    miscalled = audit(before + "1:7h 1:stand D:5d", announced="17")  # 9, 4 and 5 are 18
    assert (found(miscalled), cites(miscalled)) == ([("announced_wrong", None)], {"551.8(h)"})
    assert found(audit(before + "1:7h 1:stand D:5d", announced="18")) == []


def test_551_8_j_2() -> None:
    # Six decks of 48 cards are 288; five of them are 240, and no draw shows which is in the shoe.
    s = Table("551", 6)
    cards = shuffled(pack("551", 5), "551.8(j)(2)")
    s.put_in("A", burned=cards[:1])
    left = s.deal_all(cards[1:], leave=60)
    s.count_rest(len(left), left)
    (finding,) = (each for each in s.shoes_told()["A"].findings if each.check == "cards_not_conserved")
    assert finding.citations == ("551.8(j)(2)",)
    assert "48 short of its 288 cards; not seen: 1 x Ac, 1 x 2c, " in text_of(finding.message)


def test_551_8_j_3() -> None:
    prove_shuffle_after_shoe("551", "551.5(a)", "551.8(j)(3)")


def test_551_8_c() -> None:
    prove_burn_before_cards("551", "551.8(c)")
    prove_burn_of_one("551", "551.8(c)")


def test_551_8_j() -> None:
    prove_reshuffle_at_cover_card("551", "551.8(j)", "551.5(g)")


def test_551_8_j_2_reported() -> None:
    prove_collection("551", "551.8(j)(2)", 288)


def test_551_8_j_1() -> None:
    prove_collection("551", "551.8(j)(2)", 288)


def test_551_8_i() -> None:
    prove_cleared("551", "551.8(i)", in_order=True)


def test_551_8_e() -> None:
    prove_hole_card_read("551.8(e)")
