"""The actions on disputes, a class each: when it is refused, what it changes, its description.

Nothing is lost by a change: every action stays, and `dispute_book.history_steps` lists what each changed.
"""

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Any, ClassVar, Final, Self, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from projections.casework.actions import Action, Actor, Context, Done, Refused, Remark, Subject, Words
from projections.casework.disputes.dispute_state import (
    AboutPart,
    Acceptance,
    AttachmentRecord,
    BundleRecord,
    CallPart,
    Dispute,
    DisputeOutcome,
    Disputes,
    FindingsPart,
    FootagePart,
    Part,
    ReferralPart,
    RulingPart,
    SecondReview,
    changed_fields,
    is_hidden,
    name_of,
    subject_of,
    subjects_of,
)
from schemas.values import Name

MOST_ATTACHMENTS: Final = 50  # of a dispute

# ── What the actions have in common ───────────────────────────────────────────────────────────────────


class BaseDisputeAction(Action, frozen=True, kw_only=True):
    """An action on disputes."""

    needs: ClassVar[str] = "dispute"

    @abstractmethod
    def refuse(self, disputes: Disputes, context: Context) -> None:
        """Raise Refused if it is not allowed at present, or its content cannot be."""

    @abstractmethod
    def apply(self, disputes: Disputes, done: Done[Any]) -> None:
        """Fold it into the disputes, in place."""


class OnDispute(BaseDisputeAction, frozen=True, kw_only=True):
    """An action on a dispute that was opened."""

    subject: Subject


def _existing(disputes: Disputes, subject: str, context: Context) -> Dispute:
    """Return the dispute of a subject; raise Refused if there is none for this person."""
    name = name_of(subject)
    dispute = disputes.disputes.get(name)
    if dispute is None or is_hidden(disputes, name, context.actor.hidden):
        raise Refused("There is no such dispute any more.", code="gone")
    return dispute


def _opened(disputes: Disputes, subject: str) -> Dispute:
    """Return the dispute of a subject; raise LookupError if it was never opened."""
    dispute = disputes.disputes.get(name_of(subject))
    if dispute is None:
        raise LookupError(f"{subject} was never opened")
    return dispute


def _put(disputes: Disputes, dispute: Dispute, done: Done[Any]) -> None:
    """Store a dispute as an action left it, and the action."""
    name = dispute.name
    # What it is tied to first: a reader meanwhile is shown too little rather than too much.
    disputes.tied[name] = disputes.tied.get(name, frozenset()) | subjects_of(dispute)
    disputes.disputes[name] = dispute
    disputes.done.setdefault(name, []).append(done)


def _closed(dispute: Dispute) -> Refused:
    message = f"It was closed by {dispute.closed_by}: {dispute.outcome}. Open it again first."
    return Refused(message, code="closed")


def _with_note(dispute: Dispute, done: Done[Any], text: str) -> Dispute:
    return replace(dispute, notes=(*dispute.notes, Remark(done.who, done.at, text)))


# ── A dispute is opened, and written down in parts ────────────────────────────────────────────────────


class DisputeOpen(BaseDisputeAction, frozen=True, kw_only=True, tag="dispute-open"):
    """Open a dispute, as a call has come; its name is written into `subject`."""

    subject: Subject | None = None
    about: AboutPart
    call: CallPart

    def refuse(self, _: Disputes, context: Context) -> None:
        """Raise Refused if what it says cannot be."""
        self.about.check(context, "about")
        self.call.check(context, "call")

    def apply(self, disputes: Disputes, done: Done[Any]) -> None:
        """Add the dispute."""
        name = name_of(self.subject or "")
        dispute = Dispute(name=name, opened=done.at, opened_by=done.who, about=self.about, call=self.call)
        _put(disputes, dispute, done)

    def describe(self) -> str:
        """Return the claim."""
        return f"opened: {self.about.claim}"


