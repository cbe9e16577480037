"""What a person takes from a queue: the next that nobody has, and what a row of it stands for."""

import heapq

from projections.room.board.board import Board, is_hidden
from projections.room.board.queues import QUEUES, order_of
from projections.room.work.actions import QueueName
from projections.room.work.alert import Alert
from projections.room.work.work import Work
from schemas.values import Micros


def next_of(
    board: Board, queue: QueueName | None, work: Work, now: Micros, hidden: frozenset[str]
) -> str | None:
    """Give the first alert of a queue, or of all in their order, that nobody has."""
    free = [
        (QUEUES.index(board.queue_of(alert, now)), order_of(alert))
        for alert in board.alerts.values()
        if (case := work.touched(alert.id)) is None or case.state == "new"
    ]
    heapq.heapify(free)
    while free:
        at, order = heapq.heappop(free)
        alert = board.alerts[order[-1]]
        wanted = queue in (None, QUEUES[at]) and not is_hidden(alert, board, work, hidden)
        if wanted and board.silenced(alert, work, now) is None:
            return alert.id
    return None


def repeats_of(board: Board, alert: Alert, work: Work, now: Micros) -> list[str]:
    """Give the others that a row of a queue stands for with it: of its group, and nobody has them."""
    queue = board.queue_of(alert, now)
    free = (
        board.alerts[name]
        for name in board.groups.get(alert.group, ())
        if name != alert.id and (case := work.case(name)).state == "new" and len(case.alerts) == 1
    )
    return [each.id for each in sorted(free, key=order_of) if board.queue_of(each, now) == queue]
