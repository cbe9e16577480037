"""Entries of a timeline: rounds as concluded, findings, and events in words."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, field

from projections.engine.conclusion import Conclusion
from projections.engine.crew import Crew, CrewChange
from projections.engine.findings import Finding
from projections.engine.observation import Round
from projections.views.finding_text import finding_text
from schemas.events import (
    CreditSent,
    DealerAssigned,
    DealerRelieved,
    DeviceCameBack,
    DeviceWentSilent,
    EventId,
    FillReceived,
    FloorpersonAssigned,
    HouseRulesChanged,
    ReportCorrected,
    Reported,
    RoundVoided,
    SettlementAdjusted,
    ShoeCounted,
    ShoeExhausted,
    ShoeLoaded,
    SimulatedRoundDealt,
    TableClosed,
    TableOpened,
)
from schemas.house import House
from schemas.surveillance import OperatorActed
from schemas.values import Person, dollars, in_words

# ── An event in words for a person: its kind, and its details ─────────────────────────────────────────

_NO_DETAILS: Final = "{}"
_OMITTED: Final = frozenset({*Reported.__struct_fields__, "heard"})


def event_text(event: Reported) -> str:
    """Return an event in words: its kind and its fields.

    >>> from schemas.events import DealerAssigned, FillReceived
    >>> event_text(DealerAssigned(device="T-1", epoch=1, seq=2, at=0, dealer="D-7", calling=True))
    'dealer assigned: dealer D-7, calling'
    >>> event_text(FillReceived(device="T-1", epoch=1, seq=2, at=0, slip="F-1", cents=250_000))
    'fill received: slip F-1, $2,500.00'

    Of an operator's action that is who, what and to what, and what was said with it.
    """
    if isinstance(event, OperatorActed):
        done = event.action if event.subject is None else f"{event.action} {event.subject}"
        details = f", {event.details}" if event.details != _NO_DETAILS else ""
        return f"{event.role} {event.who}: {done}{details}"
    details = ", ".join(_words(event))
    return f"{_kind_words(type(event).__name__)}: {details}" if details else _kind_words(type(event).__name__)


def _words(event: Any) -> Iterator[str]:
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if name in _OMITTED or value is None or value is False or value in ((), {}):
            continue
        word = in_words(name)
        if name == "denominations":
            yield "chips " + " ".join(f"{count} x {dollars(cents)}" for cents, count in value.items())
        elif name.endswith("cents"):
            kind = word.removesuffix("cents").strip()
            yield f"{kind} {dollars(value)}".strip()
        else:
            words = in_words(value) if name == "wager" else _value_text(value)
            yield word if value is True else f"{word} {words}"


def _value_text(value: object) -> str:
    if isinstance(value, EventId):
        return f"{value.device} {value.epoch}/{value.seq}"
    if isinstance(value, Person):
        return f"{value.name} ({in_words(value.role)})"
    if isinstance(value, Reported):
        return f"({event_text(value)})"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={each}" for name, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(_value_text(each) for each in value)
    return str(value)


@cache
def _kind_words(kind: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r" \1", kind).lower()


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Entries of a timeline: rounds as concluded, findings, and events, each with the same fields. A conclusion is
# at the moment at which its round opened, a shoe's at that of its last round on the gaming day on which it
# began, an account's at the end of its gaming day. Nothing here reads or prints.

Kind: TypeAlias = Literal["round", "finding", "event"]
# Who sat in which seat at a moment (microseconds UTC), or sat down in the round of a number.
Sits: TypeAlias = Callable[[int, str], Mapping[int, str]]

# The events that an investigator looks for; the others are there when they are asked for.
SOUGHT: Final[frozenset[type[Reported]]] = frozenset(
    {
        CreditSent,
        DealerAssigned,
        DealerRelieved,
        DeviceCameBack,
        DeviceWentSilent,
        FillReceived,
        FloorpersonAssigned,
        HouseRulesChanged,
        OperatorActed,
        ReportCorrected,
        RoundVoided,
        SettlementAdjusted,
        ShoeCounted,
        ShoeExhausted,
        ShoeLoaded,
        SimulatedRoundDealt,
        TableClosed,
        TableOpened,
    }
)
# What an entry has of its finding by the same name, where the finding has it.
_OF_FINDING: Final = (
    "seat", "bettor", "patron", "wager", "hand", "device", "expected_cents", "observed_cents", "gross_cents",
    "vigorish_cents", "net_cents", "variance_cents", "favours",
)  # fmt: skip
_DEALER: Final = 0  # as a seat
_ROOM_S: Final = "465a"  # the chapter that the surveillance room stands under
_ROUNDS_HELD: Final = 64  # of a table, to which a later event may belong


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Entry of a timeline: `at` in microseconds UTC, sums in cents.

    `cents` of a round is what its patrons gained together after vigorish, negative where the house won; of an
    event the sum that it names. The sums of a finding have its names.
    """

    at: int
    gaming_date: date
    table: str
    kind: Kind
    chapter: str
    message: str
    pit: str | None = None
    round: str | None = None
    shoe: str | None = None
    account: str | None = None
    dealer: str | None = None
    floorperson: str | None = None
    seat: int | None = None
    bettor: str | None = None
    patron: str | None = None
    wager: str | None = None
    hand: str | None = None
    device: str | None = None
    event: str | None = None
    check: str | None = None
    severity: str | None = None
    weight: str | None = None
    verdict: str | None = None
    outcome: str | None = None
    cents: int | None = None
    expected_cents: int | None = None
    observed_cents: int | None = None
    gross_cents: int | None = None
    vigorish_cents: int | None = None
    net_cents: int | None = None
    variance_cents: int | None = None
    favours: str | None = None
    citations: tuple[str, ...] = ()
    id: str | None = None
    operator: str | None = None
    subject: str | None = None

    @property
    def comes_to_cents(self) -> int | None:
        """Return what a finding comes to: the net or, of a count, the variance; None without a sum."""
        return self.net_cents if self.net_cents is not None else self.variance_cents


