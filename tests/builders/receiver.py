"""A receiver of webhooks in the test's own process, which answers as configured."""

import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import msgspec
from msgspec import Struct

PATIENCE: Final = 20.0  # seconds; what comes at once is not waited for


class ReceivedRequest(Struct, frozen=True):
    """A request as it came."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        """Return its body as JSON."""
        read: dict[str, Any] = msgspec.json.decode(self.body)
        return read


class Receiver:
    """An HTTP server on this machine. `answers` are given in turn, the last of them again and again.

    An answer is a status, its headers and its body; one of None never comes, until the receiver ends.
    """

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str], bytes] | None] = [(204, {}, b"")]
        self.received: queue.Queue[ReceivedRequest] = queue.Queue()
        self.ending = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.received.put(ReceivedRequest(self.path, headers, body))
                answer = receiver.answers[0]
                if len(receiver.answers) > 1:
                    receiver.answers.pop(0)
                if answer is None:
                    receiver.ending.wait(PATIENCE)
                    return
                status, more, content = answer
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}/hook"

    def take(self) -> ReceivedRequest:
        """Return the next request, which is on its way."""
        return self.received.get(timeout=PATIENCE)

    def count(self) -> int:
        """Return how many requests have come and were not taken."""
        return self.received.qsize()


@contextmanager
def open_receiver() -> Iterator[Receiver]:
    """Open a receiver."""
    receiver = Receiver()
    serving = threading.Thread(target=receiver.server.serve_forever, args=(0.01,), daemon=True)
    serving.start()
    try:
        yield receiver
    finally:
        receiver.ending.set()
        receiver.server.shutdown()
        receiver.server.server_close()
        serving.join()
