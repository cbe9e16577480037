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

from projections.casework.actions import Actor
from projections.casework.alerts.queue_rows import QueueItem
from projections.casework.cases.case_rules import waits_for
from projections.casework.cases.case_state import alert_of
from projections.casework.command_handler import CommandHandler
from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.shift_log.log_lines import lines
from projections.store.runs import Run
from projections.web.live.broadcaster import Live
from projections.web.pages.action_routes import Clock
from projections.web.pages.alert_lookup import may_undo, whole_round
from projections.web.pages.alert_view import AlertTold, Around, alert_told
from projections.web.records.record_links import AlertLabel, alert_labels
from projections.web.records.record_views import ListQuery
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
    to: AlertLabel | None


class Worked(Struct, frozen=True):
    """The work on an alert: as the queue shows it (None where it does not), and what was done, in order.

    `others` are the other alerts of its case, and those by which something was done, as the store has them.
    """

    shown: QueueItem | None
    history: list[Happened]
    others: Mapping[str, AlertLabel]


def worked(
    commands: CommandHandler, reader: Reader, sight: Sight, item: QueueItem | None, alert: str, about: str
) -> Worked:
    """Tell of the work on an alert as a person may see it, names masked; `about` is the key of its round."""
    found = lines(commands.done_to(alert, sight.hidden.subjects), {}, lambda *_: True)
    subjects = {alert_of(line.subject) for line in found}
    others = alert_labels(reader, subjects.union(item.case.alerts if item is not None else ()) - {alert})
    # Who is named in the other alerts is no more to be told than who is in this one.
    alerts = [commands.board.known(name) for name in (alert, *others)]
    item, says, _ = sight.masked((item, [line.what for line in found], alerts), about, alert)
    return Worked(
        item,
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
    commands: NamedDependency[CommandHandler],
) -> Around:
    """Return what an alert or a round is told with besides the store."""
    archive = None if live.state == "recorded" else live.archive
    return Around(cameras, commands.book(DisputeBook), dict(live.tables), archive)


def _runs(reader: NamedDependency[Reader], commands: NamedDependency[CommandHandler]) -> list[Run]:
    commands.until_written()  # an alert is in the queue before the store has it
    return reader.runs()


def _alert_view(
    alert: FromPath[str],
    reader: NamedDependency[Reader],
    runs: NamedDependency[list[Run]],
    list_query: NamedDependency[ListQuery],
    sight: NamedDependency[Sight],
    around: NamedDependency[Around],
) -> AlertTold:
    found = alert_told(reader, runs, list_query.run, alert, around, sight)
    if found is None:
        raise NotFoundException(f"There is no alert {alert} in this store.")
    sight.opened("alert", alert, found.told.id)
    return found


# The page and what it tells share one reading of the runs: a request resolves a dependency once.
_TOLD: Final = {
    "runs": Provide(_runs, sync_to_thread=True),
    "alert_view": Provide(_alert_view, sync_to_thread=True),
}


@get("/alerts/{alert:str}", sync_to_thread=True, opt={"needs": "see"}, dependencies=_TOLD)
def alert_page(
    alert_view: NamedDependency[AlertTold],
    runs: NamedDependency[list[Run]],
    reader: NamedDependency[Reader],
    list_query: NamedDependency[ListQuery],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    sight: NamedDependency[Sight],
    wall: NamedDependency[Clock],
    events: NamedDependency[Events | None],
    ask: FromQuery[str | None] = None,
) -> Template:
    """Show an alert with all that a person decides by, and what can be done about it.

    Without scripts a button asks for the page anew, with what its action needs besides: `ask` is which.
    """
    (run,) = (each for each in runs if each.run == alert_view.told.run)
    now = wall()
    item = commands.shown_one(alert_view.finding.id, now, actor.hidden)
    worked_item = worked(commands, reader, sight, item, alert_view.finding.id, alert_view.told.id)
    context = {
        "alert": alert_view,
        "told": alert_view.told,
        "run": run,
        "asked": list_query,
        "actor": actor,
        "ask": ask,
        "form": token_hex(16),
        "has_events": events is not None,
        "names_until": sight.shows_names(alert_view.told.id, alert_view.finding.id),
        "shown": worked_item.shown,
        "seconds": item is not None and waits_for(item.case, actor),
        "may_undo": may_undo(commands, alert_view.finding.id, actor, now),
        "whole": whole_round(commands, item, actor, now),
        "history": worked_item.history,
        "others": worked_item.others,
        "disputes": sight.disputes(commands.book(DisputeBook), alert_view.told),
    }
    return Template("alert.html", context=context)


@get("/api/alerts/{alert:str}", sync_to_thread=False, opt={"needs": "see"}, dependencies=_TOLD)
def alert_in_full(alert_view: NamedDependency[AlertTold]) -> AlertTold:
    """Return an alert with all that a person decides by."""
    return alert_view


ALERT: Final[list[ControllerRouterHandler]] = [alert_page, alert_in_full]
