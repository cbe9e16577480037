"""Accounts with their roles; passwords, sessions and tokens; differences between the file and its log."""

import hashlib
import re
import secrets
import sqlite3
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY
from msgspec import Struct

from projections.web.auth.access_log import Change, RecentNotes, note
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.roles import (
    MACHINE,
    ROLES,
    Pending,
    Person,
    Right,
    Role,
    rights_in,
    rights_of,
)
from schemas.errors import BadInput

# ── Passwords: which are accepted, and how they are stored (argon2id, RFC 9106) ───────────────────────

SHORTEST: Final = 12  # characters
_LONGEST_PASSWORD: Final = 1024  # bytes: what is longer only makes work
_FEWEST: Final = 5  # different characters
# The commonest that are long enough, without what stands between their words.
_COMMON: Final = (
    "password", "passwort", "qwertyuiop", "asdfghjkl", "qwerty", "letmein", "iloveyou", "welcome", "admin",
    "administrator", "changeme", "discardrack", "surveillance", "casino", "1q2w3e4r5t6y", "1qaz2wsx3edc",
)  # fmt: skip
_AT_ONCE: Final = threading.Semaphore(2)  # each takes 64 MiB

_hasher: Final = PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)


def check(password: str, name: str) -> None:
    """Raise BadInput if a password is too short, too long or easily guessed.

    Raises:
        BadInput: the password is refused; the message gives the reason.
    """
    text = _form(password)
    if len(text) < SHORTEST:
        raise BadInput(f"the password has {len(text)} characters; {SHORTEST} are the least")
    if len(text.encode()) > _LONGEST_PASSWORD:
        raise BadInput(f"the password is longer than {_LONGEST_PASSWORD} bytes")
    plain = "".join(each for each in text.casefold() if each.isalnum())
    if len(set(text)) < _FEWEST or plain.isdigit():
        raise BadInput("the password is too simple: few characters over and over, or digits alone")
    if name.casefold() in text.casefold():
        raise BadInput("the password has the account's name in it")
    if any(plain.strip("0123456789") == each or plain == each for each in _COMMON):
        raise BadInput("the password is among the first that would be tried")


def hashed(password: str) -> str:
    """Return the hash of a password for storage."""
    with _AT_ONCE:
        return _hasher.hash(_form(password))


def is_right(password: str, password_hash: str) -> bool:
    """Return True if a password has this hash."""
    with _AT_ONCE:
        try:
            return _hasher.verify(password_hash, _form(password))
        except (VerificationError, InvalidHashError):
            return False


@cache
def of_nobody() -> str:
    """Return the hash of a password that nobody has: checking it takes as long as any other."""
    return hashed(secrets.token_hex())


def for_once() -> str:
    """Generate a password that must be changed at the first login."""
    return "-".join(secrets.token_hex(3) for _ in range(4))


def _form(password: str) -> str:
    # One letter may be typed in two ways, as one character or as a letter and an accent.
    return unicodedata.normalize("NFC", password)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Accounts and their roles; a change is logged, and ends the account's sessions and its token.

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_LONGEST: Final = 100  # characters of a name that is shown
_MACHINE: Final = "a machine has no password; it reads by a token, which discardrack user token makes"


# Letters of other alphabets that look like Latin ones, after `casefold`; and I, l and 1, 0 and O.
_LOOKALIKES: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u04cf"
    "\u03b1\u03bf\u03c1\u03bd\u03b9\u03ba\u03c501i",
    "aeopcyxljsdhlaopvlkuoll",
)


def _look(display_name: str) -> str:
    """Return a key that is equal for names that a reader cannot distinguish.

    >>> _look("Ines  Ames") == _look("INES AMES") == _look("\u0399nes Am\u0435s")
    True
    >>> _look("Ines") == _look("Inés")
    False
    """
    words = unicodedata.normalize("NFKC", display_name).casefold().translate(_LOOKALIKES).split()
    return " ".join(words)


class Account(Struct, frozen=True):
    """An account without its password: times in seconds UTC; who `must_change` has a password for once."""

    name: str
    shown: str
    role: Role
    made: int
    disabled: bool
    must_change: bool
    last_login: int | None = None


_ACCOUNTS: Final = """
    SELECT accounts.*, last_logins.at AS last_login FROM accounts LEFT JOIN last_logins USING (name)
"""


