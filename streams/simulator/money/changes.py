"""Changes to what happened at a table when its people's money is added."""

from typing import Any

from msgspec import Struct, field

from schemas.events import Reported
from streams.simulator.script import Happening


class Change(Struct):
    """Change to one act, and what happens right after it."""

    kind: type[Reported] | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    then: list[tuple[type[Reported], dict[str, Any]]] = field(default_factory=list)

    def of(self, each: Happening) -> Happening:
        """Return what happened as it is with the change."""
        return Happening(each.at, self.kind or each.kind, {**each.fields, **self.fields}, each.shoe)


class Changes:
    """The changes of a table's day, by the places of what happened."""

    def __init__(self) -> None:
        self._found: dict[int, Change] = {}

    def of(self, place: int) -> Change | None:
        """Return the change of what happened at a place, if there is one."""
        return self._found.get(place)

    def at(self, place: int, kind: type[Reported] | None = None, **fields: Any) -> None:
        """Replace the kind or fields of the event at `place`."""
        change = self._found.setdefault(place, Change())
        change.kind = kind or change.kind
        change.fields.update(fields)

    def then(self, place: int, kind: type[Reported], **fields: Any) -> None:
        """Add an event right after the one at `place`."""
        self._found.setdefault(place, Change()).then.append((kind, fields))
