"""623a.4: a Bonus Craps wager is not reduced or increased, and by the letter of (c) it may be removed."""

import pytest

from tests.law.craps_table import SHOOTER, SMALL, audit, bet, checks, found, owed, paid, rolls

PLACED = [SHOOTER, ("seat3", "place all_small")]


def test_623a_4() -> None:
    # Nothing is changed: 2 to 6 win.
    concluded = audit([*PLACED, *rolls(2, 3, 4, 5, 6)], bet(SMALL), settled=[paid(SMALL, 17_000)])
    assert (concluded.verdict, owed(concluded, SMALL)) == ("clean", 17_000)


@pytest.mark.parametrize("move", ["increase", "reduce", "place"])
@pytest.mark.parametrize("before", [(), (2,), (11, 4, 9)])
def test_623a_4_c_4(move: str, before: tuple[int, ...]) -> None:
    play = [*PLACED, *rolls(*before), ("seat3", f"{move} all_small"), *rolls(7)]
    concluded = audit(play, bet(SMALL), settled=[paid(SMALL, -500)])
    assert found(concluded) == ("late_wager", ("623a.4(c)(4)",))
    assert owed(concluded, SMALL) is None


@pytest.mark.parametrize("move", ["increase", "reduce"])
def test_623a_4_c_4_not_told_when_it_was_made(move: str) -> None:
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


def test_623a_4_c_too_late() -> None:
    # The roll that decides it has come: a 7 is not undone by taking the chips.
    play = [*PLACED, *rolls(7), ("seat3", "remove all_small")]
    concluded = audit(play, bet(SMALL), settled=[paid(SMALL, 0)], bonus_craps_removal="allowed")
    assert checks(concluded) == ["loser_not_collected"]
