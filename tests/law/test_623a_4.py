"""623a.4: a Bonus Craps wager is not reduced or increased, and by the letter of (c) it may be removed."""

from typing import Any

import pytest

from tests.builders.texts import text_of
from tests.law.craps_table import SHOOTER, SMALL, audit, bet, checks, found, owed, paid, rolls
from tests.law.seating_proofs import prove_seated, seats_and_wagers

PLACED = [SHOOTER, ("seat3", "place all_small")]


def test_623a_4() -> None:
    # Nothing is changed: 2 to 6 win.
    concluded = audit([*PLACED, *rolls(2, 3, 4, 5, 6)], bet(SMALL), settled=[paid(SMALL, 17_000)])
    assert (concluded.verdict, owed(concluded, SMALL)) == ("clean", 17_000)
    increased = [*PLACED, *rolls(2, 3), ("seat3", "increase all_small"), *rolls(4, 5, 6)]
    assert checks(audit(increased, bet(SMALL))) == ["late_wager"]


@pytest.mark.parametrize("move", ["increase", "reduce", "place"])
@pytest.mark.parametrize("before", [(), (2,), (11, 4, 9)])
def test_623a_4_c_4(move: str, before: tuple[int, ...]) -> None:
    play = [*PLACED, *rolls(*before), ("seat3", f"{move} all_small"), *rolls(7)]
    concluded = audit(play, bet(SMALL), settled=[paid(SMALL, -500)])
    assert found(concluded) == ("late_wager", ("623a.4(c)(4)",))
    assert owed(concluded, SMALL) is None


@pytest.mark.parametrize(
    ("move", "done"), [("increase", "increased"), ("reduce", "reduced"), ("place", "increased")]
)
def test_623a_4_c_4_says_what_was_done(move: str, done: str) -> None:
    (finding,) = audit([*PLACED, *rolls(2), ("seat3", f"{move} all_small"), *rolls(7)], bet(SMALL)).findings
    assert text_of(finding.message) == f"the wager was {done} after it had been made"


@pytest.mark.parametrize("move", ["increase", "reduce"])
def test_623a_4_c_4_unknown_when_it_was_made(move: str) -> None:
    concluded = audit([SHOOTER, *rolls(2), ("seat3", f"{move} all_small"), *rolls(7)], bet(SMALL))
    assert found(concluded) == ("late_wager", ("623a.4(c)(4)",))


def test_623a_4_c_4_after_it_was_decided() -> None:
    # What was won lies there no longer as a wager: to take chips down is nobody's fault.
    play = [*PLACED, *rolls(2, 3, 4, 5, 6), ("seat3", "reduce all_small"), ("seat3", "withdraw all_small")]
    concluded = audit(play, bet(SMALL), settled=[paid(SMALL, 17_000)])
    assert (concluded.verdict, owed(concluded, SMALL)) == ("clean", 17_000)


def test_623a_4_c_4_of_two_persons() -> None:
    play = [SHOOTER, *rolls(2), ("seat3/anna", "increase all_small"), *rolls(7)]
    concluded = audit(play, bet(SMALL, bettor="anna"), bet(SMALL, bettor="ben"))
    assert [(finding.check, finding.bettor) for finding in concluded.findings] == [("late_wager", "anna")]
    assert [each.cents for each in concluded.expected] == [None, -500]


def test_623a_4_c_4_another_wager() -> None:
    # An increase of All Tall is none of All Small, and one of Pass is not Bonus Craps'.
    for wager in ("all_tall", "pass"):
        play = [*PLACED, *rolls(2), ("seat3", f"increase {wager}"), *rolls(7)]
        assert owed(audit(play, bet(SMALL)), SMALL) == -500


@pytest.mark.parametrize("word", ["withdraw", "remove"])
@pytest.mark.parametrize("before", [(), (2,), (11, 4, 9)])
def test_623a_4_c(word: str, before: tuple[int, ...]) -> None:
    # Where the house goes by the letter: removed before the roll that decides it, and returned.
    play = [*PLACED, *rolls(*before), ("seat3", f"{word} all_small"), *rolls(7)]
    returned = audit(play, bet(SMALL), settled=[], bonus_craps_removal="allowed")
    assert (returned.verdict, owed(returned, SMALL)) == ("clean", 0)
    gone = audit(play, settled=[], bonus_craps_removal="allowed")
    assert (gone.verdict, gone.expected) == ("clean", ())
    collected = audit(play, bet(SMALL), settled=[paid(SMALL, -500)], bonus_craps_removal="allowed")
    (finding,) = collected.findings
    assert finding.check == "push_collected"
    assert "623a.4(c)" in finding.citations
    # Not after the roll that decides it, and it may not be reduced or increased, (4).
    test_623a_4_c_too_late()
    for move in ("increase", "reduce"):
        changed = [*PLACED, *rolls(*before), ("seat3", f"{move} all_small"), *rolls(7)]
        concluded = audit(changed, bet(SMALL), bonus_craps_removal="allowed")
        assert found(concluded) == ("late_wager", ("623a.4(c)(4)",))
    # A house that has not said so goes by 623a.12(2): it remains.
    assert found(audit(play, bet(SMALL))) == ("late_wager", ("623a.12(2)",))


