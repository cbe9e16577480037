"""631a.6: the value of cards and the Point Count.

A Point Count cannot be asked for: it shows in a tie with a hand that has the same count by other cards.
"""

import pytest

from tests.law.baccarat_table import Play, audit, bet, checks, deal, owed

TENS = "TJQK"


def ties(play: Play) -> bool:
    concluded = audit(play, bet("tie", 100))
    assert checks(concluded) == [], "the cards did not fall by the tableau"
    return concluded.outcome == "tie" and owed(concluded, "tie") == (800, 0)  # 8 to 1


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("Kc 2c Kh", "Ad As Kd"),  # 2 = ace + ace; both draw a king
        ("Kc 3c Kh", "Ad 2d Kd"),  # 3 = ace + 2; Banker draws on 3 against a third card worth 0
        ("Kc 4c Kh", "2d 2s"),  # 4 = 2 + 2; Banker stays on 4 against 0
        ("Kc 5c Kh", "2d 3d"),  # 5 = 2 + 3; Banker stays on 5 against 0
        ("Kc 6c", "3d 3s"),  # 6 = 3 + 3; both stay
        ("Kc 7c", "3d 4d"),  # 7 = 3 + 4; both stay
        ("Kc 8c", "4d 4s"),  # 8 = 4 + 4; Naturals
        ("Kc 9c", "4d 5d"),  # 9 = 4 + 5; Naturals
    ],
)
def test_631a_6_a_1(player: str, banker: str) -> None:
    assert ties(deal(player, banker))


@pytest.mark.parametrize("rank", TENS)
def test_631a_6_a_2(rank: str) -> None:
    # Three of them make 0; the Banker's 4 + 6 = 10 counts 0 and draws a king.
    assert ties(deal(f"{rank}c {rank}d {rank}h", "4d 6d Kd"))


def test_631a_6_a_2_rank_unread() -> None:
    # Any ten or face card is worth 0, so one whose rank was not read settles the hand all the same.
    concluded = audit(deal("0? 7c", "0? 6d"), bet("player", 5000))
    assert (concluded.verdict, concluded.outcome) == ("clean", "player")
    assert owed(concluded, "player") == (5000, 0)


def test_631a_6_a_3() -> None:
    # 9 + ace = 10 counts 0, draws a queen and stays at 0; so do the Banker's kings.
    assert ties(deal("9c Ac Qc", "Kd Kh Ks"))
    # Ace + 7 = 8, a Natural as K + 8 is.
    assert ties(deal("Ac 7c", "Kd 8d"))
    # As the third card too: 3 draws one and is 4, and the Banker's 4 stays against a 1.
    assert ties(deal("Kc 3c Ac", "Kd 4d"))


def test_631a_6_a() -> None:
    # 2 + 4 = 6 stays; ace + jack = 1 draws a 5: 6. An ace of eleven or a jack of ten would end elsewhere.
    assert ties(deal("2c 4c", "Ad Jd 5d"))


@pytest.mark.parametrize("suit", "cdhs")
def test_631a_6_a_suits_are_alike(suit: str) -> None:
    assert ties(deal(f"A{suit} 6{suit}", f"K{suit} 7{suit}"))


def test_631a_6_b() -> None:
    assert ties(deal("9c 9d", "8c Kd"))  # 18 counts 8
    assert ties(deal("5c 5d Kc", "7d 3d Kd"))  # 10 counts 0, and both draw a king
    assert ties(deal("7c 8c 9c", "Kc 4c"))  # 15 counts 5 and draws a 9; 24 counts 4
    assert ties(deal("Kc Qc Ac", "Kd 2d 9h"))  # the Banker's 2 draws a 9: 11 counts 1


def test_631a_6_b_1() -> None:
    # Ace + 2 = 3 draws a 4: 7. Banker K + 7 stays.
    assert ties(deal("Ac 2c 4c", "Kd 7d"))


def test_631a_6_b_2() -> None:
    # Ace + 2 = 3 draws a 9: 12 counts 2. Banker K + 2 draws a king: 2.
    assert ties(deal("Ac 2c 9c", "Kd 2d Ks"))


def test_631a_6() -> None:
    # 7 + 6 = 13 counts 3 and draws an ace: 4. Banker Q + 3 against a third card worth 1 draws an ace: 4.
    assert ties(deal("7c 6c Ac", "Qd 3d As"))


@pytest.mark.parametrize(
    ("play", "banker_lost"),
    [
        # What was read is counted as ever: 8 + 8 = 16 is 6 and stays, 7 + 8 = 15 is 5 and draws, unread.
        (deal("8c 8d", "7c 8h ??"), False),
        # 9 + 5 = 14 is 4 and draws, unread; 8 + 9 = 17 is 7 and stays against whatever it was.
        (deal("9c 5d ??", "8c 9h"), False),
        # 5 + 5 = 10 is 0 and draws a 9; 9 + 8 = 17 is 7 and stays: 9 to 7, of whatever suit.
        (deal("5c 5d 9?", "9c 8h"), True),
    ],
)
def test_631a_6_b_beside_a_card_unread(play: Play, *, banker_lost: bool) -> None:
    concluded = audit(play, bet("banker", 100), bet("panda_8", 100), bet("dragon_bonus_banker"), ez=True)
    assert "third_card_missing" not in checks(concluded)
    assert "third_card_extra" not in checks(concluded)
    assert owed(concluded, "banker") == ((-100, 0) if banker_lost else (None, None))


def test_631a_6_b_settled_beside_a_card_unread() -> None:
    # 8 + 9 = 17 is 7 on two cards, and the Banker's Hand stays on it against any third card: no Dragon 7.
    concluded = audit(deal("9c 5d ??", "8c 9h"), bet("dragon_7", 100), ez=True)
    assert owed(concluded, "dragon_7") == (-100, 0)
