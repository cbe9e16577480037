"""The files of an archive held to the entries that checkpoints have of them."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path

from msgspec import Struct

from projections.evidence.checkpoint import CheckpointEntry
from projections.store.disk import sha256_of
from streams.archive.checkpoint_chain import Found, is_kept
from streams.archive.layout import day_of
from streams.archive.record_names import HOUSE, RETENTION
from streams.archive.retention_log import Removal, removal_breach, removals


class Trouble(Struct, frozen=True):
    """Difference from what was closed: where, and what is wrong with it."""

    where: str
    what: str


class ArchiveFiles:
    """An archive's files and the notes on them; `today` is the day of the check."""

    def __init__(self, archive: Path, today: date) -> None:
        self.archive = archive
        self.today = today
        self.notes: list[str] = []
        self.unclosed: list[Trouble] = []  # what is the archive's own, and not closed yet
        self._removed: dict[tuple[str, str], Removal] = {
            (each.path, each.sha256): each for each in removals(archive)
        }

    def trouble(self, entry: CheckpointEntry) -> Trouble | None:
        """Check a file against the newest entry for it; None if it is as it was closed."""
        path = self.archive / entry.path
        if not path.is_file():
            return self._missing(entry)
        size = path.stat().st_size
        if entry.kind == "log":  # what it began with is held to every checkpoint elsewhere
            if size > entry.size:
                self.notes.append(
                    f"{entry.path}: {size - entry.size} bytes were added, and are not closed yet"
                )
            return None
        if size != entry.size:
            what = f"has {size} bytes, not the {entry.size} that were closed"
        elif sha256_of(path) != entry.sha256:
            what = "is not, byte for byte, what was closed"
        else:
            return None
        if entry.kind == "newest" and is_kept(self.archive, path.read_bytes()):
            self.unclosed.append(Trouble(entry.path, "is another version since the last day was closed"))
            return None
        no_evidence = "; it is no evidence: remove it, and it is made anew"
        return Trouble(entry.path, what + (no_evidence if entry.kind == "snapshots" else ""))

    def _missing(self, entry: CheckpointEntry) -> Trouble | None:
        removal = self._removed.get((entry.path, entry.sha256))
        day = day_of(entry.path)
        if entry.kind == "snapshots":
            if removal is None:
                self.notes.append(f"{entry.path}: is not there; what it held can be concluded again")
            return None
        if entry.kind != "part" or removal is None or day is None:
            return Trouble(entry.path, "is missing")
        if (reason := removal_breach(self.archive, removal, day, self.today)) is not None:
            return Trouble(entry.path, f"was removed {reason}")
        self.notes.append(f"{entry.path}: removed by {removal.by} at {removal.at}, as {RETENTION} tells")
        return None

    def unnamed(self, files: Iterable[Found], entries: Mapping[str, CheckpointEntry]) -> Iterator[Trouble]:
        """Yield the archive's own files that no checkpoint names; what may still be closed is not wrong."""
        for found in files:
            if found.path in entries:
                continue
            added = "was added since the last day was closed"
            if found.kind == "log":
                self.notes.append(f"{found.path}: {added}")
            elif found.kind == "house" or (
                found.kind == "newest" and is_kept(self.archive, (self.archive / HOUSE).read_bytes())
            ):
                self.unclosed.append(Trouble(found.path, added))
            else:
                yield Trouble(found.path, "no checkpoint names it: its day never was closed, or was before")
