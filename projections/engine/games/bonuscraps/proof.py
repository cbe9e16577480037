"""Every course of a shooter's rolls counted exactly, through the very function that decides the wagers.

Rolls that change nothing for a wager may follow each other without end, so no list of courses is complete.
But the chance of each wager is a fraction of whole numbers, found from the numbers that are still missing.
Its numerator counts the winning courses, its denominator all of them, each equally likely.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Final

from projections.engine.games.bonuscraps.rules import Decided, Rules, decided, rules_of
from projections.engine.games.bonuscraps.wagers import owed
from projections.engine.games.proving import BookOf, Proven, counted
from schemas.errors import LawError
from schemas.values import dollars

_DIE: Final = range(1, 7)
_STAKE: Final = 100  # cents


def proof(book_of: BookOf, decks: int | None) -> Iterator[Proven]:
    """Prove each wager, all three out of one number of courses.

    No choice of the house affects it. Dice have no memory, so a wager wins as often whenever it is made.
    Where removing is allowed, a removed wager does not count.

    Raises:
        BadInput: a number of decks, as the game is played without cards.
    """
    rules = rules_of(book_of({}, decks))
    chances = {wager: chance(rules, wager) for wager in rules.wagers}
    courses = lcm(*(each.denominator for each in chances.values()))
    for wager, wins in chances.items():
        won = int(wins * courses)
        gains = {_gain(rules, wager, "win"): won, _gain(rules, wager, "lose"): courses - won}
        yield counted(wager, gains, _STAKE, decks=0)


def chance(rules: Rules, wager: str) -> Fraction:
    """Return the exact chance that a wager wins."""
    return _from(rules, wager, frozenset(), {})


def ways() -> Counter[int]:
    """Count the ways of each total of two dice.

    >>> ways()[7], ways()[12], ways().total()
    (6, 1, 36)
    """
    return Counter(one + other for one, other in product(_DIE, repeat=2))


def _from(rules: Rules, wager: str, thrown: frozenset[int], memo: dict[frozenset[int], Fraction]) -> Fraction:
    """Return the chance to win once these of a wager's numbers were thrown.

    Rolls that add none are no step.
    """
    if thrown in memo:
        return memo[thrown]
    won, counting = Fraction(0), 0
    for total, count in ways().items():
        result = decided(rules, wager, [*thrown, total])
        after = thrown | ({total} & rules.wagers[wager].numbers)
        if result is None and after == thrown:
            continue
        counting += count
        if result is None:
            won += count * _from(rules, wager, after, memo)
        elif result == "win":
            won += count
    memo[thrown] = won / counting
    return memo[thrown]


def _gain(rules: Rules, wager: str, result: Decided) -> int:
    reckoned = owed(rules, wager, result, _STAKE)
    if reckoned.cents is None or reckoned.fraction:
        raise LawError(f"{wager}: the odds leave a fraction of a cent on {dollars(_STAKE)}")
    return reckoned.cents
