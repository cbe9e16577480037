"""Contents of a new dispute's form, and the parts of a dispute as a form has them."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args
from zoneinfo import ZoneInfo

from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromQuery, QueryParameter
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from projections.casework.disputes.dispute_state import AboutPart as Disputed
from projections.casework.disputes.dispute_state import Acceptance, Dispute
from projections.engine.observation import is_name, who_of
from projections.views.table_picture import staked
from projections.views.time_text import date_text, moment_text
from projections.web.pages.alert_view import FloorContext, load_alert_view
from projections.web.phrases.page_phrases import name_of
from projections.web.records.record_views import ListQuery, RecordKey, RecordView
from projections.web.records.store_queries import Reader, run_of
from projections.web.records.viewer_scope import ViewerScope
from schemas.values import Micros, dollars, moment

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Initial contents of a new dispute: the hand of an alert, that of a round's page with its seats, or nothing.

_PARTS: Final = ("rounds", "day", "table", "round")  # of the path of a round's page


class SeatChoice(Struct, frozen=True):
    """Hand of a round in dispute: as `3` or `3/B`, who sat there, and its cards and wagers in words.

    `patron` is None if unknown, and masked where names are.
    """

    seat: str
    patron: str | None
    lay: str


class DisputeDraft(Struct, frozen=True):
    """Initial contents of a new dispute, by its hand; with a patron only if the hand's names are shown.

    `page` is the round's page from which it is opened, `seats` are those of the round, and `chosen` is the
    requested one if it exists. If none was requested, `is_suggested` is true if the findings chose it.
    """

    table: str = ""
    gaming_date: str = ""
    rounds: str = ""
    seat: str = ""
    patron: str = ""
    alerts: str = ""
    page: str = ""
    seats: tuple[SeatChoice, ...] = ()
    chosen: str = ""
    is_suggested: bool = False


def dispute_draft(
    reader: NamedDependency[Reader],
    floor_context: NamedDependency[FloorContext],
    viewer_scope: NamedDependency[ViewerScope],
    alert: FromQuery[str | None] = None,
    page: Annotated[str | None, QueryParameter(name="round")] = None,
    seat: FromQuery[str | None] = None,
) -> DisputeDraft:
    """Return what a dispute begins with.

    Raises:
        NotFoundException: there is no such alert for this person, or no such page.
    """
    if alert:
        return _of_alert(reader, floor_context, viewer_scope, alert)
    return _of_round(reader, viewer_scope, page, seat) if page else DisputeDraft()


def _of_alert(
    reader: Reader, floor_context: FloorContext, viewer_scope: ViewerScope, alert: str
) -> DisputeDraft:
    alert_view = load_alert_view(reader, reader.runs(), None, alert, floor_context, viewer_scope)
    if alert_view is None:
        raise NotFoundException(f"There is no alert {alert} in this store.")
    is_named = viewer_scope.shows_names(alert_view.record.id, alert) is not None
    seat: int | UnsetType | None = alert_view.finding.seat
    if not seat and (wronged := _wronged(alert_view.record, _offered(alert_view.record))) is not None:
        seat = int(wronged.seat.partition("/")[0])
    at_seat = [each.patron for each in alert_view.record.seated if each.seat == seat]
    return DisputeDraft(
        table=alert_view.record.table,
        gaming_date=str(alert_view.record.gaming_date),
        rounds=alert_view.record.round or "",
        seat=str(seat) if seat is not UNSET and seat else "",
        patron=_display_name(alert_view.finding.bettor or next(iter(at_seat), None), is_named=is_named),
        alerts=alert,
    )


def _of_round(reader: Reader, viewer_scope: ViewerScope, page: str, chosen: str | None) -> DisputeDraft:
    parts = page.strip("/").split("/")
    if len(parts) != len(_PARTS) or parts[0] != _PARTS[0]:
        raise NotFoundException(f"{page} is not the page of a round: /rounds/day/table/round.")
    _, day, table, number = parts
    record = _stored_round(reader, viewer_scope, day, name_of(table), name_of(number))
    seats = tuple(_offered(record)) if record is not None else ()
    wronged = _wronged(record, seats) if record is not None and chosen is None else None
    hand = wronged or next((each for each in seats if each.seat == chosen), None)
    is_named = record is not None and viewer_scope.shows_names(record.id) is not None
    return DisputeDraft(
        table=name_of(table),
        gaming_date=day,
        rounds=name_of(number),
        seat=hand.seat.partition("/")[0] if hand is not None else "",
        patron=_display_name(_whose(hand), is_named=is_named) if hand is not None else "",
        alerts=",".join(_found(record, hand)) if record is not None and hand is not None else "",
        page=page,
        seats=seats,
        chosen=hand.seat if hand is not None else "",
        is_suggested=wronged is not None,
    )


def existing_disputes(begin: DisputeDraft, disputes: Iterable[Dispute]) -> list[Dispute]:
    """Return those of some disputes that are of the same hand, or without a seat of the same round."""
    if begin.is_suggested:
        begin = replace(begin, seat="", patron="", alerts="")
    return [each for each in disputes if _is_of(each.about, begin)]


def _is_of(about: Disputed, begin: DisputeDraft) -> bool:
    if not set(about.alerts).isdisjoint(begin.alerts.split(",")):
        return True
    if (about.table, str(about.gaming_date)) != (begin.table, begin.gaming_date):
        return False
    at_seat = not begin.seat or about.seat is None or str(about.seat) == begin.seat
    return begin.rounds in about.rounds and at_seat and not _are_apart(begin.patron, about.patron or "")


def _are_apart(one: str, other: str) -> bool:
    """Return True if two letters of spots stand for two bettors; names may have been typed differently."""
    return bool(one and other) and not is_name(one) and not is_name(other) and one != other


def _whose(hand: SeatChoice) -> str | None:
    return hand.seat.partition("/")[2] or hand.patron


def _display_name(patron: str | None, *, is_named: bool) -> str:
    """Return who it is as far as it is shown: a letter on a spot is no name."""
    return patron if patron is not None and (is_named or not is_name(patron)) else ""


def _found(record: RecordView, hand: SeatChoice) -> Iterable[str]:
    """Yield the alerts of a seat, of several bettors there those of one and those that name none of them."""
    seat, _, bettor = hand.seat.partition("/")
    for each in record.findings:
        if str(each.seat) == seat and (not bettor or (each.bettor or bettor) == bettor):
            yield each.id


def _wronged(record: RecordView, seats: Iterable[SeatChoice]) -> SeatChoice | None:
    """Return the hand of a round that is owed most; where none is owed, that which was overpaid most."""
    cents = {each.id: abs(each.comes_to_cents or 0) for each in record.findings}
    owed = {each.id for each in record.findings if each.favours == "house"}
    wrong: list[tuple[bool, int, SeatChoice]] = [
        (name in owed, cents[name], hand) for hand in seats for name in _found(record, hand) if cents[name]
    ]
    return max(wrong, key=lambda each: each[:2])[2] if wrong else None


def _stored_round(
    reader: Reader, viewer_scope: ViewerScope, day: str, table: str, number: str
) -> RecordView | None:
    """Return a round as the person may see it, or None if the store has none that they may see."""
    run = run_of(reader.runs(), ListQuery())
    try:
        on = date.fromisoformat(day)
    except ValueError:
        return None
    record = reader.record("round", RecordKey(run.run, on, table, number), None) if run is not None else None
    if record is None or viewer_scope.hides(record.id):
        return None
    viewer_scope.note_opened("round", record.id, record.id)
    return viewer_scope.masked(viewer_scope.without_patron_lines(record), record.id)


def _offered(record: RecordView) -> Iterable[SeatChoice]:
    """Yield the seats of a round: who wagered there, and who only sat there or had a marker button.

    Who sat where bettors of their own wagered is one of these.
    """
    patrons = {each.seat: each.patron for each in record.seated}
    spots = [spot for place in record.places for spot in place.wagers if spot.seat]
    sat = patrons.keys() - {spot.seat for spot in spots if spot.bettor is not None}
    lay: dict[tuple[int, str | None], list[str]] = {
        (seat, None): [] for seat in (*sat, *(each.seat for each in record.owing if each.bettor is None))
    }
    for spot in spots:
        lay.setdefault((spot.seat, spot.bettor), []).append(staked(spot))
    for (seat, bettor), wagers in sorted(lay.items(), key=lambda each: (each[0][0], each[0][1] or "")):
        patron = patrons.get(seat) if bettor is None else None
        yield SeatChoice(who_of(seat, bettor), patron, ", ".join(wagers) or "no wager seen")


# ── The parts of a dispute as a form has them: each field with its name to a person and its sort ──────
# The same list makes the forms, the printed page and the history.

Sort: TypeAlias = Literal["words", "name", "names", "cents", "time", "day", "number", "choice"]


class FormField(Struct, frozen=True):
    """A field: its name in the action, its name to a person, its sort, and whether it must be filled in."""

    name: str
    label: str
    sort: Sort = "name"
    needed: bool = False
    options: tuple[str, ...] = ()


class FormPart(Struct, frozen=True):
    """A part of a dispute: its field in the dispute, the action that writes it, and its own fields.

    The one field of a part that is a single answer has no name.
    """

    name: str
    action: str
    title: str
    fields: tuple[FormField, ...]


PARTS: Final = (
    FormPart(
        "call",
        "dispute-call",
        "The call",
        (
            FormField("called", "Called", "time", needed=True),
            FormField("caller", "By"),
            FormField("answered", "Answered", "time"),
            FormField("answered_by", "Answered by"),
        ),
    ),
    FormPart(
        "about",
        "dispute-about",
        "What is disputed",
        (
            FormField("table", "Table", needed=True),
            FormField("gaming_date", "Gaming date", "day", needed=True),
            FormField("rounds", "Rounds", "names"),
            FormField("seat", "Seat", "number"),
            FormField("patron", "Patron"),
            FormField("supervisor", "Floor supervisor"),
            FormField("claim", "Claim", "words", needed=True),
            FormField("claim_cents", "Amount claimed", "cents"),
            FormField("alerts", "Alerts", "names"),
        ),
    ),
    FormPart(
        "footage",
        "dispute-footage",
        "Footage",
        (
            FormField("requested", "Requested", "time"),
            FormField("requested_by", "Requested by"),
            FormField("preserved", "Preserved", "time"),
            FormField("preserved_by", "Preserved by"),
            FormField("reference", "Reference"),
            FormField("expires", "Overwritten at", "time"),
            FormField("clock_offset_ms", "Recorder's clock ahead, ms", "number"),
        ),
    ),
    FormPart(
        "findings",
        "dispute-findings",
        "Findings",
        (
            FormField("text", "What the review found", "words", needed=True),
            FormField("began", "Review begun", "time"),
            FormField("ended", "Review ended", "time"),
            FormField("method", "Method of review"),
            FormField("savings_cents", "Savings", "cents"),
            FormField("losses_cents", "Losses", "cents"),
        ),
    ),
    FormPart(
        "ruling",
        "dispute-rule",
        "Ruling",
        (
            FormField("text", "Ruling", "words", needed=True),
            FormField("ruled_by", "Ruled by", needed=True),
            FormField("ruled", "Ruled", "time", needed=True),
            FormField("paid_cents", "Paid to the patron", "cents"),
        ),
    ),
    FormPart(
        "acceptance",
        "dispute-acceptance",
        "Patron's acceptance",
        (FormField("", "The patron", "choice", needed=True, options=get_args(Acceptance)),),
    ),
    FormPart(
        "referral",
        "dispute-refer",
        "Referral to the Board",
        (
            FormField("to", "The Board's representative", needed=True),
            FormField("at", "Referred", "time", needed=True),
        ),
    ),
)
_FIELDS: Final = {(part.name, field.name): field for part in PARTS for field in part.fields}


def value_of(dispute: Dispute, part: FormPart, field: FormField) -> Any:
    """Return the value of a field; None if it is empty."""
    stands = getattr(dispute, part.name)
    return getattr(stands, field.name) if field.name and stands is not None else stands


def filled_fields(dispute: Dispute, part: FormPart) -> list[tuple[FormField, Any]]:
    """Return the fields of a part that have a value, each with it."""
    values = ((field, value_of(dispute, part, field)) for field in part.fields)
    return [(field, value) for field, value in values if value not in (None, ())]


def field_text(part: str, name: str, value: Any, zone: str) -> str:
    """Write the value of a part's field for a person.

    >>> zone = "America/New_York"
    >>> field_text("ruling", "paid_cents", 55_000, zone), field_text("about", "rounds", ("48", "49"), zone)
    ('$550.00', '48, 49')
    >>> field_text("call", "called", 1_740_882_000_000_000, zone)
    '03/01/2025 9:20:00 PM EST'
    >>> field_text("about", "gaming_date", date(2025, 3, 1), zone)
    '03/01/2025'
    >>> field_text("acceptance", "", "accepted", zone)
    'accepted'
    """
    return _written(_FIELDS[part, name].sort, value, zone)


def _written(sort: Sort, value: Any, zone: str) -> str:
    if value is None:
        return ""
    if sort == "cents":
        return dollars(value)
    if sort == "time":
        return moment_text(moment(value), zone)
    if sort == "day":
        return date_text(value)
    return ", ".join(value) if sort == "names" else str(value)


def input_text(field: FormField, value: Any, zone: str) -> str:
    """Write a field's value as a form takes it: dollars without their sign, a time in the property's zone.

    >>> input_text(FormField("paid_cents", "Paid", "cents"), 123_450, "America/New_York")
    '1,234.50'
    >>> input_text(FormField("called", "Called", "time"), 1_740_882_000_000_000, "America/New_York")
    '2025-03-01T21:20:00'
    """
    if value is None:
        return ""
    if field.sort == "time":
        return local(value, zone)
    if field.sort == "day":
        return str(value)
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
