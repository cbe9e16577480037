"""The file of options by verb, `--config`: what stands there is an option's default."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from schemas.errors import BadInput
from schemas.near_names import nearest_names

_OPTION: Final = "--"


def defaults_of(path: Path, ctx: click.Context) -> dict[str, Any]:
    """Return the defaults of every verb that a file names, as click takes them.

    A table is a verb, `[worker]`, or one of its own, `[house.check]`; a key is an option without its dashes.

    Raises:
        BadInput: it is no TOML, or names a verb or an option that there is not.
    """
    try:
        written = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput(f"{path}: no TOML: {error}") from None
    return _of_verbs(written, ctx.command, ctx, path, "")


def _of_verbs(
    written: Mapping[str, Any], group: click.Command, ctx: click.Context, path: Path, above: str
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for verb, options in written.items():
        names = group.list_commands(ctx) if isinstance(group, click.Group) else []
        command = group.get_command(ctx, verb) if isinstance(group, click.Group) else None
        if command is None or not isinstance(options, dict):
            raise BadInput(f"{path}: [{above}{verb}] is no verb{nearest_names(verb, names)}")
        found[verb] = (
            _of_verbs(options, command, ctx, path, f"{verb}.")
            if isinstance(command, click.Group)
            else _of_options(options, command, f"{path}: [{above}{verb}]")
        )
    return found


def _of_options(written: Mapping[str, Any], command: click.Command, where: str) -> dict[str, Any]:
    parameters = {
        flag.removeprefix(_OPTION): parameter.name
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for flag in parameter.opts
        if flag.startswith(_OPTION)
    }
    for option in written:
        if option not in parameters:
            raise BadInput(f"{where}: no option {option!r}{nearest_names(option, parameters)}")
    return {str(parameters[option]): value for option, value in written.items()}
