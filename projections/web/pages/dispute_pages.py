"""The pages of disputes: one is opened from any hand, written down in parts, printed and exported."""

import hashlib
import secrets
from asyncio import to_thread
from collections.abc import Collection, Iterable
from typing import Annotated, Final, get_args

from litestar import Response, Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Meta, Struct

from projections.casework.actions import Actor, Refused, Words
from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_actions import DisputeBundle, accepts_part
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.disputes.dispute_state import (
    BundleRecord,
    Dispute,
    DisputeOutcome,
    subject_of,
    subjects_of,
)
from projections.casework.disputes.itrak_dispute import itrak_csv
from projections.store.attachments import ENDINGS, INLINE, AttachmentFiles, AttachmentLost
from projections.views.people import named_people
from projections.views.time_text import moment_text
from projections.web.auth.roles import ROLES, rights_of
from projections.web.live.broadcaster import LiveFloor
from projections.web.pages import dispute_form
from projections.web.pages.action_routes import Clock, Conflict
from projections.web.pages.dispute_form import DisputeDraft, FormPart, dispute_draft, existing_disputes
from projections.web.pages.dispute_view import (
    ALL_SEATS,
    DisputeReader,
    DisputeView,
    ListedDispute,
    seat_meant,
    wanted,
)
from projections.web.records.bundle_requests import BundleMaker
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import ViewerScope
from schemas.cameras import Cameras
from schemas.errors import BadInput
from schemas.room_settings import RoomSettings
from schemas.values import Micros, Name
from schemas.values import moment as instant

_ZIP: Final = "application/zip"
_ID: Final = 16  # bytes of an action's id


class BundleForm(Struct, frozen=True, kw_only=True):
    """Form for a bundle: which round of the dispute, whose part of it, and why.

    `seat` is as it was chosen, its name masked or not; `all` are all seats. With `attachments` the files
    that were attached to the dispute go with it.
    """

    round: Name
    reason: Words
    seat: Annotated[str, Meta(max_length=128)] = ""
    staff: bool = False
    attachments: bool = False


@post(
    ["/disputes/{name:str}/bundle", "/api/disputes/{name:str}/bundle"],
    status_code=200,
    media_type=_ZIP,
    opt={"needs": "export"},
    include_in_schema=False,
)
async def take_bundle(
    name: FromPath[str],
    data: URLEncodedBody[BundleForm],
    teller: NamedDependency[DisputeReader],
    bundles: NamedDependency[BundleMaker | None],
    attachments: NamedDependency[AttachmentFiles],
    viewer_scope: NamedDependency[ViewerScope],
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[LiveFloor],
    actor: NamedDependency[Actor],
    wall_clock: NamedDependency[Clock],
) -> Response[bytes]:
    """Return the evidence bundle of a hand in dispute, as `discardrack evidence` makes it.

    A form without scripts gets it, or a page with the reason for the refusal; under /api that is JSON.

    Its events are proven as they came, so nothing in it is masked. A person who may not see names gets one
    that names nobody, or none.
    """
    found = await to_thread(teller.bundle_round, name, data.round)
    if found is None:
        raise NotFoundException(f"There is no dispute {name} with a round {data.round} in this store.")
    if bundles is None:
        raise Conflict("This console makes no bundles: it was given no key, or no archive.")
    sees_names = "unmask" in actor.rights
    all_seats = data.seat == ALL_SEATS
    if (all_seats or data.staff or data.attachments) and not sees_names:
        raise PermissionDeniedException(
            "Other seats, staff and attached files are for those who may see names: it needs the right to "
            "unmask."
        )
    dispute, record = found
    try:
        attached = await to_thread(_attached, dispute, attachments) if data.attachments else ()
    except AttachmentLost as error:
        raise Conflict(
            f"No bundle was let out: {error}", extra={"code": error.code, "field": "attachments"}
        ) from None
    request = wanted(
        dispute,
        record,
        seat=None if all_seats else seat_meant(data.seat.strip(), record, viewer_scope.masking) or None,
        all_seats=all_seats,
        staff=data.staff,
        nameless=not sees_names,
        why=data.reason.strip(),
        by=actor.name,
        attachments=attached,
    )
    try:
        content = await bundles.made(request)
        bundle = BundleRecord(name=request.file, sha256=hashlib.sha256(content).hexdigest())
        await to_thread(
            _written_down, commands, viewer_scope, actor, dispute, bundle, data.reason.strip(), wall_clock
        )
    except (BadInput, Refused) as error:
        # People with a part in the hand may be named in it.
        people = dict(named_people([record, dispute]))
        masked = await to_thread(viewer_scope.masking.masked, str(error), subjects_of(dispute), people)
        raise Conflict(f"No bundle was let out: {masked}") from None
    live.broadcast(commands.news())
    headers = {"Content-Disposition": f'attachment; filename="{request.file}"'}
    return Response(content, media_type=_ZIP, headers=headers)


