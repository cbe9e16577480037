"""Phrases of the console: cards, names, links, and what money means."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final, Protocol
from urllib.parse import quote, urlencode

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, fields

from projections.casework.alerts.queues import Sum
from projections.catalogue import paper_of
from projections.engine.conclusion import Line
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase, Side
from projections.engine.observation import PieceKind
from projections.views.finding_text import FactMentions
from projections.views.table_picture import difference
from projections.views.time_text import date_text
from projections.views.wager_view import Spot
from projections.web.records.record_views import ListQuery, RecordView, StandingFinding
from schemas.ledgers import is_table, table_called
from schemas.values import CARDS, TILES, Denominations, dollars, in_words

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠", "?": "?"}


def card(reading: str) -> str:
    """Write a card or a tile for a person.

    >>> card("Th"), card("9?"), card("??"), card("0?"), card("6-5")
    ('10♥', '9?', '??', 'ten or face', '6-5')
    """
    if reading in TILES:
        return reading
    if reading == "0?":
        return "ten or face"
    return reading[0].replace("T", "10") + _SUITS[reading[1]]


def act(what: str) -> str:
    """Write an act of the play: what was dealt or rolled, announced or done.

    >>> act("Th"), act("4-3"), act("no_more_bets")
    ('10♥', '4-3', 'no more bets')
    """
    return card(what) if what in CARDS else in_words(what)


def chips(denominations: Denominations | None) -> list[str]:
    """Write so many chips or bills of each worth, the dearest first.

    >>> chips({500: 20, 10000: 1200}), chips(None)
    (['1,200 of $100.00', '20 of $5.00'], [])
    """
    return [f"{count:,} of {dollars(worth)}" for worth, count in sorted((denominations or {}).items())[::-1]]


def whose(line: Line) -> str:
    """Return what a line of an account is of; a denomination of coupons is written as a sum.

    >>> whose(Line(name="redeemed_in_quarter", of="2500")), whose(Line(name="closer", of="I-3"))
    ('$25.00', 'I-3')
    """
    if line.of is not None and line.name == "redeemed_in_quarter":
        return dollars(int(line.of))
    return line.of or ""


def pace(times: float) -> str:
    """Return how fast a recorded floor plays.

    >>> pace(1), pace(2.5), pace(1e6)
    ('as fast as it was', '2.5 times as fast as it was', '1,000,000 times as fast as it was')
    """
    often = f"{Decimal(str(times)).normalize():,f} times " if times != 1 else ""
    return f"{often}as fast as it was"


def place(about: StandingFinding | RecordView) -> str:
    """Return the path of the page of a round, shoe or account.

    With /api before it, it is that of the JSON.
    """
    names = {"round": about.round, "account": about.account, "shoe": about.shoe}
    kind, name = next((kind, name) for kind, name in names.items() if name)
    return page_of(kind, about.gaming_date, about.table, name)


def page_of(kind: str, day: date, table: str, name: str) -> str:
    """Return the path of the page of a round, a shoe or an account.

    >>> page_of("round", date(2025, 3, 1), "BAC/1", "88")
    '/rounds/2025-03-01/BAC~11/88'
    """
    return f"/{kind}s/{day}/{segment(table)}/{segment(name)}"


def subject(about: StandingFinding | RecordView) -> str:
    """Return which round, shoe or account of its table it is: a round by its number alone."""
    if about.account:
        return in_words(about.account)
    return about.round or f"shoe {about.shoe}"


def titled(record: RecordView) -> str:
    """Head the page of a round, a shoe or an account."""
    if record.account and not is_table(record.table):
        return ", ".join(dict.fromkeys((table_called(record.table), subject(record)))).capitalize()
    return f"{record.table}, {'round ' if record.round else ''}{subject(record)}"


class _OfDay(Protocol):
    """Lines of a table's or a ledger's gaming day."""

    @property
    def gaming_date(self) -> date: ...

    @property
    def table(self) -> str: ...


def concerning(finding: FindingBase[Fact], table: str | UnsetType, about: _OfDay) -> str:
    """Return the serial number, table, patron and day of a finding, as far as its message and place do not.

    `table` is the one that the finding itself names, where it names any.
    """
    renderer = FactMentions(finding.message)
    names: Mapping[str, object] = {
        paper_of(finding.check): finding.serial,
        "table": table if table != about.table else UNSET,
        "patron": finding.patron,
        "gaming date": finding.day if finding.day != about.gaming_date else UNSET,
    }
    return ", ".join(
        str(name)
        if str(name).startswith(f"{what} ·")  # a name that is masked says what
        else f"{what} {date_text(name) if isinstance(name, date) else name}"
        for what, name in names.items()
        if name is not UNSET and not renderer.has(str(name))
    )


def segment(name: str) -> str:
    """Write a name as one segment of a path: a slash in it as JSON pointers do (RFC 6901), the rest quoted.

    >>> segment("BAC/1 ~"), segment("50%")
    ('BAC~11%20~0', '50%25')
    """
    return quote(name.replace("~", "~0").replace("/", "~1"), safe="")


def name_of(unquoted: str) -> str:
    """Read a name back from a segment that the server has unquoted.

    >>> name_of("BAC~11 ~0"), name_of("~01")
    ('BAC/1 ~', '~1')
    """
    return unquoted.replace("~1", "/").replace("~0", "~")


def queue_query(query: Struct, **changes: str | int | None) -> str:
    """Return the query of a queue's page with some filters changed, its defaults left out.

    A change starts at page 1 unless it sets the page.
    """
    wanted = {**asdict(query), "page": 1, **changes}
    usual = {each.name: each.default for each in fields(query)}
    return "?" + urlencode({name: value for name, value in wanted.items() if value != usual[name]})


def narrowed(list_query: ListQuery, **changes: str | int | None) -> str:
    """Return the query of a page with some filters changed; a change starts at page 1 by default.

    >>> narrowed(ListQuery(table="BAC-101", page=3), verdict="mismatch"), narrowed(ListQuery())
    ('?table=BAC-101&verdict=mismatch', '?')
    """
    wanted = {
        "run": list_query.run,
        "table": list_query.table,
        "check": list_query.check,
        "severity": list_query.severity,
        "verdict": list_query.verdict,
    } | changes
    return "?" + urlencode({name: value for name, value in wanted.items() if value is not None})


# ── What money means to the reader of a page ──────────────────────────────────────────────────────────

_PLAYED_WITH: Final[dict[PieceKind, str]] = {"card": "this shoe", "tile": "these tiles", "dice": "these dice"}
SIDES: Final[dict[str, str]] = {"house": "owed to patron", "patron": "overpaid"}


def mistake(cents: int, favours: Side | UnsetType | None) -> str:
    """Return what a mistake means for money; `cents` without regard to the sign.

    >>> mistake(-109_000, "house"), mistake(12_000, "patron"), mistake(-50_000, None)
    ('Owed to patron $1,090.00', 'Overpaid $120.00', 'Difference $500.00')
    """
    return f"{side_label(favours)} {dollars(abs(cents))}"


def side_label(favours: Side | UnsetType | None) -> str:
    """Return whose money a mistake is."""
    return SIDES[favours].capitalize() if isinstance(favours, str) else "Difference"


def sum_parts(each: Sum) -> tuple[str, str, str]:
    """Return what one side's sum is, its dollars, and of how many wagers it is where these are several.

    >>> sum_parts(Sum("house", 231_900, 5)), sum_parts(Sum("patron", 5_300, 1))
    (('Owed to patrons', '$2,319.00', 'in 5 wagers'), ('Overpaid', '$53.00', ''))
    """
    phrase = side_label(each.favours)
    if each.count == 1:
        return phrase, dollars(abs(each.cents)), ""
    phrase = f"{phrase}s" if each.favours == "house" else phrase  # patrons
    of = f"in {each.count} {'findings' if each.favours is None else 'wagers'}"
    return phrase, dollars(abs(each.cents)), of


def sum_in_words(each: Sum) -> str:
    """Return one side's sum in words, with how many wagers it is of where these are several.

    >>> sum_in_words(Sum("house", 231_900, 5)), sum_in_words(Sum("patron", 5_300, 1))
    ('Owed to patrons $2,319.00 in 5 wagers', 'Overpaid $53.00')
    """
    return " ".join(filter(None, sum_parts(each)))


def sums_in_words(sums: Iterable[Sum]) -> str:
    """Return the sums of a row, a case or a hand in words: each side apart.

    >>> sums_in_words([Sum("house", 231_900, 5), Sum("patron", 29_800, 4)])
    'Owed to patrons $2,319.00 in 5 wagers; overpaid $298.00 in 4 wagers'
    """
    first, *others = [sum_in_words(each) for each in sums] or [""]
    return "; ".join([first, *(each[0].lower() + each[1:] for each in others)])


def apart(spot: Spot) -> str:
    """Return what the difference of a wager means; where gain and vigorish make up for each other, both."""
    gain, vigorish = spot.against_the_rule
    return mistake(gain - vigorish, spot.favours) if spot.favours else difference(spot)


def shoe_result(cents: int, kind: PieceKind = "card") -> str:
    """Return who won a shoe, or what was played with where there is none; `cents` are what the house won.

    >>> shoe_result(-788_600), shoe_result(7_625), shoe_result(0)
    ('House lost $7,886.00 on this shoe', 'House won $76.25 on this shoe', 'House won nothing on this shoe')
    """
    won = f"{'won' if cents > 0 else 'lost'} {dollars(abs(cents))}" if cents else "won nothing"
    return f"House {won} on {_PLAYED_WITH[kind]}"


MONEY_WORDS: Final[dict[str, Callable[..., Any]]] = {
    "difference": apart,
    "mistake": mistake,
    "shoe_result": shoe_result,
    "sum_in_words": sum_in_words,
    "sum_parts": sum_parts,
    "sums_in_words": sums_in_words,
}
