"""Chapter 551 as a whole: which figures, wagers and choices it has, in which time, and where each stands."""

from datetime import UTC, date, datetime
from typing import Any, Final

import pytest

from schemas.errors import BadInput, NotInForce
from schemas.house import House
from schemas.law_text import Span, chapter
from schemas.rulebook import rulebook
from tests.law.spanish21_table import audit, found, gain, owed

PUBLISHED: Final = date(2010, 3, 20)  # 40 Pa.B. 1504
EXPIRED: Final = date(2012, 3, 20)  # two years after

FIGURES: Final = {
    "decks": ([6, 8], "551.3(a)"),
    "usual_decks": (6, "551.3(a)"),
    "ranks": ("A23456789JQK", "551.3(a)"),
    "limit": (21, "551.3(b)(3)"),
    "wager_odds": ("1 to 1", "551.6(f)"),
    "blackjack_odds": ("3 to 2", "551.2(c)(1)"),
    "mixed_6_7_8_odds": ("3 to 2", "551.6(g)(1)"),
    "suited_6_7_8_odds": ("2 to 1", "551.6(g)(2)"),
    "spades_6_7_8_odds": ("3 to 1", "551.6(g)(2)"),
    "mixed_7_7_7_odds": ("3 to 2", "551.6(g)(3)"),
    "suited_7_7_7_odds": ("2 to 1", "551.6(g)(4)"),
    "spades_7_7_7_odds": ("3 to 1", "551.6(g)(4)"),
    "five_cards_odds": ("3 to 2", "551.6(g)(5)"),
    "six_cards_odds": ("2 to 1", "551.6(g)(6)"),
    "seven_cards_odds": ("3 to 1", "551.6(g)(7)"),
    "fixed_payouts": ({500: 100000, 2500: 500000}, "551.6(h)"),
    "fixed_payout_to_others": (5000, "551.6(h)"),
    "fixed_payout_up_card": ("7", "551.6(h)"),
    "surrendered": ("1/2", "551.9(a)"),
    "insurance_odds": ("2 to 1", "551.10(c)"),
    "doubled_odds": ("1 to 1", "551.11(b)"),
    "hands_most": (3, "551.12(c)"),
    "dealer_stands_at": (17, "551.13(b)"),
    "tens_void": (2, "551.16(b)"),
}


def test_551_figures() -> None:
    in_force = chapter("551").numbers_on(PUBLISHED)
    assert {name: (figure.value, figure.cite) for name, figure in in_force.items()} == FIGURES


def test_551_texts() -> None:
    law = chapter("551")
    assert (law.chapter, law.title) == ("551", "Spanish 21")
    assert {since: (text.status, text.until) for since, text in law.texts.items()} == {
        PUBLISHED: ("temporary", EXPIRED)
    }


@pytest.mark.parametrize("day", [date(2010, 3, 19), date(2012, 3, 20), date(2025, 1, 1)])
def test_551_not_in_force(day: date) -> None:
    with pytest.raises(NotInForce):
        rulebook("551", day, {})
    concluded = audit(
        "1:Kd D:9c 1:8s D:Kh 1:stand", at=datetime(day.year, day.month, day.day, 20, tzinfo=UTC)
    )
    assert (concluded.verdict, concluded.outcome) == ("undetermined", None)
    assert found(concluded) == [("not_in_force", None)]
    assert owed(concluded) == {"1 wager": None}


def test_551_a_house_may_hold_it_in_force_longer() -> None:
    house = House(house="longer", in_force={"551": Span(until=date(2026, 1, 1))})
    at = datetime(2025, 1, 1, 20, tzinfo=UTC)
    assert gain("1:Kd D:9c 1:8s D:Kh 1:stand", at=at, house=house) == -1000


def test_551_wagers() -> None:
    assert {name: (law.since, law.cite, law.offered_with) for name, law in chapter("551").wagers.items()} == {
        "wager": (PUBLISHED, "551.6(a)", None),
        "match_the_dealer": (PUBLISHED, "551.7(a)", None),
        "insurance": (PUBLISHED, "551.10(a)", None),
        "double_down": (PUBLISHED, "551.11(a)", None),
    }


@pytest.mark.parametrize(
    ("decks", "odds"),
    [(6, {"same_suit": 9, "different_suit": 4}), (8, {"same_suit": 12, "different_suit": 3})],
)
def test_551_options(decks: int, odds: dict[str, int]) -> None:
    law = chapter("551").options
    assert {name: (option.since, option.cite) for name, option in law.items()} == {
        "match_the_dealer_odds": (PUBLISHED, "551.7(e)"),
        "match_the_dealer_maximum_cents": (PUBLISHED, "551.7(b)(2)"),
        "double_down_on": (PUBLISHED, "551.11(a)"),
        "fixed_payout_others": (PUBLISHED, "551.6(h)"),
    }
    assert rulebook("551", PUBLISHED, {}, decks).options == {
        "match_the_dealer_odds": odds,
        "match_the_dealer_maximum_cents": None,
        "double_down_on": "first_two",
        "fixed_payout_others": "each",
    }


@pytest.mark.parametrize("change", [{"same_suit": -1}, {"different_suit": -1}, {"no_suit": 1}])
@pytest.mark.parametrize("decks", [6, 8])
def test_551_options_refused(decks: int, change: dict[str, int]) -> None:
    least = rulebook("551", PUBLISHED, {}, decks).options["match_the_dealer_odds"]
    chosen: dict[str, Any] = {name: least.get(name, 0) + change.get(name, 0) for name in {**least, **change}}
    with pytest.raises(BadInput, match="match_the_dealer_odds"):
        rulebook("551", PUBLISHED, {"match_the_dealer_odds": chosen}, decks)
