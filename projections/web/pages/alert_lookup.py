"""What a page asks of alerts before it does something: their work, and which of a round go into one case."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Annotated, Final

from litestar import get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.types import ControllerRouterHandler
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.actions import Actor, Refused
from projections.casework.alerts.queue_rows import QueueItem
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import MERGED_AT_ONCE, Merge, Undo
from projections.casework.cases.case_rules import waits_for
from projections.casework.cases.case_state import alert_of
from projections.casework.command_handler import CommandHandler
from projections.web.auth.masking import Masking
from projections.web.pages.action_routes import Clock, Conflict, Refusal
from projections.web.pages.queue_stream import Heard, heard
from schemas.values import Micros

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# An alert's round taken whole: which other alerts of the round can be put into its case, by one action.


class RelatedAlerts(Struct, frozen=True):
    """The other alerts of an alert's round that are not settled, and are not in its case.

    `others` can be put into it, the gravest first. `named` are the ids by which that is asked for, one of
    each case; `along` counts what else is in these cases and comes with them. `left` says of which stay as
    they are how many there are, and why. `refused` is the sentence with which it would be refused now.
    """

    others: list[Alert]
    named: tuple[str, ...]
    along: int
    left: list[str]
    refused: str | None = None


def related_alerts(here: QueueItem, beside: Iterable[QueueItem], who: str) -> RelatedAlerts | None:
    """Return what of an alert's round `who` could put into its case; `beside` are the alerts of the round.

    What is closed stays closed. Left alone is also what another person has than has the case, or would have
    it; what was given to a role or put off, unless the alert itself was. None where there is nothing to tell,
    the alert is of no round, or its case is settled or waits for a second person.
    """
    if here.alert.round is None or here.case.state not in ("new", "open"):
        return None
    cases: defaultdict[str, list[Alert]] = defaultdict(list)
    along: dict[str, int] = {}
    left: Counter[str] = Counter()
    for each in sorted(beside, key=lambda shown: shown.order):
        if each.case.key == here.case.key or each.case.state == "closed":
            continue
        if why := _left(each, here, who):
            left[why] += 1
            continue
        cases[each.case.key].append(each.alert)
        along[each.case.key] = len(each.case.alerts)
    parts = list(cases.items())[:MERGED_AT_ONCE]
    if not parts and not left:
        return None
    others = [alert for _, alerts in parts for alert in alerts]
    return RelatedAlerts(
        others=others,
        named=tuple(alerts[0].id for _, alerts in parts),
        along=sum(along[case] for case, _ in parts) - len(others),
        left=[f"{many} {why}" for why, many in left.items()],
    )


def _left(other: QueueItem, here: QueueItem, who: str) -> str | None:
    """Return why an alert that is not closed stays out of another's case; None where it need not."""
    case = other.case
    if case.state in ("closing", "reopening"):
        return "waiting for a second person"
    if case.owner not in (None, here.case.owner or who):
        return "that you have" if case.owner == who else f"that {case.owner} has"
    if case.escalated not in (None, here.case.escalated):
        return f"with the {case.escalated}"
    if other.put_off != here.put_off:
        return "put off" if other.put_off else "not put off as this one is"
    return None


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# What a page asks of alerts before it does or offers something: what would be one case, what still rings.

_ASKED: Final = "0" * 32  # the id of an action that is not done
_ANSWERS: Final = {409: ResponseSpec(Refusal, description="They cannot be one case as things stand.")}


@get("/api/alerts/{alert:str}/merging", sync_to_thread=True, opt={"needs": "work"}, responses=_ANSWERS)
def merging(
    alert: FromPath[str],
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    masking: NamedDependency[Masking],
    wall: NamedDependency[Clock],
    other: Annotated[list[str] | None, QueryParameter(max_items=MERGED_AT_ONCE)] = None,
) -> list[QueueItem]:
    """Return what would be one case with an alert now: others, or where none are named its repeats."""
    now = wall()
    others = tuple(f"alert:{each}" for each in other or ())
    merge = Merge(id=_ASKED, subject=f"alert:{alert}", others=others, repeats=not others)
    try:
        would = commands.would(merge, actor, now)
    except Refused as error:
        raise Conflict(str(error)) from None
    found = (commands.shown_one(alert_of(each), now, actor.hidden) for each in (would.subject, *would.others))
    return [masking.masked(each, each.alert.subjects()) for each in found if each is not None]


@get("/api/rung", sync_to_thread=True, opt={"needs": "see"})
def rung(
    commands: NamedDependency[CommandHandler],
    actor: NamedDependency[Actor],
    wall: NamedDependency[Clock],
    alert: Annotated[list[str] | None, QueryParameter(max_items=100)] = None,
) -> list[Heard]:
    """Return which of some alerts are still to be heard by who asks.

    They can be put right and nobody has them; or they are grave and with the role of who asks, who has not
    taken them.
    """
    now = wall()
    found = (commands.shown_one(each, now, actor.hidden) for each in alert or ())
    return [
        heard(each, commands, now, actor.hidden)
        for each in found
        if each is not None and _stands(each, actor)
    ]


def may_undo(commands: CommandHandler, alert: str, actor: Actor, now: Micros) -> bool:
    """Return True if the last thing done to an alert is somebody's own, and can still be undone."""
    try:
        commands.would(Undo(id=_ASKED, subject=f"alert:{alert}"), actor, now)
    except Refused:
        return False
    return True


def whole_round(
    commands: CommandHandler, item: QueueItem | None, actor: Actor, now: Micros
) -> RelatedAlerts | None:
    """Return what of an alert's round somebody could put into its case now.

    None for who may not work on it.
    """
    if item is None or Merge.needs not in actor.rights:
        return None
    found = related_alerts(item, commands.found_with(item.alert.id, now, actor.hidden), actor.name)
    if found is None or not found.named:
        return found
    others = tuple(f"alert:{each}" for each in found.named)
    try:
        commands.would(Merge(id=_ASKED, subject=f"alert:{item.alert.id}", others=others), actor, now)
    except Refused as error:
        return replace(found, refused=str(error))
    return found


def _stands(item: QueueItem, who: Actor) -> bool:
    case = item.case
    if case.state == "new" and item.queue == "act_now" and not item.silenced:
        return True
    with_role = case.grave and case.state in ("new", "open") and waits_for(case, who)
    return with_role and case.owner != who.name


ASKING: Final[list[ControllerRouterHandler]] = [merging, rung]