def _attached(dispute: Dispute, attachments: AttachmentFiles) -> tuple[tuple[str, bytes], ...]:
    """Return names and contents of what was attached to a dispute.

    Raises:
        AttachmentLost: a file is not what was attached any more.
    """
    return tuple((each.file_name, attachments.read(each.sha256)) for each in dispute.attachments)


def _written_down(
    commands: CommandHandler,
    viewer_scope: ViewerScope,
    actor: Actor,
    dispute: Dispute,
    bundle: BundleRecord,
    why: str,
    wall_clock: Clock,
) -> None:
    """Write down that a bundle leaves: of the dispute, by who may write into it, and who looked at what.

    Asked for again within a second it is the same to the last byte, and stands in the dispute already.
    """
    if DisputeBundle.needs in actor.rights and bundle not in dispute.bundles:
        subject = subject_of(dispute.name)
        commands.act(
            DisputeBundle(id=secrets.token_hex(_ID), subject=subject, bundle=bundle), actor, wall_clock()
        )
    what = f"dispute:{dispute.name}, evidence bundle {bundle.name}, SHA-256 {bundle.sha256}: {why}"
    viewer_scope.access_recorder.note_exported(viewer_scope.person, what, subjects_of(dispute))


_CSV: Final = "text/csv"


def dispute_reader(
    reader: NamedDependency[Reader],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    viewer_scope: NamedDependency[ViewerScope],
    live: NamedDependency[LiveFloor],
    cameras: NamedDependency[Cameras | None],
    bundles: NamedDependency[BundleMaker | None],
) -> DisputeReader:
    """Return the viewer's reader of disputes."""
    book = commands.book(DisputeBook)
    return DisputeReader(reader, book, viewer_scope, actor.people, live.archive, cameras, bundles)


def _listed(teller: NamedDependency[DisputeReader]) -> list[Dispute]:
    return teller.disputes()


def _rows(
    teller: NamedDependency[DisputeReader], listed: NamedDependency[list[Dispute]]
) -> list[ListedDispute]:
    return teller.listed(listed)


def _due(
    teller: NamedDependency[DisputeReader],
    room_settings: NamedDependency[RoomSettings],
    wall_clock: NamedDependency[Clock],
) -> list[Dispute]:
    return teller.due(wall_clock(), room_settings.footage_reminder_hours)


def _dispute_view(
    name: FromPath[str], teller: NamedDependency[DisputeReader], viewer_scope: NamedDependency[ViewerScope]
) -> DisputeView:
    view = teller.dispute_view(name)
    if view is None:
        raise NotFoundException(f"There is no dispute {name} in this store.")
    viewer_scope.access_recorder.note_viewed(viewer_scope.person, "dispute", name, subjects_of(view.dispute))
    return view


@get("/disputes", sync_to_thread=True, opt={"needs": "see"})
def disputes_page(
    rows: NamedDependency[list[ListedDispute]],
    due_now: NamedDependency[list[Dispute]],
    actor: NamedDependency[Actor],
    wall_clock: NamedDependency[Clock],
) -> Template:
    """Return the disputes, first those whose footage is to be preserved now."""
    due = {each.name for each in due_now}
    context = {
        "disputes": rows,
        "due": [each for each in rows if each.dispute.name in due],
        "may": "dispute" in actor.rights,
        "now": wall_clock(),
    }
    return Template("disputes.html", context=context)


@get("/api/disputes", sync_to_thread=False, opt={"needs": "see"})
def disputes(listed: NamedDependency[list[Dispute]]) -> list[Dispute]:
    """Return the disputes, open ones first; times in microseconds UTC, sums in cents."""
    return listed


@get("/api/disputes/due", sync_to_thread=False, opt={"needs": "see"})
def due(due_now: NamedDependency[list[Dispute]]) -> list[Dispute]:
    """Return the disputes whose footage is to be preserved now, what is overwritten first before the rest."""
    return due_now


@get("/disputes/new", sync_to_thread=True, opt={"needs": "dispute"})
def new_page(
    begins: NamedDependency[DisputeDraft],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    live: NamedDependency[LiveFloor],
    wall_clock: NamedDependency[Clock],
) -> Template:
    """Show the form by which a dispute is opened, and which there are of its hand already."""
    before = existing_disputes(begins, commands.book(DisputeBook).all(actor.hidden))
    now = dispute_form.local(wall_clock(), live.zone)
    return Template("dispute_new.html", context={"begin": begins, "before": before, "now": now})


