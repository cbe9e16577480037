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
    ShoeExhausted,
    ShoeLoaded,
    SimulatedRoundDealt,
    TableClosed,
)
from schemas.procedures import FLOORPERSON_OR_ABOVE
from schemas.values import Micros, Person

_TEN: Final = frozenset("TJQK0")  # 0: one of them, though not known which
_BANKER_LOSES: Final = frozenset({"player", "panda_8"})


def point_count(cards: tuple[str, ...]) -> int | None:
    """Return the Point Count of cards; None if there are fewer than two or a value was not read.

    >>> point_count(("Ac", "9d")), point_count(("7h", "8s")), point_count(("?h", "8s")), point_count(())
    (0, 5, None, None)
    >>> point_count(("Ac", "9d", "5h"))
    5
    """
    if len(cards) < 2 or not all(is_value_read(card) for card in cards):  # noqa: PLR2004  a hand
        return None
    return sum(1 if card[0] == "A" else 0 if card[0] in _TEN else int(card[0]) for card in cards) % 10


def is_value_read(card: str) -> bool:
    """Return True if a card's rank was read, or at least that it counts nothing.

    >>> is_value_read("7?"), is_value_read("0?"), is_value_read("?c")
    (True, True, False)
    """
    return card[0] in "A23456789" or card[0] in _TEN


def may_order_pass(by: Person | None, calling: str | None) -> bool | None:
    """Return True if a person may order the curator to pass the shoe, 631a.14(a)(2) and its like.

    The dealer who calls the game may, and a floorperson or above. None if it is not known who ordered it, or
    who is `calling` the game.
    """
    if by is None:
        return None
    if by.role in FLOORPERSON_OR_ABOVE:
        return True
    if by.role != "dealer":
        return False
    return None if calling is None else by.name == calling


class Curatorship(Struct, frozen=True):
    """The player who deals from the shoe, and how the round that he dealt last has gone.

    `seat` is absent if the dealer deals. `since` is when that round opened, `dealt` are its cards in order,
    each with its hand; `asked` are those who were offered the shoe since then or refused it, the last of them
    at `asked_at`; `unanswered` is true if it is not reported what the last of them said, or who dealt once a
    player had named the dealer. `is_ordered` is true if somebody who may order it ordered the shoe to be
    passed since then.
    """

    seat: int | None = None
    since: Micros = 0
    dealt: tuple[tuple[str, str], ...] = ()
    announced: str | None = None
    is_played: bool = True
    asked: frozenset[int] = frozenset()
    asked_at: Micros = 0
    unanswered: bool = False
    is_ordered: bool = False

    @property
    def is_lost_by_call(self) -> bool | None:
        """True if the Banker's Hand lost by what was called; None if nothing was."""
        return None if self.announced is None else self.announced in _BANKER_LOSES

    @property
    def are_values_read(self) -> bool:
        """True if the value of each card is known, and there are cards."""
        return bool(self.dealt) and all(is_value_read(card) for _, card in self.dealt)

    def after(self, at: Micros, event: Event, calling: str | None) -> "Curatorship":
        """Return it once an event has happened, while a dealer was `calling` the game."""
        match event:
            case CuratorNamed() if event.seat != self.seat:
                return Curatorship(event.seat)
            case ShoeLoaded() | TableClosed():
                return Curatorship()
            case PlayerLeft(bettor=None) if event.seat == self.seat:
                return Curatorship()
            case RoundOpened():
                return Curatorship(self.seat, since=at)
        changed = self._changed(at, event, calling) if self.seat is not None else {}
        return replace(self, **changed) if changed else self

    def _changed(self, at: Micros, event: Event, calling: str | None) -> dict[str, Any]:
        """Return the fields that an event of the round, or an offer after it, changes."""
        changed: dict[str, Any] = {}
        match event:
            case CardDrawn(hand="player" | "banker"):
                changed = {"dealt": (*self.dealt, (event.hand, event.card))}
            case OutcomeAnnounced():
                changed = {"announced": event.outcome}
            case RoundVoided() | SimulatedRoundDealt() | ShoeExhausted():
                changed = {"is_played": False}
            case ProcedureStepTaken(step="shoe_offered" | "shoe_declined", seat=int() as seat):
                is_offer = event.step == "shoe_offered"
                changed = {"asked": self.asked | {seat}, "asked_at": at, "unanswered": is_offer}
            case ProcedureStepTaken(step="dealer_designated"):
                changed = {"unanswered": True}
            case CuratorNamed():  # he remains, so that nobody has taken it
                changed = {"unanswered": False}
            case ProcedureStepTaken(step="pass_ordered") if may_order_pass(event.by, calling):
                changed = {"is_ordered": True}
        return changed
