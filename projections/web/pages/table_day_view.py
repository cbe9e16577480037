"""A table's gaming day: its shoes and rounds in order, its inventory, and what was found of them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import takewhile
from operator import itemgetter
from typing import Final

from msgspec import Struct

from projections.engine.accounts.account_lines import VIGORISH_OWED, cites_on
from projections.engine.accounts.checks.inventory import INVENTORY_SLIP_WRONG
from projections.engine.audit.account_conclusions import INVENTORY
from projections.engine.checks.data import DATA_MISSING
from projections.engine.conclusion import Line, Verdict
from projections.engine.facts import Fact
from projections.engine.findings import HOUSE_CONTROL, FindingBase
from projections.store.rows import Row, finding_of, lines_of
from projections.web.auth.embargo import Hidden
from projections.web.auth.record_subjects import within
from projections.web.pages.day_gaps import MissingData, known_since, missing_data
from projections.web.pages.day_shoes import RoundOfDay, ShoeOfDay, shoes_of
from projections.web.records.store_queries import Reader
from schemas.values import Micros

# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A table inventory through its gaming day: what is known to have moved it, and when; every count of it.

_AT: Final = itemgetter(0)
_LISTING: Final = "listing_"
_IN_PLAY: Final = (f"{_LISTING}opening", f"{_LISTING}drop")
_BOX: Final = "box"
_SUM: Final = "expected"
_REASONS: Final = "465a.36(b)"  # the opener and what it may be changed by
_OLD_BOX: Final = "465a.41(d)"  # that of a table which stays open; of one that closes no text was seen


class _Kind(Struct, frozen=True):
    """Label of an account's line, by which sign its sum goes into the tray, and its section."""

    words: str
    sign: int
    cite: str


_KINDS: Final[Mapping[str, _Kind]] = {
    "fill": _Kind("Fill", 1, "465a.36(b)(5)"),
    "credit": _Kind("Credit", -1, "465a.36(b)(5)"),
    "box_check": _Kind("Counter Check", -1, "465a.36(b)(2)"),
    f"{_LISTING}opening": _Kind("Opening count", 0, "465a.37(c)"),
    f"{_LISTING}drop": _Kind("Drop count", 0, "465a.41(a)"),
    f"{_LISTING}closing": _Kind("Closing count", 0, "465a.36(c)"),
    f"{_LISTING}shift": _Kind("Shift count", 0, "465a.36(c)"),
    _BOX: _Kind("Drop box off", 0, HOUSE_CONTROL),
}


class InventoryStep(Struct, frozen=True):
    """A line of the account at its moment: chips with a document, a count, or a drop box as it came off.

    The day's line moves there by `moved_cents` to `holds_cents`, the content of the tray; without an opener
    that is the change since the beginning. At a count the difference is what the line did not know: chips
    sold for cash since, what no reader of chips saw, what was untyped.
    """

    at: Micros
    line: Line
    moved_cents: int
    holds_cents: int
    cites: tuple[str, ...]


class ClosingCount(Struct, frozen=True):
    """Origin of the count with which a day ended, by the account of its inventory; cents.

    `terms` are the opener and what went in and out, whose sum was expected. `marked_cents` of vigorish were
    marked and not paid: they are in the line of the day, and not in the tray.
    """

    count: str
    terms: list[Line]
    expected_cents: int
    expected_cites: tuple[str, ...]
    counted_cents: int
    counted_cites: tuple[str, ...]
    difference_cents: int
    marked_cents: int


def called(line: Line) -> str:
    """Return what a step is.

    >>> called(Line(name="listing_drop", of="TI-2")), called(Line(name="box"))
    ('Drop count TI-2', 'Drop box off')
    """
    return " ".join(filter(None, (_KINDS[line.name].words, line.of)))


def opener_of(lines: Iterable[Line]) -> int | None:
    """Return the opener of an account's day, in cents; None if unknown."""
    return next((line.cents for line in lines if line.name == "opener"), None)