class Concluding(Struct, frozen=True, tag=True):
    """A conclusion: the entry of its round, shoe or account, those of its findings, and who wagered in it.

    Only a round's own entry is shown.
    """

    about: Entry
    findings: tuple[Entry, ...]
    seats: tuple[int, ...] = ()
    bettors: tuple[str, ...] = ()


class Happening(Struct, frozen=True, tag=True):
    """An event, and itself if it changes the crew of its table."""

    entry: Entry
    crew_change: CrewChange | None = None


Moment: TypeAlias = Concluding | Happening


def of_conclusion(conclusion: Conclusion, observed: Round | None, house: House) -> Concluding:
    """Enter a conclusion; a shoe stands at the start of its gaming day until its last round is known."""
    begins, ends = house.bounds(conclusion.gaming_date)
    setup = house.tables.get(conclusion.table)
    about = Entry(
        at=observed.at if observed is not None else begins if conclusion.shoe is not None else ends - 1,
        gaming_date=conclusion.gaming_date,
        table=conclusion.table,
        kind="round",
        chapter=conclusion.chapter,
        pit=setup.pit if setup is not None else None,
        round=conclusion.round,
        shoe=conclusion.shoe,
        account=conclusion.account,
        dealer=observed.dealer if observed is not None else None,
        floorperson=observed.floorperson if observed is not None else None,
        verdict=conclusion.verdict,
        outcome=conclusion.outcome,
        cents=_gained(observed),
        message=_summary(conclusion, _gained(observed)),
    )
    spots = () if observed is None else (*observed.wagers, *(observed.paid or ()))
    return Concluding(
        about,
        tuple(_of_finding(about, each) for each in (*conclusion.findings, *conclusion.notes)),
        tuple(sorted({key.seat for key in spots})),
        tuple(sorted({key.bettor for key in spots if key.bettor is not None})),
    )


