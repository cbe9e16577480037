"""The book of the surveillance log, as the desk keeps it (see `projections.casework.command_handler`)."""

from typing import Final, get_args

from msgspec.structs import replace

from projections.casework.cases.case_policy import Actor
from projections.casework.cases.case_state import Done
from projections.casework.shift_log.log_actions import PREFIX, AnyLogAction
from projections.casework.shift_log.shift_state import Entered, Log, Shift, evolve, refuse, subject_of
from schemas.values import Micros


class LogBook:
    """The entries and shifts of the log, as they were made; it may be read while the desk writes into it."""

    kinds: Final = get_args(AnyLogAction)

    def __init__(self) -> None:
        self._log = Log()

    def clear(self) -> None:
        """Forget what was entered; it is about to be folded again."""
        self._log = Log()

    def decide(self, action: AnyLogAction, actor: Actor, now: Micros) -> tuple[AnyLogAction, dict[str, str]]:
        """Return an action as it is to be done: with what it is done to.

        Raises:
            Refused: it cannot be done as things stand.
        """
        refuse(self._log, action, actor, now)
        return replace(action, subject=subject_of(self._log, action)), {}

    def stands(self, action: AnyLogAction) -> Entered | Shift | None:
        """Return the entry or the shift that an action is about; None of an entry before it is made."""
        subject = action.subject or ""
        if subject.startswith(PREFIX):
            return self._log.entries.get(subject.removeprefix(PREFIX))
        return self._log.shifts[int(subject.rpartition(":")[2]) - 1]

    def evolve(self, done: Done[AnyLogAction]) -> None:
        """Fold what was done."""
        evolve(self._log, done)

    def entries(self) -> dict[str, Entered]:
        """Return the entries by their ids."""
        return self._log.entries.copy()

    def shifts(self) -> list[Shift]:
        """Return the shifts in order; the last runs."""
        return list(self._log.shifts)
