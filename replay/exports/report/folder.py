"""A gaming day's reports as one dated folder, which is there whole or not at all.

The folder is written under a hidden name and renamed in one step; if one exists already, the two are
exchanged in one step. So a kill at any moment leaves the old folder or the new one. What a kill leaves
unfinished is written again from the beginning by the next run: the reports are made again in any case.
"""

import ctypes
import errno
import filecmp
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from projections.store.disk import atomic_output, make_folder, sync
from replay.exports.report import About, Report
from replay.exports.report.pages import Entry, entry, list_page, report_page
from replay.exports.report.writers import about_row, as_csv, as_json, as_parquet, dumped
from replay.lists.writers import printable
from schemas.errors import BadInput
from streams import processes

MANIFEST: Final = "manifest.json"

# A file withholds nothing from anyone, the console does: who else may read a folder is the site's decision.
PRIVATE: Final = 0o700
_CWD: Final = -100  # AT_FDCWD: a path begins where the process is
_EXCHANGE: Final = 2  # RENAME_EXCHANGE
_CANNOT: Final = frozenset({errno.ENOSYS, errno.EINVAL})
_WRITERS: Final[Mapping[str, Callable[[Report], bytes]]] = {
    "html": report_page,
    "csv": as_csv,
    "parquet": as_parquet,
    "json": as_json,
}


class Written(Struct, frozen=True):
    """Result of writing a day's folder: it was not there, is byte for byte what it was, or was replaced.

    `differing` are the files that were replaced, came new or went.
    """

    folder: Path
    how: Literal["new", "unchanged", "replaced"]
    differing: tuple[str, ...] = ()


def write(out: Path, about: About, reports: Iterable[Report]) -> Written:
    """Write reports as the folder of their gaming day, `<out>/<day>`, with a manifest of its files.

    Only its owner can read it. The reports may come one by one; a restricted one goes into a folder of its
    role. The files of a folder that is there already are replaced if any differs.

    Raises:
        BadInput: the folder cannot be written, another process writes it, or one that is there was made from
            another archive, holds what no report is, or cannot be replaced in one step there.
        ValueError: two reports have one name.
    """
    day = str(about.made.gaming_day)
    target, partial = out / day, out / f".{day}.partial"
    try:
        make_folder(out)
        with processes.exclusive(out / ".lock", f"{out}: another process writes reports there; wait for it"):
            refuse_other(out, about.made.archive)
            _remove(partial)  # of a run that was killed
            partial.mkdir(mode=PRIVATE)
            _fill(partial, about, reports)
            return _put_in_place(partial, target)
    except OSError as error:
        raise BadInput(f"{target}: cannot be written: {error.strerror or error}") from None


def refuse_other(out: Path, archive: str) -> None:
    """Check that all reports of a folder were made from one archive: the figures to date add them up.

    Raises:
        BadInput: a day of it was made from another, or has a manifest that cannot be read.
    """
    for file in sorted(out.glob(f"????-??-??/{MANIFEST}")):
        if made_from(file.parent) != archive:
            raise BadInput(
                f"{file.parent}: not made from this archive, which is {archive}; "
                "name another folder with --out, or move that one away"
            )


def made_from(folder: Path) -> str | None:
    """Return from which archive a day's folder was made; None if no manifest has it.

    Raises:
        BadInput: its manifest is not one of reports.
    """
    return _manifest(folder).about.made.archive if (folder / MANIFEST).is_file() else None


class _MadeFrom(Struct):
    archive: str | None = None


class _About(Struct):
    made: _MadeFrom


class _File(Struct):
    path: str


class _Manifest(Struct):
    """Part of a manifest that is read again."""

    about: _About
    files: list[_File]


def _manifest(folder: Path) -> _Manifest:
    try:
        return _read((folder / MANIFEST).read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        raise BadInput(f"{folder}: has no manifest of reports; move it away and run again") from None


_read: Final = msgspec.json.Decoder(_Manifest).decode


def _fill(folder: Path, about: About, reports: Iterable[Report]) -> None:
    """Write every file of a folder, the manifest last."""
    entries: dict[str, Entry] = {}
    files: list[dict[str, object]] = []

    def put(name: str, content: bytes) -> None:
        with atomic_output(folder / name) as file:
            file.write(content)
        files.append({"path": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()})

    for report in reports:
        listed = entry(report)
        if listed.place in entries:
            raise ValueError(f"two reports are called {listed.place}")
        entries[listed.place] = listed
        if report.restricted is not None:
            (folder / report.restricted).mkdir(mode=PRIVATE, exist_ok=True)
        for ending, form in _WRITERS.items():
            put(f"{listed.place}.{ending}", form(report))
    put("index.html", list_page(about, list(entries.values())))
    files.sort(key=itemgetter("path"))
    put(MANIFEST, dumped({"about": about_row(about), "files": files}))


def _put_in_place(partial: Path, target: Path) -> Written:
    """Rename a folder in one step; the one that has the name goes, if it is not the same."""
    if not target.exists():
        partial.rename(target)
        sync(target.parent)
        return Written(target, "new")
    _refuse_foreign(target)
    differing = _differing(partial, target)
    if differing:
        _exchange(partial, target)
        sync(target.parent)
    _remove(partial)
    return Written(target, "replaced" if differing else "unchanged", differing)


def _refuse_foreign(target: Path) -> None:
    """Check that a folder holds reports alone, as all of it would be replaced."""
    ours = {MANIFEST, *(each.path for each in _manifest(target).files)}
    if foreign := sorted(_files(target) - ours):
        raise BadInput(
            f"{target}: holds {printable(foreign[0])!r}, which is no report; move it away and run again"
        )


def _files(folder: Path) -> set[str]:
    return {each.relative_to(folder).as_posix() for each in folder.rglob("*") if not each.is_dir()}


def _differing(one: Path, other: Path) -> tuple[str, ...]:
    """Return the files that are in one folder only, or have other bytes in it."""
    mine, theirs = _files(one), _files(other)
    _, changed, unread = filecmp.cmpfiles(one, other, mine & theirs, shallow=False)
    return tuple(sorted({*(mine ^ theirs), *changed, *unread}))


def _exchange(one: Path, other: Path) -> None:
    """Exchange two folders in one step, for which Python has no call.

    Raises:
        BadInput: the system or its file system cannot do that.
    """
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)  # Linux has it, others have not
    if call is not None and call(_CWD, os.fsencode(one), _CWD, os.fsencode(other), _EXCHANGE) == 0:
        return
    error = ctypes.get_errno() if call is not None else errno.ENOSYS
    if error in _CANNOT:
        raise BadInput(
            f"{other}: differs from what was written now, and cannot be replaced in one step there; "
            "move it away and run again"
        )
    raise OSError(error, os.strerror(error))


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
