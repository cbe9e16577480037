"""What the surveillance room did about what was found: an operator's action, as an event beside the floor's.

They are a stream of their own, keyed by its name where a table's stream has the table. The console is their
device: an epoch of it is one store of the console, in which it numbers the actions without a gap.
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from schemas.events import Reported
from schemas.values import Name, Sentence

STREAM: Final = "surveillance"
DEVICE: Final = "console"

ActionId: TypeAlias = Annotated[
    str, Meta(pattern="^[0-9a-f]{32}$", description="chosen where the action was asked for")
]
Digest: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256, in hexadecimal")]


class OperatorActed(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """Someone acted at the console: who, in which role, what was done and to what.

    `subject` is absent where it was done to nothing in particular. `details` is what was said with it,
    `before` and `after` what of its subject it changed, as it stood and as it stands (absent: nothing did),
    each a JSON object as text. `digest` is the console's own chain: it covers this action and `previous`, the
    digest of the action before it, absent for the first of a store.
    """

    id: ActionId
    who: Name
    role: Name
    action: Name
    details: Sentence
    digest: Digest
    subject: Sentence | None = None
    before: Sentence | None = None
    after: Sentence | None = None
    previous: Digest | None = None
