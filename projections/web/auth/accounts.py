"""Accounts: who has one, in which role; a change is noted, and ends the account's sessions and its token."""

import re
import sqlite3
from typing import Final

from msgspec import Struct

from projections.web.auth import passwords
from projections.web.auth.access_log import Change, note
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.roles import MACHINE, ROLES, Role, rights_of
from schemas.errors import BadInput

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_LONGEST: Final = 100  # characters of a name that is shown
_MACHINE: Final = "a machine has no password; it reads by a token, which discardrack user token makes"


class Account(Struct, frozen=True):
    """An account without its password: `made` in seconds UTC; who `must_change` has a password for once."""

    name: str
    shown: str
    role: Role
    made: int
    disabled: bool
    must_change: bool


class Accounts:
    """The accounts of a file. `by` is who changes one, for the log."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file

    def all(self) -> list[Account]:
        """Return the accounts by name."""
        return [_account(row) for row in self._file.ask("SELECT * FROM accounts ORDER BY name")]

    def working(self) -> list[str]:
        """Return the names of the accounts that may work on alerts."""
        return [each.name for each in self.all() if not each.disabled and "work" in rights_of(each.role)]

    def find(self, name: str) -> Account | None:
        """Return an account; None where there is none of this name."""
        rows = self._file.ask("SELECT * FROM accounts WHERE name = ?", name)
        return _account(rows[0]) if rows else None

    def get(self, name: str) -> Account:
        """Return an account.

        Raises:
            BadInput: there is none of this name.
        """
        found = self.find(name)
        if found is None:
            raise BadInput(f"there is no account {name!r}")
        return found

    def hash_of(self, name: str) -> str | None:
        """Return what is kept of an account's password; None where nobody can log in by this name."""
        rows = self._file.ask("SELECT hash FROM accounts WHERE name = ? AND disabled = 0", name)
        return rows[0]["hash"] if rows else None

    def add(
        self, name: str, shown: str, role: Role, password: str | None, *, by: str, must_change: bool = False
    ) -> None:
        """Add an account; a machine's, and no other, has no password.

        Raises:
            BadInput: the name is taken or cannot be one, or the password is refused.
        """
        _check_names(name, shown)
        kept = None
        if role != MACHINE:
            passwords.check(password or "", name)
            kept = passwords.hashed(password or "")
        elif password is not None:
            raise BadInput(_MACHINE)
        self._insert(name, shown, role, kept, by=by, must_change=must_change)

    def _insert(
        self, name: str, shown: str, role: Role, kept: str | None, *, by: str, must_change: bool
    ) -> None:
        try:
            with self._file.writing() as db:
                db.execute(
                    "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, 0, ?)",
                    [name, shown, role, kept, self._file.now(), must_change],
                )
                note(
                    self._file, by, "account", whom=name, detail=f"added as {role}", change="added", role=role
                )
        except sqlite3.IntegrityError:
            raise BadInput(f"there is an account {name!r} already") from None

    def add_known(self, name: str, shown: str, role: Role, *, by: str) -> None:
        """Add an account that is logged into by the property's login alone: it has no password.

        Raises:
            BadInput: the name is taken or cannot be one.
        """
        _check_names(name, shown)
        self._insert(name, shown, role, None, by=by, must_change=False)

    def knew(self, name: str, sub: str) -> None:
        """Remember by whom of the property's login an account is logged into."""
        with self._file.writing() as db:
            db.execute("INSERT INTO known_as VALUES (?, ?) ON CONFLICT DO NOTHING", [name, sub])

    def give_role(self, name: str, role: Role, *, by: str) -> None:
        """Set an account's role; it has to be logged into anew.

        Raises:
            BadInput: there is no such account, it is a machine's or would be, or no administrator would be
                left.
        """
        if MACHINE in (role, self.get(name).role):
            raise BadInput("a machine's account stays one, and no other becomes one; add an account")
        self._change(name, "role = ?", role, "role", by=by, role=role)

    def set_disabled(self, name: str, *, disabled: bool, by: str) -> None:
        """Let nobody log in by this name any more, or again.

        Raises:
            BadInput: there is no such account, or no administrator would be left.
        """
        change: Change = "disabled" if disabled else "enabled"
        self._change(name, "disabled = ?", disabled, change, by=by)

    def set_password(self, name: str, password: str, *, by: str, must_change: bool = False) -> None:
        """Set an account's password.

        Raises:
            BadInput: there is no such account, it is a machine's, or the password is refused.
        """
        if self.get(name).role == MACHINE:
            raise BadInput(_MACHINE)
        passwords.check(password, name)
        kept = passwords.hashed(password)
        with self._file.writing() as db:
            db.execute(
                "UPDATE accounts SET hash = ?, must_change = ? WHERE name = ?", [kept, must_change, name]
            )
            self._end(name)
            said = "a password for once" if must_change else None
            note(self._file, by, "password", whom=name, detail=said)

    def _change(
        self,
        name: str,
        what: str,
        value: object,
        change: Change,
        *,
        by: str,
        role: Role | None = None,
    ) -> None:
        with self._file.writing() as db:
            was = self.get(name)
            db.execute(f"UPDATE accounts SET {what} WHERE name = ?", [value, name])  # noqa: S608  ours
            if was.role == "administrator" and not was.disabled and not self._has_administrator():
                raise BadInput(f"{name} is the last administrator; give another account that role first")
            self._end(name)
            detail = change if role is None else f"{change} {role}"
            note(self._file, by, "account", whom=name, detail=detail, change=change, role=role)

    def _end(self, name: str) -> None:
        """End what an account has been let in by until now."""
        with self._file.writing() as db:
            db.execute("DELETE FROM sessions WHERE name = ?", [name])
            db.execute("DELETE FROM tokens WHERE name = ?", [name])

    def _has_administrator(self) -> bool:
        return any(each.role == "administrator" and not each.disabled for each in self.all())


def role_of(word: str) -> Role:
    """Read a role.

    Raises:
        BadInput: there is no such role.
    """
    every = (*ROLES, MACHINE)
    for role in every:
        if role == word:
            return role
    raise BadInput(f"{word!r} is no role; there are {', '.join(every)}")


def _check_names(name: str, shown: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise BadInput(f"{name!r}: a name is of small letters, digits and . _ -, 64 at most")
    if not shown.strip() or len(shown) > _LONGEST or not shown.isprintable():
        raise BadInput(f"the name that is shown has 1 to {_LONGEST} characters that can be printed")


def _account(row: sqlite3.Row) -> Account:
    flags = bool(row["disabled"]), bool(row["must_change"])
    return Account(row["name"], row["shown"], role_of(row["role"]), row["made"], *flags)
