"""Judged rounds as flat rows for a spreadsheet or a data frame: one a wager, or one a finding."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import UNSET

from projections.engine.check_context import NOTHING_PAID
from projections.engine.conclusion import Expected
from projections.engine.observation import Key, Round, key_of
from projections.views.conclusion_view import finding_view
from replay.lists.columns import Column, moment
from replay.recording.judged_rounds import JudgedRound

FlatCell: TypeAlias = str | int | list[str] | None
Flat: TypeAlias = dict[str, FlatCell]

# Money is in cents of the player's gain, vigorish apart.
WAGER_COLUMNS: Final = (
    Column("gaming_date", "Gaming date", "date"),
    Column("table", "Table", "text"),
    Column("pit", "Pit", "text"),
    Column("round", "Round", "text"),
    Column("shoe", "Shoe", "text"),
    Column("dealer", "Dealer", "text"),
    Column("chapter", "Chapter", "text"),
    Column("decks", "Decks", "number"),
    Column("at", "Time (UTC)", "time"),
    Column("play", "Seen, in order", "text"),
    Column("announced", "Announced", "text"),
    Column("announced_points", "Point Counts announced", "text"),
    Column("outcome", "Outcome", "text"),
    Column("verdict", "Verdict", "text"),
    Column("rulebook", "Rulebook", "text"),
    Column("options", "Options", "text"),
    Column("offered", "Wagers of other texts", "text"),
    Column("beyond_record", "Not in a record", "text"),
    Column("seat", "Seat", "number"),
    Column("bettor", "Bettor", "text"),
    Column("hand", "Hand", "text"),
    Column("wager", "Wager", "text"),
    Column("cents", "Wagered", "cents"),
    Column("coupon_cents", "Coupon's value", "cents"),
    Column("coupon", "Coupon", "text"),
    Column("expected_cents", "Expected", "cents"),
    Column("expected_vigorish_cents", "Vigorish expected", "cents"),
    Column("paid_cents", "Paid", "cents"),
    Column("paid_vigorish_cents", "Vigorish taken", "cents"),
)
# What a finding comes to, and whom it favours.
DIFFERENCE_COLUMNS: Final = (
    Column("expected_cents", "Expected", "cents"),
    Column("observed_cents", "Observed", "cents"),
    Column("gross_cents", "Gross", "cents"),
    Column("vigorish_cents", "Vigorish", "cents"),
    Column("net_cents", "Net", "cents"),
    Column("variance_cents", "Variance", "cents"),
    Column("favours", "Favours", "text"),
)
FOR_PROGRAMS: Final = frozenset({"announced_points", "options", "offered", "beyond_record"})
# `table` and `gaming_date` are those of the round, shoe or account; the table and day that a finding of a
# ledger's account itself names are separate. `at` is when the round opened; for a shoe or an account, which
# have no single moment, when the gaming day ended.
FINDING_COLUMNS: Final = (
    Column("gaming_date", "Gaming date", "date"),
    Column("table", "Table", "text"),
    Column("pit", "Pit", "text"),
    Column("round", "Round", "text"),
    Column("shoe", "Shoe", "text"),
    Column("account", "Account", "text"),
    Column("at", "Time (UTC)", "time"),
    Column("dealer", "Dealer", "text"),
    Column("chapter", "Chapter", "text"),
    Column("verdict", "Verdict", "text"),
    Column("id", "Finding", "text"),
    Column("check", "Found", "text"),
    Column("severity", "Severity", "text"),
    Column("message", "Says", "text"),
    Column("citations", "Citations", "words"),
    Column("status", "Status", "text"),
    Column("who", "Whose hand", "text"),
    Column("seat", "Seat", "number"),
    Column("bettor", "Bettor", "text"),
    Column("wager", "Wager", "text"),
    Column("hand", "Hand", "text"),
    Column("device", "Device", "text"),
    Column("serial", "Serial", "text"),
    Column("patron", "Patron", "text"),
    Column("concerns_table", "Of table", "text"),
    Column("concerns_day", "Of gaming day", "date"),
    *DIFFERENCE_COLUMNS,
)


_NAMES_OF_FINDINGS: Final = tuple(column.name for column in FINDING_COLUMNS)


def wager_rows(judged: JudgedRound) -> Iterator[Flat]:
    """Yield a row for each wager, and for each sum that was due or paid without one.

    A round without wagers has one row, with empty columns of the wager. A shoe or an account has none, and
    neither has a record that repeats another.
    """
    observed, concluded = judged.seen, judged.conclusion
    if observed is None or judged.is_repeat:
        return
    about: Flat = {
        "gaming_date": str(concluded.gaming_date),
        "table": concluded.table,
        "pit": _pit(judged),
        "round": concluded.round,
        "shoe": concluded.shoe,
        "dealer": observed.dealer,
        "chapter": concluded.chapter,
        "decks": (judged.book.decks or None) if judged.book is not None else None,
        "at": moment(observed.at),
        "play": ", ".join([*(f"burn {card}" for card in observed.burned), *map(" ".join, observed.play)]),
        "announced": observed.announced,
        "announced_points": _json(observed.announced_points),
        "outcome": concluded.outcome,
        "verdict": concluded.verdict,
        "rulebook": concluded.rulebook,
        "options": _json(judged.book.options) if judged.book is not None else None,
        "offered": _json(judged.book.offered) if judged.book is not None else None,
    }
    about["beyond_record"] = beyond_record(judged)
    expected = {key_of(each): each for each in concluded.expected}
    keys = dict.fromkeys((*expected, *(observed.paid or ())))  # what was wagered is all among the expected
    if not keys:
        yield {column.name: about.get(column.name) for column in WAGER_COLUMNS}
    for key in keys:
        cells = about | key._asdict() | _money(key, observed, expected.get(key))
        yield {column.name: cells.get(column.name) for column in WAGER_COLUMNS}


def beyond_record(each: JudgedRound) -> str | None:
    """Return why a round cannot stand on its own as a record; None if it can."""
    if each.seen is None or each.book is None:
        return "no text was in force, so no record can stand on its own"
    if any(doubt.scope != "second" for doubt in each.seen.doubts):
        return "what was seen of it is incomplete or contradicted, which a record cannot say"
    if each.seen.exhausted:
        return "the shoe ran out, which a record cannot say"
    return None


def _json(value: Mapping[str, Any]) -> str | None:
    """Return an object as text; None if it is empty, as most are."""
    return msgspec.json.encode(value, order="sorted").decode() if value else None


def _pit(judged: JudgedRound) -> str | None:
    setup = judged.house.tables.get(judged.conclusion.table)
    return setup.pit if setup is not None else None


def _money(key: Key, observed: Round, expected: Expected | None) -> Flat:
    cells: Flat = {}
    if (wager := observed.wagers.get(key)) is not None:
        cells |= {"cents": wager.cents, "coupon_cents": wager.coupon_cents, "coupon": wager.coupon}
    if expected is not None:
        cells |= {
            "expected_cents": expected.cents,
            "expected_vigorish_cents": expected.vigorish_cents,
        }
    if observed.paid is not None:
        # A wager without a settlement, in a round with observed settlement, brought nothing.
        paid = observed.paid.get(key, NOTHING_PAID)
        cells |= {"paid_cents": paid.cents, "paid_vigorish_cents": paid.vigorish_cents}
    return cells


def finding_rows(judged: JudgedRound) -> Iterator[Flat]:
    """Yield a row for each finding of a round, a shoe or an account; notes are none."""
    observed, concluded = judged.seen, judged.conclusion
    about: Flat = {
        "gaming_date": str(concluded.gaming_date),
        "table": concluded.table,
        "pit": _pit(judged),
        "round": concluded.round,
        "shoe": concluded.shoe,
        "account": concluded.account,
        "at": moment(
            observed.at if observed is not None else judged.house.bounds(concluded.gaming_date)[1] - 1
        ),
        "dealer": observed.dealer if observed is not None else None,
        "chapter": concluded.chapter,
        "verdict": concluded.verdict,
    }
    for finding in map(finding_view, concluded.findings):
        names = about | {
            "concerns_table": None if finding.table is UNSET else finding.table,
            "concerns_day": None if finding.day is UNSET else str(finding.day),
        }
        row: Flat = {}
        for column in _NAMES_OF_FINDINGS:
            cell = names[column] if column in names else getattr(finding, column)
            row[column] = None if cell is UNSET else list(cell) if isinstance(cell, tuple) else cell
        yield row


# What is exported: how its rows are made of a round, and its columns.
FLAT: Final[Mapping[str, tuple[Callable[[JudgedRound], Iterator[Flat]], tuple[Column, ...]]]] = {
    "rounds": (wager_rows, WAGER_COLUMNS),
    "findings": (finding_rows, FINDING_COLUMNS),
}
