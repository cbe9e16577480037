"""Pages of what leaves the console: each person's own browsers, and the log of deliveries."""

import hashlib
import re
from collections.abc import Sequence
from typing import Annotated, Any, Final

from litestar import Request, Response, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException, ValidationException
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Meta, Struct

from projections.casework.command_handler import CommandHandler
from projections.notify.channels import Notifications
from projections.notify.notifier import Notifier
from projections.notify.outbox import Attempt, Delivery, Subscription, TargetState
from projections.notify.push_services import check_endpoint
from projections.web.auth.embargo import Hidden
from projections.web.auth.guard import lead
from projections.web.auth.record_subjects import within
from projections.web.auth.roles import Person
from projections.web.pages.action_routes import Clock
from schemas.errors import BadInput
from schemas.escalation import PushTarget
from schemas.values import MOST_64, Micros

_PAGE: Final = 100  # messages
_MOST: Final = 10  # browsers of a person
_OWN: Final = {"needs": "work"}
_LOG: Final = {"needs": "health"}

_Key = Annotated[str, Meta(min_length=16, max_length=200, pattern=r"^[A-Za-z0-9_-]+=*\Z")]


class BrowserKeys(Struct, frozen=True):
    """Keys of a browser, by which messages to it are encrypted."""

    p256dh: _Key
    auth: _Key


class Browser(Struct, frozen=True):
    """A browser that subscribes, by its own description."""

    endpoint: Annotated[str, Meta(max_length=2_000)]
    keys: BrowserKeys


class LoggedAttempt(Struct, frozen=True):
    """An attempt, or what ended a message without one; microseconds UTC."""

    at: Micros
    outcome: str
    answer: str


class LoggedDelivery(Struct, frozen=True):
    """A message to one receiver, and its result; `says` and `alert` are for people who see alerts.

    For a push target `recipient` is the owner of the browser.
    """

    id: str
    queued: Micros
    target: str
    recipient: str | None
    step: str
    state: str
    says: str | None
    alert: str | None
    attempts: Sequence[LoggedAttempt]


class DeliveryLog(Struct, frozen=True):
    """Messages, the newest first, and how each target stands; `before` leads to those before them."""

    targets: Sequence[TargetState]
    deliveries: Sequence[LoggedDelivery]
    before: Micros | None


def _log(
    notifier: Notifier | None, commands: CommandHandler, person: Person, hidden: Hidden, before: int | None
) -> DeliveryLog:
    if notifier is None:
        return DeliveryLog((), (), None)
    found = notifier.outbox.latest(_PAGE, before)
    accounts = {each.id: each.account for each in notifier.outbox.subscriptions()}
    sees = "see" in person.rights
    return DeliveryLog(
        targets=notifier.targets(),
        deliveries=[
            _logged(delivery, attempts, accounts, sees=sees)
            for delivery, attempts in found
            if not _is_hidden(delivery, commands, hidden)
        ],
        before=found[-1][0].queued if len(found) == _PAGE else None,
    )


def _is_hidden(delivery: Delivery, commands: CommandHandler, hidden: Hidden) -> bool:
    alert = delivery.notice.alert
    return commands.is_hidden(f"alert:{alert}", hidden.subjects) or hidden.hides(
        within(delivery.about) | {f"alert:{alert}", f"round:{delivery.about}"}
    )


def _logged(
    delivery: Delivery, attempts: list[Attempt], accounts: dict[str, str], *, sees: bool
) -> LoggedDelivery:
    return LoggedDelivery(
        id=delivery.id,
        queued=delivery.queued,
        target=delivery.target,
        recipient=accounts.get(delivery.recipient, "a browser that is gone") if delivery.recipient else None,
        step=delivery.step,
        state=delivery.state,
        says=delivery.notice.title if sees else None,
        alert=delivery.notice.alert if sees else None,
        attempts=[LoggedAttempt(each.at, each.outcome, each.answer) for each in attempts],
    )