def _gained(observed: Round | None) -> int | None:
    """Add up what a round's patrons gained after vigorish; None if settlement was not seen."""
    if observed is None or observed.paid is None:
        return None
    return sum(each.final_net_cents for key, each in observed.paid.items() if key.seat != _DEALER)


def _summary(conclusion: Conclusion, gained: int | None) -> str:
    result = f", {conclusion.outcome}" if conclusion.outcome is not None else ""
    money = "" if gained is None else f", patrons {'won' if gained >= 0 else 'lost'} {dollars(abs(gained))}"
    return f"round {conclusion.round}: {conclusion.verdict}{result}{money}"


def _of_finding(about: Entry, finding: Finding) -> Entry:
    return msgspec.structs.replace(
        about,
        kind="finding",
        outcome=None,
        cents=None,
        check=finding.check,
        severity=finding.severity,
        weight=finding.weight,
        **{name: _unless_unset(getattr(finding, name)) for name in _OF_FINDING},
        message=finding_text(finding),
        citations=finding.citations,
        id=finding.id,
    )


def _unless_unset(value: Any) -> Any:
    return None if value is UNSET else value


def of_event(event: Reported, table: str, house: House, *, every: bool) -> Happening | None:
    """Enter an event; None if it is not looked for."""
    kind = type(event)
    if not every and kind not in SOUGHT:
        return None
    setup = house.tables.get(table)
    fields = {
        name: getattr(event, name)
        for name in ("shoe", "dealer", "floorperson", "seat", "bettor", "patron", "wager", "hand", "cents")
        if hasattr(event, name)
    }
    entry = Entry(
        at=event.at,
        gaming_date=house.gaming_date(event.at),
        table=table,
        kind="event",
        chapter=setup.chapter if setup is not None else _ROOM_S,
        pit=setup.pit if setup is not None else None,
        round=event.round,
        device=event.device,
        event=kind.__name__,
        message=event_text(event),
        **fields,
    )
    if isinstance(event, OperatorActed):
        entry = msgspec.structs.replace(entry, operator=event.who, subject=event.subject)
    return Happening(entry, event if isinstance(event, CrewChange) else None)


class TableAtMoment(Struct):
    """People and rules at a table at a moment, as a timeline's entries report them one after the other.

    `sits` is who sat in which seat, by all that is known. `rounds` are the latest ones and whether they are
    shown, so that their events can go with them.
    """

    sits: Sits
    crew: Crew = Crew()
    shoe: str | None = None
    rounds: dict[tuple[date, str], bool] = field(default_factory=dict)

    def open(self, about: Entry, *, is_listed: bool) -> None:
        """Note a round."""
        self.crew, self.shoe = Crew(calling=about.dealer, floorperson=about.floorperson), about.shoe
        self.rounds[about.gaming_date, about.round or ""] = is_listed
        if len(self.rounds) > _ROUNDS_HELD:
            del self.rounds[next(iter(self.rounds))]

    def hear(self, happening: Happening) -> Entry:
        """Note an event, and return its entry with what it does not itself contain."""
        entry = happening.entry
        if happening.crew_change is not None:
            self.crew = self.crew.after(happening.crew_change)
        match entry.event:
            case "TableOpened":
                self.crew, self.shoe = Crew(), None
            case "ShoeLoaded":
                self.shoe = entry.shoe
        return self.with_patron(
            msgspec.structs.replace(
                entry,
                dealer=entry.dealer or self.crew.calling,
                floorperson=entry.floorperson or self.crew.floorperson,
                shoe=entry.shoe or self.shoe,
            )
        )

    def with_patron(self, entry: Entry) -> Entry:
        """Return the entry with the patron in its seat, if it names none and the person is known.

        If several bet on a spot the seat does not identify anybody. Who leaves sat there until then.
        """
        if entry.patron is not None or entry.seat is None or entry.bettor is not None:
            return entry
        at = entry.at - 1 if entry.event == "PlayerLeft" else entry.at
        return msgspec.structs.replace(entry, patron=self.sits(at, entry.round or "").get(entry.seat))
