"""A round of Chapter 685a put together: the hands, the dealer's, what was wrong, and what hangs on what."""

from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import fact
from projections.engine.games.blackjack.dealer_hand import DealerHand, dealer_ends
from projections.engine.games.blackjack.hands import ACE, PAIR, Hand, Layout, lay_out, strays, values_of
from projections.engine.games.blackjack.order import deal_defects, turn_defects
from projections.engine.games.blackjack.player_hand import End, ends_of, proven
from projections.engine.games.blackjack.stakes import split_defects
from projections.engine.games.downunder.peek import Play, allowed, range_defects
from projections.engine.games.downunder.rules import EVEN_MONEY, SURRENDER, Rules

_NO_SURRENDER: Final = ("685a.7(i)(2)",)
_EVEN_MONEY: Final = ("685a.7(g)",)


class Judged(Struct, frozen=True):
    """What was found of a round.

    `ends` has each hand that settles, with every way in which it can have ended; `layout` is without what
    came when no card might, and `blackjack` says that this was because the dealer had one. `settles` is false
    where the first cards were dealt in another order than the text's. `dead_by` is the clause by which a hand
    was called dead.
    """

    layout: Layout
    blackjack: bool
    ends: dict[str, list[End]]
    dealer: DealerHand
    defects: tuple[Defect, ...]
    unsure: bool
    settles: bool
    dead_by: str


def judged(rules: Rules, play: Play) -> Judged:
    """Judge the play of a round."""
    manner = rules.manner
    kept = allowed(play, manner)
    layout = lay_out(kept.play, manner.ranks)
    opening = layout.dealer.opening
    lit, unlit = range_defects(rules, play, opening[1].what if len(opening) == PAIR else None)
    dealt = deal_defects(layout, manner)
    order = dealt or turn_defects(layout, manner)
    late = {each.who for each in order}
    splits = split_defects(layout, manner)
    ups = values_of(opening[0].what, manner.ranks) if opening else ()
    ends: dict[str, list[End]] = {}
    wrong: list[Defect] = []
    matters: list[set[bool]] = []
    unsure = unlit or bool(splits.unsure)
    for hand in layout.hands:
        ways = ends_of(manner, hand)
        if ways is None:
            unsure = True
            matters.append({True, False})
            continue
        own, doubtful = _given_up(hand, ways, ups)
        wrong += [*proven(ways), *own]
        unsure = unsure or doubtful or len({tuple(each.check for each in way.defects) for way in ways}) > 1
        # Even money once the turns had begun: no text says whether it stands.
        taken_late = hand.name in late and any(way.left == EVEN_MONEY for way in ways)
        broken = hand.name in splits.broken | splits.unsure
        settles = not (broken or own or doubtful or taken_late)
        matters.append({_hangs_on_dealer(rules, way) for way in ways} if settles else {True, False})
        if settles and all(way.settles for way in ways):
            ends[hand.name] = ways
    dealer = dealer_ends(manner, layout.dealer, _any_hangs(matters))
    return Judged(
        layout=layout,
        blackjack=kept.blackjack,
        ends=ends,
        dealer=dealer,
        defects=(
            *order,
            *strays(layout, manner),
            *splits.defects,
            *lit,
            *kept.defects,
            *wrong,
            *_dealers(dealer, blackjack=kept.blackjack),
        ),
        unsure=unsure or dealer.unsure,
        settles=not dealt,
        dead_by="685a.12(h)" if lit else "685a.12(g)",
    )


def _dealers(dealer: DealerHand, *, blackjack: bool) -> list[Defect]:
    """Cite what forbids a card on a Blackjack beside what the dealer's draws stand on."""
    if not blackjack:
        return list(dealer.defects)
    return [
        Defect(each.check, each.message, ("685a.7(h)", *each.cites), who=each.who) for each in dealer.defects
    ]


def _given_up(hand: Hand, ways: Sequence[End], ups: Collection[int]) -> tuple[list[Defect], bool]:
    """Find a surrender, and even money without a Blackjack against an ace; and whether that is unsure."""
    lefts = {way.left for way in ways}
    if SURRENDER in lefts:
        message = fact("games.downunder.surrender_not_available")
        return [Defect("decision_not_allowed", message, _NO_SURRENDER, who=hand.name)], False
    if EVEN_MONEY not in lefts:
        return [], False
    may = {way.blackjack and up == ACE for way in ways for up in ups or (ACE,)}
    if may == {True}:
        return [], False
    if may == {False}:
        message = fact("games.downunder.even_money_not_due")
        return [Defect("decision_not_allowed", message, _EVEN_MONEY, who=hand.name)], False
    return [], True


def _hangs_on_dealer(rules: Rules, end: End) -> bool:
    """Return True if a hand is decided by the dealer's count: not if it is over, paid, or dead."""
    return end.left is None and not end.blackjack and end.total <= rules.manner.limit


def _any_hangs(matters: Sequence[set[bool]]) -> set[bool]:
    if any(each == {True} for each in matters):
        return {True}
    if all(each == {False} for each in matters):
        return {False}
    return {True, False}
