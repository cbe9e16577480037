"""Drop, win and hold: of the day and to date, by table, game and shift, with totals for the house."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from replay.exports.report.model import Bars, Cell, Kind, Report
from replay.nightly.day_book import COUNTED, DOUBTED, ESTIMATED, Book, Win, game, hold
from replay.nightly.earlier_reports import WIN, Money
from replay.nightly.reports.theory import INTERVAL, PLAYED, THEORY, played, theory
from replay.nightly.survey import Counted
from replay.nightly.table_day import Sums, TableDay

_MONEY: Final[list[tuple[str, str, Kind]]] = [
    ("drop_cents", "Drop", "cents"),
    ("win_cents", "Win", "cents"),
    ("hold", "Hold", "percent"),
]
_COUNTED: Final = (
    "Drop and win stand where the inventory was counted as the shift began and ended; the drop is estimated "
    "by buy-ins."
)


def by_table(book: Book) -> Report:
    """Return each table's drop, win and hold: of the day, and of month and year to date.

    A table that was open on earlier days alone has a row too, so that what is to date is the whole house's.
    """
    spans = [book.earlier.to_date(year=year) for year in (False, True)]
    today = {each.table: (each.chapter, book.win(each)) for each in book.tables}
    before = {each.table: each.chapter for span in spans for each in span if each.table not in today}
    rows: list[list[Cell]] = []
    day: list[Money] = []
    for table, (chapter, win) in today.items():
        day.append(Money(table, chapter, win.drop, win.win))
        rows.append([table, chapter, game(chapter), win.basis, *_to_date(day[-1:], spans, table)])
    for table, chapter in sorted(before.items()):
        nothing = [Money(table, chapter, 0, 0)]
        rows.append([table, chapter, game(chapter), "not open", *_to_date(nothing, spans, table)])
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("chapter", "Chapter", "text"),
        ("game", "Game", "text"),
        ("basis", "Basis", "text"),
        *_MONEY,
        *((f"month_{name}", f"Month: {says.lower()}", kind) for name, says, kind in _MONEY),
        *((f"year_{name}", f"Year: {says.lower()}", kind) for name, says, kind in _MONEY),
    ]
    plot = Bars("table", "win_cents") if any(each.win_cents is not None for each in day) else None
    return book.report(
        WIN,
        "Drop, win and hold by table",
        columns,
        rows,
        note=_of_days(book),
        plot=plot,
        total=["all", None, None, _basis(win for _, win in today.values()), *_to_date(day, spans)],
    )


def _to_date(day: Sequence[Money], spans: Iterable[Sequence[Money]], table: str | None = None) -> list[Cell]:
    """Add up the day, then the day with each span of earlier days; of one table, or of the house."""
    earlier = ([each for each in span if table in (None, each.table)] for span in spans)
    return [cell for days in ([], *earlier) for cell in _added([*days, *day])]


def _basis(wins: Iterable[Win]) -> str:
    """Return how the drop of several tables was told: counted where that of each was; a doubt is of all."""
    told = [win.basis for win in wins]
    doubted = DOUBTED if any(each.endswith(DOUBTED) for each in told) else ""
    return (COUNTED if all(each.startswith(COUNTED) for each in told) else ESTIMATED) + doubted


def _added(days: Sequence[Money]) -> list[Cell]:
    """Add days up: drop, win and hold; the win is known where that of each day is."""
    drop = sum(each.drop_cents for each in days)
    wins = [each.win_cents for each in days if each.win_cents is not None]
    win = sum(wins) if len(wins) == len(days) else None
    return [drop, win, hold(win, drop)]


def _of_days(book: Book) -> str:
    said = [
        (
            "Win is drop + closer + credits - opener - fills, hold is win / drop. Estimated is what was not "
            "counted in the count room: the drop is what buy-ins were seen. A slip "
            "that is doubted is opener or closer all the same. A win is unknown where a count at opening or "
            "closing is, and then so is that of the house."
        )
    ]
    for name, year in (("month", False), ("year", True)):
        if missing := book.earlier.missing(year=year):
            said.append(f"Not reported, so not in the {name} to date: {', '.join(missing)}.")
    return " ".join(said)


def by_game(book: Book) -> Report:
    """Return drop, win and hold by game, beside the theoretical win."""
    games: dict[str, list[TableDay]] = {}
    for table in book.tables:
        games.setdefault(table.chapter, []).append(table)
    rows: list[list[Cell]] = [
        [game(chapter), chapter, *_of_tables(book, tables)] for chapter, tables in games.items()
    ]
    columns: list[tuple[str, str, Kind]] = [
        ("game", "Game", "text"),
        ("chapter", "Chapter", "text"),
        ("tables", "Tables", "whole"),
        ("basis", "Basis", "text"),
        *_MONEY,
        *PLAYED,
        *THEORY,
    ]
    return book.report(
        "win_by_game",
        "Drop, win and hold by game",
        columns,
        rows,
        note=INTERVAL,
        plot=Bars("game", "settled_win_cents"),
        total=["all", None, *_of_tables(book, book.tables)],
    )


def _of_tables(book: Book, tables: Sequence[TableDay]) -> list[Cell]:
    """Add tables up: how many, by what, drop, win and hold, and their rounds beside theory."""
    wins = [book.win(table) for table in tables]
    money = [
        Money(each.table, each.chapter, win.drop, win.win) for each, win in zip(tables, wins, strict=True)
    ]
    sums = sum((book.sums[table.table] for table in tables), Sums())
    return [len(tables), _basis(wins), *_added(money), *played(sums), *theory(sums.theory)]


def by_shift(book: Book) -> Report:
    """Return each table's rounds by shift, and drop and win where the inventory was counted at both ends."""
    names = book.shifts.names
    rows: list[list[Cell]] = []
    for table in book.tables if book.house.shifts else ():
        between = _between_counts(book, table)
        for shift in sorted(table.by_shift.keys() | between.keys()):
            sums = table.by_shift.get(shift, Sums())
            drop, win = between.get(shift, (None, None))
            held = hold(win, drop) if drop is not None else None
            rows.append(
                [
                    table.table,
                    game(table.chapter),
                    names[shift],
                    drop,
                    win,
                    held,
                    *played(sums),
                    *theory(sums.theory),
                ]
            )
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("game", "Game", "text"),
        ("shift", "Shift from", "text"),
        *_MONEY,
        *PLAYED,
        *THEORY,
    ]
    return book.report(
        "win_by_shift",
        "Drop, win and hold by shift",
        columns,
        rows,
        note=f"{_COUNTED} {INTERVAL}",
    )


