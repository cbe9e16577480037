"""The parts common to all actions: the actor, the refusal, the action as done, and how it is stored."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, ClassVar, Final, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct, StructMeta
from msgspec.structs import asdict

from projections.store.action_log import Acted
from schemas.errors import DiscardrackError
from schemas.values import Micros

_Action = TypeVar("_Action")

MINUTE: Final = 60_000_000  # microseconds
_AHEAD: Final = MINUTE  # that a clock in the room may be before the console's

# ── The fields that actions have ──────────────────────────────────────────────────────────────────────
# `subject` names what an action is done to, such as `alert:` and a finding's id. `id` is chosen by the page,
# 32 hexadecimal digits: the same action sent twice is done once.

ActionId: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
Subject: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z-]{1,20}:[^\s\x00-\x1f\x7f]{1,190}\Z")]
# Characters that no typed text may have: control characters, and those that reverse the direction of the
# text beside them, by which it could read as another.
NEVER_TYPED: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
# A typed text of a sentence or more, stored and shown as text; it may have line feeds and tabs.
Words: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2_000,
        pattern=rf"^[^\S{NEVER_TYPED}]*[^\s{NEVER_TYPED}][^{NEVER_TYPED}]*\Z",
        description="a text, not blank, without control characters but line feeds and tabs",
    ),
]
# One typed line: a name, a place, a number of somebody else's.
OneLine: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=128,
        pattern=rf"^[^\t\n{NEVER_TYPED}]+\Z",
        description="one line without control characters",
    ),
]


class _AbstractStruct(StructMeta, ABCMeta):
    """Metaclass of structs that cannot be made while a method of theirs is abstract."""


class Action(
    Struct,
    metaclass=_AbstractStruct,
    frozen=True,
    kw_only=True,
    tag_field="action",
    forbid_unknown_fields=True,
):
    """An action that a person requests; `needs` is the right that the person must have.

    Each kind of action is one class. Its method refuse raises Refused if it cannot be done at present, apply
    folds it into the state, describe puts it into words. Its tag and fields are stored permanently.
    """

    needs: ClassVar[str] = "work"

    id: ActionId

    @abstractmethod
    def describe(self) -> str:
        """Return what was done, as a line of the surveillance log."""

    def describe_waiting(self) -> str:
        """Return the same of an action that a second person has yet to agree to."""
        return self.describe()


# ── Who acts, and why an action is refused ────────────────────────────────────────────────────────────


class Refused(DiscardrackError):
    """An action that cannot be done as things stand; the message is for the person who asked.

    `code` says the reason to a program, and `field` which field of the action it is about, such as
    "call.answered"; None if it is about none, or about several.
    """

    def __init__(self, message: str, *, code: str, field: str | None = None) -> None:
        super().__init__(message)
        self.code, self.field = code, field


class NotAllowed(DiscardrackError):
    """An action that a role may never do."""


class Actor(Struct, frozen=True):
    """Actor of an action: role and rights, the other people of the room, and what is hidden from them."""

    name: str
    role: str
    rights: Collection[str]
    people: Collection[str] = ()
    hidden: frozenset[str] = frozenset()


class Context(Struct, frozen=True):
    """Context of an action besides the state that it changes: who acts, and when."""

    actor: Actor
    now: Micros


def has_come(at: Micros, now: Micros) -> bool:
    """Return True if a time that a person wrote down has come, by whatever clock in the room they read.

    >>> has_come(60_000_000, 0), has_come(60_000_001, 0)
    (True, False)
    """
    return at <= now + _AHEAD


# ── What was done, and how the store has it ───────────────────────────────────────────────────────────


class Done(Struct, Generic[_Action], frozen=True, kw_only=True):
    """An action that was done, by whom and when; `facts` is what had to be known to do it.

    For an action on a case these are the severities of its alerts, by their ids; of one that settles it also
    the weight of each (`case_state.WEIGHT_PREFIX`).
    """

    action: _Action
    who: str
    at: Micros
    facts: Mapping[str, str] = {}


class Remark(Struct, frozen=True):
    """A remark: who wrote it, when, and its text."""

    who: str
    at: Micros
    text: str


class Details(Struct, frozen=True):
    """The details of an action as the store has them: what was asked for, as JSON, and its facts."""

    asked: msgspec.Raw
    facts: dict[str, str]


def load_done(acted: Acted, parse: Callable[[bytes], Action]) -> Done[Any]:
    """Return a stored action as the books fold it; `parse` reads what was asked for.

    Raises:
        msgspec.MsgspecError: it is none of the actions that `parse` reads.
    """
    details = msgspec.json.decode(acted.details, type=Details)
    return Done[Any](action=parse(bytes(details.asked)), who=acted.who, at=acted.at, facts=details.facts)


# ── An action's change of its subject, which is stored with the action permanently ─────────────────────

_encode: Final = msgspec.json.Encoder(order="deterministic").encode


def field_changes(before: Struct | None, after: Struct | None) -> tuple[str | None, str | None]:
    """Return the fields of a subject that an action changed, before and after it; None if there was none.

    Each is a JSON object of the fields that differ, so that a long case is not stored whole with every word
    written on it. A list of names has only those that the other list lacks. Of structs, such as notes, only
    their number is given: each is in the action that made it.

    >>> from projections.casework.cases.case_state import Case
    >>> case = Case(key="m1", alerts=("m1",), owner="ann", tags=("chips",))
    >>> field_changes(case, msgspec.structs.replace(case, owner=None, tags=("chips", "seat 3")))
    ('{"owner":"ann","tags":[]}', '{"owner":null,"tags":["seat 3"]}')
    >>> field_changes(case, msgspec.structs.replace(case, notes=(Remark("ann", 0, "called the pit"),)))
    ('{"notes":0}', '{"notes":1}')
    >>> field_changes(None, Remark("ann", 0, "called"))
    (None, '{"at":0,"text":"called","who":"ann"}')
    """
    old = asdict(before) if before is not None else {}
    new = asdict(after) if after is not None else {}
    names = [name for name in {**old, **new} if old.get(name, ...) != new.get(name, ...)]
    return (
        _encode_fields(old, new, names) if before is not None else None,
        _encode_fields(new, old, names) if after is not None else None,
    )


def _encode_fields(fields: dict[str, Any], others: dict[str, Any], names: list[str]) -> str:
    changes = {name: _field_change(fields[name], others.get(name)) for name in names if name in fields}
    return _encode(changes).decode()


def _field_change(value: Any, other: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    if any(isinstance(each, Struct) for each in (*value, *(other or ()))):
        return len(value)
    values = set(other or ())
    return [each for each in value if each not in values]
