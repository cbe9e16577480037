"""Sessions and tokens: who is logged in; the browser or program has a token, the file its SHA-256."""

import hashlib
import secrets
import sqlite3
from typing import Final

from projections.web.auth.access_log import Again, note
from projections.web.auth.accounts import Accounts, role_of
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.roles import Person
from schemas.errors import BadInput

# ── Sessions: who is logged in; the browser has a token, the file its SHA-256 ─────────────────────────

# A shift lasts eight to twelve hours; with the handover nobody is sent out in the middle of one.
LONGEST: Final = 13 * 3600  # seconds
# An open page asks again and again, and its stream counts as use: so long after the last page was closed.
IDLE: Final = 3600  # seconds
_TOUCH: Final = 60  # seconds between two notes that a session is in use
IN_USE: Final = 5 * _TOUCH  # seconds after such a note in which somebody counts as being there
_TOKEN: Final = 32  # bytes

_HELD: Final = """
    SELECT sessions.*, shown, role, must_change FROM sessions JOIN accounts USING (name)
    WHERE id = ? AND disabled = 0
"""


class Sessions:
    """The sessions of a file of accounts."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file

    def begin(self, name: str) -> str:
        """Begin a session of an account; gives the token for the browser, which is kept nowhere else."""
        token, now = secrets.token_urlsafe(_TOKEN), self._file.now()
        with self._file.writing() as db:
            db.execute("DELETE FROM sessions WHERE began <= ? OR seen <= ?", [now - LONGEST, now - IDLE])
            db.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?, ?)",
                [session_of(token), name, secrets.token_urlsafe(_TOKEN), now, now],
            )
        return token

    def person(self, session: str) -> Person | None:
        """Return who is logged in by a session, and note that it is in use; None where it has ended."""
        now = self._file.now()
        rows = self._file.ask(_HELD, session)
        if not rows or rows[0]["began"] <= now - LONGEST or rows[0]["seen"] <= now - IDLE:
            return None
        row = rows[0]
        if row["seen"] <= now - _TOUCH:
            with self._file.writing() as db:
                db.execute("UPDATE sessions SET seen = ? WHERE id = ?", [now, session])
        return person_of(row)

    def in_use(self) -> set[str]:
        """Return the accounts of which a session was in use within the last minutes."""
        rows = self._file.ask("SELECT DISTINCT name FROM sessions WHERE seen > ?", self._file.now() - IN_USE)
        return {str(row["name"]) for row in rows}

    def end(self, session: str) -> None:
        """End a session."""
        with self._file.writing() as db:
            db.execute("DELETE FROM sessions WHERE id = ?", [session])


def person_of(row: sqlite3.Row) -> Person:
    """Read who is let in by a row that has an account, and by which id."""
    return Person(
        name=row["name"],
        shown=row["shown"],
        role=role_of(row["role"]),
        session=row["id"],
        csrf=row["csrf"],
        must_change=bool(row["must_change"]),
    )


def session_of(token: str) -> str:
    """Return the id of the session that a token opens."""
    return hashlib.sha256(token.encode()).hexdigest()


# ── Tokens: what a program reads by instead of a login; the program has it, the file its SHA-256 ──────

DAY: Final = 86_400  # seconds
_HELD_BY_PROGRAM: Final = """
    SELECT id, name, shown, role, '' AS csrf, must_change FROM tokens JOIN accounts USING (name)
    WHERE id = ? AND until > ? AND disabled = 0
"""


class Tokens:
    """The tokens of a file of accounts, one an account."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file
        self._told = Again()

    def make(self, name: str, days: int, *, by: str) -> str:
        """Make a token of an account, which holds for so many days; one that it had ends.

        Raises:
            BadInput: there is no such account.
        """
        token, until = secrets.token_urlsafe(_TOKEN), self._file.now() + days * DAY
        with self._file.writing() as db:
            Accounts(self._file).get(name)
            db.execute("REPLACE INTO tokens VALUES (?, ?, ?)", [name, session_of(token), until])
            note(self._file, by, "token", whom=name, detail=f"made, for {days} days")
        return token

    def revoke(self, name: str, *, by: str) -> None:
        """End an account's token.

        Raises:
            BadInput: it has none.
        """
        with self._file.writing() as db:
            if not db.execute("DELETE FROM tokens WHERE name = ?", [name]).rowcount:
                raise BadInput(f"the account {name!r} has no token")
            note(self._file, by, "token", whom=name, detail="revoked")

    def until(self) -> dict[str, int]:
        """Return until when each account's token holds, in seconds UTC, whether it has ended or not."""
        return {row["name"]: row["until"] for row in self._file.ask("SELECT name, until FROM tokens")}

    def person(self, token: str) -> Person | None:
        """Return whose token has this SHA-256; None where it has ended. Nothing can be changed by it."""
        rows = self._file.ask(_HELD_BY_PROGRAM, token, self._file.now())
        return person_of(rows[0]) if rows else None

    def used(self, person: Person, route: str, address: str) -> None:
        """Note that a program reads; by the same route of the console again is noted every ten minutes."""
        if not self._told.lately((person.session, route), self._file.now()):
            note(self._file, person.name, "read", detail=f"{route} from {address}")
