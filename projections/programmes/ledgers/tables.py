"""A table's gaming day as the ledgers need it: boxes, slips and sums."""

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct, field

from projections.engine.conclusion import Line
from projections.engine.findings import Finding

Carriage: TypeAlias = Literal["fill", "credit"]
CARRIAGES: Final[tuple[Carriage, ...]] = get_args(Carriage)


class TableBox(Struct):
    """What went into a drop box by the table's account, in cents; coupons with the moment, where it is told.

    `off` says that it was taken off. `owed` are the slips of fills and table credits that went into no box of
    the day, and may still go into this one, its last.
    """

    name: str | None
    cash: int = 0
    checks: dict[str, int] = field(default_factory=dict)
    coupons: list[tuple[str, int | None]] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)
    off: bool = False
    owed: dict[str, Carriage] = field(default_factory=dict)

    def add(self, later: "TableBox") -> None:
        """Take in what went into the same box on the next gaming day."""
        self.cash += later.cash
        self.checks |= later.checks
        self.coupons += later.coupons
        self.slips += later.slips
        self.owed = {
            slip: carried for slip, carried in (self.owed | later.owed).items() if slip not in self.slips
        }
        self.off = later.off


class TableDay(Struct):
    """A table's inventory account of a day; sums in cents.

    `opener` is absent where nobody knows what was there, `closer` where nothing was counted last.
    `held` is what the account says was there at the end, `differs` the openings at which the count was not
    the slip's, `is_doubtful` that not everything of the table may be here.
    """

    table: str
    opener: int | None = None
    closer: int | None = None
    held: int = 0
    fills: list[Line] = []
    credits: list[Line] = []
    listings: list[Line] = []
    boxes: list[TableBox] = field(default_factory=list)
    differs: list[Finding] = []
    is_doubtful: bool = False

    @property
    def filled(self) -> int:
        """The fills, in cents."""
        return sum(each.cents or 0 for each in self.fills)

    @property
    def credited(self) -> int:
        """The table credits, in cents."""
        return sum(each.cents or 0 for each in self.credits)
