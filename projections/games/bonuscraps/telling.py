"""A shooter's turn told roll by roll, each step with the provision it stands on."""

from projections.games.bonuscraps.rules import Rules, decided
from projections.games.bonuscraps.turn import Roll, Turn
from projections.games.bonuscraps.wagers import Story
from projections.hand.round import Key, Round
from schemas.values import in_words


def reasons(rules: Rules, turn: Turn, seen: Round, stories: dict[Key, Story]) -> list[tuple[str, str]]:
    """Tell what each roll was and which wagers it decided: sentence and provision, in order."""
    told = []
    for count, roll in enumerate(turn.rolls, 1):
        told.append(_rolled(rules, turn, seen, count, roll))
        told += [
            (f"All that {_named(key)} needs has been thrown before a {rules.loser}: it wins.", "623a.12(4)")
            for key, story in stories.items()
            if story.made is not None and _won_by(rules, turn, key[2], story.made, count)
        ]
    told += [
        (f"How {_named(key)} is settled stands in a section that is not printed.", rules.others[key[2]])
        for key in seen.wagers
        if key[2] in rules.others
    ]
    return told or [("No roll was recorded.", "623a.12(1)")]


def _rolled(rules: Rules, turn: Turn, seen: Round, count: int, roll: Roll) -> tuple[str, str]:
    dice = seen.play[roll.place][1]
    what = "the shooter's initial come out roll" if roll.was.initial else "a come out roll"
    says = f"Roll {count}, {dice}: {roll.total}" + (f", {what}" if roll.was.come_out else "")
    if roll.total == rules.loser:
        return f"{says}: every Bonus Craps wager that lies is lost.", "623a.12(5)"
    earlier = turn.totals(0, count - 1)
    since = max((n for n, total in enumerate(earlier, 1) if total == rules.loser), default=0)
    again = roll.total in earlier[since:]
    return says + (", thrown before." if again else "."), "623a.12(3)"


def _won_by(rules: Rules, turn: Turn, wager: str, made: int, count: int) -> bool:
    """Tell whether it was this roll, the `count`th, that won a wager."""
    if count <= made or decided(rules, wager, turn.totals(made, count)) != "win":
        return False
    return decided(rules, wager, turn.totals(made, count - 1)) is None


def _named(key: Key) -> str:
    seat, bettor, wager, _ = key
    return f"seat {seat}{f' {bettor}' if bettor is not None else ''}'s {in_words(wager)}"
