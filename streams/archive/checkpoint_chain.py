"""The checkpoints of an archive: read as a chain, and by name without reading all of it."""

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projections.evidence.checkpoint import Checkpoint, CheckpointEntry, EntryKind, PreviousCheckpoint, read
from projections.evidence.part_leaves import contents, salted
from projections.store.disk import sha256_of
from schemas.errors import BadInput
from streams import topics
from streams.archive import sealed_files as sealed
from streams.archive.layout import LOGS, kind_of
from streams.archive.record_names import (
    CHECKPOINTS,
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

# ── The checkpoints of an archive, read as a chain, and what of the archive they have to name ─────────
# docs/proofs.md is the format; `day_sealing` writes them.

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


def breach(checkpoint: Checkpoint, before: Checkpoint | None, number: int) -> str | None:
    """Return what is wrong with a checkpoint as the one of a number, after another; None if nothing is."""
    body = checkpoint.body
    if body.number != number:
        return f"is checkpoint {body.number}, not {number}"
    if body.before != (reference_to(before) if before is not None else None):
        return "does not name the checkpoint before it"
    if before is not None and (body.archive, body.salt) != (before.body.archive, before.body.salt):
        return "is of another archive than the checkpoint before it"
    return None


def reference_to(checkpoint: Checkpoint) -> PreviousCheckpoint:
    """Return a checkpoint as the next one does."""
    return PreviousCheckpoint(checkpoint.body.number, checkpoint.body.day, checkpoint.body_hash)


def newest(checkpoints: Iterator[Checkpoint]) -> tuple[Checkpoint | None, dict[str, CheckpointEntry]]:
    """Return the last checkpoint, and of each path the entry that it was named with last."""
    last: Checkpoint | None = None
    entries: dict[str, CheckpointEntry] = {}
    for each in checkpoints:
        last = each
        entries.update({entry.path: entry for entry in each.entries})
    return last, entries


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
    """Return how a log is not what it began with at each checkpoint; None if it only grew."""
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
    """Return True if a house file is among the versions that the archiver stored."""
    digest = hashlib.sha256(house).hexdigest()[:16]
    return any(each.read_bytes() == house for each in (archive / HOUSES).glob(f"*-{digest}.yaml"))


class Planted(Struct, frozen=True):
    """Contents of a part's tree: the name it is filed under, its topic, where its records stand.

    `hashes` are those of the tree's leaves; there are more of them than records.
    """

    table: str
    topic: str
    positions: list[Position]
    hashes: list[bytes]


def planted_files(archive: Path, path: str, secret: bytes) -> Planted:
    """Read a part's records, and hash the leaves that they give.

    Raises:
        BadInput: it cannot be read.
    """
    file = archive / path
    of = part_of(file.name)
    topic = topics.QUARANTINE if file.parent.name == QUARANTINE_FOLDER else topics.FRAMES
    positions: list[Position] = []

    def leaves() -> Iterator[bytes]:
        for record in sealed.read(file):
            positions.append(record.position)
            yield from contents(record, framed=topic == topics.FRAMES)

    hashes = list(salted(secret, path, leaves()))
    return Planted(of[0] if of is not None else file.stem, topic, positions, hashes)


def overlapping(
    archive: Path,
    entries: Mapping[str, CheckpointEntry],
    filed: tuple[str | None, str | None],
    stretch: tuple[Stream, int, int],
) -> Iterator[Path]:
    """Yield the closed parts of a topic and name that may have records of a stretch of offsets.

    `entries` are those of closed files by their paths; `filed` is the topic and the name, as the entry of
    a part has them; `stretch` is the cluster and partition, the first offset and the last. A part that is not
    there any more is left out.

    Raises:
        BadInput: a part cannot be read.
    """
    stream, first, last = stretch
    for path, entry in entries.items():
        file = archive / path
        if entry.kind == "part" and (entry.topic, entry.table) == filed and file.is_file():
            part = sealed.stretch_of(file)
            if part.stream == stream and part.first <= last and first <= part.last:
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


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Which sealed files of a name the checkpoints have, found without reading every entry of every checkpoint.
#
# A checkpoint's entries are lines that name their path first, so what one table has of a year is found in
# the bytes. What was found stays for as long as the process runs; of later checkpoints only the new ones
# are read.

_ENTRY: Final = re.compile(
    rb'\{"path":"(days/[^"]+)","kind":"(?:part|snapshots)","size":\d+,"sha256":"([0-9a-f]{64})"'
)
_NUMBER: Final = re.compile(r"(\d{6,})\.jsonl")


class NamedFile(Struct, frozen=True):
    """A file as the newest checkpoint that names it has it: that one's number, and the file's SHA-256."""

    number: int
    sha256: str


class _Head(Struct):
    """Place of a checkpoint by its body: the one before, its day, the key by which it is signed."""

    before: dict[str, object] | None
    day: date
    key: str


class _Read(Struct):
    """Findings so far: files by their paths, the body of each checkpoint, the newest one's stamp."""

    files: dict[str, NamedFile] = {}
    bodies: dict[int, bytes] = {}
    stamp: tuple[int, int] = (0, 0)


_READ: Final[dict[tuple[Path, str], _Read]] = {}
_body: Final = msgspec.json.Decoder(_Head)


def closed_files(archive: Path, name: str) -> Mapping[str, NamedFile] | None:
    """Return the parts and snapshots of a name that checkpoints have, by path in the archive.

    The name is one of `record_names.file_name`. None if the archive has no checkpoint at all. Whether a
    checkpoint is what was signed is not looked at.
    """
    return _read(archive, name, numbers).files if (numbers := _numbers(archive)) else None


def is_as_closed(archive: Path, file: Path, name: str) -> bool:
    """Return True if a file of a name is, byte for byte, what the checkpoint of its day closed.

    That checkpoint must have the signature of the newest one's key, and the next one must follow it. If not,
    as when the file was replaced or the key is another by now, the newest checkpoint that names the file
    counts. It must have a valid signature, and each later one must follow the one before it. If the archive
    has no checkpoint there is nothing to compare a file with, and the result is True.
    """
    numbers = _numbers(archive)
    if not numbers:
        return True
    sha256 = sha256_of(file)
    if _is_of_its_day(archive, file, sha256, numbers):
        return True
    found = _read(archive, name, numbers)
    named_file = found.files.get(file.relative_to(archive).as_posix())
    if named_file is None or sha256 != named_file.sha256:
        return False
    return _follow(found.bodies, named_file.number) and _is_signed(archive, file, named_file)


def _numbers(archive: Path) -> list[int]:
    try:
        found = [each.name for each in (archive / CHECKPOINTS).iterdir()]
    except FileNotFoundError:
        return []
    return sorted(int(each[1]) for file in found if (each := _NUMBER.fullmatch(file)))


def _is_of_its_day(archive: Path, file: Path, sha256: str, numbers: Sequence[int]) -> bool:
    """Return True if a file of a hash is what a checkpoint of its day closed, with few of them opened.

    Days are nearly always closed in their order, so that theirs are found by halves.
    """
    from streams.archive.layout import day_of  # noqa: PLC0415  it takes long to load

    day = day_of(file.relative_to(archive).as_posix())
    if day is None:
        return False
    try:
        newest = _head(archive, numbers[-1])[0]
        at = bisect_left(numbers, day, key=lambda number: _head(archive, number)[0].day)
        for number in numbers[at:]:
            head, line = _head(archive, number)
            if head.day != day:
                return False
            named_file = NamedFile(number, sha256)
            follows = number == numbers[-1] or _names(_head(archive, number + 1)[0], line)
            if head.key == newest.key and follows and _is_signed(archive, file, named_file):
                return True
    except (msgspec.DecodeError, UnicodeDecodeError, FileNotFoundError):
        return False
    return False


def _head(archive: Path, number: int) -> tuple[_Head, bytes]:
    """Read a checkpoint's body, and give the line that it is, too."""
    with checkpoint_file(archive, number).open("rb") as text:
        line = text.readline().removesuffix(b"\n")
    return _body.decode(line), line


def _names(later: _Head, body: bytes) -> bool:
    """Return True if a checkpoint names the one of a body as that before it."""
    return later.before is not None and later.before.get("body") == hashlib.sha256(body).hexdigest()


def _read(archive: Path, name: str, numbers: Sequence[int]) -> _Read:
    """Read what no earlier call has read of the checkpoints of these numbers; there is one at least."""
    key = archive.absolute(), name
    found = _READ.get(key)
    before = sorted(found.bodies) if found is not None else []
    # Checkpoints are only ever added; if some were changed, the cache is invalid.
    if found is None or before != numbers[: len(before)] or found.stamp != _stamp(archive, before[-1]):
        found, before = _READ.setdefault(key, _Read()), []
        found.files, found.bodies = {}, {}
    for number in numbers[len(before) :]:
        text = checkpoint_file(archive, number).read_bytes()
        found.bodies[number] = text.partition(b"\n")[0]
        found.files |= _entries(text, name, number)
    found.stamp = _stamp(archive, numbers[-1])
    return found


def _entries(text: bytes, name: str, number: int) -> dict[str, NamedFile]:
    needle = f"/{name}.".encode()
    files: dict[str, NamedFile] = {}
    at = text.find(needle)
    while at != -1:
        entry = _ENTRY.match(text, text.rfind(b"\n", 0, at) + 1)
        if entry is not None:
            files[entry[1].decode(errors="replace")] = NamedFile(number, entry[2].decode())
        at = text.find(needle, at + 1)
    return files


def _stamp(archive: Path, number: int) -> tuple[int, int]:
    stat = checkpoint_file(archive, number).stat()
    return stat.st_mtime_ns, stat.st_size


def _follow(bodies: Mapping[int, bytes], number: int) -> bool:
    """Return True if every checkpoint after one names the one before it."""
    for later in range(number + 1, max(bodies) + 1):
        try:
            follows = _names(_body.decode(bodies[later]), bodies[later - 1])
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError):
            return False
        if not follows:
            return False
    return True


def _is_signed(archive: Path, file: Path, names: NamedFile) -> bool:
    from projections.evidence.checkpoint import signed_entry  # noqa: PLC0415  it takes long to load

    path = file.relative_to(archive).as_posix()
    entry = signed_entry(checkpoint_file(archive, names.number).read_bytes(), path)
    return entry is not None and entry.sha256 == names.sha256
