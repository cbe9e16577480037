"""551.2: what stands on the layout and decides money."""

from typing import Final

import pytest

from projections.engine.facts import Word, fact
from tests.builders.texts import text_of
from tests.law.layout_proofs import prove_approved, prove_most, prove_point, prove_rack_height
from tests.law.preparation_proofs import prove_reader_inspected
from tests.law.spanish21_table import audit, found, gain, owed

# What of (c) is always on the layout; the odds of Match-The-Dealer may stand on the sign of (g).
WRITTEN: Final = {
    "blackjack_odds": "551.2(c)(1)",
    "draw_rule": "551.2(c)(2)",
    "insurance_odds": "551.2(c)(3)",
    "payout_odds": "551.2(c)(4)",
}


def test_551_2() -> None:
    pays_and_draws_as_written()
    prove_most("551", "positions", 7, "551.2(b)(2)")


def pays_and_draws_as_written() -> None:
    """Prove what (c)(1) to (3) have written: 3 to 2, on 16 but not on 17, and 2 to 1."""
    assert gain("1:Ad D:9c 1:Ks D:9h") == 1500
    assert found(audit("1:Kd D:Kc 1:8s D:6h 1:stand")) == [("dealer_stood_wrongly", "dealer")]
    assert found(audit("1:Kd D:Kc 1:8s D:7h 1:stand")) == []
    assert (
        owed(audit("1:Kd D:Ac 1:8s D:Kh 1:stand", "1 wager 1000", "1 insurance 500"))["1 insurance"] == 1000
    )


def test_551_2_c() -> None:
    pays_and_draws_as_written()
    for point, cite in WRITTEN.items():
        prove_point("551", point, cite)


@pytest.mark.parametrize("dealer", ["9c 9h", "Kc Kh", "7c Kh", "Kc 6h 9s", "Kc 5h 6s", "Kc Ah", "Ac Kh"])
def test_551_2_c_1(dealer: str) -> None:
    # Whatever the dealer has: less, over 21, 21 in three cards, a Blackjack of his own.
    up, hole, *drawn = dealer.split()
    cards = f"1:Ad 2:Kd D:{up} 1:Ks 2:9d D:{hole} 2:stand " + " ".join(f"D:{card}" for card in drawn)
    concluded = audit(cards, "1 wager 1000", "2 wager 1000")
    assert (found(concluded), owed(concluded)["1 wager"]) == ([], 1500)


@pytest.mark.parametrize(
    ("dealer", "findings"),
    [
        ("Kc 6h", [("dealer_stood_wrongly", "dealer")]),
        ("Kc 6h 2d", []),
        ("Kc 7h", []),
        ("Ac 6h", []),
        ("Kc 7h 2d", [("dealer_drew_wrongly", "dealer")]),
        ("Ac 6h 2d", [("dealer_drew_wrongly", "dealer")]),
    ],
)
def test_551_2_c_2(dealer: str, findings: list[tuple[str, str]]) -> None:
    up, hole, *drawn = dealer.split()
    cards = f"1:Kd D:{up} 1:8s D:{hole} 1:stand " + " ".join(f"D:{card}" for card in drawn)
    assert found(audit(cards)) == findings


def test_551_2_c_3() -> None:
    prove_point("551", "insurance_odds", "551.2(c)(3)")
    assert (
        owed(audit("1:Kd D:Ac 1:8s D:Qh 1:stand", "1 wager 1000", "1 insurance 500"))["1 insurance"] == 1000
    )


def test_551_2_e() -> None:
    prove_reader_inspected("551", "551.2(e)")


def test_551_2_b_1() -> None:
    prove_point("551", "logo", "551.2(b)(1)")


def test_551_2_b_2() -> None:
    prove_most("551", "positions", 7, "551.2(b)(2)")


def test_551_2_b_2_i() -> None:
    prove_point("551", "wager_areas", "551.2(b)(2)(i)")


def test_551_2_b_2_ii() -> None:
    prove_point("551", "match_areas", "551.2(b)(2)(ii)", wager="match_the_dealer")


def test_551_2_c_4() -> None:
    prove_point("551", "payout_odds", "551.2(c)(4)")


def test_551_2_c_5() -> None:
    prove_point("551", "match_odds", "551.2(c)(5)", "551.2(g)(2)", wager="match_the_dealer")


def test_551_2_d() -> None:
    prove_point("551", "box_places", "551.2(d)")


def test_551_2_f() -> None:
    prove_point("551", "discard_rack", "551.2(f)")


def test_551_2_f_1() -> None:
    prove_rack_height("551", 6, "551.2(f)(1)", "551.2(f)(2)")


def test_551_2_f_2() -> None:
    prove_rack_height("551", 6, "551.2(f)(1)", "551.2(f)(2)")


def test_551_2_g() -> None:
    prove_point("551", "match_odds", "551.2(c)(5)", "551.2(g)(2)", wager="match_the_dealer")


def test_551_2_g_1() -> None:
    prove_point("551", "doubled_hands", "551.2(g)(1)")


def test_551_2_g_2() -> None:
    prove_point("551", "match_odds", "551.2(c)(5)", "551.2(g)(2)", wager="match_the_dealer")


def test_551_2_c_1_is_written_there() -> None:
    prove_point("551", "blackjack_odds", "551.2(c)(1)")


def test_551_2_c_2_is_written_there() -> None:
    prove_point("551", "draw_rule", "551.2(c)(2)")


def test_551_2_b() -> None:
    prove_approved("551", "layout", "551.2(b)")


@pytest.mark.parametrize(("item", "words"), [("layout 101", 1), ("Layout 101", 1), ("L-101", 1)])
def test_551_2_b_says_once_what_is_not_approved(item: str, words: int) -> None:
    said = text_of(
        fact("procedures.checks.layout_not_approved", mark=Word("layout"), item=item, approved=None)
    )
    assert said.lower().count("layout") == words
    assert item in said
