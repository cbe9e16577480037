"""Devices by HTTP: report lines in the body of a POST, answered when all of them are stored, as over TCP."""

import asyncio
from contextlib import suppress
from typing import Final

import h11
import msgspec
import structlog
from msgspec import Struct

from streams.gateway.intake import Intake
from streams.gateway.lines import Lines, Tally
from streams.gateway.listener import Listener

PATH: Final = "/reports"
LARGEST: Final = 16 * 1024 * 1024  # bytes of one body
_CHUNK: Final = 64 * 1024
_IDLE: Final = 75.0  # seconds that a connection waits for its next request, or for more of one
_LAST: Final = 2.0  # seconds in which a client whose request is refused may end it
_HEAD: Final = 16 * 1024  # bytes

# A browser on the devices' network must not be made to report by some page.
_OF_A_BROWSER: Final = frozenset({b"origin", b"sec-fetch-site"})

_log: Final = structlog.get_logger()
_encode: Final = msgspec.json.Encoder().encode


class Answer(Struct, frozen=True):
    """Answer to a POST: how many of its lines are stored, and how many have something quarantined."""

    kept: int
    quarantined: int


class Refused(Exception):
    """A request that is not one for report lines: its status, and a line for who wrote the client."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class HttpDevices(Listener):
    """Listens for devices that report by HTTP; see docs/devices.md."""

    option = "--http"

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = writer.get_extra_info("peername") or ("a device that has left", 0)
        conversation = _Conversation(self._intake, reader, writer, peer[0])
        try:
            with suppress(OSError, TimeoutError):  # what was not answered the device sends again
                while await conversation.answer_one():
                    pass
                await _hear_out(reader, writer)
        finally:
            writer.close()


async def _hear_out(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass over what a client still sends, a moment long: else its answer would be lost with it."""
    writer.write_eof()
    async with asyncio.timeout(_LAST):
        while await reader.read(_CHUNK):
            pass


class _Conversation:
    """The requests of one connection, one after another."""

    def __init__(
        self, intake: Intake, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str
    ) -> None:
        self._intake, self._reader, self._writer, self._host = intake, reader, writer, host
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD)

    async def answer_one(self) -> bool:
        """Answer the next request; return False where the connection ends."""
        try:
            request = await self._next()
            if not isinstance(request, h11.Request):
                return False
            _check(request)
            answer = await self._take_body()
        except Refused as error:
            await self._send(error.status, "text/plain; charset=utf-8", f"{error}\n".encode())
            return False
        except h11.RemoteProtocolError as error:
            if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                await self._send(error.error_status_hint, "text/plain; charset=utf-8", f"{error}\n".encode())
            return False
        await self._send(200, "application/json", _encode(answer))
        if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
            return False
        self._http.start_next_cycle()
        return True

    async def _take_body(self) -> Answer:
        """Read the lines of a body, and wait until all are stored; the last needs no line feed."""
        tally, lines = Tally(f"{self._host} by HTTP", host=self._host), Lines()
        done = asyncio.Event()
        self._intake.open(tally, lambda _: done.set())
        size = number = 0
        try:
            await self._intake.wait_for_space()
            while isinstance(event := await self._next(), h11.Data):
                size += len(event.data)
                if size > LARGEST:
                    raise Refused(413, f"A body has {LARGEST} bytes at most: send fewer lines at once.")
                for line in lines.cut(bytes(event.data)):
                    self._intake.take(tally, line)
                    number = line.number
                await self._intake.wait_for_space()
            if not isinstance(event, h11.EndOfMessage):
                raise h11.RemoteProtocolError("the body has no end")
            for line in lines.rest():
                self._intake.take(tally, line)
                number = line.number
            while tally.line < number:
                done.clear()
                await done.wait()
        finally:
            self._intake.leave(tally)
        return Answer(tally.line, tally.quarantined)

    async def _next(self) -> object:
        """Return the next part of what the client sends."""
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[])
                self._writer.write(self._http.send(go_on) or b"")
            async with asyncio.timeout(_IDLE):
                self._http.receive_data(await self._reader.read(_CHUNK))
        return event

    async def _send(self, status: int, kind: str, body: bytes) -> None:
        headers = [("Content-Type", kind), ("Content-Length", str(len(body)))]
        if status != 200:  # noqa: PLR2004  as HTTP has it
            headers.append(("Connection", "close"))
            _log.info("http_answered", host=self._host, status=status)
        head = h11.Response(status_code=status, headers=headers)
        for part in (head, h11.Data(data=body), h11.EndOfMessage()):
            self._writer.write(self._http.send(part) or b"")
        await self._writer.drain()


def _check(request: h11.Request) -> None:
    """Check that a request brings report lines.

    Raises:
        Refused: another path, method or coding, or a page's request.
    """
    headers = dict(request.headers)
    if headers.keys() & _OF_A_BROWSER:
        raise Refused(403, "Devices report here. What a page in a browser sends is refused.")
    if request.target.partition(b"?")[0] != PATH.encode():
        raise Refused(404, f"Report lines go to POST {PATH}; see docs/devices.md.")
    if request.method != b"POST":
        raise Refused(405, f"Report lines are sent by POST {PATH}, one JSON object a line.")
    if headers.get(b"content-encoding", b"identity") != b"identity":
        raise Refused(415, "A body is sent as it is, without a content coding.")
