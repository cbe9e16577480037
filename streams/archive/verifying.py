"""Checking an archive against its checkpoints, and these against what was kept of them elsewhere."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projections.evidence import tree
from projections.evidence.checkpoint import Checkpoint, Entry, read
from schemas.errors import BadInput
from streams.archive.chain import LOGS, breach, day_of, file_of, files, newest, planted, secret_of
from streams.archive.journal import Journal
from streams.archive.kept import CHECKPOINTS, HOUSE, JOURNAL, LOCK, RETENTION, SALT

_LINE: Final = re.compile(r"discardrack 1 ([0-9a-f]{32}) ([1-9]\d*) (\d{4}-\d\d-\d\d) ([0-9a-f]{64})")
_PIECE: Final = 1 << 20
# What an archive has beside the files that checkpoints name.
_BESIDE: Final = frozenset({LOCK, SALT, JOURNAL, f"{JOURNAL}-wal", f"{JOURNAL}-shm", "lost+found"})


class Trouble(Struct, frozen=True):
    """Something that is not as it was closed: where, and what is wrong with it."""

    where: str
    what: str


class KeptLine(Struct, frozen=True):
    """A checkpoint as someone kept it elsewhere."""

    archive: str
    number: int
    day: str
    body: str


class Checked(Struct, frozen=True):
    """What a check came to: what it found wrong, what it read, and what it cannot speak for.

    `line` is that of the newest checkpoint; `keys` are the public keys that signed, each with the numbers of
    the first and last checkpoint that it did.
    """

    troubles: tuple[Trouble, ...]
    notes: tuple[str, ...]
    line: str | None
    checkpoints: int
    files: int
    bytes: int
    keys: tuple[tuple[str, int, int], ...]


def kept_line(text: str) -> KeptLine:
    """Read a line that was kept of a checkpoint.

    >>> kept_line("discardrack 1 " + "0" * 32 + " 12 2025-03-01 " + "f" * 64).number
    12

    Raises:
        BadInput: it is none.
    """
    found = _LINE.fullmatch(" ".join(text.split()))
    if found is None:
        raise BadInput(
            f"{text!r}: not the line of a checkpoint, which reads: discardrack 1 ARCHIVE NUMBER DAY HASH"
        )
    return KeptLine(found[1], int(found[2]), found[3], found[4])


def check(archive: Path, lines: Sequence[KeptLine], keys: Sequence[str], *, events: bool) -> Checked:
    """Check an archive; `keys` are those that may have signed, all where none is named.

    With `events` every record is read too and the trees are rebuilt, which takes as long as reading does.
    """
    chain, troubles = _chain(archive)
    last, known = newest(iter(chain))
    notes: list[str] = []
    if last is None and not troubles:
        troubles.append(Trouble(CHECKPOINTS, "no day was closed: nothing here can be checked"))
    troubles += _relisted(chain)
    troubles += _against(chain, lines)
    troubles += _signers(chain, keys)
    troubles += _salt(archive, last)
    size = 0
    gone = _removed(archive)
    for _, entry in sorted(known.items()):
        troubles += _file(archive, entry, gone, notes)
        size += entry.size
    troubles += _strangers(archive, known, notes)
    if events and not troubles:
        troubles += _trees(archive, known)
    return Checked(
        tuple(troubles),
        (*notes, *_open(archive)),
        last.kept_line() if last is not None else None,
        len(chain),
        len(known),
        size,
        _spans(chain),
    )


def check_day(archive: Path, day: date) -> tuple[Trouble, ...]:
    """Check the sealed files of one gaming day, and the checkpoints that name them; an open day has none.

    Where no day of the archive was ever closed there is nothing to hold it to.
    """
    if not (archive / CHECKPOINTS).is_dir():
        return ()
    checkpoints, troubles = _chain(archive)
    _, known = newest(iter(checkpoints))
    own = {path: entry for path, entry in known.items() if day_of(path) == day}
    gone = _removed(archive)
    for _, entry in sorted(own.items()):
        troubles += _file(archive, entry, gone, [])
    closed = any(each.body.day == day for each in checkpoints)
    found = (each.path for each in files(archive) if day_of(each.path) == day)
    strange = "is a file that no checkpoint names, though its day is closed"
    troubles += [Trouble(path, strange) for path in found if closed and path not in own]
    return tuple(troubles)


def _chain(archive: Path) -> tuple[list[Checkpoint], list[Trouble]]:
    """Read checkpoints up to the first that is wrong; each file that does not belong to them is trouble."""
    found: list[Checkpoint] = []
    present = sorted((archive / CHECKPOINTS).glob("[!.]*"))
    for number in range(1, len(present) + 1):
        file = file_of(archive, number)
        where = file.relative_to(archive).as_posix()
        try:
            each = read(file.read_bytes(), where) if file.is_file() else None
        except BadInput as error:
            return found, [Trouble(where, str(error).removeprefix(f"{where}: "))]
        if each is None:
            return found, [Trouble(where, "is missing, though there are later ones")]
        reason = breach(each, found[-1] if found else None, number)
        if reason is not None:
            return found, [Trouble(where, reason)]
        found.append(each)
    return found, []


def _relisted(chain: Sequence[Checkpoint]) -> Iterator[Trouble]:
    """Tell of entries that no archiver writes: one for a file that never changes, or of another day."""
    seen: set[str] = set()
    for each in chain:
        for entry in each.entries:
            where = f"checkpoint {each.body.number}, {entry.path}"
            if entry.kind in ("part", "house") and entry.path in seen:
                yield Trouble(where, "is closed a second time, though it may never change")
            if entry.kind == "part" and day_of(entry.path) != each.body.day:
                yield Trouble(where, "is of another day than the checkpoint")
            seen.add(entry.path)


def _against(chain: Sequence[Checkpoint], lines: Sequence[KeptLine]) -> Iterator[Trouble]:
    """Hold the chain to lines that were kept elsewhere."""
    for line in lines:
        where = f"checkpoint {line.number} of {line.day}"
        if chain and chain[0].body.archive != line.archive:
            yield Trouble(where, f"was kept of archive {line.archive}; this one is {chain[0].body.archive}")
        elif line.number > len(chain):
            yield Trouble(where, f"was kept elsewhere, but is not here: the archive ends with {len(chain)}")
        elif chain[line.number - 1].body_hash != line.body:
            yield Trouble(where, "is not the one that was kept elsewhere: from there on it was made anew")


def _signers(chain: Sequence[Checkpoint], keys: Sequence[str]) -> Iterator[Trouble]:
    for each in chain:
        if keys and each.body.key not in keys:
            where = file_of(Path(), each.body.number).as_posix()
            yield Trouble(where, f"is signed by {each.body.key}, which is none of the keys that were named")


def _salt(archive: Path, last: Checkpoint | None) -> Iterator[Trouble]:
    if last is None:
        return
    try:
        if hashlib.sha256(secret_of(archive)).hexdigest() != last.body.salt:
            yield Trouble(SALT, "is not the one that the checkpoints name; no proof can be made")
    except BadInput as error:
        yield Trouble(SALT, str(error).partition(": ")[2])


def _removed(archive: Path) -> dict[tuple[str, str], str]:
    """Read what retention removed: path and hash, and who asked; a line that cannot be read tells nothing."""
    log = archive / RETENTION
    found: dict[tuple[str, str], str] = {}
    for line in log.read_bytes().splitlines() if log.is_file() else ():
        try:
            told = msgspec.json.decode(line, type=dict[str, object])
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        found[str(told.get("path")), str(told.get("sha256"))] = f"by {told.get('by')} at {told.get('at')}"
    return found


def _file(
    archive: Path, entry: Entry, gone: Mapping[tuple[str, str], str], notes: list[str]
) -> Iterator[Trouble]:
    """Hold a file to its entry."""
    path = archive / entry.path
    if not path.is_file():
        if entry.kind == "part" and (who := gone.get((entry.path, entry.sha256))) is not None:
            notes.append(f"{entry.path}: removed {who}, as retention.jsonl tells")
        elif entry.kind == "snapshots":
            notes.append(f"{entry.path}: is not there; what it held can be concluded again")
        else:
            yield Trouble(entry.path, "is missing")
        return
    size = path.stat().st_size
    if size < entry.size:
        yield Trouble(entry.path, f"has {size} bytes, of the {entry.size} that were closed")
    elif entry.kind == "log":
        if _sha256(path, entry.size) != entry.sha256:
            yield Trouble(entry.path, f"its first {entry.size} bytes are not those that were closed")
        elif size > entry.size:
            notes.append(f"{entry.path}: {size - entry.size} bytes were added since, and are not closed yet")
    elif size > entry.size:
        yield Trouble(entry.path, f"has {size} bytes, {size - entry.size} more than were closed")
    elif _sha256(path, size) != entry.sha256:
        yield Trouble(entry.path, "is not, byte for byte, what was closed" + _advice(entry))


def _advice(entry: Entry) -> str:
    return "; it is no evidence: remove it, and it is made anew" if entry.kind == "snapshots" else ""


def _strangers(archive: Path, known: Mapping[str, Entry], notes: list[str]) -> Iterator[Trouble]:
    """Tell of files that no checkpoint names."""
    named = {each.path: each.kind for each in files(archive)}
    for path in sorted(archive.rglob("*")):
        where = path.relative_to(archive).as_posix()
        if path.is_dir() or where in known or where in _BESIDE or where.startswith(f"{CHECKPOINTS}/"):
            continue
        if where in LOGS or where == HOUSE or named.get(where) == "house":
            notes.append(f"{where}: was added since the last day was closed, and is not closed yet")
        elif not path.name.startswith("."):
            what = (
                "is a part that no checkpoint names"
                if named.get(where) == "part"
                else "no checkpoint names it"
            )
            yield Trouble(where, f"{what}: it was put there after the day was closed, or the day never was")


def _trees(archive: Path, known: Mapping[str, Entry]) -> Iterator[Trouble]:
    """Read every sealed record, and hold each part's tree to its root."""
    secret = secret_of(archive)
    for path, entry in sorted(known.items()):
        if entry.kind != "part" or not (archive / path).is_file():
            continue
        table, topic, records, hashes = planted(archive, path, secret)
        told = (table, topic, records, len(hashes), tree.root(hashes).hex())
        if told != (entry.table, entry.topic, entry.records, entry.leaves, entry.root):
            yield Trouble(path, "its records do not make the tree that was closed")


def _open(archive: Path) -> Iterator[str]:
    """Say what stands in the journal, which nothing here can speak for."""
    if not (archive / JOURNAL).is_file():
        return
    with Journal(archive) as journal:
        for day, _ in journal.days():
            yield (
                f"{day}: not all of it is sealed; what the journal has of it could be changed by whoever may "
                "write here, and nothing would tell"
            )


def _spans(chain: Sequence[Checkpoint]) -> tuple[tuple[str, int, int], ...]:
    spans: list[tuple[str, int, int]] = []
    for each in chain:
        key, number = each.body.key, each.body.number
        if spans and spans[-1][0] == key:
            spans[-1] = (key, spans[-1][1], number)
        else:
            spans.append((key, number, number))
    return tuple(spans)


def _sha256(file: Path, size: int) -> str:
    """Hash the first bytes of a file."""
    hashed = hashlib.sha256()
    with file.open("rb") as content:
        while size > 0 and (piece := content.read(min(size, _PIECE))):
            hashed.update(piece)
            size -= len(piece)
    return hashed.hexdigest()
