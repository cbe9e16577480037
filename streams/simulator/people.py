"""People at a table: patrons who come, pay what they owe and go, dealers in turn, the curator."""

from typing import Final

from msgspec import UNSET

from schemas import events
from schemas.procedures import ProcedureStep
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.patrons import Patron
from streams.simulator.table import Table

_MOST_OCCUPIED: Final = 8
_LEAST_OCCUPIED: Final = 2
_HESITATION: Final = 0.6
_RELIEF_MS: Final = 25 * 60_000  # one dealer of the three is relieved after so long


_CURATOR_CHAPTERS: Final = ("631a", "545")  # whose text offers the shoe to the players


class Crew:
    """The dealers at the table: the first calls the game, the others pay and collect."""

    def __init__(self, table: Table, count: int) -> None:
        self.table = table
        self.count = count
        self.dealers: list[str] = []
        self.changed_at = table.script.now
        self.known = 0
        for place in range(count):
            self._assign(calling=not self.dealers, place=place)

    def relieve(self) -> bool:
        """Send the one who has been there longest to the break when it is time; return whether it was."""
        if self.table.script.now - self.changed_at < 1000 * _RELIEF_MS:
            return False
        place = self.known % self.count
        self.table.script.tell(events.DealerRelieved, dealer=self.dealers.pop(place))
        self.table.script.wait(1000, 3000)
        self._assign(calling=place == 0, place=place)
        self.changed_at = self.table.script.now
        return True

    def _assign(self, *, calling: bool, place: int) -> None:
        self.known += 1
        dealer = f"D-{self.table.plan.number}-{self.known:02}"
        self.dealers.insert(place, dealer)
        if calling:
            self.table.calling = dealer
        self.table.script.tell(events.DealerAssigned, dealer=dealer, calling=calling)
        self.table.script.wait(500, 1500)


def draw_crowd(table: Table) -> None:
    """Choose how many positions will be occupied in the time to come."""
    occupied = table.rng.randint(_LEAST_OCCUPIED + 1, _MOST_OCCUPIED)
    table.crowd = min(occupied, table.plan.positions)


def come(table: Table, *, friends: bool = True) -> None:
    """Make people sit down until the table has the crowd that it draws, soon if too few sit.

    If `friends` may, some stand behind a seated person and wager on the same spots.
    """
    rng = table.rng
    while True:
        taken = {patron.seat for patron in table.patrons}
        free = [seat for seat in range(1, table.plan.positions + 1) if seat not in taken]
        if len(taken) >= table.crowd or (len(taken) >= _LEAST_OCCUPIED and rng.random() < _HESITATION):
            return
        seat = rng.choice(free)
        table.script.wait(800, 2500)
        table.script.tell(events.PlayerSeated, seat=seat)
        names = ("A", "B", "C")[: rng.choice((2, 2, 3))] if friends and rng.random() < 0.15 else (None,)  # noqa: PLR2004  few do
        stay = rng.randint(15, 160)
        for name in names:
            patron = Patron(seat, name, rng)
            patron.rounds_left = stay
            table.patrons.append(patron)
            table.script.wait(800, 2500)
            table.buys_in(patron)


def go(table: Table, *, everyone: bool = False) -> None:
    """Make people leave whose time is up; what they owe is collected first, 631a.13(d)(2)(i)."""
    leaving = sorted({p.seat for p in table.patrons if everyone or p.rounds_left <= 0})
    for seat in leaving:
        group = [patron for patron in table.patrons if patron.seat == seat]
        forgotten = None
        owing = [patron for patron in group if (seat, patron.bettor) in table.owed]
        # A position is forgotten once in a shoe: a second time would be the same finding.
        once = [patron for patron in owing if not _is_labelled(table, patron)]
        if once and not everyone and table.strikes("vigorish_left_at_departure"):
            forgotten = table.rng.choice(once)
            _forget(table, "vigorish_left_at_departure", (seat, forgotten.bettor))
        for patron in owing:
            if patron is not forgotten:
                pay_owed(table, patron)
        for patron in group:
            table.script.wait(600, 1500)
            table.script.tell(events.ChipsColoredUp, seat=seat, cents=patron.chips)
        table.script.wait(600, 1500)
        table.script.tell(events.PlayerLeft, seat=seat)
        table.carried_away += sum(patron.chips for patron in group)
        table.patrons = [patron for patron in table.patrons if patron.seat != seat]


def pay_owed(table: Table, patron: Patron) -> None:
    """Collect what a person owes and take the marker button away."""
    cents = table.owed.pop((patron.seat, patron.bettor))
    while patron.chips < cents:
        table.buys_in(patron)
        table.script.wait(400, 900)
    patron.chips -= cents
    table.tray += cents
    table.script.tell(events.MarkerButtonRemoved, seat=patron.seat, cents=cents, bettor=patron.bettor)
    table.script.wait(700, 1600)


def settle_owed(table: Table) -> None:
    """Collect all vigorish owed before a new shoe is played, or overlook one person's."""
    owing = [patron for patron in table.patrons if (patron.seat, patron.bettor) in table.owed]
    once = [patron for patron in owing if not _is_labelled(table, patron)]
    if once and table.strikes("vigorish_left_at_shoe_end"):
        overlooked = table.rng.choice(once)
        owing.remove(overlooked)
        _forget(table, "vigorish_left_at_shoe_end", (overlooked.seat, overlooked.bettor))
    for patron in owing:
        pay_owed(table, patron)


