"""How a shooter's turn is explained, and what is left open if the clocks do not prove what came first."""

from typing import Any

import pytest
from msgspec.structs import replace

from projections.engine.audit.judge import judge
from projections.engine.audit.round_records import to_round
from projections.engine.conclusion import Conclusion
from projections.engine.games import game_of
from projections.engine.observation import CloseActs, Round
from schemas.record import RecordWager, RoundRecord
from schemas.rulebook import Rulebook, rulebook
from tests.builders.texts import step_texts
from tests.law.craps_table import ALL, EVENING, HOUSE, SHOOTER, SMALL, TALL, Play, bet, checks, marked, rolls

CRAPS = game_of("623a")
MADE = ("seat3", "place all_small")


def seen(play: Play, *wagers: RecordWager) -> Round:
    record = RoundRecord("CR-1", "1", "623a", EVENING, play, list(wagers))
    return to_round(record, HOUSE)


def book(**options: Any) -> Rulebook:
    return rulebook("623a", EVENING.date(), options)


def by_clocks(play: Play, *near: tuple[int, int], **options: Any) -> Conclusion:
    """Judge a turn with an All Small of $5 in which some acts were too near to others, by their places."""
    there = replace(seen(play, bet(SMALL)), close_acts=[CloseActs(act, other, ("C",)) for act, other in near])
    there.doubts.extend(CRAPS.doubts(there))
    return judge(there, book(**options))


# ── told ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_turn_is_explained_roll_by_roll() -> None:
    play = [SHOOTER, *rolls(11, 4, 4, 7, 8, 8, 7)]
    assert step_texts(CRAPS.reasons(seen(play, bet(TALL)), book())) == [
        ("Roll 1, 5-6: 11, the shooter's initial come out roll.", "623a.12(3)"),
        ("Roll 2, 3-1: 4, a come out roll.", "623a.12(3)"),
        ("Roll 3, 3-1: 4, thrown before.", "623a.12(3)"),
        ("Roll 4, 5-2: 7, a come out roll: every Bonus Craps wager that lies is lost.", "623a.12(5)"),
        ("Roll 5, 6-2: 8, a come out roll.", "623a.12(3)"),
        ("Roll 6, 6-2: 8, thrown before.", "623a.12(3)"),
        ("Roll 7, 5-2: 7, a come out roll: every Bonus Craps wager that lies is lost.", "623a.12(5)"),
    ]


def test_what_wins_is_explained_once() -> None:
    told = step_texts(
        CRAPS.reasons(seen(rolls(6, 5, 4, 3, 2, 8), bet(SMALL, bettor="anna"), bet(ALL)), book())
    )
    says = ("All that seat 3 anna's all small needs has been thrown before a 7: it wins.", "623a.12(4)")
    assert told.count(says) == 1
    assert told.index(says) == 5
    assert len(told) == 7


def test_what_the_text_does_not_print_is_explained() -> None:
    told = step_texts(CRAPS.reasons(seen(rolls(7), bet("pass")), book()))
    assert told[-1] == (
        "How seat 3's pass is settled stands in a section that is not printed.",
        "623a.4(c)(1)",
    )


def test_no_roll_and_void_are_explained() -> None:
    assert step_texts(CRAPS.reasons(seen([SHOOTER], bet(SMALL)), book())) == [
        ("No roll was recorded.", "623a.12(1)")
    ]
    ((says, cite),) = step_texts(CRAPS.reasons(seen([SHOOTER, ("dealer", "void")]), book()))
    assert "void" in says
    assert cite == "house control"


@pytest.mark.parametrize(
    ("totals", "counts"), [((), ""), ((12, 2, 2), "2 12"), ((3, 7, 4), "3"), ((7, 7), "")]
)
def test_the_numbers_before_a_seven_are_laid_out(totals: tuple[int, ...], counts: str) -> None:
    (laid,) = CRAPS.hands(seen([SHOOTER, *rolls(*totals)]))
    assert (laid.hand, len(laid.cards), laid.point_count) == ("dice", len(totals), counts)


# ── by clocks that do not tell ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("late", [False, True])
def test_made_too_near_to_the_first_roll(*, late: bool) -> None:
    roll, made = rolls(2), [MADE]
    play = [SHOOTER, *(roll + made if late else made + roll), *rolls(7)]
    concluded = by_clocks(play, (1, 2))
    (finding,) = concluded.findings
    assert (finding.check, finding.weight, finding.seat) == ("late_wager", "undetermined", 3)
    assert (concluded.verdict, concluded.expected[0].cents) == ("undetermined", None)


def test_made_too_near_to_a_later_roll_is_late_all_the_same() -> None:
    play = [SHOOTER, *rolls(2), MADE, *rolls(7)]
    assert checks(by_clocks(play, (2, 3))) == ["late_wager"]
    assert by_clocks(play, (2, 3)).verdict == "mismatch"


def test_made_too_near_to_a_later_come_out_roll() -> None:
    # By the letter of 623a.3(a)(43) it could have been made before the roll, or after it with the point on.
    play = [SHOOTER, *rolls(11), MADE, *rolls(4, 7)]
    concluded = by_clocks(play, (2, 3), bonus_craps_made="any_come_out")
    assert (concluded.verdict, checks(concluded)) == ("undetermined", ["data_missing"])
    assert checks(by_clocks(play, bonus_craps_made="any_come_out")) == []
    assert by_clocks(play, bonus_craps_made="any_come_out").verdict == "clean"


def test_removed_too_near_to_the_roll_that_decides() -> None:
    play = [SHOOTER, MADE, *rolls(2), ("seat3", "remove all_small"), *rolls(7)]
    assert by_clocks(play, (3, 4), bonus_craps_removal="allowed").verdict == "undetermined"
    assert by_clocks(play, bonus_craps_removal="allowed").expected[0].cents == 0
    # Near the roll before, which decided nothing, it makes no difference.
    assert by_clocks(play, (3, 2), bonus_craps_removal="allowed").expected[0].cents == 0


def test_buttons_too_near_to_a_roll_are_not_judged() -> None:
    play = [SHOOTER, MADE, *marked(2), *rolls(4), *marked(5), *rolls(7)]
    assert checks(by_clocks(play)) == ["number_not_marked", "markers_not_cleared"]
    near = by_clocks(play, (3, 4))
    assert (near.verdict, checks(near)) == ("undetermined", ["data_missing"])
