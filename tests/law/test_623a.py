"""Chapter 623a as a whole: which figures, wagers and choices it has, from when, and where each stands."""

from datetime import UTC, date, datetime, timedelta
from typing import Final

import pytest

from schemas.errors import BadInput, NotInForce
from schemas.law_text import chapter, status_of
from schemas.rulebook import rulebook
from tests.law.craps_table import SHOOTER, SMALL, audit, bet, checks, owed, rolls

PRINTED: Final = date(2013, 2, 9)  # 43 Pa.B. 834, printed as proposed


def test_623a_figures() -> None:
    figures = chapter("623a").numbers_on(PRINTED)
    assert {name: figure.cite for name, figure in figures.items()} == {
        "all_small_numbers": "623a.3(a)(43)(i)",
        "all_or_nothing_at_all_numbers": "623a.3(a)(43)(ii)",
        "all_tall_numbers": "623a.3(a)(43)(iii)",
        "loser": "623a.12(5)",
        "points": "623a.3(a)(42)",
        "all_small_odds": "623a.5(h)(1)",
        "all_or_nothing_at_all_odds": "623a.5(h)(2)",
        "all_tall_odds": "623a.5(h)(3)",
    }
    assert chapter("623a").numbers_on(PRINTED - timedelta(days=1)) == {}


def test_623a_texts() -> None:
    law = chapter("623a")
    assert {since: (text.status, text.source, text.until) for since, text in law.texts.items()} == {
        PRINTED: ("proposed", "43 Pa.B. 834", None)
    }
    assert status_of("623a.12(5)", date(2025, 1, 1)) == "proposed"
    with pytest.raises(NotInForce, match="2013-02-09"):
        rulebook("623a", PRINTED - timedelta(days=1), {})


def test_623a_not_in_force() -> None:
    # 2013-02-09 begins at 06:00 in Pennsylvania, which is 11:00 UTC.
    before, after = (datetime(2013, 2, 9, hour, 59, tzinfo=UTC) for hour in (10, 11))
    play = [SHOOTER, *rolls(7)]
    assert checks(audit(play, bet(SMALL), at=before)) == ["not_in_force"]
    assert owed(audit(play, bet(SMALL), at=before), SMALL) is None
    assert owed(audit(play, bet(SMALL), at=after), SMALL) == -500


def test_623a_wagers() -> None:
    assert {name: (law.since, law.cite) for name, law in chapter("623a").wagers.items()} == {
        "all_small": (PRINTED, "623a.3(a)(43)(i)"),
        "all_or_nothing_at_all": (PRINTED, "623a.3(a)(43)(ii)"),
        "all_tall": (PRINTED, "623a.3(a)(43)(iii)"),
        "lay": (PRINTED, "623a.3(a)(42)"),
        "pass": (PRINTED, "623a.4(c)(1)"),
        "come": (PRINTED, "623a.4(c)(2)"),
        "fire": (PRINTED, "623a.4(c)(3)"),
        "dont_pass": (PRINTED, "623a.4(d)"),
        "dont_come": (PRINTED, "623a.4(d)"),
    }


@pytest.mark.parametrize(
    ("option", "cite", "default", "other"),
    [
        ("bonus_craps_made", "623a.12(1)", "initial_come_out", "any_come_out"),
        ("bonus_craps_removal", "623a.12(2)", "barred", "allowed"),
        ("minimum_wager_cents", "623a.3(b)(1)", 0, 500),
        ("maximum_wager_cents", "623a.3(b)(2)", None, 10_000),
    ],
)
def test_623a_options(option: str, cite: str, default: object, other: object) -> None:
    law = chapter("623a").options[option]
    assert (law.since, law.cite) == (PRINTED, cite)
    assert rulebook("623a", PRINTED, {}).options[option] == default
    for value in (default, other):
        assert rulebook("623a", PRINTED, {option: value}).options[option] == value


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("bonus_craps_made", "new_shooter"),
        ("bonus_craps_made", None),
        ("bonus_craps_removal", True),
        ("minimum_wager_cents", -1),
        ("minimum_wager_cents", None),
        ("minimum_wager_cents", "1/2"),
        ("maximum_wager_cents", 0),
        ("maximum_wager_cents", True),
        ("maximum_wager_cents", "none"),
    ],
)
def test_623a_options_refused(option: str, value: object) -> None:
    with pytest.raises(BadInput, match=option):
        rulebook("623a", PRINTED, {option: value})


def test_623a_no_cards() -> None:
    assert rulebook("623a", PRINTED, {}).decks == 0
    with pytest.raises(BadInput, match="without cards"):
        audit([SHOOTER], decks=8)


def test_623a_void() -> None:
    # No text of the chapter speaks of a turn that is called void; a called void is taken as in every game.
    concluded = audit([SHOOTER, *rolls(2), ("dealer", "void")], bet(SMALL))
    assert (concluded.verdict, concluded.outcome, owed(concluded, SMALL)) == ("clean", "void", 0)
