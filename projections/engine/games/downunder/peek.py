"""The dealer's hole card before the players act: its range as light and place show it, and his Blackjack.

685a.7(h): once the dealer has Blackjack no more cards may be dealt. 685a.12(c): nor may any go to a player
who refused a card that was drawn in error. What comes all the same is found and taken out of the play.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, Word, fact, listed
from projections.engine.games.blackjack.hands import DEALER, PAIR, ranks_of, seat_of, values_of
from projections.engine.games.blackjack.manner import Manner
from projections.engine.games.blackjack.player_hand import REFUSE, asks_for_cards, is_blackjack, note
from projections.engine.games.downunder.rules import RANGES, Rules
from schemas.values import CARDS

_BLACKJACK: Final = ("685a.7(h)",)
_REFUSED: Final = ("685a.12(c)",)
_WRONG_RANGE: Final = ("685a.7(h)", "685a.12(h)")

Play = Sequence[tuple[str, str]]


class Allowed(Struct, frozen=True):
    """A play without what came when no card might come; `blackjack` says that the dealer's is why."""

    play: list[tuple[str, str]]
    defects: tuple[Defect, ...]
    blackjack: bool


def allowed(play: Play, manner: Manner) -> Allowed:
    """Take out of a play the cards, doubles and splits that came when no more cards might be dealt."""
    dealer: list[str] = []
    dealt: dict[int, int] = {}
    refused: set[int] = set()
    kept: list[tuple[str, str]] = []
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
        kept.append((who, what))
    return Allowed(kept, tuple(wrong.values()), ended)


def surely_blackjack(cards: Sequence[str], manner: Manner) -> bool:
    """Return True if two cards are a Blackjack whatever of them was not read."""
    return is_blackjack([value for card in cards for value in values_of(card, manner.ranks)])


def shown(play: Play) -> list[str]:
    """Return the ranges that light and place showed, in order."""
    return [play[place][1] for place in lights(play)]


def range_defects(rules: Rules, play: Play, hole: str | None) -> tuple[list[Defect], bool]:
    """Find a light or a place that is not the hole card's; and whether that hangs on an unread card."""
    if hole is None:
        return [], False
    possible = ranks_of(hole, rules.manner.ranks)
    unsure = False
    for told in shown(play):
        fits = [rank in rules.ranges[told] for rank in possible]
        if not any(fits):
            own = [Word(name) for name in RANGES if set(possible) & set(rules.ranges[name])]
            message = fact(
                "games.downunder.wrong_range", hole=CardRef(hole), own=listed(*own), told=Word(told)
            )
            return [Defect("wrong_range", message, _WRONG_RANGE, who=DEALER)], False
        unsure = unsure or not all(fits)
    return [], unsure


def lights(play: Play) -> list[int]:
    """Return the places in a play where light or place showed a range: the hole card was in the reader."""
    return [place for place, (who, what) in enumerate(play) if who == DEALER and what in RANGES]
