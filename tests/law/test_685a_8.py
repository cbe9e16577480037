"""685a.8: the Insurance Wager."""

import pytest

from tests.law.downunder_table import against, audit, bet, checks, cited, owed, settled_by


def test_685a_8() -> None:
    stakes = bet(), bet("insurance", 500)
    assert owed(audit(against("Ac Kd", "Th 9s"), *stakes)) == [-1000, 1000]
    assert owed(audit(against("Ac 8d", "Th 9s stand"), *stakes)) == [0, -500]


@pytest.mark.parametrize("hole", "23456789TJQKA")
def test_685a_8_a(hole: str) -> None:
    drawn = {"2": " 6h", "3": " 6h", "4": " 6h", "5": " 6h"}.get(hole, "")
    concluded = audit(against(f"Ac {hole}d{drawn}", "Th 9s stand"), bet(), bet("insurance", 500))
    assert owed(concluded)[1] == (1000 if hole in "TJQK" else -500)
    without_ace = audit(against(f"{hole}c 9d", "Th 6s 9d"), bet(), bet("insurance", 500))
    assert checks(without_ace) == ["wager_not_permitted"] * (hole != "A")


@pytest.mark.parametrize("up", "23456789TJQK")
def test_685a_8_a_no_ace(up: str) -> None:
    # Its money is left open.
    concluded = audit(against(f"{up}c 9d", "Th 6s 9d"), bet(), bet("insurance", 500))
    assert checks(concluded) == ["wager_not_permitted"]
    assert cited(concluded, "wager_not_permitted") == ("685a.8(a)",)
    assert owed(concluded) == [-1000, None]


def test_685a_8_a_card_unread() -> None:
    # Over a 9 it is lost if the first card was an ace; if not it could not be made, and its money is open.
    concluded = audit(against("?c 9d", "Th 6s 9d"), bet(), bet("insurance", 500))
    assert owed(concluded) == [-1000, None]


def test_685a_8_a_is_beside_the_first_hand() -> None:
    # It was made before the hole card was in the reader, and so before any pair was split.
    text = against("Ac 8d", "8s 8h split Kd stand 1.2:Td 1.2:stand")
    concluded = audit(text, bet(), bet(hand="seat1.2"), bet("insurance", 500, hand="seat1.2"))
    assert checks(concluded) == ["wager_not_permitted"]
    assert cited(concluded, "wager_not_permitted") == ("685a.8(a)",)


def test_685a_8_b() -> None:
    stakes = bet(), bet("insurance", 500)
    in_time = "1:Th d:Ac 1:9s d:8d 1:place_to_insurance d:medium 1:stand"
    late = "1:Th d:Ac 1:9s d:8d d:medium 1:place_to_insurance 1:stand"
    assert checks(audit(in_time, *stakes)) == []
    concluded = audit(late, *stakes)
    assert checks(concluded) == ["late_wager"]
    assert cited(concluded, "late_wager") == ("685a.8(b)",)
    assert owed(concluded) == [0, None]


def test_685a_8_b_what_is_late() -> None:
    stakes = bet(), bet("insurance", 500), bet("double_down")
    higher = "1:6h d:Ac 1:5s d:8d 1:place_to_insurance d:medium 1:increase_to_insurance 1:double 1:Kd"
    assert checks(audit(higher, *stakes)) == ["late_wager"]
    other = "1:6h d:Ac 1:5s d:8d 1:place_to_insurance d:medium 1:place_to_double_down 1:double 1:Kd"
    assert (checks(audit(other, *stakes)), owed(audit(other, *stakes))) == ([], [1000, -500, 1000])


def test_685a_8_b_height_is_not_judged() -> None:
    assert checks(audit(against("Ac 8d", "Th 9s stand"), bet(), bet("insurance", 5000))) == []


def test_685a_8_c() -> None:
    assert settled_by(against("Ac Kd", "Th 9s"), "insurance", bet()) == (
        2000,
        {"685a.8(a)", "685a.11(b)", "685a.7(r)"},
    )


def test_685a_8_d() -> None:
    assert settled_by(against("Ac 8d", "Th 9s stand"), "insurance", bet()) == (
        -1000,
        {"685a.8(d)", "685a.7(r)"},
    )
    # A 21 that the dealer draws to is no Blackjack.
    assert settled_by(against("Ac 3d 7h", "Th 9s stand"), "insurance", bet())[0] == -1000
    # It is lost whatever he would have drawn.
    undrawn = audit(against("Ac 3d", "Th 9s stand"), bet(), bet("insurance", 500))
    assert (checks(undrawn), owed(undrawn)) == (["dealer_stood_wrongly"], [None, -500])
    # Nor does it help that he goes over: ace, 2, 3, king and 9 are 25.
    assert settled_by(against("Ac 2d 3h Ks 9h", "Th 9s stand"), "insurance", bet())[0] == -1000
