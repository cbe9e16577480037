"""Words for records of the access log, and the page that shows each."""

from typing import Final
from urllib.parse import unquote

from msgspec import Struct

from projections.views.time_text import date_text
from projections.web.phrases.page_phrases import segment
from schemas.values import capital, in_words

_KINDS: Final = ("shoe", "account")


class SubjectWords(Struct, frozen=True):
    """Words for a record, and the path of its page; None if it has none of its own."""

    words: str
    path: str | None = None


def subject_words(subject: str) -> SubjectWords:
    """Return what a record is called, and where its page is; what has no form of a record stands as it is.

    >>> subject_words("report:2025-03-01|win_by_table")
    SubjectWords(words='Report win by table, 03/01/2025', path='/reports/2025-03-01/win_by_table')
    >>> subject_words("round:2025-03-01|BAC/1|17")
    SubjectWords(words='Round 17 of BAC/1, 03/01/2025', path='/rounds/2025-03-01/BAC~11/17')
    >>> subject_words("round:2025-03-01|BAC-1|shoe|3")
    SubjectWords(words='Shoe 3 of BAC-1, 03/01/2025', path='/shoes/2025-03-01/BAC-1/3')
    >>> subject_words("log:7c"), subject_words("alert:7c5c").path
    (SubjectWords(words='Log entry 7c', path=None), '/alerts/7c5c')
    >>> subject_words("table-day:2025-03-01|BAC%7C1").words, subject_words("odd").words
    ('BAC|1 on 03/01/2025', 'odd')
    """
    kind, _, name = subject.partition(":")
    words, path = subject, None
    match kind, [unquote(part) for part in name.split("|")]:
        case "alert", [alert]:
            words, path = f"Alert {alert}", f"/alerts/{segment(alert)}"
        case "case", [alert]:
            words, path = f"Case of alert {alert}", f"/alerts/{segment(alert)}"
        case "dispute", [dispute]:
            words, path = f"Dispute {dispute}", f"/disputes/{segment(dispute)}"
        case "report", [day, report]:
            words, path = f"Report {in_words(report)}, {date_text(day)}", f"/reports/{day}/{segment(report)}"
        case "table-day", [day, table]:
            words, path = f"{table} on {date_text(day)}", f"/tables/{segment(table)}/{day}"
        case "round", [day, table, number]:
            words = f"Round {number} of {table}, {date_text(day)}"
            path = f"/rounds/{day}/{segment(table)}/{segment(number)}"
        case "round", [day, table, part, number] if part in _KINDS:
            words = f"{capital(part)} {in_words(number)} of {table}, {date_text(day)}"
            path = f"/{part}s/{day}/{segment(table)}/{segment(number)}"
        case "log", [entry]:
            words = f"Log entry {entry}"
    return SubjectWords(words, path)
