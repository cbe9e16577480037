"""The files that the pages are made of: a browser keeps them, and is sent again only what has changed."""

from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, Router
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import NotFoundException
from litestar.response.file import create_etag_for_file
from litestar.static_files import create_static_files_router

_FOLDER: Final = Path(__file__).parent.resolve() / "static"
_NOT_MODIFIED: Final = 304


async def _unchanged(request: Request[Any, Any, Any]) -> Response[None] | None:
    """Answer a browser that has a file as it is; the router answers everybody else."""
    try:
        path = (_FOLDER / request.path_params["file_path"].lstrip("/")).resolve()
        if not path.is_relative_to(_FOLDER) or not path.is_file():
            return None
    except (OSError, ValueError):  # no file can be called so: too long, or with a zero byte in it
        raise NotFoundException from None
    told = path.stat()
    mark = create_etag_for_file(path, told.st_mtime, told.st_size)
    # A proxy that packs the file makes the mark a weak one.
    if request.headers.get("If-None-Match", "").removeprefix("W/") != mark:
        return None
    return Response(None, status_code=_NOT_MODIFIED, headers={"ETag": mark})


def static_files() -> Router:
    """Make the route of the files, which is open to nobody in particular: there is nothing in them."""
    return create_static_files_router(
        "/static",
        [_FOLDER],
        opt={"needs": None},
        cache_control=CacheControlHeader(public=True, no_cache=True),
        before_request=_unchanged,
    )
