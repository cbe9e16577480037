"""The topics of a live floor as they stand on a broker: compared with what they must be, and made so."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import KafkaError
from msgspec import Struct

from schemas.errors import BadInput
from streams.topics import TOPICS, Topic

_ANSWER_MS: Final = 5_000
_FULL_REPLICATION: Final = 3
_IN_SYNC: Final = "min.insync.replicas"
# What Kafka changes only by moving records: the partitions of a keyed topic would take other tables.
FIXED: Final = frozenset({"partitions", "replication"})


class Difference(Struct, frozen=True):
    """A setting of a topic that is not what it must be; both values in Kafka's own words."""

    setting: str
    stands: str
    must_be: str

    def __str__(self) -> str:
        return f"{self.setting} is {self.stands} instead of {self.must_be}"


class OnBroker(Struct, frozen=True):
    """A topic as it stands on a broker: None if it is not there, else what is not as it must be."""

    topic: Topic
    replication: int
    differences: tuple[Difference, ...] | None

    @property
    def fixed(self) -> list[Difference]:
        """Return what differs and cannot be changed in passing."""
        return [each for each in self.differences or () if each.setting in FIXED]

    @property
    def free(self) -> list[Difference]:
        """Return what differs and can simply be set."""
        return [each for each in self.differences or () if each.setting not in FIXED]


class TopicSetup:
    """Broker's interface for the topics; got from `topic_setup`.

    `replication` is the number of brokers that hold each record; None takes three where there are three
    brokers, and otherwise one.

    Raises:
        BadInput: there are not so many brokers.
    """

    def __init__(self, admin: KafkaAdminClient, replication: int | None = None) -> None:
        self._admin = admin
        brokers = len(admin.describe_cluster()["brokers"])
        if replication is not None and replication > brokers:
            raise BadInput(f"--replication {replication}: the cluster has {brokers}; say no more than that")
        self.replication = replication or (_FULL_REPLICATION if brokers >= _FULL_REPLICATION else 1)

    def compare(self) -> list[OnBroker]:
        """Compare every topic with what it must be, in the order of the list of topics."""
        present = {
            each["name"]: each["partitions"]
            for each in self._admin.describe_topics([topic.name for topic in TOPICS])
            if not each["error_code"]
        }
        config = self._config([topic for topic in TOPICS if topic.name in present])
        return [
            OnBroker(
                topic,
                self.replication,
                self._differences(topic, present[topic.name], config[topic.name])
                if topic.name in present
                else None,
            )
            for topic in TOPICS
        ]

    def make(self, compared: list[OnBroker]) -> None:
        """Create the topics that are missing, and set what may be set; what is fixed stays as it stands.

        Raises:
            BadInput: Kafka refuses one of them; the message has its reason.
        """
        self._create([each.topic for each in compared if each.differences is None])
        for each in compared:
            self._set(each.topic, {d.setting: d.must_be for d in each.free})

    def _create(self, topics: list[Topic]) -> None:
        if not topics:
            return
        created = self._admin.create_topics(
            {
                topic.name: {
                    "num_partitions": topic.partitions,
                    "replication_factor": self.replication,
                    "configs": self._must_be(topic),
                }
                for topic in topics
            },
            raise_errors=False,
        )
        for each in created["topics"]:
            if each["error_code"]:
                raise BadInput(f"{each['name']} cannot be created: {each['error_message']}")
        self._admin.wait_for_topics([topic.name for topic in topics])

    def _set(self, topic: Topic, settings: dict[str, str]) -> None:
        if not settings:
            return
        wanted = ConfigResource(ConfigResourceType.TOPIC, topic.name, settings)
        answer = self._admin.alter_configs([wanted])["topic"][topic.name]
        if answer != "OK":
            raise BadInput(f"{topic.name} cannot be set: {answer}")

    def _must_be(self, topic: Topic) -> dict[str, str]:
        return {**topic.config, _IN_SYNC: str(max(1, self.replication - 1))}

    def _config(self, topics: list[Topic]) -> dict[str, dict[str, Any]]:
        if not topics:
            return {}
        wanted = [
            ConfigResource(ConfigResourceType.TOPIC, topic.name, list(self._must_be(topic)))
            for topic in topics
        ]
        described: dict[str, dict[str, Any]] = self._admin.describe_configs(wanted, config_filter="all")[
            "topic"
        ]
        return described

    def _differences(
        self, topic: Topic, partitions: list[dict[str, Any]], config: dict[str, Any]
    ) -> tuple[Difference, ...]:
        replicas = {len(each["replica_nodes"]) for each in partitions}
        pairs = [
            ("partitions", str(len(partitions)), str(topic.partitions)),
            ("replication", " and ".join(map(str, sorted(replicas))), str(self.replication)),
            *((name, config[name]["value"], value) for name, value in self._must_be(topic).items()),
        ]
        return tuple(
            Difference(name, stands, must_be) for name, stands, must_be in pairs if stands != must_be
        )


@contextmanager
def topic_setup(address: str, replication: int | None = None) -> Iterator[TopicSetup]:
    """Return a broker's topics; see TopicSetup.

    Raises:
        BadInput: no broker answers at the address (HOST:PORT), or Kafka refuses a request.
    """
    # The client warns of every attempt; the result is reported in one line below.
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    try:
        admin = KafkaAdminClient(bootstrap_servers=address, bootstrap_timeout_ms=_ANSWER_MS)
    except (KafkaError, ValueError):
        raise BadInput(f"{address}: no Kafka broker answers there within {_ANSWER_MS // 1000} s") from None
    with admin:
        try:
            yield TopicSetup(admin, replication)
        except KafkaError as error:
            raise BadInput(f"{address}: Kafka refuses: {error}") from None


def create_topics(address: str) -> None:
    """Create what is missing on a broker, with the replication that fits its cluster.

    Raises:
        BadInput: no broker answers at the address (HOST:PORT), or Kafka refuses.
    """
    with topic_setup(address) as setup:
        setup.make(setup.compare())
