"""What a person can do about a dispute: one frozen value an action, one tagged union.

A dispute is written down in parts. Each part is given whole; what was not filled in before may be filled in
any time, and what stood is changed only with a reason, `why`. Nothing is lost by it: every action stays.
"""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from projections.casework.cases.case_actions import Action, OneLine, Subject, Words
from schemas.values import MOST_MICROS, Cents, Micros, Name, Seat

PREFIX: Final = "dispute:"

Rounds: TypeAlias = Annotated[tuple[Name, ...], Meta(max_length=50)]
Alerts: TypeAlias = Annotated[tuple[Name, ...], Meta(max_length=50)]
Sha256: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
# A file's name, without the folders in which it lies.
FileName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^/\\\x00-\x1f\x7f]+\Z")]
# A recorder's clock less the floor's, in milliseconds: a day at most.
ClockOffset: TypeAlias = Annotated[int, Meta(ge=-86_400_000, le=86_400_000)]
Until: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_MICROS)]

Acceptance: TypeAlias = Literal["accepted", "not accepted", "not said"]
Outcome: TypeAlias = Literal["claim upheld", "claim upheld in part", "claim not upheld", "claim withdrawn"]


class About(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is disputed: the table, its gaming day, the rounds, who says what, and the alerts on it.

    Who dealt is told by the rounds; `supervisor` is who stood by for the floor.
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


class Call(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The call to the surveillance room: when and by whom, when and by whom it was answered."""

    called: Micros
    caller: OneLine | None = None
    answered: Micros | None = None
    answered_by: OneLine | None = None


class Footage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
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


class Findings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the review of it found, and what the house saved or lost by it."""

    text: Words
    began: Micros | None = None
    ended: Micros | None = None
    method: OneLine | None = None
    savings_cents: Cents | None = None
    losses_cents: Cents | None = None


class Ruling(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was ruled, by whom and when, and what the patron was paid by it."""

    text: Words
    ruled_by: OneLine
    ruled: Micros
    paid_cents: Cents | None = None


class Referral(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The Board's representative to whom it was referred, and when."""

    to: OneLine
    at: Micros


class Bundle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An evidence bundle that was made of it: the name of its file, and the SHA-256 that was printed."""

    name: FileName
    sha256: Sha256


class DisputeOpen(Action, frozen=True, kw_only=True, tag="dispute-open"):
    """A call has come: a dispute is opened; its name is written into `subject`."""

    needs: ClassVar[str] = "dispute"

    subject: Subject | None = None
    about: About
    call: Call


class OnDispute(Action, frozen=True, kw_only=True):
    """An action on a dispute."""

    needs: ClassVar[str] = "dispute"

    subject: Subject


class OnPart(OnDispute, frozen=True, kw_only=True):
    """A part of a dispute, given whole; `why` is the reason where it changes what stood.

    `part` names the field that has it, in the action and in the dispute. What `keep` names of it stays as it
    stands, whatever the part says: a page can leave alone what it does not show by name.
    """

    part: ClassVar[str]

    keep: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()
    why: Words | None = None


class DisputeAbout(OnPart, frozen=True, kw_only=True, tag="dispute-about"):
    """What is disputed is something else, or more is known of it."""

    part: ClassVar[str] = "about"

    about: About


class DisputeCall(OnPart, frozen=True, kw_only=True, tag="dispute-call"):
    """The call was answered."""

    part: ClassVar[str] = "call"

    call: Call


class DisputeFootage(OnPart, frozen=True, kw_only=True, tag="dispute-footage"):
    """The footage was asked for or preserved, or more is known of it."""

    part: ClassVar[str] = "footage"

    footage: Footage


class DisputeFindings(OnPart, frozen=True, kw_only=True, tag="dispute-findings"):
    """This is what the review found."""

    part: ClassVar[str] = "findings"

    findings: Findings


class DisputeRule(OnPart, frozen=True, kw_only=True, tag="dispute-rule"):
    """It was ruled; a second review of a ruling before it falls."""

    part: ClassVar[str] = "ruling"

    ruling: Ruling


class DisputeAcceptance(OnPart, frozen=True, kw_only=True, tag="dispute-acceptance"):
    """The patron accepts the ruling, or does not, or said nothing."""

    part: ClassVar[str] = "acceptance"

    acceptance: Acceptance


class DisputeRefer(OnPart, frozen=True, kw_only=True, tag="dispute-refer"):
    """It is referred to the Board's representative."""

    part: ClassVar[str] = "referral"

    referral: Referral


class DisputeReview(OnDispute, frozen=True, kw_only=True, tag="dispute-review"):
    """I have looked at it as the second reviewer."""

    agrees: bool
    text: Words


class DisputeNote(OnDispute, frozen=True, kw_only=True, tag="dispute-note"):
    """A remark."""

    text: Words


class DisputeBundle(OnDispute, frozen=True, kw_only=True, tag="dispute-bundle"):
    """An evidence bundle was made of it."""

    bundle: Bundle


class DisputeClose(OnDispute, frozen=True, kw_only=True, tag="dispute-close"):
    """It is settled: how, and what is to be said of it."""

    outcome: Outcome
    text: Words | None = None


class DisputeReopen(OnDispute, frozen=True, kw_only=True, tag="dispute-reopen"):
    """It is not settled after all."""

    reason: Words


PartAction: TypeAlias = (
    DisputeAbout
    | DisputeCall
    | DisputeFootage
    | DisputeFindings
    | DisputeRule
    | DisputeAcceptance
    | DisputeRefer
)
DisputeAction: TypeAlias = (
    DisputeOpen | PartAction | DisputeReview | DisputeNote | DisputeBundle | DisputeClose | DisputeReopen
)


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
