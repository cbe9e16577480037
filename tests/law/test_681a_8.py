"""681a.8: payout odds."""

from typing import Any

import pytest

from schemas.errors import BadInput
from tests.law.baccarat21_table import audit, owed, owed_by
from tests.law.baccarat_table import deal

# 681a.8(c), read off the page: decks, and the odds of three 7s, three of a kind, a straight, a three-card
# 21 and a pair, to 1.
TABLES = {
    "A": (4, 100, 40, 11, 5, 3),
    "B": (4, 80, 40, 12, 5, 3),
    "C": (4, 80, 40, 10, 6, 3),
    "D": (8, 100, 40, 10, 5, 3),
    "E": (8, 80, 40, 11, 5, 3),
    "F": (8, 80, 35, 12, 5, 3),
}
HANDS = ("7c 7d 7h", "4c 4d 4h", "5c 7d 6h", "9c 5d 7h", "8c 8d 2h")


def test_681a_8() -> None:
    concluded = audit(deal("8c 9c", "Kd 6d Kh"), ("player", 1000), ("tie", 100), ("bonus_player", 100))
    assert owed(concluded) == {"player": 500, "tie": -100, "bonus_player": -100}
    tied = audit(deal("8c 8h 2d", "Kd 8d"), ("player", 1000), ("tie", 100), ("bonus_player", 100), decks=4)
    assert owed(tied) == {"player": 0, "tie": 1000, "bonus_player": 300}  # 18 each, and a pair
    assert owed(audit(deal("5c 7d 6h", "Ks Qs"), ("bonus_player", 100), decks=8)) == {"bonus_player": 1000}
    assert owed(audit(deal("Tc 8c", "Kd 7d"), ("player", 1000))) == {"player": 1000}


@pytest.mark.parametrize(
    ("hand", "cents"),
    [
        ("Tc 7c", 500),
        ("9c 8c", 500),
        ("Ac 6c", 500),
        ("5c 4c 8c", 500),
        ("Tc 6c Ac", 500),
        ("2c 4c Ac", 500),
        ("Tc 8c", 1000),
        ("Ac 7c", 1000),
        ("Kc Qc", 1000),
        ("Ac Kc", 1000),
        ("Tc 2c 6c", 1000),
        ("Tc 2c 4c", 1000),
    ],
)
def test_681a_8_a(hand: str, cents: int) -> None:
    # Against 26; beside a natural against 16.
    other = "Td 6d" if hand == "Ac Kc" else "Td 6d Kd"
    for wager, play in (("player", deal(hand, other)), ("banker", deal(other, hand))):
        assert owed_by(["681a.8(a)"], play, wager, 1000) == cents
    if hand != "Ac Kc":  # against 15
        for wager, play in (("player", deal(hand, "9d 4d 2d")), ("banker", deal("9d 4d 2d", hand))):
            assert owed_by(["681a.8(a)"], play, wager, 1000) == cents


def test_681a_8_a_17_that_does_not_win() -> None:
    assert owed(audit(deal("Tc 7c", "Kd 8d"), ("player", 1000), ("banker", 1000))) == {
        "player": -1000,
        "banker": 1000,
    }
    assert owed(audit(deal("Tc 7c", "9d 8d"), ("player", 1000))) == {"player": 0}
    # A winner of 18 against a 17 is paid in full.
    assert owed(audit(deal("Tc 8c", "Kd 7d"), ("player", 1000))) == {"player": 1000}


def test_681a_8_a_half_a_cent() -> None:
    concluded = audit(deal("Tc 7c", "Td 6d Kd"), ("player", 1001), settled=[("player", 500)])
    assert (concluded.verdict, owed(concluded)) == ("clean", {"player": 500})
    assert [note.check for note in concluded.notes] == ["fraction_dropped"]


def test_681a_8_b() -> None:
    assert owed_by(["681a.8(b)"], deal("Kc 9c", "Ad 8d"), "tie", 250) == 2500


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(("place", "hand"), list(enumerate(HANDS)))
def test_681a_8_c(table: str, place: int, hand: str) -> None:
    decks, *pays = TABLES[table]
    chosen: dict[str, Any] = {"decks": decks, "bonus_paytable": table}
    assert owed_by(["681a.8(c)"], deal(hand, "Ks Qs"), "bonus_player", 100, **chosen) == 100 * pays[place]
    assert owed_by(["681a.8(c)"], deal("Ks Qs", hand), "bonus_banker", 100, **chosen) == 100 * pays[place]
    with pytest.raises(BadInput, match="bonus_paytable"):
        audit(deal(hand, "Ks Qs"), decks=12 - decks, bonus_paytable=table)


@pytest.mark.parametrize("table", TABLES)
def test_681a_8_c_pair_and_21(table: str) -> None:
    decks, *_, total, pair = TABLES[table]
    chosen: dict[str, Any] = {"decks": decks, "bonus_paytable": table}
    play = deal("6c 6d 9h", "Ks Qs")
    assert owed_by(["681a.8(c)"], play, "bonus_player", 100, **chosen) == 100 * (total + pair)
    highest = owed_by(["681a.8(c)"], play, "bonus_player", 100, **chosen, bonus_awards="highest")
    assert highest == 100 * total


def test_681a_8_c_where_the_house_says_nothing() -> None:
    # A straight: 11 to 1 by A, 10 to 1 by D.
    play = deal("5c 7d 6h", "Ks Qs")
    assert owed(audit(play, ("bonus_player", 100), decks=4)) == {"bonus_player": 1100}
    assert owed(audit(play, ("bonus_player", 100), decks=8)) == {"bonus_player": 1000}
    assert owed(audit(play, ("bonus_player", 100))) == {"bonus_player": 1000}
