"""Channel: a way to a target; its answers, and the secrets that it is made with."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

from msgspec import Struct

from projections.notify.notice import Notice
from projections.notify.outbox import Subscription
from schemas.errors import BadInput
from schemas.values import Micros

SECOND: Final = 1_000_000

# `gone` is a receiver that wants no more messages.
Result: TypeAlias = Literal["delivered", "retry", "gone"]


class Answer(Struct, frozen=True):
    """Result of an attempt; `detail` never contains an address or a secret.

    Nothing is to be sent to the receiver for `wait` microseconds, if it requested that.
    """

    result: Result
    detail: str
    wait: Micros | None = None


class Channel(Protocol):
    """A way to a target; a call may take as long as the target's timeout, and raises nothing."""

    def send(self, name: str, notice: Notice, at: Micros, subscription: Subscription | None) -> Answer:
        """Send a message, which is called `name` at each attempt."""


def secret_of(
    folder: Path, where: str, file: str | None, variable: str | None, environ: Mapping[str, str] = os.environ
) -> str:
    """Read a secret from a file, named from the escalation file's own folder, or from the environment.

    Raises:
        BadInput: it is not there or empty; the message has the place, and never the secret.
    """
    if variable is not None:
        text, place = environ.get(variable, ""), f"the environment variable {variable}"
    else:
        place = str(folder / str(file))
        try:
            text = Path(place).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise BadInput(f"{where}: {place}: cannot be read: {reason}") from None
    if not text.strip():
        raise BadInput(f"{where}: {place} is empty or not there")
    return text.strip()
