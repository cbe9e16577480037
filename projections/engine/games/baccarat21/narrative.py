"""The play of a round described step by step, each step with its provision."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from projections.engine.facts import CardRef, HandRef, fact, listed
from projections.engine.findings import HOUSE_CONTROL
from projections.engine.game import Reason
from projections.engine.games.baccarat21.play import HANDS, CountedHand, HandEnd, end_of, hand_of
from projections.engine.games.baccarat21.rules import (
    AceCounting,
    Rules,
    counting_of,
    draws,
    is_natural,
    is_two_aces,
    total,
)
from projections.engine.games.baccarat21.wagers import named_awards, on_hands
from schemas.law_text import chapter
from schemas.values import RANKS

_TWO: Final = 2
_THREE: Final = 3
_DRAWING: Final = "681a.7(g)"


def counted(lying: Mapping[str, Sequence[str]], day: date) -> dict[str, int | str | None]:
    """Count both hands by the cards that count for more than a Bonus Wager; None if one was not read.

    What two aces count depends on the house's reading, so they are only named.

    >>> day = date(2020, 1, 1)
    >>> counted({"player": ["9s", "6d", "7c"], "banker": ["9s", "?d"]}, day)
    {'player': None, 'banker': None}
    >>> counted({"player": ["As", "Ad"], "banker": ["9s", "6d", "7c"]}, day)
    {'player': 'two aces', 'banker': 15}
    >>> counted({"player": ["Ks", "8d"], "banker": ["9s", "6d", "7c"]}, day)
    {'player': 18, 'banker': 22}
    """
    law = chapter("681a")
    counting = counting_of(law.numbers_on(max(day, law.newest(day))))
    # A ten or face card counts the same whichever it is.
    ranks = {name: "".join(card[0].replace("0", "T") for card in cards) for name, cards in lying.items()}
    stopped: bool | None = any(
        _is_read(each[:_TWO]) and is_natural(counting, each) for each in ranks.values()
    )
    if not stopped and not all(_is_read(each[:_TWO]) for each in ranks.values()):
        stopped = None
    return {name: _count(counting, each, stopped=stopped) for name, each in ranks.items()}


def _is_read(ranks: str) -> bool:
    return all(rank in RANKS for rank in ranks)


def _count(counting: AceCounting, ranks: str, *, stopped: bool | None) -> int | str | None:
    """Count a hand; `stopped` is whether a natural is on the table, None if that was not read."""
    if not _is_read(ranks[:_TWO]):
        return None
    if is_two_aces(ranks):
        return "two aces"
    initial = total(counting, ranks[:_TWO])
    if len(ranks) <= _TWO or stopped or not draws(counting, initial):
        return initial
    if stopped is None or not _is_read(ranks[:_THREE]):
        return None
    return total(counting, ranks[:_THREE])


def reasons(
    rules: Rules,
    cards: Sequence[tuple[str, str]],
    bonus_wagered: tuple[bool | None, bool | None],
    *,
    void: bool,
) -> list[Reason]:
    """Return how the cards had to fall: each step and its provision, in order.

    `bonus_wagered` is for each hand whether a Bonus Wager requires its card with a natural.
    """
    if void:
        return [(fact("games.baccarat21.called_void"), HOUSE_CONTROL)]
    lying = {name: [card for to, card in cards if to == name] for name in HANDS}
    if any(len(each) < _TWO for each in lying.values()):
        return [(fact("games.baccarat21.first_four_not_seen"), "681a.7(e)")]
    if not all(_is_read(card[0]) for each in lying.values() for card in each[:_THREE]):
        return [(fact("games.baccarat21.card_not_read"), "681a.3(d)")]
    hands = {name: hand_of(rules, "".join(card[0] for card in lying[name][:_THREE])) for name in HANDS}
    found: list[Reason] = [_initial(name, lying[name][:_TWO], hands[name]) for name in HANDS]
    stopped = any(hand.natural for hand in hands.values())
    if stopped:
        natural = listed(*(HandRef(name) for name in HANDS if hands[name].natural))
        found.append((fact("games.baccarat21.natural", hands=natural), "681a.7(f)"))
    ends = {}
    for name, bonus in zip(HANDS, bonus_wagered, strict=True):
        ends[name] = end = end_of(rules, name, hands[name], len(lying[name]), bonus, stopped)
        found.append(_third_cards(name, lying[name], hands[name], end, stopped=stopped))
    return [*found, *_compared(rules, ends), *_awarded(ends)]


def _initial(name: str, cards: Sequence[str], hand: CountedHand) -> Reason:
    message = fact(
        "games.baccarat21.initial",
        hand=HandRef(name),
        cards=listed(*map(CardRef, cards)),
        points=hand.initial,
        aces=int(hand.aces),
    )
    return message, "681a.3(d)(3)" if hand.aces else "681a.3(d)"


def _third_cards(
    name: str, cards: Sequence[str], hand: CountedHand, end: HandEnd, *, stopped: bool
) -> Reason:
    """Return what happened to a hand's additional card."""
    if end.defect is not None:
        return fact("engine.sentence", says=end.defect.message), end.defect.cites[0]
    third = cards[_TWO:_THREE]
    if not stopped:
        if not third:
            return fact("games.baccarat21.stands", hand=HandRef(name), points=hand.initial), _DRAWING
        message = fact(
            "games.baccarat21.draws",
            hand=HandRef(name),
            points=hand.initial,
            card=CardRef(third[0]),
            full=hand.full,
        )
        return message, _DRAWING
    if third:
        alone = fact("games.baccarat21.draws_for_bonus", hand=HandRef(name), card=CardRef(third[0]))
        return alone, "681a.7(f)(2)"
    return fact("games.baccarat21.draws_none", hand=HandRef(name)), "681a.7(f)"


def _compared(rules: Rules, ends: dict[str, HandEnd]) -> list[Reason]:
    player, banker = ends["player"], ends["banker"]
    if player.counts is None or banker.counts is None:
        return []
    scores = (player.counts, player.aces), (banker.counts, banker.aces)
    for name, other in (HANDS, HANDS[::-1]):
        ruled = on_hands(rules, name, *scores)
        if ruled.result == "win":
            won, lost = ends[name].counts, ends[other].counts
            return [(fact("games.baccarat21.wins", hand=HandRef(name), points=won, others=lost), ruled.cite)]
    return [(fact("games.baccarat21.both_count", points=player.counts), "681a.7(i)(4)")]


def _awarded(ends: dict[str, HandEnd]) -> list[Reason]:
    return [
        (fact("games.baccarat21.contains", hand=HandRef(name), awards=named_awards(end.awards)), "681a.3(e)")
        for name, end in ends.items()
        if end.awards
    ]
