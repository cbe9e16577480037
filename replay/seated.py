"""Judged rounds, read table after table, and whoever else hears the events that they are of."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from projections.hand.round import Round
from replay.judged import Judged, form_of, judged
from replay.recorded import Unread, audited, house_of
from schemas import house as houses
from schemas.codec import Frame, Told, decode
from schemas.errors import BadInput
from schemas.house import House
from streams import log
from streams.log import Log


class Ear(Struct, frozen=True):
    """Hears the events of frames beside the audit: those of frames in which one of the words stands.

    Without words all frames are heard. It is called with the table and the event, as they come.
    """

    hear: Callable[[str, Told], None]
    words: tuple[bytes, ...] = ()


class Heard(Struct, frozen=True):
    """A log whose frames are heard by others too while they are read."""

    log: Log
    ears: Sequence[Ear]

    @property
    def name(self) -> str:
        """The log's own name."""
        return self.log.name

    @property
    def key(self) -> str | None:
        """The log's own key."""
        return self.log.key

    def payloads(self) -> Iterator[tuple[int, str, bytes]]:
        """Read the payloads, and let those hear of them who want to; what cannot be read is for the audit."""
        for number, where, payload in self.log.payloads():
            ears = [ear for ear in self.ears if not ear.words or any(word in payload for word in ear.words)]
            if ears:
                with suppress(BadInput):
                    _tell(decode(payload, where)[0], ears)
            yield number, where, payload


def _tell(frame: Frame, ears: Sequence[Ear]) -> None:
    for event in frame.events:
        for ear in ears:
            ear.hear(frame.table, event)


class Seated(Struct, frozen=True):
    """A judged round, and how it was seen: who sat where stands there."""

    judged: Judged
    seen: Round


def holds_events(path: Path) -> bool:
    """Tell whether a path holds recorded events; a file may hold round records instead."""
    return log.is_archive(path) or (path.is_file() and form_of(path) == "frames")


def house_at(path: Path, house_file: str | None) -> House:
    """Give the house by which a path is read; for round records the default, where none is named.

    Raises:
        BadInput: recorded events have no house file, or it is at fault.
    """
    if holds_events(path):
        return house_of(path, house_file)
    return houses.load(house_file, Path.cwd()) if house_file is not None else houses.DEFAULT


def seated(
    path: Path, house_file: str | None, tables: Collection[str] | None = None, ears: Sequence[Ear] = ()
) -> Iterator[Seated | Unread]:
    """Judge the rounds of a path, table after table, each with its patrons; shoes and accounts are left out.

    With `tables` only those are read. `ears` hear the events too, before the rounds that they are of. Of
    round records no patron is known.

    Raises:
        BadInput: the path holds neither events nor records, or the house file is missing or at fault.
    """
    if not holds_events(path):
        for each in judged(path, house_file):
            if isinstance(each, Unread):
                yield each
            elif each.seen is not None and (tables is None or each.seen.table in tables):
                yield Seated(each, each.seen)
        return
    house = house_of(path, house_file)
    for found in log.logs(path):
        elsewhere = tables is not None and path.is_dir() and found.name not in tables
        if house.beside_tables(found.name) or elsewhere:
            continue  # a folder's log is named after its table, a file's after the file
        for told in audited([Heard(found, ears)], house):
            if isinstance(told, Unread):
                yield told
            elif told.seen is not None and (tables is None or told.seen.table in tables):
                concluded = Judged(told.conclusion, house, told.seen, told.book)
                yield Seated(concluded, told.seen)
