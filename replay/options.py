"""Options that verbs share, read and refused in one way."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from schemas.errors import BadInput

LOCAL: Final = "localhost:9092"
_ADDRESS: Final = re.compile(r"(?:[^\s:,\[\]]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})")
_PORTS: Final = 65535

_F = TypeVar("_F", bound=Callable[..., Any])


class FileToWrite(click.Path):
    """The path of a file that a verb is to write, refused before any work where nothing can be written."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Read the path, and refuse it where nothing can be written."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        folder = path.parent
        if not folder.is_dir():
            raise BadInput(f"{path}: cannot be written: there is no folder {folder}")
        if not os.access(folder, os.W_OK | os.X_OK) or (path.exists() and not os.access(path, os.W_OK)):
            raise BadInput(f"{path}: cannot be written: no permission")
        return path


FILE_TO_WRITE: Final = FileToWrite()


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


def name_option(option: str, variable: str, says: str, default: str | None = None) -> Callable[[_F], _F]:
    """Give an option that names something; a name has at least one letter, and none is unseen."""

    def read(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
        if text is not None and (not text.strip() or not text.isprintable()):
            raise BadInput(f"{option} {text!r} is no name; write a word")
        return text

    return click.option(option, variable, default=default, show_default=True, callback=read, help=says)


def broker_option(says: str, default: str | None = None) -> Callable[[_F], _F]:
    """Give --broker; None asks the verb to do without, unless it has a default."""
    return click.option(
        "--broker",
        metavar="HOST:PORT",
        default=default,
        show_default=default is not None,
        callback=lambda _context, _option, text: brokers(text) if text is not None else None,
        help=says,
    )


def metrics_option() -> Callable[[_F], _F]:
    """Give --metrics-port."""
    return click.option(
        "--metrics-port", type=click.IntRange(1, _PORTS), help="Answer Prometheus on 127.0.0.1, at this port."
    )
