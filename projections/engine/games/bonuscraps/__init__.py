"""Bonus Craps, Chapter 623a: wagers on the numbers that one shooter throws before a 7."""

import re
from collections.abc import Collection
from typing import Final

from projections.engine.adjudication import UNDECIDED, Adjudication, Defect, Ruling, returned, silent_on
from projections.engine.facts import fact
from projections.engine.findings import HOUSE_CONTROL
from projections.engine.game import Game, Laid, Reason
from projections.engine.games.bonuscraps import buttons, narrative
from projections.engine.games.bonuscraps.lines import line_defects
from projections.engine.games.bonuscraps.play import (
    KINDS,
    Turn,
    first_rolls,
    is_roll,
    moves_of,
    near_rolls,
    total_of,
    turn_of,
)
from projections.engine.games.bonuscraps.rules import Rules, rules_of
from projections.engine.games.bonuscraps.wagers import limit_fault, reckon, stories
from projections.engine.kinds import COUPON_NOT_PERMITTED
from projections.engine.observation import Doubt, Key, Round, key_of
from schemas.rulebook import Rulebook

_SHOOTER: Final = re.compile(r"seat[1-9][0-9]*")
_LOSER: Final = 7  # 623a.12(5), if a turn is displayed without a rulebook
_LAYOUT: Final = frozenset({2, 3, 4, 5, 6, 8, 9, 10, 11, 12})  # where a button can lie, 623a.2(d)(5)(ii)
_LINES: Final = frozenset({"pass", "dont_pass"})  # where a coupon may lie, 603a.21(c)(2)

_OF_CRAPS: Final = fact("games.bonuscraps.craps_not_printed")

# No text of the chapter knows a turn that is called void.
_VOID: Final = Ruling("push", HOUSE_CONTROL, reason=fact("games.bonuscraps.void_returned"))


class BonusCraps(Game):
    """The wagers that Chapter 623a adds to Craps: a round is one shooter's turn."""

    roads = ("rolls",)
    kinds = KINDS
    wagers_close = False
    reads = frozenset({"dice"})

    def fault(self, who: str, what: str) -> str | None:
        """Admit the shooter, his rolls, the dealer's marker buttons, and wagers that are removed."""
        if who == "dice":
            return None if is_roll(what) else f"{what!r} is not a roll of two dice, such as 3-4"
        if who == "shooter":
            return None if _SHOOTER.fullmatch(what) else f"the shooter is a seat, not {what!r}"
        if who == "dealer":
            is_word = what in (buttons.CLEAR, "void") or buttons.number_of(what) in _LAYOUT
            return None if is_word else f"the dealer does not say {what!r}; known are mark 4, clear, void"
        if who.startswith("seat"):
            # Every other move of a wager is known to all games.
            return None if what.startswith("remove ") else f"{who} does not do {what!r}"
        return f"{who!r} takes no part in this game"

    def doubts(self, observed: Round) -> list[Doubt]:
        """Add a doubt about a wager that was made too near to the shooter's first roll."""
        if not observed.close_acts:
            return []
        firsts, close_rolls = first_rolls(observed), near_rolls(observed)
        near_roll = fact("games.bonuscraps.made_near_roll")
        return [
            Doubt("late_wager", move.key, near_roll)
            for move in moves_of(observed)
            if move.move == "place" and any((move.place, first) in close_rolls for first in firsts)
        ]

    def wager_faults(self, observed: Round, book: Rulebook) -> dict[Key, Defect]:
        """Return the wagers that were not made or left as 623a.12 and 623a.4(c) ask, or beyond limits."""
        if not observed.cards_known:
            return {}
        rules, turn = _read(observed, book)
        faults: dict[Key, Defect] = {}
        for key, story in stories(rules, turn, observed).items():
            fault = story.fault or (
                limit_fault(rules, key, observed.wagers[key]) if key in observed.wagers else None
            )
            if fault is not None and key in observed.wagers:
                faults[key] = fault
        return faults

    def coupon_fault(self, key: Key, observed: Round, book: Rulebook) -> Defect | None:
        """603a.21(c)(2): at Craps a coupon lies on the Pass or Don't Pass Line, and under no other wager."""
        del observed
        seat, bettor, wager, _ = key
        if wager in _LINES or wager not in book.wagers:
            return None
        return Defect(
            COUPON_NOT_PERMITTED,
            fact("games.bonuscraps.coupon_on_lines_only"),
            ("603a.21(c)(2)",),
            seat=seat,
            wager=wager,
            bettor=bettor,
        )

    def adjudicate(
        self, observed: Round, book: Rulebook, improper: Collection[Key], void_coupons: Collection[Key]
    ) -> Adjudication:
        """Judge a turn by its rolls; a coupon adds nothing to any wager of it."""
        if observed.void:
            return Adjudication("void", returned(observed.wagers, _VOID, improper, void_coupons))
        rules, turn = _read(observed, book)
        roll_stories = stories(rules, turn, observed)
        of_craps = silent_on(_OF_CRAPS, book.clauses["wagers"][0])
        owed = dict.fromkeys(observed.wagers, of_craps) | dict.fromkeys(improper, UNDECIDED)
        for key, chips in observed.wagers.items():
            if key in roll_stories and key not in improper:
                owed[key] = reckon(rules, turn, key, roll_stories[key], chips.cents)
        if not observed.money_known:
            return Adjudication(None, owed)  # nor is it known what is on the layout
        # What its call has already reported is raised as late for all games.
        called = {key_of(move) for move in observed.late}
        gone = [
            story.fault
            for key, story in roll_stories.items()
            if story.fault is not None and key not in observed.wagers and key not in called
        ]
        wrong = (
            *gone,
            *line_defects(rules, turn, observed),
            *buttons.defects(rules, turn, observed, roll_stories),
        )
        return Adjudication(None, owed, defects=wrong, uncertain=buttons.uncertain(turn, observed))

    def hands(self, observed: Round) -> list[Laid]:
        """Return the rolls, and which numbers they threw before the first 7."""
        rolls = tuple(what for who, what in observed.play if who == "dice" and is_roll(what))
        totals = [total_of(roll) for roll in rolls]
        before = totals[: totals.index(_LOSER)] if _LOSER in totals else totals
        return [Laid("dice", rolls, " ".join(map(str, sorted(set(before)))))]

    def reasons(self, observed: Round, book: Rulebook) -> list[Reason]:
        """Return the turn roll by roll, each step with its provision."""
        if observed.void:
            return [(fact("games.bonuscraps.called_void"), HOUSE_CONTROL)]
        rules, turn = _read(observed, book)
        return narrative.reasons(rules, turn, observed, stories(rules, turn, observed))


def _read(observed: Round, book: Rulebook) -> tuple[Rules, Turn]:
    rules = rules_of(book)
    return rules, turn_of(observed, rules.loser, rules.points)


def game(chapter: str) -> Game:
    """Return the game of a chapter."""
    del chapter
    return BonusCraps()
