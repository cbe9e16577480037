"""How a verb that does not exist is refused: of the whole command, and of one that has verbs of its own."""

import click

from schemas.errors import BadInput


class Verbs(click.Group):
    """A command that has verbs; one that it does not have is refused with the nearest that it does."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb that was typed.

        Raises:
            BadInput: there is none of that name.
        """
        asked = args[0]
        if not asked.startswith("-") and self.get_command(ctx, asked) is None:
            from replay.cli.nearest_names import nearest  # noqa: PLC0415  it takes long to load, and few calls end here

            near = nearest(asked, self.list_commands(ctx))
            raise BadInput(f"no verb {asked!r}{near}; {ctx.command_path} --help lists them")
        return super().resolve_command(ctx, args)
