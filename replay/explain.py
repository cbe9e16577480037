"""`discardrack explain`: one finding derived to the last cent, and what would make it wrong."""

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

import click
import msgspec
from msgspec import Struct, UnsetType
from rich.console import Console

from projections.accounting import INVENTORY
from projections.checks import KINDS
from projections.cited import Cited, Line, cited
from projections.derive import FindingShown, show_finding
from projections.describe import Heading
from projections.findings import Finding
from projections.judge import Conclusion
from projections.lines import Line as AccountLine
from projections.otherwise import ON_VIGORISH, Otherwise
from replay.hand import unread_of
from replay.judged import Judged, judged
from replay.page import (
    Block,
    Form,
    form_option,
    hand_rows,
    heading_rows,
    line_rows,
    money,
    standing,
    word,
    write_page,
)
from replay.recorded import Unread
from replay.rows import printable
from schemas.errors import BadInput
from schemas.house import House
from schemas.law_text import chapter
from schemas.ledgers import LEDGERS
from schemas.values import dollars

_SHORTEST: Final = 6  # as much of an id as names a finding among the thousands of a day
_WHOSE: Final = ("gain", "vigorish")  # figures of which more is to someone's advantage
_encode: Final = msgspec.json.Encoder()


class AccountShown(Struct, frozen=True, kw_only=True):
    """A finding of an account with all that it stands on: the steps of its sum, and the account's lines.

    Of an inventory they are all; of a ledger the sums, and the lines of what the finding names.
    """

    finding: Finding
    account: str
    table: str
    gaming_date: date
    chapter: str
    title: str
    zone: str
    asks: str
    citations: tuple[Cited, ...]
    steps: tuple[Line, ...]
    lines: tuple[AccountLine, ...]
    false_positives: str


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.argument("finding")
@click.option("--house", "house_file", help="House file: a name in schemas/houses or a path.")
@form_option
def explain(path: Path, finding: str, house_file: str | None, form: Form) -> None:
    """Derive a finding: the question, each step with its section, and what would make it wrong.

    PATH is a file of round records, a file of frames, or an archive folder; FINDING the id that `audit`
    printed, or the first six or more of its characters. Notes have ids too. Of an account the lines are told
    that bear on the finding.

    \b
    Example:
      discardrack explain rounds.jsonl 3f9a1c
    """  # noqa: D301  click takes the backspace itself for its mark
    with Console(stderr=True).status(f"Reading {printable(path.name)} …"):
        found = explained(path, finding, house_file)
    if form == "json":
        for shown in found:
            click.echo(_encode.encode(shown))
    else:
        write_page([block for shown in found for block in page(shown)])


Shown: TypeAlias = FindingShown | AccountShown


def explained(path: Path, begins: str, house_file: str | None) -> list[Shown]:
    """Find a finding by the beginning of its id; as often as its round stands in the file.

    Raises:
        BadInput: no finding's id begins so, several do, or too little of it was given.
    """
    if len(begins) < _SHORTEST:
        raise BadInput(
            f"{begins!r} is too short for a finding; say at least {_SHORTEST} characters of its id"
        )
    shown: list[Shown] = []
    unread: list[Unread] = []
    for each in judged(path, house_file):
        if isinstance(each, Unread):
            unread.append(each)
            continue
        shown.extend(_shown(found, each) for found in _named(each.conclusion, begins))
    ids = sorted({each.finding.id for each in shown})
    if not ids:
        raise BadInput(f"{path}: no finding's id begins with {begins!r}{unread_of(unread)}")
    if len(ids) > 1:
        raise BadInput(f"{path}: {begins!r} begins the ids of {len(ids)} findings: {', '.join(ids)}")
    return shown


def _named(concluded: Conclusion, begins: str) -> list[Finding]:
    return [each for each in (*concluded.findings, *concluded.notes) if each.id.startswith(begins)]


