"""What was done to an alert's case, as the surveillance log has it, on the alert's own page."""

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from projections.casework.alerts.alert_status import Shown
from projections.casework.cases.case_state import alert_of
from projections.casework.command_handler import Desk
from projections.casework.shift_log.log_lines import lines
from projections.web.records.record_links import Named, named
from projections.web.records.store_queries import Reader
from projections.web.records.viewer_scope import Sight
from schemas.values import moment


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

    shown: Shown | None
    history: list[Happened]
    others: Mapping[str, Named]


def worked(desk: Desk, reader: Reader, sight: Sight, shown: Shown | None, alert: str, about: str) -> Worked:
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
