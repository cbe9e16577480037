"""631a.11: who draws a third card."""

import pytest

from tests.builders.texts import text_of
from tests.law.baccarat_table import Play, audit, bet, checks, deal, owed

# Table 1 of the text: the Banker's Point Count, then D or S by the value of the Player's third card, 0 to 9.
TABLE_1 = {
    #  0123456789
    3: "DDDDDDDDSD",
    4: "SSDDDDDDSS",
    5: "SSSSDDDDSS",
    6: "SSSSSSDDSS",
}
CELLS = [(banker, third, TABLE_1[banker][third]) for banker in TABLE_1 for third in range(10)]

WORTH = "TA23456789"  # a rank for each value


def stands(play: Play) -> list[str]:
    """Return what was wrong with the cards."""
    return checks(audit(play, bet("player"), bet("tie", seat=2)))


def banker_draws(player: str, banker: str, clause: str) -> None:
    """Prove that the Banker's Hand must draw: with a third card nothing is wrong, without it one lacks."""
    assert stands(deal(player, f"{banker} Kh")) == []
    without = audit(deal(player, banker), bet("player"), bet("tie", seat=2))
    assert checks(without) == ["third_card_missing"]
    assert (without.findings[0].who, without.findings[0].citations) == ("banker", (clause,))
    assert (without.verdict, without.outcome) == ("mismatch", None)
    assert owed(without, "player") == (None, None)  # no text settles a hand that is not finished


def banker_stays(player: str, banker: str, clause: str) -> None:
    """Prove that the Banker's Hand must stay: nothing is wrong without a third card, and one is too many."""
    clean = audit(deal(player, banker), bet("player"), bet("tie", seat=2))
    assert checks(clean) == []
    surplus = audit(deal(player, f"{banker} 4h"), bet("player"), bet("tie", seat=2))
    assert checks(surplus) == ["third_card_extra"]
    assert (surplus.findings[0].who, surplus.findings[0].citations) == ("banker", (clause,))
    assert surplus.verdict == "mismatch"
    # The card that must not be is left out of the hand.
    assert (surplus.outcome, surplus.expected) == (clean.outcome, clean.expected)


@pytest.mark.parametrize(("banker", "third", "cell"), CELLS)
def test_631a_11_c_2_iii(banker: int, third: int, cell: str) -> None:
    # The Player's 0 draws the card of that value.
    play = (f"Kc Qc {WORTH[third]}c", f"Kd {WORTH[banker]}d", "631a.11(c)(2)(iii)")
    if cell == "D":
        banker_draws(*play)
    else:
        banker_stays(*play)


@pytest.mark.parametrize("natural", ["Kc 8c", "Kc 9c", "4c 4d", "9c 9d", "As 7s"])
@pytest.mark.parametrize("other", ["Kd Kh", "Kd 5d", "Kd 6d", "Kd 7d", "Kd 8d", "Kd 9d"])
def test_631a_11_a(natural: str, other: str) -> None:
    assert stands(deal(natural, other)) == []
    assert stands(deal(other, natural)) == []
    for play, who in (
        (deal(natural, f"{other} 2h"), "banker"),
        (deal(f"{natural} 2h", other), "player"),
        (deal(other, f"{natural} 2h"), "banker"),
        (deal(f"{other} 2h", natural), "player"),
    ):
        surplus = audit(play, bet("player"), bet("tie", seat=2))
        assert checks(surplus) == ["card_after_natural"]
        assert (surplus.findings[0].who, surplus.findings[0].citations) == (who, ("631a.11(a)",))


def test_631a_11_a_card_is_left_out() -> None:
    # Player K + 8 = 8 against 7; the 9 that followed would have made it 7.
    surplus = audit(deal("Kc 8c 9h", "Kd 7d"), bet("player", 5000))
    assert (surplus.verdict, surplus.outcome) == ("mismatch", "player")
    assert owed(surplus, "player") == (5000, 0)
    # Banker K + 8 = 8 against 0; neither of two cards counts, and each hand's is found.
    both = audit(deal("Kc Kd 9h", "Kd 8d 2h"), bet("banker", 5000))
    assert both.outcome == "banker"
    assert [(finding.check, finding.who) for finding in both.findings] == [
        ("card_after_natural", "player"),
        ("card_after_natural", "banker"),
    ]
    assert owed(both, "banker") == (5000, 250)


