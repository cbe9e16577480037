"""The set of tiles at its opening, its mixing before each round, and the shaker, 535.6 and 535.8.

The figures are worked by hand from the text. For a table without a source of procedures nothing is reported,
and nothing drawn.
"""

from collections.abc import Sequence
from typing import Final

from schemas import events
from streams.simulator.people import come, draw_crowd
from streams.simulator.procedures import FLOORPERSON, Procedures
from streams.simulator.table import Round, Table

_PAIRS: Final = 16
_CIRCLES: Final = 8
_STACKS: Final = 8
_SHAKES: Final = 3


class TileProcedures(Procedures):
    """Procedures of a Pai Gow table with tiles and shaker, with the faults that its people make."""

    def __init__(self, table: Table, dealers: Sequence[str]) -> None:
        super().__init__(table, dealers)
        self._of_deal: dict[str, str] = {}  # what went wrong with the deal, and whom it is about

    def begin_round(self) -> None:
        """Open the set of tiles before the first round, and mix and stack the tiles before each."""
        super().begin_round()
        if not self.is_reported:
            return
        table = self.table
        who = f"round {self.rounds}"
        if self.rounds == 1:
            self._open_tiles(who)
        if self.rounds > 1 and table.strikes("tiles_not_mixed"):
            self._label("tiles_not_mixed", who)
            return
        circles = table.rng.randint(_CIRCLES, _CIRCLES + 4)
        if table.strikes("circles_too_few"):
            self._label("circles_too_few", f"{who}, circles")
            circles = table.rng.randint(3, _CIRCLES - 1)
        self._step("shuffled", by=self._dealer(), count=circles)
        self._step("stacked", by=self._dealer(), count=_STACKS)

    def _open_tiles(self, who: str) -> None:
        """Receive a set, inspect it, lay its pairs face up, and turn them once somebody has come."""
        table, item = self.table, f"tiles {self.table.plan.number}"
        is_sealed = not table.strikes("tiles_unsealed")
        if not is_sealed:
            self._label("tiles_unsealed", f"tiles {item}")
        table.script.tell(
            events.ItemMoved,
            source="cards",
            kind="tiles",
            item=item,
            place="table",
            sealed=is_sealed,
            persons=(FLOORPERSON,),
        )
        table.script.wait(60_000, 120_000)
        if table.strikes("tiles_not_inspected"):
            self._label("tiles_not_inspected", who)
        else:
            table.script.tell(
                events.ItemInspected,
                source="pit",
                kind="tiles",
                item=item,
                passed=True,
                by=self._dealer(),
                verified_by=FLOORPERSON,
                checklist={"sixteen_pairs": True, "tiles_alike": True, "backs_and_sides": True},
            )
        if table.strikes("tiles_not_spread"):
            self._label("tiles_not_spread", who)
        else:
            self._step("spread", face="up", manner="pairs", count=_PAIRS)
        if not table.patrons:
            draw_crowd(table)
            come(table)
        table.script.wait(10_000, 30_000)
        self._step("turned", face="down")

    def banks_twice(self) -> bool:
        """Return True if who banked the last round banks this one too, 535.11(c)."""
        return self.is_reported and self.table.strikes("banked_twice")

    def show(self, current: Round, *, is_bank_again: bool) -> None:
        """Label what was done wrongly before the deal, now that the round counts."""
        if is_bank_again:
            self._label("banked_twice", f"round {current.name}, bank, twice")
        if self.is_reported and self.spoken_seat is not None:
            self._label("spoken_accepted", f"round {current.name}, seat {self.spoken_seat}")

    def shake(self, current: Round, bank: int | None) -> None:
        """Shake the dice after "no more bets": the dealer, or the player who banks."""
        if not self.is_reported:
            return
        self.spoken_seat: int | None = None
        self._of_deal.clear()
        if self.table.patrons and self.table.strikes("spoken_accepted"):
            self.spoken_seat = self.table.rng.choice(self.table.patrons).seat
            self._step("verbal_wager_confirmed", round=current.name, seat=self.spoken_seat, by=self._dealer())
        shakes = self.table.rng.randint(_SHAKES, _SHAKES + 2)
        if self.table.strikes("shaken_too_little"):
            self._label("shaken_too_little", f"round {current.name}, shakes")
            shakes = self.table.rng.randint(1, _SHAKES - 1)
        by = {"by": self._dealer()} if bank is None else {"seat": bank}
        self._step("shaker_shaken", round=current.name, count=shakes, **by)

    def put_away(self, current: Round) -> None:
        """Cover the shaker once the stacks are dealt, and shake it once."""
        if not self.is_reported:
            return
        if self.table.strikes("shaker_not_put_away"):
            self._of_deal["shaker_not_put_away"] = f"round {current.name}, put away"
            return
        self._step("shaker_shaken", round=current.name, by=self._dealer(), count=1)

    def label_deal(self) -> None:
        """Label what went wrong with the deal; a round that is called void needs nothing more."""
        for kind, who in self._of_deal.items():
            self._label(kind, who)

    def stacks(self, current: Round, dealt: int) -> list[tuple[int, ...]]:
        """Return from which stack each position gets its tiles; none where that is not read."""
        if not self.is_reported:
            return [()] * dealt
        order = list(range(1, dealt + 1))
        if dealt == _STACKS and self.table.strikes("delivered_otherwise"):
            self._of_deal["delivered_otherwise"] = f"round {current.name}"
            place = self.table.rng.randrange(_STACKS - 1)
            order[place], order[place + 1] = order[place + 1], order[place]
        return [(stack,) * 4 for stack in order]