class Accounts:
    """The accounts of a file. `by` is who changes one, for the log."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file

    def all(self) -> list[Account]:
        """Return the accounts by name."""
        return [_account(row) for row in self._file.ask(f"{_ACCOUNTS} ORDER BY name")]

    def working(self) -> list[str]:
        """Return the names of the accounts that may work on alerts."""
        return self.with_right("work")

    def with_right(self, right: Right) -> list[str]:
        """Return the names of the accounts that have a right."""
        return [each.name for each in self.all() if not each.disabled and right in rights_of(each.role)]

    def find(self, name: str) -> Account | None:
        """Return an account; None if there is none of this name."""
        rows = self._file.ask(f"{_ACCOUNTS} WHERE name = ?", name)
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
        """Return the hash of an account's password; None if nobody can log in by this name."""
        rows = self._file.ask("SELECT hash FROM accounts WHERE name = ? AND disabled = 0", name)
        return rows[0]["hash"] if rows else None

    def add(
        self,
        name: str,
        display_name: str,
        role: Role,
        password: str | None,
        *,
        by: str,
        must_change: bool = False,
    ) -> None:
        """Add an account; a machine's, and no other, has no password.

        Raises:
            BadInput: the name is taken or cannot be one, or the password is refused.
        """
        _check_names(name, display_name)
        password_hash = None
        if role != MACHINE:
            check(password or "", name)
            password_hash = hashed(password or "")
        elif password is not None:
            raise BadInput(_MACHINE)
        self._insert(name, display_name, role, password_hash, by=by, must_change=must_change)

    def _insert(
        self,
        name: str,
        display_name: str,
        role: Role,
        password_hash: str | None,
        *,
        by: str,
        must_change: bool,
    ) -> None:
        try:
            with self._file.writing() as db:
                if (other := self._lookalike(name, display_name)) is not None:
                    raise BadInput(
                        f"{other} is shown or called {display_name!r} already; choose another name"
                    )
                db.execute(
                    "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, 0, ?)",
                    [name, display_name, role, password_hash, self._file.now(), must_change],
                )
                note(
                    self._file, by, "account", whom=name, detail=f"added as {role}", change="added", role=role
                )
        except sqlite3.IntegrityError:
            raise BadInput(f"there is an account {name!r} already") from None

    def _lookalike(self, name: str, display_name: str) -> str | None:
        """Return the account that a reader would take for this one; None if there is none."""
        look = _look(display_name)
        others = (each for each in self.all() if each.name != name)
        return next((each.name for each in others if look in (_look(each.shown), _look(each.name))), None)

    def add_external(self, name: str, display_name: str, role: Role, *, by: str) -> None:
        """Add an account that is logged into by the property's login alone: it has no password.

        Raises:
            BadInput: the name is taken or cannot be one.
        """
        _check_names(name, display_name)
        if self._lookalike(name, display_name) is not None:  # two of a provider's people may have one name
            display_name = f"{display_name[: _LONGEST - len(name) - 3]} ({name})"
        self._insert(name, display_name, role, None, by=by, must_change=False)

    def link_identity(self, name: str, sub: str) -> None:
        """Store the subject of the property's login provider that an account belongs to."""
        with self._file.writing() as db:
            db.execute("INSERT INTO known_as VALUES (?, ?) ON CONFLICT DO NOTHING", [name, sub])

    def give_role(self, name: str, role: Role, *, by: str) -> None:
        """Set an account's role; its user has to log in again.

        Raises:
            BadInput: there is no such account, it is a machine's or would become one, or no administrator
                would be left.
        """
        if MACHINE in (role, self.get(name).role):
            raise BadInput("a machine's account stays one, and no other becomes one; add an account")
        self._change(name, "role = ?", role, "role", by=by, role=role)

    def set_disabled(self, name: str, *, disabled: bool, by: str) -> None:
        """Disable the account of this name, or enable it again.

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
        check(password, name)
        password_hash = hashed(password)
        with self._file.writing() as db:
            db.execute(
                "UPDATE accounts SET hash = ?, must_change = ? WHERE name = ?",
                [password_hash, must_change, name],
            )
            self._end(name)
            details = "a password for once" if must_change else None
            note(self._file, by, "password", whom=name, detail=details)

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
        """End all sessions and tokens of an account."""
        with self._file.writing() as db:
            db.execute("DELETE FROM sessions WHERE name = ?", [name])
            db.execute("DELETE FROM tokens WHERE name = ?", [name])
            db.execute("DELETE FROM scoped_tokens WHERE name = ?", [name])

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


def _check_names(name: str, display_name: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise BadInput(f"{name!r}: a name is of small letters, digits and . _ -, 64 at most")
    if not display_name.strip() or len(display_name) > _LONGEST or not display_name.isprintable():
        raise BadInput(f"the name that is shown has 1 to {_LONGEST} characters that can be printed")


def _account(row: sqlite3.Row) -> Account:
    flags = bool(row["disabled"]), bool(row["must_change"])
    return Account(row["name"], row["shown"], role_of(row["role"]), row["made"], *flags, row["last_login"])


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Differences between a file of accounts and its log: somebody wrote into the file outside the console.


def unnoted(file: AccountsFile) -> Iterator[str]:
    """Yield a sentence for each account or embargo that differs from the log or is missing in it.

    Passwords are not compared: the log has neither them nor their hashes.
    """
    roles, disabled, withheld = _logged_accounts(file)
    accounts = {
        row["name"]: row for row in file.ask("SELECT name, role, disabled FROM accounts ORDER BY name")
    }
    for name, row in accounts.items():
        if name not in roles:
            yield f"nothing tells who added the account {name}"
            continue
        if row["role"] != roles[name]:
            yield f"the account {name} has the role {row['role']}; it was given the role {roles[name]}"
        if bool(row["disabled"]) is not (name in disabled):
            is_so = "disabled" if row["disabled"] else "enabled"
            yield f"the account {name} is {is_so}; nothing tells by whom"
    yield from (f"the account {name} was added and is not there" for name in sorted(roles.keys() - accounts))
    query = "SELECT subject, whom FROM embargoes WHERE lifted IS NULL"
    embargoes = {(row["subject"], row["whom"]) for row in file.ask(query)}
    for subject, whom in sorted(withheld - embargoes):
        yield f"{subject} is not withheld from {whom}; nothing tells who lifted that"
    for subject, whom in sorted(embargoes - withheld):
        yield f"{subject} is withheld from {whom}; nothing tells by whom"


def _logged_accounts(file: AccountsFile) -> tuple[dict[str, str], set[str], set[tuple[str, str]]]:
    """Return by the log each account's role, which accounts are disabled, and what is withheld from whom."""
    roles: dict[str, str] = {}
    disabled: set[str] = set()
    withheld: set[tuple[str, str]] = set()
    query = """
        SELECT kind, subject, whom, detail, change, role FROM log
        WHERE kind IN ('account', 'embargoed', 'lifted') ORDER BY number
    """
    for row in file.ask(query):
        match row["kind"], *_changed(row):
            case "embargoed", _, _:
                withheld.add((row["subject"], row["whom"]))
            case "lifted", _, _:
                withheld.discard((row["subject"], row["whom"]))
            case _, "disabled", _:
                disabled.add(row["whom"])
            case _, "enabled", _:
                disabled.discard(row["whom"])
            case _, "added" | "role", role:
                roles[row["whom"]] = role or ""
    return roles, disabled, withheld


