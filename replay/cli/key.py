"""`discardrack key`: make a key that signs, or show the public part of one."""

from pathlib import Path

import click

from projections.evidence.checkpoint import public
from streams.archive import keys


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--show", is_flag=True, help="Only print the public part of a key that is there.")
def key(file: Path, *, show: bool) -> None:
    """Make a key that signs days or bundles, in a file that only you may read; prints its public part.

    Send the public part to whoever will check the signatures, by another way than the signed files. Store the
    file on the machine that signs and nowhere in the archive.

    \b
    Example:
      discardrack key archive.key
    """  # noqa: D301  click's mark for text that is not wrapped
    click.echo(public(keys.load(file) if show else keys.make(file)))