def _left_owing(table: Table, owner: tuple[int, str | None]) -> ExpectedFinding:
    seat, bettor = owner
    return ExpectedFinding(
        check="vigorish_left_owing",
        shoe=table.shoe.name,
        seat=seat,
        bettor=UNSET if bettor is None else bettor,
    )


def _is_labelled(table: Table, patron: Patron) -> bool:
    subject = _left_owing(table, (patron.seat, patron.bettor))
    return any(isinstance(label, FaultLabel) and label.primary == subject for label in table.labels)


def _forget(table: Table, kind: str, owner: tuple[int, str | None]) -> None:
    table.labels.append(
        FaultLabel(
            fault=kind,
            table=table.plan.name,
            gaming_date=table.gaming_date(),
            round=None,
            shoe=table.shoe.name,
            primary=_left_owing(table, owner),
            follows=[],
            delta_cents=-table.owed.pop(owner),
        )
    )


def toke(table: Table) -> None:
    """Make a person tip the dealers now and then."""
    if table.patrons and table.rng.random() < 0.06:  # noqa: PLR2004  one round in sixteen
        patron = table.rng.choice(table.patrons)
        cents = table.rng.choice((500, 1000, 2500))
        if patron.chips >= cents:
            patron.chips -= cents
            table.tips += cents
            table.script.wait(500, 1500)
            table.script.tell(events.TokeGiven, seat=patron.seat, cents=cents)


class Curatorship:
    """Curator of the shoe: offered from position 1 upward, passed on when the Banker's Hand loses."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seat: int | None = None
        self._sitting: list[Patron] = []  # at that seat as the shoe was taken

    def begin(self) -> None:
        """Offer a new shoe, 631a.7(b)."""
        self._offer(after=0)

    def go_on(self, winner: str | None, kept_into: str | None = None) -> bool:
        """Pass the shoe where the Banker lost or the curator has gone or wishes to, 631a.14.

        A curator may keep it wrongly `kept_into` a round, where that shows. Return True if it shows that the
        same player deals on.
        """
        gone = self.seat is not None and self.seat not in {patron.seat for patron in self.table.patrons}
        if winner == "player" and not gone and kept_into is not None and self._keeps(kept_into):
            return True
        if gone or winner == "player" or (self.seat is not None and self.table.rng.random() < 0.02):  # noqa: PLR2004  rare
            self._offer(after=self.seat or 0)
            return False
        return self._is_seen_to_stay()

    def _is_seen_to_stay(self) -> bool:
        """Return True if who took the shoe is in that seat still, at a table that reports on the shoe."""
        is_reported = "pit" in self.table.plan.devices and self.table.plan.chapter in _CURATOR_CHAPTERS
        has_left = not any(patron in self._sitting for patron in self.table.patrons)  # whoever sits there now
        return self.seat is not None and not has_left and is_reported

    def _keeps(self, name: str) -> bool:
        """Return True if the curator deals round `name` too, though others are there to take the shoe."""
        others = {patron.seat for patron in self.table.patrons} - {self.seat}
        if not (others and self._is_seen_to_stay() and self.table.strikes("shoe_kept")):
            return False
        self._label("shoe_kept", "shoe_not_passed", f"round {name}")
        return True

    def _offer(self, after: int) -> None:
        seats = sorted({patron.seat for patron in self.table.patrons})
        in_turn = [seat for seat in seats if seat > after] + [seat for seat in seats if seat < after]
        if after in seats and not any(patron in self._sitting for patron in self.table.patrons):
            in_turn.append(after)  # somebody else came to the seat of the curator, who has left
        self.seat = None
        is_passed_over = False
        if "pit" in self.table.plan.devices:
            self.table.script.wait(500, 1500)
            offered = self.table.plan.chapter in _CURATOR_CHAPTERS and len(in_turn) > 1
            is_passed_over = offered and self.table.strikes("player_passed_over")
            in_turn = in_turn[is_passed_over:]
        for seat in in_turn:
            self._step("shoe_offered", seat)
            if self.table.rng.random() < 0.8:  # noqa: PLR2004  most accept
                self.seat = seat
                self._sitting = [patron for patron in self.table.patrons if patron.seat == seat]
                break
            self._step("shoe_declined", seat)
        self.table.script.wait(500, 1500)
        self.table.script.tell(events.CuratorNamed, seat=self.seat)
        if is_passed_over:
            who = f"shoe {self.table.shoe.name} at {self.table.script.now}"
            self._label("player_passed_over", "curator_order_wrong", who)

    def _step(self, step: ProcedureStep, seat: int) -> None:
        if self.table.plan.chapter in _CURATOR_CHAPTERS:
            self.table.script.tell(events.ProcedureStepTaken, source="pit", step=step, seat=seat)

    def _label(self, fault: str, check: str, who: str) -> None:
        table = self.table
        table.labels.append(
            FaultLabel(
                fault=fault,
                table=table.plan.name,
                gaming_date=table.gaming_date(),
                round=None,
                shoe=None,
                primary=ExpectedFinding(check=check, who=who),
                follows=[],
                delta_cents=None,
            )
        )
