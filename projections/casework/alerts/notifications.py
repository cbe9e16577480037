"""What the room hears: an alert as it comes or becomes more urgent, and when what silenced it has ended."""

from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from msgspec.structs import replace

from projections.casework.alerts.alert_arrival import Came, came, is_more_urgent
from projections.casework.alerts.alert_board import Board, is_hidden
from projections.casework.alerts.queues import gravity, order_of, sums_of
from projections.casework.cases.alert import Alert
from projections.casework.cases.case_state import MINUTE, Work
from schemas.values import Micros

_Ids: TypeAlias = Collection[str]
_THIRD: Final = 3


def note(
    board: Board, alert: Alert, work: Work, now: Micros, judged: Micros | None = None, *, quiet: bool = False
) -> Came | None:
    """Note how an alert came and whether it is to be heard; None where it is no more urgent than it came.

    `judged` is when it was concluded, where that is told: what a lost store had is noted as it came there.
    Where it is `quiet`, nothing is heard, and what has come before comes no second time.
    """
    queue, before = board.queue_of(alert, work, now), board.came.get(alert.id)
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


def unheeded(board: Board, work: Work, now: Micros) -> set[str]:
    """Return what is heard again now, as it is grave or money, overdue and still taken by nobody.

    It is heard at once as something becomes so, and all together at the room's pace for as long as one is.
    """
    standing = {
        alert.id
        for alert in board.overdue(work, now)
        if alert.severity in ("grave", "money")
        and board.queue_of(alert, work, now) == "act_now"
        and board.silenced(alert, work, now) is None
    }
    paced = now >= board.unheeded_at + board.room.overdue_every_minutes * MINUTE
    if standing <= board.unheeded and not (standing and paced):
        board.unheeded = standing
        return set()
    board.unheeded, board.unheeded_at = standing, now
    return standing


def _is_free(board: Board, alert: Alert, work: Work, now: Micros) -> bool:
    return board.queue_of(alert, work, now) == "act_now" and work.case(alert.id).state == "new"


def _rings(board: Board, alert: Alert, work: Work, now: Micros, *, again: bool = False) -> bool:
    """Return True if an alert is to be heard; what is heard `again` is no repeat of itself.

    What is undetermined never is, nor what somebody has, nor what repeats an alert that rang a while ago,
    still stands and is not closed. But what somebody may not know of silences nothing that this person may:
    who hears neither would not look.
    """
    if not _is_free(board, alert, work, now) or board.silenced(alert, work, now) is not None:
        return False
    since = now - board.room.repeats_minutes * MINUTE
    before = [
        earlier
        for each in board.rung.before(alert, since)
        if (not again or each.id != alert.id)
        if (earlier := board.alerts.get(each.id)) is not None and work.case(each.id).state != "closed"
    ]
    others = [each.id for each in before if not _is_louder(board, alert, each)]
    if not _known_by_one(board, others, alert, work):
        return True
    in_the_round = any(board.alerts[each].about == alert.about for each in others)
    return not in_the_round and is_third(mistakes_of_dealer(board, alert, since))


def _is_louder(board: Board, alert: Alert, earlier: Alert) -> bool:
    """Return True if an alert is heard though an earlier one rang: it is grave, or so much larger.

    In one round something grave is heard once, beside any money; of money in it the larger is the alert's
    own. Two rounds are weighed against each other as wholes.
    """
    of_one_round = alert.about == earlier.about
    if alert.severity == "grave":
        return earlier.severity != "grave" or not of_one_round
    if earlier.severity == "grave":
        return False
    money, before = (
        abs(each.comes_to_cents or 0) if of_one_round else _in_round(board, each) for each in (alert, earlier)
    )
    return money > 0 and 100 * money >= board.room.larger_percent * before


def _in_round(board: Board, alert: Alert) -> int:
    """Return the cents of all wrong wagers of an alert's round, those of both sides."""
    found = (board.alerts[name] for name in board.about.get(alert.about, ()))
    return sum(each.cents for each in sums_of(found) if each.favours is not None)


def mistakes_of_dealer(
    board: Board, alert: Alert, since: Micros, hides: Callable[[Alert], bool] = lambda _: False
) -> int:
    """Count the rounds in which an alert's dealer erred after a moment so that somebody had to act now.

    Its own round is one of them. 0 where the dealer is not known; what is hidden is not counted.
    """
    if alert.dealer is None:
        return 0
    known = (board.alerts[name] for name in board.of_dealer[alert.dealer])
    rounds = {
        each.about
        for each in known
        if (noted := board.came.get(each.id)) is not None
        and noted.queue == "act_now"
        and noted.came > since
        and not hides(each)
    }
    return len(rounds | {alert.about})


def is_third(mistakes: int) -> bool:
    """Return True for every third mistake of a dealer.

    >>> [count for count in range(8) if is_third(count)]
    [3, 6]
    """
    return mistakes > 0 and mistakes % _THIRD == 0


def loudest_first(alert: Alert) -> tuple[int, int, str]:
    """Sort what comes at one moment: of a round the gravest is heard, and of these the largest."""
    return gravity(alert.severity), -abs(alert.comes_to_cents or 0), alert.id


def _known_by_one(board: Board, rang: Collection[str], alert: Alert, work: Work) -> bool:
    """Return True if all who may know of an alert may know of one of others, which rang."""
    withheld = list(board.withheld()) if rang else []
    of_whom = [hidden for hidden in withheld if not is_hidden(alert, board, work, hidden)]
    return any(
        known is None or not any(is_hidden(known, board, work, hidden) for hidden in of_whom)
        for known in map(board.known, rang)
    )
