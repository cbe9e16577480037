"""A stream that ends when whoever listens is not logged in any more."""

import time
from asyncio import to_thread
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, TypeVar

from projections.web.auth.auth_service import Entry
from projections.web.auth.person import Person

_T = TypeVar("_T")

# A stream is never silent for longer than a proxy bears, so that this is asked at least as often.
ASKED_EVERY: Final = 5.0  # seconds


async def while_held(
    messages: AsyncGenerator[_T, None], entry: Entry, person: Person
) -> AsyncGenerator[_T, None]:
    """Yield messages for as long as a person is logged in; that someone listens is use of the session."""
    asked = time.monotonic()
    async with aclosing(messages):
        async for message in messages:
            if time.monotonic() >= asked + ASKED_EVERY:
                if not await to_thread(entry.holds, person):
                    return
                asked = time.monotonic()
            yield message
