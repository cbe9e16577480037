"""The details of an action as the store keeps them: what was asked for, and what had to be known for it."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from projections.casework.cases.case_actions import Action
from projections.casework.cases.case_state import Done
from projections.store.action_log import Acted

_Action = TypeVar("_Action", bound=Action)


class Details(Struct, frozen=True):
    """What was asked for, as JSON, and what had to be known then."""

    asked: msgspec.Raw
    facts: dict[str, str]


def done_of(acted: Acted, read: Callable[[bytes], _Action]) -> Done[Any]:
    """Return what was done, as books fold it; `read` reads what was asked for.

    Raises:
        msgspec.MsgspecError: it is no action of those that are read.
    """
    details = msgspec.json.decode(acted.details, type=Details)
    return Done[Any](action=read(bytes(details.asked)), who=acted.who, at=acted.at, facts=details.facts)
