"""From bytes to reports: lines as they come, numbered, each read as far as its envelope."""

import codecs
import re
from collections import deque
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field

from schemas.codec import UNREAD, VERSION
from schemas.errors import BadInput
from schemas.events import RoundClosed, RoundOpened
from schemas.values import Name

# ── Bytes as they come, in chunks of any size, to numbered lines ──────────────────────────────────────

LONGEST: Final = 512 * 1024  # bytes; a frame holds a line whole, and Kafka takes records up to 1 MiB


class Line(Struct, frozen=True):
    """A line without its end: its number in the source, from 1, and the offset of the byte that follows it.

    Of a line longer than LONGEST bytes only the beginning is stored, and it is not whole.
    """

    number: int
    end: int
    text: bytes
    is_whole: bool = True


class Lines:
    """Cuts a source's bytes into lines, from a line number and an offset on.

    >>> lines = Lines()
    >>> [each.text for each in lines.cut(b'one' + bytes([10]) + b'tw')]
    [b'one']
    >>> lines.cut(b'o' + bytes([10]))
    [Line(number=2, end=8, text=b'two', is_whole=True)]
    """

    def __init__(self, number: int = 0, offset: int = 0) -> None:
        self._number, self._offset = number, offset
        self._begun = bytearray()
        self._length = 0

    def cut(self, chunk: bytes) -> list[Line]:
        """Add the next bytes; return the lines that end in them."""
        *ends, rest = chunk.split(b"\n")
        lines = []
        for piece in ends:
            self._take(piece)
            lines.append(self._line(self._length + 1))
        self._take(rest)
        return lines

    def rest(self) -> list[Line]:
        """Return what stands after the last line's end, for a source that has ended."""
        return [self._line(self._length)] if self._length else []

    def _take(self, piece: bytes) -> None:
        self._length += len(piece)
        self._begun += piece[: LONGEST - len(self._begun)]

    def _line(self, length: int) -> Line:
        self._number += 1
        self._offset += length
        line = Line(self._number, self._offset, bytes(self._begun), self._length <= LONGEST)
        self._begun, self._length = bytearray(), 0
        return line


# ── A report line: what a device sends, read as far as its envelope and no farther ────────────────────


