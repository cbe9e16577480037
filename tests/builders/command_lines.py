"""Command lines read as their verbs read them."""

from typing import Any

import click

from replay.cli import main
from replay.cli.source import SourceType


def parse_command_line(arguments: list[str]) -> dict[str, Any]:
    """Read a command line as its verb would, but for whether the files that it names are there."""
    verb, *rest = arguments
    command = main.get_command(click.Context(main), verb)
    while isinstance(command, click.Group):
        verb, *rest = rest
        command = command.get_command(click.Context(command), verb)
    assert command is not None, f"no verb {verb}"
    context = click.Context(command)
    options, left, _ = command.make_parser(context).parse_args(rest)
    assert left == []
    for option in command.params:
        assert not option.required or option.name in options, f"{verb} needs {option.name}"
        if option.name in options and not isinstance(option.type, click.Path | SourceType):
            options[option.name] = option.type_cast_value(context, options[option.name])
    return dict(options)
