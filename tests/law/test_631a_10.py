"""631a.10: the third cards."""

import pytest

from tests.law.baccarat_table import Play, audit, bet, checks, deal, owed
from tests.law.curator_proofs import prove_point_counts
from tests.law.preparation_proofs import prove_decks_changed_each_shoe, prove_last_hand


def test_631a_10() -> None:
    # Player 1 draws a 7: 8. Banker 5 against a 7 draws a 4: 9.
    concluded = audit(deal("Kc Ac 7c", "Kd 5d 4d"), bet("banker", 5000))
    assert (concluded.verdict, concluded.outcome) == ("clean", "banker")
    assert owed(concluded, "banker") == (5000, 250)
    assert checks(audit(deal("Kc Ac 7c", "Kd 5d"), bet("banker", 5000))) == ["third_card_missing"]


@pytest.mark.parametrize(
    ("play", "wrong"),
    [
        # Player 0 must draw and did not. Banker 1 must draw too, whatever the Player's card would have been.
        (deal("Kc Qc", "Kd Ad"), [("third_card_missing", "player"), ("third_card_missing", "banker")]),
        # Whether a Banker's 3 to 6 draws hangs on that card: nothing is said of it, with or without a card.
        (deal("Kc Qc", "Kd 3d"), [("third_card_missing", "player")]),
        (deal("Kc Qc", "Kd 6d"), [("third_card_missing", "player")]),
        (deal("Kc Qc", "Kd 3d 4h"), [("third_card_missing", "player")]),
        (deal("Kc Qc", "Kd 6d 4h"), [("third_card_missing", "player")]),
        # A Banker's 0 to 2 had its card; a Banker's 7 never gets one.
        (deal("Kc Qc", "Kd 2d 4h"), [("third_card_missing", "player")]),
        (deal("Kc Qc", "Kd 7d"), [("third_card_missing", "player")]),
        (deal("Kc Qc", "Kd 7d 4h"), [("third_card_missing", "player"), ("third_card_extra", "banker")]),
        # The Player's Hand had its card; Banker 1 did not.
        (deal("Kc Qc 4c", "Kd Ad"), [("third_card_missing", "banker")]),
    ],
)
def test_631a_10_b(play: Play, wrong: list[tuple[str, str]]) -> None:
    concluded = audit(play, bet("player"))
    assert (concluded.verdict, concluded.outcome) == ("mismatch", None)
    assert [(finding.check, finding.who) for finding in concluded.findings] == wrong
    assert owed(concluded, "player") == (None, None)


def test_631a_10_b_player_first() -> None:
    # Third cards go first to the Player's Hand, then to the Banker's (631a.9(c)).
    play = [*deal("Kc Qc", "Kd Ad"), ("banker", "5h"), ("player", "6h")]
    concluded = audit(play, bet("player"))
    assert (concluded.verdict, concluded.outcome) == ("mismatch", None)
    assert checks(concluded) == ["card_order_wrong"]
    assert concluded.findings[0].citations == ("631a.9(c)", "631a.11(b)(1)")
    assert owed(concluded, "player") == (None, None)


@pytest.mark.parametrize(
    ("play", "who"),
    [
        # Player 0 draws a 6; a 3 more would make 9. Banker 7 stays.
        (deal("Kc Qc 6c 3c", "Kd 7d"), "player"),
        # Player 6 stays. Banker 5 draws a 2: 7; an ace more would make 8.
        (deal("Kc 6c", "Kd 5d 2d Ad"), "banker"),
        # Player 0 draws a 6. Banker 6 draws against a 6, here an ace: 7; a king more.
        (deal("Kc Qc 6c", "Kd 6d Ad Kh"), "banker"),
    ],
)
def test_631a_10_c(play: Play, who: str) -> None:
    # The second one is left out of the hand: 6 to 7 each time.
    concluded = audit(play, bet("banker", 5000))
    assert (concluded.verdict, concluded.outcome) == ("mismatch", "banker")
    assert checks(concluded) == ["third_card_extra"]
    assert (concluded.findings[0].who, concluded.findings[0].citations) == (who, ("631a.10(c)",))
    assert owed(concluded, "banker") == (5000, 250)


def test_631a_10_c_both_hands() -> None:
    play = [
        *deal("Kc Qc 6c", "Kd Ad"),
        ("banker", "6d"),  # Banker 1 draws against a 6: 7
        ("player", "2c"),
        ("banker", "Ah"),
    ]
    concluded = audit(play, bet("banker", 5000))
    assert concluded.outcome == "banker"
    assert [(finding.check, finding.who) for finding in concluded.findings] == [
        ("third_card_extra", "player"),
        ("third_card_extra", "banker"),
    ]
    assert owed(concluded, "banker") == (5000, 250)


def test_631a_10_d() -> None:
    prove_last_hand("631a", "631a.10(d)")
    prove_decks_changed_each_shoe("631a", "631a.3(b)")


def test_631a_10_a() -> None:
    prove_point_counts("631a", "631a.10(a)")
