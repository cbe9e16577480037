"""A game of dice from its devices' reports: wagers that have their own time, rolls, and marker buttons."""

from datetime import date
from typing import Any

import pytest

from projections.engine.conclusion import Conclusion
from schemas import events as e
from schemas.house import House, Submission, TableSetup
from tests.builders.table_audit import audit_events, finding_checks
from tests.builders.table_script import Script
from tests.builders.texts import text_of

SMALL = (3, "all_small")
TALL = (4, "all_tall")


def house(**options: Any) -> House:
    """Return a house with one Craps table, BAC-1."""
    sources: Any = {"T": "terminal", "C": "chips", "D": "dice"}
    return House(
        house="script",
        gaming_day_starts="05:00",
        tables={"BAC-1": TableSetup(chapter="623a", sources=sources)},
        submissions=[Submission(since=date(2013, 2, 9), chapter="623a", options=options)],
    )


class Dice(Script):
    """A Craps table: terminal, chip reader, and a reader of the dice; one turn."""

    def __init__(self) -> None:
        super().__init__()
        self.devices = ["T", "C", "D"]
        self.numbers = dict.fromkeys(self.devices, 0)
        self.epochs, self.offsets = dict.fromkeys(self.devices, 1), dict.fromkeys(self.devices, 0)
        self.say("T", e.TableOpened, inventory_cents=self.tray, heard=self.heard())
        self.shoe = "dice"
        self.begin()
        self.tell(e.ShooterNamed, seat=7)

    def roll(self, *rolls: str, after: float = 8) -> None:
        """Throw the dice, and put a button on each number."""
        for dice in rolls:
            self.say("D", e.DiceRolled, after, round=self.number, dice=dice)
            total = int(dice[0]) + int(dice[2])
            if total == 7:
                self.tell(e.MarkersCleared, after=2)
            else:
                self.tell(e.NumberMarked, after=2, number=total)


def judged(table: Dice, **options: Any) -> Conclusion:
    table.end()
    return audit_events(table.events, house(**options)).rounds["1"]


def owed(concluded: Conclusion, spot: tuple[int, str]) -> int | None:
    (found,) = [each for each in concluded.expected if (each.seat, each.wager) == spot]
    return found.cents


def test_a_turn_is_rebuilt_and_clean() -> None:
    s = Dice()
    s.on(SMALL, e.ChipsPlaced, 500)
    s.on(TALL, e.ChipsPlaced, 1000)
    s.roll("1-1", "1-2", "2-2", "2-3", "3-3")
    s.settle({SMALL: 17_000})
    s.roll("6-1")
    s.settle({TALL: -1000})
    concluded = judged(s)
    assert (concluded.verdict, finding_checks(concluded), concluded.notes) == ("clean", [], ())
    assert (owed(concluded, SMALL), owed(concluded, TALL)) == (17_000, -1000)


def test_nobody_calls_no_more_bets_and_nothing_is_missing_for_it() -> None:
    s = Dice()
    s.on(SMALL, e.ChipsPlaced, 500)
    s.roll("1-1")
    concluded = judged(s)
    assert (concluded.verdict, [note.check for note in concluded.notes]) == ("clean", ["undecided"])


def test_a_wager_made_after_the_first_roll_is_late() -> None:
    s = Dice()
    s.on(SMALL, e.ChipsPlaced, 500)
    s.roll("1-1")
    s.on(TALL, e.ChipsPlaced, 1000, after=3)
    s.roll("6-1")
    s.settle({SMALL: -500, TALL: -1000})
    concluded = judged(s)
    (finding,) = concluded.findings
    assert (finding.check, finding.seat, finding.citations[0]) == ("late_wager", 4, "623a.12(1)")
    assert (owed(concluded, SMALL), owed(concluded, TALL)) == (-500, None)


@pytest.mark.parametrize(
    ("after", "verdict"),
    [(-0.251, "clean"), (-0.2, "undetermined"), (0.2, "undetermined"), (0.251, "mismatch")],
)
def test_a_wager_made_about_the_first_roll(after: float, verdict: str) -> None:
    # Clocks that are held to agree can be 250 ms apart.
    s = Dice()
    if after > 0:
        s.say("D", e.DiceRolled, 8, round=s.number, dice="6-1")
        s.on(SMALL, e.ChipsPlaced, 500, after=after)
    else:
        s.on(SMALL, e.ChipsPlaced, 500, after=8)
        s.say("D", e.DiceRolled, -after, round=s.number, dice="6-1")
    s.now += 3
    s.settle({SMALL: -500})
    concluded = judged(s)
    assert concluded.verdict == verdict
    assert finding_checks(concluded) == ([] if verdict == "clean" else ["late_wager"])


def test_chips_taken_back_before_the_end_are_found() -> None:
    s = Dice()
    s.on(SMALL, e.ChipsPlaced, 500)
    s.roll("1-1")
    s.on(SMALL, e.ChipsRemoved, 500, after=3)
    s.roll("6-1")
    concluded = judged(s)
    assert [(each.check, each.citations) for each in concluded.findings] == [("late_wager", ("623a.12(2)",))]
    assert concluded.expected == ()
    assert audit_events(s.events, house(bonus_craps_removal="allowed")).rounds["1"].verdict == "clean"


def test_a_roll_that_was_lost_on_the_way_leaves_the_turn_open() -> None:
    s = Dice()
    s.on(SMALL, e.ChipsPlaced, 500)
    s.roll("1-1", "1-2", "2-2")
    s.settle({SMALL: 17_000})
    del s.events[next(n for n, each in enumerate(s.events) if isinstance(each, e.DiceRolled)) + 2]
    concluded = judged(s)
    assert (concluded.verdict, owed(concluded, SMALL)) == ("undetermined", None)
    assert finding_checks(concluded) == ["data_missing"]


@pytest.mark.parametrize("dice", ["7-1", "3-4-6", "x", "34"])
def test_a_roll_that_cannot_be_leaves_the_turn_open(dice: str) -> None:
    s = Dice()
    s.on(SMALL, e.ChipsPlaced, 500)
    s.say("D", e.DiceRolled, 8, round=s.number, dice=dice)
    s.settle({SMALL: -500})
    concluded = judged(s)
    assert (concluded.verdict, owed(concluded, SMALL)) == ("undetermined", None)
    (finding,) = concluded.findings
    assert (finding.check, dice in text_of(finding.message)) == ("data_missing", True)


def test_a_number_without_its_button_is_found() -> None:
    s = Dice()
    s.on(SMALL, e.ChipsPlaced, 500)
    s.roll("1-1")
    s.say("D", e.DiceRolled, 8, round=s.number, dice="2-2")
    s.roll("6-1")
    s.settle({SMALL: -500})
    assert finding_checks(judged(s)) == ["number_not_marked"]
