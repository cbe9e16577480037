"""What was done, as a line of the surveillance log says it; in a few words."""

from collections.abc import Collection
from typing import assert_never

from projections.casework.cases.case_actions import (
    Acknowledge,
    AddTag,
    Assign,
    Close,
    Escalate,
    Having,
    Merge,
    Mute,
    Release,
    Reopen,
    Review,
    Saying,
    Second,
    Settling,
    Snooze,
    TakeNext,
    Undo,
    Unmute,
    WorkAction,
    WriteNote,
)
from projections.casework.disputes.dispute_actions import DisputeAction, DisputeOpen, OnDispute
from projections.casework.disputes.dispute_history import says as dispute_says
from projections.casework.shift_log.log_actions import LogHandover, LogTakeover
from schemas.ledgers import table_called
from schemas.values import in_words


def said(action: WorkAction | DisputeAction | LogHandover | LogTakeover, *, waits: bool = False) -> str:
    """Return what an action did, as a line of the log does; `waits` where a second person has to agree to it.

    >>> said(Assign(id="0" * 32, subject="alert:0a1b", to="ann"))
    'given to ann'
    >>> said(Mute(id="0" * 32, table="BAC-101", minutes=30, reason="reader is exchanged"))
    'all that is not grave at BAC-101 muted for 30 minutes: reader is exchanged'
    >>> said(Reopen(id="0" * 32, subject="alert:0a1b", reason="a letter came"), waits=True)
    'asked to open again; waits for a second person: a letter came'
    """
    match action:
        case LogHandover():
            says = f"shift signed over to {action.to}{_remarks(action.remarks)}"
        case LogTakeover():
            says = f"shift taken over{_remarks(action.remarks)}"
        case DisputeOpen() | OnDispute():
            says = dispute_says(action)
        case TakeNext():
            says = f"taken as the next{_with(action.others)}"
        case Merge():
            says = f"put together with {len(action.others)} more"
        case Undo():
            says = "what was done last was taken back"
        case Mute():
            muted = " at ".join(covered(action.check, action.table))
            says = f"{muted} muted for {action.minutes} minutes: {action.reason}"
        case Unmute():
            says = "mute ended before its time"
        case _:
            says = _of_case(action, waits=waits)
    return says


def covered(check: str | None, table: str | None) -> tuple[str, str]:
    """Return what a mute keeps from ringing, and where. What is grave rings at a table that is muted.

    >>> covered(None, "BAC-101"), covered("push_paid", None)
    (('all that is not grave', 'BAC-101'), ('push paid', 'every table'))
    """
    what = in_words(check) if check is not None else "all that is not grave"
    return what, table_called(table) if table is not None else "every table"


def _remarks(remarks: str | None) -> str:
    return f": {remarks}" if remarks is not None else ""


def _with(others: Collection[str]) -> str:
    return f", with {len(others)} more" if others else ""


def _of_case(action: Having | Saying | Settling, *, waits: bool) -> str:
    match action:
        case Acknowledge():
            says = f"acknowledged{_with(action.others)}"
        case Assign():
            says = f"given to {action.to}"
        case Release():
            says = "given back to the queue"
        case WriteNote():
            says = f"noted: {action.text}"
        case AddTag():
            says = f"tag {action.word} {'taken away' if action.off else 'added'}"
        case Escalate():
            says = f"escalated to the {action.to}: {action.reason}"
        case Snooze():
            says = f"put off for {action.minutes} minutes: {action.reason}"
        case _:
            says = _settling(action, waits=waits)
    return says


def _settling(action: Settling, *, waits: bool) -> str:
    match action:
        case Close():
            says = f"{'asked to close' if waits else 'closed'} as {action.outcome}"
        case Reopen():
            says = "asked to open again" if waits else "opened again"
        case Second():
            says = f"second person {'agreed' if action.agrees else 'did not agree'}"
        case Review():
            says = f"looked at again, {'agreed' if action.agrees else 'did not agree'}"
        case _:
            assert_never(action)
    return f"{says}{'; waits for a second person' if waits else ''}: {action.reason}"
