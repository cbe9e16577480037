"""The curator of a Baccarat table: who deals from the shoe, and whether that player has to pass it on."""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.events import (
    CardDrawn,
    CuratorNamed,
    Event,
    OutcomeAnnounced,
    PlayerLeft,
    ProcedureStepTaken,
    RoundOpened,
    RoundVoided,
    ShoeLoaded,
    SimulatedRoundDealt,
    TableClosed,
)
from schemas.values import Micros

_TEN: Final = frozenset("TJQK")
_BANKER_LOSES: Final = frozenset({"player", "panda_8"})


def point_count(cards: tuple[str, ...]) -> int | None:
    """Return the Point Count of cards; None if there are fewer than two or a rank was not read.

    >>> point_count(("Ac", "9d")), point_count(("7h", "8s")), point_count(("?h", "8s")), point_count(())
    (0, 5, None, None)
    """
    if len(cards) < 2 or not all(card[0] in "A23456789" or card[0] in _TEN for card in cards):  # noqa: PLR2004  a hand
        return None
    return sum(1 if card[0] == "A" else 0 if card[0] in _TEN else int(card[0]) for card in cards) % 10


class Curatorship(Struct, frozen=True):
    """The player who deals from the shoe, and how the round that he dealt last has gone.

    `seat` is absent if the dealer deals. `since` is when that round opened, `dealt` are its cards in order,
    each with its hand; `declined` are those who were offered the shoe since then and did not take it.
    """

    seat: int | None = None
    declined: frozenset[int] = frozenset()
    since: Micros = 0
    dealt: tuple[tuple[str, str], ...] = ()
    announced: str | None = None
    is_played: bool = True

    def is_lost(self, by_cards: str | None) -> bool:
        """Return True if the Banker's Hand lost by cards and call, or by one if the other is silent."""
        by_call = None if self.announced is None else self.announced in _BANKER_LOSES
        lost = (None if by_cards is None else by_cards == "player", by_call)
        return self.is_played and True in lost and False not in lost

    def after(self, at: Micros, event: Event) -> "Curatorship":
        """Return it once an event has happened."""
        match event:
            case CuratorNamed() if event.seat != self.seat:
                return Curatorship(event.seat)
            case ShoeLoaded() | TableClosed():
                return Curatorship()
            case PlayerLeft(bettor=None) if event.seat == self.seat:
                return Curatorship()
            case RoundOpened():
                return Curatorship(self.seat, since=at)
        changed = self._changed(event) if self.seat is not None else {}
        return replace(self, **changed) if changed else self

    def _changed(self, event: Event) -> dict[str, Any]:
        """Return the fields that an event of the round, or an offer after it, changes."""
        changed: dict[str, Any] = {}
        match event:
            case CardDrawn(hand="player" | "banker"):
                changed = {"dealt": (*self.dealt, (event.hand, event.card))}
            case OutcomeAnnounced():
                changed = {"announced": event.outcome}
            case RoundVoided() | SimulatedRoundDealt():
                changed = {"is_played": False}
            case ProcedureStepTaken(step="shoe_declined", seat=int() as seat):
                changed = {"declined": self.declined | {seat}}
        return changed
