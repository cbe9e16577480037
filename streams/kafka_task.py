"""Calls of aiokafka, each in a task of its own, so that a cancellation says by its place whose it is."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from aiokafka.errors import KafkaConnectionError

_T = TypeVar("_T")


async def in_own_task(calls: Coroutine[Any, Any, _T]) -> _T:
    """Return what some calls of aiokafka return; cancelled, end only once they have.

    Within them a cancellation means nothing. aiokafka cancels whatever waits on a connection that breaks;
    closing a client takes our cancellation for the end of a task of its own, and goes on; and after a request
    that timed out, Task.cancelling() counts one for ever. So only a cancellation of this task itself counts.

    Raises:
        KafkaConnectionError: aiokafka cancelled the calls.
    """
    task = asyncio.create_task(calls)
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # what they failed with matters to nobody any more
        raise
    if task.cancelled():
        raise KafkaConnectionError("the connection broke")
    return task.result()
