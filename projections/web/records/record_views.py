"""Views of the console, the same in its pages and under /api; money in cents, times in UTC."""

from datetime import date, datetime

from msgspec import UNSET, Struct, UnsetType

from projections.engine.conclusion import Line, Verdict
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase
from projections.views.table_picture import PicturePlace


class ListQuery(Struct, frozen=True):
    """Filter of findings, where None is any, and which revision, where None is the latest."""

    run: str | None = None
    table: str | None = None
    check: str | None = None
    severity: str | None = None
    verdict: str | None = None
    page: int = 1
    revision: int | None = None


class RecordKey(Struct, frozen=True):
    """Reference to a round, shoe or account of a run."""

    run: str
    day: date
    table: str
    name: str


class StandingFinding(FindingBase[Fact], frozen=True, kw_only=True):
    """A finding that stands, with the round, the shoe or the account that it is about.

    `table` is where that stands, the ledger's name for an account of no table; `concerns_table` is the table
    that the finding itself names.
    """

    gaming_date: date
    table: str
    round: str | UnsetType = UNSET
    shoe: str | UnsetType = UNSET
    account: str | UnsetType = UNSET
    concerns_table: str | UnsetType = UNSET
    at: datetime | UnsetType = UNSET
    verdict: Verdict
    revision: int


class FindingPage(Struct, frozen=True):
    """Page of the findings that stand: the newest day first, in it the most severe."""

    run: str | None
    page: int
    pages: int
    total: int
    findings: list[StandingFinding]


class Unread(Struct, frozen=True):
    """Unreadable record of a live floor: its place, the reason, and its text.

    `payload` is None if it is withheld from the viewer.
    """

    id: str
    cluster: str
    noted: datetime
    place: str
    reason: str
    payload: str | None
    table: str | None


class RefusedInput(Struct, frozen=True):
    """Input of one sender that was refused for one reason: how many records, and when the latest came."""

    sender: str
    reason: str
    records: int
    latest: datetime


class Quarantine(Struct, frozen=True):
    """Page of what could not be read or stored, the latest first."""

    page: int
    pages: int
    total: int
    records: list[Unread]


class Tally(Struct, frozen=True):
    """Counts of a run's rounds by verdict, and of the shoes and accounts that are not clean."""

    rounds: int
    clean: int
    undetermined: int
    mismatch: int
    shoes_not_clean: int
    accounts_not_clean: int


class FindingChoices(Struct, frozen=True):
    """The tables and checks that a run has findings of."""

    tables: list[str]
    checks: list[str]


class StoredWager(Struct, frozen=True):
    """A wager: its chips, what it was owed and what it brought; None if that is open or was not seen.

    `permitted_by` is the provision that permits the vigorish taken where the house chose to round otherwise.
    """

    seat: int
    wager: str
    bettor: str | None
    hand: str | None
    judged: bool
    cents: int | None
    coupon_cents: int | None
    coupon: str | None
    expected_cents: int | None
    expected_vigorish_cents: int | None
    paid_cents: int | None
    paid_vigorish_cents: int | None
    righted_cents: int | None
    righted_vigorish_cents: int | None
    later_cents: int | None
    later_vigorish_cents: int | None
    permitted_by: str | None = None


class Owing(Struct, frozen=True):
    """Vigorish on a marker button, whose it is, in cents: as the round was opened, and when it was over."""

    seat: int
    bettor: str | None
    cents: int
    after_cents: int


class Seated(Struct, frozen=True):
    """A patron whom the table's terminal named, and the seat in which they sat at a round."""

    seat: int
    patron: str


class Withdrawn(FindingBase[Fact], frozen=True, kw_only=True):
    """A finding that a later revision of its round does not have any more."""

    withdrawn_in: int


class RecordView(Struct, frozen=True):
    """All that a store has of one revision of a round, of a shoe, or of an account of a gaming day.

    `id` is its key in the store. An account has neither round nor shoe. `owing` are a round's marker buttons,
    `seated` the known patrons of those that sat there. `lines` are an account's, or the vigorish of a shoe;
    those that name patrons are for finance, and otherwise only counted. In `play` and `places` cards that
    were never turned up lie face down, and burned or discarded ones do so until their shoe has ended. Unless
    they are laid out `by_the_rules` of its judgement, no card is shown as disregarded.
    """

    id: str
    run: str
    gaming_date: date
    table: str
    round: str | None
    shoe: str | None
    account: str | None
    at: datetime | None
    chapter: str
    verdict: Verdict
    outcome: str | None
    announced: str | None
    dealer: str | None
    revision: int
    revisions: list[int]
    play: list[tuple[str, str]]
    places: list[PicturePlace]
    by_the_rules: bool
    wagers: list[StoredWager]
    owing: list[Owing]
    seated: list[Seated]
    lines: list[Line]
    lines_withheld: int
    findings: list[FindingBase[Fact]]
    notes: list[FindingBase[Fact]]
    withdrawn: list[Withdrawn]

    @property
    def counts_all(self) -> bool:
        """Return True if a card may be counted here that the rules disregarded.

        That is where these are not known and something was found in how a hand was dealt or drawn.
        """
        return not self.by_the_rules and any(each.who is not UNSET for each in self.findings)
