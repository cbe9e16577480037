"""Recorded events judged again: the latest conclusion of each round and shoe, table after table."""

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

import msgspec

from projections.audit import Concluded, TableAudit
from schemas import house as houses
from schemas.codec import decode
from schemas.errors import BadInput
from schemas.house import House
from streams import log

_HELD = 64  # conclusions held back because a late event may still revise them


class Unread(msgspec.Struct, frozen=True):
    """Something that could not be read, in the place of its answer."""

    line: int
    error: str


def house_of(path: Path, named: str | None) -> House:
    """Find the house of an archive: the one that was named, or the archive's own.

    Raises:
        BadInput: there is none.
    """
    if named is not None:
        return houses.load(named, Path.cwd())
    folder = path if path.is_dir() else path.parent
    if not (folder / log.HOUSE).is_file():
        raise BadInput(f"{path}: recorded events need a house file; none beside them, say --house FILE")
    return houses.load(log.HOUSE, folder)


def audited(files: Iterable[Path], house: House) -> Iterator[Concluded | Unread]:
    """Audit recorded events, file after file; each round and shoe once, as last concluded."""
    for file in files:
        yield from _latest(_audited_log(file, house))


def _audited_log(file: Path, house: House) -> Iterator[Concluded | Unread]:
    audits: dict[str, TableAudit] = {}
    refused: set[str] = set()
    for number, payload in log.payloads(file):
        where = f"{file.name}:{number}"
        try:
            frame, unreadable = decode(payload, where)
        except BadInput as error:
            yield Unread(number, str(error))
            continue
        if frame.table in refused:
            continue
        audit = audits.get(frame.table)
        if audit is None:
            try:
                audit = audits[frame.table] = TableAudit(frame.table, house)
            except BadInput as error:
                refused.add(frame.table)
                yield Unread(number, f"{where}: {error}; all its frames are left out")
                continue
        for each in unreadable:
            yield Unread(number, f"{each.where}: {each.reason}")
        yield from audit.feed(frame.events)
        for stranger in audit.strangers():
            yield Unread(number, f"{where}: table {frame.table} {stranger}")
    for audit in audits.values():
        yield from audit.finish()


def _latest(concluded: Iterator[Concluded | Unread]) -> Iterator[Concluded | Unread]:
    """Pass each subject on once, as last concluded; shoes come after the rounds."""
    rounds: dict[tuple[date, str, str], Concluded] = {}
    shoes: dict[tuple[date, str, str | None], Concluded] = {}
    for each in concluded:
        if isinstance(each, Unread):
            yield each
            continue
        said = each.conclusion
        if said.round is None:
            shoes[said.gaming_date, said.table, said.shoe] = each
        else:
            rounds[said.gaming_date, said.table, said.round] = each
            if len(rounds) > _HELD:
                yield rounds.pop(next(iter(rounds)))
    yield from rounds.values()
    yield from shoes.values()
