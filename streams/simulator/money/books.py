"""Books of the floor's people away from the tables: the ledgers, boxes that await the count, the days."""

from datetime import date

from msgspec import Struct, field

from streams.simulator.labels import FaultLabel
from streams.simulator.money.ledgers import Ledgers
from streams.simulator.money.programme import Programme


class Box(Struct):
    """A drop box and what is truly in it; sums in cents, slips with the sum written on each.

    It is `odd` where something in it, or in the box before it, is known to be wrong before it is counted.
    """

    name: str
    table: str
    day: date
    removed_at: int = 0
    cash: int = 0
    checks: dict[str, int] = field(default_factory=dict)
    coupons: list[str] = field(default_factory=list)
    slips: dict[str, int] = field(default_factory=dict)
    odd: bool = False


class Books:
    """The floor's books over all its gaming days, written as tables are played, one after the other.

    `gaps` are numbers of slips that are missing, each with the gaming day on which that shows.
    """

    def __init__(self) -> None:
        self.ledgers = Ledgers()
        self.programme = Programme()
        self.boxes: dict[date, list[Box]] = {}
        self.closed: dict[date, int] = {}
        self.gaps: list[tuple[date, str]] = []
        self.labels: list[FaultLabel] = []

    def take(self, box: Box) -> None:
        """Add a box that came off its table to those that await the count."""
        self.boxes.setdefault(box.day, []).append(box)

    def close(self, day: date, at: int) -> None:
        """Note when a table closed: the count begins after the last."""
        self.closed[day] = max(at, self.closed.get(day, 0))