@pytest.mark.parametrize("player", ["Kc Qc", "Kc Ac", "Kc 2c", "Kc 3c", "Kc 4c", "Kc 5c"])
def test_631a_11_b_1(player: str) -> None:
    # Banker K + 7 stays whatever the Player draws.
    assert stands(deal(f"{player} 5h", "Kd 7d")) == []
    without = audit(deal(player, "Kd 7d"), bet("player"), bet("tie", seat=2))
    assert checks(without) == ["third_card_missing"]
    assert (without.findings[0].who, without.findings[0].citations) == ("player", ("631a.11(b)(1)",))
    assert (without.verdict, without.outcome) == ("mismatch", None)
    assert owed(without, "player") == owed(without, "tie", seat=2) == (None, None)
    # A third card of the Banker's Hand, which draws to 2, does not stand for it.
    other = audit(deal(player, "Kd 2d 4h"), bet("player"))
    assert [(each.check, each.who) for each in other.findings] == [("third_card_missing", "player")]


@pytest.mark.parametrize("player", ["Kc 6c", "Kc 7c"])
def test_631a_11_b_2(player: str) -> None:
    # Banker K + 6 stays against no third card.
    clean = audit(deal(player, "Kd 6d"), bet("player"), bet("tie", seat=2))
    assert checks(clean) == []
    surplus = audit(deal(f"{player} 4h", "Kd 6d"), bet("player"), bet("tie", seat=2))
    assert checks(surplus) == ["third_card_extra"]
    assert surplus.findings[0].who == "player"
    assert "631a.11(b)(2)" in surplus.findings[0].citations
    assert (surplus.outcome, surplus.expected) == (clean.outcome, clean.expected)


def test_631a_11_b() -> None:
    # Player 4 draws a 5: 9. Banker 7 stays: the Player's Hand wins by the card it had to take.
    concluded = audit(deal("Kc 4c 5h", "Kd 7d"), bet("player", 5000))
    assert (concluded.verdict, concluded.outcome) == ("clean", "player")
    assert owed(concluded, "player") == (5000, 0)


@pytest.mark.parametrize("player", ["Kc 6c", "Kc 7c"])
@pytest.mark.parametrize("banker", ["Kd Qd", "Kd Ad", "Kd 2d", "Kd 3d", "Kd 4d", "Kd 5d"])
def test_631a_11_c_1(player: str, banker: str) -> None:
    banker_draws(player, banker, "631a.11(c)(1)")


@pytest.mark.parametrize("player", ["Kc 6c", "Kc 7c"])
@pytest.mark.parametrize("banker", ["Kd 6d", "Kd 7d"])
def test_631a_11_c_1_more_than_5(player: str, banker: str) -> None:
    banker_stays(player, banker, "631a.11(c)(1)")


@pytest.mark.parametrize("banker", ["Kd Qd", "Kd Ad", "Kd 2d"])
@pytest.mark.parametrize("third", WORTH)
def test_631a_11_c_2_i(banker: str, third: str) -> None:
    banker_draws(f"Kc Qc {third}c", banker, "631a.11(c)(2)(i)")


@pytest.mark.parametrize("third", WORTH)
def test_631a_11_c_2_ii(third: str) -> None:
    banker_stays(f"Kc Qc {third}c", "Kd 7d", "631a.11(c)(2)(ii)")


def test_631a_11_c_2_card_unread() -> None:
    # Banker 7 never draws, Banker 2 always does, whatever the Player's third card was: proven.
    extra = audit(deal("Kc Qc ??", "Kd 7d 4h"))
    assert (extra.verdict, checks(extra)) == ("mismatch", ["third_card_extra"])
    missing = audit(deal("Kc Qc ??", "Kd 2d"))
    assert (missing.verdict, checks(missing)) == ("mismatch", ["third_card_missing"])
    # Banker 3 drew, as it must against all but an 8: whether it might is not known, and no one is accused.
    for play in (deal("Kc Qc ??", "Kd 3d Kh"), deal("Kc Qc ??", "Kd 3d"), deal("Kc Qc ?c", "Kd 6d")):
        open_ = audit(play)
        assert (open_.verdict, checks(open_)) == ("undetermined", ["data_missing"])
    # A card worth 0 of unknown rank is as good as read.
    assert audit(deal("Kc Qc 0?", "Kd 3d Kh")).verdict == "clean"
    assert checks(audit(deal("Kc Qc 0?", "Kd 3d"))) == ["third_card_missing"]


