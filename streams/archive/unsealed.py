"""What of an archive is not sealed yet: said plainly, and held to what is sealed."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from projections.evidence.checkpoint import Entry
from schemas.errors import BadInput
from streams.archive import sealed_files
from streams.archive.checked_files import Trouble
from streams.archive.checkpoint_chain import overlapping
from streams.archive.journal import Journal
from streams.archive.layout import day_of
from streams.archive.record_names import JOURNAL


class Unsealed:
    """The journal of an archive, and what is said of it."""

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self.notes: list[str] = []
        self.unclosed: list[Trouble] = []  # the days that it has records of

    def troubles(self, known: Mapping[str, Entry]) -> list[Trouble]:
        """Return what the journal has that no archiver puts there; `known` are the entries of closed files.

        What is in it of a day that is not closed nothing can speak for, which is told in `unclosed`.
        """
        if not (self.archive / JOURNAL).is_file():
            self.notes.append("there is no journal here: what was not sealed is not in this copy")
            return []
        try:
            with Journal(self.archive) as journal:
                return list(self._journal(journal, known))
        except (BadInput, ValueError, sqlite3.Error) as error:
            return [Trouble(JOURNAL, f"cannot be read: {error}")]

    def _journal(self, journal: Journal, known: Mapping[str, Entry]) -> Iterator[Trouble]:
        closed = {day_of(path) for path, entry in known.items() if entry.kind == "part"}
        for day, _ in journal.days():
            self.unclosed.append(Trouble(str(day), _said(is_closed=day in closed)))
            for topic, name in journal.filed(day):
                for stretch in journal.streams(day, topic, name):
                    stream, first, _ = stretch
                    where = f"{JOURNAL}, {day}/{name}"
                    if first < 0:
                        yield Trouble(where, f"has a record at {first}, which is no place in Kafka")
                    parts = list(overlapping(self.archive, known, (topic, name), stretch))
                    there = (
                        {each.offset: each for part in parts for each in sealed_files.read(part)}
                        if parts
                        else {}
                    )
                    for record in journal.read(day, topic, name, stream, first - 1) if parts else ():
                        held = there.get(record.offset)
                        if held is not None and held != record:
                            yield Trouble(where, f"has record {record.offset} otherwise than it is sealed")


def _said(*, is_closed: bool) -> str:
    if is_closed:
        return "is closed; what the journal has of it came later, and is not closed yet"
    return (
        "is not closed; what the journal has of it could be changed by whoever may write here, and nothing "
        "would tell"
    )
