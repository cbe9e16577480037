"""551.16: what is done when something goes wrong."""

from typing import Final

import pytest

from tests.law.blackjack_proofs import prove_misread
from tests.law.preparation_proofs import prove_broken_shuffler, prove_jam, prove_reader_broken
from tests.law.spanish21_table import audit, cites, found, gain, owed, stands_on

NINETEEN: Final = "1:Kd D:9c 1:8s D:Kh 1:stand"  # 18 against 19
SEVENTEEN: Final = "1:Kd D:Kc 1:8s D:7h 1:stand"  # 18 against 17


def test_551_16() -> None:
    assert owed(audit(NINETEEN + " D:void")) == {"1 wager": 0}
    paid = audit("x:Ts " + NINETEEN + " x:Ts", paid=["1 wager -1000"])  # two 10s, (b)
    assert [check for check, _ in found(paid)] == ["void_not_called", "push_collected"]
    assert found(audit(SEVENTEEN + " D:4d")) == [("dealer_drew_wrongly", "dealer")]
    assert found(audit("1:Kd D:9c 1:8s 1:stand")) == [("card_missing", "dealer")]
    late = "1:5d D:9c 1:8s D:4h 1:draw D:5d 1:7h 1:stand"
    assert found(audit(late)) == [("card_order_wrong", "seat1")]
    won = audit(NINETEEN + " D:void", paid=["1 wager 1000"])
    assert [check for check, _ in found(won)] == ["push_paid"]


def test_551_16_a() -> None:
    assert stands_on("551.16(a)", NINETEEN + " D:void") == 0
    assert audit(NINETEEN + " D:void").outcome == "void"
    assert audit("x:5d " + NINETEEN).verdict == "clean"


@pytest.mark.parametrize(
    ("cards", "findings", "outcome"),
    [
        ("x:Ts " + NINETEEN, [], "19"),
        ("x:Ts " + NINETEEN + " x:Ts", ["void_not_called"], "void"),
        ("x:Ts " + NINETEEN + " x:Td D:void", [], "void"),
        ("b:Ts " + NINETEEN + " x:Td", ["void_not_called"], "void"),  # wherever they were put
        ("1:Kd D:9c 1:8s D:Kh 1:Ts 1:stand x:Td", ["void_not_called"], "void"),
        ("x:Js " + NINETEEN + " x:Jd", [], "19"),
    ],
)
def test_551_16_b(cards: str, findings: list[str], outcome: str) -> None:
    concluded = audit(cards)
    assert [check for check, _ in found(concluded)] == findings
    assert concluded.outcome == outcome
    assert owed(concluded) == {"1 wager": 0 if outcome == "void" else -1000}
    assert not findings or "551.16(b)" in cites(concluded)


def test_551_16_e() -> None:
    assert found(audit(SEVENTEEN + " x:4d")) == []
    left = audit(SEVENTEEN + " D:4d")
    assert found(left) == [("dealer_drew_wrongly", "dealer")]
    assert "551.16(e)" in cites(left)
    assert owed(left) == {"1 wager": 1000}
    # A soft 17 is 17 as well.
    assert owed(audit("1:Kd D:Ac 1:8s D:6h 1:stand D:4d")) == {"1 wager": 1000}
    assert found(audit("1:Kd D:Ac 1:8s D:6h 1:stand D:4d")) == [("dealer_drew_wrongly", "dealer")]


def test_551_16_f() -> None:
    assert found(audit("1:Kd 1:8s D:9c D:Kh 1:stand")) == []
    for cards, knows in [
        ("1:Kd D:9c 1:8s 1:stand", None),
        ("1:Kd D:9c 1:6s 1:9s", -1000),
        ("1:Kd 1:8s 1:stand", None),
    ]:
        concluded = audit(cards)
        assert found(concluded) == [("card_missing", "dealer")]
        assert "551.16(f)" in cites(concluded)
        assert owed(concluded) == {"1 wager": knows}
    early = audit("1:Kd 2:9d D:9c D:Kh 1:8s 2:9s 1:stand 2:stand", "1 wager 1000", "2 wager 1000")
    assert [check for check, _ in found(early)] == ["card_order_wrong"]


def test_551_16_f_the_dealer_gets_what_was_missed_after_the_players() -> None:
    two = ("1 wager 1000", "2 wager 1000")
    late = audit("1:Kd 2:9d 1:8s 2:9s D:9c D:Kh 1:stand 2:stand", *two)  # both of his cards
    assert (found(late), owed(late)) == ([], {"1 wager": -1000, "2 wager": -1000})  # 18 each against 19
    early = audit("1:Kd 2:9d 1:8s D:9c D:Kh 2:9s 1:stand 2:stand", *two)  # before seat 2 had two
    assert [check for check, _ in found(early)] == ["card_order_wrong"]


def test_551_16_f_the_missing_hole_card_may_be_a_ten() -> None:
    # Under an ace a ten makes a Blackjack, which insurance wins by and which 20 loses to, 551.8 and 551.10.
    concluded = audit("1:Kd D:Ac 1:Qs 1:stand", "1 wager 1000", "1 insurance 500")
    assert owed(concluded) == {"1 wager": None, "1 insurance": None}
    # Under a six it makes none: insurance is not offered, and 16 draws to anything.
    assert owed(audit("1:Kd D:6c 1:Qs 1:stand")) == {"1 wager": None}


