"""A round of Chapter 685a judged: the peek, the hands, and what was wrong with either."""

from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, Word, fact, listed
from projections.engine.games.blackjack.dealer_hand import DealerHand, dealer_ends
from projections.engine.games.blackjack.hands import (
    ACE,
    DEALER,
    PAIR,
    Hand,
    Layout,
    lay_out,
    ranks_of,
    seat_of,
    strays,
    values_of,
)
from projections.engine.games.blackjack.manner import Manner
from projections.engine.games.blackjack.player_hand import (
    REFUSE,
    End,
    asks_for_cards,
    deal_defects,
    ends_of,
    is_blackjack,
    note,
    proven,
    split_turn_defects,
    turn_defects,
)
from projections.engine.games.blackjack.stakes import split_defects
from projections.engine.games.downunder.rules import EVEN_MONEY, RANGES, SURRENDER, WRONG_RANGE, Rules
from projections.engine.kinds import DECISION_NOT_ALLOWED
from schemas.values import CARDS

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The dealer's hole card before the players act: its range as light and place show it, and his Blackjack.
#
# 685a.7(h): once the dealer has Blackjack no more cards may be dealt. 685a.12(c): nor may any go to a
# player who refused a card that was drawn in error. What comes all the same is found and taken out of the
# play.

_BLACKJACK: Final = ("685a.7(h)",)
_REFUSED: Final = ("685a.12(c)",)
_WRONG_RANGE: Final = ("685a.7(h)", "685a.12(h)")

Play = Sequence[tuple[str, str]]


class Allowed(Struct, frozen=True):
    """A play without what came when no card was allowed; `blackjack` is true if the dealer's was why."""

    play: list[tuple[str, str]]
    defects: tuple[Defect, ...]
    blackjack: bool


def allowed(play: Play, manner: Manner) -> Allowed:
    """Remove from a play the cards, doubles and splits that came when no more cards were allowed."""
    dealer: list[str] = []
    dealt: dict[int, int] = {}
    refused: set[int] = set()
    allowed_acts: list[tuple[str, str]] = []
    wrong: dict[int, Defect] = {}
    ended = False
    for who, what in play:
        seat = seat_of(who)
        if what == REFUSE and seat is not None:
            refused.add(seat)
            continue
        if seat is not None and " " not in what:
            bars = _REFUSED if seat in refused else _BLACKJACK if ended else None
            if bars is not None and dealt.get(seat, 0) >= PAIR and asks_for_cards(what):
                if seat in refused:
                    why = fact("games.blackjack.had_refused_card")
                else:
                    why = fact("games.downunder.dealer_had_blackjack")
                note(wrong, seat, who, what, why, bars)
                continue
            dealt[seat] = dealt.get(seat, 0) + (what in CARDS)
        elif who == DEALER and what in CARDS:
            dealer.append(what)
            ended = ended or (len(dealer) == PAIR and surely_blackjack(dealer, manner))
        allowed_acts.append((who, what))
    return Allowed(allowed_acts, tuple(wrong.values()), ended)


def surely_blackjack(cards: Sequence[str], manner: Manner) -> bool:
    """Return True if two cards are a Blackjack whatever of them was not read."""
    return is_blackjack([value for card in cards for value in values_of(card, manner.ranks)])


def indicated_ranges(play: Play) -> list[str]:
    """Return the ranges that light and place showed, in order."""
    return [play[place][1] for place in lights(play)]


def range_defects(rules: Rules, play: Play, hole: str | None) -> tuple[list[Defect], bool]:
    """Find a light or a place that is not the hole card's; and whether that depends on an unread card."""
    if hole is None:
        return [], False
    possible = ranks_of(hole, rules.manner.ranks)
    unsure = False
    for indicated in indicated_ranges(play):
        fits = [rank in rules.ranges[indicated] for rank in possible]
        if not any(fits):
            own = [Word(name) for name in RANGES if set(possible) & set(rules.ranges[name])]
            message = fact(
                "games.downunder.wrong_range", hole=CardRef(hole), own=listed(*own), told=Word(indicated)
            )
            return [Defect(WRONG_RANGE, message, _WRONG_RANGE, who=DEALER)], False
        unsure = unsure or not all(fits)
    return [], unsure


