"""Chapter 685a as a whole: which figures, wagers and choices it has, from when, and where each stands."""

from datetime import date, timedelta
from typing import Any, Final

import pytest

from schemas.errors import BadInput, NotInForce
from schemas.law_text import chapter
from schemas.rulebook import rulebook

SUBMITTED: Final = date(2018, 9, 11)  # stamped by the review commission; the proposal has no date of its own

FIGURES: Final = {
    "decks": ([4, 5, 6, 8], "685a.3(a)"),
    "usual_decks": (6, "685a.3(a)"),
    "player_limit": (21, "685a.3(d)(3)"),
    "small": ("2345", "685a.1"),
    "medium": ("6789", "685a.1"),
    "large": ("TJQKA", "685a.1"),
    "dealer_stands_at": (17, "685a.7(m)"),
    "dealer_standoff": (22, "685a.7(n)(1)"),
    "standoff_cards": (2, "685a.7(n)(1)"),
    "double_on_cards": (2, "685a.9(a)"),
    "hands_most": (2, "685a.10(c)"),
    "split_ace_cards": (1, "685a.10(e)"),
    "bet_odds": ("1 to 1", "685a.11(a)"),
    "blackjack_odds": ("3 to 2", "685a.11(a)"),
    "even_money_odds": ("1 to 1", "685a.7(g)"),
    "insurance_odds": ("2 to 1", "685a.11(b)"),
    "match_the_dealer_odds": (
        {6: {"suited": "11 to 1", "unsuited": "4 to 1"}, 8: {"suited": "14 to 1", "unsuited": "3 to 1"}},
        "685a.11(c)",
    ),
}


def test_685a_figures() -> None:
    in_force = chapter("685a").numbers_on(SUBMITTED)
    assert {name: (figure.value, figure.cite) for name, figure in in_force.items()} == FIGURES
    assert chapter("685a").numbers_on(SUBMITTED - timedelta(days=1)) == {}


def test_685a_texts() -> None:
    law = chapter("685a")
    assert (law.chapter, law.title) == ("685a", "Down Under Blackjack")
    assert {since: text.status for since, text in law.texts.items()} == {SUBMITTED: "proposed"}
    with pytest.raises(NotInForce):
        rulebook("685a", SUBMITTED - timedelta(days=1), {})


def test_685a_wagers() -> None:
    assert {name: (law.since, law.cite) for name, law in chapter("685a").wagers.items()} == {
        "bet": (SUBMITTED, "685a.6(d)"),
        "double_down": (SUBMITTED, "685a.9(a)"),
        "insurance": (SUBMITTED, "685a.8(a)"),
        "match_the_dealer": (SUBMITTED, "685a.6(e)"),
    }


@pytest.mark.parametrize(
    ("option", "cite", "values"),
    [
        ("dealer_ace_limit", "685a.3(d)(3)", [22, 21]),
        ("large_after_split", "685a.7(n)(1)", [False, True]),
        ("bust_on_22", "685a.7(q)(1)", ["collect", "return"]),
        ("match_the_dealer_pays", "685a.7(f)", ["each", "best"]),
    ],
)
def test_685a_options(option: str, cite: str, values: list[Any]) -> None:
    law = chapter("685a").options[option]
    assert (law.cite, law.values) == (cite, values)
    assert rulebook("685a", SUBMITTED, {}).options[option] == values[0]
    assert rulebook("685a", SUBMITTED, {option: values[1]}).options[option] == values[1]


def test_685a_options_of_other_values() -> None:
    for option, value in (("dealer_ace_limit", 20), ("dealer_ace_limit", "21"), ("large_after_split", 1)):
        with pytest.raises(BadInput, match=option):
            rulebook("685a", SUBMITTED, {option: value})