class PartAction(OnDispute, frozen=True, kw_only=True):
    """Write a part of a dispute, given completely; `why` is the reason if it changes an earlier one.

    `part` is the field that has it, in the action and in the dispute. The fields in `keep` stay as they are,
    whatever the part contains: a page can leave alone what it does not show by name.
    """

    part: ClassVar[str]

    keep: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()
    why: Words | None = None

    def with_kept_fields(self, dispute: Dispute) -> Self:
        """Return the action with the fields that it keeps filled in as they stand.

        Raises:
            Refused: it keeps a field that the part has not.
        """
        before, part = getattr(dispute, self.part), getattr(self, self.part)
        if not self.keep or not isinstance(part, Struct):
            return self
        if unknown := set(self.keep) - set(part.__struct_fields__):
            raise Refused(f"There is no field {min(unknown)} to keep.", code="unknown_field", field="keep")
        kept_values = {name: getattr(before, name) for name in self.keep} if before is not None else {}
        return replace(self, keep=(), **{self.part: replace(part, **kept_values)})

    def refuse(self, disputes: Disputes, context: Context) -> None:
        """Raise Refused if the dispute is closed, the part cannot be, or its change lacks a reason."""
        dispute = _existing(disputes, self.subject, context)
        if not accepts_part(dispute, self.part):
            raise _closed(dispute)
        before, part = getattr(dispute, self.part), getattr(self, self.part)
        if isinstance(part, Part):
            part.check(context, self.part)
        if before == part:
            raise Refused("It already says that.", code="unchanged")
        if changed := changed_fields(before, part):
            if self.why is None:
                message = f"It stood otherwise ({', '.join(changed)}); say why it is changed."
                raise Refused(message, code="reason_missing", field="why")
        elif self.why is not None:
            message = "No earlier entry is changed; leave the reason out."
            raise Refused(message, code="reason_unneeded", field="why")

    def apply(self, disputes: Disputes, done: Done[Any]) -> None:
        """Add the part to the dispute."""
        dispute = _opened(disputes, self.subject)
        _put(disputes, replace(dispute, **{self.part: getattr(self, self.part)}), done)

    def describe(self) -> str:
        """Return what was written down, with the reason for a change."""
        text = self.describe_part()
        return text if self.why is None else f"{text} (changed: {self.why})"

    @abstractmethod
    def describe_part(self) -> str:
        """Return what was written down."""


def accepts_part(dispute: Dispute, part: str) -> bool:
    """Return True if a part may be written at present: of a closed dispute only its footage.

    How long footage is stored, and that it was preserved, may be known only after the closing.
    """
    return dispute.state == "open" or part == DisputeFootage.part


class DisputeAbout(PartAction, frozen=True, kw_only=True, tag="dispute-about"):
    """Write down what is disputed."""

    part: ClassVar[str] = "about"

    about: AboutPart

    def describe_part(self) -> str:
        """Return that it was written down."""
        return "what is disputed written down"


class DisputeCall(PartAction, frozen=True, kw_only=True, tag="dispute-call"):
    """Write down the call, and when it was answered."""

    part: ClassVar[str] = "call"

    call: CallPart

    def describe_part(self) -> str:
        """Return that it was written down."""
        return "call written down"


class DisputeFootage(PartAction, frozen=True, kw_only=True, tag="dispute-footage"):
    """Write down the footage: asked for, preserved, or more known of it."""

    part: ClassVar[str] = "footage"

    footage: FootagePart

    def describe_part(self) -> str:
        """Return whether it is preserved."""
        return "footage preserved" if self.footage.preserved is not None else "footage written down"


class DisputeFindings(PartAction, frozen=True, kw_only=True, tag="dispute-findings"):
    """Write down what the review found."""

    part: ClassVar[str] = "findings"

    findings: FindingsPart

    def describe_part(self) -> str:
        """Return what was found."""
        return f"found: {self.findings.text}"


class DisputeRule(PartAction, frozen=True, kw_only=True, tag="dispute-rule"):
    """Write down the ruling; a second review of an earlier ruling falls."""

    part: ClassVar[str] = "ruling"

    ruling: RulingPart

    def apply(self, disputes: Disputes, done: Done[Any]) -> None:
        """Add the ruling to the dispute, with who wrote it down."""
        dispute = _opened(disputes, self.subject)
        ruled = replace(dispute, ruling=self.ruling, ruled_in_log_by=done.who, review=None)
        _put(disputes, ruled, done)

    def describe_part(self) -> str:
        """Return the ruling."""
        return f"ruled by {self.ruling.ruled_by}: {self.ruling.text}"