def lights(play: Play) -> list[int]:
    """Return the places in a play where light or place showed a range: the hole card was in the reader."""
    return [place for place, (who, what) in enumerate(play) if who == DEALER and what in RANGES]


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A round of Chapter 685a: the hands, the dealer's, what was wrong, and what depends on what.

_NO_SURRENDER: Final = ("685a.7(i)(2)",)
_EVEN_MONEY: Final = ("685a.7(g)",)


class PlayedRound(Struct, frozen=True):
    """Findings about the play of a round.

    `ends` has each hand that settles, with every way in which it can have ended. `layout` is without what
    came when no card was allowed, and `blackjack` is true if that was because the dealer had one. `settles`
    is false if the first cards were dealt in another order than the text's. `dead_by` is the clause by which
    a hand was called dead.
    """

    layout: Layout
    blackjack: bool
    ends: dict[str, list[End]]
    dealer: DealerHand
    defects: tuple[Defect, ...]
    unsure: bool
    settles: bool
    dead_by: str


def judge_play(rules: Rules, play: Play) -> PlayedRound:
    """Judge the play of a round."""
    manner = rules.manner
    allowed_acts = allowed(play, manner)
    layout = lay_out(allowed_acts.play, manner.ranks)
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
    return PlayedRound(
        layout=layout,
        blackjack=allowed_acts.blackjack,
        ends=ends,
        dealer=dealer,
        defects=(
            *order,
            *(split_turn_defects(layout, manner) if not order else ()),
            *strays(layout, manner),
            *splits.defects,
            *lit,
            *allowed_acts.defects,
            *wrong,
            *_dealers(dealer, blackjack=allowed_acts.blackjack),
        ),
        unsure=unsure or dealer.unsure,
        settles=not dealt,
        dead_by="685a.12(h)" if lit else "685a.12(g)",
    )


def _dealers(dealer: DealerHand, *, blackjack: bool) -> list[Defect]:
    """Cite what forbids a card on a Blackjack together with the clauses of the dealer's draws."""
    if not blackjack:
        return list(dealer.defects)
    return [
        Defect(each.kind, each.message, ("685a.7(h)", *each.cites), who=each.who) for each in dealer.defects
    ]


def _given_up(hand: Hand, ways: Sequence[End], ups: Collection[int]) -> tuple[list[Defect], bool]:
    """Find a surrender, and even money without a Blackjack against an ace; and whether that is unsure."""
    lefts = {way.left for way in ways}
    if SURRENDER in lefts:
        message = fact("games.downunder.surrender_not_available")
        return [Defect(DECISION_NOT_ALLOWED, message, _NO_SURRENDER, who=hand.name)], False
    if EVEN_MONEY not in lefts:
        return [], False
    may = {way.blackjack and up == ACE for way in ways for up in ups or (ACE,)}
    if may == {True}:
        return [], False
    if may == {False}:
        message = fact("games.downunder.even_money_not_due")
        return [Defect(DECISION_NOT_ALLOWED, message, _EVEN_MONEY, who=hand.name)], False
    return [], True


def _hangs_on_dealer(rules: Rules, end: End) -> bool:
    """Return True if a hand is decided by the dealer's count: not if it is over, paid, or dead."""
    return end.left is None and not end.blackjack and end.total <= rules.manner.limit


def _any_hangs(matters: Sequence[set[bool]]) -> set[bool]:
    """Return whether any hand is decided by the dealer's count: both where one of them may be.

    >>> _any_hangs([{False}, {True}]), _any_hangs([{False}, {False}])
    ({True}, {False})
    >>> _any_hangs([{False}, {True, False}]) == {True, False}
    True
    """
    if any(each == {True} for each in matters):
        return {True}
    if all(each == {False} for each in matters):
        return {False}
    return {True, False}
