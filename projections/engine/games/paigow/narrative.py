"""The play of a round described step by step, each step with its provision."""

from projections.engine.facts import CardRef, HandRef, Word, fact, listed
from projections.engine.game import Laid, Reason
from projections.engine.games.paigow.play import DEALER, TileLayout, first_dealt
from projections.engine.games.paigow.round_judgement import RoundJudgement
from projections.engine.games.paigow.rules import Ranking, Rules, count_of, counted


def hands(layout: TileLayout, ranking: Ranking) -> list[Laid]:
    """Return the high and the low hand of each position, in the order in which they were seen."""
    return [
        Laid(f"{position}.{half}", tuple(tiles), count_of(ranking, tiles))
        for position in layout.open_order
        for half, tiles in (("high", layout.hands[position].high), ("low", layout.hands[position].low))
    ]


def reasons(rules: Rules, layout: TileLayout, judgement: RoundJudgement, *, void: bool) -> list[Reason]:
    """Return how the round went: each step and its provision, in order."""
    if void:
        return [(fact("games.paigow.called_void"), judgement.void_by)]
    if judgement.void is not None:
        return [
            (fact("engine.sentence", says=judgement.void.message), judgement.void_by),
            (fact("games.paigow.are_void"), judgement.void_by),
        ]
    reasons_given = _begins(rules, layout)
    for laid in hands(layout, rules.ranking):
        counts = counted(rules.ranking, laid.cards)
        lies = fact(
            "games.paigow.lies",
            hand=HandRef(laid.hand),
            tiles=listed(*map(CardRef, laid.cards)),
            counts=counts,
        )
        has_value = counts is not None and counts.code == "games.paigow.value"
        reasons_given.append((lies, "535.4(c)" if has_value else "535.4(a)"))
    for position in layout.open_order:
        position_hands = judgement.stands(position)
        if (wrong := position_hands.set_wrongly()) is not None:
            reasons_given.append((fact("engine.sentence", says=wrong.message), wrong.cites[0]))
        if position_hands.by_dealer and position_hands.hands.before and position_hands.surplus is None:
            reasons_given.append(
                (fact("games.paigow.were_set_anew", position=HandRef(position)), position_hands.set_by)
            )
    for key in sorted(judgement.observed.wagers, key=lambda key: key.seat):
        if key.wager != "pai_gow":
            continue
        ruled = judgement.ruling(key)
        if ruled is not None:
            reasons_given.append(
                (
                    fact(
                        "games.paigow.wager_becomes",
                        seat=HandRef(f"seat{key.seat}"),
                        says=ruled.reason or Word(ruled.result),
                        result=ruled.result,
                    ),
                    ruled.cite,
                )
            )
    return reasons_given


def _begins(rules: Rules, layout: TileLayout) -> list[Reason]:
    reasons_given: list[Reason] = []
    if layout.banker != DEALER:
        banks = fact(
            "games.paigow.is_bank", position=HandRef(layout.banker), with_house=int(layout.co_banked)
        )
        reasons_given.append((banks, "535.11(e)" if layout.co_banked else "535.11(c)"))
    first = first_dealt(rules, layout)
    if first is not None:
        clause = "535.8(c)" if layout.banker == DEALER else "535.11(j)"
        goes = fact("games.paigow.first_stack", total=sum(layout.rolls[-1]), position=HandRef(first))
        reasons_given.append((goes, clause))
    return reasons_given
