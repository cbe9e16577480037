"""The checkpoints of an archive, read as a chain, and what of the archive they have to name.

docs/proofs.md is the format; `closing` writes them.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Final

from msgspec import Struct

from projections.evidence.checkpoint import Before, Checkpoint, Entry, EntryKind, read
from projections.evidence.part_leaves import contents, salted
from schemas.errors import BadInput
from streams import topics
from streams.archive import sealed_files as sealed
from streams.archive.layout import LOGS, kind_of
from streams.archive.record_names import (
    DAYS,
    HOUSE,
    HOUSES,
    QUARANTINE_FOLDER,
    SALT,
    Position,
    Stream,
    checkpoint_file,
    days_of,
    part_of,
)

_PIECE: Final = 1 << 20


class Found(Struct, frozen=True):
    """A file of an archive that a checkpoint has to name, by its path in the archive."""

    path: str
    kind: EntryKind


def chain(archive: Path) -> Iterator[Checkpoint]:
    """Read the checkpoints of an archive in their order, each held to the one before it.

    Raises:
        BadInput: one is not what was signed, or does not follow the one before.
    """
    before: Checkpoint | None = None
    number = 1
    while (file := checkpoint_file(archive, number)).is_file():
        found = read(file.read_bytes(), str(file))
        if (reason := breach(found, before, number)) is not None:
            raise BadInput(f"{file}: {reason}")
        yield found
        before, number = found, number + 1


def breach(found: Checkpoint, before: Checkpoint | None, number: int) -> str | None:
    """Return what is wrong with a checkpoint as the one of a number, after another; None where nothing is."""
    body = found.body
    if body.number != number:
        return f"is checkpoint {body.number}, not {number}"
    if body.before != (named(before) if before is not None else None):
        return "does not name the checkpoint before it"
    if before is not None and (body.archive, body.salt) != (before.body.archive, before.body.salt):
        return "is of another archive than the checkpoint before it"
    return None


def named(checkpoint: Checkpoint) -> Before:
    """Return a checkpoint as the next one does."""
    return Before(checkpoint.body.number, checkpoint.body.day, checkpoint.body_hash)


def newest(checkpoints: Iterator[Checkpoint]) -> tuple[Checkpoint | None, dict[str, Entry]]:
    """Return the last checkpoint, and of each path the entry that it was named with last."""
    last: Checkpoint | None = None
    known: dict[str, Entry] = {}
    for each in checkpoints:
        last = each
        known.update({entry.path: entry for entry in each.entries})
    return last, known


def files(archive: Path) -> Iterator[Found]:
    """Yield what checkpoints have to name: sealed parts, snapshots, house files, logs; not the journal."""
    yield from sealed_files(archive, days_of(archive))
    yield from _found(archive, sorted((archive / HOUSES).glob("*.yaml")))
    yield from _found(archive, [archive / name for name in (HOUSE, *LOGS)])


def sealed_files(archive: Path, days: Iterable[date]) -> Iterator[Found]:
    """Yield the sealed parts and snapshots of some days, those that `days_of` lists."""
    for day in days:
        folder = archive / DAYS / day.isoformat()
        found = sorted((*folder.glob("*.parquet"), *(folder / QUARANTINE_FOLDER).glob("*.parquet")))
        yield from _found(archive, found)


def _found(archive: Path, paths: Iterable[Path]) -> Iterator[Found]:
    for path in paths:
        where = path.relative_to(archive).as_posix()
        if (kind := kind_of(where)) is not None and path.is_file() and not path.is_symlink():
            yield Found(where, kind)


def log_breach(archive: Path, log: str, checkpoints: Iterable[Checkpoint]) -> str | None:
    """Return how a log is not what it began with at each checkpoint; None where it only grew."""
    closed = [
        (each.body.number, entry) for each in checkpoints for entry in each.entries if entry.path == log
    ]
    file = archive / log
    if not closed:
        return None
    if not file.is_file():
        return "is missing"
    size, hashed = 0, hashlib.sha256()
    with file.open("rb") as content:
        for number, entry in closed:
            if entry.size < size:
                return (
                    f"is shorter in checkpoint {number} than in an earlier one: it was cut, and then signed"
                )
            while size < entry.size and (piece := content.read(min(entry.size - size, _PIECE))):
                hashed.update(piece)
                size += len(piece)
            if size < entry.size:
                return f"has {size} bytes, of the {entry.size} that checkpoint {number} closed"
            if hashed.hexdigest() != entry.sha256:
                return f"its first {size} bytes are not those that checkpoint {number} closed"
    return None


def is_kept(archive: Path, house: bytes) -> bool:
    """Return True if a house file is among the versions that the archiver kept."""
    digest = hashlib.sha256(house).hexdigest()[:16]
    return any(each.read_bytes() == house for each in (archive / HOUSES).glob(f"*-{digest}.yaml"))


class Planted(Struct, frozen=True):
    """What a part's tree is made of: the name it is filed under, its topic, where its records stand.

    `hashes` are those of the tree's leaves; there are more of them than records.
    """

    table: str
    topic: str
    positions: list[Position]
    hashes: list[bytes]


def planted(archive: Path, path: str, secret: bytes) -> Planted:
    """Read a part's records, and hash the leaves that they give.

    Raises:
        BadInput: it cannot be read.
    """
    file = archive / path
    of = part_of(file.name)
    topic = topics.QUARANTINE if file.parent.name == QUARANTINE_FOLDER else topics.FRAMES
    positions: list[Position] = []

    def told() -> Iterator[bytes]:
        for record in sealed.read(file):
            positions.append(record.position)
            yield from contents(record, framed=topic == topics.FRAMES)

    hashes = list(salted(secret, path, told()))
    return Planted(of[0] if of is not None else file.stem, topic, positions, hashes)


def overlapping(
    archive: Path,
    known: Mapping[str, Entry],
    filed: tuple[str | None, str | None],
    stretch: tuple[Stream, int, int],
) -> Iterator[Path]:
    """Yield the closed parts of a topic and name that may have records of a stretch of offsets.

    `known` are the entries of closed files by their paths; `filed` is the topic and the name, as the entry of
    a part has them; `stretch` is the cluster and partition, the first offset and the last. A part that is not
    there any more is left out.

    Raises:
        BadInput: a part cannot be read.
    """
    stream, first, last = stretch
    for path, entry in known.items():
        file = archive / path
        if entry.kind == "part" and (entry.topic, entry.table) == filed and file.is_file():
            held = sealed.stretch_of(file)
            if held.stream == stream and held.first <= last and first <= held.last:
                yield file


def secret_of(archive: Path) -> bytes:
    """Read the secret that salts an archive's leaves.

    Raises:
        BadInput: there is none.
    """
    file = archive / SALT
    if not file.is_file():
        raise BadInput(f"{file}: is not there; without it no proof can be made from the archive")
    return file.read_bytes()
