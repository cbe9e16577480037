"""Actions of the surveillance room about what was found, as events beside the floor's.

They are a stream of their own, keyed by its name where a table's stream has the table. The console is their
device: an epoch of it is one store of the console, in which it numbers the actions without a gap.
"""

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from schemas.events import Reported
from schemas.values import Name, Sentence

STREAM: Final = "surveillance"
DEVICE: Final = "console"
_SIGNED_AS: Final = b"discardrack action 1\n"

ActionId: TypeAlias = Annotated[
    str, Meta(pattern="^[0-9a-f]{32}$", description="chosen where the action was asked for")
]
Signature: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{128}$", description="Ed25519, in hexadecimal")]
Digest: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256, in hexadecimal")]


class OperatorActed(Reported, frozen=True, kw_only=True, gc=False, tag=True):
    """An operator acted at the console: who, in which role, what was done and to what.

    `subject` is absent where it was done to nothing in particular. `details` is what was said with it,
    `before` and `after` what of its subject it changed, as it stood and as it stands (absent: nothing did),
    each a JSON object as text. `digest` is the console's own chain: it covers this action and `previous`, the
    digest of the action before it, absent for the first of a store. `signature` is by the key of the console
    over `signed_content`; what was sent before actions were signed has none.
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
    signature: Signature | None = None


def signed_content(action: OperatorActed) -> bytes:
    """Return what an action's signature is over: a line that says so, and the action as JSON without it."""
    return _SIGNED_AS + msgspec.json.encode(replace(action, signature=None))
