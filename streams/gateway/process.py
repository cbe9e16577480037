"""The gateway as a process: from its sources to Kafka until they end, or until it is stopped."""

import asyncio
import hashlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

from schemas.errors import BadInput
from schemas.senders import Senders
from streams import house_reload
from streams.gateway.delivery import Delivery
from streams.gateway.http_devices import HttpDevices
from streams.gateway.intake import RETRY, Intake
from streams.gateway.lines import LONGEST, Lines, Tally, speaks_http
from streams.gateway.listener import Listener
from streams.gateway.spool import DiskFull, Spool
from streams.processes import freeze_loaded_objects

_CHUNK: Final = 64 * 1024
_WHERE_HTTP: Final = b"This port takes report lines over TCP. For HTTP: gateway --http, POST /reports.\n"
_NO_HTTP: Final = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n"
    b"Content-Length: %d\r\n\r\n%b" % (len(_WHERE_HTTP), _WHERE_HTTP)
)


class Devices(Listener):
    """Devices that connect by TCP; each line is answered once it is stored, see docs/devices.md."""

    option = "--tcp"

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A device that lost its power sends nothing; without this its connection would stay open forever.
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        tally = Tally(_address(writer), host=_address(writer).rpartition(":")[0])
        done = asyncio.Event()

        def answer(last: int) -> None:
            if not writer.is_closing():
                writer.write(b'{"kept":%d,"quarantined":%d}\n' % (last, tally.quarantined))
            done.set()

        self._intake.open(tally, answer)
        _log.info("device_connected", address=tally.name)
        try:
            lines = await self._hear(reader, writer, tally)
            # It may have closed its side only: the last answers are still for it.
            while tally.line < lines and not writer.is_closing():
                done.clear()
                await done.wait()
        except OSError as error:
            _log.info("device_lost", address=tally.name, reason=error.strerror or str(error))
        finally:
            self._intake.leave(tally)
            writer.close()
        _log.info("device_left", address=tally.name, kept=tally.line)

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tally: Tally) -> int:
        """Accept a device's lines until it closes its side; return their number.

        What has no end is no line.
        """
        lines, number = Lines(), 0
        await self._intake.wait_for_space()
        while chunk := await reader.read(_CHUNK):
            for line in lines.cut(chunk):
                if line.number == 1 and speaks_http(line):
                    _log.warning("http_refused", address=tally.name)
                    writer.write(_NO_HTTP)
                    return 0
                self._intake.take(tally, line)
                number = line.number
            await self._intake.wait_for_space()
            await writer.drain()
        if lines.rest():
            _log.warning("line_cut_off", address=tally.name, after=number)
        return number


def _address(writer: asyncio.StreamWriter) -> str:
    peer = writer.get_extra_info("peername")
    # One that has left before it was greeted has no address.
    return "a device that has left" if peer is None else f"{peer[0]}:{peer[1]}"


