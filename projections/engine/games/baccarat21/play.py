"""From the cards as they left the shoe to how both hands ended, and the cards that were wrong.

Order 681a.7(e); additional cards 681a.7(f), (g); what happens to one too many 681a.9(b).
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import HandRef, fact
from projections.engine.findings import Kind
from projections.engine.games.baccarat21.rules import Rules, awards, draws, is_natural, is_two_aces, total
from projections.engine.kinds import CARD_MISSING, CARD_ORDER_WRONG, HAND_DREW_WRONGLY
from schemas.values import RANKS_OF

HANDS: Final = ("player", "banker")

# What a hand counts, and whether it is two aces, which only two aces tie.
Score: TypeAlias = tuple[int, bool]

_INITIAL: Final = ["player", "banker", "player", "banker"]
_TWO: Final = 2  # each hand begins with two cards, 681a.7(e)
_THREE: Final = 3  # and gets one more at most, 681a.7(f)(2), (g)
_ACCIDENTAL: Final = 17  # the total that 681a.9(b) covers; it is silent about higher ones


class CountedHand(Struct, frozen=True, gc=False):
    """Possible results of a hand's cards: the count of two and of three, and the awards for two and three.

    `full` and `full_awards` are of the initial cards alone if there is no third one.
    """

    initial: int
    full: int
    natural: bool
    aces: bool
    initial_awards: tuple[str, ...]
    full_awards: tuple[str, ...]


class HandEnd(Struct, frozen=True, gc=False):
    """Result of one hand: its count, its Bonus Wager awards, the card that was wrong.

    `counts` and `awards` are None if a card is missing: no text says how such a hand is settled.
    """

    counts: int | None
    aces: bool
    awards: tuple[str, ...] | None
    defect: Defect | None


class Ends(Struct, frozen=True, gc=False):
    """Every way in which one hand can have ended: its scores, its awards, its defects, each once.

    A score is what it counts and whether it is two aces; it is None if a card is missing, and so are awards.
    """

    scores: tuple[Score | None, ...]
    awards: tuple[tuple[str, ...] | None, ...]
    defects: tuple[Defect | None, ...]


class Deal(Struct, frozen=True, gc=False):
    """Both hands at their end, each in every possible way; any of one can occur with any of the other."""

    player: Ends
    banker: Ends


def initial_faults(cards: Sequence[tuple[str, str]]) -> list[Defect]:
    """Return what was wrong with the first four cards, 681a.7(e)."""
    to = [hand for hand, _ in cards]
    if to[:4] == _INITIAL:
        return []
    missing = [
        Defect(
            CARD_MISSING,
            fact("games.baccarat21.initial_cards_missing", hand=HandRef(hand), held=to.count(hand)),
            ("681a.7(e)",),
            who=hand,
        )
        for hand in HANDS
        if to.count(hand) < _TWO
    ]
    wrong = fact("games.baccarat21.initial_order_wrong")
    return missing or [Defect(CARD_ORDER_WRONG, wrong, ("681a.7(e)",))]


@lru_cache(maxsize=1 << 12)
def hand_of(rules: Rules, ranks: str) -> CountedHand:
    """Count a hand of two or three cards by their ranks."""
    aces = is_two_aces(ranks)
    initial = rules.ace_ace if aces else total(rules.counting, ranks[:2])
    return CountedHand(
        initial=initial,
        full=total(rules.counting, ranks) if len(ranks) > _TWO else initial,
        natural=is_natural(rules.counting, ranks),
        aces=aces,
        initial_awards=awards(rules, ranks[:2]),
        full_awards=awards(rules, ranks),
    )


@lru_cache(maxsize=1 << 12)
def _possible_hands(rules: Rules, read: str) -> tuple[CountedHand, ...]:
    """Return what a hand can be, by what was read of the rank of each of its two or three cards."""
    possible = (hand_of(rules, "".join(ranks)) for ranks in product(*(RANKS_OF[each] for each in read)))
    return tuple(dict.fromkeys(possible))


def possible_deals(
    rules: Rules, player: str, banker: str, bonus: tuple[bool | None, bool | None]
) -> list[Deal]:
    """Finish both hands for every card that an unread one could be; one deal if all were read.

    `player` and `banker` have what was read of each card's rank, in order. `bonus` is for each hand whether a
    Bonus Wager requires its card with a natural, None if that is not known.
    """
    return [
        Deal(
            _ends(rules, "player", player, player_natural, stopped, bonus[0]),
            _ends(rules, "banker", banker, banker_natural, stopped, bonus[1]),
        )
        for player_natural in possibly_natural(rules, player)
        for banker_natural in possibly_natural(rules, banker)
        for stopped in (player_natural or banker_natural,)
    ]


@lru_cache(maxsize=1 << 12)
def possibly_natural(rules: Rules, read: str) -> tuple[bool, ...]:
    """Return whether a hand is a natural, by what was read of its cards; both where that leaves it open."""
    return tuple(sorted({hand.natural for hand in _possible_hands(rules, read[:_THREE])}))


@lru_cache(maxsize=1 << 12)
def _ends(rules: Rules, who: str, read: str, natural: bool, stopped: bool, bonus: bool | None) -> Ends:  # noqa: FBT001  a cache keys by place
    ends = [
        end_of(rules, who, hand, len(read), bonus, stopped)
        for hand in _possible_hands(rules, read[:_THREE])
        if hand.natural is natural
    ]
    return Ends(
        tuple(dict.fromkeys((end.counts, end.aces) if end.counts is not None else None for end in ends)),
        tuple(dict.fromkeys(end.awards for end in ends)),
        tuple(dict.fromkeys(end.defect for end in ends)),
    )


@lru_cache(maxsize=1 << 12)
def end_of(
    rules: Rules,
    who: str,
    hand: CountedHand,
    cards: int,
    bonus: bool | None,  # noqa: FBT001  a cache keys by place
    stopped: bool,  # noqa: FBT001  a cache keys by place
) -> HandEnd:
    """Finish one hand with a number of cards; `stopped` is whether either hand has a natural."""
    if stopped:
        return _beside_natural(rules, who, hand, cards, bonus)
    if not draws(rules.counting, hand.initial):
        return HandEnd(hand.initial, hand.aces, hand.initial_awards, _surplus(who, hand, cards, "681a.7(g)"))
    if cards == _TWO:
        short = fact("games.baccarat21.card_missing", hand=HandRef(who), points=hand.initial)
        return HandEnd(None, hand.aces, None, Defect(CARD_MISSING, short, ("681a.7(g)",), who=who))
    return HandEnd(hand.full, hand.aces, hand.full_awards, _second(who, cards, "681a.7(g)"))


def _beside_natural(rules: Rules, who: str, hand: CountedHand, cards: int, bonus: bool | None) -> HandEnd:  # noqa: FBT001  three answers
    """681a.7(f): no additional card except for a Bonus Wager, and then for that wager only."""
    may_draw = rules.ace_ace_draws if hand.aces else draws(rules.counting, hand.initial)
    if not may_draw:
        clause = "681a.7(f)(1)" if bonus is False else "681a.7(f)(2)"
        return HandEnd(hand.initial, hand.aces, hand.initial_awards, _surplus(who, hand, cards, clause))
    if bonus is False:
        extra = fact("games.baccarat21.card_beside_natural", hand=HandRef(who))
        wrong = Defect(HAND_DREW_WRONGLY, extra, ("681a.7(f)(1)",), who=who)
        return HandEnd(hand.initial, hand.aces, hand.initial_awards, wrong if cards > _TWO else None)
    if cards > _TWO:
        return HandEnd(hand.initial, hand.aces, hand.full_awards, _second(who, cards, "681a.7(f)(2)"))
    lacks = fact("games.baccarat21.bonus_card_missing", hand=HandRef(who), points=hand.initial)
    missing = Defect(CARD_MISSING, lacks, ("681a.7(f)(2)",), who=who) if bonus else None
    return HandEnd(hand.initial, hand.aces, None, missing)


def _surplus(who: str, hand: CountedHand, cards: int, clause: str) -> Defect | None:
    if cards == _TWO:
        return None
    message = fact("games.baccarat21.card_extra", hand=HandRef(who), points=hand.initial)
    cites = (clause, "681a.9(b)") if hand.initial == _ACCIDENTAL else (clause,)
    return Defect(HAND_DREW_WRONGLY, message, cites, who=who)


def _second(who: str, cards: int, clause: str) -> Defect | None:
    if cards == _THREE:
        return None
    message = fact("games.baccarat21.second_additional", hand=HandRef(who))
    return Defect(HAND_DREW_WRONGLY, message, (clause,), who=who)


def proven(deals: Sequence[Deal]) -> tuple[tuple[Defect, ...], bool]:
    """Return what was wrong with the cards whatever an unread one was; and whether that depends on one."""
    found = list(
        dict.fromkeys(
            tuple(defect for defect in (first, second) if defect is not None)
            for deal in deals
            for first in deal.player.defects
            for second in deal.banker.defects
        )
    )
    if len(found) == 1:
        return found[0], False
    if () in found:
        return (), True
    always = [
        (kind, who)
        for kind, who in dict.fromkeys((defect.kind, defect.who) for defect in found[0])
        if all(any((each.kind, each.who) == (kind, who) for each in defects) for defects in found)
    ]
    if not always:
        either = fact("games.baccarat21.drew_wrongly_whatever_unread")
        return (Defect(HAND_DREW_WRONGLY, either, ("681a.7(f)", "681a.7(g)")),), True
    return tuple(_always(found, *name) for name in always), True


def _always(found: Sequence[tuple[Defect, ...]], kind: Kind, who: str | None) -> Defect:
    """Return what was wrong with a hand whatever an unread card was, if not always for one reason."""
    same = list(
        dict.fromkeys(each for defects in found for each in defects if (each.kind, each.who) == (kind, who))
    )
    if len(same) == 1:
        return same[0]
    message = fact(
        "games.baccarat21.wrong_whatever_unread",
        hand=HandRef(who or ""),
        lacks=int(kind is CARD_MISSING),
    )
    return Defect(kind, message, tuple(dict.fromkeys(cite for each in same for cite in each.cites)), who=who)