def test_631a_11_c() -> None:
    # Player 6 stays; Banker 5 draws a 3: 8.
    assert audit(deal("Kc 6c", "Kd 5d 3h"), bet("banker")).outcome == "banker"
    # Player 5 draws an 8: 3; Banker 3 stays against an 8: tie.
    assert audit(deal("Kc 5c 8c", "Kd 3d"), bet("banker")).outcome == "tie"


def test_631a_11_c_2() -> None:
    # Player 2 draws a 7: 9. Banker 6 draws against a 7, here a 2: 8.
    concluded = audit(deal("Kc 2c 7c", "Kd 6d 2d"), bet("player", 5000))
    assert (concluded.verdict, concluded.outcome) == ("clean", "player")
    assert owed(concluded, "player") == (5000, 0)
    banker_stays("Kc Qc 8c", "Kd 3d", "631a.11(c)(2)(iii)")
    test_631a_11_c_2_card_unread()


def test_631a_11_d() -> None:
    # The row is the Banker's count after two cards, however made: 9 + 6 = 15 counts 5, and draws against a 4.
    banker_draws("Kc Qc 4c", "9d 6d", "631a.11(c)(2)(iii)")
    banker_stays("Kc Qc 3c", "9d 6d", "631a.11(c)(2)(iii)")


def test_631a_11_e() -> None:
    # The column is the third card's value, not the Player's count: 5 + 3 = 8, and Banker 3 draws against a 3,
    # although it would stay against an 8; 5 + 8 = 13 counts 3, and Banker 3 stays.
    banker_draws("Kc 5c 3c", "Kd 3d", "631a.11(c)(2)(iii)")
    banker_stays("Kc 5c 8c", "Kd 3d", "631a.11(c)(2)(iii)")


def test_631a_11_f() -> None:
    # D, then S, in the row of 6: a 7 and an 8.
    banker_draws("Kc Qc 7c", "Kd 6d", "631a.11(c)(2)(iii)")
    banker_stays("Kc Qc 8c", "Kd 6d", "631a.11(c)(2)(iii)")


def test_631a_11_g() -> None:
    # The text's own example: Banker 5, a third card worth 4: the Banker's Hand draws.
    banker_draws("Kc Ac 4c", "Kd 5d", "631a.11(c)(2)(iii)")


@pytest.mark.parametrize(
    ("play", "against"),
    [
        (deal("Kc 6c", "Kd 5d"), "against no third card"),
        (deal("Kc Ac 4c", "Kd 5d"), "against a third card worth 4"),
        (deal("Kc 6c", "Kd 6d Kh"), "against no third card"),
        (deal("Kc Ac Kh", "Kd 5d 2d"), "against a third card worth 0"),
    ],
)
def test_631a_11_c_says_against_what(play: Play, against: str) -> None:
    assert against in text_of(audit(play).findings[0].message)


def test_631a_11() -> None:
    # Player ace + 3 = 4 draws a 6: 10 counts 0. Banker 2 + 4 = 6 draws against a 6, here a 5: 11 counts 1.
    concluded = audit(deal("Ac 3c 6c", "2d 4d 5d"), bet("banker", 5000))
    assert (concluded.verdict, concluded.outcome) == ("clean", "banker")
    assert owed(concluded, "banker") == (5000, 250)
    # A 6 stays, a 5 draws, and beside a Natural nobody does.
    assert checks(audit(deal("Kc 6c", "Kd 7d"))) == []
    assert checks(audit(deal("Kc 6c 2c", "Kd 7d"))) == ["third_card_extra"]
    assert checks(audit(deal("Kc 5c", "Kd 7d"))) == ["third_card_missing"]
    assert checks(audit(deal("Kc 6c", "Kd 5d"))) == ["third_card_missing"]
    assert checks(audit(deal("Kc 8c", "Kd 2d 5d"))) == ["card_after_natural"]
