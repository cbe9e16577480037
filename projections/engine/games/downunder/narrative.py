"""The play of a round described step by step, each step with its provision."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from projections.engine.facts import CardRef, HandRef, Listed, Word, fact
from projections.engine.findings import HOUSE_CONTROL
from projections.engine.game import Laid, Reason
from projections.engine.games.blackjack.dealer_hand import DealerEnd
from projections.engine.games.blackjack.hands import (
    DEALER,
    PAIR,
    Hand,
    first_hand,
    lay_out,
    named_cards,
    total,
    values_of,
)
from projections.engine.games.blackjack.player_hand import DEAD, End
from projections.engine.games.downunder.play import PlayedRound, indicated_ranges, judge_play
from projections.engine.games.downunder.rules import EVEN_MONEY, Rules, rules_of
from projections.engine.observation import Round
from schemas.law_text import chapter
from schemas.rulebook import rulebook

_CHAPTER: Final = "685a"


def counted(cards: Sequence[str], ranks: str, limit: int) -> int | None:
    """Add up cards; None if the value of one was not read."""
    values = [values_of(card, ranks) for card in cards]
    if any(len(each) != 1 for each in values):
        return None
    return total([each[0] for each in values], limit)


@lru_cache(maxsize=1)
def _as_printed() -> Rules:
    return rules_of(rulebook(_CHAPTER, min(chapter(_CHAPTER).texts), {}))


def hands(observed: Round) -> list[Laid]:
    """Return every hand with its cards and total; the dealer's in both ways where it depends on his aces."""
    manner = _as_printed().manner
    layout = lay_out(observed.play, manner.ranks)
    laid = [
        Laid(hand.name, hand.cards, counted(hand.cards, manner.ranks, manner.limit)) for hand in layout.hands
    ]
    high = counted(layout.dealer.cards, manner.ranks, manner.dealer_limit)
    low = counted(layout.dealer.cards, manner.ranks, manner.limit)
    return [*laid, Laid(DEALER, layout.dealer.cards, high if high == low else f"{low} or {high}")]


def reasons(rules: Rules, observed: Round) -> list[Reason]:
    """Return how the hands were to be played: each step and its provision, in order."""
    if observed.void:
        return [(fact("games.downunder.called_void"), HOUSE_CONTROL)]
    found = judge_play(rules, observed.play)
    dealer = found.layout.dealer
    reasons_given: list[Reason] = []
    for number, steps in sorted(found.layout.dealt.items()):
        seat, cards = HandRef(first_hand(number)), named_cards(step.what for step in steps)
        reasons_given.append((fact("games.downunder.is_dealt", seat=seat, cards=cards), "685a.7(e)"))
    if len(dealer.opening) < PAIR:
        return [*reasons_given, (fact("games.downunder.dealers_cards_not_seen"), "685a.7(e)")]
    up, hole = (CardRef(step.what) for step in dealer.opening)
    reasons_given.append((fact("games.downunder.dealers_cards", up=up, hole=hole), "685a.7(e)"))
    reasons_given += [
        (fact("games.downunder.range_shown", range=Word(each)), "685a.7(h)")
        for each in indicated_ranges(observed.play)
    ]
    if found.blackjack:
        reasons_given.append((fact("games.downunder.dealer_has_blackjack"), "685a.7(h)"))
    reasons_given += [_player(rules, hand, found) for hand in found.layout.hands]
    return [*reasons_given, _dealers(rules, found)]


def _player(rules: Rules, hand: Hand, judged_round: PlayedRound) -> Reason:
    ways = judged_round.ends.get(hand.name)
    hand_ref = HandRef(hand.name)
    if ways is None:
        return fact("games.downunder.not_settled", hand=hand_ref), "685a.7(j)"
    if len(ways) > 1:
        return fact("games.downunder.hand_not_read", hand=hand_ref), "685a.7(j)"
    return _ended(rules, hand_ref, ways[0], judged_round.dead_by)


def _ended(rules: Rules, hand: HandRef, end: End, dead_by: str) -> Reason:
    if end.left == DEAD:
        return fact("games.downunder.is_called_dead", hand=hand), dead_by
    if end.left == EVEN_MONEY:
        return fact("games.downunder.takes_even_money", hand=hand), "685a.7(g)"
    if end.blackjack:
        return fact("games.downunder.has_blackjack", hand=hand), "685a.7(i)(1)"
    over = end.total > rules.manner.limit
    came_to = fact(
        "games.downunder.comes_to",
        hand=hand,
        cards=named_cards(end.cards),
        doubled=int(end.doubled),
        count=end.total,
        over=int(over),
    )
    return came_to, "685a.7(q)(1)" if over else "685a.7(k)"


def _dealers(rules: Rules, judged_round: PlayedRound) -> Reason:
    cards = named_cards(judged_round.layout.dealer.cards)
    if not judged_round.dealer.is_complete or len(judged_round.dealer.ends) > 1:
        return fact("games.downunder.dealer_not_told", cards=cards), "685a.7(m)"
    (end,) = judged_round.dealer.ends
    return _dealer_ended(rules, cards, end)


def _dealer_ended(rules: Rules, cards: Listed, end: DealerEnd) -> Reason:
    if end.blackjack:
        return fact("games.downunder.dealers_blackjack", cards=cards), "685a.7(h)"
    if end.total == rules.standoff:
        return fact("games.downunder.dealer_stands_off", cards=cards, count=end.total), "685a.7(n)(1)"
    if end.total > rules.standoff:
        over = fact("games.downunder.dealer_is_over", cards=cards, count=end.total, standoff=rules.standoff)
        return over, "685a.7(o)(1)"
    return fact("games.downunder.dealer_comes_to", cards=cards, count=end.total), "685a.7(m)"
