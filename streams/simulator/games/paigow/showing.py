"""The hands as they are laid open and called, 535.10(c) to (f), 535.11(n), (o), (r)."""

from collections.abc import Sequence
from typing import Final

from schemas import events
from streams.simulator.games.paigow.banking import MAIN, Bank
from streams.simulator.games.paigow.hands import Laid
from streams.simulator.games.paigow.rules import Result, Set, Tile, surplus_of
from streams.simulator.table import Made, Round, Table

_RESULTS: Final[tuple[Result, ...]] = ("win", "lose", "tie")
_SURRENDERS: Final = 0.06


class HandDisplay:
    """One round's hands on their way onto the layout.

    `words` are the seats whose hands are not compared and why, `became` what the dealer makes of the others,
    which he may get wrong, `called` what he said. `unsettled` is a seat whose wager no text settles after
    what was decided on it.
    """

    def __init__(
        self, table: Table, current: Round, laid: Laid, words: dict[str, str], became: dict[str, Result]
    ) -> None:
        self.table = table
        self.script = table.script
        self.current = current
        self.laid = laid
        self.words = words
        self.became = became
        self.unsettled: str | None = None
        self.called: dict[str, Result] = {}
        self.shown: list[str] = []
        self.tiles: list[Tile] = []

    def lay_open(self, compared: Sequence[str], seats: Sequence[str], bank: Bank | None) -> None:
        """Lay open the dealer's hands, the bank's, and the seats' in order; call each seat's result."""
        order = [each for each in (*compared, *seats) if each not in self.words]
        if len(order) > 1 and self.table.strikes("laid_open_early", self.current):
            place = self.table.rng.randrange(len(order) - 1)
            order[place : place + 2] = reversed(order[place : place + 2])
            self.current.made = Made("laid_open_early", who=order[place])
        waiting: list[str] = []
        for position in order:
            if position in self.words:
                continue
            self._show(position)
            if position in seats:
                waiting.append(position)
            if compared[-1] in self.shown:
                for seat in waiting:
                    self._call(seat, may_surrender=bank is None)
                waiting.clear()
            if position == "dealer" and bank is None and self.current.made is None:
                self._surrender([seat for seat in seats if seat not in self.shown])

    def _show(self, position: str) -> None:
        self.script.wait(1500, 3000)
        if (before := self.laid.before.get(position)) is not None:
            lying = len(self.tiles)
            self._lay(position, before)
            self.script.wait(2500, 5000)
            self.script.tell(events.HandReset, round=self.current.name, position=position)
            self.script.wait(1500, 3000)
            del self.tiles[lying:]
        self._lay(position, self.laid.final[position])
        self.shown.append(position)
        self.script.wait(900, 1800)

    def _lay(self, position: str, laid: Set) -> None:
        for name, hand in zip(("high", "low"), laid, strict=True):
            for tile in hand:
                self.script.wait(300, 600)
                place = f"{position}.{name}"
                self.script.tell(events.TileLaid, round=self.current.name, hand=place, tile=tile)
                self.tiles.append(tile)
                if self.table.is_staged and self.current.made is None and surplus_of(self.tiles):
                    self.current.made = Made("foreign_tile", who=place)

    def _surrender(self, seats: Sequence[str]) -> None:
        """Let some give up what they see is lost, 535.10(e)."""
        for seat in seats:
            if self.became.get(seat) == "lose" and self.table.rng.random() < _SURRENDERS:
                self.decide(seat, "surrender")
                self.words[seat] = "surrender"

    def _call(self, seat: str, *, may_surrender: bool) -> None:
        """Call a seat's result, rightly or not; or let it be given up now that it lies open."""
        result = self.became[seat]
        if may_surrender and result == "lose" and self.table.strikes("surrender_too_late", self.current):
            self.wrongly("surrender_too_late", seat, "surrender")
            return
        number = int(seat.removeprefix("seat"))
        wrong = self.table.rng.choice([each for each in _RESULTS if each != result])
        for kind in ("called_wrongly", "settled_as_called"):
            if self.table.strikes(kind, self.current):
                self.current.made = Made(kind, number, None, MAIN)
                result = wrong
                if kind == "settled_as_called":
                    self.became[seat] = wrong
        self.called[seat] = result
        self.script.tell(events.HandCalled, round=self.current.name, seat=number, result=result)

    def wrongly(self, kind: str, seat: str, decision: str) -> None:
        """Let something be decided on a hand that the text does not allow, or not then."""
        self.current.made = Made(kind, int(seat.removeprefix("seat")), who=seat)
        self.decide(seat, decision)
        self.words[seat] = decision
        self.unsettled = seat

    def decide(self, seat: str, decision: str) -> None:
        """Let something be decided on a hand."""
        self.script.wait(1200, 3000)
        self.script.tell(events.HandDecided, round=self.current.name, hand=seat, decision=decision)
        self.script.wait(600, 1200)
