"""A shooter's turn described roll by roll, each step with its provision."""

from projections.engine.facts import CardRef, Fact, HandRef, Word, fact
from projections.engine.game import Reason
from projections.engine.games.bonuscraps.play import Roll, Turn
from projections.engine.games.bonuscraps.rules import Rules, decided
from projections.engine.games.bonuscraps.wagers import Story
from projections.engine.observation import Key, Round


def reasons(rules: Rules, turn: Turn, observed: Round, stories: dict[Key, Story]) -> list[Reason]:
    """Return what each roll was and which wagers it decided: each step and its provision, in order."""
    reasons_given: list[Reason] = []
    for count, roll in enumerate(turn.rolls, 1):
        reasons_given.append(_rolled(rules, turn, observed, count, roll))
        reasons_given += [
            (fact("games.bonuscraps.wins", wager=_wager(key), loser=rules.loser), "623a.12(4)")
            for key, story in stories.items()
            if story.made is not None and _won_by(rules, turn, key.wager, story.made, count)
        ]
    reasons_given += [
        (fact("games.bonuscraps.not_printed", wager=_wager(key)), rules.others[key.wager])
        for key in observed.wagers
        if key.wager in rules.others
    ]
    return reasons_given or [(fact("games.bonuscraps.no_roll"), "623a.12(1)")]


def _rolled(rules: Rules, turn: Turn, observed: Round, count: int, roll: Roll) -> Reason:
    dice = observed.play[roll.place][1]
    earlier = turn.totals(0, count - 1)
    since = max((n for n, total in enumerate(earlier, 1) if total == rules.loser), default=0)
    loses = roll.total == rules.loser
    message = fact(
        "games.bonuscraps.roll",
        count=count,
        dice=CardRef(dice),
        total=roll.total,
        come_out=("initial" if roll.was.initial else "any") if roll.was.come_out else None,
        loses=int(loses),
        is_again=int(roll.total in earlier[since:]),
    )
    return message, "623a.12(5)" if loses else "623a.12(3)"


def _won_by(rules: Rules, turn: Turn, wager: str, made: int, count: int) -> bool:
    """Return True if it was this roll, the `count`th, that won a wager."""
    if count <= made or decided(rules, wager, turn.totals(made, count)) != "win":
        return False
    return decided(rules, wager, turn.totals(made, count - 1)) is None


def _wager(key: Key) -> Fact:
    seat, bettor, wager, _ = key
    whose = HandRef(f"seat{seat}" if bettor is None else f"seat{seat}/{bettor}")
    return fact("games.bonuscraps.wager_of", whose=whose, wager=Word(wager))
