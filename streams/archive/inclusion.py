"""Part of a closed archive that shows one hand: its events, where they stand, and their proofs."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, cast

from msgspec import Struct

from projections.evidence import merkle_tree
from projections.evidence.bundle_events import PlacedEvent, about, corrections, needed, of_round, stood_on
from projections.evidence.bundle_proof import Leaf, PartShown, disclose_part, leaf
from projections.evidence.checkpoint import Checkpoint, CheckpointEntry
from projections.evidence.part_leaves import contents, salt, salted
from projections.store.disk import sha256_of
from schemas.codec import Frame, decode, encode
from schemas.errors import BadInput
from schemas.events import TABLE_KINDS, Event, RoundOpened
from streams import topics
from streams.archive import sealed_files
from streams.archive.archive_reader import Filed, closed_records
from streams.archive.checkpoint_chain import chain, secret_of
from streams.archive.journal import Journal
from streams.archive.layout import day_of
from streams.archive.record_names import (
    HOUSE,
    JOURNAL,
    KafkaRecord,
    Position,
    file_name,
    folder_of,
    own_days,
    own_file,
)
from streams.archive.verification import check_days
from streams.log import ArchivedLog

# ── Where the events of a part stand: each with its leaf and that of its envelope ─────────────────────


def placed_events(records: Iterable[KafkaRecord], part: str, table: str) -> Iterator[PlacedEvent]:
    """Yield the events of a table's frames with their leaves; what cannot be read is of no hand."""
    index = 0
    for record in records:
        envelope = index
        pieces = list(contents(record, framed=True))
        index += len(pieces)
        if record.key != table.encode():
            continue
        try:
            frame, unread = decode(record.payload or b"", part)
        except BadInput:
            continue
        if frame.table != table:
            continue
        plain = _is_plain(frame, record.payload or b"")
        bad = {each.event for each in unread}
        places = (envelope + place for place in range(1, len(pieces)) if place not in bad)
        for at, event in zip(places, frame.events, strict=True):
            if type(event) in TABLE_KINDS:
                yield PlacedEvent(part, at, envelope, cast("Event", event), plain)


