"""Tokens: what a program reads by instead of a login; the program has it, the file its SHA-256."""

import secrets
from typing import Final

from projections.web.auth.access_log import Again, note
from projections.web.auth.accounts import Accounts
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.person import Person
from projections.web.auth.sessions import person_of, session_of
from schemas.errors import BadInput

DAY: Final = 86_400  # seconds
_TOKEN: Final = 32  # bytes
_HELD: Final = """
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
        rows = self._file.ask(_HELD, token, self._file.now())
        return person_of(rows[0]) if rows else None

    def used(self, person: Person, route: str, address: str) -> None:
        """Note that a program reads; by the same route of the console again is noted every ten minutes."""
        if not self._told.lately((person.session, route), self._file.now()):
            note(self._file, person.name, "read", detail=f"{route} from {address}")
