"""The steps of a dispute, from the claim to its closing: what is done, what is next, and who takes it.

A dispute may be written down in any order. A step that nobody took before the ruling or the closing was left
out, and is no longer waited for; what was ruled waits again where the second reviewer does not agree.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct

from projections.casework.actions import Done
from projections.casework.disputes.dispute_state import Dispute, versions
from schemas.values import Micros

StepName: TypeAlias = Literal["claim", "footage", "call", "ruling", "paid", "closed"]
StepState: TypeAlias = Literal["done", "next", "ahead", "left_out"]
Party: TypeAlias = Literal["surveillance", "floor_supervisor", "table_or_cage"]

STEPS: Final[tuple[StepName, ...]] = get_args(StepName)
_PARTIES: Final[Mapping[StepName, Party]] = {
    "claim": "surveillance",
    "footage": "surveillance",
    "call": "surveillance",
    "ruling": "floor_supervisor",
    "paid": "table_or_cage",
    "closed": "surveillance",
}


class Step(Struct, frozen=True, kw_only=True):
    """A step of a dispute; one that is done has who wrote it down, and `at` when.

    The next one has `since` when the dispute waits for it, for which `party`, and for which `person` of it if
    the dispute names one.
    """

    name: StepName
    state: StepState
    at: Micros | None = None
    who: str | None = None
    party: Party | None = None
    person: str | None = None
    since: Micros | None = None


def _is_ruled(dispute: Dispute) -> bool:
    return dispute.ruling is not None and (dispute.review is None or dispute.review.agrees)


_IS_DONE: Final[Mapping[StepName, Callable[[Dispute], bool]]] = {
    "claim": lambda _: True,
    "footage": lambda dispute: dispute.footage.preserved is not None,
    "call": lambda dispute: dispute.call.answered is not None,
    "ruling": _is_ruled,
    "paid": lambda dispute: dispute.ruling is not None and dispute.ruling.paid_cents is not None,
    "closed": lambda dispute: dispute.state == "closed",
}


def dispute_steps(done: Iterable[Done[Any]]) -> list[Step]:
    """Return the steps of one dispute by what was done to it from its opening on.

    Raises:
        ValueError: nothing was.
    """
    reached: dict[StepName, tuple[Micros, str]] = {}
    waits: StepName | None = None
    since: Micros = 0
    dispute: Dispute | None = None
    for each, dispute in versions(done):
        for name in STEPS:
            if not _IS_DONE[name](dispute):
                reached.pop(name, None)
            else:
                reached.setdefault(name, (each.at, each.who))
        if (next_name := _next(reached)) != waits:
            waits, since = next_name, each.at
    if dispute is None:
        raise ValueError("a dispute begins with its opening")
    return [_step(name, dispute, reached, waits, since) for name in STEPS]


def _next(reached: Mapping[StepName, object]) -> StepName | None:
    return next((name for name in STEPS if name not in reached and not _is_left_out(name, reached)), None)


def _is_left_out(name: StepName, reached: Mapping[StepName, object]) -> bool:
    """Return True if a step that nobody took is no longer waited for, as what it leads to is done."""
    return "closed" in reached or (name in ("footage", "call") and "ruling" in reached)


def _step(
    name: StepName,
    dispute: Dispute,
    reached: Mapping[StepName, tuple[Micros, str]],
    waits: StepName | None,
    since: Micros,
) -> Step:
    if name in reached:
        at, who = reached[name]
        return Step(name=name, state="done", at=at, who=who)
    if name == waits:
        person = _person(dispute) if name == "ruling" else None
        return Step(name=name, state="next", party=_PARTIES[name], person=person, since=since)
    return Step(name=name, state="left_out" if _is_left_out(name, reached) else "ahead")


def _person(dispute: Dispute) -> str | None:
    """Return who is to rule: who ruled what the second reviewer does not agree with, or who stood by."""
    return dispute.ruling.ruled_by if dispute.ruling is not None else dispute.about.supervisor


def next_step(steps: Iterable[Step]) -> Step | None:
    """Return the step that a dispute waits for; None if it is closed."""
    return next((each for each in steps if each.state == "next"), None)
