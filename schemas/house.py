"""A house's own file: its zone and gaming day, its tables and their devices, its Rules Submissions."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from schemas.errors import BadInput
from schemas.events import Source
from schemas.law_text import NO_SPAN, Span, chapter, chapters
from schemas.ledgers import FLOOR, Ledger
from schemas.plain import Fault, Faults, document_of, faults, formed, line_of
from schemas.side_wagers import SideWager
from schemas.surveillance import STREAM
from schemas.values import Name, microseconds, moment

FOLDER: Final = Path(__file__).parent / "houses"
_HOUR: Final = re.compile(r"([01]\d|2[0-3]):[0-5]\d")

Duration: TypeAlias = Annotated[int, Meta(ge=0)]


class TableLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """Least and most wager that a table accepts, as on its sign; nothing is judged by them."""

    min_cents: Duration
    max_cents: Duration


class TableSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """A table: the chapter it plays under, its decks, what each of its devices reads, and its pit.

    `game` is which of its chapter's games it has if that is not the first, `electronic` that it is an
    electronic gaming table with a dealer. `limits` are for the console's floor.
    """

    chapter: Name
    sources: dict[Name, Source]
    decks: int | None = None
    pit: Name | None = None
    game: Literal["mini_craps"] | None = None
    electronic: bool = False
    limits: TableLimits | None = None


class UnreadTable(TableSetup, frozen=True):
    """A table that is not of its form in the file: what could be read of it, and every fault of it.

    Its devices stay known, so that what they report is recorded; it is not audited until it is corrected.
    """

    faults: tuple[Fault, ...] = ()


class CashLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """Cash of one patron in one gaming day that finance wants to see: paid in, or paid out, at least this."""

    in_cents: Duration = 1_000_000
    out_cents: Duration = 1_000_000


class CountFileAccess(Struct, frozen=True, forbid_unknown_fields=True):
    """Rights to read a file of the count's system, and to write in it, 465a.25(a)(2)(i)."""

    read: tuple[Name, ...] = ()
    write: tuple[Name, ...] = ()


class ShoeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Rarity of false warnings of a shoe in order: one in so many shoes, by each test of its cards."""

    one_in: Literal[100, 1000, 10_000] = 1000


class SeverityThresholds(Struct, frozen=True, forbid_unknown_fields=True):
    """Least amounts at which a finding of money is critical, or high; a smaller one is medium."""

    critical_cents: Duration = 500_000
    high_cents: Duration = 10_000


class Submission(Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """A Rules Submission: the options in force from a day, for a chapter's tables or for some of them.

    `offered` are side wagers that another text than the chapter's approves: by wager that text's citation,
    or the citation and the pay table by which they are settled.
    """

    since: date
    chapter: Name
    options: dict[Name, Any]
    tables: list[Name] | None = None
    offered: dict[Name, Name | SideWager] = {}


class CouponSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Assumptions about Match Play Coupons if the text is silent or leaves a choice.

    A coupon goes into the drop box within `drop_seconds` of the settlement, 603a.21(e). It is good through
    its expiry date or until it, 603a.20(c)(5). Where a tie redeems, it is dropped too. What (m) asks for
    daily is due at the next reconciliation, of whichever day, or each day has its own. A quarter is reported
    within `report_months`, (o). The months of 465a.6(c)(2) run from the last of `kept_from`. `marketing` are
    the departments that run the programme besides finance, 603a.20(d).
    """

    drop_seconds: Duration = 60
    good_through_expiry: bool = True
    tie_redeems: bool = False
    each_day_reconciled: bool = False
    voided_in_inventory: bool = False
    report_months: Duration = 1
    kept_from: tuple[Literal["count", "voiding", "return"], ...] = ("count", "voiding", "return")
    marketing: tuple[Name, ...] = ("marketing",)


# How the first four cards of a Baccarat hand are laid, 543.9(c)(1) to (3).
Dealing: TypeAlias = Literal["face_up", "face_down", "players"]
Settling: TypeAlias = Literal["losers_first", "by_player"]
# Wagers that a text leaves to the house, and that no option names.
OptionalWager: TypeAlias = Literal["match_the_dealer", "perfect_pairs", "fire", "bonus_craps"]


class ProcedureSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Assumptions about the floor's procedures if a text has a word and no figure.

    `cover_card_tolerance` is by how many cards the cover card may be lower if the text has "approximately",
    551.5(e). A pause longer than `idle_minutes` is one without gaming activity, 541.5(h) and its like; 0 is
    never. `dealing` is by chapter the way of dealing in the Rules Submission, 541.9(c) and its like;
    `adjacent_boxes` the number of boxes on which a player may wager by it, 551.14; `optional_wagers` the
    offered ones of the wagers that a text leaves to the house, 551.7(a) and its like; `settling` the dealer's
    order when wagers are settled, 685a.7(r). `reader_shows_hole_card` is true if a player can see a hole card
    in the reader, 551.16(l). `deliveries` are the ways to deliver stacks of tiles in the Rules Submission,
    535.9(a). `dice_alternative` is which of the three ways of 603a.13(f) the house follows, 0 to check none.

    Too few people, or too many tables, while one relieves another count from `relief_seconds` on, 465a.35; a
    camera that is out from `camera_outage_seconds` on, 465a.9. Within `outage_notice_minutes` somebody is
    notified of it by the house's own control; 0 requires no notice.
    """

    cover_card_tolerance: Duration = 0
    idle_minutes: Duration = 60
    dealing: dict[Name, Dealing] = {}
    adjacent_boxes: dict[Name, Duration] = {}
    optional_wagers: dict[Name, tuple[OptionalWager, ...]] = {}
    settling: dict[Name, Settling] = {}
    reader_shows_hole_card: bool | None = None
    deliveries: tuple[Name, ...] | None = None
    relief_seconds: Duration = 60
    camera_outage_seconds: Duration = 0
    outage_notice_minutes: Duration = 0
    dice_alternative: Literal[0, 1, 2, 3] = 0


# How people read dates and times: 03/01/2025 8:39:43 PM, or as ISO 8601 has them, 2025-03-01 20:39:43.
Locale: TypeAlias = Literal["us", "iso"]


class House(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A property's configuration; times as durations of events' own clocks.

    `in_force` gives chapters another span than their texts have: a start of the house's own if no printed
    text has one, a later end if the replacement of a temporary text has the same content. `ledgers` are the
    devices of each ledger; without them, no slip, box or coupon is required. `count_approved` is the day on
    which the internal controls of the count were approved, 465a.25(a). `shifts` are the hours at which a
    shift begins.
    """

    house: Name
    zone: Name = "America/New_York"
    locale: Locale = "us"
    gaming_day_starts: Name = "06:00"
    clock_uncertainty_ms: Duration = 250
    patience_seconds: Duration = 10
    lateness_seconds: Duration = 120
    tables: dict[Name, TableSetup] = {}
    submissions: list[Submission] = []
    in_force: dict[Name, Span] = {}
    coupons: CouponSettings = CouponSettings()
    ledgers: dict[Ledger, list[Name]] = {}
    shifts: list[Name] = []
    cash_limits: CashLimits = CashLimits()
    count_files: dict[Name, CountFileAccess] = {}
    count_approved: date | None = None
    shoes: ShoeSettings = ShoeSettings()
    severity: SeverityThresholds = SeverityThresholds()
    procedures: ProcedureSettings = ProcedureSettings()

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    @cached_property
    def _day_start(self) -> timedelta:
        hours, minutes = self.gaming_day_starts.split(":")
        return timedelta(hours=int(hours), minutes=int(minutes))

    def local(self, at: int) -> datetime:
        """Show a moment (microseconds UTC) in the property's zone."""
        return moment(at).astimezone(self._zone)

    def gaming_date(self, at: int) -> date:
        """Return the gaming date of a moment (microseconds UTC): the day on which its gaming day began.

        >>> from datetime import UTC
        >>> h = House(house="doctest")
        >>> at = int(datetime(2025, 1, 2, 10, 59, tzinfo=UTC).timestamp()) * 1_000_000
        >>> h.gaming_date(at), h.gaming_date(at + 60_000_000)
        (datetime.date(2025, 1, 1), datetime.date(2025, 1, 2))
        """
        return self.gaming_day(at)[0]

    @cached_property
    def _asked_last(self) -> list[tuple[date, int, int]]:
        return [(date.min, 0, 0)]

    def gaming_day(self, at: int) -> tuple[date, int, int]:
        """Return the gaming date of a moment, and where that day begins and ends (microseconds UTC)."""
        found = self._asked_last[0]  # of events in a row nearly all are of one day
        if not found[1] <= at < found[2]:
            found = self._asked_last[0] = self._day_of(at)
        return found

    def _day_of(self, at: int) -> tuple[date, int, int]:
        day = (self.local(at).replace(tzinfo=None) - self._day_start).date()
        # Where clocks are put forward over the start of the day the estimate can be a day off.
        if at < self._begins(day):
            day -= timedelta(days=1)
        elif at >= self._begins(day + timedelta(days=1)):
            day += timedelta(days=1)
        return day, *self.bounds(day)

    def bounds(self, day: date) -> tuple[int, int]:
        """Return where a gaming day begins and ends, microseconds UTC: 23 or 25 hours where clocks change.

        >>> begins, ends = House(house="doctest").bounds(date(2025, 3, 8))
        >>> (ends - begins) // 3_600_000_000
        23
        """
        return self._begins(day), self._begins(day + timedelta(days=1))

    def late(self, day: date) -> int:
        """Return the moment after which nothing of a gaming day is revised: its end, and the lateness window.

        >>> h = House(house="doctest")
        >>> h.late(date(2025, 3, 1)) - h.bounds(date(2025, 3, 1))[1]
        120000000
        """
        return self.bounds(day)[1] + self.lateness_seconds * 1_000_000

    def _begins(self, day: date) -> int:
        return microseconds(datetime.combine(day, time(), self._zone) + self._day_start)

    def beside_tables(self, name: str) -> bool:
        """Return True if a stream is of no table: a ledger that the house keeps, or the surveillance room's.

        >>> House(house="doctest").beside_tables("surveillance")
        True
        """
        return name == STREAM or name in self.ledgers

    @property
    def is_supervision_reported(self) -> bool:
        """Return True if the staff source of any table reports who supervises it."""
        return any("staff" in setup.sources.values() for setup in self.tables.values())

    @property
    def has_accounts_across_tables(self) -> bool:
        """Return True if accounts of several tables are drawn up: of ledgers, or of the floor."""
        return bool(self.ledgers) or self.is_supervision_reported

    def span(self, chapter: str) -> Span:
        """Return when the house holds a chapter to be in force, if it defines that itself."""
        return self.in_force.get(chapter, NO_SPAN)

    def submitted(self, chapter: str, table: str, day: date) -> bool:
        """Return True if a Rules Submission for a table was in force on a day."""
        return any(
            each.chapter == chapter and each.since <= day and (each.tables is None or table in each.tables)
            for each in self.submissions
        )

    @property
    def has_rules(self) -> bool:
        """Return False if the house names no tables and submissions, and so leaves the text's defaults."""
        return bool(self.tables or self.submissions)

    def options(self, chapter: str, table: str, day: date) -> dict[str, Any]:
        """Return what the house chose for a table on a day: its chapter's submission, then its own."""
        chosen: dict[str, Any] = {}
        for submission in self.in_effect(chapter, table, day):
            chosen |= submission.options
        return chosen

    def offered(self, chapter: str, table: str, day: date) -> dict[str, str | SideWager]:
        """Return the side wagers of other texts that a table offers on a day: citation, or pay table too."""
        found: dict[str, str | SideWager] = {}
        for submission in self.in_effect(chapter, table, day):
            found |= submission.offered
        return found

    def in_effect(self, chapter: str, table: str, day: date) -> list[Submission]:
        """Return the submissions by which a table plays on a day: the chapter's, then its own over that."""
        found: list[Submission] = []
        for own in (False, True):
            in_force = [
                submission
                for submission in self.submissions
                if submission.chapter == chapter
                and submission.since <= day
                and (table in submission.tables if submission.tables is not None else not own)
                and own is (submission.tables is not None)
            ]
            if in_force:
                found.append(max(in_force, key=lambda submission: submission.since))
        return found


