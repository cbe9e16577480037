"""Options that verbs share, read and refused in one way, with the names that come near to an unknown one."""

import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from projections.store.disk import atomic_output
from schemas.errors import BadInput

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# How a verb that does not exist is refused: of the whole command, and of one that has verbs of its own.


class Verbs(click.Group):
    """A command that has verbs; one that it does not have is refused with the nearest that it does."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb that was typed.

        Raises:
            BadInput: there is none of that name.
        """
        word = args[0]
        if not word.startswith("-") and self.get_command(ctx, word) is None:
            from schemas.near_names import nearest_names  # noqa: PLC0415  it takes long to load, and few calls end here

            near_name = nearest_names(word, self.list_commands(ctx))
            raise BadInput(f"no verb {word!r}{near_name}; {ctx.command_path} --help lists them")
        return super().resolve_command(ctx, args)


# ── Options that verbs share, read and refused in one way ─────────────────────────────────────────────

LOCAL: Final = "localhost:9092"
STORE: Final = Path("var/demo/store.duckdb")  # as `discardrack demo` makes it
_ADDRESS: Final = re.compile(r"(?:[^\s:,\[\]]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})")
_PORTS: Final = 65535
_FIRST_YEAR: Final = 1970  # clocks count from there
_LAST_YEAR: Final = 9998  # a day ends on the next one, which has to be a date too

_F = TypeVar("_F", bound=Callable[..., Any])


class FileToWrite(click.Path):
    """The path of a file that a verb is to write, checked before any work."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Parse the path, and reject it if nothing can be written there."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        folder = path.parent
        if not folder.is_dir():
            raise BadInput(f"{path}: cannot be written: there is no folder {folder}")
        if not os.access(folder, os.W_OK | os.X_OK) or (path.exists() and not os.access(path, os.W_OK)):
            raise BadInput(f"{path}: cannot be written: no permission")
        return path


FILE_TO_WRITE: Final = FileToWrite()


class GamingDay(click.DateTime):
    """A gaming day as 2025-03-01; one outside the range of the clocks is rejected."""

    def __init__(self) -> None:
        super().__init__(["%Y-%m-%d"])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Parse the day, and reject one on which nothing can have been recorded."""
        day: datetime = super().convert(value, param, ctx)
        if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
            option = param.opts[0] if param is not None else "the day"
            raise BadInput(
                f"{option} {value!r} is no gaming day; name one from {_FIRST_YEAR} to {_LAST_YEAR}"
            )
        return day


GAMING_DAY: Final = GamingDay()


def gaming_day_option(message: str, *, of_hand: bool = False) -> Callable[[_F], _F]:
    """Return the option --gaming-day; if it distinguishes hands of one number --date is the same option."""
    names = ("--gaming-day", "--date") if of_hand else ("--gaming-day",)
    return click.option(*names, "day", type=GAMING_DAY, help=message)


def brokers(text: str) -> str:
    """Check Kafka's address, or several with commas, and give it back.

    >>> brokers("localhost:9092"), brokers("kafka-1:9092,kafka-2:9092"), brokers("[::1]:9092")
    ('localhost:9092', 'kafka-1:9092,kafka-2:9092', '[::1]:9092')

    Raises:
        BadInput: it is none.
    """
    for address in text.split(","):
        found = _ADDRESS.fullmatch(address)
        if found is None or not 0 < int(found[1]) <= _PORTS:
            raise BadInput(f"--broker {address!r} is no address; write HOST:PORT, several with commas")
    return text


def name_option(option: str, variable: str, message: str, default: str | None = None) -> Callable[[_F], _F]:
    """Return an option that names something; a name has at least one letter, and none is unseen."""

    def read(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
        if text is not None and (not text.strip() or not text.isprintable()):
            raise BadInput(f"{option} {text!r} is no name; write a word")
        return text

    return click.option(option, variable, default=default, show_default=True, callback=read, help=message)


def token_file_option() -> Callable[[_F], _F]:
    """Return an option that reads the path of a token's file."""
    return click.option(
        "--token-file",
        type=click.Path(dir_okay=False, path_type=Path),
        help="The file with the token by which serve is read: discardrack user token prints one.",
    )


def broker_option(message: str, default: str | None = None) -> Callable[[_F], _F]:
    """Return the option --broker; None asks the verb to do without, unless it has a default."""
    return click.option(
        "--broker",
        metavar="HOST:PORT",
        default=default,
        show_default=default is not None,
        callback=lambda _context, _option, text: brokers(text) if text is not None else None,
        help=message,
    )


def metrics_option() -> Callable[[_F], _F]:
    """Return --metrics-port and --metrics-host."""
    port = click.option(
        "--metrics-port", type=click.IntRange(1, _PORTS), help="Answer Prometheus at this port."
    )
    host = click.option(
        "--metrics-host",
        default="127.0.0.1",
        show_default=True,
        help="With --metrics-port: the address to answer at; 0.0.0.0 in a container or for another machine.",
    )

    def with_both(verb: _F) -> _F:
        return port(host(verb))

    return with_both


def address(text: str, option: str) -> tuple[str, int]:
    """Read HOST:PORT.

    >>> address("localhost:7070", "--tcp")
    ('localhost', 7070)

    Raises:
        BadInput: it is not of that form.
    """
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > _PORTS:
        raise BadInput(f"{option} {text}: not HOST:PORT, such as 127.0.0.1:7070")
    return host.strip("[]"), int(port)


# ── Where a verb's output goes: standard output, or a file that appears only when it is whole ─────────

out_option = click.option(
    "--out",
    type=FILE_TO_WRITE,
    help="File to write; it appears when it is whole. Standard output if absent.",
)


@contextmanager
def redirect_output(out: Path | None) -> Iterator[None]:
    """Send what is printed into a file, where one is named.

    Raises:
        BadInput: the file cannot be written there.
    """
    if out is None:
        yield
        return
    with atomic_output(out) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        with redirect_stdout(text):
            yield
        text.detach()  # closing it would close the file
