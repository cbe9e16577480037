"""`discardrack notify`: an escalation file is checked and tried, and what was sent is listed."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import click

from projections.catalogue import KINDS
from projections.notify import channels, vapid_key
from projections.notify.channel import Answer
from projections.notify.notice import Notice
from projections.notify.outbox import Outbox, delivery_id, outbox_of
from projections.web.bootstrap import wall_clock
from replay.cli.options import STORE, Verbs
from replay.lists.writers import Form, Row, format_option, write_rows
from schemas import escalation as escalations
from schemas.errors import BadInput
from schemas.escalation import PushTarget
from schemas.plain import line_of
from schemas.values import Micros, moment

_MISTAKES: Final = ("file", "line", "mistake", "near")
_RESULTS: Final = ("target", "recipient", "result", "answer")
_LOG: Final = (
    *("queued", "target", "recipient", "step", "about", "alert", "state"),
    *("attempt", "at", "outcome", "answer"),
)
_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_MOST: Final = 1_000
_store = click.option(
    "--store", type=click.Path(path_type=Path), default=STORE, show_default=True, help="The store."
)


@click.group(cls=Verbs)
def notify() -> None:
    """Try what leaves the console by an escalation file, and list what was sent.

    \b
    Example:
      discardrack notify check escalation.yaml
      discardrack notify test --escalation escalation.yaml
    """  # noqa: D301  click's mark for text that is not wrapped


@notify.command()
@click.argument("file", type=_FILE)
@format_option()
def check(file: Path, form: Form) -> None:
    """List every mistake of an escalation file: a row each, with its line. Nothing is sent.

    The secrets that it names are read too. `near` is what may have been meant. Exit status: 0 none, 1 there
    are mistakes, 2 the file cannot be read.

    \b
    Example:
      discardrack notify check escalation.yaml
      discardrack notify check escalation.yaml --format jsonl
    """  # noqa: D301  likewise
    rows = list(_mistakes(file))
    if rows or form == "csv":
        write_rows(rows, form, _MISTAKES)
    raise click.exceptions.Exit(1 if rows else 0)


def _mistakes(file: Path) -> Iterator[Row]:
    escalation, text = escalations.read(file)
    found = list(escalations.mistakes(escalation, KINDS))
    for each in found:
        line = line_of(text, each.path)
        yield {
            "file": str(file),
            "line": line,
            "mistake": each.message,
            "near": f"did you mean {each.suggestion}?" if each.suggestion is not None else None,
        }
    for name, target in escalation.targets.items():
        if any(each.path[:2] == ("targets", name) for each in found):
            continue  # its secrets are read when it names them
        try:
            channels.channel_of(target, f"targets.{name}", file.parent, escalation.console)
        except BadInput as error:
            line = line_of(text, ("targets", name))
            yield {"file": str(file), "line": line, "mistake": str(error), "near": None}


@notify.command()
@click.option("--escalation", "file", type=_FILE, required=True, help="The escalation file.")
@click.option("--target", "names", multiple=True, help="A target; all unless some are named.")
@_store
@format_option()
def test(file: Path, names: tuple[str, ...], store: Path, form: Form) -> None:
    """Send a message that is marked as a test through each target, and list what came back.

    A push target sends to every browser that is subscribed in the store. Exit status: 0 all were delivered,
    1 one was not, 2 the file is at fault.

    \b
    Example:
      discardrack notify test --escalation escalation.yaml --target duty_pager
    """  # noqa: D301  likewise
    sent = channels.load(file, KINDS)
    for name in names:
        if name not in sent.channels:
            raise BadInput(f"{file}: there is no target {name!r}; there are {', '.join(sent.channels)}")
    rows = list(_tried(sent, names or tuple(sent.channels), store))
    write_rows(rows, form, _RESULTS)
    raise click.exceptions.Exit(0 if all(row["result"] == "delivered" for row in rows) else 1)


def _tried(sent: channels.Notifications, names: tuple[str, ...], store: Path) -> Iterator[Row]:
    for name in names:
        now = wall_clock()
        notice = Notice(sort="test", at=now, came=now)
        channel = sent.channels[name]
        if not isinstance(sent.escalation.targets[name], PushTarget):
            yield _result(name, None, channel.send(delivery_id("test", name, now), notice, now, None))
            continue
        with closing(Outbox(_existing(store), now)) as outbox:
            subscriptions = outbox.subscriptions()
        for each in subscriptions:
            answer = channel.send(delivery_id("test", name, each.id, now), notice, now, each)
            yield _result(name, f"{each.account}: {each.called}", answer)
        if not subscriptions:
            yield _result(name, None, Answer("gone", "nobody has subscribed a browser"))


def _result(target: str, recipient: str | None, answer: Answer) -> Row:
    result = answer.result if answer.result == "delivered" else "failed"
    return {"target": target, "recipient": recipient, "result": result, "answer": answer.detail}


@notify.command()
@_store
@click.option("--limit", type=click.IntRange(1), default=_MOST, show_default=True, help="So many messages.")
@format_option()
def log(store: Path, limit: int, form: Form) -> None:
    """List what was sent, the newest first: a row for each attempt, and for what was never tried.

    It may be asked while the console is served.

    \b
    Example:
      discardrack notify log --store var/live.duckdb --format csv
    """  # noqa: D301  likewise
    with closing(Outbox(_existing(store), wall_clock())) as outbox:
        called = {each.id: f"{each.account}: {each.called}" for each in outbox.subscriptions()}
        rows = [
            {
                "queued": _time(delivery.queued),
                "target": delivery.target,
                "recipient": called.get(delivery.recipient or "", delivery.recipient),
                "step": delivery.step,
                "about": delivery.about,
                "alert": delivery.notice.alert,
                "state": delivery.state,
                "attempt": number,
                "at": _time(attempt.at) if attempt is not None else None,
                "outcome": attempt.outcome if attempt is not None else None,
                "answer": attempt.answer if attempt is not None else None,
            }
            for delivery, attempts in outbox.latest(limit)
            for number, attempt in enumerate(attempts or [None], start=1 if attempts else 0)
        ]
    write_rows(rows, form, _LOG)


@notify.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--show", is_flag=True, help="Only print the public part of a key that is there.")
def key(file: Path, *, show: bool) -> None:
    """Make the key by which the push services of browsers recognize the console; print its public part.

    Only you may read the file. Browsers that were subscribed with another key have to be subscribed again.

    \b
    Example:
      discardrack notify key vapid.key
    """  # noqa: D301  likewise
    click.echo(vapid_key.public(vapid_key.load(file) if show else vapid_key.make(file)))


def _existing(store: Path) -> Path:
    path = outbox_of(store)
    if not path.is_file():
        raise BadInput(f"{store}: has no notifications; serve --escalation FILE makes them")
    return path


def _time(at: Micros) -> str:
    return moment(at).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
