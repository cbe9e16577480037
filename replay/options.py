"""Options that the live processes share, read and refused in one way."""

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from schemas.errors import BadInput

LOCAL: Final = "localhost:9092"
_ADDRESS: Final = re.compile(r"(?:[^\s:,\[\]]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})")
_PORTS: Final = 65535

_F = TypeVar("_F", bound=Callable[..., Any])


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
