"""A recording: round records, a coupon log, or frames in a file or an archive, opened and read in one way."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from projections.views.time_text import use_locale
from replay.recording.file_kinds import PROPOSED, FileKind, kind_at
from schemas import house as houses
from schemas.codec import UNREAD, Frame
from schemas.errors import BadInput
from schemas.house import House
from schemas.record import RoundRecord
from streams import house_file, log
from streams.house_file import FileMistake
from streams.log import Log, RecordedFrame, Unread, frames, read_frames

Form: TypeAlias = Literal["frames", "records", "coupons"]


_LISTED: Final = 5  # folders, or fields, that a message names
_SHOWN_BY: Final[dict[str, Form]] = {"play": "records", "case": "coupons", "events": "frames"}
_OF_RECORDS: Final = frozenset(RoundRecord.__struct_fields__)
_OF_FRAMES: Final = frozenset({"frame", "received"})
_WITH_FLOOR: Final = "`discardrack audit FLOOR --with {file}` judges them with a recorded floor"
_FEWEST_FIELDS: Final = 2  # so many fields of a round record show one that is at fault
_WANTED: Final = "round records, recorded events or coupon log"
# A number that every writer of JSON writes in the same way, so that it can be searched for in the bytes.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.-]+", re.ASCII)


class _OfTable(msgspec.Struct):
    table: str


_read_table: Final = msgspec.json.Decoder(_OfTable).decode


class Recording:
    """Recording at a path, and the house by which it is read.

    Kafka's records are copied into an archive first (`replay.cli.source`). `house_file` is the house
    file that was named, None if it is the one beside the events.
    """

    def __init__(self, path: Path, house_file: str | None = None) -> None:
        self.path, self.house_file = path, house_file
        self._added: Sequence[Path] = ()

    def add_report_lines(self, files: Sequence[Path]) -> None:
        """Have report lines of files judged among the recorded events; call it before reading a log.

        Raises:
            BadInput: it holds no recorded events.
        """
        if files and not self.holds_frames:
            raise BadInput(f"{self.path}: report lines are judged with recorded events, and here are none")
        self._added = files

    @cached_property
    def is_archive(self) -> bool:
        """Return True if it is a folder of recorded events."""
        return log.is_archive(self.path)

    @cached_property
    def form(self) -> Form | None:
        """Return what it holds; None for a folder that holds no events.

        Raises:
            BadInput: it is an empty file.
        """
        if self.is_archive:
            return "frames"
        return form_of(self.path) if self.path.is_file() else None

    @property
    def holds_frames(self) -> bool:
        """Return True if it holds recorded events, rather than round records or coupons."""
        return self.form == "frames"

    def check_rounds(self) -> None:
        """Check that it holds rounds.

        Raises:
            BadInput: it holds coupons, or nothing.
        """
        if self.form == "coupons":
            raise BadInput(
                f"{self.path}: a coupon log, of which there are no rounds; discardrack audit judges it"
            )
        if self.form is None:
            raise no_recording(self.path)

    @cached_property
    def named_house(self) -> House | None:
        """The house that was named.

        Raises:
            BadInput: its file is missing or at fault.
        """
        return houses.load(self.house_file, Path.cwd()) if self.house_file is not None else None

    @cached_property
    def house(self) -> House:
        """The house: the one that was named, else the archive's own; for round records the default.

        From then on dates and times are written in its locale.

        Raises:
            BadInput: recorded events have no house file, or it is at fault.
        """
        house = self.named_house
        if house is None:
            place = self._house_place
            house = houses.load(*place) if place is not None else houses.DEFAULT
        use_locale(house.locale)
        return house

    def house_mistakes(self) -> list[FileMistake]:
        """Return the mistakes of its house file, none where it has none.

        Raises:
            BadInput: as for `house`.
        """
        place = self._house_place
        return house_file.load(*place).mistakes if place is not None else []

    @cached_property
    def _house_place(self) -> tuple[str, Path] | None:
        """Return the house file's name and the folder from which it is looked for; None for round records.

        Raises:
            BadInput: recorded events have no house file.
        """
        if self.house_file is not None:
            return self.house_file, Path.cwd()
        if not (self.path.is_dir() or self.holds_frames):
            return None
        folder = self.path if self.path.is_dir() else self.path.parent
        if not (folder / log.HOUSE).is_file():
            if self.path.is_dir() and not self.is_archive:
                raise no_recording(self.path)
            raise BadInput(
                f"{self.path}: recorded events need a house file; none beside them, say --house FILE"
            )
        return log.HOUSE, folder

    @cached_property
    def logs(self) -> Sequence[Log]:
        """The logs of its tables and ledgers, or the one log of a file.

        Raises:
            BadInput: the folder holds no recorded events, or the report lines that were added are none.
        """
        found = log.logs(self.path)
        if not self._added:
            return found
        from replay.recording.report_lines import logs_with_lines  # noqa: PLC0415  the gateway's reader is for few recordings

        return logs_with_lines(found, self._added)

    def logs_of(self, table: str | None) -> Sequence[Log]:
        """Return the logs of a table, or all; a file is one log, whatever tables it has.

        Raises:
            BadInput: the folder holds no recorded events, or none of the table.
        """
        return self.logs if table is None else log.logs(self.path, table)

    def table_logs(self) -> list[Log]:
        """Return the logs of an archive's tables, without ledgers and the surveillance room's actions.

        Raises:
            BadInput: it is no archive.
        """
        if not self.is_archive:
            raise BadInput(f"{self.path}: no archive folder (which holds days/ or {log.EVENTS}/)")
        return [each for each in self.logs if not self.house.beside_tables(each.name)]

    def frames(self, name: str, days: Collection[date] | None = None) -> Iterator[Frame | Unread]:
        """Read the frames of a table or ledger of an archive, none where it has none of that name.

        With `days` only what an archive of a live floor filed under these.
        """
        for each in self.logs:
            if each.name == name:
                yield from frames(each if days is None else log.on_days(each, days))

    def naming_round(
        self, table: str, number: str, days: Collection[date] | None = None
    ) -> Iterator[RecordedFrame]:
        """Read the records of a table that may name a round; by their bytes others are passed over unread.

        Raises:
            BadInput: the archive lacks the table, or a file of it is damaged.
        """
        for each in self.logs_of(table):
            yield from read_frames(each if days is None else log.on_days(each, days), wanted=may_name(number))

    def tables(self) -> list[str]:
        """Return the tables that a file of round records or of frames has; other lines are passed over."""
        found: set[str] = set()
        for each in self.logs:
            for record in each.records():
                with suppress(*UNREAD):
                    found.add(_read_table(record.payload).table)
        return sorted(found)


def form_of(file: Path) -> Form:
    """Return the form of a file: Parquet is frames, else the first line that shows it decides.

    A file without such a line counts as round records, if a line of it is like one or was perhaps cut short.

    Raises:
        BadInput: there is no line, so that nothing can be concluded, not even that all is clean; or it is a
            file of another kind.
    """
    if log.is_parquet(file):
        return _form_of_parquet(file)
    kind = kind_at(file)
    if kind is not None and kind.shape == "document":
        raise kind.refuse(file, _WANTED)
    is_empty, other = True, None
    for _, line in log.payloads(file):
        is_empty = False
        try:
            first = msgspec.json.decode(line)
        except UNREAD:
            continue
        if isinstance(first, dict):
            if (form := _form_shown(file, first)) is not None:
                return form
            if other is None or len(first.keys() & _OF_RECORDS) > len(other.keys() & _OF_RECORDS):
                other = first
    if is_empty:
        raise BadInput(f"{file}: empty, there is nothing to judge; look where it was written")
    if (kind := kind if other is None else _kind_of_lines(other)) is not None:
        raise kind.refuse(file, _WANTED)
    return "records"


def _form_shown(file: Path, first: dict[str, object]) -> Form | None:
    """Return the form that an object of JSON shows its file to have; None if it shows none.

    Raises:
        BadInput: it is a line as devices send it, which no gateway has made a frame of.
    """
    form = next((form for field, form in _SHOWN_BY.items() if field in first), None)
    if form == "frames" and "table" in first and first.keys().isdisjoint(_OF_FRAMES):
        raise BadInput(f"{file}: report lines, as a gateway takes them; {_WITH_FLOOR.format(file=file)}")
    return form


def _form_of_parquet(file: Path) -> Form:
    from streams.archive.sealed_files import stretch_of  # noqa: PLC0415  Parquet takes long to load

    try:
        stretch_of(file)
    except BadInput as error:
        raise BadInput(f"{error}; {PROPOSED.format(file=file)}") from None
    return "frames"


def _kind_of_lines(first: dict[str, object]) -> FileKind | None:
    """Return the kind of a file of JSON lines that are no frame or coupon; None if one is like a record."""
    if first.keys() >= {"verdict", "findings"}:
        return FileKind(
            "answers of `discardrack audit`", "text", "`discardrack diff` compares two such files"
        )
    if len(first.keys() & _OF_RECORDS) >= _FEWEST_FIELDS:
        return None
    return FileKind(f"JSON lines with {', '.join(list(first)[:_LISTED])}", "text", PROPOSED)


def may_name(number: str) -> Callable[[bytes], bool]:
    r"""Return a test for payloads that may name a round, by their bytes only.

    >>> [may_name("17")(each) for each in (b'"round":"17"', b'"round":"170"', rb'"round":"1\u0037"')]
    [True, False, True]
    """
    needle = f'"{number}"'.encode() if _PLAIN.fullmatch(number) else b""
    return lambda payload: needle in payload or b"\\u" in payload


def no_recording(path: Path) -> BadInput:
    """Return the error that a path is neither a file nor an archive, live or played; it names those below."""
    message = f"{path}: neither a file nor an archive folder (which holds days/ or {log.EVENTS}/)"
    return BadInput(message + folders_below(path, log.is_archive))


def folders_below(path: Path, wanted: Callable[[Path], bool]) -> str:
    """Return the end of a message that names the first wanted folders of a folder; empty if there is none."""
    found = sorted(str(each) for each in path.iterdir() if wanted(each)) if path.is_dir() else []
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    return f"; in it there is {', '.join(found[:_LISTED])}{more}" if found else ""
