"""Chapter 631a as a whole: which figures, wagers and choices it has, from when, and where each stands."""

from datetime import date, timedelta
from typing import Any, Final

import pytest

from schemas.errors import BadInput
from schemas.law_text import chapter
from schemas.rulebook import rulebook

ENACTED: Final = date(2012, 5, 19)  # 42 Pa.B. 2906
COUPONS: Final = date(2013, 2, 9)  # 43 Pa.B. 834, printed as proposed
AMENDED: Final = date(2014, 2, 1)  # 44 Pa.B. 599 and 619: EZ Baccarat, House Money
THE_DAY_BEFORE: Final = timedelta(days=-1)

OF_2012: Final = {
    "decks": "631a.3(a)",
    "natural": "631a.1",
    "player_draws_below": "631a.11(b)(1)",
    "banker_draws_to_alone": "631a.11(c)(1)",
    "banker_draws_below": "631a.11(c)(2)(i)",
    "banker_stays_at": "631a.11(c)(2)(ii)",
    "banker_table": "631a.11(c)(2)(iii)",
    "player_odds": "631a.13(a)",
    "banker_odds": "631a.13(c)",
    "tie_odds_least": "631a.13(b)",
    "vigorish_rate": "631a.13(c)",
    "vigorish_rounding_unit": "631a.13(c)",
    "dragon_bonus_margin": "631a.8(a)(4)(i)(C)",
    "dragon_bonus_odds": "631a.13(e)",
    "dragon_bonus_natural_odds": "631a.13(e)",
}
OF_2014: Final = {
    "dragon_7_odds": "631a.13(f)",
    "panda_8_odds": "631a.13(g)",
    "house_money_odds": "631a.13(h)",
}


@pytest.mark.parametrize(
    ("day", "figures"),
    [
        (ENACTED + THE_DAY_BEFORE, {}),
        (ENACTED, OF_2012),
        (AMENDED + THE_DAY_BEFORE, OF_2012),
        (AMENDED, OF_2012 | OF_2014),
        (date(2025, 1, 1), OF_2012 | OF_2014),
    ],
)
def test_631a_figures(day: date, figures: dict[str, str]) -> None:
    in_force = chapter("631a").numbers_on(day)
    assert {name: figure.cite for name, figure in in_force.items()} == figures


def test_631a_texts() -> None:
    law = chapter("631a")
    assert law.chapter == "631a"
    assert {since: (text.status, text.source) for since, text in law.texts.items()} == {
        ENACTED: ("reconstructed", "42 Pa.B. 2906"),
        AMENDED: ("adopted", "44 Pa.B. 599, 44 Pa.B. 619"),
    }


def test_631a_wagers() -> None:
    assert {
        name: (law.since, law.cite, law.offered_with) for name, law in chapter("631a").wagers.items()
    } == {
        "banker": (ENACTED, "631a.8(a)(1)", None),
        "player": (ENACTED, "631a.8(a)(2)", None),
        "tie": (ENACTED, "631a.8(a)(3)", None),
        "dragon_bonus_player": (ENACTED, "631a.8(a)(4)", "dragon_bonus"),
        "dragon_bonus_banker": (ENACTED, "631a.8(a)(4)", "dragon_bonus"),
        "dragon_7": (AMENDED, "631a.8(a)(5)", "ez"),
        "panda_8": (AMENDED, "631a.8(a)(6)", "ez"),
        "house_money": (AMENDED, "631a.8(a)(7)", "house_money"),
    }


@pytest.mark.parametrize(
    ("option", "since", "cite", "default"),
    [
        ("ez", AMENDED, "631a.1", False),
        ("vigorish", ENACTED, "631a.13(c)", "5%"),
        ("vigorish_rounding_cents", ENACTED, "631a.13(c)", 0),
        ("vigorish_deferred", ENACTED, "631a.13(d)", False),
        ("tie_odds", ENACTED, "631a.13(b)", "8"),
        ("dragon_bonus", ENACTED, "631a.13(e)", None),
        ("house_money", AMENDED, "631a.8(a)(7)", False),
        ("house_money_portion", AMENDED, "631a.9(e)(1)(i)", "1"),
        ("house_money_vigorish", AMENDED, "631a.13(c)", "whole"),
        ("disclosed_card", ENACTED, "631a.15(c)", "discard"),
        ("match_play_pays", COUPONS, "603a.21(b)", "wager"),
    ],
)
def test_631a_options(option: str, since: date, cite: str, default: object) -> None:
    law = chapter("631a").options[option]
    assert (law.since, law.cite) == (since, cite)
    assert str(rulebook("631a", AMENDED, {}).options[option]) == str(default)


@pytest.mark.parametrize(
    ("option", "since", "value"),
    [
        ("ez", AMENDED, True),
        ("vigorish", ENACTED, "5%"),
        ("vigorish_rounding_cents", ENACTED, 25),
        ("vigorish_deferred", ENACTED, True),
        ("tie_odds", ENACTED, "9"),
        ("dragon_bonus", ENACTED, "C"),
        ("house_money", AMENDED, True),
        ("house_money_portion", AMENDED, "1/2"),
        ("house_money_vigorish", AMENDED, "original"),
        ("disclosed_card", ENACTED, "simulate"),
        ("match_play_pays", COUPONS, "even"),
    ],
)
def test_631a_options_in_time(option: str, since: date, value: object) -> None:
    chosen: dict[str, Any] = {option: value}
    assert rulebook("631a", AMENDED, chosen).options[option] == value
    assert rulebook("631a", AMENDED, chosen).not_yet_law == ()
    in_2012 = rulebook("631a", ENACTED, chosen)
    assert in_2012.not_yet_law == ((option,) if since > ENACTED else ())
    assert (in_2012.options[option] == value) is (since == ENACTED)


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("ez", [False, True]),
        ("vigorish", ["5%"]),
        ("vigorish_rounding_cents", [0, 25]),
        ("vigorish_deferred", [False, True]),
        ("dragon_bonus", [None, "A", "B", "C"]),
        ("house_money", [False, True]),
        ("house_money_vigorish", ["whole", "original"]),
        ("disclosed_card", ["discard", "simulate"]),
        ("match_play_pays", ["wager", "even"]),
    ],
)
def test_631a_options_admitted(option: str, values: list[object]) -> None:
    assert [rulebook("631a", AMENDED, {option: value}).options[option] for value in values] == values


def test_631a_least_tie_odds() -> None:
    assert rulebook("631a", ENACTED, {}).odds("tie_odds_least") == 8


@pytest.mark.parametrize("portion", ["1", "1/2", "1/100", "0.25"])
def test_631a_portion(portion: str) -> None:
    assert rulebook("631a", AMENDED, {"house_money_portion": portion}).not_yet_law == ()


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("house_money_portion", "0"),
        ("house_money_portion", "-1/2"),
        ("house_money_portion", "101/100"),
        ("house_money_portion", "all"),
        ("house_money_vigorish", "added"),
        ("house_money", 1),
        ("ez", 0),
        ("disclosed_card", "burn"),
        ("match_play_pays", "double"),
        ("vigorish_deferred", "later"),
    ],
)
def test_631a_options_refused(option: str, value: object) -> None:
    with pytest.raises(BadInput, match=option):
        rulebook("631a", AMENDED, {option: value})
