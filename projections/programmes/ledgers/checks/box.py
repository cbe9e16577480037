"""Was each drop box received, emptied, shown empty and counted by itself? 465a.25(a)(3)."""

from collections.abc import Iterator
from typing import Final

from projections.engine.facts import fact, listed
from projections.engine.findings import HOUSE_CONTROL, Raised
from projections.programmes.coupons.event_context import Duty
from projections.programmes.ledgers.count_room import Awaited, Handled
from projections.programmes.ledgers.day_context import DayCase
from schemas.ledgers import BoxCounted, BoxReceived

_NOT_KEYED: Final = "A step that was done and not keyed in."

NOT_COUNTED: Final = Duty(
    "box_not_counted",
    severity="money",
    asks="Was the box that was taken off its table counted?",
    false_positives="A box that was left on a closed table, or a count that was not keyed in.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
NOT_RECEIVED: Final = Duty(
    "box_not_received",
    severity="procedure",
    asks="Was the box that was counted entered as it came to the count room?",
    false_positives=_NOT_KEYED,
    cites=(HOUSE_CONTROL,),
    paper=None,
)
NOT_EMPTIED: Final = Duty(
    "box_not_emptied",
    severity="procedure",
    asks="Was the box emptied on the count table before it was counted?",
    false_positives=_NOT_KEYED,
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
NOT_SHOWN: Final = Duty(
    "box_not_shown_empty",
    severity="procedure",
    asks="Was the emptied box shown to be empty?",
    false_positives=_NOT_KEYED,
    cites=("465a.25(a)(3)(ii)",),
    paper=None,
)
COUNTED_TWICE: Final = Duty(
    "box_counted_twice",
    severity="money",
    asks="Was the box counted once?",
    false_positives="A recount that was entered as a count.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
UNKNOWN: Final = Duty(
    "box_unknown",
    severity="money",
    asks="Is the box in the count room one that came off a table?",
    false_positives="A box whose change the terminal was not told of.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
TABLE: Final = Duty(
    "box_table_wrong",
    severity="money",
    asks="Was the box received and counted as that of the table from which it came?",
    false_positives="A table that goes by two names.",
    cites=("465a.25(a)(3)(i)",),
    paper=None,
)
KINDS: Final = (NOT_COUNTED, NOT_RECEIVED, NOT_EMPTIED, NOT_SHOWN, COUNTED_TWICE, UNKNOWN, TABLE)


def check(case: DayCase) -> Iterator[Raised]:
    """Raise what was not done with the boxes that are awaited, and boxes that are not."""
    known: set[str] = set()
    for awaited in case.room.awaited:
        counts = case.room.counts(awaited)
        known |= {each.box for each in counts} | {awaited.content.name or ""}
        if counts:
            yield from _counted(case, awaited, counts)
        elif awaited.content.off and not awaited.told and awaited.content.name is not None:
            yield _not_counted(case, awaited, case.room.done(awaited))
    for box, handled in case.room.handled.items():
        if box not in known and box not in case.early_boxes:
            yield _unknown(case, box, handled)


def _not_counted(case: DayCase, awaited: Awaited, handled: Handled) -> Raised:
    box = awaited.content.name
    return case.raised(
        NOT_COUNTED,
        fact(
            "ledgers.box_not_counted",
            box=box,
            table=awaited.table,
            received=int(bool(handled.received)),
            emptied=int(bool(handled.emptied)),
        ),
        who=box,
        table=awaited.table,
        hangs_on=["count_room", awaited.table],
    )


def _counted(case: DayCase, awaited: Awaited, counts: list[BoxCounted]) -> Iterator[Raised]:
    box = counts[0].box
    handled = case.room.done(awaited) if awaited.content.name is not None else case.room.of(box)
    lacking = []
    if not handled.received:
        lacking.append((NOT_RECEIVED, "entered"))
    if not handled.emptied:
        lacking.append((NOT_EMPTIED, "emptied"))
    elif not handled.shown:
        lacking.append((NOT_SHOWN, "shown"))
    for duty, step in lacking:
        yield case.raised(
            duty,
            fact("ledgers.box_step_missing", box=box, step=step),
            who=box,
            table=awaited.table,
            hangs_on=["count_room"],
        )
    if len(counts) > 1:
        message = fact("ledgers.box_counted_again", box=box, times=len(counts))
        yield case.raised(COUNTED_TWICE, message, who=box, table=awaited.table)
    entries: list[BoxReceived | BoxCounted] = [*handled.received, *counts]
    others = sorted({each.table for each in entries} - {awaited.table})
    if others:
        message = fact("ledgers.box_of_other", box=box, table=awaited.table, others=listed(*others))
        yield case.raised(TABLE, message, who=box, table=awaited.table, hangs_on=[awaited.table, *others])


def _unknown(case: DayCase, box: str, handled: Handled) -> Raised:
    entries: list[BoxReceived | BoxCounted] = [*handled.received, *handled.counts]
    table = entries[0].table if entries else None
    return case.raised(
        UNKNOWN,
        fact("ledgers.box_unknown", box=box, table=table),
        who=box,
        table=table,
        hangs_on=[table] if table is not None else [],
    )