async def read_file(path: Path, intake: Intake, spool: Spool) -> None:
    """Accept a file's lines from where an earlier gateway on this spool stopped, to the end.

    Raises:
        BadInput: the file cannot be read.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise BadInput(f"--file {path}: {error.strerror}") from None
    with file:
        key = _identity(path, file.readline(LONGEST))
        position = spool.position(key)
        tally = Tally(str(path), key, position)
        if position is not None:
            _log.info("file_resumed", file=str(path), line=position.line)
        file.seek(tally.position().offset)
        lines = Lines(tally.line, tally.position().offset)
        intake.open(tally)
        while chunk := file.read(_CHUNK):
            for line in lines.cut(chunk):
                intake.take(tally, line)
            await intake.wait_for_space()
        for line in lines.rest():
            intake.take(tally, line)


async def read_stdin(intake: Intake) -> None:
    """Accept the lines of standard input to its end. It cannot be read again, so no position is stored."""
    tally, lines = Tally("stdin"), Lines()
    intake.open(tally)
    async for chunk in _stdin():
        for line in lines.cut(chunk):
            intake.take(tally, line)
        await intake.wait_for_space()
    for line in lines.rest():
        intake.take(tally, line)


def _identity(path: Path, first_line: bytes) -> str:
    """Return a file by its place and how it begins: another in its place is read from its beginning."""
    return f"{path.resolve()} {hashlib.sha256(first_line).hexdigest()}"


async def _stdin() -> AsyncIterator[bytes]:
    """Read standard input, which may be a pipe, a terminal, a file or empty, in a thread of its own.

    The thread reads the next chunk only when the last one was taken, and does not hold up the end of the
    process.
    """
    loop = asyncio.get_running_loop()
    chunks: asyncio.Queue[bytes] = asyncio.Queue(1)

    def read() -> None:
        # The loop has closed because the gateway was stopped; nothing takes what is read.
        with suppress(RuntimeError):
            while True:
                chunk = os.read(sys.stdin.fileno(), _CHUNK)
                asyncio.run_coroutine_threadsafe(chunks.put(chunk), loop).result()
                if not chunk:
                    return

    threading.Thread(target=read, name="stdin", daemon=True).start()
    while chunk := await chunks.get():
        yield chunk


_GRACE: Final = 5.0  # seconds for what is in the spool after a stop; the rest waits for the next start
_LOOK: Final = 0.05  # seconds between two looks whether the spool is empty

_log: Final = structlog.get_logger()


class Settings(Struct, frozen=True, kw_only=True):
    """Broker (host:port), senders, folder and limit (bytes) of the spool, the gateway's name, its sources.

    At SIGHUP the house file `house_name` is read again. Without `tcp`, `http` (host and port) and `file`
    it reads standard input.
    """

    broker: str
    senders: Senders
    spool: Path
    limit: int
    name: str
    tcp: tuple[str, int] | None = None
    http: tuple[str, int] | None = None
    file: Path | None = None
    house_name: str | None = None


def run(settings: Settings) -> None:
    """Run a gateway: until its sources have ended and Kafka has all, or until SIGTERM or SIGINT.

    Raises:
        BadInput: another gateway is at work on the spool, the spool or the file cannot be read, or the
            address cannot be listened on.
    """
    with Spool(settings.spool) as spool:
        asyncio.run(_Gateway(settings, spool).serve())


class _Gateway:
    def __init__(self, settings: Settings, spool: Spool) -> None:
        self._settings, self._spool = settings, spool
        self._delivery = Delivery(spool, settings.broker)
        self._intake = Intake(spool, settings.name, settings.limit, self._delivery.stir, settings.senders)
        self._devices = Devices(self._intake) if settings.tcp is not None else None
        self._http_devices = HttpDevices(self._intake) if settings.http is not None else None

    async def serve(self) -> None:
        """Run until the sources have ended and Kafka has all, or until stopped."""
        stopped = asyncio.Event()
        for each in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(each, stopped.set)
        delivering = asyncio.create_task(asyncio.to_thread(self._delivery.run))
        stopping = asyncio.create_task(stopped.wait())
        intake = asyncio.create_task(self._take())
        keeping = asyncio.create_task(self._intake.keep())
        try:
            await self._until(intake, stopping, delivering, keeping)
            await self._finish(stopped, delivering)
            self._end(intake, keeping)
            await self._drain(stopped, delivering)
        finally:
            self._delivery.stop()
            await delivering
            for task in (stopping, intake, keeping):
                task.cancel()
        _log.info("gateway_stopped", frames=self._spool.count)

    async def _take(self) -> None:
        """Read every source to its end; devices have none."""
        settings = self._settings
        address = http = None
        if self._devices is not None and settings.tcp is not None:
            address = await self._devices.listen(*settings.tcp)
        if self._http_devices is not None and settings.http is not None:
            http = await self._http_devices.listen(*settings.http)
        _log.info(
            "gateway_started",
            name=settings.name,
            broker=settings.broker,
            tcp=address,
            http=http,
            file=str(settings.file) if settings.file is not None else None,
            spooled=self._spool.count,
        )
        if settings.house_name is not None:
            folder = Path.cwd()
            house_reload.on_hangup(
                settings.house_name, folder, lambda file: self._intake.take_senders(file.senders)
            )
        freeze_loaded_objects()
        if settings.file is not None:
            await read_file(settings.file, self._intake, self._spool)
        elif address is None and http is None:
            await read_stdin(self._intake)
        if address is not None or http is not None:
            await asyncio.Event().wait()

    async def _until(self, *tasks: asyncio.Task[object]) -> None:
        """Wait for the first to end; what went wrong in any is raised here."""
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()

    async def _finish(self, stopped: asyncio.Event, delivering: asyncio.Task[None]) -> None:
        """Write all that was accepted to disk, as soon as that is possible.

        Raises:
            BadInput: stopped while the disk is full; what was not answered is not stored.
        """
        while True:
            try:
                self._intake.finish()
            except DiskFull as error:
                if stopped.is_set() or delivering.done():
                    raise BadInput(f"{error}; what was taken and not answered is not kept") from None
                await asyncio.sleep(RETRY)
            else:
                return

    def _end(self, *tasks: asyncio.Task[None]) -> None:
        """Accept nothing more; no task has run since all that was accepted is on the disk."""
        for task in tasks:
            task.cancel()
        for devices in (self._devices, self._http_devices):
            if devices is not None:
                devices.hang_up()

    async def _drain(self, stopped: asyncio.Event, delivering: asyncio.Task[None]) -> None:
        """Wait until Kafka has all: as long as it takes, or for a short time once stopped."""
        until = time.monotonic() + _GRACE
        while self._spool.count and not delivering.done():
            if not stopped.is_set():
                until = time.monotonic() + _GRACE
            elif time.monotonic() > until:
                return
            await asyncio.sleep(_LOOK)