class Report(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Events of one table, in order, each as the bytes that came.

    A line from an archive has a frame's number and receipt; they are another gateway's and are dropped.
    """

    table: Name
    events: list[Raw]
    v: int = VERSION
    frame: Raw | UnsetType = UNSET
    received: Raw | UnsetType = UNSET


class _Tag(Struct, frozen=True):
    event: Any = None


class _Reporter(Struct, frozen=True):
    device: str
    epoch: int
    seq: int


_report: Final = msgspec.json.Decoder(Report)
_tag: Final = msgspec.json.Decoder(_Tag)
_reporter: Final = msgspec.json.Decoder(_Reporter)
_OPENED: Final = RoundOpened.__name__
CLOSED: Final = RoundClosed.__name__
_HTTP: Final = re.compile(rb"[A-Z]+ \S+ HTTP/\d")
_TURNS: Final = (_OPENED.encode(), CLOSED.encode())


def read(line: Line) -> Report:
    """Read a line's envelope; its events stay as they are, readable or not.

    Raises:
        BadInput: it is no report line: the reason.
    """
    if not line.is_whole:
        raise BadInput(f"longer than {LONGEST} bytes")
    if speaks_http(line):
        raise BadInput("HTTP is spoken to the port for report lines; the console has another address")
    text = line.text.removeprefix(codecs.BOM_UTF8) if line.number == 1 else line.text
    try:
        text.decode()
        return _report.decode(text)
    except UNREAD as error:
        raise BadInput(str(error)) from None


def speaks_http(line: Line) -> bool:
    """Return True if a line is the first of a request in HTTP.

    >>> speaks_http(Line(1, 17, b"POST / HTTP/1.1"))
    True
    """
    return _HTTP.match(line.text) is not None


def turns(events: Iterable[Raw]) -> list[str]:
    """Return in order which of the events opened a round, and which closed one, by their kind.

    >>> turns([Raw(b'{"event": "RoundClosed"}'), Raw(b'{"event": "RoundOpened"}')])
    ['RoundClosed', 'RoundOpened']
    >>> turns([Raw(b'{"event": "Xyz", "round": "RoundClosed"}'), Raw(b"[]")])
    []
    """
    kinds = (_kind(event) for event in events if any(word in bytes(event) for word in _TURNS))
    return [kind for kind in kinds if kind in (_OPENED, CLOSED)]


def reporters(events: Iterable[Raw]) -> dict[str, list[int]]:
    """Return the first and last number of each device and epoch: how an event leads to its frame.

    Events without a device are skipped.

    >>> reporters([Raw(b'{"device": "S-1", "epoch": 1, "seq": 7}'), Raw(b"{}")])
    {'S-1/1': [7, 7]}
    """
    found: dict[str, list[int]] = {}
    for event in events:
        try:
            who = _reporter.decode(event)
        except UNREAD:
            continue
        numbers = found.setdefault(f"{who.device}/{who.epoch}", [who.seq, who.seq])
        numbers[:] = min(numbers[0], who.seq), max(numbers[1], who.seq)
    return found


def _kind(event: Raw) -> Any:
    try:
        return _tag.decode(event).event
    except UNREAD:
        return None


# ── Which lines of a source are on the disk: what is answered to a device, and where a file continues ────


class Position(Struct, frozen=True, kw_only=True):
    """Progress of a source: every line up to `line` is stored, which ends before byte `offset`, and more.

    Frames of several tables close in an order of their own, so some tables are farther than that line:
    `beyond` is the last line stored of each.
    """

    line: int = 0
    offset: int = 0
    beyond: dict[str, int] = field(default_factory=dict)


class Tally:
    """Counts the lines of one source: `name` for people, `line` the last one up to which all are stored.

    `host` is shared with the other sources from the same place, as the connections of one address. `key` is
    the name under which its position is stored; a source that cannot be read again has none. `quarantined`
    is of how many of the lines up to `line` something went to the quarantine.

    >>> tally = Tally("a file")
    >>> for number in (1, 2, 3):
    ...     tally.note(number, end=10 * number)
    >>> tally.keep("BAC-2", 2)
    >>> tally.position()
    Position(line=0, offset=0, beyond={'BAC-2': 2})
    >>> tally.keep("BAC-1", 1)
    >>> tally.position()
    Position(line=2, offset=20, beyond={})
    """

    def __init__(
        self, name: str, key: str | None = None, position: Position | None = None, host: str | None = None
    ) -> None:
        position = position or Position()
        self.name, self.key = name, key
        self.host = host or name
        self.line, self._offset = position.line, position.offset
        self._beyond = dict(position.beyond)
        self._noted: deque[tuple[int, int]] = deque()
        self._kept: set[int] = set()
        self._apart: deque[int] = deque()
        self.quarantined = 0

    def note(self, number: int, end: int) -> None:
        """Note that a line was read."""
        self._noted.append((number, end))

    def quarantine(self, number: int) -> None:
        """Note that something of a line is quarantined."""
        self._apart.append(number)
        self._count_quarantined()

    def has(self, table: str, number: int) -> bool:
        """Return True if a line of a table is stored from an earlier run."""
        return number <= self._beyond.get(table, 0)

    def keep(self, table: str, number: int) -> None:
        """Count a line as stored. The lines of one table are stored in their order."""
        self._beyond[table] = max(number, self._beyond.get(table, 0))
        self._kept.add(number)
        while self._noted and self._noted[0][0] in self._kept:
            self.line, self._offset = self._noted.popleft()
            self._kept.remove(self.line)
        self._count_quarantined()

    def _count_quarantined(self) -> None:
        while self._apart and self._apart[0] <= self.line:
            self._apart.popleft()
            self.quarantined += 1

    def position(self) -> Position:
        """Return the position to store; its lines are stored once it is committed."""
        self._beyond = {table: number for table, number in self._beyond.items() if number > self.line}
        return Position(line=self.line, offset=self._offset, beyond=dict(self._beyond))
