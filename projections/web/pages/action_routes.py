"""The routes by which people act: an action as JSON in, how its subject stands now out; or an alert's form.

The forms of an alert's page are sent as they are by a browser without scripts; with scripts the page asks for
the same by JSON, and stays.
"""

import hashlib
from asyncio import to_thread
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias
from urllib.parse import quote

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.exceptions import ClientException, HTTPException, PermissionDeniedException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler
from msgspec import Meta, Struct

from projections.casework.actions import Actor, NotAllowed, Refused
from projections.casework.alerts.queues import is_untouched
from projections.casework.cases.case_actions import LISTED, Acknowledge, CaseAction, Merge, OnCase, Undo
from projections.casework.cases.case_state import alert_of
from projections.casework.command_handler import Answer, CommandHandler
from projections.casework.disputes.dispute_actions import DisputeAction
from projections.casework.shift_log import LogAction
from projections.web.auth.auth_service import AuthService
from projections.web.auth.embargo import Hidden
from projections.web.auth.guard import lead
from projections.web.auth.roles import Person
from projections.web.live.broadcaster import LiveFloor
from schemas.room_settings import CloseReason, RoomSettings
from schemas.values import Micros

AnyAction: TypeAlias = CaseAction | DisputeAction | LogAction
Clock: TypeAlias = Callable[[], Micros]


class Refusal(Struct, frozen=True, omit_defaults=True):
    """Reason why an action was not carried out; a code for it, and the field that it is about, where said."""

    error: str
    code: str | None = None
    field: str | None = None


class SeveralActions(Struct, frozen=True):
    """Actions that are done one after the other, each whether or not the others succeed.

    With `whole_incidents` each is done to all of its row: its unassigned alerts become one case first.
    """

    actions: Annotated[tuple[CaseAction, ...], Meta(min_length=1, max_length=LISTED)]
    whole_incidents: bool = False


class ActionResult(Struct, frozen=True):
    """Result of one of several actions: what has changed of its subject, or why it was refused.

    `merged` is whether its row was made one case for it, which is an action of its own to be undone. `code`
    is the refusal's.
    """

    subject: str
    after: Any = None
    merged: bool = False
    error: str | None = None
    code: str | None = None


class DialogChoices(Struct, frozen=True):
    """Choices of the dialogs for a person: reasons to close for, and who else may be the second person.

    The first `recent` reasons are their own of late.
    """

    closings: tuple[CloseReason, ...]
    recent: int
    seconds: tuple[str, ...]


class Conflict(HTTPException):
    """Error: the action conflicts with the present state."""

    status_code = 409


def conflict(refused: Refused) -> Conflict:
    """Return the error that answers an action that was refused, with its code and its field."""
    return Conflict(str(refused), extra={"code": refused.code, "field": refused.field})


_ID: Final = 16  # bytes of an action's id
_OF_FORM: Final = ("csrf", "form")  # fields that identify the form, and are not part of the action
_OF_NO_ALERT: Final = ("mute", "take_next")
_MUTED: Final = {"check": ("check",), "table": ("table",), "both": ("check", "table")}
_YES_NO: Final = {"yes": True, "no": False}
_MAY_BE_BLANK: Final = {"second": ("reason",)}  # fields of an action that its form may leave empty
_CLOSINGS: Final = 5  # that are offered, a digit each: 5 to 9
_RECENT: Final = 4  # of them a person's own
_ANSWERS: Final = {
    403: ResponseSpec(Refusal, description="The role may not do this, or the page is too old."),
    409: ResponseSpec(Refusal, description="Somebody was quicker, or it cannot be done as things stand."),
}


def actor(
    person: NamedDependency[Person],
    auth: NamedDependency[AuthService],
    hidden: NamedDependency[Hidden],
) -> Actor:
    """Return who acts, whom else there is, and what is withheld from who acts."""
    return Actor(person.name, person.role, person.rights, auth.accounts.working(), hidden.subjects)


@post("/api/actions", status_code=200, opt={"needs": "see"}, responses=_ANSWERS)
async def act(
    data: JSONBody[AnyAction],
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[LiveFloor],
    actor: NamedDependency[Actor],
    wall_clock: NamedDependency[Clock],
) -> Answer:
    """Carry out an action; repeating it with the same id changes nothing and has the same answer."""
    return await _done(data, commands, live, actor, wall_clock())


async def _done(
    action: AnyAction, commands: CommandHandler, live: LiveFloor, actor: Actor, now: Micros
) -> Answer:
    try:
        answer = await to_thread(commands.act, action, actor, now)
    except NotAllowed as error:
        raise PermissionDeniedException(str(error)) from None
    except Refused as error:
        raise conflict(error) from None
    live.broadcast(commands.news())
    return answer


@post("/api/actions/several", status_code=200, opt={"needs": "work"})
async def act_several(
    data: JSONBody[SeveralActions],
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[LiveFloor],
    actor: NamedDependency[Actor],
    wall_clock: NamedDependency[Clock],
) -> list[ActionResult]:
    """Carry out several actions; return the result of each, in their order."""
    results = await to_thread(_each_done, data, commands, actor, wall_clock())
    live.broadcast(commands.news())
    return results


