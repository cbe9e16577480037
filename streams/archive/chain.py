"""The checkpoints of an archive: read as a chain, and a next one written for each day that is sealed.

docs/proofs.md is the format. A checkpoint names what is new or has changed since the one before it.
"""

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from projections.evidence import tree
from projections.evidence.checkpoint import (
    Before,
    Body,
    Checkpoint,
    Entry,
    EntryKind,
    Lost,
    entries_root,
    public,
    read,
    write,
)
from projections.evidence.leaves import contents, salted
from schemas.errors import BadInput
from streams import topics
from streams.archive import sealed
from streams.archive.custody import CUSTODY
from streams.archive.disk import appearing
from streams.archive.holds import HOLDS
from streams.archive.journal import Journal
from streams.archive.kept import (
    CHECKPOINTS,
    DAYS,
    HOUSE,
    HOUSES,
    JOURNAL,
    QUARANTINE_FOLDER,
    RETENTION,
    SALT,
    days_of,
    part_of,
)

# Logs that people's deeds are added to; what they began with is closed with every day.
LOGS: Final = (CUSTODY, HOLDS, RETENTION)
_SECRET: Final = 32  # bytes
_SNAPSHOTS: Final = ".snapshots.parquet"


class Found(Struct, frozen=True):
    """A file of an archive that a checkpoint has to name, by its path in the archive."""

    path: str
    kind: EntryKind


def file_of(archive: Path, number: int) -> Path:
    """Give the file of a checkpoint."""
    return archive / CHECKPOINTS / f"{number:06}.jsonl"


def chain(archive: Path) -> Iterator[Checkpoint]:
    """Read the checkpoints of an archive in their order, each held to the one before it.

    Raises:
        BadInput: one is not what was signed, or does not follow the one before.
    """
    before: Checkpoint | None = None
    number = 1
    while (file := file_of(archive, number)).is_file():
        found = read(file.read_bytes(), str(file))
        if (reason := breach(found, before, number)) is not None:
            raise BadInput(f"{file}: {reason}")
        yield found
        before, number = found, number + 1


def breach(found: Checkpoint, before: Checkpoint | None, number: int) -> str | None:
    """Tell what is wrong with a checkpoint as the one of a number, after another; None where nothing is."""
    body = found.body
    if body.number != number:
        return f"is checkpoint {body.number}, not {number}"
    if body.before != (named(before) if before is not None else None):
        return "does not name the checkpoint before it"
    if before is not None and (body.archive, body.salt) != (before.body.archive, before.body.salt):
        return "is of another archive than the checkpoint before it"
    return None


def named(checkpoint: Checkpoint) -> Before:
    """Name a checkpoint as the next one does."""
    return Before(checkpoint.body.number, checkpoint.body.day, checkpoint.body_hash)


def newest(checkpoints: Iterator[Checkpoint]) -> tuple[Checkpoint | None, dict[str, Entry]]:
    """Give the last checkpoint, and of each path the entry that it was named with last."""
    last: Checkpoint | None = None
    known: dict[str, Entry] = {}
    for each in checkpoints:
        last = each
        known.update({entry.path: entry for entry in each.entries})
    return last, known


def files(archive: Path) -> Iterator[Found]:
    """List what checkpoints have to name: sealed parts, snapshots, house files, logs; not the journal."""
    for day in days_of(archive):
        folder = archive / DAYS / day.isoformat()
        for file in sorted((*folder.glob("*.parquet"), *(folder / QUARANTINE_FOLDER).glob("*.parquet"))):
            if not file.name.startswith("."):
                yield Found(file.relative_to(archive).as_posix(), _kind(file))
    for house in sorted((archive / HOUSES).glob("[!.]*.yaml")):
        yield Found(house.relative_to(archive).as_posix(), "house")
    yield from (Found(name, "newest") for name in (HOUSE,) if (archive / name).is_file())
    yield from (Found(name, "log") for name in LOGS if (archive / name).is_file())


def _kind(file: Path) -> EntryKind:
    return "part" if part_of(file.name) is not None else "snapshots"


