"""The play of a round told step by step, each step with the provision it stands on."""

from projections.engine.facts import CardRef, HandRef, Word, fact, listed
from projections.engine.game import Laid, Reason
from projections.engine.games.paigow.deal import DEALER, Layout, first_dealt
from projections.engine.games.paigow.round_judgement import Judging
from projections.engine.games.paigow.rules import Ranking, Rules, count_of, counted


def hands(layout: Layout, ranking: Ranking) -> list[Laid]:
    """Lay out the high and the low hand of each position, in the order in which they were seen."""
    return [
        Laid(f"{position}.{half}", tuple(tiles), count_of(ranking, tiles))
        for position in layout.shown
        for half, tiles in (("high", layout.hands[position].high), ("low", layout.hands[position].low))
    ]


def reasons(rules: Rules, layout: Layout, judging: Judging, *, void: bool) -> list[Reason]:
    """Return how the round went: each step and its provision, in order."""
    if void:
        return [(fact("games.paigow.called_void"), judging.void_by)]
    if judging.void is not None:
        return [
            (fact("engine.sentence", says=judging.void.message), judging.void_by),
            (fact("games.paigow.are_void"), judging.void_by),
        ]
    told = _begins(rules, layout)
    for laid in hands(layout, rules.ranking):
        counts = counted(rules.ranking, laid.cards)
        lies = fact(
            "games.paigow.lies",
            hand=HandRef(laid.hand),
            tiles=listed(*map(CardRef, laid.cards)),
            counts=counts,
        )
        has_value = counts is not None and counts.code == "games.paigow.value"
        told.append((lies, "535.4(c)" if has_value else "535.4(a)"))
    for position in layout.shown:
        standing = judging.stands(position)
        if (wrong := standing.set_wrongly()) is not None:
            told.append((fact("engine.sentence", says=wrong.message), wrong.cites[0]))
        if standing.by_dealer and standing.hands.before and standing.surplus is None:
            told.append((fact("games.paigow.were_set_anew", position=HandRef(position)), standing.set_by))
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
                        result=ruled.result,
                    ),
                    ruled.cite,
                )
            )
    return told


def _begins(rules: Rules, layout: Layout) -> list[Reason]:
    told: list[Reason] = []
    if layout.banker != DEALER:
        banks = fact(
            "games.paigow.is_bank", position=HandRef(layout.banker), with_house=int(layout.co_banked)
        )
        told.append((banks, "535.11(e)" if layout.co_banked else "535.11(c)"))
    first = first_dealt(rules, layout)
    if first is not None:
        clause = "535.8(c)" if layout.banker == DEALER else "535.11(j)"
        goes = fact("games.paigow.first_stack", total=sum(layout.rolls[-1]), position=HandRef(first))
        told.append((goes, clause))
    return told
