"""What was over its time on a gaming day, and what is muted or put off."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.casework.actions import Actor
from projections.casework.alerts.alert_arrival import Silent
from projections.casework.alerts.overdue import Breach
from projections.casework.alerts.queue_rows import QueueItem
from projections.casework.cases.case_actions import mute_scope
from projections.casework.cases.case_state import Muted
from projections.casework.command_handler import CommandHandler
from projections.web.auth.record_subjects import within
from projections.web.pages.action_routes import Clock
from projections.web.pages.queue_page import SEVERITIES
from projections.web.records.record_links import alert_labels
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import Sight
from schemas.values import Micros


class Late(Struct, frozen=True):
    """What was over its time on a gaming day; counted by severity and by whose it was (empty: nobody)."""

    day: date
    at: Micros
    by_severity: dict[str, int]
    by_person: dict[str, int]
    breaches: list[Breach]


class Quiet(Struct, frozen=True):
    """What does not ring: mutes that run, and that have ended; what is put off; devices that are silent."""

    at: Micros
    mutes: list[Muted]
    ended: list[Muted]
    put_off: list[QueueItem]
    silent: list[Silent]


def late(
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    wall: NamedDependency[Clock],
    day: FromQuery[date | None] = None,
) -> Late:
    """Find what was over its time on a gaming day, the latest where none is asked for."""
    now, day = wall(), day or commands.board.today
    found = [each for each in commands.breaches(day, now) if not _is_hidden(each, commands, actor)]
    counted = Counter(each.severity for each in found)
    return Late(
        day=day,
        at=now,
        by_severity={severity: counted[severity] for severity in SEVERITIES if counted[severity]},
        by_person=dict(sorted(Counter(each.who or "" for each in found).items())),
        breaches=found,
    )


def quiet(
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    sight: NamedDependency[Sight],
    wall: NamedDependency[Clock],
) -> Quiet:
    """Find what does not ring, names masked."""
    now = wall()
    mutes = commands.mutes()
    put_off = (each for each in commands.shown(now, actor.hidden) if each.put_off)
    return Quiet(
        at=now,
        mutes=[each for each in mutes if now < each.until],
        ended=[each for each in reversed(mutes) if now >= each.until][:_ENDED],
        put_off=[sight.masked(each, each.alert.about, each.alert.id) for each in _in_order(put_off)],
        silent=commands.silent(),
    )


def _in_order(items: Iterable[QueueItem]) -> list[QueueItem]:
    return sorted(items, key=lambda each: (each.case.snoozed_until or 0, each.order))


def _is_hidden(breach: Breach, commands: CommandHandler, actor: Actor) -> bool:
    """Return True if a breach is of what is withheld.

    Who had the case says something of all that is in it.
    """
    of_case = commands.is_hidden(f"alert:{breach.alert}", actor.hidden)
    return of_case or not actor.hidden.isdisjoint(within(breach.about))


_ENDED: Final = 100  # mutes that have ended, of which the page tells
_LATE: Final = {"late": Provide(late, sync_to_thread=True)}
_QUIET: Final = {"quiet": Provide(quiet, sync_to_thread=True)}


@get("/breaches", sync_to_thread=True, opt={"needs": "see"}, dependencies=_LATE)
def breaches_page(late: NamedDependency[Late], reader: NamedDependency[Reader]) -> Template:
    """Show what was over its time."""
    others = alert_labels(reader, {each.alert for each in late.breaches})
    return Template("breaches.html", context={"late": late, "others": others})


@get("/api/breaches", sync_to_thread=False, opt={"needs": "see"}, dependencies=_LATE)
def breaches_in_full(late: NamedDependency[Late]) -> Late:
    """Return what was over its time."""
    return late


@get("/muted", sync_to_thread=False, opt={"needs": "see"}, dependencies=_QUIET)
def muted_page(quiet: NamedDependency[Quiet], actor: NamedDependency[Actor]) -> Template:
    """Show what does not ring."""
    return Template("muted.html", context={"quiet": quiet, "actor": actor, "covered": mute_scope})


@get("/api/muted", sync_to_thread=False, opt={"needs": "see"}, dependencies=_QUIET)
def muted_in_full(quiet: NamedDependency[Quiet]) -> Quiet:
    """Return what does not ring."""
    return quiet


BREACHES: Final[list[ControllerRouterHandler]] = [breaches_page, breaches_in_full, muted_page, muted_in_full]
