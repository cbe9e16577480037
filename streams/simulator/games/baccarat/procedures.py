"""The turning of a hand by players, 545.9(d) and its like, and the dealing shoe that comes to the table.

For a table without a source of procedures nothing is reported, and nothing drawn.
"""

from collections.abc import Iterator
from typing import Final

from schemas import events
from streams.simulator.procedures import Procedures
from streams.simulator.script import Happening
from streams.simulator.shoe import Shoe
from streams.simulator.table import Round

_MANUAL_SHOE: Final = ("631a", "543", "545")
_TURNED: Final = ("631a", "545")
_HANDS: Final = ("player", "banker")
_TWO: Final = 2


class BaccaratProcedures(Procedures):
    """Procedures of a Baccarat table, with the faults that its people make."""

    def prepare(self, shoe: Shoe, curator: int | None = None) -> None:
        """Bring the dealing shoe with the first cards."""
        if self.is_asked and self.shoes == 0 and self.table.plan.chapter in _MANUAL_SHOE:
            self._bring_shoe()
        super().prepare(shoe, curator)

    def _bring_shoe(self) -> None:
        table, item, kind = self.table, f"dealing shoe {self.table.plan.number}", "manual"
        if table.strikes("shoe_of_other_kind"):
            self._label("shoe_of_other_kind", f"shoe {item}")
            kind = "shuffling"
        table.script.wait(3000, 9000)
        table.script.tell(
            events.ItemMoved, source="cards", kind="shoe", item=item, place="table", marks={"shoe_kind": kind}
        )

    def turn(self, current: Round) -> None:
        """Hand the cards of each hand to the player with the highest wager on it, of equals the nearest."""
        self.turning: dict[str, int] = {}
        self.mistakes: list[tuple[str, str]] = []
        drawn = [each.fields["hand"] for each in self._happened(events.CardDrawn)]
        if not self.is_asked or self.table.plan.chapter not in _TURNED or len(drawn) < _TWO * len(_HANDS):
            return
        for hand in _HANDS:
            wagers = self._wagers(hand)
            if not wagers:
                continue
            most = max(wagers.values())
            seat = min(place for (place, _), cents in wagers.items() if cents == most)
            highest = {place for (place, _), cents in wagers.items() if cents == most}
            lower = sorted({place for place, _ in wagers} - highest)
            if lower and self.table.strikes("turned_by_lower"):
                seat = self.table.rng.choice(lower)
                self.mistakes.append(("turned_by_lower", f"round {current.name}, {hand}"))
            self.turning[hand] = seat
            self._step("hand_passed", round=current.name, hand=hand, seat=seat)
            self._step("hand_returned", round=current.name, hand=hand, seat=seat, face="up")

    def turn_thirds(self, current: Round) -> None:
        """Hand a third card to the player who turned the hand."""
        drawn = [each.fields["hand"] for each in self._happened(events.CardDrawn)]
        for hand, seat in self.turning.items():
            if drawn.count(hand) <= _TWO:
                continue
            others = sorted({patron.seat for patron in self.table.patrons} - {seat})
            to = seat
            if others and self.table.strikes("third_card_to_other"):
                to = self.table.rng.choice(others)
                self.mistakes.append(("third_card_to_other", f"round {current.name}, {hand}, third card"))
            self._step("third_card_passed", round=current.name, hand=hand, seat=to)

    def clear(self, current: Round) -> None:
        """Collect the cards, and label hands that were turned by others in a round that counts."""
        super().clear(current)
        for kind, who in self.mistakes:
            self._label(kind, who)

    def _wagers(self, hand: str) -> dict[tuple[int, str | None], int]:
        """Return the cents on a hand by seat and bettor, as the reader of chips has them."""
        found: dict[tuple[int, str | None], int] = {}
        for each in self._happened(events.ChipsPlaced, events.ChipsRemoved):
            if each.fields["wager"] == hand:
                key = each.fields["seat"], each.fields.get("bettor")
                sign = 1 if each.kind is events.ChipsPlaced else -1
                found[key] = found.get(key, 0) + sign * each.fields["cents"]
        return {key: cents for key, cents in found.items() if cents > 0}

    def _happened(self, *kinds: type[events.Event]) -> Iterator[Happening]:
        """Yield what happened of these kinds since the round was opened, the last first."""
        for each in reversed(self.table.script.happenings):
            if each.kind is events.RoundOpened:
                return
            if each.kind in kinds:
                yield each
