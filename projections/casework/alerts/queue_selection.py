"""What a person takes from a queue: the next that nobody has, and what a row of it stands for."""

import heapq
from collections.abc import Iterable

from projections.casework.alerts.alert_board import Board, is_hidden, is_put_off
from projections.casework.alerts.queue_rows import is_repeat
from projections.casework.alerts.queues import QUEUES
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_actions import QueueName
from projections.casework.cases.case_state import Work
from schemas.values import Micros


def next_of(
    board: Board, queue: QueueName | None, work: Work, now: Micros, hidden: frozenset[str]
) -> str | None:
    """Return the first alert of a queue, or of all in their order, that nobody has."""
    free = [
        (QUEUES.index(board.queue_of(alert, work, now)), board.order_of(alert, work, now))
        for alert in board.alerts.values()
        if (case := work.touched(alert.id)) is None or case.state == "new"
    ]
    heapq.heapify(free)
    while free:
        at, order = heapq.heappop(free)
        alert = board.alerts[order[-1]]
        if queue in (None, QUEUES[at]) and _may_be_taken(board, alert, work, now, hidden):
            return alert.id
    return None


def first_of(
    board: Board, among: Iterable[str], work: Work, now: Micros, hidden: frozenset[str]
) -> str | None:
    """Return the first of some alerts, in their order, that nobody has."""
    known = (board.alerts[name] for name in among if name in board.alerts)
    free = (alert for alert in known if work.case(alert.id).state == "new")
    return next((each.id for each in free if _may_be_taken(board, each, work, now, hidden)), None)


def _may_be_taken(board: Board, alert: Alert, work: Work, now: Micros, hidden: frozenset[str]) -> bool:
    return not is_hidden(alert, board, work, hidden) and board.silenced(alert, work, now) is None


def repeats_of(board: Board, alert: Alert, work: Work, now: Micros, hidden: frozenset[str]) -> list[str]:
    """Return the others that a row of a queue stands for with it: of its group, and nobody has them.

    What was put together, or given to someone of a role, stands for itself, and what is put off apart.
    """
    queue, put_off = board.queue_of(alert, work, now), is_put_off(work.case(alert.id), now)
    free = (
        board.alerts[name]
        for name in board.groups.get(alert.group, ())
        if name != alert.id and is_repeat(case := work.case(name)) and is_put_off(case, now) == put_off
    )
    return [
        each.id
        for each in sorted(free, key=lambda each: board.order_of(each, work, now))
        if board.queue_of(each, work, now) == queue and not is_hidden(each, board, work, hidden)
    ]
