"""What a person may read of the log: nothing of a record that is withheld from them, nor of the embargo."""

from typing import Any, Final

import msgspec
from msgspec import Struct

from projections.console.access.embargo import Hidden
from projections.console.access.file import AccountsFile
from projections.console.access.log import Belonging, Logged, logged

PAGE: Final = 100
_ROWS: Final = """
    SELECT * FROM log
    WHERE (:person IS NULL OR person = :person OR whom = :person)
        AND (:subject IS NULL OR instr(subject, :subject) > 0 OR instr(within, :subject) > 0)
        AND (:since IS NULL OR at >= :since) AND (:until IS NULL OR at < :until)
        AND NOT (kind IN ('embargoed', 'lifted') AND whom = :reader)
    ORDER BY number DESC
"""


class Wanted(Struct, frozen=True):
    """Which rows of the log a person asks for, where None is any: from `since` until before `until`."""

    person: str | None = None
    subject: str | None = None
    since: int | None = None
    until: int | None = None
    page: int = 1


class LogPage(Struct, frozen=True):
    """One page of the log, the newest first."""

    page: int
    pages: int
    total: int
    rows: list[Logged]


def read(file: AccountsFile, wanted: Wanted, reader: str, hidden: Hidden) -> LogPage:
    """Give a page of the log as its reader may know it; beyond the last it is empty."""
    asked: dict[str, Any] = msgspec.structs.asdict(wanted) | {"reader": reader}
    start = PAGE * (wanted.page - 1)
    if hidden.subjects:
        known = Belonging(file)
        every = map(logged, file.ask_named(_ROWS, asked))
        found = [row for row in every if not hidden.hides(known.of(row.subject, row.within))]
        total, rows = len(found), found[start : start + PAGE]
    else:
        total = file.ask_named(f"SELECT count(*) AS total FROM ({_ROWS})", asked)[0]["total"]  # noqa: S608  ours
        limited = f"{_ROWS} LIMIT :limit OFFSET :start"
        rows = list(map(logged, file.ask_named(limited, asked | {"limit": PAGE, "start": start})))
    return LogPage(wanted.page, max(1, -(-total // PAGE)), total, rows)
