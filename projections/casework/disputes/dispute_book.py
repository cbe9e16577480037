"""The book of the disputes that the command handler keeps, and the history of each."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.structs import replace

from projections.casework.actions import Actor, Context, Done
from projections.casework.disputes.dispute_actions import (
    DisputeAction,
    DisputeOpen,
    FileAction,
    PartAction,
    possible_settlements,
)
from projections.casework.disputes.dispute_state import (
    Change,
    Dispute,
    Disputes,
    free_name,
    is_hidden,
    name_of,
    part_changes,
    subject_of,
    subjects_of,
    versions,
)
from projections.casework.disputes.dispute_steps import Step, dispute_steps, next_step
from schemas.values import Micros


class DisputeBook:
    """The disputes, as they were acted on; it may be read while the command handler writes into it."""

    kinds: Final = (*get_args(DisputeAction), FileAction)

    def __init__(self) -> None:
        self._all = Disputes()
        self._steps: dict[str, tuple[Done[Any], list[Step]]] = {}  # by dispute, each with its last action

    def clear(self) -> None:
        """Clear the state; it is about to be folded again."""
        self._all, self._steps = Disputes(), {}

    def prepare(
        self, action: DisputeAction | FileAction, actor: Actor, now: Micros
    ) -> tuple[DisputeAction | FileAction, dict[str, str]]:
        """Return an action as it is to be done: a new dispute gets its name, a part the fields that it keeps.

        Raises:
            Refused: it cannot be done as things stand.
        """
        if isinstance(action, PartAction) and (dispute := self.subject_state(action)) is not None:
            action = action.with_kept_fields(dispute)
        action.refuse(self._all, Context(actor, now))
        if isinstance(action, DisputeOpen):
            name = free_name(action.id, list(self._all.disputes))
            action = replace(action, subject=subject_of(name))
        return action, {}

    def subject_state(self, action: DisputeAction | FileAction) -> Dispute | None:
        """Return the dispute that an action is about; None before it is opened."""
        return self._all.disputes.get(name_of(action.subject or ""))

    def evolve(self, done: Done[DisputeAction | FileAction]) -> None:
        """Fold what was done."""
        done.action.apply(self._all, done)

    def all(self, hidden: Collection[str] = ()) -> list[Dispute]:
        """Return the disputes except those hidden, open ones first, among these the newest."""
        all_disputes = list(self._all.disputes.items())
        visible = [each for name, each in all_disputes if not is_hidden(self._all, name, hidden)]
        return sorted(visible, key=lambda each: (each.state != "open", -each.opened, each.name))

    def one(self, name: str, hidden: Collection[str] = ()) -> Dispute | None:
        """Return a dispute by its name; None if there is none, or it is hidden."""
        found = self._all.disputes.get(name)
        return found if found is not None and not is_hidden(self._all, name, hidden) else None

    def of(self, subjects: Collection[str], hidden: Collection[str] = ()) -> list[Dispute]:
        """Return the disputes of any of these rounds and alerts in the order of `all`, except hidden ones."""
        return [each for each in self.all(hidden) if not subjects_of(each).isdisjoint(subjects)]

    def settlements(self, name: str, actor: Actor) -> set[str]:
        """Return what somebody can do to settle a dispute as it stands, by the tags of the actions."""
        return set(possible_settlements(self._all, name, actor))

    def hand_subjects(self, name: str) -> set[str]:
        """Return the subjects of the rounds and the alerts that a dispute names; empty if there is none."""
        found = self._all.disputes.get(name)
        return found.about.hand_subjects() if found is not None else set()

    def tied_to(self, subjects: Collection[str]) -> set[str]:
        """Return the subjects of the disputes that are hidden if these are."""
        names = list(self._all.disputes)
        return {subject_of(name) for name in names if is_hidden(self._all, name, subjects)}

    def done(self, name: str) -> list[Done[Any]]:
        """Return what was done to a dispute, in order."""
        return list(self._all.done.get(name, ()))

    def steps(self, name: str) -> list[Step]:
        """Return the steps of a dispute; they are folded again only if something was done to it since.

        Raises:
            KeyError: there is no such dispute.
        """
        done = list(self._all.done[name])
        last, steps = self._steps.get(name, (None, []))
        if last is not done[-1]:
            steps = dispute_steps(done)
            self._steps[name] = done[-1], steps
        return steps

    def next_step(self, name: str) -> Step | None:
        """Return the step that a dispute waits for; None if it is closed."""
        return next_step(self.steps(name))


# ── The history of a dispute ──────────────────────────────────────────────────────────────────────────


class HistoryStep(Struct, frozen=True):
    """Entry of a dispute's history: when, by whom, what, the reason of a change, and each change."""

    at: Micros
    who: str
    says: str
    why: str | None
    changes: list[Change]


def history_steps(done: Iterable[Done[Any]]) -> Iterator[HistoryStep]:
    """Yield the steps of the history of one dispute, from its opening on."""
    before: Dispute | None = None
    for each, after in versions(done):
        action: DisputeAction | FileAction = each.action
        parts = (
            ("about", "call") if before is None else (action.part,) if isinstance(action, PartAction) else ()
        )
        changes = [
            change
            for part in parts
            for change in part_changes(getattr(before, part, None), getattr(after, part), part)
        ]
        yield HistoryStep(each.at, each.who, action.describe(), getattr(action, "why", None), changes)
        before = after
