"""Bets of Craps itself: which may be taken down, reduced or put up again, 623a.4(c) and (d).

The sections on their settlement are not printed: their money is open, their moves are judged.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from projections.engine.adjudication import Defect
from projections.engine.facts import Word, fact
from projections.engine.games.bonuscraps.play import Turn, WagerMove, moves_of
from projections.engine.games.bonuscraps.rules import Rules
from projections.engine.kinds import LATE_WAGER
from projections.engine.observation import Round

FRONT_LINE: Final = "pass"
COME: Final = "come"
FIRE: Final = "fire"
BACK_LINE: Final = "dont_pass"
DONT_COME: Final = "dont_come"
_CITES: Final = {FRONT_LINE: "623a.4(c)(1)", COME: "623a.4(c)(2)", FIRE: "623a.4(c)(3)"}
_DOWN: Final = ("withdraw", "reduce")
_UP: Final = ("place", "increase")


def line_defects(rules: Rules, turn: Turn, observed: Round) -> Iterator[Defect]:
    """Yield each move of these bets that the text bars, except those whose roll the clocks do not decide."""
    moves = [each for each in moves_of(observed) if each.wager in (*_CITES, BACK_LINE, DONT_COME)]
    for place, move in enumerate(moves):
        rolls = turn.before(move.place)
        if len(rolls) != 1:
            continue
        earlier = [(turn.before(each.place)[0], each) for each in moves[:place] if each.key == move.key]
        if _is_barred(rules, turn, move, rolls[0], earlier):
            seat, bettor, wager, _ = move.key
            message = fact("games.bonuscraps.line_moved", move=Word(move.move), wager=Word(wager))
            cites = (_CITES.get(wager, "623a.4(d)"),)
            yield Defect(LATE_WAGER, message, cites, seat=seat, wager=wager, bettor=bettor)


def _is_barred(
    rules: Rules, turn: Turn, move: WagerMove, rolled: int, earlier: Sequence[tuple[int, WagerMove]]
) -> bool:
    """Return True if a move after so many rolls is one that the text bars."""
    made = [count for count, each in earlier if each.move == "place"]
    if move.wager == FRONT_LINE:
        return move.move in _DOWN and _has_point(turn, made[-1] if made else 0, rolled)
    if move.wager == COME:
        return move.move in _DOWN and len(made) == 1 and _has_come_point(rules, turn, made[0], rolled)
    if move.wager == FIRE:
        return move.move != "place" and _is_fire_open(rules, turn, made[-1] if made else 0, rolled)
    down = [count for count, each in earlier if each.move in _DOWN]
    # A new Don't Come Bet may be made at any roll; only one that is increased is the one that was reduced.
    raised = _UP if move.wager == BACK_LINE else _UP[1:]
    return move.move in raised and bool(down) and _is_same_point(rules, turn, down[-1], rolled)


def _has_point(turn: Turn, made: int, rolled: int) -> bool:
    """Return True if a point stands that a come out roll after the bet established."""
    if turn.next_after(rolled).come_out:
        return False
    come_outs = [count for count, roll in enumerate(turn.rolls[:rolled]) if roll.was.come_out]
    return bool(come_outs) and made <= come_outs[-1]


def _has_come_point(rules: Rules, turn: Turn, made: int, rolled: int) -> bool:
    """Return True if the roll after a Come Bet established its point, and neither that nor a 7 came since."""
    thrown = turn.totals(made, rolled)
    return (
        bool(thrown) and thrown[0] in rules.points and not {thrown[0], rules.loser}.intersection(thrown[1:])
    )


def _is_fire_open(rules: Rules, turn: Turn, made: int, rolled: int) -> bool:
    """Return True if a Fire Bet has not met the 7 that ends the shooter's turn."""
    return not any(roll.total == rules.loser and not roll.was.come_out for roll in turn.rolls[made:rolled])


def _is_same_point(rules: Rules, turn: Turn, since: int, rolled: int) -> bool:
    """Return True if no come out began, and no 7 came, since a bet was taken down."""
    if turn.next_after(since).come_out or turn.next_after(rolled).come_out:
        return False
    between = turn.rolls[since:rolled]
    return not any(roll.was.come_out or roll.total == rules.loser for roll in between)
