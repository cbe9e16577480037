"""685a.3: what cards count, and the ranges of the hole card."""

from datetime import date

import pytest

from schemas.errors import BadInput
from schemas.rulebook import rulebook
from tests.law.downunder_table import against, audit, bet, checks, cited, fitting_ranges, found, gain
from tests.law.preparation_proofs import (
    prove_batch_stored,
    prove_batches_alternate,
    prove_batches_colored,
    prove_batches_equal,
    prove_decks_changed_after,
    prove_decks_received,
    prove_rack_of_one_batch,
)

SUBMITTED = date(2018, 9, 11)
RANGES = {"small": "2345", "medium": "6789", "large": "TJQKA"}


def test_685a_3() -> None:
    # King and 7 are 17, ace and 6 as well: a tie.
    assert gain(against("Kc 7d", "Ah 6s stand")) == 0


@pytest.mark.parametrize(
    ("rank", "others"),
    [
        ("2", "Th 5c stand"),
        ("3", "Th 4c stand"),
        ("4", "Th 3c stand"),
        ("5", "Th 2c stand"),
        ("6", "Th Ac stand"),
        ("7", "9h Ac stand"),
        ("8", "8h Ac stand"),
        ("9", "7h Ac stand"),
        ("T", "7h stand"),
    ],
)
def test_685a_3_d_1(rank: str, others: str) -> None:
    # With its face value, and aces at 1, it makes 17 and ties.
    assert gain(against("Kc 7d", f"{rank}s {others}")) == 0
    # Two such cards and an ace, against a 17: twice the face, and 11 or 1.
    face = 10 if rank == "T" else int(rank)
    total = 2 * face + (11 if 2 * face + 11 <= 21 else 1)
    expected = 1000 if total > 17 else 0 if total == 17 else -1000
    assert gain(against("Kc 7d", f"{rank}s {rank}h Ac")) == expected
    assert ("small" in fitting_ranges(rank)) is (face <= 5)


@pytest.mark.parametrize("rank", "JQK")
def test_685a_3_d_2(rank: str) -> None:
    # It counts ten: with a 7 it ties the dealer's 17, with an 8 it wins.
    assert gain(against("Tc 7d", f"{rank}s 7h stand")) == 0
    assert gain(against("Tc 7d", f"{rank}s 8h stand")) == 1000
    assert "medium" not in fitting_ranges(rank)
    medium = [hole for hole in "23456789TA" if "medium" in fitting_ranges(hole)]
    assert medium == ["6", "7", "8", "9"]


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("hole", "23456789TJQKA")
def test_685a_3_d_ranges(name: str, hole: str) -> None:
    # Up an 8: with any hole card the dealer is done or draws a king; the player is over 21.
    text = against(f"8c {hole}h", "Ts 6d 9c", range_=name)
    concluded = audit(text, bet())
    if hole in RANGES[name]:
        assert checks(concluded) == []
    else:
        assert found(concluded) == [("wrong_range", "dealer")]
        assert {"685a.7(h)", "685a.12(h)"} <= set(cited(concluded, "wrong_range"))


def test_685a_3_d() -> None:
    assert gain(against("Tc 7d", "2s 3h 4c 9d stand")) == 1000


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("Ah 7s stand", 1000),  # 18
        ("Ah 6s Tc stand", 0),  # 17, not 27
        ("Ah As 9c", 1000),  # 21: one of two aces counts 11
        ("Ah As Ac 8d", 1000),  # 21: one of three
        ("6h 5s Ac stand", -1000),  # 12: 22 is beyond a player's limit
        ("Ah As stand", -1000),  # 12, not 22
    ],
)
def test_685a_3_d_3(hand: str, expected: int) -> None:
    assert gain(against("Tc 7d", hand)) == expected


def test_685a_3_d_3_as_printed() -> None:
    # A house that chose nothing: one of the dealer's two aces is 11 and the other too, 22 and not 12.
    concluded = audit(against("Ac Ad", "Ts 8d stand"), bet())
    assert (checks(concluded), concluded.outcome) == ([], "22")
    large = [hole for hole in "23456789TJQKA" if "large" in fitting_ranges(hole)]
    assert large == ["T", "J", "Q", "K", "A"]


@pytest.mark.parametrize(
    ("dealer", "limit", "outcome"),
    [
        ("Ac Ad", 22, "22"),
        ("Ac Ad 9h", 21, "21"),
        ("6c 5d Ah", 22, "22"),
        ("6c 5d Ah Kh", 21, "22"),  # 12 and a king
        ("Ac 5d 6h", 22, "22"),
        ("Ac 5d 6h 7h", 21, "19"),  # 12 and a 7
        ("Ac 5d 7h 6s", 22, "19"),  # 23 is beyond 22: 13 and a 6
        ("Ac 5d 7h 6s", 21, "19"),
        ("Ac 6d", 22, "17"),
    ],
)
def test_685a_3_d_3_dealer(dealer: str, limit: int, outcome: str) -> None:
    concluded = audit(against(dealer, "Ts 8d stand"), bet(), dealer_ace_limit=limit)
    assert (checks(concluded), concluded.outcome) == ([], outcome)


@pytest.mark.parametrize("decks", [4, 5, 6, 8])
def test_685a_3_a(decks: int) -> None:
    assert rulebook("685a", SUBMITTED, {}, decks).decks == decks
    seats = [f"{seat}:Kc" for seat in range(1, decks + 1)]
    others = [f"{seat}:8c" for seat in range(1, decks)]
    full = " ".join([*seats, "d:9c", *others, f"{decks}:9h", "d:9d"])
    beyond = " ".join([*seats, "d:9c", *others, f"{decks}:Kc", "d:9d"])
    stakes = [bet(seat=seat) for seat in range(1, decks + 1)]
    assert checks(audit(full, *stakes, decks=decks)) == []
    assert checks(audit(beyond, *stakes, decks=decks)) == ["card_not_in_deck"]


def test_685a_3_a_other_decks() -> None:
    for decks in (1, 3, 7, 9):
        with pytest.raises(BadInput, match="685a"):
            rulebook("685a", SUBMITTED, {}, decks)
    assert rulebook("685a", SUBMITTED, {}).decks == 6


def test_685a_3_c() -> None:
    prove_decks_changed_after("685a", "685a.3(c)", 24)


def test_685a_3_b_1() -> None:
    prove_batches_equal("685a", "685a.3(b)(1)")


def test_685a_3_b_2() -> None:
    prove_batches_colored("685a", "685a.3(b)(2)")


def test_685a_3_b_3() -> None:
    prove_batch_stored("685a", "685a.3(b)(3)")


def test_685a_3_b_4() -> None:
    prove_batches_alternate("685a", "685a.3(b)(4)")


def test_685a_3_b_5() -> None:
    prove_rack_of_one_batch("685a", "685a.3(b)(5)")


def test_685a_3_b() -> None:
    prove_batches_equal("685a", "685a.3(b)(1)")
    prove_batches_alternate("685a", "685a.3(b)(4)")


def test_685a_3_a_decks_received() -> None:
    prove_decks_received("685a", "685a.3(a)", (4, 5, 6, 8), 1, (52,))
