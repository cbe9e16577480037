"""The pages of disputes: one is opened from any hand, written down in parts, printed and taken out."""

from typing import Final, get_args

from litestar import Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Template
from litestar.types import ControllerRouterHandler

from projections.casework.actions import Actor
from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_actions import accepts_part
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.disputes.dispute_state import Dispute, DisputeOutcome, subjects_of
from projections.casework.disputes.itrak_dispute import itrak_csv
from projections.web.auth.roles import ROLES, rights_of
from projections.web.live.broadcaster import Live
from projections.web.pages import dispute_form
from projections.web.pages.action_routes import Clock
from projections.web.pages.bundle_page import take_bundle
from projections.web.pages.bundle_request import Bundles
from projections.web.pages.dispute_form import Begin, begin, begun_before
from projections.web.pages.dispute_view import ALL_SEATS, DisputeTold, Teller
from projections.web.phrases.page_phrases import moment
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import Sight
from schemas.cameras import Cameras
from schemas.room_settings import RoomSettings
from schemas.values import moment as instant

_CSV: Final = "text/csv"


def _teller(
    reader: NamedDependency[Reader],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    sight: NamedDependency[Sight],
    live: NamedDependency[Live],
    cameras: NamedDependency[Cameras | None],
    bundles: NamedDependency[Bundles | None],
) -> Teller:
    book = commands.book(DisputeBook)
    return Teller(reader, book, sight, actor.people, live.archive, cameras, bundles)


def _listed(teller: NamedDependency[Teller]) -> list[Dispute]:
    return teller.all()


def _due(
    teller: NamedDependency[Teller],
    room_settings: NamedDependency[RoomSettings],
    wall: NamedDependency[Clock],
) -> list[Dispute]:
    return teller.due(wall(), room_settings.footage_reminder_hours)


def _dispute_view(
    name: FromPath[str], teller: NamedDependency[Teller], sight: NamedDependency[Sight]
) -> DisputeTold:
    told = teller.one(name)
    if told is None:
        raise NotFoundException(f"There is no dispute {name} in this store.")
    sight.looking.looked(sight.person, "dispute", name, subjects_of(told.dispute))
    return told


@get("/disputes", sync_to_thread=True, opt={"needs": "see"})
def disputes_page(
    listed: NamedDependency[list[Dispute]],
    due_now: NamedDependency[list[Dispute]],
    actor: NamedDependency[Actor],
) -> Template:
    """Return the disputes, first those whose footage is to be preserved now."""
    context = {"disputes": listed, "due": due_now, "may": "dispute" in actor.rights}
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
    begins: NamedDependency[Begin],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    live: NamedDependency[Live],
    wall: NamedDependency[Clock],
) -> Template:
    """Show the form by which a dispute is opened, and which there are of its hand already."""
    before = begun_before(begins, commands.book(DisputeBook).all(actor.hidden))
    now = dispute_form.local(wall(), live.zone)
    return Template("dispute_new.html", context={"begin": begins, "before": before, "now": now})


@get("/disputes/{name:str}", sync_to_thread=True, opt={"needs": "see"})
def dispute_page(
    dispute_view: NamedDependency[DisputeTold],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    live: NamedDependency[Live],
) -> Template:
    """Show a dispute: what stands of it, its forms, and what was done to it."""
    let_out = [each for each in dispute_view.rounds if each.no_bundle is None]
    context = {
        "told": dispute_view,
        "let_out": let_out,
        "all_seats": ALL_SEATS,
        "who_exports": [each for each in ROLES if "export" in rights_of(each)],
        "dispute": dispute_view.dispute,
        "parts": dispute_form.PARTS,
        "takes": [part for part in dispute_form.PARTS if accepts_part(dispute_view.dispute, part.name)],
        "settles": commands.book(DisputeBook).settlements(dispute_view.dispute.name, actor),
        "stands": lambda part: dispute_form.stands(dispute_view.dispute, part),
        "value_of": dispute_form.value_of,
        "typed": dispute_form.input_text,
        "written": dispute_form.field_text,
        "label": dispute_form.label,
        "outcomes": get_args(DisputeOutcome),
        "may": "dispute" in actor.rights,
        "may_export": "export" in actor.rights,
        "may_unmask": "unmask" in actor.rights,
        "when": lambda at: moment(instant(at), live.zone),
    }
    return Template("dispute.html", context=context)


@get("/api/disputes/{name:str}", sync_to_thread=False, opt={"needs": "see"})
def dispute(dispute_view: NamedDependency[DisputeTold]) -> DisputeTold:
    """Return a dispute with its rounds and what was done to it."""
    return dispute_view


@get("/api/disputes/{name:str}/itrak", sync_to_thread=True, media_type=_CSV, opt={"needs": "export"})
def dispute_csv(
    name: FromPath[str],
    teller: NamedDependency[Teller],
    reader: NamedDependency[Reader],
    sight: NamedDependency[Sight],
) -> Response[str]:
    """Return a dispute as CSV whose columns bear the names of iTrak's gaming disputes audit."""
    found = teller.played(name)
    if found is None:
        raise NotFoundException(f"There is no dispute {name} in this store.")
    record, played = found
    sight.looking.exported(sight.person, f"dispute:{name}, iTrak CSV", subjects_of(record))
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
            "teller": Provide(_teller, sync_to_thread=True),
            "listed": Provide(_listed, sync_to_thread=True),
            "due_now": Provide(_due, sync_to_thread=True),
            "dispute_view": Provide(_dispute_view, sync_to_thread=True),
            "begins": Provide(begin, sync_to_thread=True),
        },
    )
]
