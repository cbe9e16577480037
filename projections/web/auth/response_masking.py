"""What leaves the console is masked on its way out, whatever page or route made it: names by default.

A route that asks for `masking` masks its answer itself: it knows which records the person has unmasked. Of
every other route all that it answers with is masked, the context of a page or the data of JSON. Streams and
files are not: their routes have to ask. Facts stay facts until then; JSON has them in words, and templates
write them where they stand.
"""

from asyncio import to_thread
from contextvars import ContextVar
from typing import Any, Final

from litestar import Response
from litestar.response import Template

from projections.views.text import facts_in_words
from projections.web.auth.masking import Masking

# The guard and the answer belong to one request, and so to one task; Litestar gives no request to the hook.
MASKING: Final[ContextVar[Masking | None]] = ContextVar("MASKING", default=None)


async def mask(response: Response[Any]) -> Response[Any]:
    """Mask the names in an answer, and write the facts of JSON in words."""
    masking = MASKING.get()
    asked = masking if masking is not None and not masking.by_route else None
    if isinstance(response, Template):
        if asked is not None:
            response.context = await to_thread(asked.masked, response.context)
    elif type(response) is Response and not isinstance(response.content, bytes | str):
        if asked is not None:
            response.content = await to_thread(asked.masked, response.content)
        response.content = await to_thread(facts_in_words, response.content)
    return response
