"""`discardrack map suggest`: a mapping file for an export, to begin with."""

from pathlib import Path
from zoneinfo import ZoneInfo

import click

from replay.adaptors.rows import Span
from replay.adaptors.suggestion import suggest as suggest_mapping
from replay.cli.options import Verbs, out_option, redirect_output
from replay.recording.file_kinds import kind_at
from replay.recording.packed import plain_file


@click.group("map", cls=Verbs)
def map_() -> None:
    """Propose mapping files, by which `import` reads what a vendor's system exports.

    \b
    Example:
      discardrack map suggest hands.csv --out hands.yaml
    """  # noqa: D301  click takes the backspace itself for its mark


@map_.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@out_option
def suggest(file: Path, out: Path | None) -> None:
    """Propose a mapping for an export of baccarat rounds: CSV, JSON, JSONL, XLSX or Parquet.

    Columns are recognised by their names and their contents. Those that were not are listed in a comment;
    check all of it before it is used. docs/import.md describes what a mapping can contain.

    \b
    Example:
      discardrack map suggest hands.csv --out hands.yaml
    """  # noqa: D301  click takes the backspace itself for its mark
    with plain_file(file) as plain:
        if (kind := kind_at(plain)) is not None and not kind.advice:
            raise kind.refuse(plain, "export of rounds")
        proposed = suggest_mapping(plain, Span(ZoneInfo("UTC")))
    with redirect_output(out):
        click.echo(proposed, nl=False)
