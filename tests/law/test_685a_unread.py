"""Chapter 685a with cards that were not read: what any card gives is settled, the rest is left open."""

import pytest

from tests.builders.texts import text_of
from tests.law.downunder_table import against, audit, bet, checks, owed


@pytest.mark.parametrize(
    ("text", "verdict", "cents"),
    [
        (against("9c 8d", "0? Qs stand"), "clean", 1000),  # ten and queen
        (against("9c 8d", "K? 8? stand"), "clean", 1000),
        (against("9c 8d", "Ks 5h ?? stand"), "undetermined", None),
        (against("9c 8d", "Ks 6h 9d"), "clean", -1000),
        (against("9c ??", "Ks 6h 9d"), "clean", -1000),  # over 21 whatever the dealer has
        (against("9c ??", "Ks Qh stand"), "undetermined", None),
        (against("6c 0? 5h", "Ks Qh stand"), "clean", -1000),
        (against("9c 8d", "?h Ks stand"), "undetermined", None),  # perhaps a Blackjack
        (against("?c Kd", "Ks Ah"), "undetermined", None),  # perhaps one of the dealer's
        (against("5c 5d ?h", "As Kh", "Ts 9d 9h"), "clean", 1500),
        (against("Ac ??", "As Kh even_money"), "clean", 1000),
    ],
)
def test_685a_unread(text: str, verdict: str, cents: int | None) -> None:
    concluded = audit(text, bet(), bet(seat=2)) if "2:" in text else audit(text, bet())
    assert (concluded.verdict, owed(concluded)[0]) == (verdict, cents)


def test_685a_unread_hole_card_and_a_split() -> None:
    # Both hands are over 21. Had the dealer a Blackjack, only the stake of the second would come back.
    text = against("Ac ??", "8s 8h split 6d Kd 1.2:7d 1.2:Td")
    concluded = audit(text, bet(), bet(hand="seat1.2"))
    assert (concluded.verdict, owed(concluded)) == ("undetermined", [-1000, None])


def test_685a_unread_range() -> None:
    # A card of value ten is Large whatever it is; a card of which nothing was read may be anything.
    assert checks(audit(against("8c 0?", "Ks 6h 9d", range_="large"), bet())) == []
    assert checks(audit(against("8c 0?", "Ks 6h 9d", range_="small"), bet())) == ["wrong_range"]
    assert checks(audit(against("8c ?h", "Ks 6h 9d", range_="small"), bet())) == ["data_missing"]


def test_685a_unread_first_card_of_the_dealer() -> None:
    # With an ace up insurance is lost, with any other card no text settles it.
    concluded = audit(against("?c 9d", "Ks 6h 9d"), bet(), bet("insurance", 500))
    assert (concluded.verdict, owed(concluded)) == ("undetermined", [-1000, None])


def test_685a_unread_suits() -> None:
    stakes = bet(), bet("match_the_dealer")
    concluded = audit(against("9c 8d", "9? Th stand"), *stakes)
    assert (concluded.verdict, checks(concluded)) == ("undetermined", ["data_missing"])
    assert "seat 1 9?" in text_of(concluded.findings[0].message)
    assert owed(concluded) == [1000, None]
    assert owed(audit(against("9c 8d", "7? Th stand"), *stakes)) == [0, -1000]
    assert owed(audit(against("9? 8d", "9h Th stand"), *stakes)) == [1000, None]


def test_685a_unread_beyond_what_is_tried() -> None:
    text = against("9c 8d", "?? ?? ?? ?? stand")
    assert (audit(text, bet()).verdict, owed(audit(text, bet()))) == ("undetermined", [None])


def test_685a_unread_card_on_which_the_dealers_draw_hangs() -> None:
    # With a 4 the hand has 20 and the dealer had to draw to his 12; with a 9 it is over 21 and he need not.
    for third, outcome in (("9d", "12"), ("??", None)):
        concluded = audit(against("7c 5d", f"Ks 6h {third}"), bet())
        assert concluded.outcome == outcome, third
    assert checks(audit(against("7c 5d", "Ks 6h 4d stand"), bet())) == ["dealer_stood_wrongly"]
