"""A floor played live: what a device does with answers, without them, and when the gateway goes away."""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from replay.cli.simulate import simulate as verb
from schemas.errors import BadInput
from schemas.events import CardDrawn, Event
from streams.gateway.lines import Line, read
from streams.simulator.live import Player, Timed

Conversation = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
LINES = [Timed(1_000_000 + number, (0, number), b'{"n":%d}\n' % number) for number in range(200)]


async def played(conversation: Conversation, told: Callable[[str], None] = lambda _: None) -> Player:
    conversations: list[asyncio.Task[None]] = []

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await conversation(reader, writer)
        writer.close()
        await writer.wait_closed()

    def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversations.append(asyncio.create_task(converse(reader, writer)))

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server:
        player = Player(LINES, 0, told)
        try:
            await player.play("127.0.0.1", server.sockets[0].getsockname()[1])
        finally:
            await asyncio.gather(*conversations, return_exceptions=True)
    return player


def test_what_was_not_answered_is_sent_again_in_order() -> None:
    heard: list[list[bytes]] = []

    async def gateway(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read 60 lines, answer 25 of them, and disconnect; stay the fourth time."""
        lines: list[bytes] = []
        heard.append(lines)
        while line := await reader.readline():
            lines.append(line)
            if len(heard) == 4:
                writer.write(b'{"kept":%d}\n' % len(lines))
            elif len(lines) == 60:
                writer.write(b'{"kept":10}\n{"kept":25}\n')
                break
        await writer.drain()

    player = asyncio.run(played(gateway))
    assert player.answered == len(LINES)
    sent = [each.line for each in LINES]
    assert heard[:3] == [sent[0:60], sent[25:85], sent[50:110]]
    assert heard[3] == sent[75:]


@pytest.mark.parametrize("answer", [b"hello\n", b'{"kept": 7000}\n'])
def test_a_server_that_is_no_gateway_is_reported(answer: bytes) -> None:
    async def stranger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(answer)
        await reader.read()

    with pytest.raises(BadInput, match="--live"):
        asyncio.run(played(stranger))


def test_what_is_silent_is_named_until_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    heard = asyncio.Event()

    def tell(said: str) -> None:
        told.append(said)
        if len(told) == 3:
            heard.set()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heard.wait()
        number = 0
        while number < len(LINES):
            number += (await reader.readuntil()).count(b"\n")
        writer.write(b'{"kept":%d}\n' % number)
        await writer.drain()

    monkeypatch.setattr("streams.simulator.live._SILENT", 0.02)
    player = asyncio.run(played(silent, tell))
    assert player.answered == len(LINES)
    assert len(told) >= 3
    for said in told:
        assert re.fullmatch(r"still no answer of a gateway at 127\.0\.0\.1:\d+; \d+ lines wait for one", said)


def test_where_nothing_listens_it_is_said_again_until_something_does(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    heard = asyncio.Event()

    def tell(said: str) -> None:
        told.append(said)
        if len(told) == 3:
            heard.set()

    async def play() -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        playing = asyncio.create_task(Player(LINES, 0, tell).play("127.0.0.1", port))
        await heard.wait()
        playing.cancel()

    monkeypatch.setattr("streams.simulator.live._SILENT", 0.02)
    asyncio.run(play())
    assert told[0].startswith("no gateway at 127.0.0.1:")
    assert told[0].endswith("; trying on")
    assert all(said.startswith("still no answer of a gateway at 127.0.0.1:") for said in told[1:])


def test_speed_goes_with_live(tmp_path: Path) -> None:
    ran = CliRunner().invoke(
        verb, ["--tables", "1", "--hours", "1", "--out", str(tmp_path / "o"), "--speed", "2"]
    )
    assert isinstance(ran.exception, BadInput)


def test_each_line_on_the_page_for_vendors_is_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "devices.md").read_bytes()
    lines = [line for line in page.splitlines() if line.startswith(b'{"v"')]
    events = [event for n, text in enumerate(lines, 1) for event in read(Line(n, len(text), text)).events]
    assert CardDrawn in {type(msgspec.json.decode(event, type=Event)) for event in events}
