"""Rounds of a table whose pit reports what people do in them, act by act; times in seconds."""

from typing import Any, Final, TypeAlias

from schemas import events as e
from schemas.procedures import ProcedureStep
from tests.law.procedure_table import ProcedureTable

# Source, kind and fields of what happens in a round, two seconds after what was before it.
Act: TypeAlias = tuple[str, type[Any], dict[str, Any]]
CHIPS: Final[dict[str, e.Source]] = {"C": "chips"}


def step(name: ProcedureStep, **fields: Any) -> Act:
    """Return a step at the pit."""
    return "pit", e.ProcedureStepTaken, {"step": name, **fields}


def lost(act: Act) -> Act:
    """Return an act whose report does not come."""
    source, kind, fields = act
    return source, kind, {**fields, "is_lost": True}


def at_once(act: Act) -> Act:
    """Return an act at the very time of the one before it."""
    source, kind, fields = act
    return source, kind, {**fields, "after": 0}


def card(hand: str, what: str) -> Act:
    """Return a card that leaves the shoe for a hand."""
    return "shoe", e.CardDrawn, {"hand": hand, "card": what}


def chips(seat: int, wager: str, cents: int, **fields: Any) -> Act:
    """Return chips that are placed."""
    return "chips", e.ChipsPlaced, {"seat": seat, "wager": wager, "cents": cents, **fields}


def taken_back(seat: int, wager: str, cents: int, **fields: Any) -> Act:
    """Return chips that are taken back."""
    return "chips", e.ChipsRemoved, {"seat": seat, "wager": wager, "cents": cents, **fields}


def at_terminal(kind: type[Any], **fields: Any) -> Act:
    """Return something that the terminal reports."""
    return "terminal", kind, fields


NO_MORE_BETS: Final[Act] = ("terminal", e.WagersClosed, {})
FOUR_CARDS: Final[tuple[Act, ...]] = (
    card("player", "4c"),
    card("banker", "6d"),
    card("player", "3c"),
    card("banker", "Kd"),
)


class RoundTable(ProcedureTable):
    """A table at which rounds are played act by act."""

    def __init__(self, number: str, **table: Any) -> None:
        super().__init__(number, readers=table.pop("readers", CHIPS), **table)

    def sit(self, *seats: int, **patrons: str) -> "RoundTable":
        """Seat players; those who are known by `seat3="anna"`."""
        for seat in seats:
            self.say("terminal", e.PlayerSeated, seat=seat)
        for seat_name, patron in patrons.items():
            self.say("terminal", e.PlayerSeated, seat=int(seat_name.removeprefix("seat")), patron=patron)
        return self

    def begin(self, **patrons: str) -> "RoundTable":
        """Open the table, load a shoe and let players sit down in seats 2, 5 and 7, or who is named."""
        self.open()
        self.load()
        return self.sit(*(() if patrons else (2, 5, 7)), **patrons)

    def act(self, *acts: Act) -> "RoundTable":
        """Do these acts in turn, five seconds apart unless they say otherwise, in no round."""
        for source, kind, fields in acts:
            stated = dict(fields)
            self.say(source, kind, stated.pop("after", 5), **stated)
        return self

    def deal(self, *acts: Act, void: bool = False, is_close_lost: bool = False) -> "RoundTable":
        """Open a round, do these acts in turn, and close it; the report of the close may be lost."""
        self.rounds += 1
        number = str(self.rounds)
        self.say("terminal", e.RoundOpened, round=number, shoe=self.shoe or "1", heard=self.heard())
        for source, kind, fields in acts:
            stated = {} if issubclass(kind, e.ChipsBought | e.NoticeGiven) else {"round": number}
            stated |= fields
            self.say(source, kind, stated.pop("after", 2), **stated)
        if void:
            self.say("terminal", e.RoundVoided, round=number)
        self.say("terminal", e.RoundClosed, is_lost=is_close_lost, round=number, heard=self.heard())
        return self