def test_623a_4_c_too_late() -> None:
    # The roll that decides it has come: a 7 is not undone by taking the chips.
    play = [*PLACED, *rolls(7), ("seat3", "remove all_small")]
    concluded = audit(play, bet(SMALL), settled=[paid(SMALL, 0)], bonus_craps_removal="allowed")
    assert checks(concluded) == ["loser_not_collected"]


def moved(*play: Any) -> tuple[str, tuple[str, ...]] | None:
    """Return check and citations of the one finding of a turn with these rolls and moves of seat 3."""
    acts = [act for each in play for act in (rolls(each) if isinstance(each, int) else [("seat3", each)])]
    concluded = audit([SHOOTER, *acts])
    return found(concluded) if concluded.findings else None


@pytest.mark.parametrize("word", ["withdraw", "reduce"])
def test_623a_4_c_1(word: str) -> None:
    barred = ("late_wager", ("623a.4(c)(1)",))
    assert moved("place pass", f"{word} pass", 6, 7) is None  # before the come out roll
    assert moved("place pass", 6, f"{word} pass", 7) == barred
    assert moved("place pass", 11, f"{word} pass", 6, 7) is None  # 11 establishes no point
    assert moved("place pass", 6, 6, f"{word} pass", 7) is None  # the point was made
    assert moved("place pass", 6, 6, 8, f"{word} pass", 7) == barred
    assert moved(11, "place pass", 6, f"{word} pass", 7) == barred  # the second come out roll set its point
    assert moved("place pass", 6, "increase pass", 7) is None
    assert moved(6, "place pass", f"{word} pass", 7) is None  # of such a bet no text on file tells


@pytest.mark.parametrize("word", ["withdraw", "reduce"])
def test_623a_4_c_2(word: str) -> None:
    barred = ("late_wager", ("623a.4(c)(2)",))
    assert moved(6, "place come", f"{word} come", 5, 7) is None
    assert moved(6, "place come", 5, f"{word} come", 7) == barred
    assert moved(6, "place come", 5, 9, f"{word} come", 7) == barred
    assert moved(6, "place come", 11, f"{word} come", 7) is None  # it won; no come point
    assert moved(6, "place come", 5, 5, f"{word} come", 7) is None  # its point came again
    # Of two Come Bets under one name the one that was taken down cannot be told.
    assert moved(6, "place come", 5, "place come", 8, f"{word} come", 7) is None


@pytest.mark.parametrize("word", ["withdraw", "reduce", "increase"])
def test_623a_4_c_3(word: str) -> None:
    barred = ("late_wager", ("623a.4(c)(3)",))
    assert moved("place fire", f"{word} fire", 7) == barred
    assert moved("place fire", 6, 6, 8, f"{word} fire", 7) == barred
    assert moved("place fire", 7, f"{word} fire", 6, 7) == barred  # a 7 on the come out roll loses nothing
    assert moved("place fire", 6, 7, f"{word} fire") is None


@pytest.mark.parametrize("wager", ["dont_pass", "dont_come"])
@pytest.mark.parametrize("down", ["withdraw", "reduce"])
def test_623a_4_d(wager: str, down: str) -> None:
    barred = ("late_wager", ("623a.4(d)",))
    start = [f"place {wager}", 6] if wager == "dont_pass" else [6, f"place {wager}", 5]
    assert moved(*start, f"{down} {wager}", 7) is None
    assert moved(*start, f"increase {wager}", 7) is None  # it was not taken down before
    assert moved(*start, f"{down} {wager}", f"increase {wager}", 7) == barred
    assert moved(*start, f"{down} {wager}", 9, f"increase {wager}", 7) == barred
    assert moved(*start, f"{down} {wager}", 7, f"increase {wager}") is None  # the bet was decided
    # A new Don't Come Bet may be made at any roll.
    replaced = moved(*start, f"{down} {wager}", f"place {wager}", 7)
    assert replaced == (barred if wager == "dont_pass" else None)


@pytest.mark.parametrize("down", ["withdraw", "reduce"])
def test_623a_4_d_at_the_second_point(down: str) -> None:
    # Taken down at the point of 6, which was made, and as a new bet at that of 8.
    again = ["place dont_pass", 6, f"{down} dont_pass", 6, "place dont_pass", 8]
    assert moved(*again, "increase dont_pass", 7) is None
    barred = ("late_wager", ("623a.4(d)",))
    assert moved(*again, f"{down} dont_pass", "increase dont_pass", 7) == barred


def test_623a_4_e() -> None:
    prove_seated("623a", "all_small", "623a.4(e)", stays=True, setup={"game": "mini_craps"})
    unseated = seats_and_wagers("623a", "all_small", 3)
    assert unseated == []  # at Craps one stands