@get("/disputes/{name:str}", sync_to_thread=True, opt={"needs": "see"})
def dispute_page(
    dispute_view: NamedDependency[DisputeView],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    live: NamedDependency[LiveFloor],
    wall_clock: NamedDependency[Clock],
    room_settings: NamedDependency[RoomSettings],
) -> Template:
    """Show a dispute: what stands of it, its forms, and what was done to it."""
    let_out = [each for each in dispute_view.rounds if each.no_bundle is None]
    parts = [part for part in dispute_form.PARTS if accepts_part(dispute_view.dispute, part.name)]
    settles = commands.book(DisputeBook).settlements(dispute_view.dispute.name, actor)
    may = "dispute" in actor.rights
    now = wall_clock()
    context = {
        "dispute_view": dispute_view,
        "let_out": let_out,
        "all_seats": ALL_SEATS,
        "who_exports": [each for each in ROLES if "export" in rights_of(each)],
        "dispute": dispute_view.dispute,
        "parts": dispute_form.PARTS,
        "takes": parts,
        "settles": settles,
        "offered": _offered_forms(parts, settles) if may else set(),
        "suggested": _suggested(dispute_view.dispute, now, live.zone),
        "most_megabytes": room_settings.attachment_megabytes,
        "endings": ENDINGS,
        "inline_types": INLINE,
        "stands": lambda part: dispute_form.filled_fields(dispute_view.dispute, part),
        "value_of": dispute_form.value_of,
        "typed": dispute_form.input_text,
        "written": dispute_form.field_text,
        "label": dispute_form.label,
        "outcomes": get_args(DisputeOutcome),
        "may": may,
        "may_export": "export" in actor.rights,
        "may_unmask": "unmask" in actor.rights,
        "when": lambda at: moment_text(instant(at), live.zone),
        "now": now,
    }
    return Template("dispute.html", context=context)


def _offered_forms(parts: Iterable[FormPart], settles: Collection[str]) -> set[str]:
    """Return the ids of the forms that the page has, of those to which its steps lead."""
    closing = {"close-form"} if "dispute-close" in settles else set()
    return {f"{part.name}-form" for part in parts} | closing


def _suggested(dispute: Dispute, now: Micros, zone: str) -> dict[tuple[str, str], str]:
    """Return what fields that nobody filled in begin with, by part and name: a ruling is of now."""
    return {("ruling", "ruled"): dispute_form.local(now, zone)} if dispute.ruling is None else {}


@get("/api/disputes/{name:str}", sync_to_thread=False, opt={"needs": "see"})
def dispute(dispute_view: NamedDependency[DisputeView]) -> DisputeView:
    """Return a dispute with its rounds and what was done to it."""
    return dispute_view


@get("/api/disputes/{name:str}/itrak", sync_to_thread=True, media_type=_CSV, opt={"needs": "export"})
def dispute_csv(
    name: FromPath[str],
    teller: NamedDependency[DisputeReader],
    reader: NamedDependency[Reader],
    viewer_scope: NamedDependency[ViewerScope],
) -> Response[str]:
    """Return a dispute as CSV whose columns bear the names of iTrak's gaming disputes audit."""
    found = teller.export_data(name)
    if found is None:
        raise NotFoundException(f"There is no dispute {name} in this store.")
    record, played = found
    viewer_scope.access_recorder.note_exported(
        viewer_scope.person, f"dispute:{name}, iTrak CSV", subjects_of(record)
    )
    headers = {"Content-Disposition": f'attachment; filename="dispute-{record.name}.csv"'}
    return Response(itrak_csv(record, played, reader.house), media_type=_CSV, headers=headers)


DISPUTES: Final[list[ControllerRouterHandler]] = [
    Router(
        "/",
        route_handlers=[
            disputes_page,
            disputes,
            due,
            new_page,
            dispute_page,
            dispute,
            dispute_csv,
            take_bundle,
        ],
        dependencies={
            "teller": Provide(dispute_reader, sync_to_thread=True),
            "listed": Provide(_listed, sync_to_thread=True),
            "rows": Provide(_rows, sync_to_thread=True),
            "due_now": Provide(_due, sync_to_thread=True),
            "dispute_view": Provide(_dispute_view, sync_to_thread=True),
            "begins": Provide(dispute_draft, sync_to_thread=True),
        },
    )
]
