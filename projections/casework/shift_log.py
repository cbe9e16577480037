"""The surveillance log: its entries and shifts, the actions on it, the book that has them, and its lines.

A shift is closed by two signatures: of the one who goes, then of the one who comes. What is entered between
the two is still of the shift that ends; the second signature covers it. What was entered is never changed
(465a.3(a)): a correction is a later entry that names the one it corrects, and both stay. What was done about
alerts and disputes is a line of the log without being entered. Times are microseconds UTC.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from projections.casework.actions import (
    Action,
    ActionId,
    Actor,
    Context,
    Done,
    OneLine,
    Refused,
    Subject,
    Words,
    has_come,
)
from projections.casework.cases.case_actions import CaseAction, Mute
from projections.casework.disputes.dispute_actions import BaseDisputeAction, DisputeAction, FileAction
from projections.store.action_log import Acted
from schemas.values import Micros

# ── The entries and the shifts ────────────────────────────────────────────────────────────────────────

PREFIX: Final = "log:"

# What is entered by hand: a visitor to the room, a call, a camera or a line that was out, a drop or a count
# that was watched, work on the equipment, anything else.
EntryKind: TypeAlias = Literal["visitor", "call", "outage", "drop", "equipment", "note"]
ENTRY_KINDS: Final[tuple[EntryKind, ...]] = get_args(EntryKind)


class Written(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An entry: when it happened and until when, at which table, what, and who was notified."""

    kind: EntryKind
    at: Micros
    until: Micros | None = None
    table: OneLine | None = None
    what: Words
    informed: Words | None = None


class Signature(Struct, frozen=True):
    """Signature of a shift: by whom, when, and with what remark."""

    who: str
    at: Micros
    remarks: str | None = None


