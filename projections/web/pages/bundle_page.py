"""The one route by which an evidence bundle leaves the console: a dispute's hand, with the reason for it."""

import hashlib
import secrets
from asyncio import to_thread
from typing import Annotated, Final

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import FromPath, URLEncodedBody
from msgspec import Meta, Struct

from projections.casework.actions import Actor, Refused, Words
from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_actions import DisputeBundle
from projections.casework.disputes.dispute_state import BundleRecord, Dispute, subject_of, subjects_of
from projections.views.people import named_people
from projections.web.live.broadcaster import Live
from projections.web.pages.action_routes import Clock, Conflict
from projections.web.pages.bundle_request import Bundles
from projections.web.pages.dispute_view import ALL_SEATS, Teller, seat_meant, wanted
from projections.web.records.viewer_scope import Sight
from schemas.errors import BadInput
from schemas.values import Name

_ZIP: Final = "application/zip"
_ID: Final = 16  # bytes of an action's id


class Letting(Struct, frozen=True, kw_only=True):
    """What the form for a bundle brings: which round of the dispute, whose part of it, and why.

    `seat` is as it was chosen, its name masked or not; `all` are all seats.
    """

    round: Name
    reason: Words
    seat: Annotated[str, Meta(max_length=128)] = ""
    staff: bool = False


@post(
    ["/disputes/{name:str}/bundle", "/api/disputes/{name:str}/bundle"],
    status_code=200,
    media_type=_ZIP,
    opt={"needs": "export"},
    include_in_schema=False,
)
async def take_bundle(
    name: FromPath[str],
    data: URLEncodedBody[Letting],
    teller: NamedDependency[Teller],
    bundles: NamedDependency[Bundles | None],
    sight: NamedDependency[Sight],
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[Live],
    actor: NamedDependency[Actor],
    wall: NamedDependency[Clock],
) -> Response[bytes]:
    """Return the evidence bundle of a hand in dispute, as `discardrack evidence` makes it.

    A form without scripts gets it, or a page that says why not; under /api that is said as JSON.

    Its events are proven as they came, so nothing in it is masked: who may not see names gets one that names
    nobody, or none.
    """
    found = await to_thread(teller.whole, name, data.round)
    if found is None:
        raise NotFoundException(f"There is no dispute {name} with a round {data.round} in this store.")
    if bundles is None:
        raise Conflict("This console makes no bundles: it was given no key, or no archive.")
    sees_names = "unmask" in actor.rights
    all_seats = data.seat == ALL_SEATS
    if (all_seats or data.staff) and not sees_names:
        raise PermissionDeniedException(
            "Other seats and staff are shown to who may see names: it needs the right to unmask."
        )
    dispute, record = found
    request = wanted(
        dispute,
        record,
        seat=None if all_seats else seat_meant(data.seat.strip(), record, sight.masking) or None,
        all_seats=all_seats,
        staff=data.staff,
        nameless=not sees_names,
        why=data.reason.strip(),
        by=actor.name,
    )
    try:
        content = await bundles.made(request)
        bundle = BundleRecord(name=request.file, sha256=hashlib.sha256(content).hexdigest())
        await to_thread(_written_down, commands, sight, actor, dispute, bundle, data.reason.strip(), wall)
    except (BadInput, Refused) as error:
        # Who has a part in the hand may be named in it.
        people = dict(named_people([record, dispute]))
        masked = await to_thread(sight.masking.masked, str(error), subjects_of(dispute), people)
        raise Conflict(f"No bundle was let out: {masked}") from None
    live.tell(commands.news())
    headers = {"Content-Disposition": f'attachment; filename="{request.file}"'}
    return Response(content, media_type=_ZIP, headers=headers)


def _written_down(
    commands: CommandHandler,
    sight: Sight,
    actor: Actor,
    dispute: Dispute,
    bundle: BundleRecord,
    why: str,
    wall: Clock,
) -> None:
    """Write down that a bundle leaves: of the dispute, by who may write into it, and who looked at what."""
    if DisputeBundle.needs in actor.rights:
        subject = subject_of(dispute.name)
        commands.act(DisputeBundle(id=secrets.token_hex(_ID), subject=subject, bundle=bundle), actor, wall())
    what = f"dispute:{dispute.name}, evidence bundle {bundle.name}, SHA-256 {bundle.sha256}: {why}"
    sight.looking.exported(sight.person, what, subjects_of(dispute))