def _changed(row: sqlite3.Row) -> tuple[str | None, str | None]:
    """Return what a row reports as changed about an account, and its new role."""
    return (row["change"], row["role"]) if row["change"] is not None else _of_format_2(row["detail"])


# ── rows of files of format 2, which had no columns for what was changed about an account ─────────────

_WORDS: Final = re.compile(r"(?P<change>added as|role) (?P<role>[a-z_]+)|disabled|enabled")


def _of_format_2(detail: str | None) -> tuple[str | None, str | None]:
    """Read what was changed about an account, and the role that it was given, from words that were written.

    >>> [_of_format_2(each) for each in ("added as auditor", "role auditor", "disabled", "the role auditor")]
    [('added', 'auditor'), ('role', 'auditor'), ('disabled', None), (None, None)]
    """
    found = _WORDS.fullmatch(detail or "")
    if found is None:
        return None, None
    return (found["change"] or found[0]).removesuffix(" as"), found["role"]


# ── Sessions: who is logged in; the browser has a token, the file its SHA-256 ─────────────────────────

# A shift lasts eight to twelve hours; with the handover no session ends in the middle of one.
LONGEST: Final = 13 * 3600  # seconds
# An open page asks again and again, and its stream counts as use: so long after the last page was closed.
IDLE: Final = 3600  # seconds
_TOUCH: Final = 60  # seconds between two notes that a session is in use
IN_USE: Final = 5 * _TOUCH  # seconds after such a note in which somebody counts as being there
_TOKEN: Final = 32  # bytes