def closing_of(
    lines: Sequence[Line],
    steps: Iterable[InventoryStep],
    marked: int,
    cites_on: Callable[[str], tuple[str, ...]],
) -> ClosingCount | None:
    """Return the computation of the count that ended a day; None without such a count or an opener.

    `marked` is the vigorish that was marked and not paid, cents.

    >>> lines = [Line(name="opener", cents=900), Line(name="fills", cents=500), Line(name="cash", cents=-150)]
    >>> lines += [Line(name="expected", cents=1_250), Line(name="closer", of="TI-1", cents=1_200)]
    >>> lines.append(Line(name="listing_closing", of="TI-1", cents=1_200, at=30))
    >>> cites = lambda cite: (cite,)
    >>> closing = closing_of(lines, inventory_steps(lines, [], set(), cites), 0, cites)
    >>> closing.count, [each.name for each in closing.terms], closing.difference_cents, closing.counted_cites
    ('Closing count TI-1', ['opener', 'fills', 'cash'], -50, ('465a.36(c)',))
    """
    expected = next((line.cents for line in lines if line.name == _SUM), None)
    slip = next((line.of for line in lines if line.name == "closer"), None)
    counts = (each for each in steps if each.line.name.startswith(_LISTING))
    last = next((each for each in counts if each.line.of == slip), None)
    if expected is None or last is None or last.line.cents is None:
        return None
    return ClosingCount(
        count=called(last.line),
        terms=list(takewhile(lambda line: line.name != _SUM, lines)),
        expected_cents=expected,
        expected_cites=cites_on(_REASONS),
        counted_cents=last.line.cents,
        counted_cites=last.cites,
        difference_cents=last.line.cents - expected,
        marked_cents=marked,
    )


def inventory_steps(
    lines: Sequence[Line],
    won: Iterable[tuple[Micros, int]],
    wrong: Collection[str],
    cites_on: Callable[[str], tuple[str, ...]],
) -> list[InventoryStep]:
    """Return the dated lines of an inventory account in order of time, with what the table then holds, cents.

    `won` is the cents that each round won in the house's favour, with its time. `wrong` are the slips found
    to state a wrong sum, which do not move the inventory. `cites_on` cites a section as of the day.

    >>> lines = [Line(name="opener", cents=900), Line(name="fill", of="F-1", cents=500, at=20)]
    >>> lines.append(Line(name="listing_drop", of="TI-1", cents=1_350, at=30))
    >>> steps = inventory_steps(lines, [(10, 100)], set(), lambda cite: (cite,))
    >>> [(each.moved_cents, each.holds_cents, each.cites) for each in steps]
    [(500, 1500, ('465a.36(b)(5)',)), (-150, 1350, ('465a.41(a)',))]
    """
    moments: list[tuple[Micros, Line | int]] = [*won]
    moments += [(line.at, line) for line in lines if line.name in _KINDS and line.at is not None]
    holds, in_play = opener_of(lines) or 0, False
    steps: list[InventoryStep] = []
    for at, each in sorted(moments, key=_AT):
        if isinstance(each, int):
            holds += each
            continue
        moved = _moved(each, holds, wrong)
        holds += moved
        cite = _OLD_BOX if each.name == _BOX and in_play else _KINDS[each.name].cite
        steps.append(InventoryStep(at, each, moved, holds, cites_on(cite)))
        in_play = each.name in _IN_PLAY or (in_play and not each.name.startswith(_LISTING))
    return steps


def inventory_line(
    opener: int, won: Iterable[tuple[Micros, int]], steps: Iterable[InventoryStep]
) -> Iterator[tuple[Micros, int]]:
    """Yield the day's line as moments and the cents from then on; `won` as the steps were computed with it.

    >>> step = InventoryStep(20, Line(name="fill"), 500, 1500, ())
    >>> list(inventory_line(900, [(10, 100), (30, -40)], [step]))
    [(10, 1000), (20, 1500), (30, 1460)]
    """
    holds = opener
    for at, moved in sorted([*won, *((each.at, each.moved_cents) for each in steps)], key=_AT):
        holds += moved
        yield at, holds


def _moved(line: Line, holds: int, wrong: Collection[str]) -> int:
    cents = line.cents or 0
    if not line.name.startswith(_LISTING):
        return _KINDS[line.name].sign * cents
    return 0 if line.of in wrong else cents - holds


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# A table's gaming day: its shoes and rounds in order, their findings, its inventory, its accounts. The store
# has no count of the tray by round and no time of chips sold for cash. Between two counts the line of the
# inventory follows settled wagers, vigorish, fills, credits and Counter Checks only.

NOTHING: Final = Hidden()
_ROWS: Final = """
    SELECT * FROM rounds WHERE run = $run AND gaming_date = $day AND table_id = $table
    QUALIFY revision = max(revision) OVER (PARTITION BY id)
    ORDER BY opened NULLS LAST, id
"""
_MONEY: Final = """
    SELECT id, revision, bool_and(paid_cents IS NOT NULL) AS settled,
        -sum(paid_cents + coalesce(later_cents, 0))::BIGINT AS won,
        sum(paid_vigorish_cents + coalesce(later_vigorish_cents, 0))::BIGINT AS vigorish
    FROM settlements WHERE run = $run AND id IN (SELECT unnest($ids)) AND seat > 0
    GROUP BY id, revision
"""
_FOUND: Final = """
    SELECT * FROM findings
    WHERE run = $run AND round_id IN (SELECT unnest($ids))
        AND (weight <> 'note' OR check_name = $noted) ORDER BY ordinal
"""


