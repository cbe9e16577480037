"""Sealing and closing a day: the journal into Parquet, name after name, then a signed checkpoint."""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from projections.engine.checks.plugin_checks import software
from projections.evidence import merkle_tree
from projections.evidence.checkpoint import (
    Body,
    Checkpoint,
    CheckpointEntry,
    Lost,
    entries_root,
    public,
    read,
    write,
)
from projections.store.disk import atomic_output, sha256_of
from schemas.errors import BadInput
from schemas.house import House
from schemas.values import moment
from streams.archive import sealed_files
from streams.archive import sealed_files as sealed
from streams.archive.checkpoint_chain import (
    Found,
    chain,
    files,
    is_kept,
    log_breach,
    newest,
    overlapping,
    planted_files,
    reference_to,
    secret_of,
)
from streams.archive.checkpoint_chain import sealed_files as checkpoint_chain_sealed_files
from streams.archive.journal import Journal
from streams.archive.layout import LOGS, day_of
from streams.archive.record_names import (
    HOUSE,
    HOUSES,
    JOURNAL,
    SALT,
    KafkaRecord,
    checkpoint_file,
    days_of,
    folder_of,
    part_of,
)

# ── Sealing a day: from the journal into Parquet, one name after another ──────────────────────────────
# In this order, so that it can end at any moment and be done again: the file is written under another name,
# the disk has it, it gets its name; it is read back and each record compared by its hash; the journal drops
# them. Done again, records that a part has already are compared and dropped, not written twice.

# A day is left open for so long after its end: the lateness window of the house, and for what is under way.
MARGIN: Final = 10 * 60 * 1_000_000  # microseconds
_ROWS_AT_ONCE: Final = 200_000  # more than a table has in a day; a limit for memory


class Sealed(Struct, frozen=True):
    """A step of sealing: how many records of a topic and name the journal gave up, and their payloads' bytes.

    A part that was written and still has to be compared is a step of 0 records.
    """

    topic: str
    name: str
    records: int = 0
    size: int = 0


def days_due(journal: Journal, house: House, mark: int) -> list[date]:
    """Return the days that are over by a moment (microseconds UTC), with the lateness window and a margin."""
    late = house.lateness_seconds * 1_000_000 + MARGIN
    return [day for day, received in journal.days() if house.gaming_day(received)[2] + late <= mark]


def closed_days(journal: Journal, house: House, now: int) -> list[date]:
    """Return the days that have ended by a moment, microseconds UTC."""
    return [day for day, received in journal.days() if house.gaming_day(received)[2] <= now]


def seal(journal: Journal, archive: Path, day: date) -> Iterator[Sealed]:
    """Seal what the journal has of a day, step by step; it may be left after any of them.

    Raises:
        BadInput: the disk does not take it, or a sealed file does not have what the journal has; the journal
            keeps it.
    """
    since = journal.clusters()
    for topic, name in journal.filed(day):
        folder = folder_of(archive, day, topic)
        while records := journal.rows(day, topic, name, _ROWS_AT_ONCE):
            digests = sealed_files.digests(folder, name)
            fresh = [each for each in records if each.position not in digests]
            for (cluster, _), stretch in groupby(fresh, lambda each: each.position[:2]):
                sealed_files.write(folder, name, list(stretch), since[cluster])
                yield Sealed(topic, name)
            _compare(folder, name, records)
            journal.forget(records)
            yield Sealed(topic, name, len(records), sum(len(each.payload or b"") for each in records))


def _compare(folder: Path, name: str, records: list[KafkaRecord]) -> None:
    digests = sealed_files.digests(folder, name)
    for each in records:
        if digests.get(each.position) != each.digest():
            raise BadInput(
                f"{folder}/{name}: record {each.topic}/{each.partition}/{each.offset} is not sealed as it is "
                "in the journal, which keeps it; set the files of that name aside and seal again"
            )


# ── Closing an archive's days: a checkpoint for each that is sealed, naming what is new or has changed ────
# What is not known to be as the archiver made it is not signed: a log that was cut, a house file without
# its version, a late record that is there already, a snapshot that was changed.

_SECRET: Final = 32  # bytes