DEFAULT: Final = House(house="default")


def parse(text: str, where: str) -> House:
    """Read a house file's text, a table that is not of its form as an `UnreadTable`; `where` names it.

    Raises:
        BadInput: something else in it is not of the form of a house file.
    """
    document = document_of(text, where, "a house file")
    try:
        house = msgspec.convert(document, House)
    except msgspec.ValidationError:
        house = _without_faults(document, faults(document, House)) or formed(
            text, House, where, "a house file"
        )
    for path, message in _beyond_form(house):
        raise BadInput(f"{where}:{line_of(text, path)}: not a house file: {message}")
    return house


def _without_faults(document: Any, checked: Faults) -> House | None:
    """Return the house of a document whose faults are all in tables; None if one is elsewhere."""
    by_table: dict[str, list[Fault]] = {}
    for fault in checked.found:
        if not is_of_table(fault):
            return None
        by_table.setdefault(str(fault.path[1]), []).append(_calendar(fault, document))
    house = msgspec.convert(checked.left, House)
    return replace(
        house,
        tables={
            name: _unread(body, house.tables.get(name), tuple(by_table[name]))
            if name in by_table
            else house.tables[name]
            for name, body in document["tables"].items()
        },
    )


def is_of_table(fault: Fault) -> bool:
    """Return True if a fault of form is within a table: then the other tables are not touched by it."""
    return fault.path[:1] == ("tables",) and len(fault.path) > 1


def _unread(body: Any, readable: TableSetup | None, found: tuple[Fault, ...]) -> UnreadTable:
    if readable is not None:
        return UnreadTable(**asdict(readable), faults=found)
    entries = body if isinstance(body, dict) else {}
    try:
        sources = msgspec.convert(entries.get("sources"), dict[Name, Source])
    except msgspec.ValidationError:
        sources = {}
    return UnreadTable(str(entries.get("chapter")), sources, faults=found)


