"""The parts of a dispute as a form has them: each field with its name to a person and its sort.

The same list makes the forms, the printed page and the history.
"""

from typing import Any, Final, Literal, TypeAlias, get_args
from zoneinfo import ZoneInfo

from msgspec import Struct

from projections.casework.disputes.dispute_actions import Acceptance
from projections.casework.disputes.dispute_state import Dispute
from projections.web.phrases.page_phrases import moment as worded
from schemas.values import Micros, dollars, moment

Sort: TypeAlias = Literal["words", "name", "names", "cents", "time", "day", "number", "choice"]


class Field(Struct, frozen=True):
    """A field: its name in the action, its name to a person, its sort, and whether it must be filled in."""

    name: str
    label: str
    sort: Sort = "name"
    needed: bool = False
    options: tuple[str, ...] = ()


class Part(Struct, frozen=True):
    """A part of a dispute: its field in the dispute, the action that writes it, and its own fields.

    The one field of a part that is a single answer has no name.
    """

    name: str
    action: str
    title: str
    fields: tuple[Field, ...]


PARTS: Final = (
    Part(
        "call",
        "dispute-call",
        "The call",
        (
            Field("called", "Called", "time", needed=True),
            Field("caller", "By"),
            Field("answered", "Answered", "time"),
            Field("answered_by", "Answered by"),
        ),
    ),
    Part(
        "about",
        "dispute-about",
        "What is disputed",
        (
            Field("table", "Table", needed=True),
            Field("gaming_date", "Gaming date", "day", needed=True),
            Field("rounds", "Rounds", "names"),
            Field("seat", "Seat", "number"),
            Field("patron", "Patron"),
            Field("supervisor", "Floor supervisor"),
            Field("claim", "Claim", "words", needed=True),
            Field("claim_cents", "Amount claimed", "cents"),
            Field("alerts", "Alerts", "names"),
        ),
    ),
    Part(
        "footage",
        "dispute-footage",
        "Footage",
        (
            Field("requested", "Requested", "time"),
            Field("requested_by", "Requested by"),
            Field("preserved", "Preserved", "time"),
            Field("preserved_by", "Preserved by"),
            Field("reference", "Reference"),
            Field("expires", "Overwritten at", "time"),
            Field("clock_offset_ms", "Recorder's clock ahead, ms", "number"),
        ),
    ),
    Part(
        "findings",
        "dispute-findings",
        "Findings",
        (
            Field("text", "What the review found", "words", needed=True),
            Field("began", "Review begun", "time"),
            Field("ended", "Review ended", "time"),
            Field("method", "Method of review"),
            Field("savings_cents", "Savings", "cents"),
            Field("losses_cents", "Losses", "cents"),
        ),
    ),
    Part(
        "ruling",
        "dispute-rule",
        "Ruling",
        (
            Field("text", "Ruling", "words", needed=True),
            Field("ruled_by", "Ruled by", needed=True),
            Field("ruled", "Ruled", "time", needed=True),
            Field("paid_cents", "Paid to the patron", "cents"),
        ),
    ),
    Part(
        "acceptance",
        "dispute-acceptance",
        "Patron's acceptance",
        (Field("", "The patron", "choice", needed=True, options=get_args(Acceptance)),),
    ),
    Part(
        "referral",
        "dispute-refer",
        "Referral to the Board",
        (
            Field("to", "The Board's representative", needed=True),
            Field("at", "Referred", "time", needed=True),
        ),
    ),
)
_FIELDS: Final = {(part.name, field.name): field for part in PARTS for field in part.fields}


def value_of(dispute: Dispute, part: Part, field: Field) -> Any:
    """Return what stands in a field; None where nothing does."""
    stands = getattr(dispute, part.name)
    return getattr(stands, field.name) if field.name and stands is not None else stands


def stands(dispute: Dispute, part: Part) -> list[tuple[Field, Any]]:
    """Return the fields of a part that have a value, each with it."""
    values = ((field, value_of(dispute, part, field)) for field in part.fields)
    return [(field, value) for field, value in values if value not in (None, ())]


def told(part: str, name: str, value: Any, zone: str) -> str:
    """Write the value of a part's field for a person.

    >>> zone = "America/New_York"
    >>> told("ruling", "paid_cents", 55_000, zone), told("about", "rounds", ("484", "485"), zone)
    ('$550.00', '484, 485')
    >>> told("call", "called", 1_740_882_000_000_000, zone), told("acceptance", "", "accepted", zone)
    ('2025-03-01 21:20:00 EST', 'accepted')
    """
    return _written(_FIELDS[part, name].sort, value, zone)


def _written(sort: Sort, value: Any, zone: str) -> str:
    if value is None:
        return ""
    if sort == "cents":
        return dollars(value)
    if sort == "time":
        return worded(moment(value), zone)
    return ", ".join(value) if sort == "names" else str(value)


def typed(field: Field, value: Any, zone: str) -> str:
    """Write a field's value as it is typed: dollars without their sign, a time in the property's zone.

    >>> typed(Field("paid_cents", "Paid", "cents"), 123_450, "America/New_York")
    '1,234.50'
    >>> typed(Field("called", "Called", "time"), 1_740_882_000_000_000, "America/New_York")
    '2025-03-01T21:20:00'
    """
    if value is None:
        return ""
    if field.sort == "time":
        return local(value, zone)
    written = _written(field.sort, value, zone)
    return written.removeprefix("$") if field.sort == "cents" else written


def local(at: Micros, zone: str) -> str:
    """Write a time of the property's zone as a browser's field for it takes it.

    >>> local(1_740_882_000_000_000, "America/New_York")
    '2025-03-01T21:20:00'
    """
    return f"{moment(at).astimezone(ZoneInfo(zone)):%Y-%m-%dT%H:%M:%S}"


def label(part: str, name: str) -> str:
    """Return a part's field to a person.

    >>> label("footage", "expires"), label("findings", "text"), label("acceptance", "")
    ('Overwritten at', 'What the review found', 'The patron')
    """
    return _FIELDS[part, name].label
