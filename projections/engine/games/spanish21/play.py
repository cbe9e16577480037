"""A round of Spanish 21 as it was played: every hand in all that it can be, and what was wrong with it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, fact
from projections.engine.games.blackjack.dealer_hand import DealerHand, dealer_ends
from projections.engine.games.blackjack.hands import PAIR, Hand, Layout, lay_out, seat_of, strays
from projections.engine.games.blackjack.player_hand import (
    End,
    accepted,
    deal_defects,
    ends_of,
    proven,
    split_turn_defects,
    turn_defects,
)
from projections.engine.games.blackjack.stakes import split_defects
from projections.engine.games.spanish21.rules import Rules
from projections.engine.kinds import CARD_NOT_IN_DECK
from schemas.values import CARDS

_REFUSED: Final = ("551.16(d)",)
TEN_RANK: Final = "T"  # 551.3(a): the decks hold none


class PlayedRound(Struct, frozen=True):
    """Results of the hands.

    `ends` has, for each hand that settles, every way in which it can have ended. `dealt` is whether the first
    two cards went round in order, `in_turn` whether what followed did. If not, no text says how what depends
    on them is settled. `unsure` is true if an unread card decides whether all was right.
    """

    layout: Layout
    ends: Mapping[str, Sequence[End]]
    dealer: DealerHand
    defects: tuple[Defect, ...]
    broken: frozenset[str]
    dealt: bool
    in_turn: bool
    unsure: bool

    @property
    def any_dealt(self) -> bool:
        """Return True if any card was dealt at all."""
        return bool(self.layout.dealer.cards) or any(self.layout.dealt.values())


@lru_cache(maxsize=16)
def judge_play(rules: Rules, play: tuple[tuple[str, str], ...]) -> PlayedRound:
    """Play a round out and judge its cards and decisions; cached, as stakes and money need the same."""
    manner = rules.manner
    accepted_acts = accepted(play, _REFUSED)
    layout = lay_out(accepted_acts.play, manner.ranks)
    all_ends = {hand.name: ends_of(manner, hand) for hand in layout.hands}
    splits = split_defects(layout, manner)
    ends = {
        name: found
        for name, found in all_ends.items()
        if found is not None and name not in splits.broken | splits.unsure
    }
    dealer = dealer_ends(manner, layout.dealer, _matters(rules, layout, ends))
    disorder = deal_defects(layout, manner)
    out_of_turn = turn_defects(layout, manner) if not disorder else []
    return PlayedRound(
        layout=layout,
        ends=ends,
        dealer=dealer,
        defects=(
            *_foreign(layout),
            *disorder,
            *out_of_turn,
            *(split_turn_defects(layout, manner) if not (disorder or out_of_turn) else ()),
            *strays(layout, manner),
            *splits.defects,
            *accepted_acts.defects,
            *(defect for found in ends.values() for defect in proven(found)),
            *dealer.defects,
        ),
        broken=splits.broken,
        dealt=not disorder,
        in_turn=not out_of_turn,
        unsure=bool(splits.unsure)
        or dealer.unsure
        or any(found is None for found in all_ends.values())
        or any(len({_checks(end) for end in found}) > 1 for found in ends.values()),
    )


def decided(play: Sequence[tuple[str, str]]) -> list[int]:
    """Return the places in a play of what was decided, and of cards that a seat got beyond its first two.

    The hole card goes into the reader before any of them (551.8(e), (f)); when, no one reports.
    """
    dealt: dict[int, int] = {}
    places = []
    for place, (who, what) in enumerate(play):
        seat = seat_of(who)
        if seat is None or " " in what or (what[0] == TEN_RANK and what in CARDS):
            continue
        if what in CARDS:
            dealt[seat] = dealt.get(seat, 0) + 1
        if what not in CARDS or dealt[seat] > PAIR:
            places.append(place)
    return places


def _checks(end: End) -> tuple[str, ...]:
    return tuple(defect.check for defect in end.defects)


def _foreign(layout: Layout) -> list[Defect]:
    """551.3(a), 551.16(b): name each 10 that stayed on a hand."""
    hands: list[Hand] = [*layout.hands, layout.dealer]
    return [
        Defect(
            CARD_NOT_IN_DECK,
            fact("games.spanish21.ten_on_hand", card=CardRef(card.what)),
            ("551.3(a)", "551.16(b)"),
            who=hand.name,
        )
        for hand in hands
        for card in hand.foreign
    ]


def _matters(rules: Rules, layout: Layout, ends: Mapping[str, Sequence[End]]) -> set[bool]:
    """551.13(c): return whether the dealer's count has an effect; both if it is not known."""
    if not layout.hands:
        return {True, False}
    ways = [{way for end in found for way in _hangs(rules, end)} for found in ends.values()]
    if any(found == {True} for found in ways):
        return {True}
    settled = len(ways) == len(layout.hands) and all(found == {False} for found in ways)
    return {False} if settled else {True, False}


def _hangs(rules: Rules, end: End) -> set[bool]:
    """Return whether a hand depends on the dealer's count; both where it lacks a card or does not settle."""
    return {hangs_on_dealer(rules, end)} if end.settles else {True, False}


def hangs_on_dealer(rules: Rules, end: End) -> bool:
    """551.13(c): return True if the dealer's further cards can change what a hand is paid.

    They cannot if it is over 21, given up or dead, a Blackjack (551.6(b)(3)), or 21 in more than two cards
    (551.6(b)(4)): such a hand loses only to a dealer's Blackjack.
    """
    if end.left is not None or end.blackjack or end.total > rules.manner.limit:
        return False
    return end.total < rules.manner.limit or len(end.values) == 2  # noqa: PLR2004  a split hand's two cards
