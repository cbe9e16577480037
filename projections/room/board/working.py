"""The book of the work: what people do about the alerts of a board (see `projections.room.desk`)."""

from collections.abc import Collection
from typing import Final, get_args

from msgspec.structs import replace

from projections.room.board.board import Board, is_hidden
from projections.room.board.taking import next_of, repeats_of
from projections.room.work.actions import MERGED_AT_ONCE, Merge, OnCase, TakeNext, WorkAction
from projections.room.work.deciding import Actor, Around, Refused, refuse
from projections.room.work.folding import evolve
from projections.room.work.work import Case, Done, Work, alert_of
from schemas.values import Micros


class WorkBook:
    """The cases of a board's alerts, as they were acted on; `grave_checks` are never muted."""

    kinds: Final = get_args(WorkAction)

    def __init__(self, board: Board, grave_checks: Collection[str]) -> None:
        self.board, self._grave_checks = board, grave_checks
        self.work = Work()

    def clear(self) -> None:
        """Forget what was done; it is about to be folded again."""
        self.work = Work()

    def decide(self, action: WorkAction, actor: Actor, now: Micros) -> tuple[WorkAction, dict[str, str]]:
        """Give an action as it is to be done, with how severe the alerts are that it concerns.

        Raises:
            Refused: it cannot be done as things stand.
        """
        if isinstance(action, Merge) and action.repeats:
            action = self._with_repeats(action, actor, now)
        refuse(self.work, action, actor, Around(now, self.board.alerts, actor.people, self._grave_checks))
        if isinstance(action, TakeNext):
            found = next_of(self.board, action.queue, self.work, now, actor.hidden)
            if found is None:
                raise Refused("There is nothing that nobody has.")
            action = replace(action, subject=f"alert:{found}")
        standing = self.board.alerts
        concerned = (alert for name in self._subjects(action) for alert in self.work.case(name).alerts)
        return action, {alert: standing[alert].severity for alert in concerned if alert in standing}

    def _with_repeats(self, action: Merge, actor: Actor, now: Micros) -> Merge:
        alert = self.board.alerts.get(alert_of(action.subject))
        known = repeats_of(self.board, alert, self.work, now) if alert is not None else ()
        repeats = (
            name
            for name in known
            if not is_hidden(self.board.alerts[name], self.board, self.work, actor.hidden)
        )
        others = dict.fromkeys([*action.others, *(f"alert:{name}" for name in repeats)])
        return replace(action, others=tuple(others)[:MERGED_AT_ONCE])

    def stands(self, action: WorkAction) -> Case | None:
        """Give the case that an action is about; None where it is about none."""
        subject = action.subject if isinstance(action, OnCase | TakeNext) else None
        return self.work.case(alert_of(subject)) if subject is not None else None

    def evolve(self, done: Done[WorkAction]) -> None:
        """Fold what was done."""
        evolve(self.work, done)

    def _subjects(self, action: WorkAction) -> list[str]:
        subject = action.subject if isinstance(action, OnCase | TakeNext) else None
        others = action.others if isinstance(action, Merge) else ()
        return [alert_of(each) for each in (subject, *others) if each is not None]
