"""The page of an alert: the hand as it lay, what was owed and paid, the rule, and what was done about it."""

from collections.abc import Mapping
from datetime import datetime
from secrets import token_hex
from typing import Final

from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Template
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from projections.casework.alerts.queue_rows import QueueItem
from projections.casework.cases.case_policy import Actor, waits_for
from projections.casework.cases.case_state import alert_of
from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.shift_log.log_lines import lines
from projections.store.runs import Run
from projections.web.live.broadcaster import Live
from projections.web.pages.action_routes import Clock
from projections.web.pages.alert_lookup import may_undo, whole_round
from projections.web.pages.alert_view import AlertTold, Around, alert_told
from projections.web.records.record_links import Named, named
from projections.web.records.record_views import Asked
from projections.web.records.round_events import Events
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import Sight
from schemas.cameras import Cameras
from schemas.values import moment

# ── What was done to an alert's case, as the surveillance log has it, on the alert's own page ─────────


class Happened(Struct, frozen=True):
    """Something that was done: when, by whom, what; `to` where it was to another alert of the case."""

    at: datetime
    who: str
    what: str
    to: Named | None


class Worked(Struct, frozen=True):
    """The work on an alert: as the queue shows it (None where it does not), and what was done, in order.

    `others` are the other alerts of its case, and those by which something was done, as the store has them.
    """

    shown: QueueItem | None
    history: list[Happened]
    others: Mapping[str, Named]


def worked(
    desk: CommandHandler, reader: Reader, sight: Sight, shown: QueueItem | None, alert: str, about: str
) -> Worked:
    """Tell of the work on an alert as a person may see it, names masked; `about` is the key of its round."""
    found = lines(desk.done_to(alert, sight.hidden.subjects), {}, lambda *_: True)
    subjects = {alert_of(line.subject) for line in found}
    others = named(reader, subjects.union(shown.case.alerts if shown is not None else ()) - {alert})
    # Who is named in the other alerts is no more to be told than who is in this one.
    known = [desk.board.known(name) for name in (alert, *others)]
    shown, says, _ = sight.masked((shown, [line.what for line in found], known), about, alert)
    return Worked(
        shown,
        [
            Happened(moment(line.at), line.who, what, others.get(alert_of(line.subject)))
            for line, what in zip(found, says, strict=True)
        ],
        others,
    )


# ── The page of an alert: the hand as it lay, what was owed and paid, the rule, the footage ───────────


def around(
    live: NamedDependency[Live],
    cameras: NamedDependency[Cameras | None],
    desk: NamedDependency[CommandHandler],
) -> Around:
    """Return what an alert or a round is told with besides the store."""
    archive = None if live.state == "recorded" else live.archive
    return Around(cameras, desk.book(DisputeBook), dict(live.tables), archive)


def _runs(reader: NamedDependency[Reader], desk: NamedDependency[CommandHandler]) -> list[Run]:
    desk.until_written()  # an alert is in the queue before the store has it
    return reader.runs()


def _told(
    alert: FromPath[str],
    reader: NamedDependency[Reader],
    runs: NamedDependency[list[Run]],
    asked: NamedDependency[Asked],
    sight: NamedDependency[Sight],
    around: NamedDependency[Around],
) -> AlertTold:
    told = alert_told(reader, runs, asked.run, alert, around, sight)
    if told is None:
        raise NotFoundException(f"There is no alert {alert} in this store.")
    sight.opened("alert", alert, told.told.id)
    return told


# The page and what it tells share one reading of the runs: a request resolves a dependency once.
_TOLD: Final = {
    "runs": Provide(_runs, sync_to_thread=True),
    "told": Provide(_told, sync_to_thread=True),
}


@get("/alerts/{alert:str}", sync_to_thread=True, opt={"needs": "see"}, dependencies=_TOLD)
def alert_page(
    told: NamedDependency[AlertTold],
    runs: NamedDependency[list[Run]],
    reader: NamedDependency[Reader],
    asked: NamedDependency[Asked],
    desk: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    sight: NamedDependency[Sight],
    wall: NamedDependency[Clock],
    events: NamedDependency[Events | None],
    ask: FromQuery[str | None] = None,
) -> Template:
    """Show an alert with all that a person decides by, and what can be done about it.

    Without scripts a button asks for the page anew, with what its action needs besides: `ask` is which.
    """
    (run,) = (each for each in runs if each.run == told.told.run)
    now = wall()
    shown = desk.shown_one(told.finding.id, now, actor.hidden)
    work = worked(desk, reader, sight, shown, told.finding.id, told.told.id)
    context = {
        "alert": told,
        "told": told.told,
        "run": run,
        "asked": asked,
        "actor": actor,
        "ask": ask,
        "form": token_hex(16),
        "has_events": events is not None,
        "names_until": sight.shows_names(told.told.id, told.finding.id),
        "shown": work.shown,
        "seconds": shown is not None and waits_for(shown.case, actor),
        "may_undo": may_undo(desk, told.finding.id, actor, now),
        "whole": whole_round(desk, shown, actor, now),
        "history": work.history,
        "others": work.others,
        "disputes": sight.disputes(desk.book(DisputeBook), told.told),
    }
    return Template("alert.html", context=context)


@get("/api/alerts/{alert:str}", sync_to_thread=False, opt={"needs": "see"}, dependencies=_TOLD)
def alert_in_full(told: NamedDependency[AlertTold]) -> AlertTold:
    """Return an alert with all that a person decides by."""
    return told


ALERT: Final[list[ControllerRouterHandler]] = [alert_page, alert_in_full]
