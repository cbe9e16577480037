"""Which alerts a person asks the queue for."""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from litestar.params import FromQuery, QueryParameter
from msgspec import Struct

from projections.console.access.masking import Masking
from projections.hand.findings import Side
from projections.room.board.board import Shown
from projections.room.work.actions import QueueName

Stands: TypeAlias = Literal["new", "open", "second person", "closed", "look again", "put off", "withdrawn"]
# A filter, and the field of an alert that it is held against.
_NARROWED: Final = (
    ("severity", "severity"),
    ("table", "table"),
    ("pit", "pit"),
    ("game", "chapter"),
    ("check", "check"),
    ("favours", "favours"),
)
STANDS: Final[tuple[Stands, ...]] = get_args(Stands)


class QueueAsked(Struct, frozen=True):
    """Which alerts a person asks for, where None is any; `every` shows each repeat by itself."""

    queue: QueueName = "act_now"
    severity: str | None = None
    table: str | None = None
    pit: str | None = None
    game: str | None = None
    check: str | None = None
    dealer: str | None = None
    state: Stands | None = None
    favours: Side | None = None
    mine: bool = False
    every: bool = False
    page: int = 1

    def narrowed_to(self) -> list[str]:
        """Say by what the queue is narrowed.

        >>> QueueAsked(severity="grave", mine=True).narrowed_to()
        ['grave', 'mine']
        """
        told = (
            self.severity,
            self.table,
            self.pit,
            self.game,
            self.check,
            self.dealer,
            self.state,
            self.favours,
        )
        flags = [name for name, on in (("mine", self.mine), ("every repeat", self.every)) if on]
        return [each.replace("_", " ") for each in told if each is not None] + flags

    def wants(self, row: Shown, name: str, masking: Masking) -> bool:
        """Tell whether a row is one of those asked for, of whatever queue; `name` is who asks.

        A dealer may be asked for by what masks the name.
        """
        alert = row.alert
        if self.mine and row.case.owner != name:
            return False
        for field, of in _NARROWED:
            asked = getattr(self, field)
            if asked is not None and asked != getattr(alert, of):
                return False
        if self.dealer is not None and not masking.is_meant(self.dealer, "dealer", alert.dealer):
            return False
        if self.state is None:
            return row.case.state != "closed" and not row.put_off
        return self.state in _stands(row)


def _stands(row: Shown) -> Iterator[Stands]:
    """Give by which of its states an alert may be asked for."""
    case = row.case
    match case.state:
        case "new" | "open" | "closed" as state:
            yield "put off" if row.put_off else state
        case _:
            yield "second person"
    if row.withdrawn:
        yield "withdrawn"
    if case.review == "due":
        yield "look again"


def queue_asked(
    queue: FromQuery[QueueName] = "act_now",
    severity: FromQuery[str | None] = None,
    table: FromQuery[str | None] = None,
    pit: FromQuery[str | None] = None,
    game: FromQuery[str | None] = None,
    check: FromQuery[str | None] = None,
    dealer: FromQuery[str | None] = None,
    stands: Annotated[Stands | Literal[""] | None, QueryParameter(name="state")] = None,
    favours: FromQuery[Side | Literal[""] | None] = None,
    *,
    mine: FromQuery[bool] = False,
    every: FromQuery[bool] = False,
    page: Annotated[int, QueryParameter(ge=1, le=1_000_000)] = 1,
) -> QueueAsked:
    """Read a queue's filters; a form sends what was left open as an empty word."""
    told = {
        "queue": queue, "severity": severity, "table": table, "pit": pit, "game": game, "check": check,
        "dealer": dealer, "state": stands, "favours": favours, "mine": mine, "every": every, "page": page,
    }  # fmt: skip
    return msgspec.convert(
        {name: value for name, value in told.items() if value not in (None, "")}, QueueAsked
    )
