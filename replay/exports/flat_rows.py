"""Judged rounds as flat rows for a spreadsheet or a data frame: one a wager, or one a finding."""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import UNSET

from projections.engine.check_context import NOTHING_PAID
from projections.engine.conclusion import Expected
from projections.engine.observation import Key, Round, key_of, named
from projections.views.conclusion_view import finding_view
from replay.recording.judged_rounds import Judged
from schemas import values

Cell: TypeAlias = str | int | list[str] | None
Flat: TypeAlias = dict[str, Cell]
Kind: TypeAlias = Literal["text", "whole", "words"]

# column -> what its cells hold; money is in cents of the player's gain, vigorish apart.
WAGER_COLUMNS: Final[dict[str, Kind]] = {
    "gaming_date": "text",
    "table": "text",
    "pit": "text",
    "round": "text",
    "shoe": "text",
    "dealer": "text",
    "chapter": "text",
    "decks": "whole",
    "at": "text",
    "play": "text",
    "announced": "text",
    "outcome": "text",
    "verdict": "text",
    "rulebook": "text",
    "seat": "whole",
    "bettor": "text",
    "hand": "text",
    "wager": "text",
    "cents": "whole",
    "coupon_cents": "whole",
    "coupon": "text",
    "expected_cents": "whole",
    "expected_vigorish_cents": "whole",
    "paid_cents": "whole",
    "paid_vigorish_cents": "whole",
}
# `table` and `gaming_date` are those of the round, shoe or account; the table and day that a finding of a
# ledger's account itself names stand apart. `at` is when the round opened; of a shoe or an account, of which
# no one moment is known, when the gaming day ended.
FINDING_COLUMNS: Final[dict[str, Kind]] = {
    "gaming_date": "text",
    "table": "text",
    "pit": "text",
    "round": "text",
    "shoe": "text",
    "account": "text",
    "at": "text",
    "dealer": "text",
    "chapter": "text",
    "verdict": "text",
    "id": "text",
    "check": "text",
    "severity": "text",
    "message": "text",
    "citations": "words",
    "status": "text",
    "who": "text",
    "seat": "whole",
    "bettor": "text",
    "wager": "text",
    "hand": "text",
    "device": "text",
    "serial": "text",
    "patron": "text",
    "concerns_table": "text",
    "concerns_day": "text",
    "expected_cents": "whole",
    "observed_cents": "whole",
    "gross_cents": "whole",
    "vigorish_cents": "whole",
    "net_cents": "whole",
    "variance_cents": "whole",
    "favours": "text",
}


def wager_rows(judged: Judged) -> Iterator[Flat]:
    """Yield a row for each wager, and for each sum that was due or paid without one.

    A round in which nothing was wagered has one row, with nothing in the columns of the wager. A shoe or an
    account has none, and neither has a record that repeats another.
    """
    seen, concluded = judged.seen, judged.conclusion
    if seen is None or judged.is_repeat:
        return
    about: Flat = {
        "gaming_date": str(concluded.gaming_date),
        "table": concluded.table,
        "pit": _pit(judged),
        "round": concluded.round,
        "shoe": concluded.shoe,
        "dealer": seen.dealer,
        "chapter": concluded.chapter,
        "decks": judged.book.decks if judged.book is not None else None,
        "at": moment(seen.at),
        "play": ", ".join(f"{who} {what}" for who, what in seen.play),
        "announced": seen.announced,
        "outcome": concluded.outcome,
        "verdict": concluded.verdict,
        "rulebook": concluded.rulebook,
    }
    expected = {key_of(each): each for each in concluded.expected}
    keys = dict.fromkeys((*expected, *(seen.paid or ())))  # what was wagered is all among the expected
    if not keys:
        yield {column: about.get(column) for column in WAGER_COLUMNS}
    for key in keys:
        cells = about | named(key) | _money(key, seen, expected.get(key))
        yield {column: cells.get(column) for column in WAGER_COLUMNS}


def _pit(judged: Judged) -> str | None:
    setup = judged.house.tables.get(judged.conclusion.table)
    return setup.pit if setup is not None else None


def _money(key: Key, seen: Round, expected: Expected | None) -> Flat:
    cells: Flat = {}
    if (wager := seen.wagers.get(key)) is not None:
        cells |= {"cents": wager.cents, "coupon_cents": wager.coupon_cents, "coupon": wager.coupon}
    if expected is not None:
        cells |= {
            "expected_cents": expected.cents,
            "expected_vigorish_cents": expected.vigorish_cents,
        }
    if seen.paid is not None:
        # A wager that is missing where settlement was observed brought nothing.
        paid = seen.paid.get(key, NOTHING_PAID)
        cells |= {"paid_cents": paid.cents, "paid_vigorish_cents": paid.vigorish_cents}
    return cells


def finding_rows(judged: Judged) -> Iterator[Flat]:
    """Yield a row for each finding of a round, a shoe or an account; notes are none."""
    seen, concluded = judged.seen, judged.conclusion
    about: Flat = {
        "gaming_date": str(concluded.gaming_date),
        "table": concluded.table,
        "pit": _pit(judged),
        "round": concluded.round,
        "shoe": concluded.shoe,
        "account": concluded.account,
        "at": moment(seen.at if seen is not None else judged.house.bounds(concluded.gaming_date)[1] - 1),
        "dealer": seen.dealer if seen is not None else None,
        "chapter": concluded.chapter,
        "verdict": concluded.verdict,
    }
    for finding in map(finding_view, concluded.findings):
        names = about | {
            "concerns_table": None if finding.table is UNSET else finding.table,
            "concerns_day": None if finding.day is UNSET else str(finding.day),
        }
        row: Flat = {}
        for column in FINDING_COLUMNS:
            cell = names[column] if column in names else getattr(finding, column)
            row[column] = None if cell is UNSET else list(cell) if isinstance(cell, tuple) else cell
        yield row


def moment(at: int) -> str:
    """Write a moment (microseconds UTC) as a round record does.

    >>> moment(1_735_763_983_000_000)
    '2025-01-01T20:39:43Z'
    """
    return f"{values.moment(at).replace(tzinfo=None).isoformat()}Z"
