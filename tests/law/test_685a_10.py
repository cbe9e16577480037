"""685a.10: splitting pairs."""

import pytest

from tests.law.downunder_table import against, audit, bet, checks, cited, found, owed

STAKES = bet(), bet(hand="seat1.2")


def test_685a_10() -> None:
    # 8, 3 and ten are 21; 8 and 9 are 17: each hand goes by itself.
    concluded = audit(against("9c 8d", "8s 8h split 3d Td 1.2:9d 1.2:stand"), *STAKES)
    assert (checks(concluded), owed(concluded)) == ([], [1000, 0])


@pytest.mark.parametrize(
    "pair", ["8s 8h", "Ks Qh", "Ts Jh"]
)  # two 8s, king and queen: the text's own examples
def test_685a_10_a(pair: str) -> None:
    assert checks(audit(against("9c 8d", f"{pair} split 9d stand 1.2:Td 1.2:stand"), *STAKES)) == []
    unlike = f"{pair[:2]} 7h split 9d stand 1.2:Td 1.2:stand"
    assert checks(audit(against("9c 8d", unlike), *STAKES)) == ["decision_not_allowed"]


@pytest.mark.parametrize("pair", ["8s 9h", "Ks 9h", "As Kh", "2s 3h"])
def test_685a_10_a_unequal(pair: str) -> None:
    concluded = audit(against("9c 8d", f"{pair} split 9d stand 1.2:Td 1.2:stand"), *STAKES)
    assert checks(concluded) == ["decision_not_allowed"]
    assert cited(concluded, "decision_not_allowed") == ("685a.10(a)",)
    assert owed(concluded) == [None, None]


@pytest.mark.parametrize("hand", ["8s 8h stand", "8s 8h 2d"])
def test_685a_10_a_not_the_first_decision(hand: str) -> None:
    # After a decision, and on three cards, the first two are split no more.
    concluded = audit(against("9c 8d", f"{hand} split 9d stand 1.2:Td 1.2:stand"), *STAKES)
    assert checks(concluded) == ["decision_not_allowed"]
    assert cited(concluded, "decision_not_allowed") == ("685a.10(a)",)


@pytest.mark.parametrize("cents", [500, 999, 1001])
def test_685a_10_a_stake(cents: int) -> None:
    text = against("9c 8d", "8s 8h split Kd stand 1.2:Td 1.2:stand")
    differs = audit(text, bet(), bet(cents=cents, hand="seat1.2"))
    assert checks(differs) == ["split_stake_differs"]
    assert (cited(differs, "split_stake_differs"), owed(differs)) == (("685a.10(a)",), [1000, None])
    missing = audit(text, bet())
    assert (checks(missing), cited(missing, "stake_missing")) == (["stake_missing"], ("685a.10(a)",))


def test_685a_10_a_no_such_hand() -> None:
    concluded = audit(against("9c 8d", "8s 8h stand 1.2:9d"), bet())
    assert found(concluded) == [("no_such_hand", "seat1.2")]
    assert "685a.10(a)" in cited(concluded, "no_such_hand")


def test_685a_10_c() -> None:
    text = against("9c 8d", "8s 8h split 8d split Kd stand 1.3:9d 1.3:stand 1.2:Td 1.2:stand")
    concluded = audit(text, *STAKES, bet(hand="seat1.3"))
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert cited(concluded, "decision_not_allowed") == ("685a.10(c)",)
    assert owed(concluded) == [None, 1000, None]


def test_685a_10_of_the_second_hand() -> None:
    # (c): nor may the second hand be split once more.
    text = against("9c 8d", "8s 8h split Kd stand 1.2:8d 1.2:split 1.2:Kd 1.2:stand 1.3:9d 1.3:stand")
    concluded = audit(text, *STAKES, bet(hand="seat1.3"))
    assert found(concluded) == [("decision_not_allowed", "seat1.2")]
    assert cited(concluded, "decision_not_allowed") == ("685a.10(c)",)
    assert owed(concluded) == [1000, None, None]


def test_685a_10_c_second_card() -> None:
    concluded = audit(against("9c 8d", "8s 8h split Kd stand"), *STAKES)
    assert found(concluded) == [("card_missing", "seat1.2")]
    assert "685a.10(c)" in cited(concluded, "card_missing")
    assert owed(concluded) == [1000, None]


def test_685a_10_d() -> None:
    text = against("Kc Ad", "8s 8h split Kd 1.2:Td")
    concluded = audit(text, *STAKES)
    assert found(concluded) == [("decision_not_allowed", "seat1")]
    assert owed(concluded) == [-1000, 0]
    collected = audit(text, *STAKES, settled=[("bet", -1000), ("bet", -1000)])
    assert "685a.10(d)" in cited(collected, "push_collected")
    # Under an ace an unread card may have made the Blackjack: 26 is lost then too, but not the split's stake.
    unread = audit(against("Ac ??", "8s 8h split 8d Td 1.2:8c 1.2:Tc"), *STAKES)
    assert owed(unread) == [-1000, None]


def test_685a_10_e() -> None:
    # One card each; a second is disregarded: 15 loses though 20 would win.
    right = audit(against("9c 8d", "As Ah split 4d 1.2:Kd"), *STAKES)
    assert (checks(right), owed(right)) == ([], [-1000, 1000])
    drew = audit(against("9c 8d", "As Ah split 4d 5d 1.2:Kd"), *STAKES)
    assert found(drew) == [("hand_drew_wrongly", "seat1")]
    assert cited(drew, "hand_drew_wrongly") == ("685a.10(e)",)
    assert owed(drew) == [-1000, 1000]
    doubled = audit(against("9c 8d", "As Ah split 4d double 5d 1.2:Kd"), *STAKES, bet("double_down"))
    assert "685a.10(e)" in cited(doubled, "decision_not_allowed")
    assert owed(doubled) == [None, 1000, None]


def test_685a_10_order_of_hands_is_not_judged() -> None:
    # (b): the second hand got its card first; nothing hangs on it.
    concluded = audit(against("9c 8d", "8s 8h split 1.2:9d 1.2:stand 3d Td"), *STAKES)
    assert (checks(concluded), owed(concluded)) == ([], [1000, 0])


def test_685a_10_b() -> None:
    # 8, 3 and ten are 21; 8 and 9 are 17. The dealer has 17.
    assert found(audit(against("9c 8d", "8s 8h split 3d Td 1.2:9d 1.2:stand"), *STAKES)) == []
    concluded = audit(against("9c 8d", "8s 8h split 3d 1.2:9d Td 1.2:stand"), *STAKES)
    assert found(concluded) == [("card_order_wrong", "seat1")]
    assert cited(concluded, "card_order_wrong") == ("685a.10(b)",)
    assert owed(concluded) == [1000, 0]
    forgotten = audit(against("9c 8d", "8s 8h split 3d draw 1.2:9d 1.2:stand Td"), *STAKES)
    assert found(forgotten) == []
