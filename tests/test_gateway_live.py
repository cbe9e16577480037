"""A floor played live: what a device does with answers, without them, and when the gateway goes away."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from replay.simulate import simulate as verb
from schemas.errors import BadInput
from schemas.events import CardDrawn, Event
from streams.gateway.lines import Line
from streams.gateway.report import read
from streams.simulator.live import Player, Timed

Conversation = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
LINES = [Timed(1_000_000 + number, (0, number), b'{"n":%d}\n' % number) for number in range(200)]


async def played(conversation: Conversation) -> Player:
    conversations: list[asyncio.Task[None]] = []

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await conversation(reader, writer)
        writer.close()
        await writer.wait_closed()

    def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversations.append(asyncio.create_task(converse(reader, writer)))

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server:
        player = Player(LINES, 0, lambda _: None)
        try:
            await player.play("127.0.0.1", server.sockets[0].getsockname()[1])
        finally:
            await asyncio.gather(*conversations, return_exceptions=True)
    return player


def test_what_was_not_answered_is_sent_again_in_order() -> None:
    heard: list[list[bytes]] = []

    async def gateway(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hear 60 lines, answer 25 of them, and go away; the fourth time stay."""
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
def test_what_is_no_gateway_is_told(answer: bytes) -> None:
    async def stranger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(answer)
        await reader.read()

    with pytest.raises(BadInput, match="--live"):
        asyncio.run(played(stranger))


def test_speed_goes_with_live(tmp_path: Path) -> None:
    ran = CliRunner().invoke(
        verb, ["--tables", "1", "--hours", "1", "--out", str(tmp_path / "o"), "--speed", "2"]
    )
    assert isinstance(ran.exception, BadInput)


def test_the_page_for_vendors_shows_a_line_that_is_read() -> None:
    page = (Path(__file__).parent.parent / "docs" / "devices.md").read_bytes()
    (text,) = (line for line in page.splitlines() if line.startswith(b'{"v"'))
    (told,) = read(Line(1, len(text), text)).events
    assert isinstance(msgspec.json.decode(told, type=Event), CardDrawn)
