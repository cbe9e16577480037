"""681a.3: decks, the value of cards, and the hands of the Bonus Wager.

A total cannot be asked for: it shows in a tie with a hand that has the same total by other cards.
"""

from typing import Any

import pytest

from projections.engine.games.baccarat21.rules import is_straight, rules_of
from schemas.errors import BadInput
from schemas.law_text import chapter
from schemas.rulebook import rulebook
from tests.law.baccarat21_table import audit, checks, cited, owed
from tests.law.baccarat_table import deal
from tests.law.preparation_proofs import (
    prove_batch_stored,
    prove_batches_alternate,
    prove_batches_colored,
    prove_batches_equal,
    prove_decks_changed_after,
    prove_rack_of_one_batch,
)

# Paytable D of 681a.8(c), eight decks.
THREE_7S, THREE_OF_A_KIND, STRAIGHT, THREE_CARD_21, PAIR, NOTHING = 100, 40, 10, 5, 3, -1


def ties(player: str, banker: str) -> bool:
    concluded = audit(deal(player, banker), ("tie", 100))
    assert concluded.findings == (), "the cards did not fall by the rules"
    return owed(concluded) == {"tie": 1000}


def bonus(cards: str, **options: Any) -> int | None:
    concluded = audit(deal(cards, "Ks Qs"), ("bonus_player", 100), **options)
    assert concluded.findings == (), "the cards did not fall by the rules"
    cents = owed(concluded)["bonus_player"]
    return None if cents is None else cents // 100


def test_681a_3() -> None:
    assert ties("9c 7c 4c", "9d Ad")
    assert bonus("6c 6d 9h") == THREE_CARD_21 + PAIR


@pytest.mark.parametrize(("decks", "found"), [(4, ["card_not_in_deck"]), (8, [])])
def test_681a_3_a(decks: int, found: list[str]) -> None:
    play = [("burn", "Kd"), *deal("Kd Kd", "Kd Kd")]
    concluded = audit(play, ("player", 1000), decks=decks)
    assert [check for check, _ in checks(concluded)] == found
    assert cited(concluded) == ({"681a.3(a)"} if found else set())


@pytest.mark.parametrize("decks", [1, 2, 5, 6, 7, 9])
def test_681a_3_a_no_other_number(decks: int) -> None:
    with pytest.raises(BadInput, match=f"{decks} decks"):
        audit(deal("Kc 9c", "Kd 8d"), decks=decks)


def test_681a_3_d() -> None:
    assert ties("2c 3c 4c", "4d 3d 2d")  # 9 and 9: nothing is dropped, as it would be in Baccarat
    assert ties("9c Tc", "9d Kd")
    assert not ties("9c Tc", "8d Kd")


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("2c 3c Kc", "4d Ad Kd"),  # 15 = 15: 5 and a king, 4 and an ace of 1 and a king
        ("4c 5c 9c", "8d Td"),  # 18
        ("6c 7c 6d", "9d Kd"),  # 19
        ("8c 9c", "Td 7d"),  # 17
        ("Tc 9c", "Kd 9d"),  # 19
    ],
)
def test_681a_3_d_1(player: str, banker: str) -> None:
    assert ties(player, banker)


@pytest.mark.parametrize("face", "JQK")
def test_681a_3_d_2(face: str) -> None:
    assert ties(f"{face}c 8c", "Td 8d")
    concluded = audit(deal("0? 8c", "Td 8d"), ("tie", 100))  # its rank was not read
    assert (concluded.verdict, owed(concluded)) == ("clean", {"tie": 1000})


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("Ac 9c", "Td Jd"),  # 20
        ("Ac 6c", "Td 7d"),  # 17, which stands
        ("Ac 5c 5d", "8d 8h 5h"),  # 16 draws a 5: 21
        ("Ac 5c 6d", "5d 5h 2d"),  # 16 draws a 6: 12
        ("Tc 6c Ad", "9d 8d"),  # 17 with an ace of 1
        ("Ac 4c Ad", "9d 4d 3d"),  # 15 and an ace: one of them 11, 16
        ("2c 3c Ac", "9d 4d 3d"),  # 5 and an ace of 11: 16
    ],
)
def test_681a_3_d_3(player: str, banker: str) -> None:
    assert ties(player, banker)


def test_681a_3_d_3_two_aces() -> None:
    twelve = audit(deal("Ac Ad", "Td 2d"), ("player", 1000), ("tie", 100))
    assert (twelve.outcome, owed(twelve)) == ("tie", {"player": 0, "tie": -100})
    by_value = audit(deal("Ac Ad", "Td 2d"), ("tie", 100), ace_ace_tie="value")
    assert owed(by_value) == {"tie": 1000}
    as_21 = audit(deal("Ac Ad", "Td Ah"), ("player", 1000), ("tie", 100), ace_ace=21)
    assert (as_21.outcome, owed(as_21)) == ("tie", {"player": 0, "tie": -100})
    as_22 = audit(deal("Ac Ad", "Td 2d"), ("player", 1000), ace_ace=22)
    assert (as_22.outcome, owed(as_22)) == ("banker", {"player": -1000})


