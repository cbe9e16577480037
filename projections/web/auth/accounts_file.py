"""The file of accounts beside a store: SQLite, which several processes may read and write at once."""

import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Final, TypeAlias

from schemas.errors import BadInput

Now: TypeAlias = Callable[[], int]  # seconds since 1970 UTC

FORMAT: Final = 3
_SQL: Final = Path(__file__).with_name("accounts.sql")
# Tables that came later, each in a script of its name: a file that was made before gets them too.
_LATER: Final = tuple(
    _SQL.with_name(f"{name}.sql")
    for name in ("belongs", "known_as", "session_details", "last_logins", "scoped_tokens", "second_factors")
)
# What makes a file of another format one of the next.
_TO_NEXT: Final = {2: _SQL.with_name("to_format_3.sql")}
_WAIT: Final = 5.0  # seconds for another process to end its transaction; each takes milliseconds
_KEY: Final = 32  # bytes


def accounts_of(store: Path) -> Path:
    """Return the file of accounts of a store.

    >>> str(accounts_of(Path("var/live.duckdb")))
    'var/live.duckdb.accounts'
    """
    return store.with_name(f"{store.name}.accounts")


def now() -> int:
    """Return the time in seconds since 1970 UTC."""
    return int(time())


class AccountsFile:
    """An open file of accounts, created if there is none; any thread may use it.

    `now` is the clock for all that is written.

    Raises:
        BadInput: the file cannot be made or opened, or is no file of accounts.
    """

    def __init__(self, path: Path, now: Now = now) -> None:
        self.path, self.now = path, now
        self._lock = threading.RLock()
        self._within = False
        if not path.parent.is_dir():
            raise BadInput(
                f"{path}: there is no folder {path.parent} to make the accounts in; "
                "--store says beside which store they stand"
            )
        try:
            # SQLite's companion files get the permissions of the file.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            path.chmod(0o600)
        except OSError as error:
            raise BadInput(f"{path}: cannot be opened: {error.strerror or error}") from None
        try:
            self._db = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._check_form()
        except sqlite3.Error as error:
            raise BadInput(f"{path}: cannot be opened as a file of accounts: {error}") from None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def ask(self, query: str, *parameters: object) -> list[sqlite3.Row]:
        """Query the file."""
        with self._lock:
            return self._db.execute(query, parameters).fetchall()

    def ask_named(self, query: str, parameters: Mapping[str, object]) -> list[sqlite3.Row]:
        """Query the file, with parameters that the query names."""
        with self._lock:
            return self._db.execute(query, parameters).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction that no other process writes during; one within another is part of it.

        Raises:
            BadInput: the file cannot be written.
        """
        with self._lock:
            if self._within:
                yield self._db
                return
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._within = True
                try:
                    yield self._db
                    self._db.execute("COMMIT")
                finally:
                    self._within = False
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
            except sqlite3.OperationalError as error:
                raise BadInput(f"{self.path}: cannot be written: {error}") from None

    def key(self, purpose: str) -> bytes:
        """Return the key for a purpose, which is made when it is first asked for."""
        with self.writing() as db:
            db.execute(
                "INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING",
                [purpose, secrets.token_bytes(_KEY)],
            )
            (row,) = db.execute("SELECT secret FROM secrets WHERE purpose = ?", [purpose]).fetchall()
        return bytes(row["secret"])

    def _check_form(self) -> None:
        with self.writing() as db:
            tables = {
                row["name"] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            }
            if not tables:
                _run(db, _SQL)
            elif "written_as" not in tables:
                raise BadInput(f"{self.path}: a SQLite file, but not one of accounts")
            (row,) = db.execute("SELECT format FROM written_as")
            while row["format"] in _TO_NEXT:
                _run(db, _TO_NEXT[row["format"]])
                (row,) = db.execute("SELECT format FROM written_as")
            if row["format"] != FORMAT:
                raise BadInput(f"{self.path}: accounts of format {row['format']}, this version has {FORMAT}")
            for later in _LATER:
                if later.stem not in tables:
                    _run(db, later)


def _run(db: sqlite3.Connection, script: Path) -> None:
    """Run a script statement by statement: running it whole would end the transaction."""
    query = ""
    for line in script.read_text(encoding="utf-8").splitlines(keepends=True):
        query += line
        if sqlite3.complete_statement(query):
            db.execute(query)
            query = ""
