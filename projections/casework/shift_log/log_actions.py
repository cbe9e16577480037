"""What a person can do to the surveillance log: one frozen value an action, one tagged union."""

from typing import ClassVar, Final, Literal, TypeAlias, get_args

from msgspec import Struct

from projections.casework.cases.case_actions import Action, ActionId, OneLine, Subject, Words
from schemas.values import Micros

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
