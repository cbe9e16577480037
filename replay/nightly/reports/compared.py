"""What does not reconcile, in one list, and how the audit was held against the live store."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, get_args

from msgspec import Struct

from projections.engine.findings import Severity, Weight
from projections.views.finding_text import finding_text
from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book

NO_SNAPSHOT: Final = "No snapshot was given."


class Item(Struct, frozen=True):
    """One thing that does not reconcile: where, what it is called, what it says, cents, and the provision.

    `weight` and `severity` are a finding's own. What the store has otherwise is proven, what could not be
    read leaves its matter open, and both are of the data. `key` is that of the conclusion, if it is of one.
    """

    table: str
    about: str
    what: str
    says: str
    weight: Weight
    severity: Severity
    cents: int | None = None
    citations: str | None = None
    key: str | None = None


def open_of(book: Book) -> Iterator[Item]:
    """Yield all that does not reconcile: differences, what was altered or not read, then findings."""
    for each in book.compared or ():
        for names, what in ((each.differing, "differs"), (each.missing, "missing"), (each.extra, "extra")):
            for name in _in_order(names):
                says = _says(what, each.how.get(name))
                yield Item(each.table, named(name), what, says, "mismatch", "data", key=name)
    for where, what in book.altered:
        yield Item("archive", where, "altered", what, "mismatch", "data")
    for table in book.tables:
        yield from (_unread(table.table, "unreadable", each) for each in table.unread)
    yield from (_unread("ledgers", "unreadable", each) for each in book.unread)
    yield from (_unread(each, "absent", "the archive has nothing of the table") for each in book.absent)
    for said in book.findings:
        finding = said.finding
        yield Item(
            said.table,
            named(said.about),
            finding.check,
            finding_text(finding),
            finding.weight,
            finding.severity,
            finding.comes_to_cents,
            ", ".join(finding.citations),
            said.about,
        )


def _says(what: str, how: str | None) -> str:
    return _SAYS[what] if how is None else f"{_SAYS[what]}: {how}"


def _unread(table: str, what: str, says: str) -> Item:
    return Item(table, "archive", what, says, "undetermined", "data")


def _in_order(names: Iterable[str]) -> list[str]:
    """Put the names of conclusions in order by what they are about, the tenth after the second.

    >>> _in_order(["1|BAC-104|10", "1|BAC-104|shoe|1", "1|BAC-104|2"])
    ['1|BAC-104|2', '1|BAC-104|10', '1|BAC-104|shoe|1']
    """
    return sorted(names, key=lambda name: [_padded(part) for part in _DIGITS.split(named(name))])


def _padded(part: str) -> str:
    return part.zfill(_LONGEST) if _DIGITS.fullmatch(part) else part


_SAYS: Final = {
    "differs": "the live store has it otherwise than the audit",
    "missing": "the live store does not have it",
    "extra": "the live store alone has it",
}


_PARTS: Final = 2
_DIGITS: Final = re.compile("([0-9]+)")
_LONGEST: Final = 20  # digits of a number that is compared as one


def named(about: str) -> str:
    """Name for a person what a conclusion is about, within its day and table.

    >>> [named(f"2025-03-01|BAC-104|{about}") for about in ("17", "shoe|3", "account|inventory")]
    ['round 17', 'shoe 3', 'inventory']
    >>> named("abc")
    'abc'
    """
    if about.count("|") < _PARTS:
        return about  # no name that this software gave
    _, _, kind, *name = about.split("|")
    said = "|".join(name) if kind == "account" else f"{kind} {'|'.join(name)}" if name else f"round {kind}"
    return said.replace("%7C", "|").replace("%25", "%")


def open_items(book: Book) -> Report:
    """Return what does not reconcile."""
    items = list(open_of(book))
    rows: list[list[Cell]] = [
        [
            each.table,
            each.about,
            each.what,
            each.weight,
            each.severity,
            each.says,
            each.cents,
            each.citations,
        ]
        for each in items
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table or ledger", "text"),
        ("about", "About", "text"),
        ("what", "What", "text"),
        ("weight", "Weight", "text"),
        ("severity", "Severity", "text"),
        ("says", "Says", "text"),
        ("cents", "Difference", "cents"),
        ("citations", "Provision", "text"),
    ]
    note = " ".join(filter(None, (_summed(items), NO_SNAPSHOT if book.compared is None else None))) or None
    keys = [[each.key] if each.key is not None else [] for each in items]
    return book.report("open_items", "What does not reconcile", columns, rows, note=note, row_keys=keys)


def _summed(items: Sequence[Item]) -> str | None:
    """Count what is proven and what is open, by severity.

    >>> grave = Item("BAC-1", "round 1", "paid_too_much", "seat 1: ...", "mismatch", "grave")
    >>> _summed([grave, grave, Item("BAC-2", "archive", "absent", "...", "undetermined", "data")])
    'Proven: 2 grave. Left open: 1 data.'
    """
    said = []
    for weight, word in (("mismatch", "Proven"), ("undetermined", "Left open")):
        counted = Counter(each.severity for each in items if each.weight == weight)
        if counted:
            of = (f"{counted[severity]:,} {severity}" for severity in get_args(Severity) if counted[severity])
            said.append(f"{word}: {', '.join(of)}.")
    return " ".join(said) or None


def comparison(book: Book) -> Report:
    """Return table by table how many conclusions the live store has to the byte, and which it has not."""
    rows: list[list[Cell]] = [
        [
            each.table,
            each.same,
            len(each.differing),
            len(each.missing),
            len(each.extra),
            "; ".join(
                f"{what}: {', '.join(map(named, _in_order(names)))}"
                for what, names in (
                    ("differing", each.differing),
                    ("missing", each.missing),
                    ("extra", each.extra),
                )
                if names
            )
            or None,
        ]
        for each in book.compared or ()
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("same", "The same", "whole"),
        ("differing", "Differing", "whole"),
        ("missing", "Missing", "whole"),
        ("extra", "Extra", "whole"),
        ("names", "Which", "text"),
    ]
    note = (
        NO_SNAPSHOT
        if book.compared is None
        else f"Held against {', '.join(book.against) or 'a store without the day'}."
    )
    keys = [
        [name for names in (each.differing, each.missing, each.extra) for name in _in_order(names)]
        for each in book.compared or ()
    ]
    return book.report(
        "comparison", "The live store beside the audit", columns, rows, note=note, row_keys=keys
    )
