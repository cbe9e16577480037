"""What the room hears: an alert as it comes or becomes more urgent, and when what silenced it has ended."""

from collections.abc import Collection
from typing import TypeAlias

from msgspec.structs import replace

from projections.room.board.board import Board, is_hidden
from projections.room.board.coming import Came, came, is_more_urgent
from projections.room.board.queues import order_of
from projections.room.work.alert import Alert
from projections.room.work.work import MINUTE, Work
from schemas.values import Micros

_Ids: TypeAlias = Collection[str]


def note(
    board: Board, alert: Alert, work: Work, now: Micros, judged: Micros | None = None, *, quiet: bool = False
) -> Came | None:
    """Note how an alert came and whether it is to be heard; None where it is no more urgent than it came.

    `judged` is when it was concluded, where that is told: what a lost store had is noted as it came there.
    Where it is `quiet`, nothing is heard, and what has come before comes no second time.
    """
    queue, before = board.queue_of(alert, now), board.came.get(alert.id)
    board.ages(alert, queue)
    noted = None
    at = board.came_by(judged, now) if judged is not None else now
    if before is None:
        # What something was done to and no store knows is of one that was lost: it came by then.
        at = min(at, work.known_by(alert.id, now))
    into = board.queue_then(alert, at) if at < now else queue
    if before is None or (not quiet and is_more_urgent(alert, into, before)):
        rang = not quiet and _rings(board, alert, work, now)
        into, at = (queue, now) if rang else (into, at)
        noted = came(alert, into, at, board.room, before, rang=rang)
        board.knew(noted)
    silenced = board.silenced(alert, work, now) is not None
    if queue == "act_now" and silenced and not board.came[alert.id].rang:
        board.hushed.add(alert.id)
    return noted


def unhushed(board: Board, put_off: _Ids, work: Work, now: Micros) -> list[Came]:
    """Let be heard what was silenced and is no more, where it still stands in act now and nobody has it.

    `put_off` are the alerts whose time of being put off has just ended: they are heard again though they
    rang when they came. Of several at one moment the gravest rings, and another where that is withheld.
    """
    names = board.hushed | set(put_off)
    known = [board.alerts[name] for name in names if name in board.alerts]
    waiting = [alert for alert in known if _is_free(board, alert, work, now)]
    board.hushed = {each.id for each in waiting if board.silenced(each, work, now) is not None}
    rang: list[Came] = []
    for alert in sorted(waiting, key=order_of):
        if not _rings(board, alert, work, now, again=alert.id in put_off):
            continue
        before = board.came[alert.id]
        heard = replace(before, coming=before.coming + 1, came=now, rang=True)
        if _known_by_one(board, [each.id for each in rang], alert, work):
            board.rung.known(heard)
        else:
            board.knew(heard)
            rang.append(heard)
    return rang


def _is_free(board: Board, alert: Alert, work: Work, now: Micros) -> bool:
    return board.queue_of(alert, now) == "act_now" and work.case(alert.id).state == "new"


def _rings(board: Board, alert: Alert, work: Work, now: Micros, *, again: bool = False) -> bool:
    """Say whether an alert is to be heard; what is heard `again` is no repeat of itself.

    What is undetermined never is, nor what somebody has, nor a repeat of what rang a while ago, nor a
    second thing that is wrong in the same round. But what somebody may not know of silences nothing that
    this person may: who hears neither would not look.
    """
    if not _is_free(board, alert, work, now) or board.silenced(alert, work, now) is not None:
        return False
    before = board.rung.before(alert, now - board.room.repeats_minutes * MINUTE)
    others = [each.id for each in before if not again or each.id != alert.id]
    return not _known_by_one(board, others, alert, work)


def _known_by_one(board: Board, rang: Collection[str], alert: Alert, work: Work) -> bool:
    """Tell whether all who may know of an alert may know of one of others, which rang."""
    withheld = list(board.withheld()) if rang else []
    of_whom = [hidden for hidden in withheld if not is_hidden(alert, board, work, hidden)]
    return any(
        known is None or not any(is_hidden(known, board, work, hidden) for hidden in of_whom)
        for known in map(board.known, rang)
    )
