"""Chapter 681a as a whole: which figures, wagers and choices it has, from when, and where each stands."""

from datetime import date, timedelta
from typing import Any, Final

import pytest

from schemas.errors import BadInput, NotInForce
from schemas.law_text import chapter
from schemas.rulebook import rulebook

PROPOSED: Final = date(2016, 3, 19)  # 46 Pa.B. 1433; the final form is undated

FIGURES: Final = {
    "decks": ([4, 8], "681a.3(a)"),
    "ten_card_value": (10, "681a.3(d)(2)"),
    "ace_value": (11, "681a.3(d)(3)"),
    "ace_value_beyond_most": (1, "681a.3(d)(3)"),
    "most": (21, "681a.3(d)(3)"),
    "draws_below": (17, "681a.7(g)"),
    "hand_odds": ("1 to 1", "681a.8(a)"),
    "hand_paid_less": (17, "681a.8(a)"),
    "hand_paid_less_odds": ("1 to 2", "681a.8(a)"),
    "tie_odds": ("10 to 1", "681a.8(b)"),
    "three_card_total": (21, "681a.3(e)(4)"),
}


def test_681a_figures() -> None:
    in_force = chapter("681a").numbers_on(PROPOSED)
    plain = {name: (figure.value, figure.cite) for name, figure in in_force.items() if name != "bonus_odds"}
    assert plain == FIGURES
    assert in_force["bonus_odds"].cite == "681a.8(c)"
    assert set(in_force["bonus_odds"].value) == set("ABCDEF")
    assert chapter("681a").numbers_on(PROPOSED - timedelta(days=1)) == {}


def test_681a_texts() -> None:
    law = chapter("681a")
    assert (law.chapter, law.title) == ("681a", "21 Baccarat")
    assert {since: text.status for since, text in law.texts.items()} == {PROPOSED: "proposed"}
    with pytest.raises(NotInForce):
        rulebook("681a", PROPOSED - timedelta(days=1), {})


def test_681a_wagers() -> None:
    assert {name: (law.cite, law.offered_with) for name, law in chapter("681a").wagers.items()} == {
        "player": ("681a.6(c)(1)", None),
        "banker": ("681a.6(c)(2)", None),
        "tie": ("681a.6(d)(1)", None),
        "bonus_player": ("681a.6(d)(2)", None),
        "bonus_banker": ("681a.6(d)(3)", None),
    }


@pytest.mark.parametrize(
    ("option", "cite", "values"),
    [
        ("ace_ace", "681a.3(d)(3)", [12, 21, 22]),
        ("ace_ace_tie", "681a.6(d)(1)", ["only_ace_ace", "value"]),
        ("ace_ace_bonus_card", "681a.7(f)(2)", ["none", "drawn"]),
        ("bonus_awards", "681a.3(e)", ["pair_and_three_card_21", "highest"]),
        ("ace_2_3_straight", "681a.3(e)(3)", [True, False]),
        ("natural_bonus_card", "681a.7(f)(2)", ["any", "wagered_hand"]),
    ],
)
def test_681a_options(option: str, cite: str, values: list[Any]) -> None:
    law = chapter("681a").options[option]
    assert (law.since, law.cite) == (PROPOSED, cite)
    assert rulebook("681a", PROPOSED, {}).options[option] == values[0]
    assert [rulebook("681a", PROPOSED, {option: value}).options[option] for value in values] == values
    for other in ("other", 7, None):
        with pytest.raises(BadInput, match=option):
            rulebook("681a", PROPOSED, {option: other})


@pytest.mark.parametrize(("decks", "tables"), [(4, "ABC"), (8, "DEF"), (None, "DEF")])
def test_681a_paytables_by_decks(decks: int | None, tables: str) -> None:
    assert rulebook("681a", PROPOSED, {}, decks).options["bonus_paytable"] == tables[0]
    for table in "ABCDEF":
        if table in tables:
            chosen = rulebook("681a", PROPOSED, {"bonus_paytable": table}, decks)
            assert chosen.options["bonus_paytable"] == table
        else:
            with pytest.raises(BadInput, match="bonus_paytable"):
                rulebook("681a", PROPOSED, {"bonus_paytable": table}, decks)