_COUNTING: Final = 30 * 60 * 1_000_000  # microseconds by which a change of shift may be counted early or late


def _between_counts(book: Book, table: TableDay) -> dict[int, tuple[int, int]]:
    """Return drop and win between one count at an opening, change of shift or closing and the next, by shift.

    Where a shift has several such stretches, the table having been closed between, they are added.
    """
    counts = [each for each in table.survey.counts if each.occasion in {"opening", "shift", "closing"}]
    found: dict[int, tuple[int, int]] = {}
    for first, then in pairwise(counts):
        if first.occasion == "closing":
            continue
        drop, carried = _moved(table, first, then)
        win = drop + then.cents - first.cents - carried
        # A change of shift is counted somewhat early or late; what spans shifts was not counted between them.
        early, late = (book.shifts.number(at) for at in _within(first.at, then.at))
        if early != late:
            continue
        shift = early
        before = found.get(shift, (0, 0))
        found[shift] = (before[0] + drop, before[1] + win)
    return found


def _within(first: int, then: int) -> tuple[int, int]:
    """Return a stretch less what a count may be early or late, microseconds UTC; a short one's middle."""
    most = min(_COUNTING, (then - first) // 2)
    return first + most, then - most


def _moved(table: TableDay, first: Counted, then: Counted) -> tuple[int, int]:
    """Return the buy-ins between two counts, and fills less table credits."""
    between = [each for each in table.survey.moved if first.at <= each.at < then.at]
    drop = sum(each.cents for each in between if each.what in {"cash", "counter_checks"})
    carried = sum(
        each.cents if each.what == "fills" else -each.cents
        for each in between
        if each.what in {"fills", "credits"}
    )
    return drop, carried