def _shown(found: Finding, told: Judged) -> Shown:
    said = told.conclusion
    if said.account is not None:
        return show_in_account(found, said, said.account, told.house)
    return show_finding(found, said, told.seen, told.book, told.house)


def show_in_account(found: Finding, said: Conclusion, account: str, house: House) -> AccountShown:
    """Derive a finding of an account."""
    day, kind = said.gaming_date, KINDS[found.check]
    named = {found.who, found.serial, found.patron, found.table}
    return AccountShown(
        finding=found,
        account=account,
        table=said.table,
        gaming_date=day,
        chapter=said.chapter,
        title=chapter(said.chapter).title,
        zone=house.zone,
        asks=kind.asks,
        citations=tuple(cited(provision, day) for provision in found.citations),
        steps=tuple(Line(step.says, step.cents, cited(step.cite, day)) for step in found.steps or ()),
        lines=tuple(
            line
            for line in said.lines
            if account == INVENTORY or line.of is None or named & {line.of, line.box}
        ),
        false_positives=kind.false_positives,
    )


def page(shown: Shown) -> list[Block]:
    """Lay a finding out for a person."""
    return _page_of_account(shown) if isinstance(shown, AccountShown) else _page(shown)


def _page(shown: FindingShown) -> list[Block]:
    found, heading = shown.finding, shown.heading
    blocks = _head(shown, _about(found, heading), heading_rows(heading))
    if shown.hands:
        blocks.append(Block("Hands", hand_rows(shown.hands)))
        blocks.append(Block("The play by the text", line_rows(shown.reasons, dated=True)))
    if shown.steps:
        blocks.append(Block("Sum", line_rows(shown.steps, dated=True)))
        blocks.append(Block("Rounding", [(each,) for each in shown.rounding]))
    if isinstance(found.expected_cents, int):
        figure = "vigorish" if found.check in ON_VIGORISH else "gain"
        blocks.append(Block("Difference", _difference(found, figure)))
        blocks.append(Block("Under another choice of the house or reading", _otherwise(shown.otherwise)))
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
    head = ("Line", "Of", "Box", "Amount", "Number", "Chips or bills", "When")
    blocks.append(Block("Lines", [_account_row(line, shown.zone) for line in shown.lines], head))
    return [*blocks, Block("What would make it wrong", [(shown.false_positives,)])]


def _head(shown: Shown, about: str, heading: Sequence[tuple[str, str]]) -> list[Block]:
    """Give the two blocks with which the page of every finding begins."""
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


def _about(found: Finding, heading: Heading) -> str:
    parts = [
        f"table {heading.table}",
        f"round {heading.round}" if heading.round is not None else f"shoe {heading.shoe}",
        f"seat {found.seat}" if found.seat else "",
        f"bettor {found.bettor}" if found.bettor else "",
        f"wager {found.wager}" if found.wager else "",
        f"hand {found.who or found.hand}" if found.who or found.hand else "",
        f"device {found.device}" if found.device else "",
    ]
    return ", ".join(part for part in parts if part)


def _difference(found: Finding, figure: str) -> list[tuple[str, str]]:
    """Set what was owed, or had to be there, against what was observed."""
    rows = [
        (f"Expected {figure}", _cents(found.expected_cents)),
        (f"Observed {figure}", _cents(found.observed_cents)),
        ("Difference", _cents(found.delta_cents)),
    ]
    if found.favours or figure in _WHOSE:
        rows.append(("Favours", found.favours or "no one"))
    return [*rows, ("Put right", "after the round closed")] if found.put_right else rows


def _cents(cents: int | UnsetType) -> str:
    return money(None if isinstance(cents, UnsetType) else cents)


def _otherwise(others: Sequence[Otherwise]) -> list[tuple[str, ...]]:
    return [
        (
            f"{each.option} {word(each.value)}",
            f"in effect {word(each.in_effect)}",
            each.cite,
            money(each.expected_cents),
            "as observed" if each.as_observed else "",
        )
        for each in others
    ]
