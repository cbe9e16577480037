"""The surveillance log: what a person can do to it, its shifts, and what was entered in them."""

from typing import Any, ClassVar, Final, Literal, TypeAlias, assert_never, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from projections.casework.cases.case_actions import Action, ActionId, OneLine, Subject, Words
from projections.casework.cases.case_policy import Actor, Refused, has_come
from projections.casework.cases.case_state import Done
from schemas.values import Micros

# ── What a person can do to the surveillance log: one frozen value an action, one tagged union ────────

PREFIX: Final = "log:"

# What is entered by hand: a visitor to the room, a call, a camera or a line that was out, a drop or a count
# that was watched, work on the equipment, anything else.
EntryKind: TypeAlias = Literal["visitor", "call", "outage", "drop", "equipment", "note"]
ENTRY_KINDS: Final[tuple[EntryKind, ...]] = get_args(EntryKind)


class Written(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An entry: when it happened and until when, at which table, what, and who was told of it."""

    kind: EntryKind
    at: Micros
    until: Micros | None = None
    table: OneLine | None = None
    what: Words
    informed: Words | None = None


class LogAction(Action, frozen=True, kw_only=True):
    """What every action on the log carries."""

    needs: ClassVar[str] = "log"


class LogEntry(LogAction, frozen=True, kw_only=True, tag="log-entry"):
    """I enter this; with `corrects` it stands in the place of an earlier entry, which stays to be seen."""

    subject: Subject | None = None
    entry: Written
    corrects: ActionId | None = None


class LogHandover(LogAction, frozen=True, kw_only=True, tag="log-handover"):
    """I go, and sign the log of the shift for the one who comes."""

    subject: Subject | None = None
    to: OneLine
    remarks: Words | None = None


class LogTakeover(LogAction, frozen=True, kw_only=True, tag="log-takeover"):
    """I come, and sign the log that I take over: the shift is closed by it, and the next begins."""

    subject: Subject | None = None
    remarks: Words | None = None


AnyLogAction: TypeAlias = LogEntry | LogHandover | LogTakeover


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


# ── The shifts of the surveillance log and what was entered in them: the fold, and the desk's book ────

# ── The shifts of the log and what was entered in them: the fold, and whether something may be entered ────
# A shift is closed by two signatures: of the one who goes, then of the one who comes. What is entered
# between the two is still of the shift that ends; the second signature covers it. Times are microseconds
# UTC.


class Signature(Struct, frozen=True):
    """Who signed a shift, when, and what they said with it."""

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
    """An entry as it stands: in which shift it was made, and which later one corrects it."""

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


def evolve(log: Log, done: Done[AnyLogAction]) -> None:
    """Fold one action into the log, in place."""
    action, shift = done.action, log.shifts[-1]
    match action:
        case LogEntry():
            _enter(log, action, done)
        case LogHandover():
            signed = Signature(done.who, done.at, action.remarks)
            log.shifts[-1] = replace(shift, handed=signed, to=action.to)
        case LogTakeover():
            log.shifts[-1] = replace(shift, taken=Signature(done.who, done.at, action.remarks))
            log.shifts.append(Shift(number=shift.number + 1, holder=done.who, begun=done.at))
        case _:
            assert_never(action)


def _enter(log: Log, action: LogEntry, done: Done[Any]) -> None:
    log.entries[action.id] = Entered(
        id=action.id,
        who=done.who,
        written=done.at,
        shift=log.shifts[-1].number,
        entry=action.entry,
        corrects=action.corrects,
    )
    if action.corrects is not None:
        corrected = log.entries[action.corrects]
        log.entries[action.corrects] = replace(corrected, corrected_by=action.id)


def refuse(log: Log, action: AnyLogAction, actor: Actor, now: Micros) -> None:
    """Let an action pass, or say why it cannot be done.

    Raises:
        Refused: the time has not come, the entry to be corrected is not the one that stands, or the signature
            is not this person's to give.
    """
    match action:
        case LogEntry():
            _refuse_entry(log, action, actor, now)
        case LogHandover():
            _refuse_handover(log.shifts[-1], action, actor)
        case LogTakeover():
            _refuse_takeover(log.shifts[-1], actor)
        case _:
            assert_never(action)


def _refuse_entry(log: Log, action: LogEntry, actor: Actor, now: Micros) -> None:
    entry = action.entry
    if not has_come(max(entry.at, entry.until or 0), now):
        raise Refused("That time has not come yet.")
    if entry.until is not None and entry.until < entry.at:
        raise Refused("It cannot have ended before it began.")
    if action.corrects is None:
        return
    corrected = log.entries.get(action.corrects)
    if corrected is None or entry_subject(action.corrects) in actor.hidden:
        raise Refused("There is no such entry to correct.")
    if corrected.corrected_by is not None:
        by = log.entries[corrected.corrected_by]
        raise Refused(f"{by.who} corrected it already; correct that entry.")


def _refuse_handover(shift: Shift, action: LogHandover, actor: Actor) -> None:
    if action.to == actor.name:
        raise Refused("Another person takes the log over; you cannot hand it to yourself.")
    if action.to not in actor.people:
        raise Refused(f"There is nobody called {action.to} here who could take the log over.")
    if shift.holder not in (None, actor.name) and "second" not in actor.rights:
        raise Refused(f"{shift.holder} has the shift; they or a supervisor hand it over.")


def _refuse_takeover(shift: Shift, actor: Actor) -> None:
    if shift.handed is None:
        raise Refused("Nobody has signed this shift over yet; the one who goes signs first.")
    if actor.name == shift.handed.who:
        raise Refused("You signed it as the one who goes; another person takes it over.")
    if actor.name != shift.to:
        raise Refused(f"{shift.handed.who} signed it over to {shift.to}.")


def subject_of(log: Log, action: AnyLogAction) -> str:
    """Return what an action on the log is done to: the new entry, or the shift that runs."""
    return entry_subject(action.id) if isinstance(action, LogEntry) else shift_subject(log.shifts[-1].number)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# The book of the surveillance log, as the desk keeps it (see `projections.casework.command_handler`).


class LogBook:
    """The entries and shifts of the log, as they were made; it may be read while the desk writes into it."""

    kinds: Final = get_args(AnyLogAction)

    def __init__(self) -> None:
        self._log = Log()

    def clear(self) -> None:
        """Forget what was entered; it is about to be folded again."""
        self._log = Log()

    def decide(self, action: AnyLogAction, actor: Actor, now: Micros) -> tuple[AnyLogAction, dict[str, str]]:
        """Return an action as it is to be done: with what it is done to.

        Raises:
            Refused: it cannot be done as things stand.
        """
        refuse(self._log, action, actor, now)
        return replace(action, subject=subject_of(self._log, action)), {}

    def stands(self, action: AnyLogAction) -> Entered | Shift | None:
        """Return the entry or the shift that an action is about; None of an entry before it is made."""
        subject = action.subject or ""
        if subject.startswith(PREFIX):
            return self._log.entries.get(subject.removeprefix(PREFIX))
        return self._log.shifts[int(subject.rpartition(":")[2]) - 1]

    def evolve(self, done: Done[AnyLogAction]) -> None:
        """Fold what was done."""
        evolve(self._log, done)

    def entries(self) -> dict[str, Entered]:
        """Return the entries by their ids."""
        return self._log.entries.copy()

    def shifts(self) -> list[Shift]:
        """Return the shifts in order; the last runs."""
        return list(self._log.shifts)
