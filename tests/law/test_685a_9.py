"""685a.9: the Double Down Wager."""

import pytest

from tests.law.downunder_table import against, audit, bet, checks, cited, found, owed, settled_by

STAKES = bet(), bet("double_down")


def test_685a_9_card_is_due() -> None:
    # Whatever he says after it, who doubled gets his one card.
    concluded = audit(against("9c 8d", "6s 5d double stand Kh"), *STAKES)
    assert (checks(concluded), owed(concluded)) == ([], [1000, 1000])


def test_685a_9_on_the_second_hand() -> None:
    # 14 loses and 21 wins: the double goes as the hand that it lies on.
    text = against("9c 8d", "8s 8h split 6d stand 1.2:3d 1.2:double 1.2:Kd")
    stakes = bet(), bet(hand="seat1.2"), bet("double_down", hand="seat1.2")
    concluded = audit(text, *stakes)
    assert (checks(concluded), owed(concluded)) == ([], [-1000, 1000, 1000])


@pytest.mark.parametrize(("card", "expected"), [("Kh", 1000), ("6h", 0), ("2h", -1000)])
def test_685a_9(card: str, expected: int) -> None:
    # 21, 17 and 13 against 17: the double goes as its hand.
    concluded = audit(against("9c 8d", f"6s 5d double {card}"), *STAKES)
    assert (checks(concluded), owed(concluded)) == ([], [expected, expected])


def test_685a_9_a() -> None:
    text = against("9c 8d", "6s 5d double Kh")
    assert owed(audit(text, bet(), bet("double_down", 500))) == [1000, 500]
    high = audit(text, bet(), bet("double_down", 1001))
    assert checks(high) == ["double_too_high"]
    assert cited(high, "double_too_high") == ("685a.9(a)",)
    assert owed(high) == [1000, None]
    twice = audit(against("9c 8d", "6h 5s double 2c 8h"), bet(), bet("double_down"))
    assert "685a.9(a)" in cited(twice, "hand_drew_wrongly")


def test_685a_9_a_without_stake() -> None:
    concluded = audit(against("9c 8d", "6s 5d double Kh"), bet())
    assert checks(concluded) == ["stake_missing"]
    assert (cited(concluded, "stake_missing"), owed(concluded)) == (("685a.9(a)",), [1000])
    of_pair = audit(against("9c 8d", "8s 8h split 3d double Kh 1.2:Kd 1.2:stand"), bet(), bet(hand="seat1.2"))
    assert (checks(of_pair), cited(of_pair, "stake_missing")) == (["stake_missing"], ("685a.9(a)",))


def test_685a_9_a_without_double() -> None:
    concluded = audit(against("9c 8d", "6s 5d Kh"), *STAKES)
    assert checks(concluded) == ["wager_not_permitted"]
    assert owed(concluded) == [1000, None]


@pytest.mark.parametrize("hand", ["2s 3d 6h", "Ah Ks", "6s 5d double"])
def test_685a_9_a_refused(hand: str) -> None:
    # Not on three cards, not on a Blackjack, not twice.
    concluded = audit(against("9c 8d", f"{hand} double Kh"), *STAKES)
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert "685a.9(a)" in cited(concluded, "decision_not_allowed")
    assert owed(concluded) == [None, None]


def test_685a_9_a_after_split() -> None:
    text = against("9c 8d", "8s 8h split 3d double Kh 1.2:Kd 1.2:stand")
    concluded = audit(text, *STAKES, bet(hand="seat1.2"))
    assert (checks(concluded), owed(concluded)) == ([], [1000, 1000, 1000])
    of_21 = audit(against("9c 8d", "Ks Kh split Ad double 5h 1.2:9d 1.2:stand"), *STAKES, bet(hand="seat1.2"))
    assert found(of_21) == [("decision_not_allowed", "seat1")]
    assert "685a.7(k)(1)" in cited(of_21, "decision_not_allowed")
    assert owed(of_21) == [None, None, 1000]


def test_685a_9_a_no_card() -> None:
    concluded = audit(against("9c 8d", "6s 5d double"), *STAKES)
    assert found(concluded) == [("card_missing", "seat1")]
    assert "685a.9(a)" in cited(concluded, "card_missing")
    assert owed(concluded) == [None, None]


def test_685a_9_b() -> None:
    concluded = audit(against("Ac Kd", "6s 5d double Kh"), *STAKES)
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert "685a.7(h)" in cited(concluded, "decision_not_allowed")
    assert owed(concluded) == [-1000, 0]
    collected = audit(
        against("Ac Kd", "6s 5d double Kh"), *STAKES, settled=[("bet", -1000), ("double_down", -1000)]
    )
    assert "685a.9(b)" in cited(collected, "push_collected")


def test_685a_9_double_of_a_winner_is_cited_as_its_hand() -> None:
    gained, cites = settled_by(against("9c 8d", "6s 5d double Kh"), "double_down", bet())
    assert (gained, cites) == (1000, {"685a.7(o)(2)", "685a.11(a)", "685a.7(r)"})
