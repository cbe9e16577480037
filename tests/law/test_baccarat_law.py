"""The law files of the baccarat chapters: where figures, wagers and choices stand, and since when."""

from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from projections.catalogue import KINDS
from schemas.errors import BadInput
from schemas.law_text import chapter
from schemas.provisions import provisions
from schemas.rulebook import rulebook

ROOT: Final = Path(__file__).parent.parent.parent

OF_2010: Final = ("541", "543", "545")
OF_2013: Final = {"627a": "541", "629a": "543"}  # and the chapter that each is read from

# Where 541, 543 and 545 have their figures, below the chapter; 545 differs as the tests below say.
FIGURES: Final = {
    "decks": ".3(a)",
    "natural": ".1",
    "player_draws_below": ".11(b)(1)",
    "banker_draws_to_alone": ".11(c)(1)",
    "banker_draws_below": ".11(c)(2)(i)",
    "banker_stays_at": ".11(c)(2)(ii)",
    "banker_table": ".11(c)(2)(iii)",
    "disclosed_third_discarded": ".14(c)",
    "player_odds": ".13(a)",
    "banker_odds": ".13(c)",
    "tie_odds_least": ".13(b)",
    "vigorish_rate": ".13(c)",
    "vigorish_on_tie_rate": ".13(f)",
    "vigorish_rounding_unit": ".13(d)",
}
BATCHES: Final = {"usual_decks": "541.3(a)", "batches": "541.3(b)(2)"}
SIDE_FIGURES: Final = {
    "dragon_bonus_margin": "631a.8(a)(4)(i)(C)",
    "dragon_bonus_odds": "631a.13(e)",
    "dragon_bonus_natural_odds": "631a.13(e)",
    "panda_8_odds": "631a.13(g)",
}
PRINTED: Final = {
    "627a": {"dragon_7_odds": "627a.12(f)", "house_money_odds": "627a.12(g)"},
    "629a": {"dragon_7_odds": "631a.13(f)", "house_money_odds": "629a.12(h)"},
}


def cites(number: str) -> dict[str, str]:
    """Return where each figure of a chapter is cited; each has one from its first day."""
    law = chapter(number)
    (first,) = law.texts
    assert {since for dated in law.numbers.values() for since in dated} == {first}
    return {name: figure.cite for name, figure in law.numbers_on(first).items()}


def test_figures_of_541() -> None:
    assert cites("541") == {name: f"541{at}" for name, at in FIGURES.items()} | BATCHES


def test_figures_of_543() -> None:
    assert cites("543") == {name: f"543{at}" for name, at in FIGURES.items()}


def test_figures_of_545() -> None:
    # No charge on a tie; the irregularities stand one section later.
    moved = {name: f"545{at}" for name, at in FIGURES.items() if name != "vigorish_on_tie_rate"}
    assert cites("545") == moved | {"disclosed_third_discarded": "545.15(c)"}


@pytest.mark.parametrize(("number", "old"), OF_2013.items())
def test_figures_of_2013(number: str, old: str) -> None:
    read = {name: f"{old}{at}" for name, at in FIGURES.items()} | (BATCHES if old == "541" else {})
    assert cites(number) == read | SIDE_FIGURES | PRINTED[number]


@pytest.mark.parametrize("number", OF_2010)
def test_texts_of_2010(number: str) -> None:
    ((since, text),) = chapter(number).texts.items()
    assert (since, text.until) == (date(2010, 3, 20), date(2012, 3, 20))
    assert (text.status, text.source) == ("temporary", "40 Pa.B. 1504")


@pytest.mark.parametrize("number", OF_2013)
def test_texts_of_2013(number: str) -> None:
    ((since, text),) = chapter(number).texts.items()
    assert (since, text.until) == (date(2013, 2, 9), None)
    assert (text.status, text.source) == ("proposed", "43 Pa.B. 834")


@pytest.mark.parametrize("number", OF_2010)
def test_wagers_of_2010(number: str) -> None:
    assert {name: (law.cite, law.offered_with) for name, law in chapter(number).wagers.items()} == {
        "banker": (f"{number}.8(a)(1)", None),
        "player": (f"{number}.8(a)(2)", None),
        "tie": (f"{number}.8(a)(3)", None),
    }


@pytest.mark.parametrize(("number", "old"), OF_2013.items())
def test_wagers_of_2013(number: str, old: str) -> None:
    assert {name: (law.cite, law.offered_with) for name, law in chapter(number).wagers.items()} == {
        "banker": (f"{old}.8(a)(1)", None),
        "player": (f"{old}.8(a)(2)", None),
        "tie": (f"{old}.8(a)(3)", None),
        "dragon_bonus_player": ("631a.8(a)(4)", "dragon_bonus"),
        "dragon_bonus_banker": ("631a.8(a)(4)", "dragon_bonus"),
        "dragon_7": ("631a.8(a)(5)", "ez"),
        "panda_8": ("631a.8(a)(6)", "ez"),
        "house_money": (f"{number}.7(a)(7)", "house_money"),
    }


