"""What a bundle holds besides the hand and its proof: who lets it out, and what is left out."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from projections.evidence.bundle_hand import Book
from projections.evidence.bundle_sums import Settlement
from projections.evidence.checkpoint import Checkpoint


class Release(Struct, frozen=True, kw_only=True):
    """Who lets a bundle out, when (UTC, whole seconds), why, by which command; the footage of the hand.

    `house` is the file to judge by, where it was named and is not the one that was closed.
    """

    at: datetime
    by: str
    why: str | None
    command: tuple[str, ...]
    house: str | None
    footage: Mapping[str, str | None]
    custody: Sequence[Mapping[str, object]]


class Place(Struct, frozen=True):
    """A shown event by its part's place in proof.json and its leaf."""

    part: int
    leaf: int


class Why(Struct, frozen=True):
    """How many events are withheld for one reason."""

    why: str
    events: int


class Withheld(Struct, frozen=True):
    """What of a hand is not shown: events by the reason, findings about others, sentences that tell of them.

    `corrected` are shown events that a correction, which is withheld, says were mistaken.
    """

    events: tuple[Why, ...]
    findings: int
    sentences: int
    corrected: tuple[Place, ...]


class Contents(Struct, frozen=True, kw_only=True):
    """What a bundle tells, as its page and its files need it."""

    settlement: Settlement
    book: Book
    withheld: Withheld
    checkpoints: tuple[Checkpoint, ...]
