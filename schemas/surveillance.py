"""Actions of the surveillance room about findings, as events in parallel to the floor's.

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

    `subject` is absent if it concerned nothing in particular. `details` are the action's fields. `before` and
    `after` are what it changed of its subject (absent if there was nothing), each a JSON object as text.
    `digest` is the console's own chain: it covers this action and `previous`, the digest of the action before
    it, absent for the first of a store. `signature` is by the key of the console over `signed_content`;
    actions from before signing have none.
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
    """Return the signed content of an action: a fixed line, and the action as JSON without the signature."""
    return _SIGNED_AS + msgspec.json.encode(replace(action, signature=None))
