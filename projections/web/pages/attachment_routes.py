"""The routes of a dispute's attachments: a picture, clip or scan is attached, and read as it was attached.

What a file is, its content says and not its name. It leaves as a file to save, or a picture that is shown as
it is; a browser runs nothing of it.
"""

import re
import secrets
from asyncio import to_thread
from typing import Any, Final
from urllib.parse import quote

import msgspec
import structlog
from litestar import Request, Response, Router, get, post
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException, NotFoundException
from litestar.params import FromPath
from litestar.response import Redirect

from projections.casework.actions import Actor, Refused
from projections.casework.command_handler import Answer, CommandHandler
from projections.casework.disputes.dispute_actions import DisputeAttach
from projections.casework.disputes.dispute_state import AttachmentRecord, subject_of, subjects_of
from projections.store.attachments import (
    ENDINGS,
    INLINE,
    AttachmentFiles,
    AttachmentLost,
    FileContent,
    content_of,
)
from projections.web.auth.guard import lead, root_of
from projections.web.live.broadcaster import LiveFloor
from projections.web.pages.action_routes import Clock, Conflict, conflict
from projections.web.pages.dispute_pages import dispute_reader
from projections.web.pages.dispute_view import DisputeReader
from projections.web.records.viewer_scope import ViewerScope
from schemas.errors import BadInput

FILE: Final = "file"  # the field of the form
MEGABYTE: Final = 1_000_000
_FRAME: Final = 65_536  # bytes that a form has around its file
_ID: Final = 16  # bytes of an action's id
_TAKEN: Final = "PNG, JPEG, GIF, WebP, TIFF, HEIC, PDF, MP4, MOV, WebM, MKV and AVI"
_LAST_PART: Final = re.compile(r"[^/\\]*\Z")
# A browser that opens it all the same runs nothing, and gives it nothing of the console.
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; sandbox; base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_log: Final = structlog.get_logger()


class TooLarge(HTTPException):
    """Error: what was sent is larger than its route takes."""

    status_code = 413

    def __init__(self, most: int, *, is_file: bool) -> None:
        what = "The file" if is_file else "What was sent"
        field = FILE if is_file else None
        super().__init__(
            f"{what} is larger than {most // MEGABYTE} MB, the most that is taken here.",
            extra={"code": "too_large", "field": field},
        )


class UnfitFile(HTTPException):
    """Error: a file that is no attachment."""

    status_code = 400

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message, extra={"code": code, "field": FILE})


class UnknownType(UnfitFile):
    """Error: a file of a type that is not attached."""

    status_code = 415


@post(
    ["/disputes/{name:str}/attachments", "/api/disputes/{name:str}/attachments"],
    status_code=200,
    opt={"needs": "dispute"},
    include_in_schema=False,
)
async def attach(
    request: Request[Any, Any, Any],
    name: FromPath[str],
    attachments: NamedDependency[AttachmentFiles],
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[LiveFloor],
    actor: NamedDependency[Actor],
    wall_clock: NamedDependency[Clock],
) -> Response[Any] | Redirect:
    """Attach the file of a form to a dispute; a form without scripts leads back to its page."""
    sent = (await request.form()).get(FILE)
    if not isinstance(sent, UploadFile):
        raise UnfitFile("Choose a file.", "missing")
    try:
        answer = await to_thread(_attached, sent, name, attachments, commands, actor, wall_clock)
    except Refused as error:
        raise conflict(error) from None
    except BadInput as error:
        _log.error("attachment_not_stored", dispute=name, reason=str(error))
        raise Conflict(
            "The file cannot be stored beside the store; the log says why.",
            extra={"code": "not_stored", "field": FILE},
        ) from None
    finally:
        await sent.close()
    live.broadcast(commands.news())
    if request.url.path.removeprefix(root_of(request)).startswith("/api/"):
        return Response(answer)
    return lead(request, f"/disputes/{quote(name, safe='')}#attachments")


def _attached(
    sent: UploadFile,
    name: str,
    attachments: AttachmentFiles,
    commands: CommandHandler,
    actor: Actor,
    wall_clock: Clock,
) -> Answer:
    """Store the file, and then that it was attached: no action has a file that is not there."""
    found = content_of(sent.file)
    record = _record(sent.filename, found)
    action = DisputeAttach(id=secrets.token_hex(_ID), subject=subject_of(name), attachment=record)
    commands.preview(action, actor, wall_clock())
    attachments.add(sent.file, found.sha256)
    return commands.act(action, actor, wall_clock())


def _record(filename: str, found: FileContent) -> AttachmentRecord:
    """Return the record of a file.

    Raises:
        UnfitFile: it is empty, its name has signs that no name has, or it is of no type that is attached.
    """
    if not found.size:
        raise UnfitFile("The file is empty.", "empty")
    if found.type is None:
        raise UnknownType(
            f"By its content it is no picture, clip or scan that is taken here: {_TAKEN} are.", "unknown_type"
        )
    last = _LAST_PART.search(filename)
    name = (last[0] if last is not None else "").strip()
    values = {"name": name, "sha256": found.sha256, "size": found.size, "type": found.type}
    try:
        return msgspec.convert(values, AttachmentRecord)
    except msgspec.ValidationError:
        raise UnfitFile(
            "The file's name is longer than 200 characters, blank, or has a sign in it that no name has; "
            "rename it.",
            "unfit_name",
        ) from None


@get(
    ["/disputes/{name:str}/attachments/{sha256:str}", "/api/disputes/{name:str}/attachments/{sha256:str}"],
    opt={"needs": "see"},
    include_in_schema=False,
)
async def attachment(
    name: FromPath[str],
    sha256: FromPath[str],
    teller: NamedDependency[DisputeReader],
    attachments: NamedDependency[AttachmentFiles],
    viewer_scope: NamedDependency[ViewerScope],
) -> Response[bytes]:
    """Return an attached file, if it is still what was attached; who may see its dispute may read it."""
    return await to_thread(_read, name, sha256, teller, attachments, viewer_scope)


def _read(
    name: str,
    sha256: str,
    teller: DisputeReader,
    attachments: AttachmentFiles,
    viewer_scope: ViewerScope,
) -> Response[bytes]:
    found = teller.attachment(name, sha256)
    if found is None:
        raise NotFoundException(f"There is no dispute {name} with such an attachment in this store.")
    dispute, record = found
    try:
        content = attachments.read(record.sha256)
    except AttachmentLost as error:
        _log.error("attachment_lost", dispute=dispute.name, sha256=record.sha256)
        raise Conflict(str(error), extra={"code": error.code, "field": None}) from None
    what = f"dispute:{dispute.name}, attachment {record.name}, SHA-256 {record.sha256}"
    viewer_scope.access_recorder.note_exported(viewer_scope.person, what, subjects_of(dispute))
    return Response(content, media_type=record.type, headers=_HEADERS | _disposition(record))


def _disposition(record: AttachmentRecord) -> dict[str, str]:
    """Return the header by which a browser shows or saves a file; its ending is that of its content."""
    way = "inline" if record.type in INLINE else "attachment"
    plain = f"{record.sha256[:12]}.{ENDINGS[record.type]}"
    header = f"{way}; filename=\"{plain}\"; filename*=UTF-8''{quote(record.file_name, safe='')}"
    return {"Content-Disposition": header}


def attachment_routes(megabytes: int) -> Router:
    """Make the routes of the attachments, each of which has so many megabytes at most."""
    return Router(
        "/",
        route_handlers=[attach, attachment],
        request_max_body_size=megabytes * MEGABYTE + _FRAME,
        dependencies={"teller": Provide(dispute_reader, sync_to_thread=True)},
    )
