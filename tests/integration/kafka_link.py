"""A link to a broker that can be cut and mended: to cut it takes a client's Kafka away as kill -9 would.

To start a broker again takes three seconds of a core. What a client is told is the same: its connections end,
new ones are refused, and then there is Kafka again as it was. What a broker forgets in a kill is tried in
test_broker, test_chaos and test_archiver.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Final

from streams.broker import HOST, LocalBroker

_MOST: Final = 1 << 16  # bytes that are passed on at once
_NAME: Final = "LINK"  # of the broker's listener


class LinkedBroker(LocalBroker):
    """Broker that can be reached by a link, too; a client that comes by it is sent nowhere else."""

    def __init__(self, folder: Path, port: int, behind: int, link_port: int) -> None:
        super().__init__(folder, port)
        self.behind, self.link_port = behind, link_port  # the broker's end of the link, and the clients'

    def _write_settings(self) -> None:
        super()._write_settings()
        settings = dict(line.split("=", 1) for line in self._settings.read_text().splitlines() if "=" in line)
        more = {
            "listeners": f"{_NAME}://{HOST}:{self.behind}",
            "advertised.listeners": f"{_NAME}://{HOST}:{self.link_port}",
            "listener.security.protocol.map": f"{_NAME}:PLAINTEXT",
        }
        with self._settings.open("a") as file:
            file.writelines(f"{key}={settings[key]},{added}\n" for key, added in more.items())


class KafkaLink:
    """Passes on what clients and a broker tell each other, until it is cut."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._behind = 0
        self._listening: socket.socket | None = None
        self._ends: list[socket.socket] = []
        self._threads: list[Thread] = []

    @property
    def address(self) -> str:
        """Host and port, as a client wants them."""
        return f"{HOST}:{self.port}"

    def mend(self, broker: LinkedBroker) -> None:
        """Accept clients for a broker that has this link."""
        assert broker.link_port == self.port
        self._behind = broker.behind
        self._listening = socket.create_server((HOST, self.port))
        self._begin(self._accept, self._listening)

    def cut(self) -> None:
        """End all connections, and refuse others."""
        if self._listening is None:
            return
        accepting, *_ = self._threads
        self._listening.shutdown(socket.SHUT_RDWR)
        accepting.join()
        _end(*self._ends)
        for each in self._threads:
            each.join()
        for end in (self._listening, *self._ends):
            end.close()
        self._listening, self._ends, self._threads = None, [], []

    def _begin(self, target: Callable[..., None], *ends: socket.socket) -> None:
        thread = Thread(target=target, args=ends, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):  # it is cut
            while True:
                client, _ = listening.accept()
                kafka = socket.create_connection((HOST, self._behind))
                self._ends += [client, kafka]
                for end in (client, kafka):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._begin(_pass_on, client, kafka)
                self._begin(_pass_on, kafka, client)


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while told := one.recv(_MOST):
            other.sendall(told)
    _end(one, other)


def _end(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):  # it has ended
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def linked(broker: LinkedBroker) -> Iterator[KafkaLink]:
    """Yield a link to a running broker, and cut it in the end."""
    link = KafkaLink(broker.link_port)
    link.mend(broker)
    try:
        yield link
    finally:
        link.cut()