class Draft(Struct, frozen=True):
    """A house file that may not be of its form: every fault of that, and the house without what is at fault.

    `house` is None if nothing is left. `numbers` are those that its submissions have in the file, and
    `tables` all the tables that the file names.
    """

    faults: list[Fault]
    house: House | None
    numbers: list[int]
    tables: list[str]


def draft(text: str, where: str) -> Draft:
    """Read a house file's text with every fault of its form; `where` names it in messages.

    Raises:
        BadInput: it is no YAML of plain values.
    """
    document = document_of(text, where, "a house file")
    checked = faults(document, House)
    found = [_calendar(each, document) for each in checked.found]
    house = msgspec.convert(checked.left, House) if checked.left is not None else None
    if house is not None:
        found += [Fault(path, message) for path, message in _beyond_form(house)]
    submissions = checked.left.get("submissions", []) if house is not None else []
    tables = document.get("tables") if isinstance(document, dict) else None
    return Draft(
        found,
        house,
        checked.numbers(submissions),
        list(map(str, tables)) if isinstance(tables, dict) else [],
    )


def _calendar(fault: Fault, document: Any) -> Fault:
    """Return a fault as it is, or of a date that no calendar has, in other words."""
    if "encoded date" not in fault.message:
        return fault
    for step in fault.path:
        document = document[step]
    return Fault(fault.path, f"{document} is no date of the calendar")


def _beyond_form(house: House) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield what of a house is at fault though it is of the form: the place, and why."""
    try:
        house.local(0)
    except (ValueError, ZoneInfoNotFoundError) as error:
        yield ("zone",), " ".join(str(error).split())
    hour = 'an hour and minute in quotes, such as "06:00"'
    if house.severity.critical_cents < house.severity.high_cents:
        yield ("severity", "critical_cents"), "severity: critical_cents must not be below high_cents"
    if not _HOUR.fullmatch(house.gaming_day_starts):
        yield ("gaming_day_starts",), f"gaming_day_starts: {hour}"
    for n, shift in enumerate(house.shifts):
        if not _HOUR.fullmatch(shift):
            yield ("shifts", n), f"shifts: {hour}"
    taken = dict.fromkeys(house.ledgers, "a ledger") | {
        FLOOR: "the whole floor",
        STREAM: "the surveillance room's stream",
    }
    for name in house.tables:
        if name in taken:
            yield ("tables", name), f"{name} is the name of {taken[name]}; no table may have it"
    for number, span in house.in_force.items():
        if (message := _span_fault(number, span)) is not None:
            yield ("in_force", number), f"in_force: {message}"


def _span_fault(number: str, span: Span) -> str | None:
    """Return why a house may not give a chapter a span.

    There is no such chapter; a start before its text's, or of its own where the text has one that is beyond
    doubt; an end where the text has none.
    """
    loaded = chapters()
    if number not in loaded:
        return f"unknown chapter {number!r}; there are {', '.join(loaded)}"
    texts = chapter(number).texts
    first = min(texts)
    if span.since is not None and (span.since < first or texts[first].status != "proposed"):
        return (
            f"Chapter {number} begins on {first} ({texts[first].status}); "
            "a later start is for texts that were printed as proposed"
        )
    if span.until is not None and all(text.until is None for text in texts.values()):
        return f"the text of Chapter {number} has no end that could be put off"
    return None


def load(name: str, folder: Path) -> House:
    """Load a house by its name in schemas/houses, or by a path relative to `folder`.

    Raises:
        BadInput: there is no such file, or it is at fault.
    """
    return read(name, folder)[0]


def path_of(name: str, folder: Path) -> Path:
    """Find a house's file by its name in schemas/houses, or by a path relative to `folder`.

    Raises:
        BadInput: there is no such file.
    """
    path = FOLDER / f"{name}.yaml"
    if not path.is_file():
        path = folder / name
    if path.is_dir():
        raise BadInput(f"{path}: a folder, and no house file")
    if not path.is_file():
        raise BadInput(f"no house file {name!r} in schemas/houses or beside {folder}")
    return path


def read(name: str, folder: Path) -> tuple[House, bytes]:
    """Load a house as `load` does, and return its file's bytes too, from one reading.

    Raises:
        BadInput: there is no such file, or it is at fault.
    """
    path = path_of(name, folder)
    text = text_of(path)
    return parse(text, str(path)), text.encode()


def text_of(path: Path) -> str:
    """Read a house file's text.

    Raises:
        BadInput: it cannot be read, or is not UTF-8.
    """
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not a house file: {error}") from None
