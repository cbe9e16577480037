"""Who did and looked at what: a log that is only added to, each row with the hash of the one before it."""

import hashlib
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from projections.console.access.file import AccountsFile

Deed: TypeAlias = Literal[
    "login", "login refused", "logout", "password", "looked", "unmasked", "exported", "account", "embargoed",
    "lifted",
]  # fmt: skip

NOBODY: Final = "-"  # who was not logged in
_FIRST: Final = "0" * 64


class Entry(Struct, frozen=True):
    """A row of the log: when (seconds UTC), who, what, of which record, and whose account it concerns."""

    at: int
    person: str
    kind: str
    subject: str | None
    whom: str | None
    detail: str | None


def note(
    file: AccountsFile,
    person: str,
    kind: Deed,
    subject: str | None = None,
    whom: str | None = None,
    detail: str | None = None,
) -> None:
    """Add a row; when this returns, or the transaction that it is part of ends, the disk has it.

    Raises:
        BadInput: the file cannot be written.
    """
    with file.writing() as db:
        last = db.execute("SELECT hash FROM log ORDER BY number DESC LIMIT 1").fetchone()
        entry = Entry(file.now(), person, kind, subject, whom, detail)
        values = [*msgspec.structs.astuple(entry), _hash(last["hash"] if last else _FIRST, entry)]
        db.execute(
            "INSERT INTO log (at, person, kind, subject, whom, detail, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
            values,
        )


def broken(file: AccountsFile) -> Iterator[int]:
    """Give the number of each row that does not follow from the one before it.

    What was cut off at the end is not seen: compare `head` with one that was written down elsewhere.
    """
    before, number = _FIRST, 0
    for row in file.ask("SELECT * FROM log ORDER BY number"):
        entry = Entry(*(row[name] for name in Entry.__struct_fields__))
        if row["number"] != number + 1 or row["hash"] != _hash(before, entry):
            yield row["number"]
        before, number = row["hash"], row["number"]


def head(file: AccountsFile) -> tuple[int, str]:
    """Give the number and the hash of the last row."""
    rows = file.ask("SELECT number, hash FROM log ORDER BY number DESC LIMIT 1")
    return (rows[0]["number"], rows[0]["hash"]) if rows else (0, _FIRST)


def _hash(before: str, entry: Entry) -> str:
    return hashlib.sha256(before.encode() + msgspec.json.encode(entry)).hexdigest()
