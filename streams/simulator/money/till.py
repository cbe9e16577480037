"""A table's money through one gaming day: the chips in its tray, its drop box, its slips, what goes wrong."""

from collections.abc import Iterable
from datetime import date
from random import Random
from typing import Any, Final

from msgspec import UNSET, Struct, field

from schemas import events
from schemas.events import Reported
from schemas.values import Person
from streams.simulator.labels import ExpectedFinding, FaultLabel
from streams.simulator.money import people
from streams.simulator.money.books import Books, Box
from streams.simulator.plan import Plan
from streams.simulator.table import Table

_APART: Final = 2  # rounds between what changes a tray unseen, and from it to the next count by people
_OPENERS: Final = (26_000_000, 42_000_000)  # cents


class Carried(Struct):
    """State of a table from one gaming day to the next.

    The chips; the slip with them, its cents, and the label of what was written wrongly on it; the numbers
    used, by series; for how many nights; whether the table's book of Counter Checks was ever signed out.
    """

    cents: int
    slip: str
    listed: int
    nights: int = 0
    book_known: bool = False
    wrong: FaultLabel | None = None
    numbers: dict[str, int] = field(default_factory=dict)


def first_day(plan: Plan, rng: Random) -> Carried:
    """Return a table's state before its first day: its chips, and the slip of the night before."""
    cents = rng.randrange(_OPENERS[0], _OPENERS[1], 500_000)
    return Carried(cents, f"I-{plan.number}-0001", cents, numbers={"I": 1})


class Off(Struct, frozen=True):
    """Chips that came or went unseen, and that nobody has counted since."""

    fault: str
    cents: int


class Till:
    """The money of one table on one gaming day, as the layer goes through what happened there.

    `written` is the sum of the Counter Checks. `good` names the last count that agreed, `off` what nobody has
    counted since. While something is `unproved`, people have not counted since chips came or went unseen.
    `amiss` is the fault of the chips in the morning. `pending` is what must be reported before the next
    happening.
    """

    def __init__(
        self, table: Table, day: date, carried: Carried, books: Books, rates: dict[str, float], rng: Random
    ) -> None:
        self.table, self.plan, self.day = table, table.plan, day
        self.carried, self.books, self.rates, self.rng = carried, books, rates, rng
        self.cents = carried.cents
        self.reads = "tray" in table.plan.devices
        self.box = Box("", table.plan.name, day)
        self.dealers: list[str] = []
        self.labels: list[FaultLabel] = []
        self.pending: list[tuple[type[Reported], dict[str, Any]]] = []
        self.good = "the opening"
        self.rounds = [each.name for each in table.past]
        self.drop_before = self._drop()
        self.off: Off | None = None
        self.unproved = False
        self.amiss: str | None = None
        self.written: dict[str, int] = {}
        self._off_at = 0

    def _drop(self) -> int | None:
        """Choose before which round the drop box is changed, where it is while the table is open."""
        count = len(self.rounds)
        return count // 2 if count > 8 * _APART and self.rng.random() < 0.4 else None  # noqa: PLR2004  some tables are

    # ── who and what ─────────────────────────────────────────────────────────────────────────────────

    @property
    def dealer(self) -> Person:
        """The dealer who counts."""
        return people.dealer(self.dealers[0])

    @property
    def floorperson(self) -> Person:
        """The floorperson who watches."""
        return people.floorperson(self.plan.number)

    def number(self, series: str) -> str:
        """Return out the next number of a series of the table's."""
        numbers = self.carried.numbers
        numbers[series] = numbers.get(series, 0) + 1
        return f"{series}-{self.plan.number}-{numbers[series]:04}"

    def tell(self, kind: type[Reported], **fields: Any) -> None:
        """Add a happening before the next one."""
        self.pending.append((kind, fields))

    def deposit(self, slip: str, cents: int) -> None:
        """Drop a document over a sum into the drop box."""
        self.tell(events.SlipDropped, slip=slip)
        self.box.slips[slip] = cents

    # ── what goes wrong ──────────────────────────────────────────────────────────────────────────────

    def strikes(self, kind: str) -> bool:
        """Return True if an opportunity for a fault is taken."""
        rate = self.rates[kind]
        return bool(rate) and self.rng.random() < rate

    def one_of(self, kinds: Iterable[str]) -> str | None:
        """Choose at most one of several faults that there is one opportunity for."""
        struck = [kind for kind in kinds if self.strikes(kind)]
        return self.rng.choice(struck) if struck else None

    def label(
        self,
        fault: str,
        check: str,
        *,
        table: str | None = None,
        serial: str | None = None,
        who: str | None = None,
        delta: int | None = None,
        after: str | None = None,
        follows: list[ExpectedFinding] | None = None,
        leaves_open: list[str] | None = None,
    ) -> FaultLabel:
        """Write the label of a fault of this day, at the table unless another account is named."""
        label = FaultLabel(
            fault=fault,
            table=table or self.plan.name,
            gaming_date=str(self.day),
            round=None,
            shoe=None,
            primary=ExpectedFinding(
                check=check,
                serial=UNSET if serial is None else serial,
                who=UNSET if who is None else who,
            ),
            follows=follows or [],
            delta_cents=delta,
            after=after,
            leaves_open=leaves_open or [],
        )
        self.labels.append(label)
        return label

    def may_go_wrong(self, ordinal: int) -> bool:
        """Return True if chips may come or go unseen before or in a round, by its ordinal.

        Two such events between the same two counts could not be distinguished.
        """
        since, counted = self._off_at, len(self.rounds)
        if self.drop_before is not None and ordinal < self.drop_before:
            counted = self.drop_before
        elif self.drop_before is not None:
            since = max(since, self.drop_before)
        return self.off is None and since + _APART < ordinal < counted - _APART

    def lose(self, fault: str, cents: int, ordinal: int, *, within: bool = False) -> None:
        """Make chips come, or go if cents are negative, unseen before a round or `within` it."""
        self.cents += cents
        self._off_at, self.unproved = ordinal, True
        if not self.reads:
            self.off = Off(fault, cents)
            return
        name = self.rounds[ordinal]
        at, after = f"round {name} as it opened", f"round {self.rounds[ordinal - 1]} as it closed"
        if within:
            at, after = f"round {name} as it closed", at
        self.label(
            fault,
            "inventory_untyped",
            who=at,
            delta=cents,
            after=after,
            leaves_open=[name] if within else None,
        )

    def counted(self, slip: str) -> None:
        """Note that people counted what is there, which shows what went unseen."""
        at = f"Table Inventory Slip {slip}"
        if self.off is not None:
            self.label(self.off.fault, "inventory_untyped", who=at, delta=self.off.cents, after=self.good)
            self.off = None
        self.good, self.unproved = at, False
