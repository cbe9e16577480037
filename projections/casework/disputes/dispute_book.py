"""The book of the disputes, as the desk keeps it (see `projections.casework.command_handler`)."""

from collections.abc import Collection
from typing import Any, Final, get_args

from msgspec.structs import replace

from projections.casework.cases.case_policy import Actor
from projections.casework.cases.case_state import Done
from projections.casework.disputes.dispute_actions import (
    DisputeAction,
    DisputeOpen,
    OnPart,
    free_name,
    name_of,
    subject_of,
)
from projections.casework.disputes.dispute_policy import may_settle, refuse, with_kept_fields
from projections.casework.disputes.dispute_state import (
    Dispute,
    Disputes,
    evolve,
    hands_of,
    is_hidden,
    subjects_of,
)
from schemas.values import Micros


class DisputeBook:
    """The disputes, as they were acted on; it may be read while the desk writes into it."""

    kinds: Final = get_args(DisputeAction)

    def __init__(self) -> None:
        self._all = Disputes()

    def clear(self) -> None:
        """Forget what was done; it is about to be folded again."""
        self._all = Disputes()

    def decide(
        self, action: DisputeAction, actor: Actor, now: Micros
    ) -> tuple[DisputeAction, dict[str, str]]:
        """Return an action as it is to be done: a dispute that is opened gets its name, a part what it keeps.

        Raises:
            Refused: it cannot be done as things stand.
        """
        if isinstance(action, OnPart) and (stands := self.stands(action)) is not None:
            action = with_kept_fields(stands, action)
        refuse(self._all, action, actor, now)
        if isinstance(action, DisputeOpen):
            name = free_name(action.id, list(self._all.disputes))
            action = replace(action, subject=subject_of(name))
        return action, {}

    def stands(self, action: DisputeAction) -> Dispute | None:
        """Return the dispute that an action is about; None before it is opened."""
        return self._all.disputes.get(name_of(action.subject or ""))

    def evolve(self, done: Done[DisputeAction]) -> None:
        """Fold what was done."""
        evolve(self._all, done)

    def all(self, hidden: Collection[str] = ()) -> list[Dispute]:
        """Return the disputes but those hidden, open ones first, among these the newest."""
        all_disputes = list(self._all.disputes.items())
        visible = [each for name, each in all_disputes if not is_hidden(self._all, name, hidden)]
        return sorted(visible, key=lambda each: (each.state != "open", -each.opened, each.name))

    def one(self, name: str, hidden: Collection[str] = ()) -> Dispute | None:
        """Return a dispute by its name; None where there is none, or it is hidden."""
        found = self._all.disputes.get(name)
        return found if found is not None and not is_hidden(self._all, name, hidden) else None

    def of(self, subjects: Collection[str], hidden: Collection[str] = ()) -> list[Dispute]:
        """Return the disputes of any of these rounds and alerts, but those hidden, in the order of `all`."""
        return [each for each in self.all(hidden) if not subjects_of(each).isdisjoint(subjects)]

    def settles(self, name: str, actor: Actor) -> set[str]:
        """Return what somebody can do to settle a dispute as it stands, by the names of the actions."""
        found = self.one(name, actor.hidden)
        kinds = may_settle(found, actor) if found is not None else ()
        return {str(kind.__struct_config__.tag) for kind in kinds}

    def hands(self, name: str) -> set[str]:
        """Return the subjects of the rounds and the alerts that a dispute names; none of none."""
        found = self._all.disputes.get(name)
        return hands_of(found.about) if found is not None else set()

    def gone_with(self, subjects: Collection[str]) -> set[str]:
        """Return the subjects of the disputes that are hidden where these are."""
        names = list(self._all.disputes)
        return {subject_of(name) for name in names if is_hidden(self._all, name, subjects)}

    def done(self, name: str) -> list[Done[Any]]:
        """Return what was done to a dispute, in order."""
        return list(self._all.done.get(name, ()))
