"""Followers of a floor beside a server: the failure of one is reported, also in its last act."""

import asyncio

import pytest
import uvicorn

from replay.serving.live_source import KafkaSource
from schemas.errors import DiscardrackError


class Full:
    """Follows a floor until it is to end, and cannot write what is left."""

    async def follow(self) -> None:
        """Wait for the end."""
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise DiscardrackError("the store cannot be written: no space left on device") from None


class Idle:
    """Follows a floor on which nothing happens."""

    async def follow(self) -> None:
        """Wait for the end."""
        await asyncio.Event().wait()


async def ended(following: KafkaSource) -> None:
    await following.start()
    await asyncio.sleep(0)
    await following.stop()


def server() -> uvicorn.Server:
    return uvicorn.Server(uvicorn.Config("nothing"))


def test_a_write_that_fails_at_the_end_is_reported() -> None:
    following = KafkaSource([Idle(), Full()], server())
    asyncio.run(ended(following))
    with pytest.raises(DiscardrackError, match="no space left"):
        following.result()


def test_to_be_ended_is_no_failure() -> None:
    following = KafkaSource([Idle()], server())
    asyncio.run(ended(following))
    following.result()
