"""Names that someone asked to see: for one record, in one session, for ten minutes, with the reason."""

from typing import Final

from projections.web.auth.access_log import note
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.record_subjects import subject_of
from projections.web.auth.roles import Person
from schemas.errors import BadInput

HOLDS: Final = 600  # seconds


class Unmasking:
    """What the sessions of a file of accounts have unmasked."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file

    def unmask(self, person: Person, subject: str, reason: str) -> int:
        """Let a session see the names of a record; gives until when, in seconds UTC.

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