def test_681a_3_e() -> None:
    assert bonus("6c 6d 9h") == THREE_CARD_21 + PAIR
    assert bonus("6c 6d 9h", bonus_awards="highest") == THREE_CARD_21
    assert bonus("7c 7d 7h") == THREE_7S  # which are 21 and a pair besides
    assert bonus("6c 7d 8h") == STRAIGHT  # which is 21 besides


def test_681a_3_e_1() -> None:
    assert bonus("7c 7d 7h") == THREE_7S
    assert bonus("7c 7d 6h") == PAIR
    assert bonus("8c 8d 8h") == THREE_OF_A_KIND
    assert bonus("7c 5d 7h") == bonus("5c 7d 7h") == NOTHING


@pytest.mark.parametrize(
    ("cards", "award"),
    [
        *((f"{rank}c {rank}d {rank}h", THREE_OF_A_KIND) for rank in "234568"),
        ("5c 5d 9h", PAIR),
        ("5c 9d 5h", NOTHING),
        ("9c 5d 5h", NOTHING),
    ],
)
def test_681a_3_e_2(cards: str, award: int) -> None:
    assert bonus(cards) == award


def test_681a_3_e_2_aces() -> None:
    assert bonus("Ac Ad Ah", ace_ace_bonus_card="drawn") == THREE_OF_A_KIND


STRAIGHTS = ["5c 7d 6h", "2c 3d 4h", "4h 3d 5c", "4c 6d 5h", "8c 6d 7h", "9c 7d 8h", "7c 8d 9h"]
NO_STRAIGHTS = ["5c 7d 8h", "2c 4d 6h", "5c 7d 5h", "Tc 6d 7h", "Kc 2d Ah", "2c 3d Kh"]


@pytest.mark.parametrize(
    ("cards", "award"),
    [
        *((cards, STRAIGHT) for cards in STRAIGHTS),
        *((cards, NOTHING) for cards in NO_STRAIGHTS),
        ("5c 5d 7h", PAIR),
    ],
)
def test_681a_3_e_3(cards: str, award: int) -> None:
    assert bonus(cards) == award


@pytest.mark.parametrize("cards", ["Ac 2d 3h", "3c Ad 2h", "2c 3d Ah"])
def test_681a_3_e_3_ace_2_3(cards: str) -> None:
    assert bonus(cards) == STRAIGHT
    assert bonus(cards, ace_2_3_straight=False) == NOTHING


def test_681a_3_e_3_face_cards() -> None:
    # No hand of these is dealt by the rules, as each stands on its first two cards; a straight they are.
    rules = rules_of(rulebook("681a", max(chapter("681a").texts), {}))
    straights = ["QKA", "KAQ", "JQK", "TJQ", "9TJ", "8T9"]
    assert all(is_straight(rules, ranks) for ranks in straights)
    assert not any(is_straight(rules, ranks) for ranks in ("KA2", "QQK", "JQA", "TQK"))


@pytest.mark.parametrize(
    ("cards", "award"),
    [
        *((cards, THREE_CARD_21) for cards in ("9c 5d 7h", "Tc 6d 5h", "Ac 4d 6h", "8c 2d Ah", "3c 9d 9h")),
        *((cards, NOTHING) for cards in ("9c 5d 6h", "9c 5d 8h", "Ac Kd", "Tc 6d Ah")),
    ],
)
def test_681a_3_e_4(cards: str, award: int) -> None:
    assert bonus(cards) == award


@pytest.mark.parametrize(
    ("cards", "award"),
    [
        *((f"{rank}c {rank}d", PAIR) for rank in "A9TJQK"),
        *((f"{rank}c {rank}d Kh", PAIR) for rank in "2345678"),  # beside it a third card does no harm
        *((cards, NOTHING) for cards in ("5c 9d 5h", "9c 5d 9h", "9c 5d 5h", "Kc Qd", "Tc Jd")),
    ],
)
def test_681a_3_e_5(cards: str, award: int) -> None:
    assert bonus(cards) == award


def test_681a_3_c() -> None:
    prove_decks_changed_after("681a", "681a.3(c)", 24)


def test_681a_3_b_1() -> None:
    prove_batches_equal("681a", "681a.3(b)(1)")


def test_681a_3_b_2() -> None:
    prove_batches_colored("681a", "681a.3(b)(2)")


def test_681a_3_b_3() -> None:
    prove_batch_stored("681a", "681a.3(b)(3)")


def test_681a_3_b_4() -> None:
    prove_batches_alternate("681a", "681a.3(b)(4)")


def test_681a_3_b_5() -> None:
    prove_rack_of_one_batch("681a", "681a.3(b)(5)")


def test_681a_3_b() -> None:
    prove_batches_equal("681a", "681a.3(b)(1)")
    prove_batches_alternate("681a", "681a.3(b)(4)")
