"""`discardrack explain`: one finding derived to the last cent, and what would make it wrong."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

import click
from msgspec import UnsetType
from msgspec.structs import replace
from rich.console import Console

from projections.engine.conclusion import Conclusion
from projections.engine.conclusion import Line as AccountLine
from projections.engine.findings import Finding, FindingView
from projections.views.alternatives import ON_VIGORISH, Alternative
from projections.views.finding_view import (
    DerivedAccountFinding,
    DerivedFinding,
    derive_account_finding,
    derive_finding,
)
from projections.views.time_text import date_text, moment_text
from replay.cli import custody
from replay.cli.hand import unread_text
from replay.cli.text_report import (
    KNOWN_LATER,
    Block,
    Form,
    form_option,
    hand_rows,
    heading_rows,
    line_rows,
    money,
    status_since,
    word,
    write_page,
)
from replay.lists.writers import json_line, printable
from replay.recording.judged_rounds import JudgedRound, judge_rounds
from replay.recording.recording import Recording
from replay.recording.seated_rounds import seat_round
from replay.recording.source import source_argument
from schemas.errors import BadInput
from schemas.ledgers import LEDGERS
from schemas.values import dollars, in_words
from streams.log import Unread

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A finding explained for a person: its content and basis, how its sum is computed, what else may be.

_WHOSE: Final = ("gain", "vigorish")  # figures that are to someone's advantage when larger
_ACCOUNT: Final = ("Line", "Of", "Box", "Amount", "Number", "Chips or bills", "When")

Derivation: TypeAlias = DerivedFinding | DerivedAccountFinding


def page(item: Derivation) -> list[Block]:
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
        figure = "vigorish" if found.check in ON_VIGORISH else "gain"
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


# ── `discardrack explain`: one finding derived to the last cent, and what would make it wrong ─────────

_SHORTEST: Final = 6  # as much of an id as names a finding among the thousands of a day


@click.command()
@source_argument
@click.argument("finding")
@form_option
def explain(recording: Recording, finding: str, form: Form) -> None:
    """Derive a finding: the question, each step with its section, and what would make it wrong.

    PATH is a file of round records, a file of frames, an archive folder, or what Kafka has now; FINDING the
    id that `audit` printed, or the first six or more of its characters. Notes have ids too. For an account
    the lines that affect the finding are shown.

    \b
    Example:
      discardrack explain rounds.jsonl 3f9a1c
    """  # noqa: D301  click takes the backspace itself for its mark
    with Console(stderr=True).status(f"Reading {printable(recording.path.name)} …"):
        found = find_derivations(recording, finding)
    custody.found(_about_json(found[0]))
    if form == "json":
        for view in found:
            click.echo(json_line(view))
    else:
        write_page([block for view in found for block in page(view)])


def find_derivations(recording: Recording, begins: str) -> list[Derivation]:
    """Find a finding by the beginning of its id; as often as its round stands in the file.

    Raises:
        BadInput: no finding's id begins so, several do, or too little of it was given.
    """
    if len(begins) < _SHORTEST:
        raise BadInput(
            f"{begins!r} is too short for a finding; say at least {_SHORTEST} characters of its id"
        )
    path = recording.path
    views: list[Derivation] = []
    unread: list[Unread] = []
    for each in judge_rounds(recording):
        if isinstance(each, Unread):
            unread.append(each)
            continue
        views.extend(
            _finding_view(recording, found, each) for found in _matching_findings(each.conclusion, begins)
        )
    ids = sorted({each.finding.id for each in views})
    if not ids:
        raise BadInput(f"{path}: no finding's id begins with {begins!r}{unread_text(unread)}")
    if len(ids) > 1:
        raise BadInput(f"{path}: {begins!r} begins the ids of {len(ids)} findings: {', '.join(ids)}")
    return views


def _about_json(item: Derivation) -> dict[str, str]:
    """Return the subject of a finding for the log of what was viewed."""
    if isinstance(item, DerivedAccountFinding):
        return {"table": item.table, "gaming-day": str(item.gaming_date), "account": item.account}
    of = item.heading
    which = {"round": of.round} if of.round is not None else {"shoe": of.shoe or ""}
    return {"table": of.table, "gaming-day": str(of.gaming_date), **which}


def _matching_findings(concluded: Conclusion, begins: str) -> list[Finding]:
    return [each for each in (*concluded.findings, *concluded.notes) if each.id.startswith(begins)]


def _finding_view(recording: Recording, finding: Finding, judged_round: JudgedRound) -> Derivation:
    conclusion = judged_round.conclusion
    if conclusion.account is not None:
        return derive_account_finding(finding, conclusion, conclusion.account, judged_round.house)
    finding_view = derive_finding(
        finding, conclusion, judged_round.seen, judged_round.book, judged_round.house
    )
    if judged_round.seen is None or not isinstance(finding.seat, int) or finding.bettor:
        return finding_view
    each = seat_round(recording, judged_round, judged_round.seen)
    sits = ((key, patron) for key, patron in each.patrons().items() if key[0] == finding.seat)
    key, patron = next(sits, (None, None))
    return replace(finding_view, patron=patron, renamed=each.correction_of(key) if key is not None else None)
