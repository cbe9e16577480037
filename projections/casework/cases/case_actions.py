"""What a person in the surveillance room can do: one frozen value an action; what it changed."""

from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from schemas.values import Name

# ── What a person in the surveillance room can do: one frozen value an action, one tagged union ───────
# `subject` names what it is done to: `alert:` and a finding's id (which means the case that this alert is
# in). `id` is chosen by the page, 32 hexadecimal digits: the same action sent twice is done once.

ActionId: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
Subject: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z-]{1,20}:[^\s\x00-\x1f\x7f]{1,190}\Z")]
# What no text has that a person types: control characters, and those that turn the order of what stands
# beside them, by which a text could read as another.
_NEVER: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
# What a person types: a sentence or some, kept and shown as text; lines and tabs may be in it.
Words: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2_000,
        pattern=rf"^[^\S{_NEVER}]*[^\s{_NEVER}][^{_NEVER}]*\Z",
        description="a text, not blank, without control characters but line feeds and tabs",
    ),
]
# One line that a person types: a name, a place, a number of somebody else's.
OneLine: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=128,
        pattern=rf"^[^\t\n{_NEVER}]+\Z",
        description="one line without control characters",
    ),
]
LONGEST: Final = 24 * 60  # minutes that something is muted or put off
Minutes: TypeAlias = Annotated[int, Meta(ge=1, le=LONGEST)]
Tag: TypeAlias = Annotated[str, Meta(pattern=r"^[\w][\w -]{0,39}\Z")]

QueueName: TypeAlias = Literal["act_now", "this_shift", "nightly"]
Outcome: TypeAlias = Literal["corrected", "confirmed", "explained", "false"]
MERGED_AT_ONCE: Final = 200
# Of one case: what is said about all of it must go into one record of Kafka.
MOST_ALERTS: Final = 1_000
MOST_TAGS: Final = 50
LISTED: Final = 100  # rows of a page of the queue
_Others: TypeAlias = Annotated[tuple[Subject, ...], Meta(max_length=MERGED_AT_ONCE)]
Level: TypeAlias = Literal["supervisor", "director", "investigator"]


class Action(Struct, frozen=True, kw_only=True, tag_field="action", forbid_unknown_fields=True):
    """What every action carries; `needs` is the right that whoever does it must have."""

    needs: ClassVar[str] = "work"

    id: ActionId


class OnCase(Action, frozen=True, kw_only=True):
    """An action on the case of an alert."""

    subject: Subject


class Acknowledge(OnCase, frozen=True, kw_only=True, tag="acknowledge"):
    """I have seen it and look after it.

    With `repeats` I look after all that its row of the queue stands for too, as one case; which they were is
    written into `others`.
    """

    others: _Others = ()
    repeats: bool = False


class TakeNext(Action, frozen=True, kw_only=True, tag="take_next"):
    """Take the first case of a queue that nobody has; what it was is written into `subject`.

    With `among` it is the first of these, in their order: what a page shows. `repeats` and `others` are those
    of Acknowledge.
    """

    queue: QueueName | None = None
    among: Annotated[tuple[Subject, ...], Meta(max_length=LISTED)] | None = None
    subject: Subject | None = None
    others: _Others = ()
    repeats: bool = False


class Assign(OnCase, frozen=True, kw_only=True, tag="assign"):
    """Someone is to look after it."""

    to: Name


class Release(OnCase, frozen=True, kw_only=True, tag="release"):
    """It goes back to the queue."""


class WriteNote(OnCase, frozen=True, kw_only=True, tag="note"):
    """A remark."""

    text: Words


class AddTag(OnCase, frozen=True, kw_only=True, tag="tag"):
    """A word by which it can be found again; with `off` it is taken away."""

    word: Tag
    off: bool = False


class Escalate(OnCase, frozen=True, kw_only=True, tag="escalate"):
    """It is to be seen by someone of a role, with the reason."""

    to: Level
    reason: Words


class Merge(OnCase, frozen=True, kw_only=True, tag="merge"):
    """Other alerts belong to it: one case from now on.

    With `repeats` these are all that its row of the queue stands for: of the same check at the same table on
    the same gaming day, which nobody has. Which they were is written into `others`.
    """

    others: _Others = ()
    repeats: bool = False


