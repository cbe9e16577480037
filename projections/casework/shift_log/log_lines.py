"""The lines of the surveillance log: what was entered, and what was done about alerts, in a few words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from projections.casework.cases.case_actions import CaseAction, Mute
from projections.casework.disputes.dispute_actions import BaseDisputeAction, DisputeAction
from projections.casework.shift_log.log_actions import Entered, EntryKind, LogEntry, LogHandover, LogTakeover
from projections.store.action_log import Acted
from schemas.values import Micros

LineKind: TypeAlias = EntryKind | Literal["alert", "dispute", "handover"]
# Whether a line is wanted, by the number of its shift and when it happened.
Wanted: TypeAlias = Callable[[int, Micros], bool]


class Line(Struct, frozen=True, kw_only=True):
    """A line of the log: when it happened, when it was written, by whom, in which shift, and what.

    `id` is the action's; an entry that was corrected names the one that did it, and that one names it. At
    which table an alert or a dispute is, is not the log's to say.
    """

    number: int
    id: str
    kind: LineKind
    at: Micros
    until: Micros | None = None
    written: Micros
    shift: int
    who: str
    role: str
    subject: str
    table: str | None = None
    what: str
    informed: str | None = None
    corrects: str | None = None
    corrected_by: str | None = None


class _Details(Struct):
    asked: CaseAction | DisputeAction | LogHandover | LogTakeover


class _Changed(Struct):
    state: str | None = None


_read: Final = msgspec.json.Decoder(_Details).decode
_read_changed: Final = msgspec.json.Decoder(_Changed | None).decode
_ENTRY: Final = LogEntry.__struct_config__.tag
_TAKEOVER: Final = LogTakeover.__struct_config__.tag
_WAITING: Final = ("closing", "reopening")  # states of a case
_HANDOVERS: Final = (LogHandover.__struct_config__.tag, _TAKEOVER)


def lines(acts: Iterable[Acted], entries: Mapping[str, Entered], wanted: Wanted) -> list[Line]:
    """Return the wanted lines of all that was done, in the order in which it happened."""
    found = (line for line in _lines(acts, entries, wanted))
    return sorted(found, key=lambda line: (line.at, line.number))


def _lines(acts: Iterable[Acted], entries: Mapping[str, Entered], wanted: Wanted) -> Iterator[Line]:
    shift = 1
    for acted in acts:
        if acted.action == _ENTRY:
            entered = entries[acted.id]
            if wanted(shift, entered.entry.at):
                yield _entered(acted, entered)
        elif wanted(shift, acted.at):
            yield _done(acted, shift)
        if acted.action == _TAKEOVER:
            shift += 1


def _entered(acted: Acted, entered: Entered) -> Line:
    entry = entered.entry
    return Line(
        number=acted.number,
        id=acted.id,
        kind=entry.kind,
        at=entry.at,
        until=entry.until,
        written=acted.at,
        shift=entered.shift,
        who=acted.who,
        role=acted.role,
        subject=acted.subject,
        table=entry.table,
        what=entry.what,
        informed=entry.informed,
        corrects=entered.corrects,
        corrected_by=entered.corrected_by,
    )


def _done(acted: Acted, shift: int) -> Line:
    action = _read(acted.details).asked
    table = None
    kind: LineKind = "alert"
    if isinstance(action, BaseDisputeAction):
        kind = "dispute"
    elif acted.action in _HANDOVERS:
        kind = "handover"
    elif isinstance(action, Mute):
        table = action.table
    return Line(
        number=acted.number,
        id=acted.id,
        kind=kind,
        at=acted.at,
        written=acted.at,
        shift=shift,
        who=acted.who,
        role=acted.role,
        subject=acted.subject,
        table=table,
        what=action.describe_waiting() if _waits(acted) else action.describe(),
    )


def _waits(acted: Acted) -> bool:
    """Return True if what was asked for waits for a second person, as what is grave does."""
    changed = _read_changed(acted.after or "null")
    return changed is not None and changed.state in _WAITING
