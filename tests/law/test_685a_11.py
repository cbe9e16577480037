"""685a.11: the odds."""

import pytest

from schemas.record import RecordWager
from tests.law.downunder_table import against, audit, bet, checks, owed, settled_by


def test_685a_11() -> None:
    stakes = bet(), bet("match_the_dealer", 100), bet("insurance", 500)
    assert owed(audit(against("Ac 8d", "Ah 9s stand"), *stakes)) == [1000, 400, -500]


@pytest.mark.parametrize(("cents", "gained"), [(1000, 1500), (1, 1), (1501, 2251), (2, 3)])
def test_685a_11_a(cents: int, gained: int) -> None:
    concluded = audit(against("9c 8d", "Ah Ks"), bet(cents=cents))
    assert owed(concluded) == [gained]
    assert settled_by(against("9c 8d", "Kh Qs stand"))[0] == 1000


def test_685a_11_a_what_is_no_blackjack() -> None:
    # 1 to 1: a 21 of three cards; one of a split ace; two Large cards on a 22.
    assert owed(audit(against("9c 8d", "7h 7s 7d"), bet())) == [1000]
    split = against("9c 8d", "As Ah split Kd 1.2:5d")
    assert owed(audit(split, bet(), bet(hand="seat1.2"))) == [1000, -1000]
    assert owed(audit(against("6c Td 6h", "Kh Qs stand"), bet())) == [1000]


def test_685a_11_a_fraction() -> None:
    concluded = audit(against("9c 8d", "Ah Ks"), bet(cents=1501), settled=[("bet", 2251)])
    assert concluded.verdict == "clean"
    assert [note.check for note in concluded.notes] == ["fraction_dropped"]


def test_685a_11_b() -> None:
    assert owed(audit(against("Ac Kd", "Th 9s"), bet(), bet("insurance", 300)))[1] == 600


@pytest.mark.parametrize(
    ("decks", "hand", "gained"),
    [
        (6, "9c 8s", 11000),
        (6, "9h 8s", 4000),
        (6, "9h 9s", 8000),
        (8, "9c 8s", 14000),
        (8, "9h 8s", 3000),
        (8, "9h 9s", 6000),
        (8, "9c 9c", 28000),
    ],
)
def test_685a_11_c(decks: int, hand: str, gained: int) -> None:
    gain, cites = settled_by(against("9c 8d", f"{hand} stand"), "match_the_dealer", bet(), decks=decks)
    assert (gain, "685a.11(c)" in cites) == (gained, True)


@pytest.mark.parametrize("decks", [4, 5])
def test_685a_11_c_has_no_odds_for_fewer_decks(decks: int) -> None:
    stakes = bet(), bet("match_the_dealer")
    assert owed(audit(against("9c 8d", "9h 8s stand"), *stakes, decks=decks)) == [0, None]


@pytest.mark.parametrize(
    ("hand", "gained"),
    [("Th 8s stand", 2000), ("Ah Ks", 3000), ("Th 7s stand", 0), ("Th 6s stand", -1000)],
)
def test_685a_11_a_coupon(hand: str, gained: int) -> None:
    # 603a.21: a coupon of 1000 under the chips is paid as they are, and lost it is worth nothing.
    under = RecordWager(1, "bet", 1000, coupon_cents=1000)
    concluded = audit(against("9c 8d", hand), under)
    assert (checks(concluded), owed(concluded)) == ([], [gained])


def test_685a_11_a_coupon_over_the_chips() -> None:
    concluded = audit(against("9c 8d", "Th 8s stand"), RecordWager(1, "bet", 1000, coupon_cents=1001))
    assert (checks(concluded), owed(concluded)) == (["coupon_over_chips"], [1000])
