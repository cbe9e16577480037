"""What a person may read of the log: nothing of a record that is withheld from them, nor of the embargo."""

from typing import Any, Final

import msgspec
from msgspec import Struct

from projections.web.auth.access_log import Logged, left_of, logged
from projections.web.auth.accounts_file import AccountsFile
from projections.web.auth.embargo import Hidden

PAGE: Final = 100
_ROWS: Final = """
    FROM log
    WHERE (:person IS NULL OR person = :person OR whom = :person)
        AND (:subject IS NULL OR instr(subject, :subject) > 0 OR instr(within, :subject) > 0)
        AND (:since IS NULL OR at >= :since) AND (:until IS NULL OR at < :until)
        AND NOT (kind IN ('embargoed', 'lifted') AND whom = :reader)
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
    """Return a page of the log as its reader may know it; beyond the last it is empty."""
    asked: dict[str, Any] = msgspec.structs.asdict(wanted) | {"reader": reader}
    (counted,) = file.ask_named(*left_of(f"SELECT count(*) AS total {_ROWS}", hidden.subjects, asked))
    query, asked_too = left_of(f"SELECT * {_ROWS}", hidden.subjects, asked)
    page = {"limit": PAGE, "start": PAGE * (wanted.page - 1)}
    rows = file.ask_named(f"{query} ORDER BY number DESC LIMIT :limit OFFSET :start", {**asked_too, **page})
    total = counted["total"]
    return LogPage(wanted.page, max(1, -(-total // PAGE)), total, list(map(logged, rows)))
