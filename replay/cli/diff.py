"""`discardrack diff`: what two audits say otherwise of the same rounds, shoes and accounts."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from projections.store.conclusion_diff import Difference, Facts, differences
from replay.cli import custody
from replay.cli.options import token_file_option
from replay.diff.sides import Pair, Spool, side
from replay.lists.writers import Form, Row, format_option
from replay.recording.event_audit import Unread
from replay.recording.rejudge import write_money
from schemas.values import dollars

_COLUMNS: Final = (
    "gaming_date", "table", "round", "shoe", "account", "what", "of", "field", "a", "b", "difference_cents",
)  # fmt: skip


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--house-a", help="House file for A, where A is recorded and has none of its own, or another.")
@click.option("--house-b", help="House file for B, likewise.")
@click.option("--run-a", help="Which run of A, where A is a store with several.")
@click.option("--run-b", help="Which run of B, likewise.")
@token_file_option()
@custody.options
@format_option()
def diff(
    a: str,
    b: str,
    house_a: str | None,
    house_b: str | None,
    run_a: str | None,
    run_b: str | None,
    token_file: Path | None,
    form: Form,
) -> None:
    """List what two audits say otherwise: rounds that one alone has, and fields that differ, with cents.

    A and B are each the JSON lines that audit printed, a store (a file, or the address of serve), or what is
    recorded (round records, frames, an archive folder, Kafka), which is audited now. Rounds, shoes and
    accounts are held against each other in their canonical form; where both sides tell what was seen of the
    rounds, that is compared too. Exit status: 0 nothing differs, 1 the list is not empty.

    \b
    Example:
      discardrack diff yesterday.jsonl floor/
      discardrack diff floor/ floor/ --house-b new_rules.yaml --format csv
      discardrack diff http://127.0.0.1:8000 var/live/archive --token-file nightly.token
    """  # noqa: D301  click takes the backspace itself for its mark
    with Spool() as spool:
        with Console(stderr=True).status("Comparing …"):
            for each in side(a, house_a, run_a, token_file):
                spool.put("a", each)
            for each in side(b, house_b, run_b, token_file):
                spool.put("b", each)
        rows = _rows(spool, form)
        first = next(rows, None)
        if first is not None:  # where nothing differs nothing is printed, not even a head
            write_money(chain([first], rows), form, _COLUMNS)
    raise click.exceptions.Exit(0 if first is None else 1)


def _rows(spool: Spool, form: Form) -> Iterator[Row]:
    for pair in spool.differing():
        about = _about(pair)
        for each in _differences(pair):
            yield about | {
                "what": each.what,
                "of": each.of,
                "field": each.field,
                "a": _cell(each.field, each.a, form),
                "b": _cell(each.field, each.b, form),
                "difference_cents": each.cents,
            }


def _about(pair: Pair) -> dict[str, object]:
    """Return what two sides, or one, say something of; what could not be read has no name."""
    conclusion = next((each.said for each in pair if isinstance(each, Facts)), None)
    return {
        "gaming_date": str(conclusion.gaming_date) if conclusion is not None else None,
        "table": conclusion.table if conclusion is not None else None,
        "round": conclusion.round if conclusion is not None else None,
        "shoe": conclusion.shoe if conclusion is not None else None,
        "account": conclusion.account if conclusion is not None else None,
    }


def _differences(pair: Pair) -> Iterator[Difference]:
    a, b = pair
    if isinstance(a, Facts) and isinstance(b, Facts):
        yield from differences(a, b)
    else:
        yield Difference(
            "only in A" if b is None else "only in B", "", "", _one_sided_text(a), _one_sided_text(b)
        )


def _one_sided_text(each: Facts | Unread | None) -> str | None:
    """Say in a line what one side alone has."""
    if each is None:
        return None
    if isinstance(each, Unread):
        return f"unreadable: {each.told()}"
    found = "; ".join(f"{finding.check}: {each.texts[finding.id]}" for finding in each.said.findings)
    return f"{each.said.verdict}: {found}" if found else each.said.verdict


def _cell(field: str, value: object, form: Form) -> object:
    """Write the cents of a field as dollars where people read them."""
    is_money = field == "cents" or field.endswith("_cents")
    return dollars(value) if form == "table" and is_money and isinstance(value, int) else value
