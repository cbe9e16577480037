"""Bonus Craps wagers of a turn: whether each was made and left in its time, and what it is owed."""

from collections.abc import Sequence

from msgspec import Struct

from projections.engine import adjudication
from projections.engine.adjudication import UNDECIDED, Defect, Reckoning, Ruling
from projections.engine.facts import Cents, Fact, Word, fact
from projections.engine.games.bonuscraps.play import Turn, WagerMove, moves_of
from projections.engine.games.bonuscraps.rules import Decided, Rules, decided, may_be_made
from projections.engine.kinds import LATE_WAGER, WAGER_NOT_PERMITTED
from projections.engine.observation import Key, Round, Wager

_MADE = {True: ("623a.3(a)(43)",), False: ("623a.12(1)", "623a.3(a)(43)")}  # by `any_come_out`


class Story(Struct):
    """Wager through the turn: the roll before which it was made, whether it is still there, its fault.

    Its money is `open` if two wagers were made under one name, or if the clocks do not decide whether it was
    made or changed before a roll or after it.
    """

    made: int | None
    removed: bool = False
    fault: Defect | None = None
    open: bool = False


def story_of(
    rules: Rules, turn: Turn, key: Key, moves: Sequence[WagerMove], *, shared: bool = False
) -> Story:
    """Follow one wager through its moves; without a word of its making it was made before the first roll.

    On a spot that is `shared` a second making may be another person's wager.
    """
    was_placed = any(each.move == "place" for each in moves)
    story = Story(made=None if was_placed else 0)
    for each in moves:
        rolls = turn.before(each.place)
        lies = {_lies(rules, turn, key.wager, story, until) for until in rolls}
        story.open = story.open or len(lies) > 1
        fault = None
        if lies == {True}:
            fault = None if shared and each.move == "place" else _changed(rules, each, key, story)
        elif each.move in ("place", "increase"):
            fault = _made(rules, turn, key, story, rolls)
        story.fault = story.fault or fault
    return story


def _lies(rules: Rules, turn: Turn, wager: str, story: Story, until: int) -> bool:
    """Return True if a wager is on the layout before a roll: made, not taken down and not decided."""
    if story.made is None or story.removed:
        return False
    return decided(rules, wager, turn.totals(story.made, until)) is None


def _made(rules: Rules, turn: Turn, key: Key, story: Story, rolls: range) -> Defect | None:
    """623a.12(1), 623a.3(a)(43): record a new wager; return the defect if it may not be made at this time."""
    allowed = {may_be_made(rules, turn.next_after(count)) for count in rolls}
    story.open = story.open or len(rolls) > 1 or (story.made is not None and not story.removed)
    story.made, story.removed = rolls[0], False
    if True in allowed:
        return None
    late = fact("games.bonuscraps.made_late", any_come_out=int(rules.any_come_out))
    return _late(key, late, _MADE[rules.any_come_out])


def _changed(rules: Rules, move: WagerMove, key: Key, story: Story) -> Defect | None:
    """623a.4(c)(4), 623a.12(2): change a wager on the layout."""
    if move.move != "withdraw":
        changed = fact("games.bonuscraps.changed_after_made", is_reduced=int(move.move == "reduce"))
        return _late(key, changed, ("623a.4(c)(4)",))
    if rules.removable:
        story.removed = True
        return None
    return _late(key, fact("games.bonuscraps.removed_early"), ("623a.12(2)",))


def _late(key: Key, message: Fact, cites: tuple[str, ...]) -> Defect:
    return Defect(LATE_WAGER, message, cites, seat=key.seat, wager=key.wager, bettor=key.bettor)


def stories(rules: Rules, turn: Turn, observed: Round) -> dict[Key, Story]:
    """Follow every Bonus Craps wager, also those that were gone when the wagers were recorded."""
    moves = [each for each in moves_of(observed) if each.wager in rules.wagers]
    keys = [key for key in observed.wagers if key.wager in rules.wagers]
    gone = [each.key for each in moves if not any(each.concerns(key) for key in keys)]
    spots = [(key.seat, key.wager) for key in keys]
    return {
        key: story_of(
            rules,
            turn,
            key,
            [each for each in moves if each.concerns(key)],
            shared=spots.count((key.seat, key.wager)) > 1,
        )
        for key in dict.fromkeys((*keys, *gone))
    }


def limit_fault(rules: Rules, key: Key, chips: Wager) -> Defect | None:
    """623a.3(b), 623a.5(j): a wager below the minimum or above the maximum that is posted at the table."""
    cites: tuple[str, ...]
    if chips.cents < rules.minimum:
        limit, cites = fact("games.bonuscraps.below_minimum", minimum=Cents(rules.minimum)), ("623a.3(b)(1)",)
    elif rules.maximum is not None and chips.cents > rules.maximum:
        limit = fact("games.bonuscraps.above_maximum", maximum=Cents(rules.maximum))
        cites = ("623a.3(b)(2)", "623a.5(j)")
    else:
        return None
    message = fact("games.bonuscraps.wager_is", chips=Cents(chips.cents), limit=limit)
    return Defect(WAGER_NOT_PERMITTED, message, cites, seat=key.seat, wager=key.wager, bettor=key.bettor)


def reckon(rules: Rules, turn: Turn, key: Key, story: Story, cents: int) -> Reckoning:
    """Compute what a wager is owed, in cents; a coupon adds nothing, as none may lie here, 603a.21(c)(2)."""
    if story.open or story.made is None:
        return UNDECIDED
    if story.removed:
        message = fact("games.bonuscraps.removed_undecided", wager=Word(key.wager))
        return Reckoning(0, Ruling("push", "623a.4(c)", reason=message), cents)
    result = decided(rules, key.wager, turn.totals(story.made))
    if result is None:
        return Reckoning(None, pending=True)
    return owed(rules, key.wager, result, cents)


def owed(rules: Rules, wager: str, result: Decided, cents: int) -> Reckoning:
    """Compute a wager that is decided: 623a.5(h) where it has won, collected whole by 623a.12(5) else."""
    bonus = rules.wagers[wager]
    if result == "lose":
        return adjudication.reckon(Ruling("lose", "623a.12(5)"), cents, 0)
    return adjudication.reckon(Ruling("win", bonus.cite, bonus.odds, bonus.odds_cite), cents, 0)
