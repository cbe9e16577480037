"""The files of an archive held to the entries that checkpoints have of them."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path

from msgspec import Struct

from projections.evidence.checkpoint import Entry
from streams.archive.checkpoint_chain import Found, is_kept
from streams.archive.layout import day_of
from streams.archive.record_names import HOUSE, RETENTION
from streams.archive.removals import Removal, breach, read
from streams.hashing import sha256_of


class Trouble(Struct, frozen=True):
    """Something that is not as it was closed: where, and what is wrong with it."""

    where: str
    what: str


class Held:
    """An archive's files, and what is said of them; `today` is the day on which it is asked."""

    def __init__(self, archive: Path, today: date) -> None:
        self.archive = archive
        self.today = today
        self.notes: list[str] = []
        self.unclosed: list[Trouble] = []  # what is the archive's own, and not closed yet
        self._removed: dict[tuple[str, str], Removal] = {
            (each.path, each.sha256): each for each in read(archive)
        }

    def trouble(self, entry: Entry) -> Trouble | None:
        """Hold a file to the newest entry for it; None where it is as it was closed."""
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

    def _missing(self, entry: Entry) -> Trouble | None:
        removal = self._removed.get((entry.path, entry.sha256))
        day = day_of(entry.path)
        if entry.kind == "snapshots":
            if removal is None:
                self.notes.append(f"{entry.path}: is not there; what it held can be concluded again")
            return None
        if entry.kind != "part" or removal is None or day is None:
            return Trouble(entry.path, "is missing")
        if (reason := breach(self.archive, removal, day, self.today)) is not None:
            return Trouble(entry.path, f"was removed {reason}")
        self.notes.append(f"{entry.path}: removed by {removal.by} at {removal.at}, as {RETENTION} tells")
        return None

    def unnamed(self, there: Iterable[Found], known: Mapping[str, Entry]) -> Iterator[Trouble]:
        """Tell of the archive's own files that no checkpoint names; what may still be closed is not wrong."""
        for found in there:
            if found.path in known:
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
