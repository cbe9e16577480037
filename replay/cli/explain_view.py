"""A finding laid out for a person: what it says and stands on, how its sum comes about, what else may be."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from msgspec import UnsetType

from projections.engine.conclusion import Line as AccountLine
from projections.engine.findings import FindingView
from projections.views.alternatives import ON_VIGORISH, Otherwise
from projections.views.finding_view import AccountShown, FindingShown
from replay.cli.text_report import (
    KNOWN_LATER,
    Block,
    hand_rows,
    heading_rows,
    line_rows,
    money,
    standing,
    word,
)
from schemas.ledgers import LEDGERS
from schemas.values import dollars, in_words

_WHOSE: Final = ("gain", "vigorish")  # figures of which more is to someone's advantage
_ACCOUNT: Final = ("Line", "Of", "Box", "Amount", "Number", "Chips or bills", "When")

Shown: TypeAlias = FindingShown | AccountShown


def page(shown: Shown) -> list[Block]:
    """Lay a finding out for a person."""
    return _page_of_account(shown) if isinstance(shown, AccountShown) else _page(shown)


def _page(shown: FindingShown) -> list[Block]:
    found, heading = shown.finding, shown.heading
    later = [(KNOWN_LATER, shown.renamed)] if shown.renamed is not None else []
    blocks = _head(shown, _about(shown), [*heading_rows(heading), *later])
    if shown.hands:
        blocks.append(Block("Hands", hand_rows(shown.hands)))
        blocks.append(Block("The play by the text", line_rows(shown.reasons, dated=True)))
    if shown.steps:
        blocks.append(Block("Sum", line_rows(shown.steps, dated=True)))
        rounding = shown.rounding or ("every figure is whole cents: nothing to round",)
        blocks.append(Block("Rounding", [(each,) for each in rounding]))
    if shown.lines:
        rows = [_account_row(line, heading.zone) for line in shown.lines]
        blocks.append(Block("The account of the shoe", rows, _ACCOUNT))
    if isinstance(found.expected_cents, int):
        figure = "vigorish" if found.check in ON_VIGORISH else "gain"
        blocks.append(Block("Difference", _difference(found, figure)))
    if heading.round is not None:
        blocks.append(_otherwise(shown.otherwise))
        taken = [(", ".join(each.clauses), f"{each.question}: {each.taken}") for each in shown.readings]
        blocks.append(Block("Readings that no option changes", taken))
    return [*blocks, Block("What would make it wrong", [(shown.false_positives,)])]


def _page_of_account(shown: AccountShown) -> list[Block]:
    found = shown.finding
    heading = [
        ("Gaming date", str(shown.gaming_date)),
        ("Chapter", f"{shown.chapter} {shown.title}"),
    ]
    blocks = _head(shown, _about_account(shown), heading)
    if shown.steps:
        blocks.append(Block("Sum", line_rows(shown.steps, dated=True)))
    if isinstance(found.expected_cents, int):
        blocks.append(Block("Difference", _difference(found, "sum")))
    blocks.append(Block("Lines", [_account_row(line, shown.zone) for line in shown.lines], _ACCOUNT))
    return [*blocks, Block("What would make it wrong", [(shown.false_positives,)])]


def _head(shown: Shown, about: str, heading: Sequence[tuple[str, str]]) -> list[Block]:
    """Return the two blocks with which the page of every finding begins."""
    found = shown.finding
    says = [("It says", found.message), ("It asks", shown.asks), ("About", about), *heading]
    stands = [(each.provision, standing(each.status, each.since)) for each in shown.citations]
    return [
        Block(f"Finding {found.id}: {found.check}, {found.weight}", says),
        Block("Stands on", stands),
    ]


def _about_account(shown: AccountShown) -> str:
    found = shown.finding
    parts = [
        f"{'ledger' if shown.table in LEDGERS else 'table'} {shown.table}",
        f"account {shown.account}",
        f"table {found.table}" if found.table and found.table != shown.table else "",
        f"serial {found.serial}" if found.serial else "",
        found.who or "",
        f"patron {found.patron}" if found.patron else "",
        f"device {found.device}" if found.device else "",
        f"gaming day {found.day}" if found.day and found.day != shown.gaming_date else "",
    ]
    return ", ".join(part for part in parts if part)


def _account_row(line: AccountLine, zone: str) -> tuple[str, ...]:
    at = datetime.fromtimestamp(line.at // 1_000_000, ZoneInfo(zone)) if line.at is not None else None
    chips = sorted((line.denominations or {}).items(), reverse=True)
    return (
        line.name,
        line.of or "",
        line.box or "",
        money(line.cents),
        "" if line.count is None else str(line.count),
        ", ".join(f"{count} of {dollars(worth)}" for worth, count in chips),
        f"{at:%Y-%m-%d %H:%M:%S %Z}" if at else "",
    )


def _about(shown: FindingShown) -> str:
    found, heading = shown.finding, shown.heading
    patron = found.patron or shown.patron
    parts = [
        f"table {heading.table}",
        f"round {heading.round}" if heading.round is not None else f"shoe {heading.shoe}",
        f"seat {found.seat}" if found.seat else "",
        f"bettor {found.bettor}" if found.bettor else "",
        f"patron {patron}" if patron else "",
        f"wager {in_words(found.wager)}" if found.wager else "",
        f"hand {found.who or found.hand}" if found.who or found.hand else "",
        f"device {found.device}" if found.device else "",
    ]
    return ", ".join(part for part in parts if part)


def _difference(found: FindingView, figure: str) -> list[tuple[str, str]]:
    """Set what was owed, or had to be there, against what was observed."""
    sums = (
        ("Gross", found.gross_cents),
        ("Vigorish", found.vigorish_cents),
        ("Net", found.net_cents),
        ("Variance", found.variance_cents),
    )
    rows = [
        (f"Expected {figure}", _cents(found.expected_cents)),
        (f"Observed {figure}", _cents(found.observed_cents)),
        *((name, money(cents)) for name, cents in sums if isinstance(cents, int)),
    ]
    if found.favours or figure in _WHOSE:
        rows.append(("Favours", found.favours or "no one"))
    return [*rows, ("Put right", "after the round closed")] if found.put_right else rows


def _cents(cents: int | UnsetType) -> str:
    return money(None if isinstance(cents, UnsetType) else cents)


def _otherwise(others: Sequence[Otherwise]) -> Block:
    """Return each other value two rows: what it would make of wager and finding, and what it is."""
    rows: list[tuple[str, str]] = []
    for each in others:
        whose = "a reading" if each.reading else "the house's choice"
        rows.append((f"{each.option} {word(each.value)}", f"{_money(each)}{_then(each)}"))
        rows.append(("", f"{whose}, {each.cite}; in effect is {word(each.in_effect)}"))
    return Block("Under another choice of the house or reading", rows)


def _money(other: Otherwise) -> str:
    """Return what a wager would come to; nothing where the finding is of no wager."""
    if not other.of_wager:
        return ""
    return f"gain {money(other.gain_cents, 'open')}, vigorish {money(other.vigorish_cents, 'open')}; "


def _then(other: Otherwise) -> str:
    """Return what would become of the finding."""
    if other.stands:
        return "the finding stands"
    instead = f", but {', '.join(other.instead)}" if other.instead else ""
    return f"{'as observed: ' if other.as_observed else ''}the finding does not stand{instead}"
