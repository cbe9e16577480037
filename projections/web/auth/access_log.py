"""The access log: who did or looked at what. It is append-only; each row has the hash of the one before."""

import hashlib
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.record_subjects import rounds_of_days
from projections.web.auth.roles import Person
from schemas.values import MOST_64

Deed: TypeAlias = Literal[
    "login", "login refused", "logout", "session", "password", "second factor", "token", "read", "looked",
    "unmasked", "exported", "account", "embargoed", "lifted",
]  # fmt: skip
# What may be changed about an account.
Change: TypeAlias = Literal["added", "role", "disabled", "enabled"]

NOBODY: Final = "-"  # who was not logged in
AGAIN: Final = 600  # seconds: a page that keeps itself up to date is looked at once
_OPTIONAL: Final = ("change", "role")
_FIRST: Final = "0" * 64
_PIECE: Final = 10_000  # rows
_FOLLOWING: Final = "SELECT * FROM log WHERE number > ? ORDER BY number LIMIT ?"

# What records belong to is stored outside the log (belongs.sql), so that no query reads all of it.
_GONE: Final = """
    WITH RECURSIVE gone (subject) AS (
        SELECT value FROM json_each(:hidden)
        UNION
        SELECT record FROM belongs JOIN gone ON whole = gone.subject
    )
"""
_LEFT: Final = """
    AND NOT (subject IS NOT NULL AND (
        subject IN gone
        OR EXISTS (SELECT 1 FROM json_each(:days) WHERE instr(subject || '|', value || '|') = 1)
    ))
    AND NOT (within IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(within) WHERE value IN gone))
"""


class Logged(Struct, frozen=True):
    """A row of the log: when (seconds UTC), who, what, of which record, and whose account it concerns.

    `within` is a JSON list of what the record belongs to. `change` is what was changed about the account, and
    `role` is its new role. Rows of a file that was made before it had them have neither; `detail` then has
    both in words.
    """

    at: int
    person: str
    kind: str
    subject: str | None = None
    whom: str | None = None
    detail: str | None = None
    within: str | None = None
    # What a row does not have is not in its hash either, so that the older ones keep theirs.
    change: Change | UnsetType = UNSET
    role: str | UnsetType = UNSET


_COLUMNS: Final = ", ".join(Logged.__struct_fields__)


def note(
    file: AccountsFile,
    person: str,
    kind: Deed,
    subject: str | None = None,
    whom: str | None = None,
    detail: str | None = None,
    within: Iterable[str] = (),
    *,
    change: Change | None = None,
    role: str | None = None,
) -> None:
    """Add a row; when this returns, or the transaction that it is part of ends, the disk has it.

    Raises:
        BadInput: the file cannot be written.
    """
    belongs = msgspec.json.encode(sorted(within)).decode() if within else None
    with file.writing() as db:
        last = db.execute("SELECT hash FROM log ORDER BY number DESC LIMIT 1").fetchone()
        row = Logged(file.now(), person, kind, subject, whom, detail, belongs, change or UNSET, role or UNSET)
        fields = (None if each is UNSET else each for each in msgspec.structs.astuple(row))
        values = [*fields, _hash(last["hash"] if last else _FIRST, row)]
        places = ", ".join("?" * len(values))
        db.execute(f"INSERT INTO log ({_COLUMNS}, hash) VALUES ({places})", values)  # noqa: S608


class RecentNotes:
    """Remembers what each session was noted to have done within the last ten minutes."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def is_recent(self, what: tuple[str, str], now: int) -> bool:
        """Return True if it was so of a session and what it did; where not, it is from `now` (seconds) on."""
        with self._lock:
            if self._last.get(what, now - AGAIN) > now - AGAIN:
                return True
            self._last = {each: at for each, at in self._last.items() if at > now - AGAIN}
            self._last[what] = now
        return False


class AccessRecorder:
    """Notes who looked at what."""

    def __init__(self, file: AccountsFile) -> None:
        self._file = file
        self._told = RecentNotes()

    def note_viewed(self, person: Person, kind: str, name: str, within: Iterable[str] = ()) -> None:
        """Note that a person opened a record; the same again in this session is noted every ten minutes.

        `kind` and `name` make the record's subject; `within` is what it belongs to.
        """
        subject = f"{kind}:{name}"
        if not self._told.is_recent((person.session, subject), self._file.now()):
            note(self._file, person.name, "looked", subject, within=within)

    def note_exported(self, person: Person, what: str, within: Iterable[str] = ()) -> None:
        """Note that a person took something out: the name of the file, or what it was made of."""
        note(self._file, person.name, "exported", detail=what, within=within)


def left_of(
    query: str, hidden: Collection[str], values: Mapping[str, object]
) -> tuple[str, Mapping[str, object]]:
    """Narrow a query of the log, or of other rows that have a `subject` and what it is `within`.

    Rows of a hidden record, or of one that belongs to a hidden one, are removed. The query ends in its
    conditions, and `values` are its parameters.
    """
    if not hidden:
        return query, values
    parameters = {"hidden": sorted(hidden), "days": sorted(rounds_of_days(hidden))}
    encoded = {name: msgspec.json.encode(each).decode() for name, each in parameters.items()}
    return f"{_GONE} {query} {_LEFT}", {**values, **encoded}


def broken(file: AccountsFile) -> Iterator[int]:
    """Yield the number of each row that does not follow from the one before it.

    What was cut off at the end is not seen: compare `head` with one that was written down elsewhere.
    """
    before, number, read = _FIRST, 0, -MOST_64
    while rows := file.ask(_FOLLOWING, read, _PIECE):
        for row in rows:
            if row["number"] != number + 1 or row["hash"] != _hash(before, logged(row)):
                yield row["number"]
            before, number = row["hash"], row["number"]
        read = number


def head(file: AccountsFile) -> tuple[int, str]:
    """Return the number and the hash of the last row."""
    rows = file.ask("SELECT number, hash FROM log ORDER BY number DESC LIMIT 1")
    return (rows[0]["number"], rows[0]["hash"]) if rows else (0, _FIRST)


def logged(row: sqlite3.Row) -> Logged:
    """Read a row of the log."""
    fields = {name: row[name] for name in Logged.__struct_fields__}
    return Logged(
        **{name: each for name, each in fields.items() if each is not None or name not in _OPTIONAL}
    )


def _hash(before: str, row: Logged) -> str:
    return hashlib.sha256(before.encode() + msgspec.json.encode(row)).hexdigest()