class AccountOfDay(Struct, frozen=True):
    """An account of the day, such as its inventory: its verdict, its lines, what was found of it."""

    account: str
    verdict: Verdict
    lines: list[Line]
    findings: list[FindingBase[Fact]]


class TableDay(Struct, frozen=True):
    """All that a run has of a table's gaming day, in order.

    `inventory` are the moments of the table inventory's account, `opener_cents` is its opener, None if it is
    unknown or there is no account. `closing` is the computation of its last count; `missing` is what devices
    did not report.
    """

    run: str
    table: str
    day: date
    chapter: str
    shoes: list[ShoeOfDay]
    accounts: list[AccountOfDay]
    opener_cents: int | None = None
    inventory: list[InventoryStep] = []
    closing: ClosingCount | None = None
    missing: list[MissingData] = []

    @property
    def rounds(self) -> list[RoundOfDay]:
        """Its rounds, in order."""
        return [each for shoe in self.shoes for each in shoe.rounds]


def table_day(reader: Reader, run: str, table: str, day: date, hidden: Hidden = NOTHING) -> TableDay | None:
    """Read a table's gaming day as a run of the store has it, without what is withheld; None if empty."""
    rows = [
        row
        for row in reader.ask(_ROWS, {"run": run, "day": day, "table": table})
        if not hidden.hides(within(row["id"]))
    ]
    if not rows:
        return None
    latest = {row["id"]: row["revision"] for row in rows}
    money = reader.ask(_MONEY, {"run": run, "ids": list(latest)})
    won = {row["id"]: _won(row) for row in money if latest[row["id"]] == row["revision"]}
    noted = found_of(reader, run, latest, hidden, noted=DATA_MISSING.check)
    found = {about: [each for each in noted[about] if each.weight != "note"] for about in latest}
    of_shoes = {
        row["shoe"]: found[row["id"]] for row in rows if row["round"] is None and row["account"] is None
    }
    shoes = list(shoes_of([row for row in rows if row["round"] is not None], won, found, of_shoes))
    accounts = [
        AccountOfDay(row["account"], row["verdict"], lines_of(row), found[row["id"]])
        for row in rows
        if row["account"] is not None
    ]
    inventory = next((each for each in accounts if each.account == INVENTORY), None)
    since = known_since(reader, run, [row["id"] for row in rows if row["round"] is row["account"] is None])
    steps = _steps(inventory, shoes, day) if inventory is not None else []
    return TableDay(
        run=run,
        table=table,
        day=day,
        chapter=rows[0]["chapter"],
        shoes=shoes,
        accounts=accounts,
        opener_cents=opener_of(inventory.lines) if inventory is not None else None,
        inventory=steps,
        closing=closing_of(inventory.lines, steps, _marked(rows), partial(cites_on, day))
        if inventory is not None
        else None,
        missing=missing_data(shoes, noted, since),
    )


def _steps(inventory: AccountOfDay, shoes: list[ShoeOfDay], day: date) -> list[InventoryStep]:
    won = [(each.at, each.won_cents or 0) for shoe in shoes for each in shoe.rounds if each.at is not None]
    wrong = {str(each.serial) for each in inventory.findings if each.check == INVENTORY_SLIP_WRONG.check}
    return inventory_steps(inventory.lines, won, wrong, partial(cites_on, day))


def _marked(rows: list[Row]) -> int:
    """Add up what vigorish the shoes of a day left marked and not paid, cents."""
    shoes = (row for row in rows if row["round"] is None and row["account"] is None)
    return sum(line.cents or 0 for row in shoes for line in lines_of(row) if line.name == VIGORISH_OWED)


def found_of(
    reader: Reader, run: str, revisions: Mapping[str, int], hidden: Hidden, noted: str | None = None
) -> defaultdict[str, list[FindingBase[Fact]]]:
    """Read the findings on these revisions of rounds, shoes and accounts of a run, without withheld ones.

    Of the notes only those of the check `noted` are included.
    """
    found: defaultdict[str, list[FindingBase[Fact]]] = defaultdict(list)
    for row in reader.ask(_FOUND, {"run": run, "ids": list(revisions), "noted": noted}):
        if revisions[row["round_id"]] == row["revision"] and not hidden.hides([f"alert:{row['id']}"]):
            found[row["round_id"]].append(finding_of(row, FindingBase[Fact]))
    return found


def _won(row: Row) -> int | None:
    return row["won"] + row["vigorish"] if row["settled"] else None