def _each_done(
    several: SeveralActions, commands: CommandHandler, actor: Actor, now: Micros
) -> list[ActionResult]:
    return [
        _one_done(action, commands, actor, now, is_incident=several.whole_incidents)
        for action in several.actions
    ]


def _one_done(
    action: CaseAction, commands: CommandHandler, actor: Actor, now: Micros, *, is_incident: bool
) -> ActionResult:
    subject, merged = action.subject or "" if isinstance(action, OnCase) else "", False
    try:
        if is_incident and isinstance(action, OnCase) and _stands_for_several(action, commands, actor, now):
            merge = Merge(id=_id_beside(action, "merge"), subject=subject, whole_incident=True)
            commands.act(merge, actor, now)
            merged = True
        return ActionResult(subject, commands.act(action, actor, now).after, merged=merged)
    except (NotAllowed, Refused) as error:
        if merged:
            commands.act(Undo(id=_id_beside(action, "undo"), subject=subject), actor, now)
        code = error.code if isinstance(error, Refused) else None
        return ActionResult(subject, error=str(error), code=code)


def _stands_for_several(action: OnCase, commands: CommandHandler, actor: Actor, now: Micros) -> bool:
    """Return True if an action is to be done to more than the case of its alert: to all of its row."""
    if isinstance(action, Acknowledge | Merge | Undo):
        return False
    item = commands.queue_item(alert_of(action.subject), now, actor.hidden)
    return item is not None and item.others > 0 and is_untouched(item.case)


def _id_beside(action: CaseAction, what: str) -> str:
    """Return the id of an action that is done with another one, the same each time that is sent."""
    return hashlib.blake2b(f"{action.id} {what}".encode(), digest_size=_ID).hexdigest()


@post("/alerts/{alert:str}/{action:str}", include_in_schema=False, opt={"needs": "work"})
async def act_by_form(
    request: Request[Any, Any, Any],
    alert: FromPath[str],
    action: FromPath[str],
    commands: NamedDependency[CommandHandler],
    live: NamedDependency[LiveFloor],
    actor: NamedDependency[Actor],
    wall_clock: NamedDependency[Clock],
) -> Redirect:
    """Carry out the action of an alert page's form; redirect to it, or to the next alert that was taken."""
    sent = await request.form()
    values = {name: sent.getall(name)[-1] for name in sent}
    if action == "mute":
        # The form has a word for which of the alert's own values to use.
        item = await to_thread(commands.queue_item, alert, wall_clock(), actor.hidden)
        names = _MUTED.get(values.pop("what", ""), ())
        values |= {name: getattr(item.alert, name) for name in names if item is not None}
    answer = await _done(_read(alert, action, values), commands, live, actor, wall_clock())
    to = alert_of(answer.subject) if action == "take_next" else alert
    return lead(request, f"/alerts/{quote(to, safe='')}")


def _read(alert: str, action: str, values: Mapping[str, str]) -> CaseAction:
    """Read an action out of a form's fields; the same form with the same in it is the same action.

    Raises:
        ClientException: it is none.
    """
    blank = {name for name in _MAY_BE_BLANK.get(action, ()) if not values.get(name, "").strip()}
    fields = {
        name: _value(name, text)
        for name, text in values.items()
        if name not in _OF_FORM and name not in blank
    }
    if action not in _OF_NO_ALERT:
        fields["subject"] = f"alert:{alert}"
    fields["action"] = action
    sent = msgspec.json.encode([values.get("form"), fields], order="sorted")
    fields["id"] = hashlib.blake2b(sent, digest_size=_ID).hexdigest()
    try:
        parsed: CaseAction = msgspec.convert(fields, CaseAction, strict=False)
    except msgspec.ValidationError as error:
        raise ClientException(str(error)) from None
    return parsed


def _value(name: str, text: str) -> str | bool | Sequence[str]:
    r"""Parse a field; the browser's line ends of two characters become one.

    >>> _value("text", " one\r\ntwo "), _value("agrees", "no"), _value("others", "alert:a alert:b")
    ('one\ntwo', False, ['alert:a', 'alert:b'])
    """
    plain = text.replace("\r\n", "\n").strip()
    if name == "others":
        return plain.split()
    return _YES_NO.get(plain, plain) if name == "agrees" else plain


def dialog_choices(
    commands: NamedDependency[CommandHandler],
    auth: NamedDependency[AuthService],
    actor: NamedDependency[Actor],
    room_settings: NamedDependency[RoomSettings],
) -> DialogChoices:
    """Return what the dialogs of a page offer to its viewer."""
    recent = commands.recent_closings(actor)[:_RECENT]
    offered = dict.fromkeys([*recent, *room_settings.close_reasons])
    seconds = (name for name in auth.accounts.with_right("second") if name != actor.name)
    return DialogChoices(tuple(offered)[:_CLOSINGS], len(recent), tuple(seconds))


@get("/api/people", sync_to_thread=False, opt={"needs": "work"})
def people(actor: NamedDependency[Actor]) -> list[str]:
    """Return the names of those to whom an alert can be given."""
    return sorted(actor.people)


ACTING: Final[list[ControllerRouterHandler]] = [act, act_several, act_by_form, people]
