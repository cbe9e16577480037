"""The mistakes of a recording's house file, listed before a verb judges by it."""

import click

from replay.recording.recording import Recording


def list_house_mistakes(recording: Recording) -> None:
    """List on standard error each mistake of a recording's house file, a line each, with its file and line.

    Raises:
        BadInput: recorded events have no house file, or it is not of its form.
    """
    for each in recording.house_mistakes():
        click.echo(f"{each.describe()}{' (left out)' if each.left_out else ''}", err=True)
