"""The one command, `discardrack`: each verb is a module of its own, loaded when it is called."""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import click

from projections.views.cells import printable
from replay.cli.options import Verbs
from schemas.errors import DiscardrackError
from streams.processes import loading

# verb -> its module in this folder and its command, and a line of help
VERBS: Final = {
    "demo": ("demo:demo", "simulate a gaming day with labelled faults, audit it, serve the findings"),
    "audit": ("audit:audit", "judge round records or recorded events; a verdict for each"),
    "import": (
        "import_export:import_",
        "turn a vendor's data into round records, or logs and schedules into report lines",
    ),
    "map": ("map:map_", "propose a mapping file for what a vendor's system exports"),
    "export": ("import_export:export", "write rounds or findings out"),
    "hand": ("hand:hand", "put a hand on the table again, card by card and chip by chip"),
    "explain": ("explain:explain", "derive one finding to the last cent, and what would make it wrong"),
    "blast-radius": (
        "blast_radius:blast_radius",
        "every round, seat and patron that a defect touched, and what is owed for it",
    ),
    "whatif": ("whatif:whatif", "what the same hands would have come to under another rulebook"),
    "patterns": ("patterns:patterns", "what stands out over many days, for investigators to look at"),
    "timeline": ("timeline:timeline", "list rounds, findings and events by time, under filters"),
    "diff": ("diff:diff", "what two audits say otherwise of the same rounds"),
    "evidence": ("evidence:evidence", "one hand of a closed day as a bundle that a stranger can check"),
    "law": ("law:law", "what the software does about each provision"),
    "prove": ("prove:prove", "enumerate a game exactly through the functions that judge hands"),
    "schema": ("schema:schema", "events, rounds, findings and labels as JSON Schema, topics as AsyncAPI"),
    "serve": ("serve:serve", "show a store's findings in the browser"),
    "user": ("user:user", "say who may use the console, and in which role"),
    "notify": ("notify:notify", "try what leaves the console by an escalation file, list what was sent"),
    "nightly": (
        "nightly:nightly",
        "audit a gaming day again, compare it with the live store, report it",
    ),
    "archive": ("archive:archive", "keep what a live floor sends, exactly, and seal it day by day"),
    "verify": ("verify:verify", "check an archive or an evidence bundle against what was signed"),
    "key": ("key:key", "make a key that signs days or bundles"),
    "retain": ("retain:retain", "list or remove what of an archive is past the years it must be kept"),
    "hold": ("hold:hold", "legal holds: what of an archive is kept whatever its age"),
    "custody": ("custody:custody", "list who opened, exported and released what of an archive"),
    "topics": ("topics:topics", "list a live floor's topics, compare a broker's with them, create them"),
    "simulate": ("simulate:simulate", "play a floor with labelled faults"),
    "house": ("house:house", "find every mistake of a house file before anything starts by it"),
    "devices": ("devices:devices", "read report lines as a gateway would, and list what it would not keep"),
    "gateway": ("gateway:gateway", "take devices' reports, and bring each to Kafka once"),
    "worker": ("worker:worker", "audit the floor's frames as Kafka brings them"),
}

_EXIT_STATUS: Final = "Exit status: 0 done, 2 something is wrong with what was asked or cannot be read."
_INTERRUPTED: Final = 130  # as in a shell: 128 and the number of the signal


class _Verbs(Verbs):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  likewise
        if cmd_name not in VERBS:
            return None
        module, _, name = VERBS[cmd_name][0].partition(":")
        command: click.Command = getattr(_load(f"{__name__}.{module}"), name)
        if "Exit status" not in " ".join((command.help or "").split()):
            command.epilog = _EXIT_STATUS
        _name_variables(command, f"DISCARDRACK_{cmd_name}")
        if "structlog" in sys.modules:  # it takes long to load, and few verbs log anything
            from streams.observability import own_as_json  # noqa: PLC0415  likewise

            own_as_json()  # left as it is, it writes every variable of what failed
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  likewise
        # The help of the whole command loads no verb: it is asked for more often than any of them.
        with formatter.section("Verbs"):
            formatter.write_dl([(verb, message) for verb, (_, message) in VERBS.items()])

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _one_line():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _one_line():
            return super().invoke(ctx)


def _load(name: str) -> ModuleType:
    """Return a verb's module."""
    if name not in sys.modules:
        with loading():
            importlib.import_module(name)
    return sys.modules[name]


def _name_variables(command: click.Command, prefix: str) -> None:
    """Add a variable of the environment to each option of a verb and of the verbs below it."""
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.envvar is None:
            flag = next((each for each in parameter.opts if each.startswith("--")), parameter.opts[0])
            parameter.envvar = f"{prefix}_{flag.lstrip('-')}".replace("-", "_").upper()
    for name, below in command.commands.items() if isinstance(command, click.Group) else ():
        _name_variables(below, f"{prefix}_{name}")


@contextmanager
def _one_line() -> Iterator[None]:
    """Turn whatever ends a verb into one line on standard error and exit status 2; an interrupt's is 130."""
    try:
        yield
    except DiscardrackError as error:
        raise click.exceptions.Exit(_fail(str(error))) from None
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        raise click.exceptions.Exit(_fail(_wrong(error))) from None
    except BrokenPipeError:
        # The reader of our output has gone; there is nowhere to report it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(0) from None
    except KeyboardInterrupt:
        raise click.exceptions.Exit(_interrupted()) from None
    except RuntimeError as error:
        # DuckDB's message for an interrupted query.
        if str(error) != "Query interrupted":
            raise
        raise click.exceptions.Exit(_interrupted()) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise click.exceptions.Exit(_fail(f"{where}{error.strerror or error}")) from None


def _wrong(error: click.UsageError) -> str:
    """Return what is wrong with a call, and of what is missing what it is for."""
    message = " ".join(error.format_message().split())
    if isinstance(error, click.MissingParameter) and error.ctx is not None and message.endswith("."):
        usage = " ".join(error.ctx.get_usage().split())
        return f"{message} {error.param.help if isinstance(error.param, click.Option) else usage}"
    return message  # the message of a choice already lists the values


def _fail(message: str) -> int:
    click.echo(f"discardrack: {printable(message)}", err=True)
    return 2


def _interrupted() -> int:
    _fail("interrupted before it was done")
    return _INTERRUPTED


def _print_version(ctx: click.Context, _option: click.Parameter, is_wanted: bool) -> None:  # noqa: FBT001  click's call
    if is_wanted:
        from projections.engine.checks.plugin_checks import software  # noqa: PLC0415  few calls ask for it
        from schemas.law_text import digest  # noqa: PLC0415  likewise

        own, *plugins = software().split(", ")
        click.echo(", ".join([f"discardrack {own}, law {digest()[:16]}", *plugins]))
        ctx.exit()


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--config",
    envvar="DISCARDRACK_CONFIG",
    type=click.Path(exists=True, dir_okay=False),
    help="A file of options by verb, in TOML; else DISCARDRACK_CONFIG names it. docs/command-line.md",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Print the version, the digest of the law files, and the plugins that load; exit.",
)
@click.pass_context
def main(ctx: click.Context, config: str | None) -> None:
    """Rebuild the hands of casino tables, settle them again by the law, and cite each mismatch."""
    if config is not None:
        from replay.cli.config_file import defaults_of  # noqa: PLC0415  few calls have one

        ctx.default_map = defaults_of(Path(config), ctx)
