"""The disputes as they stand, and the parts in which each is written down.

A part is given whole. What was not filled in before may be filled in any time, and what stood is changed
only with a reason. The fields are those of a gaming dispute's audit as iTrak's help prints them, and what a
surveillance room writes down besides. Times are microseconds UTC, sums whole cents.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import asdict

from projections.casework.actions import (
    NEVER_TYPED,
    Context,
    Done,
    OneLine,
    Refused,
    Remark,
    Words,
    has_come,
)
from projections.engine.conclusion import id_of_round, id_of_table_day
from projections.engine.observation import is_name
from projections.store.attachments import ENDINGS, ContentType
from schemas.values import MOST_MICROS, Cents, Micros, Name, Seat

PREFIX: Final = "dispute:"

Rounds: TypeAlias = Annotated[tuple[Name, ...], Meta(max_length=50)]
Alerts: TypeAlias = Annotated[tuple[Name, ...], Meta(max_length=50)]
Sha256: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
# A file's name, without its folders.
FileName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^/\\\x00-\x1f\x7f]+\Z")]
# The same of a file that somebody sent: no sign in it can make it read as another.
SentFileName: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=rf"^[^/\\\t\n{NEVER_TYPED}]+\Z")
]
# A recorder's clock less the floor's, in milliseconds: a day at most.
ClockOffset: TypeAlias = Annotated[int, Meta(ge=-86_400_000, le=86_400_000)]
Until: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_MICROS)]

Acceptance: TypeAlias = Literal["accepted", "not accepted", "not said"]
DisputeOutcome: TypeAlias = Literal[
    "claim upheld", "claim upheld in part", "claim not upheld", "claim withdrawn"
]


# The console's mask for a name; stored, it would be all that is left of the name.
_MASK: Final = re.compile(r"[A-Za-z_]* ?·[0-9a-f]{6}\b")
_HOUR: Final = 3_600_000_000  # microseconds
# The field of what is disputed that names a record of a kind, and the kind to a person.
_HIDDEN: Final = {
    "alert": ("alerts", "alert"),
    "round": ("rounds", "round"),
    "table-day": ("table", "table's day"),
}


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a dispute."""

    def check(self, context: Context, part: str) -> None:
        """Raise Refused if the part cannot be: a time that has not come, an act that nobody did.

        `part` is its name in the action, for the field that is refused.
        """
        if (missing := self.missing()) is not None:
            name, message = missing
            raise Refused(message, code="missing", field=f"{part}.{name}")
        for name, value in asdict(self).items():
            if isinstance(value, str) and (mask := _MASK.search(value)) is not None:
                raise Refused(
                    f"{mask[0].strip()} stands for a name that you do not see; "
                    "write the name, or leave that field alone.",
                    code="masked_name",
                    field=f"{part}.{name}",
                )
        all_times = ((name, label, getattr(self, name)) for name, label in self.times().items())
        times = [each for each in all_times if each[2] is not None]
        for name, label, at in times:
            if not has_come(at, context.now):
                message = f"The time it was {label} is in the future."
                raise Refused(message, code="not_come", field=f"{part}.{name}")
        for (_, earlier, first), (name, later, second) in pairwise(times):
            if second < first:
                message = f"It cannot have been {later} before it was {earlier}."
                raise Refused(message, code="out_of_order", field=f"{part}.{name}")

    def missing(self) -> tuple[str, str] | None:
        """Return a field that another one needs and the sentence that asks for it; None if none is."""
        return None

    def times(self) -> dict[str, str]:
        """Return the fields of times that must have come, in the order in which they must have.

        Each has the word for what was done then.
        """
        return {}


class AboutPart(Part, frozen=True, kw_only=True):
    """Subject of a dispute: the table, its gaming day, the rounds, the claimant, the claim, the alerts.

    The dealer is known from the rounds; `supervisor` is who was there for the floor.
    """

    table: OneLine
    gaming_date: date
    rounds: Rounds = ()
    seat: Seat | None = None
    patron: OneLine | None = None
    supervisor: OneLine | None = None
    claim: Words
    claim_cents: Cents | None = None
    alerts: Alerts = ()

    def hand_subjects(self) -> set[str]:
        """Return the subjects of the rounds and the alerts that are disputed.

        >>> hand = {"table": "T", "gaming_date": date(2025, 3, 1), "rounds": ("7",), "alerts": ("1f",)}
        >>> about = AboutPart(claim="won", **hand)
        >>> sorted(about.hand_subjects()), about.table_day()
        (['alert:1f', 'round:2025-03-01|T|7'], 'table-day:2025-03-01|T')
        """
        rounds = {id_of_round(self.gaming_date, self.table, number) for number in self.rounds}
        return {*(f"alert:{alert}" for alert in self.alerts), *(f"round:{each}" for each in rounds)}

    def table_day(self) -> str:
        """Return the subject of the table's day on which the hand was."""
        return f"table-day:{id_of_table_day(self.gaming_date, self.table)}"

    def check(self, context: Context, part: str) -> None:
        """Raise Refused if it names what is withheld from the person, or cannot be."""
        if hidden := {*self.hand_subjects(), self.table_day()} & context.actor.hidden:
            kind = min(hidden).partition(":")[0]
            name, words = _HIDDEN[kind]
            raise Refused(f"There is no such {words} any more.", code="gone", field=f"{part}.{name}")
        super().check(context, part)


