"""What a page asks of alerts before it does or offers something: what would be one case, what still rings."""

from typing import Annotated, Final

from litestar import get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.types import ControllerRouterHandler
from msgspec.structs import replace

from projections.casework.alerts.alert_status import Shown
from projections.casework.cases.awaiting_person import waits_for
from projections.casework.cases.case_actions import MERGED_AT_ONCE, Merge, Undo
from projections.casework.cases.case_policy import Actor, Refused
from projections.casework.cases.case_state import alert_of
from projections.casework.command_handler import Desk
from projections.web.auth.masking import Masking
from projections.web.pages.action_routes import Clock, Conflict, Said
from projections.web.pages.mergeable_alerts import Whole, whole
from projections.web.pages.ring_message import Heard, heard
from schemas.values import Micros

_ASKED: Final = "0" * 32  # the id of an action that is not done
_ANSWERS: Final = {409: ResponseSpec(Said, description="They cannot be one case as things stand.")}


@get("/api/alerts/{alert:str}/merging", sync_to_thread=True, opt={"needs": "work"}, responses=_ANSWERS)
def merging(
    alert: FromPath[str],
    desk: NamedDependency[Desk],
    actor: NamedDependency[Actor],
    masking: NamedDependency[Masking],
    wall: NamedDependency[Clock],
    other: Annotated[list[str] | None, QueryParameter(max_items=MERGED_AT_ONCE)] = None,
) -> list[Shown]:
    """Return what would be one case with an alert now: others, or where none are named its repeats."""
    now = wall()
    others = tuple(f"alert:{each}" for each in other or ())
    asked = Merge(id=_ASKED, subject=f"alert:{alert}", others=others, repeats=not others)
    try:
        would = desk.would(asked, actor, now)
    except Refused as error:
        raise Conflict(str(error)) from None
    found = (desk.shown_one(alert_of(each), now, actor.hidden) for each in (would.subject, *would.others))
    return [masking.masked(each, each.alert.subjects()) for each in found if each is not None]


@get("/api/rung", sync_to_thread=True, opt={"needs": "see"})
def rung(
    desk: NamedDependency[Desk],
    actor: NamedDependency[Actor],
    wall: NamedDependency[Clock],
    alert: Annotated[list[str] | None, QueryParameter(max_items=100)] = None,
) -> list[Heard]:
    """Return which of some alerts are still to be heard by who asks.

    They can be put right and nobody has them; or they are grave and with the role of who asks, who has not
    taken them.
    """
    now = wall()
    found = (desk.shown_one(each, now, actor.hidden) for each in alert or ())
    return [
        heard(each, desk, now, actor.hidden) for each in found if each is not None and _stands(each, actor)
    ]


def may_undo(desk: Desk, alert: str, actor: Actor, now: Micros) -> bool:
    """Return True if the last thing done to an alert is somebody's own, and can still be undone."""
    try:
        desk.would(Undo(id=_ASKED, subject=f"alert:{alert}"), actor, now)
    except Refused:
        return False
    return True


def whole_round(desk: Desk, shown: Shown | None, actor: Actor, now: Micros) -> Whole | None:
    """Return what of an alert's round somebody could put into its case now.

    None for who may not work on it.
    """
    if shown is None or Merge.needs not in actor.rights:
        return None
    found = whole(shown, desk.found_with(shown.alert.id, now, actor.hidden), actor.name)
    if found is None or not found.named:
        return found
    others = tuple(f"alert:{each}" for each in found.named)
    try:
        desk.would(Merge(id=_ASKED, subject=f"alert:{shown.alert.id}", others=others), actor, now)
    except Refused as error:
        return replace(found, refused=str(error))
    return found


def _stands(shown: Shown, who: Actor) -> bool:
    case = shown.case
    if case.state == "new" and shown.queue == "act_now" and not shown.silenced:
        return True
    with_role = case.grave and case.state in ("new", "open") and waits_for(case, who)
    return with_role and case.owner != who.name


ASKING: Final[list[ControllerRouterHandler]] = [merging, rung]
