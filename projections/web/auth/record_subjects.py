"""Names of records that are withheld, unmasked or looked at: `alert:`, `round:`, and so on.

A round, a shoe or an account of a day is a `round:` with its key in the store, which begins with its gaming
date and table; `table-day:` with these two is all that happened at a table on a day.
"""

import re
from collections.abc import Iterable
from typing import Final

from schemas.errors import BadInput

_LED: Final = "its page leads to this form with the name filled in"
# What a record of each kind is called to people, and where they find its name.
_KIND_WORDS: Final = {
    "alert": ("alert", _LED),
    "round": ("round, shoe or account", _LED),
    "case": ("case", "it is called after its first alert, by what the address of that one's page ends in"),
    "dispute": ("dispute", _LED),
    "table-day": ("table's day", _LED),
    "report": ("report", "it is called by its gaming date, | and its name, as the address of its page ends"),
    "log": ("entry of the log", "it is called by its id, which /api/log gives"),
}
KINDS: Final = tuple(_KIND_WORDS)
_SUBJECT: Final = re.compile(rf"(?:{'|'.join(KINDS)}):\S.{{0,199}}")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d\|[^|]+(?=\||\Z)")


def subject_of(text: str) -> str:
    """Read a subject that a person typed.

    Raises:
        BadInput: it is none.
    """
    text = text.strip()
    if _SUBJECT.fullmatch(text) is None or not text.isprintable():
        kinds = ", ".join(f"{kind}:…" for kind in KINDS)
        raise BadInput(f"{text!r} names no record; records are called {kinds}")
    return text


def missing(subject: str) -> str:
    """Return the message that there is no such record, and where its name is found.

    >>> missing("log:17")
    "there is no entry of the log '17'; it is called by its id, which /api/log gives"
    """
    kind, _, name = subject.partition(":")
    called, where = _KIND_WORDS[kind]
    return f"there is no {called} {name!r}; {where}"


def rounds_of_days(subjects: Iterable[str]) -> set[str]:
    """Return how all that happened on days at tables is called as far as it is one of a day.

    What is called so, or so and on after a `|`, has that day in what it is `within`.

    >>> rounds_of_days(["table-day:2025-03-01|BAC-101", "alert:1f"])
    {'round:2025-03-01|BAC-101'}
    """
    days = (each.partition(":") for each in subjects)
    return {f"round:{name}" for kind, _, name in days if kind == "table-day"}


def within(about: str, alert: str | None = None) -> frozenset[str]:
    """Return what belongs together with a key of the store: its round, its day at the table, an alert of it.

    >>> sorted(within("2025-03-01|BAC-101|17"))
    ['round:2025-03-01|BAC-101|17', 'table-day:2025-03-01|BAC-101']
    >>> sorted(within("2025-03-01|BAC-101|17", "0a1b") - within("2025-03-01|BAC-101|17"))
    ['alert:0a1b']
    """
    day = _DAY.match(about)
    subjects = (f"alert:{alert}" if alert is not None else None, f"table-day:{day[0]}" if day else None)
    return frozenset([f"round:{about}", *filter(None, subjects)])
