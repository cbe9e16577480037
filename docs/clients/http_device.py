"""A device that reports to a discardrack gateway by HTTP, by Python's standard library alone.

    device = Device("http://127.0.0.1:7080/reports", "BAC-104", "S-104", Path("s-104"))
    device.report("CardDrawn", round="17", card="9c", hand="player")
    device.send()

It numbers its events without a gap, never gives a number twice, and keeps each on its disk until the gateway
has it on its own. So it may be ended at any moment: what was not answered is sent again, under its number.
"""

import json
import os
import sys
import time
from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

BATCH = 500  # lines in one POST
TIMEOUT = 60  # seconds: a gateway whose disk is full answers when it has room


class Device:
    """One device of a table; `folder` is where it keeps its epoch and what waits, across restarts."""

    def __init__(self, url: str, table: str, name: str, folder: Path) -> None:
        self.url, self.table, self.name = url, table, name
        folder.mkdir(parents=True, exist_ok=True)
        self.waiting, epochs = folder / "waiting.jsonl", folder / "epoch"
        # Nobody knows how far it counted before it was ended: a restart begins the next epoch at 1.
        self.epoch = int(epochs.read_text()) + 1 if epochs.exists() else 1
        write_durably(epochs, str(self.epoch).encode())
        self.seq = 0

    def report(self, event: str, **fields: object) -> None:
        """Store an event on the disk, under the next number, with the time in microseconds."""
        self.seq += 1
        own = {"device": self.name, "epoch": self.epoch, "seq": self.seq, "at": time.time_ns() // 1000}
        line = json.dumps({"table": self.table, "events": [{"event": event, **own, **fields}]})
        with self.waiting.open("ab") as file:
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def send(self) -> None:
        """Send what waits, in its order, until the gateway has all of it."""
        lines = self.waiting.read_bytes().splitlines(keepends=True) if self.waiting.exists() else []
        while lines:
            answer = self.post(b"".join(lines[:BATCH]))
            if answer["quarantined"]:
                sys.stderr.write(f"{self.name}: {answer}; discardrack devices check tells why\n")
            del lines[:BATCH]
            write_durably(self.waiting, b"".join(lines))

    def post(self, body: bytes) -> dict[str, int]:
        """Post lines; while the gateway is away or busy, try again. It may have kept them twice: no harm."""
        pause = 0.5
        while True:
            try:
                request = Request(self.url, body, method="POST")  # noqa: S310  our own gateway's address
                with urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310  likewise
                    answer: dict[str, int] = json.load(response)
                    return answer
            except HTTPError as error:
                if error.code < HTTPStatus.INTERNAL_SERVER_ERROR:
                    raise  # the request is wrong, and would be again
            except (URLError, OSError):
                pass
            time.sleep(pause)
            pause = min(2 * pause, 30)


def write_durably(path: Path, content: bytes) -> None:
    """Replace a file as a whole, whatever happens meanwhile."""
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
