"""Who refused a card that was drawn in error gets no more of them in the round: 551.16(d), 685a.12(c)."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from projections.engine.adjudication import Defect
from projections.engine.facts import CardRef, Fact, Word, fact
from projections.engine.games.blackjack.layout import PAIR, seat_of
from projections.engine.games.blackjack.manner import Cites
from schemas.values import CARDS

REFUSE: Final = "refuse"
_BRINGS_CARDS: Final = ("double", "split")

Play = Sequence[tuple[str, str]]


class Accepted(Struct, frozen=True):
    """A play without what came to seats that had refused a card, and what was wrong of it."""

    play: tuple[tuple[str, str], ...]
    defects: tuple[Defect, ...]


def accepted(play: Play, cites: Cites) -> Accepted:
    """Take out of a play the cards, doubles and splits of those who had refused a card.

    >>> refused = accepted([("seat1", "9d"), ("seat1", "5s"), ("seat1", "refuse"), ("seat1", "Kd")], ())
    >>> refused.play, [each.check for each in refused.defects]
    ((('seat1', '9d'), ('seat1', '5s')), ['hand_drew_wrongly'])
    """
    dealt: dict[int, int] = {}
    refused: set[int] = set()
    kept: list[tuple[str, str]] = []
    wrong: dict[int, Defect] = {}
    for who, what in play:
        seat = seat_of(who)
        if seat is not None and what == REFUSE:
            refused.add(seat)
        elif seat in refused and dealt.get(seat, 0) >= PAIR and asks_for_cards(what):
            note(wrong, seat, who, what, fact("games.blackjack.had_refused_card"), cites)
        else:
            if seat is not None:
                dealt[seat] = dealt.get(seat, 0) + (what in CARDS)
            kept.append((who, what))
    return Accepted(tuple(kept), tuple(wrong.values()))


def asks_for_cards(what: str) -> bool:
    """Tell a card, and what brings one to a hand: a double, a split, a wish for one."""
    return what in CARDS or what in _BRINGS_CARDS or what == "draw"


def note(wrong: dict[int, Defect], seat: int, who: str, what: str, why: Fact, cites: Cites) -> None:
    """Note what came to a seat that might get no card, once; that one was asked for in vain is no fault."""
    if what in _BRINGS_CARDS:
        message = fact("games.blackjack.act_barred", act=Word(what), why=why)
        wrong.setdefault(seat, Defect("decision_not_allowed", message, cites, who=who))
    elif what in CARDS:
        message = fact("games.blackjack.card_barred", card=CardRef(what), why=why)
        wrong.setdefault(seat, Defect("hand_drew_wrongly", message, cites, who=who))
