"""A listening socket of the gateway, and the conversations with the devices that connect to it."""

import asyncio
from abc import ABC, abstractmethod
from typing import ClassVar

from schemas.errors import BadInput
from streams.gateway.intake import Intake


class Listener(ABC):
    """Listens for devices, each with its own conversation; `option` is the option that set the address."""

    option: ClassVar[str]

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._conversations: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server

    async def listen(self, host: str, port: int) -> str:
        """Listen; give the address, host:port, with the port that was taken where 0 was asked for.

        Raises:
            BadInput: the address cannot be listened on.
        """
        try:
            self._server = await asyncio.start_server(self._greet, host, port)
        except OSError as error:
            message = f"{self.option} {host}:{port}: {error.strerror or error}; name another address"
            raise BadInput(message) from None
        return f"{host}:{self._server.sockets[0].getsockname()[1]}"

    def hang_up(self) -> None:
        """Listen no more and end every conversation; answers that were given still go out."""
        self._server.close()
        for conversation in self._conversations:
            conversation.cancel()

    def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversation = asyncio.get_running_loop().create_task(self._converse(reader, writer))
        self._conversations.add(conversation)
        conversation.add_done_callback(self._conversations.discard)

    @abstractmethod
    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Accept a device's reports until the connection ends."""