class Shift(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A shift: who has it since when, who signed it over to whom, and who took it.

    The first of a log began with the log and is nobody's.
    """

    number: int
    holder: str | None = None
    begun: Micros | None = None
    handed: Signature | None = None
    to: str | None = None
    taken: Signature | None = None


class Entered(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry at present: in which shift it was made, and which later one corrects it."""

    id: str
    who: str
    written: Micros
    shift: int
    entry: Written
    corrects: str | None = None
    corrected_by: str | None = None


class Log(Struct):
    """The entries by their ids, and the shifts in order; the last is the one that runs."""

    entries: dict[str, Entered] = field(default_factory=dict)
    shifts: list[Shift] = field(default_factory=lambda: [Shift(number=1)])


def entry_subject(entry: str) -> str:
    """Write an entry's id as a subject.

    >>> entry_subject("0a" * 16)
    'log:0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a'
    """
    return f"{PREFIX}{entry}"


def shift_subject(number: int) -> str:
    """Write a shift's number as a subject.

    >>> shift_subject(3)
    'shift:3'
    """
    return f"shift:{number}"


# ── The actions, a class each: when it is refused, what it changes, how it reads ──────────────────────


class BaseLogAction(Action, frozen=True, kw_only=True):
    """An action on the log."""

    needs: ClassVar[str] = "log"

    subject: Subject | None = None

    @abstractmethod
    def refuse(self, log: Log, context: Context) -> None:
        """Raise Refused if it cannot be done as things stand."""

    @abstractmethod
    def apply(self, log: Log, done: Done[Any]) -> None:
        """Fold it into the log, in place."""

    def subject_in(self, log: Log) -> str:
        """Return what it is done to: the shift that runs, unless it makes an entry."""
        return shift_subject(log.shifts[-1].number)


class LogEntry(BaseLogAction, frozen=True, kw_only=True, tag="log-entry"):
    """Enter something; with `corrects` in the place of an earlier entry, which stays to be seen."""

    entry: Written
    corrects: ActionId | None = None

    def refuse(self, log: Log, context: Context) -> None:
        """Raise Refused if its time has not come, or the entry to correct is not the one that stands."""
        entry = self.entry
        for name, moment in (("entry.at", entry.at), ("entry.until", entry.until)):
            if moment is not None and not has_come(moment, context.now):
                raise Refused("That time is in the future.", code="not_come", field=name)
        if entry.until is not None and entry.until < entry.at:
            raise Refused("It cannot have ended before it began.", code="out_of_order", field="entry.until")
        if self.corrects is None:
            return
        corrected = log.entries.get(self.corrects)
        if corrected is None or entry_subject(self.corrects) in context.actor.hidden:
            raise Refused("There is no such entry to correct.", code="gone", field="corrects")
        if corrected.corrected_by is not None:
            by = log.entries[corrected.corrected_by]
            raise Refused(
                f"{by.who} corrected it already; correct that entry.", code="corrected", field="corrects"
            )

    def apply(self, log: Log, done: Done[Any]) -> None:
        """Add the entry, and note it at the one that it corrects."""
        log.entries[self.id] = Entered(
            id=self.id,
            who=done.who,
            written=done.at,
            shift=log.shifts[-1].number,
            entry=self.entry,
            corrects=self.corrects,
        )
        if self.corrects is not None:
            log.entries[self.corrects] = replace(log.entries[self.corrects], corrected_by=self.id)

    def describe(self) -> str:
        """Return what was entered."""
        return self.entry.what

    def subject_in(self, _: Log) -> str:
        """Return the new entry."""
        return entry_subject(self.id)


class LogHandover(BaseLogAction, frozen=True, kw_only=True, tag="log-handover"):
    """Sign the log of the shift over, as the one who goes."""

    to: OneLine
    remarks: Words | None = None

    def refuse(self, log: Log, context: Context) -> None:
        """Raise Refused if nobody else can take it over, or another has the shift."""
        actor, holder = context.actor, log.shifts[-1].holder
        if self.to == actor.name:
            raise Refused(
                "You cannot hand the log over to yourself.",
                code="same_person",
                field="to",
            )
        if self.to not in actor.people:
            raise Refused(
                f"Nobody here called {self.to} can take the log over.",
                code="unknown_person",
                field="to",
            )
        if holder not in (None, actor.name) and "second" not in actor.rights:
            raise Refused(
                f"{holder} has the shift; they or a supervisor must hand it over.", code="not_yours"
            )

    def apply(self, log: Log, done: Done[Any]) -> None:
        """Add the signature to the current shift."""
        signed = Signature(done.who, done.at, self.remarks)
        log.shifts[-1] = replace(log.shifts[-1], handed=signed, to=self.to)

    def describe(self) -> str:
        """Return to whom it was signed over."""
        return f"shift signed over to {self.to}{_remarks(self.remarks)}"


class LogTakeover(BaseLogAction, frozen=True, kw_only=True, tag="log-takeover"):
    """Sign the log as the one who comes: the shift is closed by it, and the next begins."""

    remarks: Words | None = None

    def refuse(self, log: Log, context: Context) -> None:
        """Raise Refused if the shift was not signed over to the person."""
        actor, shift = context.actor, log.shifts[-1]
        if shift.handed is None:
            raise Refused(
                "Nobody has signed this shift over yet; the person leaving signs first.", code="not_signed"
            )
        if actor.name == shift.handed.who:
            raise Refused("You signed it over; someone else must take it over.", code="same_person")
        if actor.name != shift.to:
            raise Refused(f"{shift.handed.who} signed it over to {shift.to}.", code="not_yours")

    def apply(self, log: Log, done: Done[Any]) -> None:
        """Close the shift that runs, and begin the next."""
        shift = log.shifts[-1]
        log.shifts[-1] = replace(shift, taken=Signature(done.who, done.at, self.remarks))
        log.shifts.append(Shift(number=shift.number + 1, holder=done.who, begun=done.at))

    def describe(self) -> str:
        """Return that the shift was taken over."""
        return f"shift taken over{_remarks(self.remarks)}"


LogAction: TypeAlias = LogEntry | LogHandover | LogTakeover


def _remarks(remarks: str | None) -> str:
    return f": {remarks}" if remarks is not None else ""


# ── The book of the log that the command handler keeps ────────────────────────────────────────────────


class LogBook:
    """The entries and shifts of the log; they may be read while the command handler writes into it."""

    kinds: Final = get_args(LogAction)

    def __init__(self) -> None:
        self._log = Log()

    def clear(self) -> None:
        """Clear the state; it is about to be folded again."""
        self._log = Log()

    def prepare(self, action: LogAction, actor: Actor, now: Micros) -> tuple[LogAction, dict[str, str]]:
        """Return an action as it is to be done: with what it is done to.

        Raises:
            Refused: it cannot be done as things stand.
        """
        action.refuse(self._log, Context(actor, now))
        return replace(action, subject=action.subject_in(self._log)), {}

    def subject_state(self, action: LogAction) -> Entered | Shift | None:
        """Return the entry or the shift that an action is about; None of an entry before it is made."""
        subject = action.subject or ""
        if subject.startswith(PREFIX):
            return self._log.entries.get(subject.removeprefix(PREFIX))
        return self._log.shifts[int(subject.rpartition(":")[2]) - 1]

    def evolve(self, done: Done[LogAction]) -> None:
        """Fold what was done."""
        done.action.apply(self._log, done)

    def entries(self) -> dict[str, Entered]:
        """Return the entries by their ids."""
        return self._log.entries.copy()

    def shifts(self) -> list[Shift]:
        """Return the shifts in order; the last runs."""
        return list(self._log.shifts)


# ── The lines of the log ──────────────────────────────────────────────────────────────────────────────

LineKind: TypeAlias = EntryKind | Literal["alert", "dispute", "handover"]
# Whether a line is wanted, by the number of its shift and when it happened.
Wanted: TypeAlias = Callable[[int, Micros], bool]


class Line(Struct, frozen=True, kw_only=True):
    """A line of the log: when it happened, when it was written, by whom, in which shift, and what.

    `id` is the action's; a corrected entry names the one that corrects it, and that one names it. The log
    does not contain at which table an alert or a dispute is.
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
    asked: CaseAction | DisputeAction | FileAction | LogHandover | LogTakeover


class _Changed(Struct):
    state: str | None = None


_read: Final = msgspec.json.Decoder(_Details).decode
_read_changed: Final = msgspec.json.Decoder(_Changed | None).decode
_ENTRY: Final = LogEntry.__struct_config__.tag
_TAKEOVER: Final = LogTakeover.__struct_config__.tag
_PENDING_STATES: Final = ("closing", "reopening")  # states of a case
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
    """Return True if what was asked for waits for a second person, as what is critical does."""
    changed = _read_changed(acted.after or "null")
    return changed is not None and changed.state in _PENDING_STATES