class CallPart(Part, frozen=True, kw_only=True):
    """The call to the surveillance room: when and by whom, when and by whom it was answered."""

    called: Micros
    caller: OneLine | None = None
    answered: Micros | None = None
    answered_by: OneLine | None = None

    def missing(self) -> tuple[str, str] | None:
        """Ask when the call was answered, if somebody answered it."""
        is_missing = self.answered_by is not None and self.answered is None
        return ("answered", "Say when the call was answered.") if is_missing else None

    def times(self) -> dict[str, str]:
        """Return when the call came and was answered."""
        return {"called": "called", "answered": "answered"}


class FootagePart(Part, frozen=True, kw_only=True):
    """The footage: when and by whom it was asked for and preserved, where it is, and when it is overwritten.

    `clock_offset_ms` is the recorder's clock less the floor's; with it the minute is found on the recorder.
    """

    requested: Micros | None = None
    requested_by: OneLine | None = None
    preserved: Micros | None = None
    preserved_by: OneLine | None = None
    reference: OneLine | None = None
    expires: Until | None = None
    clock_offset_ms: ClockOffset | None = None

    def missing(self) -> tuple[str, str] | None:
        """Ask for the footage's reference or time, if it was preserved."""
        if self.preserved is not None and self.reference is None:
            return "reference", "Say under which reference the footage was preserved."
        if self.preserved_by is not None and self.preserved is None:
            return "preserved", "Say when the footage was preserved."
        return None

    def times(self) -> dict[str, str]:
        """Return when the footage was asked for and preserved."""
        return {"requested": "asked for", "preserved": "preserved"}


class FindingsPart(Part, frozen=True, kw_only=True):
    """Result of the dispute's review, and what the house saved or lost by it."""

    text: Words
    began: Micros | None = None
    ended: Micros | None = None
    method: OneLine | None = None
    savings_cents: Cents | None = None
    losses_cents: Cents | None = None

    def times(self) -> dict[str, str]:
        """Return when the review began and ended."""
        return {"began": "begun", "ended": "ended"}


class RulingPart(Part, frozen=True, kw_only=True):
    """Ruling on a dispute: what was ruled, by whom and when, and what the patron was paid by it."""

    text: Words
    ruled_by: OneLine
    ruled: Micros
    paid_cents: Cents | None = None

    def times(self) -> dict[str, str]:
        """Return when it was ruled."""
        return {"ruled": "ruled"}


class ReferralPart(Part, frozen=True, kw_only=True):
    """The Board's representative to whom it was referred, and when."""

    to: OneLine
    at: Micros

    def times(self) -> dict[str, str]:
        """Return when it was referred."""
        return {"at": "referred"}


class BundleRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An evidence bundle that was made of it: the name of its file, and the SHA-256 that was printed."""

    name: FileName
    sha256: Sha256


class AttachmentRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture, clip or scan that was attached: its name, and what was found of its content."""

    name: SentFileName
    sha256: Sha256
    size: Annotated[int, Meta(ge=1)]
    type: ContentType

    @property
    def file_name(self) -> str:
        """Return the name under which it is handed out: its own, with the ending of its content.

        >>> AttachmentRecord(name="still.html", sha256="0" * 64, size=1, type="image/png").file_name
        'still.png'
        """
        ending = ENDINGS[self.type]
        stem, dot, suffix = self.name.rpartition(".")
        return self.name if dot and suffix.lower() == ending else f"{stem or self.name}.{ending}"


class SecondReview(Struct, frozen=True, kw_only=True):
    """The second review of a ruling: by whom, when, and whether it agrees."""

    who: str
    at: Micros
    agrees: bool
    text: str


