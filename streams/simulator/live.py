"""A floor played into a gateway as its devices would: line by line, at the time of each report.

A device stores what the gateway has not answered, and sends it again when it is connected again. That is
enough to lose nothing; duplicates are recognized by the devices' own numbers.
"""

import asyncio
import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from schemas.codec import VERSION, AnyEvent
from schemas.errors import BadInput
from streams.simulator.frames import Arrival
from streams.simulator.money.ledgers import DEVICES
from streams.simulator.simulate import Floor, Outline, label_lines

# Lines on their way; then a device waits. A line may be answered after a quarter of a second, when its frame
# closes, and all tables share one connection: so it takes up to 20,000 lines a second.
_UNANSWERED: Final = 5000
_SILENT: Final = 30.0  # seconds without an answer, after which the waiting is reported again and again
_PAUSE: Final = 0.5  # seconds between two attempts to connect
_LINE: Final = msgspec.json.Encoder()


class Timed(Struct, frozen=True, order=True):
    """A report line and when it leaves the device, microseconds UTC; `place` orders those of one moment."""

    at: int
    place: tuple[int, int]
    line: bytes


class _Answer(Struct, frozen=True):
    kept: int


_answer: Final = msgspec.json.Decoder(_Answer)


class Played(Struct, frozen=True):
    """A floor that was played: what arrives of each table and ledger by name; how many rounds, labels."""

    arrivals: dict[str, list[Arrival]]
    tables: int
    rounds: int
    labels: int


def play_floor(out: Path, outline: Outline, progress: Callable[[str], None]) -> Played:
    """Play a floor and write its labels into `out`, where it was laid out, but no events."""
    floor = Floor(outline)
    arrivals: dict[str, list[Arrival]] = {}
    rounds = labels = 0
    with (out / "labels.jsonl").open("wb") as label_file:
        for run in floor.tables():
            arrivals[run.name] = run.arrivals
            rounds, labels = rounds + run.rounds, labels + len(run.labels)
            label_file.writelines(label_lines(run.labels))
            progress(run.name)
        injected = floor.close()
        label_file.writelines(label_lines(injected))
    arrivals.update((ledger, floor.books.ledgers.arrivals(ledger)) for ledger in DEVICES)
    return Played(arrivals, len(outline.plans), rounds, labels + len(injected))


def lines(arrivals: Mapping[str, Iterable[Arrival]]) -> Iterator[Timed]:
    """Return every event that arrives as a report line of its own, all tables' in the order of their time."""
    return heapq.merge(
        *(list(_lines(place, name, each)) for place, (name, each) in enumerate(arrivals.items()))
    )


def _lines(place: int, name: str, arrivals: Iterable[Arrival]) -> Iterator[Timed]:
    for number, arrival in enumerate(sorted(arrivals, key=lambda each: each.at)):
        yield Timed(arrival.at, (place, number), report_line(name, arrival.event))


def report_line(name: str, event: AnyEvent) -> bytes:
    """Write an event of a table, or an entry of a ledger, as the line that a device sends, with its end."""
    return _LINE.encode({"v": VERSION, "table": name, "events": [event]}) + b"\n"


class Player:
    """Sends lines to a gateway until all are answered, over as many connections as it takes.

    `speed` is how many times faster than the lines' own time they are sent, 0 as fast as they are accepted.
    `report` gets a sentence when the gateway is lost or found, and each half minute while it is silent.
    """

    def __init__(self, lines: Iterable[Timed], speed: float, report: Callable[[str], None]) -> None:
        self._lines = iter(lines)
        self._next = next(self._lines, None)
        self._speed, self._told = speed, report
        self._unanswered: deque[bytes] = deque()
        self._moved = asyncio.Event()
        self._began: tuple[float, int] | None = None
        self._lost = False
        self.answered = 0

    async def play(self, host: str, port: int) -> None:
        """Play every line into the gateway at an address.

        Raises:
            BadInput: what is there does not answer as a gateway.
        """
        reminding = asyncio.create_task(self._remind(f"{host}:{port}"))
        try:
            while self._next is not None or self._unanswered:
                await self._meet(host, port)
        finally:
            reminding.cancel()

    async def _meet(self, host: str, port: int) -> None:
        """Connect once, or wait a little; converse until the connection breaks or all is answered."""
        try:
            reader, writer = await asyncio.open_connection(host, port)
        except OSError as error:
            if not self._lost:
                self._told(f"no gateway at {host}:{port} ({error.strerror or error}); trying on")
            self._lost = True
            await asyncio.sleep(_PAUSE)
            return
        if self._lost:
            self._told(f"gateway at {host}:{port} found, {len(self._unanswered)} lines are sent again")
        self._lost = False
        await self._converse(reader, writer)
        if self._unanswered:
            self._told(f"gateway lost with {len(self._unanswered)} lines unanswered")
            self._lost = True

    async def _remind(self, address: str) -> None:
        """Report at intervals how many lines wait for an answer, while the gateway is absent or silent."""
        while True:
            answered = self.answered
            await asyncio.sleep(_SILENT)
            if self.answered == answered and (self._lost or self._unanswered):
                lines = len(self._unanswered)
                self._told(f"still no answer of a gateway at {address}; {lines} lines wait for one")

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send over one connection until it breaks or all is answered."""
        speaking = asyncio.create_task(self._speak(writer))
        reader_task = asyncio.create_task(self._hear(reader))
        try:
            await asyncio.wait((speaking, reader_task), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (speaking, reader_task):
                task.cancel()
            ended = await asyncio.gather(speaking, reader_task, return_exceptions=True)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        for problem in ended:
            if isinstance(problem, BaseException) and not isinstance(
                problem, OSError | asyncio.CancelledError
            ):
                raise problem

    async def _speak(self, writer: asyncio.StreamWriter) -> None:
        for line in self._unanswered.copy():
            writer.write(line)
        while self._next is not None:
            await self._wait_for(self._next.at)
            while len(self._unanswered) >= _UNANSWERED:
                await self._moves()
            line = self._next.line
            self._unanswered.append(line)
            self._next = next(self._lines, None)
            writer.write(line)
            await writer.drain()
        while self._unanswered:
            await self._moves()

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        """Read answers until the gateway ends the conversation; each counts this connection's lines."""
        acknowledged = 0
        while answer := await reader.readline():
            if not answer.endswith(b"\n"):
                return
            answered = _read(answer)
            if not acknowledged <= answered <= acknowledged + len(self._unanswered):
                raise BadInput(f"--live: the gateway answered {answered} lines kept, which it was not sent")
            for _ in range(answered - acknowledged):
                self._unanswered.popleft()
            self.answered += answered - acknowledged
            acknowledged = answered
            self._moved.set()

    async def _moves(self) -> None:
        self._moved.clear()
        await self._moved.wait()

    async def _wait_for(self, at: int) -> None:
        """Wait until a line's time has come, counted from the first one's."""
        if not self._speed:
            return
        now = asyncio.get_running_loop().time()
        if self._began is None:
            self._began = now, at
        since, first = self._began
        await asyncio.sleep(since + (at - first) / 1_000_000 / self._speed - now)


def _read(answer: bytes) -> int:
    try:
        return _answer.decode(answer).kept
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadInput(f"--live: no gateway's answer: {answer[:80]!r}") from None
