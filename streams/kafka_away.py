"""Why Kafka is away, in one line for a person: the address, and what to do."""

from typing import Final

# The clients' words where no connection was made, and where one was lost.
_UNCONNECTED: Final = ("bootstrap", "KafkaConnectionError", "NoBrokersAvailable")


def away_reason(error: BaseException, brokers: str) -> str:
    """Return why Kafka is away, by what a client of it, or the network, raised.

    >>> away_reason(OSError("Unable to bootstrap from [('127.0.0.1', 9092)]"), "127.0.0.1:9092")
    '127.0.0.1:9092: no Kafka broker answers there; start it, or name another with --broker'
    >>> away_reason(TimeoutError(), "127.0.0.1:9092")
    '127.0.0.1:9092: TimeoutError'
    """
    text = str(error)
    if isinstance(error, ConnectionError) or any(
        word in f"{type(error).__name__} {text}" for word in _UNCONNECTED
    ):
        return f"{brokers}: no Kafka broker answers there; start it, or name another with --broker"
    return f"{brokers}: {text or type(error).__name__}"
