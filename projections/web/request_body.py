"""A request to the console, whose body may be anything at all."""

from collections.abc import AsyncGenerator
from typing import Any

from litestar import Request
from litestar.exceptions import ClientException, InternalServerException


class Asking(Request[Any, Any, Any]):
    """A request whose body is refused, and is no fault of ours, where nobody could read it."""

    async def json(self) -> Any:
        """Read the body as JSON.

        Raises:
            ClientException: it is not UTF-8, or nested deeper than anything that is asked of us.
        """
        try:
            return await super().json()
        except UnicodeDecodeError:
            raise ClientException("The body is not UTF-8.") from None
        except RecursionError:
            raise ClientException("The body is nested too deep.") from None

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """Read the body piece by piece.

        Raises:
            ClientException: who sent it went away before all of it was there.
        """
        try:
            async for piece in super().stream():
                yield piece
        except InternalServerException:
            raise ClientException("The body ended before it was whole.") from None
