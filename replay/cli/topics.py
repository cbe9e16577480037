"""`discardrack topics`: what a live floor's topics are, whether a broker has them so, and their creation."""

from typing import Final

import click

from replay.cli.options import broker_option
from replay.lists.writers import Form, Row, format_option, write_rows
from schemas.errors import BadInput
from streams.topic_setup import OnBroker, topic_setup
from streams.topics import TOPICS, Topic

_DAY: Final = 24 * 60 * 60 * 1000  # milliseconds


@click.command()
@broker_option("The broker to ask; without one, what must be is listed.")
@click.option("--create", is_flag=True, help="Create what is missing and set what differs.")
@click.option(
    "--replication",
    type=click.IntRange(min=1),
    help="How many brokers hold each record. Without it 3, or 1 where there are fewer than 3.",
)
@format_option()
def topics(broker: str | None, create: bool, replication: int | None, form: Form) -> None:  # noqa: FBT001  click's signature
    """List the topics of a live floor, hold those of a broker against them, or create them there.

    Partitions and replication of a topic that exists are never changed here: with other partitions the
    tables would fall to other workers than those that hold their state. What differs is exit 1; what
    --create must leave as it is, exit 2.

    \b
    Example:
      discardrack topics --broker localhost:9092 --create
    """  # noqa: D301  click wants the character itself to keep the example's lines
    if broker is None:
        if create or replication is not None:
            raise click.UsageError("--create and --replication need --broker HOST:PORT")
        write_rows(map(_topic_row, TOPICS), form)
        return
    with topic_setup(broker, replication) as setup:
        compared = setup.compare()
        if create:
            setup.make(compared)
    write_rows((_row(each, made=create) for each in compared), form)
    if create:
        _refuse_fixed(compared)
    elif any(each.differences != () for each in compared):
        raise click.exceptions.Exit(1)


def _topic_row(topic: Topic) -> Row:
    retention = topic.config.get("retention.ms")
    return {
        "topic": topic.name,
        "partitions": topic.partitions,
        "retention_days": int(retention) // _DAY if retention is not None else None,
        "compaction": topic.config["cleanup.policy"] == "compact",
        "carries": topic.says,
    }


def _row(each: OnBroker, *, made: bool) -> Row:
    return {**_topic_row(each.topic), "replication": each.replication, "state": _state(each, made=made)}


def _state(each: OnBroker, *, made: bool) -> list[str]:
    if each.differences is None:
        return ["created" if made else "missing"]
    if not each.differences:
        return ["as it must be"]
    free = [f"{d.setting} set from {d.stands} to {d.must_be}" for d in each.free] if made else each.free
    return [str(difference) for difference in (*each.fixed, *free)]


def _refuse_fixed(compared: list[OnBroker]) -> None:
    left = [f"{each.topic.name}: {difference}" for each in compared for difference in each.fixed]
    if left:
        raise BadInput(
            f"{'; '.join(left)}: not changed, as it moves records; drain and create the topic anew, or use"
            " Kafka's own tools"
        )