class Close(OnCase, frozen=True, kw_only=True, tag="close"):
    """It is settled: how, and why. Where one of its alerts is grave a second person has to agree."""

    outcome: Outcome
    reason: Words


class Reopen(OnCase, frozen=True, kw_only=True, tag="reopen"):
    """It is not settled after all. Where one of its alerts is grave a second person has to agree."""

    reason: Words


class Second(OnCase, frozen=True, kw_only=True, tag="second"):
    """The second person agrees to what another asked for, or does not."""

    agrees: bool
    reason: Words


class Review(OnCase, frozen=True, kw_only=True, tag="review"):
    """Somebody has looked again at what was closed: drawn from what was closed as false, or altered since."""

    agrees: bool
    reason: Words


class Undo(OnCase, frozen=True, kw_only=True, tag="undo"):
    """I take back what I did last to this case, a moment ago."""


class Snooze(OnCase, frozen=True, kw_only=True, tag="snooze"):
    """It is not to be shown among the open ones for some minutes, with the reason."""

    minutes: Minutes
    reason: Words


class Mute(Action, frozen=True, kw_only=True, tag="mute"):
    """Alerts of a check, of a table, or of a check at a table do not ring for some minutes."""

    check: Name | None = None
    table: Name | None = None
    minutes: Minutes
    reason: Words


class Unmute(Action, frozen=True, kw_only=True, tag="unmute"):
    """A mute ends before its time; `mute` is the id of the action that began it."""

    mute: ActionId


# Who has a case; what is said of it; how it is settled.
Having: TypeAlias = Acknowledge | Assign | Release
Saying: TypeAlias = WriteNote | AddTag | Escalate | Snooze
Settling: TypeAlias = Close | Reopen | Second | Review
# What may make one case of several.
Joining: TypeAlias = Acknowledge | TakeNext | Merge
CaseAction: TypeAlias = Having | Saying | Settling | Merge | Undo
WorkAction: TypeAlias = CaseAction | TakeNext | Mute | Unmute


# ── What an action changed of its subject, as it is written beside the action and kept for good ───────

_encode: Final = msgspec.json.Encoder(order="deterministic").encode


def changed(before: Struct | None, after: Struct | None) -> tuple[str | None, str | None]:
    """Return what of a subject an action changed, as it stood and as it stands; None where nothing did.

    Each is a JSON object of the fields that differ. A case that goes on for a night is thus not written down
    whole with every word said of it. Of a list of names only those are told that the other has not; of what
    was said and made, such as notes, only how many there are: each stands in the action that said it.

    >>> from projections.casework.cases.case_state import Case, Remark
    >>> case = Case(key="m1", alerts=("m1",), owner="ann", tags=("chips",))
    >>> changed(case, msgspec.structs.replace(case, owner=None, tags=("chips", "seat 3")))
    ('{"owner":"ann","tags":[]}', '{"owner":null,"tags":["seat 3"]}')
    >>> changed(case, msgspec.structs.replace(case, notes=(Remark("ann", 0, "called the pit"),)))
    ('{"notes":0}', '{"notes":1}')
    >>> changed(None, Remark("ann", 0, "called"))
    (None, '{"at":0,"text":"called","who":"ann"}')
    """
    stood = asdict(before) if before is not None else {}
    stands = asdict(after) if after is not None else {}
    differing = [name for name in {**stood, **stands} if stood.get(name, ...) != stands.get(name, ...)]
    return (
        _encode_differing(stood, stands, differing) if before is not None else None,
        _encode_differing(stands, stood, differing) if after is not None else None,
    )


def _encode_differing(fields: dict[str, Any], others: dict[str, Any], differing: list[str]) -> str:
    told = {name: _field(fields[name], others.get(name)) for name in differing if name in fields}
    return _encode(told).decode()


def _field(value: Any, other: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    if any(isinstance(each, Struct) for each in (*value, *(other or ()))):
        return len(value)
    values = set(other or ())
    return [each for each in value if each not in values]
