"""A copy of an open store, whole and of one moment, while its writer goes on."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO, Final

import duckdb

from projections.store.store_file import reason
from schemas.errors import DiscardrackError

_PREFIX: Final = ".snapshot-"


def snapshot(db: duckdb.DuckDBPyConnection) -> BinaryIO:
    """Copy an open store into a file beside it and give that file, opened and with no name left.

    Whoever closes it frees the disk, and so does the end of the process. `db` is for this call alone: a
    cursor of the store.

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
    """Remove what copies of a store left when they were killed; for whoever has the store to itself."""
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