_SESSIONS: Final = """
    SELECT sessions.*, shown, role, must_change, address, agent, pending, NULL AS scope
    FROM sessions JOIN accounts USING (name) LEFT JOIN session_details USING (id)
"""
_LONGEST_AGENT: Final = 200  # characters


class Session(Struct, frozen=True):
    """A session: whose, from when until when it was used (seconds UTC), from where, and by which browser."""

    id: str
    name: str
    began: int
    seen: int
    address: str
    agent: str
    pending: Pending | None


class Sessions:
    """The sessions of a file of accounts."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file

    def begin(self, name: str, address: str = "", agent: str = "", *, pending: Pending | None = None) -> str:
        """Begin a session of an account; return the token for the browser, which is stored nowhere else.

        `address` and `agent` describe the browser. While a step is `pending` the session opens only the pages
        to complete it.
        """
        token, now = secrets.token_urlsafe(_TOKEN), self._file.now()
        session = session_of(token)
        with self._file.writing() as db:
            db.execute("DELETE FROM sessions WHERE began <= ? OR seen <= ?", [now - LONGEST, now - IDLE])
            db.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?, ?)",
                [session, name, secrets.token_urlsafe(_TOKEN), now, now],
            )
            db.execute(
                "INSERT INTO session_details VALUES (?, ?, ?, ?)",
                [session, address, agent[:_LONGEST_AGENT], pending],
            )
            if pending != "code":
                db.execute("REPLACE INTO last_logins VALUES (?, ?)", [name, now])
        return token

    def open(self, name: str | None = None) -> list[Session]:
        """Return the sessions that have not ended, of an account or of all, the latest used first."""
        now = self._file.now()
        rows = self._file.ask(f"{_SESSIONS} WHERE disabled = 0 ORDER BY seen DESC, began DESC")
        return [
            Session(
                row["id"],
                row["name"],
                row["began"],
                row["seen"],
                row["address"] or "",
                row["agent"] or "",
                row["pending"],
            )
            for row in rows
            if name in (None, row["name"]) and _is_open(row, now)
        ]

    def complete_setup(self, name: str) -> None:
        """Open the sessions of an account that had no second factor yet."""
        with self._file.writing() as db:
            db.execute(
                """
                UPDATE session_details SET pending = NULL
                WHERE pending = 'setup' AND id IN (SELECT id FROM sessions WHERE name = ?)
                """,
                [name],
            )

    def person(self, session: str) -> Person | None:
        """Return who is logged in by a session, and note that it is in use; None if it has ended."""
        now = self._file.now()
        rows = self._file.ask(f"{_SESSIONS} WHERE sessions.id = ? AND disabled = 0", session)
        if not rows or not _is_open(rows[0], now):
            return None
        row = rows[0]
        if row["seen"] <= now - _TOUCH:
            with self._file.writing() as db:
                db.execute("UPDATE sessions SET seen = ? WHERE id = ?", [now, session])
        return person_of(row)

    def in_use(self) -> set[str]:
        """Return the accounts with a session that was in use within the last minutes."""
        query = f"{_SESSIONS} WHERE seen > ? AND pending IS NULL"
        return {str(row["name"]) for row in self._file.ask(query, self._file.now() - IN_USE)}

    def end(self, session: str) -> None:
        """End a session."""
        with self._file.writing() as db:
            db.execute("DELETE FROM sessions WHERE id = ?", [session])


def _is_open(row: sqlite3.Row, now: int) -> bool:
    return bool(row["began"] > now - LONGEST and row["seen"] > now - IDLE)


def person_of(row: sqlite3.Row) -> Person:
    """Return the person and the session's id from a row of an account."""
    return Person(
        name=row["name"],
        shown=row["shown"],
        role=role_of(row["role"]),
        session=row["id"],
        csrf=row["csrf"],
        must_change=bool(row["must_change"]),
        pending=row["pending"],
        scope=rights_in(msgspec.json.decode(row["scope"])) if row["scope"] is not None else None,
    )


def session_of(token: str) -> str:
    """Return the id of the session that a token opens."""
    return hashlib.sha256(token.encode()).hexdigest()


# ── Tokens: what a program reads by instead of a login; the program has it, the file its SHA-256 ──────

