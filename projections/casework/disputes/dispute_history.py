"""What was done to a dispute, told one by one, each with what it changed."""

from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from msgspec import Struct
from msgspec.structs import asdict

from projections.casework.cases.case_state import Done
from projections.casework.disputes.dispute_actions import (
    DisputeAbout,
    DisputeAcceptance,
    DisputeAction,
    DisputeBundle,
    DisputeCall,
    DisputeClose,
    DisputeFindings,
    DisputeFootage,
    DisputeNote,
    DisputeOpen,
    DisputeRefer,
    DisputeReopen,
    DisputeReview,
    DisputeRule,
    OnPart,
    PartAction,
)
from projections.casework.disputes.dispute_state import Dispute, after
from schemas.values import Micros


class Change(Struct, frozen=True):
    """A field of a part that was filled in or changed; None where nothing stood, or nothing stands now.

    A part that is a single answer has no fields, and `name` is empty.
    """

    part: str
    name: str
    before: Any
    after: Any


class Step(Struct, frozen=True):
    """What was done once: when, by whom, what, the reason where what stood was changed, and each change."""

    at: Micros
    who: str
    says: str
    why: str | None
    changes: list[Change]


def steps(done: Iterable[Done[Any]]) -> Iterator[Step]:
    """Yield what was done to one dispute, from its opening on."""
    stood: Dispute | None = None
    for each in done:
        action: DisputeAction = each.action
        stands = after(stood, each)
        parts = ("about", "call") if stood is None else (action.part,) if isinstance(action, OnPart) else ()
        found = [
            change
            for part in parts
            for change in changes(getattr(stood, part, None), getattr(stands, part), part)
        ]
        yield Step(each.at, each.who, says(action), getattr(action, "why", None), found)
        stood = stands


def changes(before: Any, after: Any, part: str) -> list[Change]:
    """Set what stood of a part against what stands.

    >>> from projections.casework.disputes.dispute_actions import Call
    >>> changes(Call(called=60), Call(called=60, answered=90), "call")
    [Change(part='call', name='answered', before=None, after=90)]
    >>> changes("accepted", "not said", "acceptance")
    [Change(part='acceptance', name='', before='accepted', after='not said')]
    """
    if not isinstance(after, Struct):
        return [Change(part, "", before, after)]
    stood: dict[str, Any] = asdict(before) if before is not None else {}
    both = (
        (name, _unless_empty(stood.get(name)), _unless_empty(value)) for name, value in asdict(after).items()
    )
    return [Change(part, name, stands, now) for name, stands, now in both if stands != now]


def _unless_empty(value: Any) -> Any:
    return None if value == () else value


def says(action: DisputeAction) -> str:
    """Say in a sentence what an action did.

    >>> says(DisputeClose(id="0" * 32, subject="dispute:4e1f9c", outcome="claim upheld"))
    'closed: claim upheld'
    """
    match action:
        case DisputeOpen():
            text = f"opened: {action.about.claim}"
        case DisputeReview():
            text = f"second review, {'agrees' if action.agrees else 'does not agree'}: {action.text}"
        case DisputeNote():
            text = f"noted: {action.text}"
        case DisputeBundle():
            text = f"evidence bundle made: {action.bundle.name}, SHA-256 {action.bundle.sha256}"
        case DisputeClose():
            text = f"closed: {action.outcome}{f'; {action.text}' if action.text else ''}"
        case DisputeReopen():
            text = f"opened again: {action.reason}"
        case _:
            text = _part_says(action)
    return text


def _part_says(action: PartAction) -> str:
    match action:
        case DisputeRule():
            text = f"ruled by {action.ruling.ruled_by}: {action.ruling.text}"
        case DisputeFindings():
            text = f"found: {action.findings.text}"
        case DisputeAcceptance():
            text = f"the patron's acceptance of the ruling: {action.acceptance}"
        case DisputeRefer():
            text = f"referred to the Board's representative, {action.referral.to}"
        case DisputeFootage():
            text = "footage preserved" if action.footage.preserved is not None else "footage written down"
        case DisputeCall():
            text = "call written down"
        case DisputeAbout():
            text = "what is disputed written down"
        case _:
            assert_never(action)
    return text if action.why is None else f"{text} (changed: {action.why})"
