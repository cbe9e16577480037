"""PATH, as every verb takes it that looks at what is recorded: a file, an archive's folder, or a live Kafka.

`kafka://HOST:PORT` stands for the frames that a broker has now. They are copied into an archive of their own,
which goes when the verb ends; what the verb is given is that archive.
"""

import functools
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import click
import yaml
from msgspec import Struct
from rich.console import Console

from replay.cli import custody
from replay.cli.options import brokers
from replay.recording.packed import STANDARD_INPUT, plain_file
from replay.recording.recording import Recording
from schemas import house as houses
from schemas.errors import BadInput
from schemas.house import House
from schemas.values import microseconds
from streams.archive.record_names import HOUSE

SCHEME: Final = "kafka://"
_ASKS: Final = ("since", "until", "partition", "offset")
_NOT_WHOLE: Final = (
    "what was sent before is not known: rounds that need it are undetermined, a shoe is judged by what was "
    "read of it, and no accounts are drawn up"
)
_NUMBER: Final = re.compile(r"\d{1,18}")


class KafkaAddress(Struct, frozen=True):
    """A parsed kafka:// address: `asks` has the parameters after its question mark, each at most once.

    A time without an offset is of the property's zone, which only the house file has.
    """

    text: str
    broker: str
    asks: Mapping[str, datetime | int]


Source: TypeAlias = Path | KafkaAddress


def parse_kafka_address(text: str) -> KafkaAddress:
    """Parse a kafka:// address.

    >>> parse_kafka_address("kafka://localhost:9092?since=2025-03-01T10:00").asks
    {'since': datetime.datetime(2025, 3, 1, 10, 0)}
    >>> parse_kafka_address("kafka://a:9092,b:9092?partition=3&offset=1200").broker
    'a:9092,b:9092'

    Raises:
        BadInput: it is invalid; the message describes the form.
    """
    address, _, query = text.removeprefix(SCHEME).partition("?")
    try:
        broker = brokers(address.rstrip("/"))
    except BadInput:
        raise BadInput(f"{text}: write {SCHEME}HOST:PORT, several HOST:PORT with commas") from None
    asks: dict[str, datetime | int] = {}
    for each in query.split("&") if query else ():
        name, _, value = each.partition("=")
        if name not in _ASKS or name in asks:
            raise BadInput(
                f"{text}: {name!r} is not asked for so; after ? stand {', '.join(_ASKS)}, each once"
            )
        asks[name] = _time_or_offset(text, name, unquote(value))
    if "offset" in asks and ("partition" not in asks or "since" in asks):
        raise BadInput(f"{text}: an offset goes with the partition that it is of, and not with since")
    return KafkaAddress(text, broker, asks)


def _time_or_offset(text: str, name: str, value: str) -> datetime | int:
    if name in ("partition", "offset"):
        if _NUMBER.fullmatch(value) is None:
            raise BadInput(f"{text}: {name} {value!r} is no number")
        return int(value)
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise BadInput(f"{text}: {name} {value!r} is no time; write 2025-03-01T10:00") from None


class SourceType(click.ParamType):
    """A path that exists, standard input (`-`), or a kafka:// address."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Source:
        """Read the argument, and refuse what is neither."""
        if isinstance(value, str) and value.startswith(SCHEME):
            return parse_kafka_address(value)
        return Path(str(click.Path(exists=True, allow_dash=True).convert(value, param, ctx)))


SOURCE: Final = SourceType()


@contextmanager
def open_recording(source: Source, house_file: str | None, *, releases: bool = False) -> Iterator[Recording]:
    """Open a recording: at the path that was named, or a copy of Kafka's records.

    The log of an archive gets a line for the view, and for the files that are written (--out and the like);
    if the verb `releases` what it prints, that is logged too. A copy has a house file of its own and is
    deleted at the end of the context; in error messages it is named as Kafka.

    Raises:
        BadInput: there is nothing to be copied, or no house file by whose zone and days it can be read; or
            something is to be released, and it cannot be logged.
    """
    if isinstance(source, Path):
        name = str(source) if source == STANDARD_INPUT else str(source.absolute().name)
        with plain_file(source) as path, custody.note_custody(path, name, releases=releases):
            yield Recording(path, house_file)
        return
    if house_file is None:
        raise BadInput(f"{source.text}: events from Kafka need a house file; say --house FILE")
    house, text = houses.read(house_file, Path.cwd())
    with (
        custody.note_custody(None, source.text, releases=releases),
        tempfile.TemporaryDirectory(prefix="discardrack-") as scratch,
    ):
        copy = Path(scratch) / "kafka"
        copy.mkdir()
        is_complete = _copied(source, house, copy)
        (copy / HOUSE).write_bytes(text if is_complete else _without_ledgers(text))
        if not is_complete:
            click.echo(f"{source.text}: {_NOT_WHOLE}", err=True)
        try:
            yield Recording(copy)
        except BadInput as error:
            raise BadInput(str(error).replace(str(copy), source.text)) from None


def _copied(source: KafkaAddress, house: House, copy: Path) -> bool:
    from streams.kafka_log import KafkaRange, fetch  # noqa: PLC0415  Kafka's client takes long to load

    zone = ZoneInfo(house.zone)
    # Where clocks are put back an hour occurs twice: from its first occurrence, up to its second.
    kafka_range = KafkaRange(
        broker=source.broker,
        since=_moment(source.asks.get("since"), zone, fold=0),
        until=_moment(source.asks.get("until"), zone, fold=1),
        partition=_number(source.asks.get("partition")),
        offset=_number(source.asks.get("offset")),
    )
    message = f"Reading {source.broker}"
    with Console(stderr=True).status(f"{message} …") as status:
        return fetch(kafka_range, copy, house, lambda done, of: status.update(f"{message}: {done} of {of} …"))


def _without_ledgers(text: bytes) -> bytes:
    """Remove the ledgers from a house file, so that no account is required."""
    document = yaml.safe_load(text)
    return yaml.safe_dump({name: value for name, value in document.items() if name != "ledgers"}).encode()


def _moment(end: datetime | int | None, zone: ZoneInfo, fold: int) -> int | None:
    if not isinstance(end, datetime):
        return None
    return microseconds(end if end.tzinfo is not None else end.replace(tzinfo=zone, fold=fold))


def _number(end: datetime | int | None) -> int | None:
    return end if isinstance(end, int) else None


def source_argument(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return a verb PATH, --house, --by and --custody.

    It is called with `recording`; see `open_recording`.
    """
    return _with_source(verb, releases=False)


def released_source(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument of `source_argument` for a verb whose output is there to be handed on."""
    return _with_source(verb, releases=True)


def _with_source(verb: Callable[..., Any], *, releases: bool) -> Callable[..., Any]:
    @click.argument("source", metavar="PATH", type=SOURCE)
    @click.option("--house", "house_file", help="House file: a name in schemas/houses or a path.")
    @custody.options
    @functools.wraps(verb)
    def called(source: Source, house_file: str | None, **others: Any) -> Any:
        with open_recording(source, house_file, releases=releases) as recording:
            return verb(recording=recording, **others)

    return called