DAY: Final = 86_400  # seconds
_HELD_BY_PROGRAM: Final = """
    SELECT id, name, shown, role, '' AS csrf, must_change, NULL AS pending, scope
    FROM (
        SELECT id, name, until, NULL AS scope FROM tokens
        UNION ALL SELECT id, name, until, scope FROM scoped_tokens
    ) JOIN accounts USING (name)
    WHERE id = ? AND until > ? AND disabled = 0
"""
# What a token may be made for on a page: to read, but neither a copy of the store nor names.
SCOPES: Final[tuple[Right, ...]] = ("see", "read_log", "finance", "export", "audit", "health")
LONGEST_TOKEN: Final = 365  # days
_MAX_TOKENS: Final = 20  # of one account, made on its page


class ScopedToken(Struct, frozen=True):
    """A token that was made on a page: what it is for, what it may read, until when; times in seconds UTC."""

    id: str
    label: str
    scope: list[str]
    made: int
    until: int
    used: int | None


class Tokens:
    """The tokens of a file of accounts: of each account one of the server, and those of its own page."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file
        self._told = RecentNotes()

    def make(self, name: str, days: int, *, by: str) -> str:
        """Make a token of an account, valid for a number of days; an earlier token ends.

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

    def make_scoped(self, person: Person, label: str, scope: Iterable[str], days: int) -> str:
        """Make a token that reads a part of what a person may read; return it, to be shown once.

        Raises:
            BadInput: it has no name, too many days, a right that the person lacks, or there are too many.
        """
        label, rights = label.strip(), rights_in(scope)
        if not label or len(label) > _LONGEST or not label.isprintable():
            raise BadInput(f"what the token is for has 1 to {_LONGEST} characters")
        if not 1 <= days <= LONGEST_TOKEN:
            raise BadInput(f"a token holds for 1 to {LONGEST_TOKEN} days")
        if not rights or rights - (person.rights & set(SCOPES)):
            raise BadInput("choose what the token may read, of what you may read yourself")
        token, now = secrets.token_urlsafe(_TOKEN), self._file.now()
        with self._file.writing() as db:
            tokens = self.scoped(person.name)
            if len(tokens) >= _MAX_TOKENS or any(each.label == label for each in tokens):
                raise BadInput(
                    f"there is a token {label!r} already, or there are {_MAX_TOKENS}; revoke one first"
                )
            db.execute(
                "INSERT INTO scoped_tokens VALUES (?, ?, ?, ?, ?, ?, NULL)",
                [
                    session_of(token),
                    person.name,
                    label,
                    msgspec.json.encode(sorted(rights)).decode(),
                    now,
                    now + days * DAY,
                ],
            )
            detail = f"made, {label!r}, for {days} days, to {', '.join(sorted(rights))}"
            note(self._file, person.name, "token", whom=person.name, detail=detail)
        return token

    def scoped(self, name: str) -> list[ScopedToken]:
        """Return the tokens that an account's page made and that have not ended, the newest first."""
        query = "SELECT * FROM scoped_tokens WHERE name = ? AND until > ? ORDER BY made DESC, label"
        return [
            ScopedToken(
                row["id"],
                row["label"],
                msgspec.json.decode(row["scope"], type=list[str]),
                row["made"],
                row["until"],
                row["used"],
            )
            for row in self._file.ask(query, name, self._file.now())
        ]

    def revoke_scoped(self, name: str, token: str, *, by: str) -> None:
        """End a token of an account's page.

        Raises:
            BadInput: there is none of this id.
        """
        with self._file.writing() as db:
            rows = db.execute(
                "DELETE FROM scoped_tokens WHERE name = ? AND id = ? RETURNING label", [name, token]
            ).fetchall()
            if not rows:
                raise BadInput("there is no such token any more")
            note(self._file, by, "token", whom=name, detail=f"revoked, {rows[0]['label']!r}")

    def until(self) -> dict[str, int]:
        """Return until when each account's token holds, in seconds UTC, whether it has ended or not."""
        return {row["name"]: row["until"] for row in self._file.ask("SELECT name, until FROM tokens")}

    def person(self, token: str) -> Person | None:
        """Return the owner of the token with this SHA-256; None if it has ended. It allows no changes."""
        rows = self._file.ask(_HELD_BY_PROGRAM, token, self._file.now())
        return person_of(rows[0]) if rows else None

    def used(self, person: Person, route: str, address: str) -> None:
        """Note that a program reads; by the same route of the console again is noted every ten minutes."""
        if not self._told.is_recent((person.session, route), self._file.now()):
            with self._file.writing() as db:
                db.execute(
                    "UPDATE scoped_tokens SET used = ? WHERE id = ?", [self._file.now(), person.session]
                )
            note(self._file, person.name, "read", detail=f"{route} from {address}")