def test_chapters_with_one_kind_of_wagers_have_the_same_clauses() -> None:
    # What only one of them has: simulated rounds in 631a, the charge on a tie in 541 and 543. 43 Pa.B. 834
    # prints no section on the shuffle of 627a and 629a.
    plain = chapter("545").clauses.keys()
    assert chapter("541").clauses.keys() == chapter("543").clauses.keys() == plain | {"banker_charged"}
    full = chapter("631a").clauses.keys()
    for number in OF_2013:
        own = chapter(number).clauses.keys() - {"banker_charged", "vigorish_rounding"}
        assert own == full - {"simulated_round", "shuffle"}


@pytest.mark.parametrize("number", [*OF_2010, *OF_2013])
def test_clauses_are_provisions_of_the_chapter_or_of_the_one_it_is_read_from(number: str) -> None:
    law = chapter(number)
    told = {cite for clauses in law.clauses.values() for cite in clauses}
    told |= {figure.cite for dated in law.numbers.values() for figure in dated.values()}
    told |= {wager.cite for wager in law.wagers.values()} | {option.cite for option in law.options.values()}
    own = {number, OF_2013[number], "631a", "603a"} if number in OF_2013 else {number, "603a"}
    for cite in told:
        section = cite.partition(".")[0]
        assert section in own
        assert section == "603a" or cite in provisions(section), cite


@pytest.mark.parametrize(
    ("number", "option", "values"),
    [
        *((number, "vigorish", ["5%", "4%", "25% on tie"]) for number in ("541", "543", "627a", "629a")),
        ("545", "vigorish", ["5%", "4%"]),
        *((number, "vigorish_rounding_cents", [0, 5]) for number in ("541", "543", "627a", "629a")),
        ("545", "vigorish_rounding_cents", [0, 25]),
        *((number, "vigorish_deferred", [False, True]) for number in (*OF_2010, *OF_2013)),
        *((number, "tie_odds", ["8", "9", "8.5"]) for number in (*OF_2010, *OF_2013)),
        *((number, "disclosed_card", ["discard"]) for number in (*OF_2010, *OF_2013)),
        *((number, "ez", [False, True]) for number in OF_2013),
        *((number, "dragon_bonus", [None, "A", "B", "C"]) for number in OF_2013),
        *((number, "house_money", [False, True]) for number in OF_2013),
        *((number, "house_money_portion", ["1", "1/2"]) for number in OF_2013),
        *((number, "house_money_vigorish", ["whole", "original"]) for number in OF_2013),
        *((number, "match_play_pays", ["wager", "even"]) for number in OF_2013),
    ],
)
def test_options(number: str, option: str, values: list[object]) -> None:
    (first,) = chapter(number).texts
    assert str(rulebook(number, first, {}).options[option]) == str(values[0])
    for value in values:
        book = rulebook(number, first, {option: value})
        assert book.not_yet_law == ()
        assert str(book.options[option]) in (str(value), "17/2")
    with pytest.raises(BadInput, match=option):
        rulebook(number, first, {option: "otherwise"})


def test_least_odds_of_a_tie() -> None:
    for number in (*OF_2010, *OF_2013):
        (first,) = chapter(number).texts
        assert rulebook(number, first, {}).odds("tie_odds_least") == 8
        for odds in (7, "15/2"):
            with pytest.raises(BadInput, match="tie_odds"):
                rulebook(number, first, {"tie_odds": odds})


def test_options_that_a_chapter_does_not_have() -> None:
    for number in OF_2010:
        for option in ("ez", "dragon_bonus", "house_money", "house_money_portion", "house_money_vigorish"):
            with pytest.raises(BadInput, match=f"unknown option '{option}'"):
                rulebook(number, date(2011, 1, 1), {option: True})


def test_coupons_came_after_the_chapters_of_2010() -> None:
    book = rulebook("541", date(2011, 1, 1), {"match_play_pays": "even"})
    assert book.not_yet_law == ("match_play_pays",)


def test_decks_where_none_are_named() -> None:
    for number in (*OF_2010, *OF_2013):
        book = rulebook(number, next(iter(chapter(number).texts)), {})
        assert (book.decks, book.shoe_decks) == (8, 8)
    for decks, in_shoe in ((6, 6), (8, 8), (12, 6), (14, 7), (16, 8)):
        assert rulebook("541", date(2011, 1, 1), {}, decks).shoe_decks == in_shoe


# ── the provisions ───────────────────────────────────────────────────────────────────────────────────

CLAIMS: Final = ["not_observable", "not_built", "recorded", "configured", "checked", "settled"]


@pytest.mark.parametrize(
    ("number", "count"), [("541", 114), ("543", 106), ("545", 112), ("627a", 21), ("629a", 23)]
)
def test_provisions(number: str, count: int) -> None:
    entries = provisions(number)
    assert len(entries) == count  # as counted in the text
    sections = [int(name.split(".")[1].partition("(")[0]) for name in entries]
    assert all(before <= after for before, after in pairwise(sections))
    for name, entry in entries.items():
        assert "(" not in name or name[: name.rindex("(")] in entries
        assert set(entry.check) <= KINDS.keys(), name
        below = [other.disposition for each, other in entries.items() if each.startswith(f"{name}(")]
        if "(" not in name and below:
            assert CLAIMS.index(entry.disposition) <= max(map(CLAIMS.index, below)), name
