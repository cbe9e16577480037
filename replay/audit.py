"""`discardrack audit`: a verdict for each round."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.console import Console

from projections.findings import told
from projections.judge import Conclusion
from replay.judged import judged
from replay.recorded import Unread
from replay.rows import Form, Row, format_option, write_rows

_encode: Final = msgspec.json.Encoder()


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--house", "house_file", help="House file: a name in schemas/houses or a path.")
@format_option("jsonl")
def audit(path: Path, house_file: str | None, form: Form) -> None:
    """Judge round records or recorded events; one answer a line, in the order of the input.

    PATH is a file of round records, a file of frames, or an archive folder. Answers are JSON lines unless
    told otherwise; table and csv give a row of each. Exit status: 0 all clean, 1 any mismatch or
    undetermined, 2 any line unreadable.

    \b
    Example:
      discardrack audit rounds.jsonl --house my_house.yaml
    """  # noqa: D301  click's mark for text that is not wrapped
    tally = _Tally(_answers(path, house_file))
    console = Console(stderr=True)
    with console.status(f"Auditing {path.name} …"):
        if form == "jsonl":
            for each in tally:
                click.echo(_encode.encode(each))
        else:
            write_rows((_row(each) for each in tally), form)
    raise click.exceptions.Exit(tally.status)


class _Tally:
    """Passes answers on and remembers the gravest for the exit status."""

    def __init__(self, answers: Iterator[Conclusion | Unread]) -> None:
        self.answers = answers
        self.status = 0

    def __iter__(self) -> Iterator[Conclusion | Unread]:
        for each in self.answers:
            if isinstance(each, Unread):
                self.status = 2
            elif each.verdict != "clean":
                self.status = max(self.status, 1)
            yield each


def _answers(path: Path, house_file: str | None) -> Iterator[Conclusion | Unread]:
    for each in judged(path, house_file):
        yield each if isinstance(each, Unread) else each.conclusion


def _row(each: Conclusion | Unread) -> Row:
    if isinstance(each, Unread):
        return {
            **dict.fromkeys(_COLUMNS),
            "verdict": "unreadable",
            "findings": f"line {each.line}: {each.error}",
        }
    return {
        "gaming_date": str(each.gaming_date),
        "table": each.table,
        "round": each.round,
        "shoe": each.shoe,
        "verdict": each.verdict,
        "outcome": each.outcome,
        "findings": "; ".join(
            f"{finding.check}: {told(finding)} ({', '.join(finding.citations)})" for finding in each.findings
        ),
    }


_COLUMNS: Final = ("gaming_date", "table", "round", "shoe", "verdict", "outcome", "findings")