class DayCloser:
    """Contents of an archive's checkpoints, read once, and the days that are still to be closed.

    Raises:
        BadInput: the chain is broken.
    """

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self._checkpoints = list(chain(archive))
        self._last, self._known = newest(iter(self._checkpoints))
        self._sound: dict[str, tuple[int, int]] = {}  # snapshots that are as closed, by path

    def drop_changed_snapshots(self) -> list[str]:
        """Remove snapshots of closed days that are not as they were closed; return their paths.

        They are derived data, not evidence. One that is not known to be our own is not used, and never
        signed. They can be made again.
        """
        closed = {each.body.day for each in self._checkpoints}
        dropped = []
        for found in checkpoint_chain_sealed_files(
            self.archive, (day for day in days_of(self.archive) if day in closed)
        ):
            if found.kind != "snapshots":
                continue
            file, entry = self.archive / found.path, self._known.get(found.path)
            if entry is not None and entry.sha256 == sha256_of(file):
                self._sound[found.path] = _stamp(file)
            else:
                file.unlink()
                dropped.append(found.path)
        return dropped

    def close(self, house: str, key: Ed25519PrivateKey, now: int) -> Iterator[Checkpoint]:
        """Close each sealed day that has files which no checkpoint names yet; `now` in microseconds UTC.

        Where only snapshots or house files are new, the day that was closed last is closed again. It may be
        left after any of them.

        Raises:
            BadInput: a file cannot be read, the disk does not take a checkpoint, or what is there may not be
                signed: a log that was cut or changed, a house file without its version, a record that another
                part has already.
        """
        archive, last = self.archive, self._last
        secret = _secret(archive, last)
        for log in LOGS:
            if (reason := log_breach(archive, log, self._checkpoints)) is not None:
                raise BadInput(
                    f"{archive / log}: {reason}; put it back as it was, and no day is closed before"
                )
        _refuse_unknown_house(archive)
        made = (self._fresh(found, secret) for found in files(archive))
        fresh = [entry for entry in made if entry is not None]
        self._refuse_doubles(fresh)
        parts = [each for each in fresh if each.kind == "part"]
        others = [each for each in fresh if each.kind != "part"]
        days = sorted({day for each in parts if (day := day_of(each.path)) is not None})
        if not days and last is not None and any(each.kind != "log" for each in others):
            days = [last.body.day]
        entries_of: dict[date, list[CheckpointEntry]] = {day: [] for day in days}
        for each in fresh if days else ():
            own = day_of(each.path)
            # What is of none of them goes with the first.
            entries_of[own if own in entries_of else days[0]].append(each)
        for day in days:
            entries = entries_of[day]
            entries.sort(key=lambda each: each.path.encode())
            body = Body(
                house=house,
                archive=last.body.archive if last is not None else secrets.token_hex(16),
                number=last.body.number + 1 if last is not None else 1,
                day=day,
                closed=moment(now).replace(microsecond=0),
                before=reference_to(last) if last is not None else None,
                salt=hashlib.sha256(secret).hexdigest(),
                entries=len(entries),
                root=entries_root(entries),
                missing=_missing(archive),
                software=software(),
                key=public(key),
            )
            text = write(body, entries, key)
            file = checkpoint_file(archive, body.number)
            with atomic_output(file) as out:
                out.write(text)
            last = read(text, str(file))
            yield last

    def _fresh(self, found: Found, secret: bytes) -> CheckpointEntry | None:
        """Make an entry for a file that is new or has changed; a known part never changes."""
        entry = self._known.get(found.path)
        if entry is not None and found.kind in ("part", "house"):
            return None
        if self._sound.get(found.path) == _stamp(self.archive / found.path):
            return None
        made = entry_of(self.archive, found, secret)
        return made if made != entry else None

    def _refuse_doubles(self, fresh: Iterable[CheckpointEntry]) -> None:
        """Check that what came late has no record that a closed part of its name has already.

        A part of the same topic: in another one the same offset is another record.
        """
        for entry in fresh:
            file = self.archive / entry.path
            found = part_of(file.name) if entry.kind == "part" else None
            if found is None or found[1] == 1:
                continue
            part = sealed.stretch_of(file)
            stretch = part.stream, part.first, part.last
            others = overlapping(self.archive, self._known, (entry.topic, entry.table), stretch)
            positions = {record.position for other in others for record in sealed.read(other)}
            if any(record.position in positions for record in sealed.read(file)):
                raise BadInput(
                    f"{file}: has records that another closed part has; it is not signed: set it aside"
                )


def _stamp(file: Path) -> tuple[int, int]:
    """Return what differs whenever a file is written, without reading it."""
    stat = file.stat()
    return stat.st_ino, stat.st_mtime_ns


def _refuse_unknown_house(archive: Path) -> None:
    """Check that the newest house file is one of those that are stored by their time."""
    newest_one = archive / HOUSE
    if newest_one.is_file() and not is_kept(archive, newest_one.read_bytes()):
        raise BadInput(f"{newest_one}: is none of those in {HOUSES}/, where the archiver keeps every version")


def entry_of(archive: Path, found: Found, secret: bytes) -> CheckpointEntry:
    """Hash a file; of a part also rebuild the tree over its records.

    Raises:
        BadInput: a part cannot be read.
    """
    path, kind = found.path, found.kind
    text = (archive / path).read_bytes()
    size, digest = len(text), hashlib.sha256(text).hexdigest()
    if kind != "part":
        return CheckpointEntry(path, kind, size, digest)
    of = planted_files(archive, path, secret)
    records, leaves, root = len(of.positions), len(of.hashes), merkle_tree.root(of.hashes).hex()
    return CheckpointEntry(path, kind, size, digest, of.table, of.topic, records, leaves, root)


def _secret(archive: Path, last: Checkpoint | None) -> bytes:
    """Read the secret, or make it where no day was closed yet; then it has to be the one that was signed."""
    if last is None and not (archive / SALT).is_file():
        with atomic_output(archive / SALT) as out:
            out.write(secrets.token_bytes(_SECRET))
    secret = secret_of(archive)
    if last is not None and hashlib.sha256(secret).hexdigest() != last.body.salt:
        raise BadInput(f"{archive / SALT}: is not the one that checkpoint {last.body.number} was made with")
    return secret


def _missing(archive: Path) -> tuple[Lost, ...]:
    if not (archive / JOURNAL).is_file():
        return ()
    with Journal(archive) as journal:
        return tuple(
            Lost(each.cluster, each.topic, each.partition, each.first, each.last)
            for each in journal.missing()
        )