class DisputeAcceptance(PartAction, frozen=True, kw_only=True, tag="dispute-acceptance"):
    """Write down whether the patron accepts the ruling."""

    part: ClassVar[str] = "acceptance"

    acceptance: Acceptance

    def describe_part(self) -> str:
        """Return whether it was accepted."""
        return f"the patron's acceptance of the ruling: {self.acceptance}"


class DisputeRefer(PartAction, frozen=True, kw_only=True, tag="dispute-refer"):
    """Write down to which of the Board's representatives it was referred."""

    part: ClassVar[str] = "referral"

    referral: ReferralPart

    def describe_part(self) -> str:
        """Return to whom it was referred."""
        return f"referred to the Board's representative, {self.referral.to}"


# ── What is added to a dispute, and how it is settled ─────────────────────────────────────────────────


class DisputeReview(OnDispute, frozen=True, kw_only=True, tag="dispute-review"):
    """Sign the second review of the ruling."""

    agrees: bool
    text: Words

    def refuse(self, disputes: Disputes, context: Context) -> None:
        """Raise Refused if the dispute is closed, nothing was ruled, or the person ruled it."""
        dispute = _existing(disputes, self.subject, context)
        if dispute.state == "closed":
            raise _closed(dispute)
        if dispute.ruling is None:
            raise Refused("There is no ruling to review yet.", code="not_ruled")
        if context.actor.name in (dispute.ruled_in_log_by, dispute.ruling.ruled_by):
            raise Refused(
                "You made or recorded the ruling; the second reviewer must be someone else.",
                code="same_person",
            )

    def apply(self, disputes: Disputes, done: Done[Any]) -> None:
        """Add the review to the dispute."""
        review = SecondReview(who=done.who, at=done.at, agrees=self.agrees, text=self.text)
        _put(disputes, replace(_opened(disputes, self.subject), review=review), done)

    def describe(self) -> str:
        """Return whether the second reviewer agrees."""
        return f"second review, {'agrees' if self.agrees else 'does not agree'}: {self.text}"


class DisputeNote(OnDispute, frozen=True, kw_only=True, tag="dispute-note"):
    """Write a remark on the dispute."""

    text: Words

    def refuse(self, disputes: Disputes, context: Context) -> None:
        """Raise Refused if there is no such dispute."""
        _existing(disputes, self.subject, context)

    def apply(self, disputes: Disputes, done: Done[Any]) -> None:
        """Add the remark."""
        _put(disputes, _with_note(_opened(disputes, self.subject), done, self.text), done)

    def describe(self) -> str:
        """Return the remark."""
        return f"noted: {self.text}"


class DisputeBundle(OnDispute, frozen=True, kw_only=True, tag="dispute-bundle"):
    """Write down that an evidence bundle was made of it."""

    bundle: BundleRecord

    def refuse(self, disputes: Disputes, context: Context) -> None:
        """Raise Refused if it was written down already."""
        if self.bundle in _existing(disputes, self.subject, context).bundles:
            raise Refused("That bundle is already recorded.", code="repeated", field="bundle.sha256")

    def apply(self, disputes: Disputes, done: Done[Any]) -> None:
        """Add the bundle."""
        dispute = _opened(disputes, self.subject)
        _put(disputes, replace(dispute, bundles=(*dispute.bundles, self.bundle)), done)

    def describe(self) -> str:
        """Return the bundle's file and digest."""
        return f"evidence bundle made: {self.bundle.name}, SHA-256 {self.bundle.sha256}"


