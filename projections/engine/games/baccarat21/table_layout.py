"""The two hands of Chapter 681a, with cards for a Bonus Wager only, and cards that do not count."""

from collections.abc import Sequence

from projections.engine.facts import fact
from projections.engine.game import Game
from projections.engine.games.baccarat21 import bonus_asks_card
from projections.engine.games.baccarat21.play import HANDS, CountedHand, HandEnd, end_of, hand_of
from projections.engine.games.baccarat21.rules import Rules, draws, rules_of
from projections.engine.observation import Lying, Round
from projections.engine.table_layout import pieces, places_of, remarks
from schemas.rulebook import Rulebook
from schemas.values import RANKS

_TWO = 2
_THREE = 3


def lying(game: Game, observed: Round, book: Rulebook | None) -> list[Lying]:
    """Return the layout of both hands; no card is disregarded if one is unread or an initial one missing."""
    counted = {each.hand: each.point_count for each in game.hands(observed)}
    at = {name: places_of(observed, name) for name in HANDS}
    ranks = {name: [observed.play[place][1][0] for place in at[name]] for name in HANDS}
    if book is None or observed.void or not all(map(_is_whole, ranks.values())):
        return [Lying(name, pieces(observed, at[name]), counted[name]) for name in HANDS]
    rules = rules_of(book)
    hands = {name: hand_of(rules, "".join(ranks[name][:_THREE])) for name in HANDS}
    stopped = any(hand.natural for hand in hands.values())
    requested = dict(zip(HANDS, bonus_asks_card(rules, observed, ()), strict=True))
    ends = {
        name: end_of(rules, name, hands[name], len(ranks[name]), requested[name], stopped) for name in HANDS
    }
    return [
        _laid(rules, observed, name, at[name], hands[name], ends[name], stopped=stopped) for name in HANDS
    ]


def _laid(
    rules: Rules, observed: Round, name: str, at: list[int], hand: CountedHand, end: HandEnd, *, stopped: bool
) -> Lying:
    counts = hand.initial if end.counts is None else end.counts
    draws_card = not stopped and draws(rules.counting, hand.initial)
    # A third card with a natural that no defect is about was dealt for the Bonus Wager.
    for_bonus = stopped and len(at) == _THREE and end.defect is None
    keeps = _THREE if draws_card or for_bonus else _TWO
    marks = [fact("games.baccarat21.two_aces")] if hand.aces else []
    if for_bonus:
        marks.append(fact("games.baccarat21.third_for_bonus"))
    return Lying(name, pieces(observed, at, at[keeps:]), counts, remarks(*marks))


def _is_whole(ranks: Sequence[str]) -> bool:
    return len(ranks) >= _TWO and all(rank in RANKS for rank in ranks[:_THREE])