def test_551_16_h() -> None:
    everything = ("1 wager 1000", "1 match_the_dealer 100", "1 insurance 500", "2 wager 1000")
    cards = "2:9d D:Ac 2:9s D:8h 2:stand"
    due = owed(audit(cards, *everything))
    assert due == {"1 wager": 0, "1 match_the_dealer": 0, "1 insurance": 0, "2 wager": -1000}
    assert stands_on("551.16(h)", cards, *everything) == 0
    # Against a Blackjack too.
    assert owed(audit(cards.replace("D:8h", "D:Kh"), *everything)) == due
    one = audit("1:Kd 2:9d D:9c 2:9s D:Kh 2:stand", "1 wager 1000", "2 wager 1000")
    missed = ("2:9d D:9c 1:Kd 2:9s 1:8s D:Kh 1:stand 2:stand", "1 wager 1000", "2 wager 1000")
    assert found(audit(*missed)) == []  # seat 1 was missed at first, and gets its second card last
    # Missed the second time round, after the dealer's second card as well; not before all others have two.
    for dealt in (
        "2:9d D:9c 1:Kd 2:9s D:Kh 1:8s",
        "1:Kd 2:9d D:9c 2:9s 1:8s D:Kh",
        "1:Kd 2:9d D:9c 2:9s D:Kh 1:8s",
    ):
        assert found(audit(f"{dealt} 1:stand 2:stand", "1 wager 1000", "2 wager 1000")) == []
    early = audit(
        "1:Kd 2:9d 3:Qd D:9c 2:9s 1:8s 3:5s D:Kh 1:stand 2:stand 3:stand",
        *("1 wager 1000", "2 wager 1000", "3 wager 1000"),
    )
    assert [check for check, _ in found(early)] == ["card_order_wrong"]
    assert found(one) == [("card_missing", "seat1")]
    assert "551.16(h)" in cites(one)
    assert owed(one) == {"1 wager": None, "2 wager": -1000}


def test_551_16_i() -> None:
    asked = "1:5d 2:4d D:9c 1:8s 2:8c D:Kh 1:draw 2:7d 2:stand"
    two = ("1 wager 1000", "2 wager 1000")
    none = audit(asked, *two)
    assert found(none) == [("card_missing", "seat1")]
    assert "551.16(i)" in cites(none)
    assert owed(none) == {"1 wager": None, "2 wager": 0}
    assert found(audit(asked + " 1:7h 1:stand", *two)) == []
    assert stands_on("551.16(i)", asked + " 1:dead", *two) == 0
    # Against a Blackjack too; and two who were forgotten may both get their cards after the third.
    assert stands_on("551.16(i)", "1:5d D:Kc 1:8s D:Ah 1:draw 1:dead") == 0
    dealt = "1:5d 2:4d 3:6d D:9c 1:8s 2:8c 3:8h D:Kh 1:draw 2:draw 3:draw 3:5c"
    assert found(audit(f"{dealt} 1:7h 1:stand 2:7d 2:stand", *two, "3 wager 1000")) == []
    # The one card of a double is asked for too.
    doubled = "1:5d 2:4d D:9c 1:6s 2:8c D:Kh 1:double 2:7d 2:stand 1:7h"
    assert found(audit(doubled, *two, "1 double_down 1000")) == []
    # Not after the dealer has drawn.
    late = "1:5d D:9c 1:8s D:4h 1:draw D:5d 1:7h 1:stand"
    assert found(audit(late)) == [("card_order_wrong", "seat1")]


def test_551_16_l() -> None:
    test_551_16_l_1()
    prove_misread("551.16(l)", "551.16(l)(1)", "551.16(l)(2)")


def test_551_16_l_1() -> None:
    cards = "1:Kd 2:Qd D:9c 1:8s 2:Js D:Kh 1:dead 2:dead"
    concluded = audit(cards, "1 wager 1000", "2 wager 1000")
    assert (concluded.verdict, owed(concluded)) == ("clean", {"1 wager": 0, "2 wager": 0})
    assert gain(cards, "1 wager 1000", "2 wager 1000") == 0
    # Nothing is left that the dealer could draw to his 16 for, and nothing is won or lost to it.
    sixteen = audit(cards.replace("D:Kh", "D:7h"), "1 wager 1000", "2 wager 1000")
    assert (sixteen.verdict, owed(sixteen)) == ("clean", {"1 wager": 0, "2 wager": 0})
    prove_misread("551.16(l)", "551.16(l)(1)", "551.16(l)(2)")


@pytest.mark.parametrize("cards", [NINETEEN + " 2:9d D:void", "x:Ts " + NINETEEN + " 2:9d x:Ts"])
def test_551_16_void_rounds_ask_for_no_stakes(cards: str) -> None:
    # Seat 2 has a card and no wager.
    concluded = audit(cards)
    assert "stake_missing" not in [check for check, _ in found(concluded)]
    assert owed(concluded) == {"1 wager": 0}


def test_551_16_d() -> None:
    refused = "1:9d D:6c 1:5s D:9h 1:refuse"
    assert found(audit(f"{refused} D:8c")) == []
    again = audit(f"{refused} 1:7c D:8c")
    assert found(again) == [("hand_drew_wrongly", "seat1")]
    assert again.findings[0].citations == ("551.16(d)",)
    assert owed(again) == {"1 wager": 1000}
    assert found(audit(f"{refused} 1:double 1:7c D:8c", "1 wager 1000"))[0] == (
        "decision_not_allowed",
        "seat1",
    )


def test_551_16_j() -> None:
    prove_jam("551", "551.16(j)")


def test_551_16_k() -> None:
    prove_broken_shuffler("551", "551.16(k)", is_removed=True)


def test_551_16_m() -> None:
    prove_reader_broken("551", "551.16(m)")


def test_551_16_l_2() -> None:
    prove_misread("551.16(l)", "551.16(l)(1)", "551.16(l)(2)")
