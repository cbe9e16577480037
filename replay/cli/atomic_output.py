"""Where a verb's output goes: standard output, or a file that appears only when it is whole."""

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import click

from replay.cli.options import FILE_TO_WRITE
from schemas.errors import BadInput

out_option = click.option(
    "--out",
    type=FILE_TO_WRITE,
    help="File to write; it appears when it is whole. Standard output if absent.",
)


@contextmanager
def appearing(out: Path) -> Iterator[Path]:
    """Yield a path to write to, and put what was written in its place when all went well.

    Raises:
        BadInput: the file cannot be written there.
    """
    part = out.with_name(f"{out.name}.part")
    try:
        part.touch()
    except OSError as error:
        raise BadInput(f"{out}: cannot be written: {error.strerror}") from None
    try:
        yield part
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def printed_to(out: Path | None) -> Iterator[None]:
    """Send what is printed into a file, where one is named.

    Raises:
        BadInput: the file cannot be written there.
    """
    if out is None:
        yield
        return
    with (
        appearing(out) as part,
        part.open("w", encoding="utf-8", newline="") as stream,
        redirect_stdout(stream),
    ):
        yield