@get("/notifications/log", opt=_LOG, sync_to_thread=True)
def log_page(
    notifier: NamedDependency[Notifier | None],
    commands: NamedDependency[CommandHandler],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    wall_clock: NamedDependency[Clock],
    before: FromQuery[Annotated[int, Meta(ge=0, le=MOST_64)] | None] = None,
) -> Template:
    """Show what was sent, and how each target stands."""
    found = _log(notifier, commands, person, hidden, before)
    return Template(
        "notification_log.html", context={"found": found, "now": wall_clock(), "sent": notifier is not None}
    )


@get("/api/notifications", opt=_LOG, sync_to_thread=True)
def log_in_full(
    notifier: NamedDependency[Notifier | None],
    commands: NamedDependency[CommandHandler],
    person: NamedDependency[Person],
    hidden: NamedDependency[Hidden],
    before: FromQuery[Annotated[int, Meta(ge=0, le=MOST_64)] | None] = None,
) -> DeliveryLog:
    """Return what was sent, a hundred messages a time, the newest first."""
    return _log(notifier, commands, person, hidden, before)


# ── a person's own browsers ───────────────────────────────────────────────────────────────────────────


@get("/notifications", opt=_OWN, include_in_schema=False, sync_to_thread=True)
def own_page(
    notifier: NamedDependency[Notifier | None],
    notifications: NamedDependency[Notifications | None],
    person: NamedDependency[Person],
) -> Template:
    """Show the browsers that a person subscribed, and offer to subscribe this one."""
    context = {
        "key": notifications.push_key if notifications is not None else None,
        "browsers": _browsers(notifier, person.name),
    }
    return Template("notifications.html", context=context)


@post("/api/notifications/browsers", status_code=200, opt=_OWN, sync_to_thread=True)
def subscribe(
    request: Request[Any, Any, Any],
    data: JSONBody[Browser],
    notifier: NamedDependency[Notifier | None],
    person: NamedDependency[Person],
    wall_clock: NamedDependency[Clock],
) -> Response[dict[str, str]]:
    """Subscribe the browser that asks to what climbs to its person."""
    target = _push_target(notifier)
    if notifier is None or target is None:
        raise NotFoundException("The house sends nothing to browsers.")
    try:
        check_endpoint(data.endpoint, target.services)
    except BadInput as error:
        raise ValidationException(f"{error}.") from None
    name = hashlib.sha256(data.endpoint.encode()).hexdigest()[:32]
    others = [each for each in _browsers(notifier, person.name) if each.id != name]
    if len(others) >= _MOST:
        raise ValidationException(f"{_MOST} browsers are subscribed already; remove one first.")
    agent = request.headers.get("User-Agent", "")
    keys = data.keys
    notifier.outbox.subscribe(
        Subscription(name, person.name, _called(agent), data.endpoint, keys.p256dh, keys.auth, wall_clock())
    )
    return Response({"id": name})


@post("/notifications/browsers/{name:str}/remove", opt=_OWN, include_in_schema=False, sync_to_thread=True)
def unsubscribe(
    request: Request[Any, Any, Any],
    name: FromPath[str],
    notifier: NamedDependency[Notifier | None],
    person: NamedDependency[Person],
) -> Response[Any]:
    """End the subscription of one of a person's browsers."""
    if notifier is None or not notifier.outbox.unsubscribe(name, person.name):
        raise NotFoundException("There is no such browser of yours.")
    return lead(request, "/notifications")


def _browsers(notifier: Notifier | None, account: str) -> list[Subscription]:
    if notifier is None:
        return []
    return [each for each in notifier.outbox.subscriptions() if each.account == account]


def _push_target(notifier: Notifier | None) -> PushTarget | None:
    targets = notifier.escalation.targets.values() if notifier is not None else ()
    return next((each for each in targets if isinstance(each, PushTarget)), None)


_BROWSERS: Final = (("Edg", "Edge"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


def _called(agent: str) -> str:
    """Return a browser's name from its user agent.

    >>> _called("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36")
    'Chrome, Linux'
    >>> _called("curl/8")
    'Browser'
    """
    words = [
        next((name for mark, name in marks if re.search(mark, agent)), "") for marks in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, words)) or "Browser"


NOTIFICATIONS: Final[list[ControllerRouterHandler]] = [
    log_page,
    log_in_full,
    own_page,
    subscribe,
    unsubscribe,
]
