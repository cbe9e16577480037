"""Scope of a viewer: nothing that is withheld, and names only if they were unmasked."""

from datetime import UTC, datetime
from typing import Final, TypeVar

from litestar.di import NamedDependency
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.disputes.dispute_state import Dispute
from projections.engine.accounts.account_lines import is_of_patron
from projections.web.auth.access_log import AccessRecorder, note
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.embargo import Hidden
from projections.web.auth.masking import Masking
from projections.web.auth.record_subjects import subject_of, within
from projections.web.auth.roles import Person
from projections.web.records.record_views import RecordView
from schemas.errors import BadInput

# ── What one person may see of a record: nothing that is withheld from them, and names masked ─────────

_T = TypeVar("_T")


class ViewerScope(Struct, frozen=True):
    """Viewer: what is withheld from them, how names are masked for them, and their access log."""

    person: Person
    hidden: Hidden
    masking: Masking
    access_recorder: AccessRecorder

    def hides(self, about: str, alert: str | None = None) -> bool:
        """Return True if a round, a shoe or an account, or an alert of it, is withheld.

        `about` is its key.
        """
        return self.hidden.hides(within(about, alert))

    def disputes(self, book: DisputeBook, record: RecordView) -> list[Dispute]:
        """Return the disputes of a round, or of what was found there, as far as they are not withheld."""
        found = (f"alert:{each.id}" for each in (*record.findings, *record.notes, *record.withdrawn))
        return book.of({f"round:{record.id}", *found}, self.hidden.subjects)

    def note_opened(self, kind: str, name: str, *about: str) -> None:
        """Note that a record was opened, which belongs to these rounds, shoes or accounts."""
        self.access_recorder.note_viewed(
            self.person, kind, name, {each for key in about for each in within(key)}
        )

    def masked(self, view: _T, about: str, alert: str | None = None) -> _T:
        """Mask the names in a view of a round, a shoe or an account, or of an alert of it."""
        return self.masking.masked(view, within(about, alert))

    def shows_names(self, about: str, alert: str | None = None) -> datetime | None:
        """Return until when this session is shown the names of what `masked` masks; None: it is not."""
        until = self.masking.until(within(about, alert))
        return datetime.fromtimestamp(until, UTC) if until is not None else None

    def without_patron_lines(self, record: RecordView) -> RecordView:
        """Leave out the lines of patrons' cash, except for finance."""
        if "finance" in self.person.rights:
            return record
        lines = [line for line in record.lines if not is_of_patron(line)]
        return replace(record, lines=lines, lines_withheld=len(record.lines) - len(lines))


def viewer_scope(
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    masking: NamedDependency[Masking],
    access_recorder: NamedDependency[AccessRecorder],
) -> ViewerScope:
    """Return what the viewer may see."""
    return ViewerScope(person, hidden, masking, access_recorder)


# ── Names that someone asked to see: for one record, in one session, for ten minutes, with the reason ────

HOLDS: Final = 600  # seconds


class Unmasking:
    """Names that the sessions of a file of accounts have unmasked."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file

    def unmask(self, person: Person, subject: str, reason: str) -> int:
        """Unmask the names of a record for a session; return until when, in seconds UTC.

        Raises:
            BadInput: the subject names no record, or no reason is given.
        """
        subject, reason = subject_of(subject), reason.strip()
        if not reason:
            raise BadInput("to see a name needs a reason")
        now = self._file.now()
        with self._file.writing() as db:
            db.execute("DELETE FROM unmasked WHERE until <= ?", [now])
            db.execute("REPLACE INTO unmasked VALUES (?, ?, ?)", [person.session, subject, now + HOLDS])
            note(self._file, person.name, "unmasked", subject, detail=reason)
        return now + HOLDS

    def of(self, person: Person) -> dict[str, int]:
        """Return the records whose names a session may see now, and until when, in seconds UTC."""
        query = "SELECT subject, until FROM unmasked WHERE session = ? AND until > ?"
        return {
            row["subject"]: row["until"] for row in self._file.ask(query, person.session, self._file.now())
        }
