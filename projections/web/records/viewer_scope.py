"""What one person may see of a record: nothing that is withheld from them, and names masked."""

from datetime import UTC, datetime
from typing import TypeVar

from litestar.di import NamedDependency
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.disputes.dispute_state import Dispute
from projections.engine.accounts.account_lines import is_of_patron
from projections.web.auth.access_log import Looking
from projections.web.auth.embargo import Hidden
from projections.web.auth.masking import Masking
from projections.web.auth.record_subjects import within
from projections.web.auth.roles import Person
from projections.web.records.record_views import Told

_T = TypeVar("_T")


class Sight(Struct, frozen=True):
    """Who looks, what is withheld from them, how names are masked for them, and the log of what they open."""

    person: Person
    hidden: Hidden
    masking: Masking
    looking: Looking

    def hides(self, about: str, alert: str | None = None) -> bool:
        """Return True if a round, a shoe or an account, or an alert of it, is withheld.

        `about` is its key.
        """
        return self.hidden.hides(within(about, alert))

    def disputes(self, book: DisputeBook, told: Told) -> list[Dispute]:
        """Return the disputes of a round, or of what was found there, as far as they are not withheld."""
        found = (f"alert:{each.id}" for each in (*told.findings, *told.notes, *told.withdrawn))
        return book.of({f"round:{told.id}", *found}, self.hidden.subjects)

    def opened(self, kind: str, name: str, *about: str) -> None:
        """Note that a record was opened, which belongs to these rounds, shoes or accounts."""
        self.looking.looked(self.person, kind, name, {each for key in about for each in within(key)})

    def masked(self, told: _T, about: str, alert: str | None = None) -> _T:
        """Mask the names in what is told of a round, a shoe or an account, or of an alert of it."""
        return self.masking.masked(told, within(about, alert))

    def shows_names(self, about: str, alert: str | None = None) -> datetime | None:
        """Return until when this session is shown the names of what `masked` masks; None: it is not."""
        until = self.masking.until(within(about, alert))
        return datetime.fromtimestamp(until, UTC) if until is not None else None

    def left_of(self, told: Told) -> Told:
        """Leave out the lines of patrons' cash, but for finance."""
        if "finance" in self.person.rights:
            return told
        lines = [line for line in told.lines if not is_of_patron(line)]
        return replace(told, lines=lines, lines_withheld=len(told.lines) - len(lines))


def sight(
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    masking: NamedDependency[Masking],
    looking: NamedDependency[Looking],
) -> Sight:
    """Return what the person who asks may see."""
    return Sight(person, hidden, masking, looking)