def day_of(path: str) -> date | None:
    """Give the gaming day of a sealed file by its path; None for what is of no day.

    >>> day_of("days/2025-03-01/BAC-1.parquet"), day_of("house.yaml")
    (datetime.date(2025, 3, 1), None)
    """
    parts = path.split("/")
    return date.fromisoformat(parts[1]) if parts[0] == DAYS else None


def close(archive: Path, house: str, key: Ed25519PrivateKey, now: int) -> Iterator[Checkpoint]:
    """Close each sealed day that has files which no checkpoint names yet; `now` in microseconds UTC.

    Where only snapshots or house files are new, the day that was closed last is closed once more.
    It may be left after any of them.

    Raises:
        BadInput: the chain is broken, a file cannot be read, or the disk does not take a checkpoint.
    """
    last, known = newest(chain(archive))
    secret = _secret(archive, last)
    fresh = [
        entry for found in files(archive) if (entry := _fresh(archive, found, known, secret)) is not None
    ]
    parts = [each for each in fresh if each.kind == "part"]
    beside = [each for each in fresh if each.kind != "part"]
    days = sorted({day for each in parts if (day := day_of(each.path)) is not None})
    if not days and last is not None and any(each.kind != "log" for each in beside):
        days = [last.body.day]
    for day in days:
        entries = [each for each in parts if day_of(each.path) == day] + beside
        beside = []
        entries.sort(key=lambda each: each.path.encode())
        body = Body(
            house=house,
            archive=last.body.archive if last is not None else secrets.token_hex(16),
            number=last.body.number + 1 if last is not None else 1,
            day=day,
            closed=datetime.fromtimestamp(now // 1_000_000, UTC),
            before=named(last) if last is not None else None,
            salt=hashlib.sha256(secret).hexdigest(),
            entries=len(entries),
            root=entries_root(entries),
            missing=_missing(archive),
            software=version("discardrack"),
            key=public(key),
        )
        text = write(body, entries, key)
        with appearing(file_of(archive, body.number)) as out:
            out.write(text)
        last = read(text, str(file_of(archive, body.number)))
        yield last


def _fresh(archive: Path, found: Found, known: Mapping[str, Entry], secret: bytes) -> Entry | None:
    """Make an entry for a file that is new or has changed; a part that is known never changes."""
    entry = known.get(found.path)
    if entry is not None and found.kind in ("part", "house"):
        return None
    made = entry_of(archive, found, secret)
    return made if made != entry else None


def entry_of(archive: Path, found: Found, secret: bytes) -> Entry:
    """Hash a file; of a part also rebuild the tree over its records.

    Raises:
        BadInput: a part cannot be read.
    """
    path = archive / found.path
    text = path.read_bytes()
    size, digest = len(text), hashlib.sha256(text).hexdigest()
    if found.kind != "part":
        return Entry(found.path, found.kind, size, digest)
    table, topic, records, hashes = planted(archive, found.path, secret)
    return Entry(
        found.path, found.kind, size, digest, table, topic, records, len(hashes), tree.root(hashes).hex()
    )


def planted(archive: Path, path: str, secret: bytes) -> tuple[str, str, int, list[bytes]]:
    """Give the name a part is filed under, its topic, how many records it has, and the hashes of its leaves.

    Raises:
        BadInput: it cannot be read.
    """
    file = archive / path
    of = part_of(file.name)
    topic = topics.QUARANTINE if file.parent.name == QUARANTINE_FOLDER else topics.FRAMES
    records = 0

    def told() -> Iterator[bytes]:
        nonlocal records
        for record in sealed.read(file):
            records += 1
            yield from contents(record, framed=topic == topics.FRAMES)

    hashes = list(salted(secret, path, told()))
    return of[0] if of is not None else file.stem, topic, records, hashes


def secret_of(archive: Path) -> bytes:
    """Read the secret that salts an archive's leaves.

    Raises:
        BadInput: there is none.
    """
    file = archive / SALT
    if not file.is_file():
        raise BadInput(f"{file}: is not there; without it no proof can be made from the archive")
    return file.read_bytes()


def _secret(archive: Path, last: Checkpoint | None) -> bytes:
    """Read the secret, or make it where no day was closed yet; then it has to be the one that was signed."""
    if last is None and not (archive / SALT).is_file():
        with appearing(archive / SALT) as out:
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
