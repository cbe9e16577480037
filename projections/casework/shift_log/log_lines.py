"""The lines of the surveillance log: what was entered, and what was done about alerts, in a few words."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias, assert_never

import msgspec
from msgspec import Struct

from projections.casework.cases.case_actions import (
    Acknowledge,
    AddTag,
    Assign,
    Close,
    Escalate,
    Having,
    Merge,
    Mute,
    Release,
    Reopen,
    Review,
    Saying,
    Second,
    Settling,
    Snooze,
    TakeNext,
    Undo,
    Unmute,
    WorkAction,
    WriteNote,
)
from projections.casework.disputes.dispute_actions import DisputeAction, DisputeOpen, OnDispute
from projections.casework.disputes.dispute_history import says as dispute_says
from projections.casework.shift_log.shift_state import Entered, EntryKind, LogEntry, LogHandover, LogTakeover
from projections.store.action_log import Acted
from schemas.ledgers import table_called
from schemas.values import Micros, in_words

# ── What was done, as a line of the surveillance log says it; in a few words ──────────────────────────


def log_line(action: WorkAction | DisputeAction | LogHandover | LogTakeover, *, waits: bool = False) -> str:
    """Return what an action did, as a line of the log does; `waits` where a second person has to agree to it.

    >>> log_line(Assign(id="0" * 32, subject="alert:0a1b", to="ann"))
    'given to ann'
    >>> log_line(Mute(id="0" * 32, table="BAC-101", minutes=30, reason="reader is exchanged"))
    'all that is not grave at BAC-101 muted for 30 minutes: reader is exchanged'
    >>> log_line(Reopen(id="0" * 32, subject="alert:0a1b", reason="a letter came"), waits=True)
    'asked to open again; waits for a second person: a letter came'
    """
    match action:
        case LogHandover():
            says = f"shift signed over to {action.to}{_remarks(action.remarks)}"
        case LogTakeover():
            says = f"shift taken over{_remarks(action.remarks)}"
        case DisputeOpen() | OnDispute():
            says = dispute_says(action)
        case TakeNext():
            says = f"taken as the next{_with(action.others)}"
        case Merge():
            says = f"put together with {len(action.others)} more"
        case Undo():
            says = "what was done last was taken back"
        case Mute():
            muted = " at ".join(covered(action.check, action.table))
            says = f"{muted} muted for {action.minutes} minutes: {action.reason}"
        case Unmute():
            says = "mute ended before its time"
        case _:
            says = _of_case(action, waits=waits)
    return says


def covered(check: str | None, table: str | None) -> tuple[str, str]:
    """Return what a mute keeps from ringing, and where. What is grave rings at a table that is muted.

    >>> covered(None, "BAC-101"), covered("push_paid", None)
    (('all that is not grave', 'BAC-101'), ('push paid', 'every table'))
    """
    what = in_words(check) if check is not None else "all that is not grave"
    return what, table_called(table) if table is not None else "every table"


def _remarks(remarks: str | None) -> str:
    return f": {remarks}" if remarks is not None else ""


def _with(others: Collection[str]) -> str:
    return f", with {len(others)} more" if others else ""


def _of_case(action: Having | Saying | Settling, *, waits: bool) -> str:
    match action:
        case Acknowledge():
            says = f"acknowledged{_with(action.others)}"
        case Assign():
            says = f"given to {action.to}"
        case Release():
            says = "given back to the queue"
        case WriteNote():
            says = f"noted: {action.text}"
        case AddTag():
            says = f"tag {action.word} {'taken away' if action.off else 'added'}"
        case Escalate():
            says = f"escalated to the {action.to}: {action.reason}"
        case Snooze():
            says = f"put off for {action.minutes} minutes: {action.reason}"
        case _:
            says = _settling(action, waits=waits)
    return says


def _settling(action: Settling, *, waits: bool) -> str:
    match action:
        case Close():
            says = f"{'asked to close' if waits else 'closed'} as {action.outcome}"
        case Reopen():
            says = "asked to open again" if waits else "opened again"
        case Second():
            says = f"second person {'agreed' if action.agrees else 'did not agree'}"
        case Review():
            says = f"looked at again, {'agreed' if action.agrees else 'did not agree'}"
        case _:
            assert_never(action)
    return f"{says}{'; waits for a second person' if waits else ''}: {action.reason}"


# ── The lines of the surveillance log: what was entered, and what was done about alerts and disputes ────

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
    asked: WorkAction | DisputeAction | LogHandover | LogTakeover


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
    if isinstance(action, DisputeOpen | OnDispute):
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
        what=log_line(action, waits=_waits(acted)),
    )


def _waits(acted: Acted) -> bool:
    """Return True if what was asked for waits for a second person, as what is grave does."""
    changed = _read_changed(acted.after or "null")
    return changed is not None and changed.state in _WAITING
