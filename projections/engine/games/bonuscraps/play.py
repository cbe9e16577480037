"""Turn of one shooter: its rolls, what they decide, and the marker buttons on the numbers made."""

import re
from collections.abc import Collection
from typing import Final

import msgspec
from msgspec import Struct

from projections.engine.findings import Kind
from projections.engine.game import MOVES
from projections.engine.observation import Key, Move, Round, person

# ── A shooter's turn from its record: rolls, and the moves of wagers between them ──────────────────────

_DICE: Final = re.compile(r"[1-6]-[1-6]")
_REMOVE: Final = "remove"  # 623a.4(c)'s word, written for a wager that is withdrawn


class NextRoll(Struct, frozen=True):
    """State before the next roll: a come out roll or not, and the first one of a new shooter or not."""

    come_out: bool
    initial: bool


class Roll(Struct, frozen=True):
    """Roll: its place in the play, the sum of the two dice, and what it was to the shooter."""

    place: int
    total: int
    was: NextRoll


class Turn(Struct, frozen=True):
    """The rolls in order, and the kind of the one after them.

    `close_acts` are places in the play of an act and of a roll whose order the clocks do not decide.
    """

    rolls: tuple[Roll, ...]
    next_roll: NextRoll
    close_acts: frozenset[tuple[int, int]] = frozenset()

    def before(self, place: int) -> range:
        """Return the possible numbers of rolls before an act of the play, as far as the clocks decide."""
        close_rolls = [roll for act, roll in self.close_acts if act == place]
        rolls = sum(1 for roll in self.rolls if roll.place < place)
        least = rolls - sum(1 for roll in close_rolls if roll < place)
        return range(least, rolls + sum(1 for roll in close_rolls if roll > place) + 1)

    def next_after(self, rolls: int) -> NextRoll:
        """Return what the roll is that follows so many."""
        return self.rolls[rolls].was if rolls < len(self.rolls) else self.next_roll

    def totals(self, since: int = 0, until: int | None = None) -> list[int]:
        """Return what was thrown from one roll on, to another."""
        return [roll.total for roll in self.rolls[since:until]]


class WagerMove(Struct, frozen=True):
    """A wager made or changed: at which place in the play, by whom, and how."""

    place: int
    seat: int
    bettor: str | None
    move: Move
    wager: str

    @property
    def key(self) -> Key:
        """The wager that it speaks of."""
        return Key(self.seat, self.bettor, self.wager, None)

    def concerns(self, key: Key) -> bool:
        """Return True if it can be of a wager; where the person is not named it may be anyone on the spot."""
        return (self.seat, self.wager) == (key.seat, key.wager) and self.bettor in (None, key.bettor)


def is_roll(what: str) -> bool:
    """Return True if it is a roll of two dice.

    >>> is_roll("3-4"), is_roll("3-7"), is_roll("3-4-6")
    (True, False, False)
    """
    return _DICE.fullmatch(what) is not None


def total_of(what: str) -> int:
    """Add up a roll.

    >>> total_of("3-4")
    7
    """
    return int(what[0]) + int(what[2])


def turn_of(observed: Round, loser: int, points: Collection[int]) -> Turn:
    """Return the rolls of a record apart: come out rolls, and those for a point that one has established.

    A point stands until it is made or a 7 comes, and a 7 that comes for a point ends the shooter's turn.
    """
    rolls: list[Roll] = []
    point: int | None = None
    initial = True
    for place, (who, what) in enumerate(observed.play):
        if who == "shooter":
            point, initial = None, True
        elif who == "dice":
            total = total_of(what)
            rolls.append(Roll(place, total, NextRoll(point is None, initial)))
            initial = point is not None and total == loser
            if point is None:
                point = total if total in points else None
            elif total in (loser, point):
                point = None
    return Turn(tuple(rolls), NextRoll(point is None, initial), near_rolls(observed))


def first_rolls(observed: Round) -> list[int]:
    """Return the places of each shooter's first roll."""
    firsts = []
    awaited = True
    for place, (who, _) in enumerate(observed.play):
        awaited = awaited or who == "shooter"
        if who == "dice" and awaited:
            firsts.append(place)
            awaited = False
    return firsts


def near_rolls(observed: Round) -> frozenset[tuple[int, int]]:
    """Pair the acts with the rolls that they were too near to, by their places in the play."""
    pairs = {
        pair for each in observed.close_acts for pair in ((each.act, each.other), (each.other, each.act))
    }
    return frozenset((act, roll) for act, roll in pairs if observed.play[roll][0] == "dice")


def moves_of(observed: Round) -> list[WagerMove]:
    """Return the moves of wagers in a record, in order."""
    return [each for place, act in enumerate(observed.play) if (each := move_of(place, *act)) is not None]


def move_of(place: int, who: str, what: str) -> WagerMove | None:
    """Read an act as a move of a wager; None if it is another.

    >>> move_of(4, "seat3/anna", "remove all_tall")
    WagerMove(place=4, seat=3, bettor='anna', move='withdraw', wager='all_tall')
    """
    word, _, wager = what.partition(" ")
    if not who.startswith("seat") or not wager or word not in (*MOVES, _REMOVE):
        return None
    return WagerMove(
        place, *person(who), msgspec.convert("withdraw" if word == _REMOVE else word, Move), wager
    )


# ── The checks that only Bonus Craps adds: the marker buttons on the numbers that were thrown ─────────

_KEYED: Final = "A button that was put on or taken off as it should be and keyed late, or not keyed."

NUMBER_NOT_MARKED: Final = Kind(
    "number_not_marked",
    severity="medium",
    asks="Did a marker button go on each number that was thrown?",
    false_positives=_KEYED,
)
NUMBER_MARKED_WRONGLY: Final = Kind(
    "number_marked_wrongly",
    severity="medium",
    asks="Did a marker button lie only on numbers that had been thrown?",
    false_positives=_KEYED,
)
MARKERS_NOT_CLEARED: Final = Kind(
    "markers_not_cleared",
    severity="medium",
    asks="Were all marker buttons taken off after a 7?",
    false_positives=_KEYED,
)
MARKERS_CLEARED_EARLY: Final = Kind(
    "markers_cleared_early",
    severity="medium",
    asks="Did the marker buttons lie until a 7, or until nothing hung on them?",
    false_positives=_KEYED,
)
KINDS: Final = (
    NUMBER_NOT_MARKED,
    NUMBER_MARKED_WRONGLY,
    MARKERS_NOT_CLEARED,
    MARKERS_CLEARED_EARLY,
)
