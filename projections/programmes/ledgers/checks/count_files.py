"""Were the count's controls approved, who opened its files, and before it had ended? 465a.25(a)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import StaffRef, Word, fact
from projections.engine.findings import Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.day_context import DayCase

UNLISTED: Final = Duty(
    "count_file_unlisted",
    severity="medium",
    asks="Was the file of the count opened by somebody who is listed for it, with that access?",
    false_positives="A list that the house file does not have as it was last approved.",
    cites=("465a.25(a)(2)(i)",),
    paper=None,
)
OPENED_EARLY: Final = Duty(
    "count_file_opened_early",
    severity="medium",
    asks="Did nobody outside the count room reach the figures before the count had ended?",
    false_positives="A member of the count team who was keyed in with another role.",
    cites=("465a.25(a)(2)(ii)",),
    paper=None,
)
NOT_APPROVED: Final = Duty(
    "count_not_approved",
    severity="medium",
    asks="Had the internal controls of the count been approved before the day on which boxes were counted?",
    false_positives="A day of approval that stands wrongly in the house file.",
    cites=("465a.25(a)",),
    paper=None,
)
KINDS: Final = (NOT_APPROVED, UNLISTED, OPENED_EARLY)
_COUNT_TEAM: Final = "count_team"


def check_count_approved(case: DayCase) -> Iterator[Raised]:
    """Raise a count on a gaming day before its controls were approved, where the house file has that day."""
    approved = case.house.count_approved
    if approved is not None and case.day < approved and case.count_room.counted_since is not None:
        message = fact("ledgers.count_not_approved", approved=approved.isoformat())
        yield case.raised(NOT_APPROVED, message, who="count")


def check_count_files(case: DayCase) -> Iterator[Raised]:
    """Raise files of the count that others opened, or that were opened from outside while it went on.

    Who may open them is asked of a house that lists its files.
    """
    listed = case.house.count_files
    for each in case.count_room.files_opened:
        person = StaffRef(each.by.name, each.by.role)
        who = f"{each.file} by {each.by.name} at {each.at}"
        if listed and each.by.name not in getattr(listed.get(each.file), each.access, ()):
            message = fact(
                "ledgers.count_file_unlisted", file=each.file, person=person, access=Word(each.access)
            )
            yield case.raised(UNLISTED, message, who=who)
        if each.by.role != _COUNT_TEAM and case.count_room.is_begun_by(each.at):
            message = fact("ledgers.count_file_opened_early", file=each.file, person=person)
            yield case.raised(OPENED_EARLY, message, who=who, hangs_on=["count_room"])
