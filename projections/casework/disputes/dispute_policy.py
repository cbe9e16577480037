"""Whether something may be done about a dispute, in this state, by this person. A sentence says why not."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from projections.casework.cases.case_policy import Actor, Refused, has_come
from projections.casework.disputes.dispute_actions import (
    About,
    Call,
    DisputeAction,
    DisputeBundle,
    DisputeClose,
    DisputeFootage,
    DisputeNote,
    DisputeOpen,
    DisputeReopen,
    DisputeReview,
    Findings,
    Footage,
    OnPart,
    Referral,
    Ruling,
    name_of,
)
from projections.casework.disputes.dispute_history import changes
from projections.casework.disputes.dispute_state import Dispute, Disputes, day_of, hands_of, is_hidden
from schemas.values import Micros

_Part = TypeVar("_Part", bound=OnPart)
Settling: TypeAlias = type[DisputeReview | DisputeClose | DisputeReopen]
_SETTLING: Final[tuple[Settling, ...]] = (DisputeReview, DisputeClose, DisputeReopen)

# How the console shows a name to who may not see it; written down, it would be all that is left of the name.
_MASK: Final = re.compile(r"[A-Za-z_]* ?·[0-9a-f]{6}\b")


def refuse(disputes: Disputes, action: DisputeAction, actor: Actor, now: Micros) -> None:
    """Let an action pass, or say why it cannot be done.

    Raises:
        Refused: it is not allowed as things stand, or what it says cannot be.
    """
    if isinstance(action, DisputeOpen):
        _refuse_part(action.about, actor, now)
        _refuse_part(action.call, actor, now)
        return
    name = name_of(action.subject)
    dispute = disputes.disputes.get(name)
    if dispute is None or is_hidden(disputes, name, actor.hidden):
        raise Refused("There is no such dispute any more.")
    match action:
        case DisputeNote():
            return
        case DisputeBundle():
            if action.bundle in dispute.bundles:
                raise Refused("That bundle was written down already.")
        case DisputeReview() | DisputeClose() | DisputeReopen():
            _refuse_settling(dispute, type(action), actor)
        case _:
            part = getattr(action, action.part)
            if not takes(dispute, action.part):
                raise _closed(dispute)
            _refuse_part(part, actor, now)
            _refuse_change(getattr(dispute, action.part), part, action.why)


def may_settle(dispute: Dispute, actor: Actor) -> Iterator[Settling]:
    """Yield which of these somebody can do as a dispute stands: review it, close it, open it again."""
    for kind in _SETTLING:
        with suppress(Refused):
            _refuse_settling(dispute, kind, actor)
            yield kind


def _refuse_settling(dispute: Dispute, kind: Settling, actor: Actor) -> None:
    if kind is DisputeReopen:
        if dispute.state != "closed":
            raise Refused("It is not closed.")
        return
    if dispute.state == "closed":
        raise _closed(dispute)
    if kind is DisputeReview:
        _refuse_review(dispute, actor)
    elif dispute.ruling is None:
        raise Refused("Nothing was ruled yet; write the ruling down before it is closed.")
    elif dispute.review is not None and not dispute.review.agrees:
        raise Refused(
            f"The second reviewer, {dispute.review.who}, does not agree with the ruling; "
            "rule it anew, or have it reviewed again."
        )


def with_kept_fields(dispute: Dispute, action: _Part) -> _Part:
    """Return an action on a part with what it keeps of what stands written out.

    Raises:
        Refused: it keeps a field that the part has not.
    """
    stood, part = getattr(dispute, action.part), getattr(action, action.part)
    if not action.keep or not isinstance(part, Struct):
        return action
    if unknown := set(action.keep) - set(part.__struct_fields__):
        raise Refused(f"There is no field {min(unknown)} to keep.")
    kept = {name: getattr(stood, name) for name in action.keep} if stood is not None else {}
    return replace(action, keep=(), **{action.part: replace(part, **kept)})


def takes(dispute: Dispute, part: str) -> bool:
    """Return True if a part may be written down as a dispute stands: of a closed one its footage alone.

    How long footage is kept, and that it was preserved, may be known after the closing only.
    """
    return dispute.state == "open" or part == DisputeFootage.part


def _closed(dispute: Dispute) -> Refused:
    return Refused(f"It was closed by {dispute.closed_by}: {dispute.outcome}. Open it again first.")


def _refuse_review(dispute: Dispute, actor: Actor) -> None:
    if dispute.ruling is None:
        raise Refused("Nothing was ruled yet; there is nothing to review.")
    if actor.name in (dispute.ruled_in_log_by, dispute.ruling.ruled_by):
        raise Refused("You ruled it, or wrote the ruling down; the second reviewer must be another person.")


def _refuse_change(stood: Any, part: Any, why: str | None) -> None:
    if stood == part:
        raise Refused("That is how it stands already.")
    if changed := changed_fields(stood, part):
        if why is None:
            raise Refused(f"It stood otherwise ({', '.join(changed)}); say why it is changed.")
    elif why is not None:
        raise Refused("Nothing that stood is changed by it; leave the reason out.")


def changed_fields(stood: Any, part: Any) -> list[str]:
    """Return what an action changes of what stood; to fill in what was left open changes nothing.

    >>> changed_fields(Call(called=60), Call(called=60, answered=90))
    []
    >>> changed_fields(Call(called=60, answered=90), Call(called=50))
    ['called', 'answered']
    >>> changed_fields(None, "accepted"), changed_fields("accepted", "not accepted")
    ([], ['answer'])
    """
    changed = (each.name for each in changes(stood, part, "") if each.before is not None)
    return [name.replace("_", " ") or "answer" for name in changed]


def _refuse_part(part: object, actor: Actor, now: Micros) -> None:
    """Refuse what cannot be: a time that has not come, who did something that nobody did."""
    if (lacking := _lacking(part, actor)) is not None:
        raise Refused(lacking)
    if (mask := next(filter(None, map(_MASK.search, _texts(part))), None)) is not None:
        raise Refused(
            f"{mask[0].strip()} stands for a name that you do not see; "
            "write the name, or leave that field alone."
        )
    times = [(label, at) for label, at in _times(part) if at is not None]
    for label, at in times:
        if not has_come(at, now):
            raise Refused(f"The time it was {label} has not come yet.")
    for (earlier, first), (later, second) in pairwise(times):
        if second < first:
            raise Refused(f"It cannot have been {later} before it was {earlier}.")


def _texts(part: object) -> Iterator[str]:
    values = asdict(part).values() if isinstance(part, Struct) else ()
    return (value for value in values if isinstance(value, str))


def _lacking(part: object, actor: Actor) -> str | None:
    match part:
        case About() if gone := {*hands_of(part), day_of(part)} & actor.hidden:
            kind = min(gone).partition(":")[0].replace("table-day", "table's day")
            return f"There is no such {kind} any more."
        case Call() if part.answered_by is not None and part.answered is None:
            return "Say when the call was answered."
        case Footage() if part.preserved is not None and part.reference is None:
            return "Say under which reference the footage was preserved."
        case Footage() if part.preserved_by is not None and part.preserved is None:
            return "Say when the footage was preserved."
        case _:
            return None


def _times(part: object) -> list[tuple[str, Micros | None]]:
    """Return the times of a part that have come, in the order in which they must have."""
    match part:
        case Call():
            return [("called", part.called), ("answered", part.answered)]
        case Footage():
            return [("asked for", part.requested), ("preserved", part.preserved)]
        case Findings():
            return [("begun", part.began), ("ended", part.ended)]
        case Ruling():
            return [("ruled", part.ruled)]
        case Referral():
            return [("referred", part.at)]
        case _:
            return []