def _is_plain(frame: Frame, payload: bytes) -> bool:
    """Return True if a payload has nothing besides its frame: no object in it has a name twice."""
    if encode(frame) == payload:
        return True
    try:
        json.loads(payload, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return False
    return True


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a name stands twice")
    return value


# ── What of a closed archive shows one hand: its events, their places, and the proof of each ────────────
# Nothing is read here that is not, byte for byte, what a checkpoint closed; the journal is not read at all.
# Only the parts of the days about the hand are read, and of earlier ones as many as it takes to find what the
# hand depends on: the opening of the table, the shoe that was loaded, the change of rules in force.

_CLOSE: Final = "close it with discardrack archive --seal --house FILE --out {archive} --key FILE"


class Hand(Struct, frozen=True):
    """A hand in an archive: its opening, its events in the order in which they came, what it stands on."""

    opened: RoundOpened | None
    own: tuple[PlacedEvent, ...]
    stands: tuple[PlacedEvent, ...]


class ClosedLog(ArchivedLog, frozen=True, kw_only=True):
    """A table's frames as they were closed, as a log that can be audited."""

    closed: "ClosedArchive"

    def filed(self) -> Iterator[Filed]:
        """Read the records as Kafka gave them."""
        return self.closed.records(self.stem, self.after)


class ClosedArchive:
    """A closed archive: which checkpoint closed which part; `closers` are the public keys that signed them.

    Raises:
        BadInput: on construction, where the checkpoints are not what was signed.
    """

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self._by_part: dict[str, tuple[Checkpoint, CheckpointEntry]] = {}
        self._house: CheckpointEntry | None = None
        self._as_closed: set[str] = set()
        self._days_as_closed: set[date] = set()
        self.closers: set[str] = set()
        for each in chain(archive):
            self.closers.add(each.body.key)
            for entry in each.entries:
                if entry.kind == "part" and entry.topic == topics.FRAMES:
                    self._by_part[entry.path] = (each, entry)
                elif entry.path == HOUSE:
                    self._house = entry

    def log(self, table: str) -> ClosedLog:
        """Return what was closed of a table."""
        return ClosedLog(self.archive, file_name(table.encode()), closed=self)

    def records(self, name: str, after: Position | None) -> Iterator[Filed]:
        """Read what was closed under a name, all or what comes after a record.

        Raises:
            BadInput: a part is not as it was closed, or is missing without a logged removal.
        """
        parts: list[tuple[date, Path]] = []
        for path, (_, entry) in self._by_part.items():
            day = day_of(path)
            if entry.table != name or day is None:
                continue
            if own_file(self.archive / path):
                parts.append((day, self.archive / path))
            else:
                self._hold_days({day})
        return closed_records(self.archive, parts, self._hold_part, after)

    def is_closed(self, day: date) -> bool:
        """Return True if anything of a day was closed."""
        return any(day_of(path) == day for path in self._by_part)

    def hold(self, table: str, day: date) -> None:
        """Check that the days about a hand are as they were closed, its table's parts among them.

        Raises:
            BadInput: something is not, or not closed; the first trouble is named.
        """
        advice = _CLOSE.format(archive=self.archive)
        if not self.is_closed(day):
            raise BadInput(f"{self.archive}: {day} is not closed by a checkpoint; {advice}")
        for other_day in about(day):
            for file in self._parts(table, other_day):
                path = file.relative_to(self.archive).as_posix()
                if path not in self._by_part:
                    raise BadInput(f"{file}: is not closed by a checkpoint; {advice}")
        self._hold_days(set(about(day)))

    def _hold_days(self, days: set[date]) -> None:
        fresh = days - self._days_as_closed
        for each in check_days(self.archive, fresh) if fresh else ():
            raise BadInput(self._not_closed(each.where, each.what))
        self._days_as_closed |= fresh

    def hold_house(self) -> None:
        """Check that the archive's house file is the one that was closed last.

        Raises:
            BadInput: it is another.
        """
        file = self.archive / HOUSE
        if self._house is None or not own_file(file) or sha256_of(file) != self._house.sha256:
            raise BadInput(
                f"{file}: is not the house file that was closed last; name the one to judge by with --house, "
                "which the bundle then says"
            )

    def _hold_part(self, file: Path) -> None:
        path = file.relative_to(self.archive).as_posix()
        if path not in self._as_closed:
            checkpoint, entry = self._by_part[path]
            if sha256_of(file) != entry.sha256:
                what = f"is not what checkpoint {checkpoint.body.number} closed"
                raise BadInput(self._not_closed(path, what))
            self._as_closed.add(path)

    def _not_closed(self, where: str, what: str) -> str:
        return f"{self.archive / where}: {what}; discardrack verify {self.archive} --events says more"

    def hand(
        self, table: str, number: str, day: date, day_of_moment: Callable[[int], date], *, staff: bool
    ) -> Hand:
        """Find a hand: a round of a table on a gaming day, and what it stands on.

        Raises:
            BadInput: it is not there, its day is not closed, or a file cannot be read.
        """
        events = [each for near_day in about(day) for each in self._events(table, near_day)]
        opened, own = of_round(events, number, day, day_of_moment)
        self._all_closed(table, number, day)
        if not own:
            raise BadInput(
                f"{self.archive}: nothing of round {number!r} of table {table!r} on {day} is sealed"
            )
        stands = self._stands(table, day, events, opened, staff=staff) if opened is not None else []
        proven = {(each.part, each.leaf) for each in own}
        corrected = [each for each in corrections(events, stands) if (each.part, each.leaf) not in proven]
        places_of_hand = sorted((*stands, *corrected), key=lambda each: (each.part.encode(), each.leaf))
        return Hand(opened, tuple(own), tuple(places_of_hand))

    def _stands(
        self, table: str, day: date, events: Sequence[PlacedEvent], opened: RoundOpened, *, staff: bool
    ) -> list[PlacedEvent]:
        lacking = needed(opened, staff=staff)
        found = stood_on(events, opened, lacking)
        for earlier in reversed([each for each in own_days(self.archive) if each < min(about(day))]):
            if not lacking:
                break
            found += stood_on(self._events(table, earlier), opened, lacking)
        return found

    def _parts(self, table: str, day: date) -> list[Path]:
        return sealed_files.parts(folder_of(self.archive, day, topics.FRAMES), file_name(table.encode()))

    def _events(self, table: str, day: date) -> Iterator[PlacedEvent]:
        """Read the events of a table's closed parts of a day."""
        for file in self._parts(table, day):
            path = file.relative_to(self.archive).as_posix()
            if path in self._by_part:
                self._hold_part(file)
                yield from placed_events(sealed_files.read(file), path, table)

    def _all_closed(self, table: str, number: str, day: date) -> None:
        """Check that no record that may be of a hand is outside the checkpoints.

        Raises:
            BadInput: one is.
        """
        self.hold(table, day)
        runs = list(self._open(table, day))  # all of it, so that the journal can be closed
        if any(each.event.round == number for each in runs):
            raise BadInput(
                f"{self.archive}: part of round {number!r} is in the journal and not sealed yet; "
                + _CLOSE.format(archive=self.archive)
            )

    def _open(self, table: str, day: date) -> Iterator[PlacedEvent]:
        """Read what the journal has of a table's days about a hand."""
        if not (self.archive / JOURNAL).is_file():
            return
        name = file_name(table.encode())
        with Journal(self.archive) as journal:
            for other_day in about(day):
                for stream, first, _ in journal.streams(other_day, topics.FRAMES, name):
                    records = journal.read(other_day, topics.FRAMES, name, stream, first - 1)
                    yield from placed_events(records, JOURNAL, table)

    def checkpoints(self, parts: Iterable[str]) -> list[Checkpoint]:
        """Return the checkpoints that closed some parts, by number."""
        found = {(each := self._by_part[part][0]).body.number: each for part in parts}
        return [found[number] for number in sorted(found)]

    def proofs_of(self, places: Iterable[PlacedEvent]) -> list[PartShown]:
        """Prove events: their leaves and those of their envelopes, part by part, by path.

        Raises:
            BadInput: a part is not what its checkpoint closed.
        """
        by_part: dict[str, set[int]] = {}
        for each in places:
            by_part.setdefault(each.part, set()).update((each.envelope, each.leaf))
        secret = secret_of(self.archive)
        return [
            self._proof_of(part, by_part[part], secret)
            for part in sorted(by_part, key=lambda part: part.encode())
        ]

    def _proof_of(self, part: str, shown_leaves: set[int], secret: bytes) -> PartShown:
        checkpoint, entry = self._by_part[part]
        leaves: list[Leaf] = []

        def leaf_contents() -> Iterator[bytes]:
            index = 0
            for record in sealed_files.read(self.archive / part):
                for content in contents(record, framed=True):
                    if index in shown_leaves:
                        leaves.append(leaf(index, salt(secret, part, index), content))
                    index += 1
                    yield content

        hashes = list(salted(secret, part, leaf_contents()))
        if merkle_tree.root(hashes).hex() != entry.root:
            what = f"does not make the tree that checkpoint {checkpoint.body.number} closed"
            raise BadInput(self._not_closed(part, what))
        return disclose_part(checkpoint.body.number, checkpoint.entries, entry, hashes, leaves)