class DisputeAttach(OnDispute, frozen=True, kw_only=True, tag="dispute-attach"):
    """Attach a file, which is stored beside the store under its digest."""

    attachment: AttachmentRecord

    def refuse(self, disputes: Disputes, context: Context) -> None:
        """Raise Refused if it is attached already, or there are too many."""
        attachments = _existing(disputes, self.subject, context).attachments
        same = next((each for each in attachments if each.sha256 == self.attachment.sha256), None)
        if same is not None:
            message = f"The same file is attached already, as {same.name}."
            raise Refused(message, code="repeated", field="file")
        if len(attachments) >= MOST_ATTACHMENTS:
            message = f"A dispute has at most {MOST_ATTACHMENTS} attachments."
            raise Refused(message, code="too_many", field="file")

    def apply(self, disputes: Disputes, done: Done[Any]) -> None:
        """Add the attachment."""
        dispute = _opened(disputes, self.subject)
        _put(disputes, replace(dispute, attachments=(*dispute.attachments, self.attachment)), done)

    def describe(self) -> str:
        """Return the file's name and digest."""
        return f"attached: {self.attachment.name}, SHA-256 {self.attachment.sha256}"


class DisputeClose(OnDispute, frozen=True, kw_only=True, tag="dispute-close"):
    """Close the dispute: how it is settled, and a remark."""

    outcome: DisputeOutcome
    text: Words | None = None

    def refuse(self, disputes: Disputes, context: Context) -> None:
        """Raise Refused if the dispute is closed, nothing was ruled, or the second reviewer disagrees."""
        dispute = _existing(disputes, self.subject, context)
        if dispute.state == "closed":
            raise _closed(dispute)
        if dispute.ruling is None:
            message = "Nothing was ruled yet; write the ruling down before it is closed."
            raise Refused(message, code="not_ruled")
        if dispute.review is not None and not dispute.review.agrees:
            raise Refused(
                f"The second reviewer, {dispute.review.who}, does not agree with the ruling; "
                "rule again, or have it reviewed again.",
                code="review_disagrees",
            )

    def apply(self, disputes: Disputes, done: Done[Any]) -> None:
        """Close it."""
        closed = replace(
            _opened(disputes, self.subject),
            state="closed",
            outcome=self.outcome,
            outcome_text=self.text,
            closed=done.at,
            closed_by=done.who,
        )
        _put(disputes, closed, done)

    def describe(self) -> str:
        """Return as what it was closed."""
        return f"closed: {self.outcome}{f'; {self.text}' if self.text else ''}"


class DisputeReopen(OnDispute, frozen=True, kw_only=True, tag="dispute-reopen"):
    """Open a closed dispute again."""

    reason: Words

    def refuse(self, disputes: Disputes, context: Context) -> None:
        """Raise Refused if it is not closed."""
        if _existing(disputes, self.subject, context).state != "closed":
            raise Refused("It is not closed.", code="not_closed")

    def apply(self, disputes: Disputes, done: Done[Any]) -> None:
        """Open it, with a remark with the reason."""
        reopened = replace(
            _with_note(_opened(disputes, self.subject), done, self.describe()),
            state="open",
            outcome=None,
            outcome_text=None,
            closed=None,
            closed_by=None,
        )
        _put(disputes, reopened, done)

    def describe(self) -> str:
        """Return why it was opened again."""
        return f"reopened: {self.reason}"


DisputeAction: TypeAlias = (
    DisputeOpen
    | DisputeAbout
    | DisputeCall
    | DisputeFootage
    | DisputeFindings
    | DisputeRule
    | DisputeAcceptance
    | DisputeRefer
    | DisputeReview
    | DisputeNote
    | DisputeBundle
    | DisputeClose
    | DisputeReopen
)

# What is done with a file alone: the console itself says what that is, and nobody can send it as an action.
FileAction: TypeAlias = DisputeAttach

_PROBE: Final = "0" * 32  # the id of an action that is not done


def possible_settlements(disputes: Disputes, name: str, actor: Actor) -> Iterator[str]:
    """Yield which of these a person can do to a dispute as it stands: review it, close it, open it again.

    Each is given by the tag of its action.
    """
    subject = subject_of(name)
    probes = (
        DisputeReview(id=_PROBE, subject=subject, agrees=True, text=""),
        DisputeClose(id=_PROBE, subject=subject, outcome="claim upheld"),
        DisputeReopen(id=_PROBE, subject=subject, reason=""),
    )
    for action in probes:
        with suppress(Refused):
            action.refuse(disputes, Context(actor, now=0))
            yield str(action.__struct_config__.tag)
