"""Which alerts a person asks the queue for."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from litestar.params import FromQuery, QueryParameter
from msgspec import Struct

from projections.casework.alerts.alert_status import Shown
from projections.casework.alerts.queue_rows import open_rows, rows_of
from projections.casework.alerts.queues import QUEUES
from projections.casework.cases.awaiting_person import waits_for
from projections.casework.cases.case_actions import Level, QueueName
from projections.casework.cases.case_policy import Actor
from projections.engine.findings import Side
from projections.web.auth.masking import Masking
from projections.web.pages.floor_tiles import game_of
from projections.web.phrases.money_phrases import SIDES

# What the page of the queue lists: one of the three queues, or what waits for who asks.
Listed: TypeAlias = QueueName | Literal["for_me"]
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
LISTS: Final[tuple[Listed, ...]] = (*QUEUES, "for_me")


class QueueAsked(Struct, frozen=True):
    """Which alerts a person asks for, where None is any; `every` shows each repeat by itself."""

    queue: Listed = "act_now"
    severity: str | None = None
    table: str | None = None
    pit: str | None = None
    game: str | None = None
    check: str | None = None
    dealer: str | None = None
    state: Stands | None = None
    favours: Side | None = None
    escalated: Level | None = None
    tag: str | None = None
    mine: bool = False
    every: bool = False
    page: int = 1

    def narrowed_to(self) -> list[str]:
        """Return by what the queue is narrowed.

        >>> QueueAsked(severity="grave", mine=True).narrowed_to()
        ['grave', 'mine']
        """
        told = (
            self.severity,
            self.table,
            self.pit,
            game_of(self.game) or self.game if self.game is not None else None,
            self.check,
            self.dealer,
            self.state,
            SIDES[self.favours] if self.favours is not None else None,
            f"with the {self.escalated}" if self.escalated is not None else None,
            f"tag {self.tag}" if self.tag is not None else None,
        )
        flags = [name for name, on in (("mine", self.mine), ("every repeat", self.every)) if on]
        return [each.replace("_", " ") for each in told if each is not None] + flags

    def listed(self, shown: Iterable[Shown], who: Actor, masking: Masking) -> Iterator[tuple[Listed, Shown]]:
        """Yield the rows that are asked for, of each list; `who` asks.

        What waits for them stands in its queue too, unless it is closed; where no state is asked for, a queue
        has what is not closed nor put off.
        """
        narrowed = [
            row
            for row in shown
            if self._narrows(row, who, masking) and (self.state is None or self.state in _stands(row))
        ]
        for row in (rows_of if self.state else open_rows)(narrowed, every=self.every):
            yield row.queue, row
        waiting = (row for row in narrowed if waits_for(row.case, who, altered=row.altered))
        for row in rows_of(waiting, every=self.every):
            yield "for_me", row

    def _narrows(self, row: Shown, who: Actor, masking: Masking) -> bool:
        """Return True if a row is one of those asked for, of whatever list and state.

        A dealer may be asked for by what masks the name; a tag is asked for as it is shown.
        """
        alert = row.alert
        if self.mine and row.case.owner != who.name:
            return False
        if self.escalated is not None and row.case.escalated != self.escalated:
            return False
        if self.tag is not None and self.tag not in tags_of(row, masking):
            return False
        for field, of in _NARROWED:
            asked = getattr(self, field)
            if asked is not None and asked != getattr(alert, of):
                return False
        return self.dealer is None or masking.is_meant(self.dealer, "dealer", alert.dealer)


def tags_of(row: Shown, masking: Masking) -> tuple[str, ...]:
    """Return the tags of a row as a person sees them: a name that is typed into one is masked."""
    if not row.case.tags:
        return ()
    return masking.masked(row, row.alert.subjects()).case.tags


def _stands(row: Shown) -> Iterator[Stands]:
    """Yield by which of its states an alert may be asked for."""
    case = row.case
    match case.state:
        case "new" | "open" | "closed" as state:
            yield "put off" if row.put_off else state
        case _:
            yield "second person"
    if row.withdrawn:
        yield "withdrawn"
    if row.look_again:
        yield "look again"


def queue_asked(
    queue: FromQuery[Listed] = "act_now",
    severity: FromQuery[str | None] = None,
    table: FromQuery[str | None] = None,
    pit: FromQuery[str | None] = None,
    game: FromQuery[str | None] = None,
    check: FromQuery[str | None] = None,
    dealer: FromQuery[str | None] = None,
    stands: Annotated[Stands | Literal[""] | None, QueryParameter(name="state")] = None,
    favours: FromQuery[Side | Literal[""] | None] = None,
    escalated: FromQuery[Level | Literal[""] | None] = None,
    tag: FromQuery[str | None] = None,
    *,
    mine: FromQuery[bool] = False,
    every: FromQuery[bool] = False,
    page: Annotated[int, QueryParameter(ge=1, le=1_000_000)] = 1,
) -> QueueAsked:
    """Read a queue's filters; a form sends what was left open as an empty word."""
    told = {
        "queue": queue, "severity": severity, "table": table, "pit": pit, "game": game, "check": check,
        "dealer": dealer, "state": stands, "favours": favours, "escalated": escalated, "tag": tag,
        "mine": mine, "every": every, "page": page,
    }  # fmt: skip
    return msgspec.convert(
        {name: value for name, value in told.items() if value not in (None, "")}, QueueAsked
    )
