"""Page of one finding: its content and basis, how its sum comes about, and what would make it wrong."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from msgspec import UnsetType

from projections.catalogue import is_of_vigorish
from projections.engine.conclusion import Line as AccountLine
from projections.engine.findings import FindingView
from projections.views.alternatives import Alternative
from projections.views.finding_view import DerivedAccountFinding, DerivedFinding
from projections.views.time_text import date_text, moment_text
from replay.exports.case_file.blocks import (
    KNOWN_LATER,
    Block,
    hand_rows,
    heading_rows,
    line_rows,
    money,
    status_since,
    word,
)
from schemas.ledgers import LEDGERS
from schemas.values import dollars, in_words

_WHOSE: Final = ("gain", "vigorish")  # figures that are to someone's advantage when larger
_ACCOUNT: Final = ("Line", "Of", "Box", "Amount", "Number", "Chips or bills", "When")

Derivation: TypeAlias = DerivedFinding | DerivedAccountFinding


def finding_page(item: Derivation) -> list[Block]:
    """Return the blocks of a finding's page."""
    return _page_of_account(item) if isinstance(item, DerivedAccountFinding) else _page(item)


def _page(finding: DerivedFinding) -> list[Block]:
    found, heading = finding.finding, finding.heading
    later = [(KNOWN_LATER, finding.renamed)] if finding.renamed is not None else []
    blocks = _head(finding, _about(finding), [*heading_rows(heading), *later])
    if finding.hands:
        blocks.append(Block("Hands", hand_rows(finding.hands)))
        blocks.append(Block("The play by the text", line_rows(finding.reasons, dated=True)))
    if finding.steps:
        blocks.append(Block("Sum", line_rows(finding.steps, dated=True)))
        rounding = finding.rounding or ("every figure is whole cents: nothing to round",)
        blocks.append(Block("Rounding", [(each,) for each in rounding]))
    if finding.lines:
        rows = [_account_row(line, heading.zone) for line in finding.lines]
        blocks.append(Block("The account of the shoe", rows, _ACCOUNT))
    if isinstance(found.expected_cents, int):
        figure = "vigorish" if is_of_vigorish(found.check) else "gain"
        blocks.append(Block("Difference", _difference(found, figure)))
    if heading.round is not None:
        blocks.append(_otherwise(finding.otherwise))
        taken = [(", ".join(each.clauses), f"{each.question}: {each.taken}") for each in finding.readings]
        blocks.append(Block("Readings that no option changes", taken))
    return [*blocks, Block("What would make it wrong", [(finding.false_positives,)])]


def _page_of_account(account: DerivedAccountFinding) -> list[Block]:
    found = account.finding
    heading = [
        ("Gaming date", date_text(account.gaming_date)),
        ("Chapter", f"{account.chapter} {account.title}"),
    ]
    blocks = _head(account, _about_account(account), heading)
    if account.steps:
        blocks.append(Block("Sum", line_rows(account.steps, dated=True)))
    if isinstance(found.expected_cents, int):
        blocks.append(Block("Difference", _difference(found, "sum")))
    blocks.append(Block("Lines", [_account_row(line, account.zone) for line in account.lines], _ACCOUNT))
    return [*blocks, Block("What would make it wrong", [(account.false_positives,)])]


def _head(item: Derivation, about: str, heading: Sequence[tuple[str, str]]) -> list[Block]:
    """Return the two blocks with which the page of every finding begins."""
    found = item.finding
    message = [("It says", found.message), ("It asks", item.asks), ("About", about), *heading]
    stands = [(each.provision, status_since(each.status, each.since)) for each in item.citations]
    return [
        Block(f"Finding {found.id}: {found.check}, {found.weight}", message),
        Block("Stands on", stands),
    ]


def _about_account(account: DerivedAccountFinding) -> str:
    found = account.finding
    parts = [
        f"{'ledger' if account.table in LEDGERS else 'table'} {account.table}",
        f"account {account.account}",
        f"table {found.table}" if found.table and found.table != account.table else "",
        f"serial {found.serial}" if found.serial else "",
        found.who or "",
        f"patron {found.patron}" if found.patron else "",
        f"device {found.device}" if found.device else "",
        f"gaming day {date_text(found.day)}" if found.day and found.day != account.gaming_date else "",
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
        moment_text(at, zone) if at else "",
    )


def _about(finding: DerivedFinding) -> str:
    found, heading = finding.finding, finding.heading
    patron = found.patron or finding.patron
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


def _difference(finding: FindingView, figure: str) -> list[tuple[str, str]]:
    """Return the rows that compare what was owed, or had to be there, with what was observed."""
    sums = (
        ("Gross", finding.gross_cents),
        ("Vigorish", finding.vigorish_cents),
        ("Net", finding.net_cents),
        ("Variance", finding.variance_cents),
    )
    rows = [
        (f"Expected {figure}", _cents(finding.expected_cents)),
        (f"Observed {figure}", _cents(finding.observed_cents)),
        *((name, money(cents)) for name, cents in sums if isinstance(cents, int)),
    ]
    if finding.favours or figure in _WHOSE:
        rows.append(("Favours", finding.favours or "no one"))
    return [*rows, ("Put right", "after the round closed")] if finding.put_right else rows


def _cents(cents: int | UnsetType) -> str:
    return money(None if isinstance(cents, UnsetType) else cents)


def _otherwise(others: Sequence[Alternative]) -> Block:
    """Return each other value two rows: what it would make of wager and finding, and what it is."""
    rows: list[tuple[str, str]] = []
    for each in others:
        whose = "a reading" if each.reading else "the house's choice"
        rows.append((f"{each.option} {word(each.value)}", f"{_money(each)}{_then(each)}"))
        rows.append(("", f"{whose}, {each.cite}; in effect is {word(each.in_effect)}"))
    return Block("Under another choice of the house or reading", rows)


def _money(other: Alternative) -> str:
    """Return what a wager would come to; empty if the finding is of no wager."""
    if not other.of_wager:
        return ""
    return f"gain {money(other.gain_cents, 'open')}, vigorish {money(other.vigorish_cents, 'open')}; "


def _then(other: Alternative) -> str:
    """Return what would become of the finding."""
    if other.stands:
        return "the finding stands"
    instead = f", but {', '.join(other.instead)}" if other.instead else ""
    return f"{'as observed: ' if other.as_observed else ''}the finding does not stand{instead}"
