"""Devices by HTTP: kept as over TCP before they are answered, and what is no report is refused."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from schemas.house import House, TableSetup
from schemas.senders import Senders
from streams.gateway.http_devices import LARGEST, HttpDevices
from streams.gateway.intake import Intake
from streams.gateway.spool import Spool
from streams.topics import FRAMES

HOUSE: Final = House(house="h", tables={"BAC-1": TableSetup("631a", {"S-1": "shoe", "T-1": "terminal"})})
CARD: Final[dict[str, Any]] = {
    "event": "CardDrawn",
    "device": "S-1",
    "epoch": 1,
    "at": 1_740_880_445_000_000,
    "round": "17",
    "card": "9c",
    "hand": "player",
}

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter, Intake], Coroutine[Any, Any, Any]]


def line(seq: int, **fields: object) -> bytes:
    return json.dumps({"table": "BAC-1", "events": [CARD | {"seq": seq} | fields]}).encode()


def post(body: bytes, *headers: str, path: str = "/reports", method: str = "POST") -> bytes:
    head = [f"{method} {path} HTTP/1.1", "Host: gateway", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(head).encode() + body


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read one answer: its status and its body."""
    async with asyncio.timeout(30):
        head = await reader.readuntil(b"\r\n\r\n")
        (length,) = [
            int(each.partition(b":")[2]) for each in head.splitlines() if each.startswith(b"Content-Length")
        ]
        return int(head.split()[1]), await reader.readexactly(length)


def talk(folder: Path, conversation: Talk, *, keeps: bool = True) -> Any:
    """Converse with a gateway that keeps what it takes; give what the conversation came to."""

    async def run() -> Any:
        with Spool(folder) as spool:
            intake = Intake(spool, "g", 10**9, lambda: None, Senders(HOUSE))
            devices = HttpDevices(intake)
            address = await devices.listen("127.0.0.1", 0)
            keeping = asyncio.create_task(intake.keep()) if keeps else None
            reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
            try:
                return await conversation(reader, writer, intake)
            finally:
                writer.close()
                devices.hang_up()
                if keeping is not None:
                    keeping.cancel()

    return asyncio.run(run())


def numbers(folder: Path) -> list[int]:
    with Spool(folder) as spool:
        frames = [
            msgspec.json.decode(each.payload) for each in spool.next_records(0, 100) if each.topic == FRAMES
        ]
    return [event["seq"] for each in frames for event in each["events"]]


def test_lines_of_a_body_are_on_the_disk_when_they_are_answered(tmp_path: Path) -> None:
    """Two requests of one connection; the last line of a body needs no line feed."""

    async def conversation(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _: Intake
    ) -> list[tuple[int, bytes]]:
        writer.write(post(line(1) + b"\n" + line(2)))
        first = await answer(reader)
        writer.write(post(line(3, card="1x") + b"\nno JSON\n" + line(4, device="X") + b"\n" + line(5)))
        return [first, await answer(reader)]

    first, second = talk(tmp_path, conversation)
    assert (first[0], json.loads(first[1])) == (200, {"kept": 2, "quarantined": 0})
    assert (second[0], json.loads(second[1])) == (200, {"kept": 4, "quarantined": 3})
    assert numbers(tmp_path) == [1, 2, 3, 5]


def test_a_chunked_body_and_one_that_waits_to_be_asked_for(tmp_path: Path) -> None:
    async def conversation(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _: Intake
    ) -> tuple[int, bytes]:
        head = (
            "POST /reports HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
        )
        writer.write(head.encode())
        assert (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)).startswith(b"HTTP/1.1 100 ")
        text = line(1) + b"\n"
        for part in (text[:40], text[40:]):
            writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        writer.write(b"0\r\n\r\n")
        return await answer(reader)

    status, body = talk(tmp_path, conversation)
    assert (status, json.loads(body)) == (200, {"kept": 1, "quarantined": 0})
    assert numbers(tmp_path) == [1]


def test_nothing_is_answered_before_it_is_kept(tmp_path: Path) -> None:
    async def conversation(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, intake: Intake
    ) -> tuple[int, bytes]:
        writer.write(post(line(1)))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(
                reader.readexactly(1), 0.7
            )  # a frame is closed after a quarter of a second
        intake.finish()
        return await answer(reader)

    assert talk(tmp_path, conversation, keeps=False)[0] == 200


@pytest.mark.parametrize(
    ("request_", "status", "word"),
    [
        (post(b"", path="/"), 404, b"/reports"),
        (post(b"", method="GET"), 405, b"POST"),
        (post(line(1), "Content-Encoding: gzip"), 415, b"coding"),
        (post(line(1), "Origin: https://elsewhere.example"), 403, b"browser"),
        (post(line(1), "Sec-Fetch-Site: cross-site"), 403, b"browser"),
        (b"POST /reports HTTP/1.1\r\nno header\r\n\r\n", 400, b""),
        (b"POST /reports HTTP/1.1\r\nHost: g\r\nX: " + b"x" * 40_000, 431, b""),
        (post(b"x" * (LARGEST + 1)), 413, b"bytes"),
    ],
    ids=["path", "method", "coding", "origin", "fetch", "header", "head", "body"],
)
def test_an_unreadable_report_is_refused_and_nothing_of_it_stored(
    tmp_path: Path, request_: bytes, status: int, word: bytes
) -> None:
    async def conversation(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _: Intake
    ) -> tuple[int, bytes]:
        writer.write(request_)
        return await answer(reader)

    got, body = talk(tmp_path, conversation)
    assert (got, word in body) == (status, True)
    assert numbers(tmp_path) == []
