"""The gateway as a process: from its sources to Kafka until they end, or until it is told to stop."""

import asyncio
import signal
import time
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

from schemas.errors import BadInput
from schemas.house import House
from schemas.senders import Senders
from streams.gateway.delivery import Delivery
from streams.gateway.intake import RETRY, Intake
from streams.gateway.sources import Devices, read_file, read_stdin
from streams.gateway.spool import DiskFull, Spool
from streams.processes import loaded

_GRACE: Final = 5.0  # seconds for what is in the spool, when told to stop; the rest waits for the next start
_LOOK: Final = 0.05  # seconds between two looks whether the spool is empty

_log: Final = structlog.get_logger()


class Settings(Struct, frozen=True, kw_only=True):
    """Broker (host:port), house, folder and limit (bytes) of the spool, the gateway's name, its sources.

    Without `tcp` (host and port) and `file` it reads standard input.
    """

    broker: str
    house: House
    spool: Path
    limit: int
    name: str
    tcp: tuple[str, int] | None = None
    file: Path | None = None


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
        self._intake = Intake(
            spool, settings.name, settings.limit, self._delivery.stir, Senders(settings.house)
        )
        self._devices = Devices(self._intake) if settings.tcp is not None else None

    async def serve(self) -> None:
        """Work until the sources have ended and Kafka has all, or until told to stop."""
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
        address = None
        if self._devices is not None and settings.tcp is not None:
            address = await self._devices.listen(*settings.tcp)
        _log.info(
            "gateway_started",
            name=settings.name,
            broker=settings.broker,
            tcp=address,
            file=str(settings.file) if settings.file is not None else None,
            spooled=self._spool.count,
        )
        loaded()
        if settings.file is not None:
            await read_file(settings.file, self._intake, self._spool)
        elif address is None:
            await read_stdin(self._intake)
        if address is not None:
            await asyncio.Event().wait()

    async def _until(self, *tasks: asyncio.Task[object]) -> None:
        """Wait for the first to end; what went wrong in any is raised here."""
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()

    async def _finish(self, stopped: asyncio.Event, delivering: asyncio.Task[None]) -> None:
        """Put all that was taken onto the disk, as soon as it takes it.

        Raises:
            BadInput: told to stop while the disk is full; what was not answered is not kept.
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
        """Take nothing more; nothing else has run since all that was taken is on the disk."""
        for task in tasks:
            task.cancel()
        if self._devices is not None:
            self._devices.hang_up()

    async def _drain(self, stopped: asyncio.Event, delivering: asyncio.Task[None]) -> None:
        """Wait until Kafka has all: as long as it takes, or a little while once told to stop."""
        until = time.monotonic() + _GRACE
        while self._spool.count and not delivering.done():
            if not stopped.is_set():
                until = time.monotonic() + _GRACE
            elif time.monotonic() > until:
                return
            await asyncio.sleep(_LOOK)
