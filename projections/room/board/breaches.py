"""What was taken or closed later than it was due, or is not yet although it is due."""

from collections.abc import Callable, Container, Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from projections.hand.findings import Severity
from projections.room.board.coming import Came
from projections.room.work.work import Case
from schemas.values import Micros

Step: TypeAlias = Literal["taken", "closed"]


class Breach(Struct, frozen=True, kw_only=True):
    """An alert that was not taken, or not closed, when it was due.

    `done` is when it was after all, None where it still is not. `who` had it or closed it, None where nobody
    has.
    """

    alert: str
    about: str
    table: str
    check: str
    severity: Severity
    step: Step
    due: Micros
    done: Micros | None
    who: str | None

    def late(self, now: Micros) -> int:
        """Give by how many whole minutes it was, or is, over its time."""
        return ((self.done if self.done is not None else now) - self.due) // 60_000_000


def breaches(
    came: Iterable[Came], case_of: Callable[[str], Case], standing: Container[str], now: Micros
) -> list[Breach]:
    """Find what was over its time among alerts, by their cases, in the order of their due times.

    `came` is how each came the last time. A case that was opened again is as open as before. Of what stands
    no more and was never touched nothing was due any more.
    """
    found: list[Breach] = []
    for each in came:
        case = case_of(each.id)
        if each.id not in standing and case.changed is None:
            continue
        closed = case.closed if case.state == "closed" else None
        steps: tuple[tuple[Step, Micros, Micros | None, str | None], ...] = (
            ("taken", each.taken_due, case.acknowledged, case.owner or case.closed_by),
            ("closed", each.closed_due, closed, case.closed_by or case.owner),
        )
        for step, due, done, who in steps:
            if (done if done is not None else now) > due:
                found.append(_breach(each, step, due, done, who))
    return sorted(found, key=lambda breach: (breach.due, breach.alert, breach.step))


def _breach(each: Came, step: Step, due: Micros, done: Micros | None, who: str | None) -> Breach:
    return Breach(
        alert=each.id,
        about=each.about,
        table=each.table,
        check=each.check,
        severity=each.severity,
        step=step,
        due=due,
        done=done,
        who=who,
    )