class Dispute(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A dispute. `ruled_in_log_by` is who wrote the ruling down, who need not be the one who ruled it."""

    name: str
    opened: Micros
    opened_by: str
    about: AboutPart
    call: CallPart
    state: Literal["open", "closed"] = "open"
    footage: FootagePart = FootagePart()
    findings: FindingsPart | None = None
    ruling: RulingPart | None = None
    ruled_in_log_by: str | None = None
    acceptance: Acceptance | None = None
    referral: ReferralPart | None = None
    review: SecondReview | None = None
    bundles: tuple[BundleRecord, ...] = ()
    attachments: tuple[AttachmentRecord, ...] = ()
    notes: tuple[Remark, ...] = ()
    outcome: DisputeOutcome | None = None
    outcome_text: str | None = None
    closed: Micros | None = None
    closed_by: str | None = None


class Disputes(Struct):
    """All disputes by their names, and what was done to each, in order.

    `tied` are the subjects of all that each has ever belonged to: its history still shows that.
    """

    disputes: dict[str, Dispute] = field(default_factory=dict)
    done: dict[str, list[Done[Any]]] = field(default_factory=dict)
    tied: dict[str, frozenset[str]] = field(default_factory=dict)


def versions(done: Iterable[Done[Any]]) -> Iterator[tuple[Done[Any], Dispute]]:
    """Yield what was done to one dispute from its opening on, each with the dispute as it stood after it."""
    disputes = Disputes()
    for each in done:
        each.action.apply(disputes, each)
        (dispute,) = disputes.disputes.values()
        yield each, dispute


def is_hidden(disputes: Disputes, name: str, hidden: Collection[str]) -> bool:
    """Return True if a dispute is hidden: it is embargoed itself, or what it belongs to, or once did, is."""
    return not disputes.tied[name].isdisjoint(hidden)


def subjects_of(dispute: Dispute) -> set[str]:
    """Return a dispute's own subject and those of its alerts, its rounds, its day at the table."""
    return {subject_of(dispute.name), *dispute.about.hand_subjects(), dispute.about.table_day()}


def people_in(dispute: Dispute, accounts: Collection[str]) -> dict[str, str]:
    """Return the patron and the people of the floor whom a dispute names, each with that role.

    The `accounts` of the room are left out: who works there is no secret in it. So is a letter on a spot.
    """
    patron = dispute.about.patron
    names = (
        (patron if patron is not None and is_name(patron) else None, "patron"),
        (dispute.about.supervisor, "floorperson"),
        (dispute.call.caller, "caller"),
        (dispute.ruling.ruled_by if dispute.ruling is not None else None, "person"),
    )
    return {name: role for name, role in names if name is not None and name not in accounts}


def footage_due(disputes: Iterable[Dispute], now: Micros, hours: int) -> list[Dispute]:
    """Return the disputes whose footage is to be preserved now, the first to be overwritten first.

    That is unpreserved footage which is overwritten within so many hours or has been, of any dispute, and of
    an open one footage with no known end of storage; these come last.
    """
    to_preserve = [each for each in disputes if each.footage.preserved is None]
    due_soon = [
        (expires, each.name, each)
        for each in to_preserve
        if (expires := each.footage.expires) is not None and expires <= now + hours * _HOUR
    ]
    unsaid = [
        (each.opened, each.name, each)
        for each in to_preserve
        if each.footage.expires is None and each.state == "open"
    ]
    return [each for *_, each in (*sorted(due_soon, key=_first), *sorted(unsaid, key=_first))]


def _first(due: tuple[Micros, str, Dispute]) -> tuple[Micros, str]:
    return due[:2]


def name_of(subject: str) -> str:
    """Read the dispute's name from a subject.

    >>> name_of("dispute:4e1f9c")
    '4e1f9c'
    """
    return subject.removeprefix(PREFIX)


def subject_of(name: str) -> str:
    """Write a dispute's name as a subject.

    >>> subject_of("4e1f9c")
    'dispute:4e1f9c'
    """
    return f"{PREFIX}{name}"


def free_name(action_id: str, taken: Sequence[str]) -> str:
    """Return a dispute by the beginning of the id that opened it: short enough for the telephone.

    It tells nothing of how many disputes there are, as a running number would to whom one is withheld from.

    >>> free_name("4e1f9c7be9f16259" * 2, []), free_name("4e1f9c7be9f16259" * 2, ["4e1f9c"])
    ('4e1f9c', '4e1f9c7')
    """
    return next(name for length in range(6, 33) if (name := action_id[:length]) not in taken)


# ── What a change of a part changed ───────────────────────────────────────────────────────────────────


class Change(Struct, frozen=True):
    """A field of a part that was filled in or changed; None for an empty value before or after.

    A part that is a single answer has no fields, and `name` is empty.
    """

    part: str
    name: str
    before: Any
    after: Any


def part_changes(before: Any, after: Any, part: str) -> list[Change]:
    """Return the fields of a part that differ between two versions of it.

    >>> part_changes(CallPart(called=60), CallPart(called=60, answered=90), "call")
    [Change(part='call', name='answered', before=None, after=90)]
    >>> part_changes("accepted", "not said", "acceptance")
    [Change(part='acceptance', name='', before='accepted', after='not said')]
    """
    if not isinstance(after, Struct):
        return [Change(part, "", before, after)]
    old: dict[str, Any] = asdict(before) if before is not None else {}
    fields = (
        (name, _unless_empty(old.get(name)), _unless_empty(value)) for name, value in asdict(after).items()
    )
    return [Change(part, name, was, now) for name, was, now in fields if was != now]


def _unless_empty(value: Any) -> Any:
    return None if value == () else value


def changed_fields(before: Any, after: Any) -> list[str]:
    """Return the names of filled fields of a part that are changed; filling one in is no change.

    >>> changed_fields(CallPart(called=60), CallPart(called=60, answered=90))
    []
    >>> changed_fields(CallPart(called=60, answered=90), CallPart(called=50))
    ['called', 'answered']
    >>> changed_fields(None, "accepted"), changed_fields("accepted", "not accepted")
    ([], ['answer'])
    """
    changed = (each.name for each in part_changes(before, after, "") if each.before is not None)
    return [name.replace("_", " ") or "answer" for name in changed]
