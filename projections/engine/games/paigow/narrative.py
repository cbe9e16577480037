"""The play of a round told step by step, each step with the provision it stands on."""

from projections.engine.facts import Fact, HandRef, Word, fact
from projections.engine.game import Laid
from projections.engine.games.paigow.deal import first_dealt
from projections.engine.games.paigow.layout import DEALER, Layout
from projections.engine.games.paigow.round_judgement import Judging
from projections.engine.games.paigow.rules import Ranking, Rules, count_of


def hands(shown: Layout, ranking: Ranking) -> list[Laid]:
    """Lay out the high and the low hand of each position, in the order in which they were seen."""
    return [
        Laid(f"{position}.{half}", tuple(tiles), count_of(ranking, tiles))
        for position in shown.shown
        for half, tiles in (("high", shown.hands[position].high), ("low", shown.hands[position].low))
    ]


def reasons(rules: Rules, shown: Layout, judging: Judging, *, void: bool) -> list[tuple[Fact | str, str]]:
    """Return how the round went: sentence and provision, in order."""
    if void:
        return [("All hands were called void: every wager is returned.", judging.void_by)]
    if judging.void is not None:
        returns = "The hands are void: every wager is returned."
        return [
            (fact("engine.sentence", says=judging.void.message), judging.void_by),
            (returns, judging.void_by),
        ]
    told: list[tuple[Fact | str, str]] = [*_begins(rules, shown)]
    for laid in hands(shown, rules.ranking):
        what = "not seen whole" if laid.point_count is None else str(laid.point_count)
        clause = "535.4(c)" if what.startswith("value") else "535.4(a)"
        told.append((f"{laid.hand.replace('.', ' ')} hand {' '.join(laid.cards)}: {what}.", clause))
    for position in shown.shown:
        standing = judging.stands(position)
        if (wrong := standing.set_wrongly()) is not None:
            told.append((fact("engine.sentence", says=wrong.message), wrong.cites[0]))
        if standing.by_dealer and standing.hands.before and standing.surplus is None:
            whose = "dealer" if position == DEALER else "bank"
            told.append((f"The {whose}'s hands were set anew, and count as they lie.", standing.set_by))
    for key in sorted(judging.seen.wagers, key=lambda key: key[0]):
        if key[2] != "pai_gow":
            continue
        ruled = judging.ruling(key)
        if ruled is not None:
            told.append(
                (
                    fact(
                        "games.paigow.wager_becomes",
                        seat=HandRef(f"seat{key[0]}"),
                        says=ruled.says or Word(ruled.result),
                        becomes=_becomes(ruled.result),
                    ),
                    ruled.cite,
                )
            )
    return told


def _begins(rules: Rules, shown: Layout) -> list[tuple[str, str]]:
    told = []
    if shown.banker != DEALER:
        how = "co-bank" if shown.co_banked else "bank"
        told.append((f"{shown.banker} is the {how}.", "535.11(e)" if shown.co_banked else "535.11(c)"))
    first = first_dealt(rules, shown)
    if first is not None:
        clause = "535.8(c)" if shown.banker == DEALER else "535.11(j)"
        told.append((f"The dice total {sum(shown.rolls[-1])}: the first stack goes to {first}.", clause))
    return told


def _becomes(result: str) -> str:
    return {"win": "the wager wins", "lose": "the wager loses", "push": "a tie"}[result]
