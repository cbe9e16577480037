"""685a.7(n) to (r): the dealer's 22, and what wins, ties and loses."""

import pytest

from tests.law.downunder_table import against, audit, bet, checks, found, owed, settled_by

TWENTY_TWO = "6c Td 6h"


def test_685a_7_n() -> None:
    # The same hand of 18: returned on a 22, paid on a 23.
    assert settled_by(against(TWENTY_TWO, "Th 8s stand"))[0] == 0
    assert settled_by(against("6c Td 7h", "Th 8s stand"))[0] == 1000


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("Kh Qs stand", 1000),
        ("Th Ts stand", 1000),
        ("Ah As stand", 1000),  # two Large cards that count 12
        ("7h 7s 7d", 1000),  # a hard 21
        ("Ah 5s 5d", 1000),  # a soft 21
        ("Th 9s stand", 0),  # one Large card
        ("Ah 9s stand", 0),
        ("Jh 4s 6d stand", 0),  # 20 in three cards
        ("Ah As 8d stand", 0),  # two Large cards and another
        ("Ah As Kd stand", 0),  # three
        ("Th 2s stand", 0),
    ],
)
def test_685a_7_n_1(hand: str, expected: int) -> None:
    gained, cites = settled_by(against(TWENTY_TWO, hand))
    assert gained == expected
    assert "685a.7(n)(1)" in cites
    assert ("685a.11(a)" in cites) is (expected > 0)


@pytest.mark.parametrize(("after_split", "expected"), [(False, [0, 0]), (True, [1000, 0])])
def test_685a_7_n_1_after_split(after_split: bool, expected: list[int]) -> None:  # noqa: FBT001  the option's value
    text = against(TWENTY_TWO, "Kh Qs split Jd stand 1.2:9d 1.2:stand")
    concluded = audit(text, bet(), bet(hand="seat1.2"), large_after_split=after_split)
    assert (checks(concluded), owed(concluded)) == ([], expected)


def test_685a_7_n_1_split_aces() -> None:
    # Ace and king of a split are a 21 and paid, ace and ace only where two Large of a split are.
    text = against(TWENTY_TWO, "Ah As split Kd 1.2:Ad")
    stakes = bet(), bet(hand="seat1.2")
    assert owed(audit(text, *stakes)) == [1000, 0]
    assert owed(audit(text, *stakes, large_after_split=True)) == [1000, 1000]


def test_685a_7_n_1_doubled() -> None:
    stakes = bet(), bet("double_down")
    assert owed(audit(against(TWENTY_TWO, "6s 5h double Kh"), *stakes)) == [1000, 1000]
    assert owed(audit(against(TWENTY_TWO, "6s 5h double 9h"), *stakes)) == [0, 0]


def test_685a_7_n_1_over_21() -> None:
    # Collected by (q)(1), unless the house reads (n)(1) of it too.
    text = against(TWENTY_TWO, "Th 6s 9d", "Th 9s stand")
    stakes = bet(), bet(seat=2)
    assert owed(audit(text, *stakes)) == [-1000, 0]
    assert owed(audit(text, *stakes, bust_on_22="return")) == [0, 0]
    assert owed(audit(against("9c 8d", "Th 6s 9d"), bet(), bust_on_22="return")) == [-1000]


def test_685a_7_n_2() -> None:
    # King and queen are paid on a 22 whatever they count, and lose to a 21.
    assert settled_by(against("6c Td 5h", "Kh Qs stand"))[0] == -1000


def test_685a_7_o() -> None:
    assert settled_by(against("9c 8d", "Th 8s stand"))[0] == 1000


@pytest.mark.parametrize(
    ("card", "outcome", "expected"), [("7h", "bust", 1000), ("Kh", "bust", 1000), ("6h", "22", 0)]
)
def test_685a_7_o_1(card: str, outcome: str, expected: int) -> None:
    text = against(f"6c Td {card}", "Th 2s stand")
    assert audit(text, bet()).outcome == outcome
    gained, cites = settled_by(text)
    assert gained == expected
    assert ("685a.7(o)(1)" in cites) is (expected > 0)


@pytest.mark.parametrize("hand", ["Th 8s stand", "Th 9s stand", "Th Ks stand", "7h 7s 7d"])
def test_685a_7_o_2(hand: str) -> None:
    gained, cites = settled_by(against("9c 8d", hand))
    assert (gained, cites) == (1000, {"685a.7(o)(2)", "685a.11(a)", "685a.7(r)"})


@pytest.mark.parametrize(
    ("dealer", "hand"), [("9c 8d", "Th 7s stand"), ("9c 9d", "Ah 7s stand"), ("9c 3d 9h", "7h 7s 7d")]
)
def test_685a_7_p(dealer: str, hand: str) -> None:
    assert settled_by(against(dealer, hand)) == (0, {"685a.7(p)", "685a.7(r)"})


def test_685a_7_q() -> None:
    assert settled_by(against("9c 8d", "Th 6s stand"))[0] == -1000


@pytest.mark.parametrize("dealer", ["9c 8d", "9c 4d", "6c Td Kh", TWENTY_TWO])
def test_685a_7_q_1(dealer: str) -> None:
    # Also a hand of 22, and where the dealer is over himself.
    for hand in ("Th 6s 9d", "Th 6s 6d"):
        assert settled_by(against(dealer, hand)) == (-1000, {"685a.7(q)(1)", "685a.7(r)"})


@pytest.mark.parametrize("hand", ["Th 6s stand", "Ah 5s stand", "2h 2s stand"])
def test_685a_7_q_2(hand: str) -> None:
    assert settled_by(against("9c 8d", hand)) == (-1000, {"685a.7(q)(2)", "685a.7(r)"})


@pytest.mark.parametrize(
    ("paid", "check"),
    [
        (0, "paid_too_little"),
        (500, "paid_too_little"),
        (1500, "paid_too_much"),
        (-1000, "winner_collected"),
    ],
)
def test_685a_7_r_winner(paid: int, check: str) -> None:
    concluded = audit(against("9c 8d", "Th 8s stand"), bet(), settled=[("bet", paid)])
    assert found(concluded) == [(check, None)]
    assert "685a.7(r)" in concluded.findings[0].citations


@pytest.mark.parametrize(("paid", "check"), [(0, "loser_not_collected"), (1000, "paid_too_much")])
def test_685a_7_r(paid: int, check: str) -> None:
    assert checks(audit(against("9c 8d", "Th 6s stand"), bet(), settled=[("bet", paid)])) == [check]


@pytest.mark.parametrize(("paid", "check"), [(1000, "push_paid"), (-1000, "push_collected")])
def test_685a_7_r_tie(paid: int, check: str) -> None:
    assert checks(audit(against("9c 8d", "Th 7s stand"), bet(), settled=[("bet", paid)])) == [check]
