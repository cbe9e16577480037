"""The store's file: how it is opened, with how much memory, its form, and a copy of one moment."""

import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

import duckdb

from schemas.errors import BadInput, DiscardrackError

# ── The store's file: how it is opened, with how much memory, and which form it must have (store.sql) ────

FORMAT: Final = 16
# How much memory DuckDB may keep a store's pages and a question's rows in, in each process that has it open;
# by default it would be four fifths of the machine's, beside a broker and the other processes of a floor.
MEMORY: Final = "DISCARDRACK_STORE_MEMORY"
USUAL_MEMORY: Final = "2GB"
_AMOUNT: Final = re.compile(r"\d+(\.\d+)? ?[KMGT]i?B")
_NO_FILE: Final = "it is no DuckDB file"
_IN_USE: Final = "another process has it open"
_HOLDER: Final = re.compile(r"PID \d+")  # of that process, where DuckDB knows it
_BEGINS: Final = b"DUCK"  # a DuckDB file, after the checksum of its first block
_SUM: Final = 8  # bytes
_SQL: Final = Path(__file__).with_name("store.sql")


class StoreLocked(BadInput):
    """Another process has the file open."""


def connect(path: Path, *, writing: bool) -> duckdb.DuckDBPyConnection:
    """Open a store's file; for writing it is created if there is none.

    Raises:
        BadInput: there is no such file or folder, another process has it open (`StoreLocked`), it is not a
            store, or DISCARDRACK_STORE_MEMORY is no amount of memory.
    """
    memory = os.environ.get(MEMORY) or USUAL_MEMORY
    if _AMOUNT.fullmatch(memory) is None:
        raise BadInput(f"{MEMORY} says {memory!r}, which is no amount of memory; write {USUAL_MEMORY}")
    if writing and not path.parent.is_dir():
        raise BadInput(f"{path}: there is no folder {path.parent} to make the store in")
    if not writing:
        check_exists(path)
    # A store needs no extension, so none is ever searched for on a network.
    try:
        opened = duckdb.connect(
            str(path),
            read_only=not writing,
            config={
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "memory_limit": memory,
            },
        )
    except duckdb.Error as error:
        message = reason(error)
        refused = StoreLocked if message.startswith(_IN_USE) else BadInput
        raise refused(f"{path}: cannot be opened as a store: {message}") from None
    try:
        _check_form(opened, path, writing=writing)
    except BadInput:
        opened.close()
        raise
    return opened


def check_exists(path: Path) -> None:
    """Raise BadInput if the store does not exist.

    Raises:
        BadInput: there is no such file.
    """
    if not path.exists():
        raise BadInput(
            f"{path}: there is no such store; `discardrack demo` makes one, and `serve` with --broker"
        )


def check_is_store(path: Path) -> None:
    """Raise BadInput if the file is no store; only its first bytes are read if another process has it open.

    Raises:
        BadInput: there is a file, and it is not a store, or it cannot be read.
    """
    try:
        with path.open("rb") as file:
            found = file.read(len(_BEGINS) + _SUM)[_SUM:]
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadInput(f"{path}: cannot be opened as a store: {error.strerror or error}") from None
    if found != _BEGINS:
        raise BadInput(f"{path}: cannot be opened as a store: {_NO_FILE}")
    with suppress(StoreLocked):
        connect(path, writing=False).close()


def rows_of(db: duckdb.DuckDBPyConnection, query: str, parameters: object = None) -> list[dict[str, Any]]:
    """Query an open store, in the transaction that the connection is in; each row by its columns."""
    found = db.execute(query, parameters)
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def reason(error: duckdb.Error) -> str:
    """Return the first line of DuckDB's reason why something failed."""
    message = str(error).partition("\n")[0].removeprefix("IO Error: ")
    if "in-memory" in message:
        return _NO_FILE
    if "set lock" not in message:
        return message
    holder = _HOLDER.search(message)
    return f"{_IN_USE}, {holder[0]}" if holder is not None else _IN_USE


def _check_form(opened: duckdb.DuckDBPyConnection, path: Path, *, writing: bool) -> None:
    # For writing, a file of JSON or of tables is opened as a view in memory: what is written then is lost.
    ((held_in,),) = opened.execute("SELECT path FROM duckdb_databases() WHERE NOT internal").fetchall()
    if held_in is None:
        raise BadInput(f"{path}: cannot be opened as a store: {_NO_FILE}")
    try:
        found = opened.execute("FROM main.written_as").fetchall()
    except duckdb.CatalogException:
        # Only here are all tables listed: for that DuckDB makes its own views, for a quarter of an opening.
        if not writing or opened.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            raise BadInput(f"{path}: a DuckDB file, but not a store of discardrack") from None
        opened.execute(f"BEGIN; {_SQL.read_text(encoding='utf-8')} COMMIT;")
        return
    if found != [(FORMAT,)]:
        raise BadInput(f"{path}: a store of format {found[0][0]}, this version has {FORMAT}; make a new one")


# ── A copy of an open store, whole and of one moment, while its writer goes on ────────────────────────

_PREFIX: Final = ".snapshot-"


def snapshot(db: duckdb.DuckDBPyConnection) -> BinaryIO:
    """Copy an open store into a file beside it and return that file, opened and already unlinked.

    Closing it frees the disk, and so does the end of the process. `db` is for this call alone: a cursor of
    the store.

    Raises:
        DiscardrackError: it cannot be copied; the disk may be full.
    """
    ((name, path),) = db.execute(
        "SELECT database_name, path FROM duckdb_databases() WHERE database_name = current_database()"
    ).fetchall()
    store = Path(path)
    with tempfile.TemporaryDirectory(dir=store.parent, prefix=_PREFIX, suffix=f"-{store.name}") as folder:
        copy = Path(folder) / "store.duckdb"
        try:
            _copy(db, name, copy)
        except duckdb.Error as error:
            raise DiscardrackError(f"{path}: cannot be copied: {reason(error)}") from None
        return copy.open("rb")


def remove_unfinished(store: Path) -> None:
    """Remove what killed copies of a store left; the caller must have the store to itself."""
    for each in store.parent.glob(f"{_PREFIX}*-*"):
        # What comes between the prefix and the store's name has no hyphen.
        if each.name.removeprefix(_PREFIX).partition("-")[2] == store.name:
            shutil.rmtree(each)


def _copy(db: duckdb.DuckDBPyConnection, name: str, copy: Path) -> None:
    # All connections of the process see what is attached; the folder's name is no one else's.
    attached = copy.parent.name
    file = os.fspath(copy).replace("'", "''")
    db.execute(f"ATTACH '{file}' AS {_quoted(attached)}")
    try:
        db.execute(f"COPY FROM DATABASE {_quoted(name)} TO {_quoted(attached)}")
    finally:
        db.execute(f"DETACH {_quoted(attached)}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
