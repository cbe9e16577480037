"""Drop, win and hold: of the day, to date, by game and shift, beside theory and beside what is usual."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from replay.nightly.book import Book, game, hold, theory
from replay.nightly.earlier import WIN, Money
from replay.nightly.survey import Counted
from replay.nightly.tableday import Sums, TableDay
from replay.report.model import Bars, Cell, Kind, Report

_TABLE: Final[list[tuple[str, str, Kind]]] = [("table", "Table", "text"), ("game", "Game", "text")]
_MONEY: Final[list[tuple[str, str, Kind]]] = [
    ("drop_cents", "Drop", "cents"),
    ("win_cents", "Win", "cents"),
    ("hold", "Hold", "percent"),
]
_PLAYED: Final[list[tuple[str, str, Kind]]] = [
    ("rounds", "Rounds", "whole"),
    ("staked_cents", "Staked", "cents"),
    ("settled_win_cents", "Win by settlements", "cents"),
]
_THEORY: Final[list[tuple[str, str, Kind]]] = [
    ("theoretical_cents", "Theoretical win", "cents"),
    ("low_cents", "Interval from", "cents"),
    ("high_cents", "Interval to", "cents"),
    ("unknown_cents", "Stakes left out", "cents"),
]
_INTERVAL: Final = (
    "The interval holds the win by settlements 95 times in 100 or more, were it distributed normally. Stakes "
    "are left out where no advantage of the wager is proven."
)
_COUNTED: Final = (
    "Drop and win stand where the inventory was counted as the shift began and ended; the drop is estimated "
    "by buy-ins."
)


def by_table(book: Book) -> Report:
    """Give each table's drop, win and hold: of the day, and of month and year to date."""
    month, year = (_by_table(book.earlier.to_date(year=each)) for each in (False, True))
    rows: list[list[Cell]] = []
    for table in book.tables:
        win = book.win(table)
        day = Money(table.table, table.chapter, win.drop, win.win)
        to_date = [[*each.get(table.table, []), day] for each in (month, year)]
        sums = [cell for each in to_date for cell in _added(each)]
        rows.append([table.table, table.chapter, game(table.chapter), win.basis, *_added([day]), *sums])
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("chapter", "Chapter", "text"),
        ("game", "Game", "text"),
        ("basis", "Basis", "text"),
        *_MONEY,
        *((f"month_{name}", f"Month: {says.lower()}", kind) for name, says, kind in _MONEY),
        *((f"year_{name}", f"Year: {says.lower()}", kind) for name, says, kind in _MONEY),
    ]
    plot = Bars("table", "win_cents") if any(row[5] is not None for row in rows) else None
    return book.report(WIN, "Drop, win and hold by table", columns, rows, note=_of_days(book), plot=plot)


def _by_table(days: Iterable[Money]) -> dict[str, list[Money]]:
    found: dict[str, list[Money]] = {}
    for each in days:
        found.setdefault(each.table, []).append(each)
    return found


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
            "counted in the count room: the drop is what buy-ins were seen. A win is unknown where a count "
            "at opening or closing is."
        )
    ]
    for name, year in (("month", False), ("year", True)):
        if missing := book.earlier.missing(year=year):
            said.append(f"Not reported, so not in the {name} to date: {', '.join(missing)}.")
    return " ".join(said)


def by_game(book: Book) -> Report:
    """Give drop, win and hold by game, beside the theoretical win."""
    games: dict[str, list[TableDay]] = {}
    for table in book.tables:
        games.setdefault(table.chapter, []).append(table)
    rows: list[list[Cell]] = []
    for chapter, tables in games.items():
        wins = [book.win(table) for table in tables]
        money = [
            Money(table.table, chapter, win.drop, win.win) for table, win in zip(tables, wins, strict=True)
        ]
        basis = "counted" if all(win.basis == "counted" for win in wins) else "estimated"
        sums = sum((book.sums[table.table] for table in tables), Sums())
        rows.append(
            [game(chapter), chapter, len(tables), basis, *_added(money), *_played(sums), *theory(sums.theory)]
        )
    columns: list[tuple[str, str, Kind]] = [
        ("game", "Game", "text"),
        ("chapter", "Chapter", "text"),
        ("tables", "Tables", "whole"),
        ("basis", "Basis", "text"),
        *_MONEY,
        *_PLAYED,
        *_THEORY,
    ]
    plot = Bars("game", "settled_win_cents")
    return book.report("win_by_game", "Drop, win and hold by game", columns, rows, note=_INTERVAL, plot=plot)


def _played(sums: Sums) -> list[Cell]:
    return [sums.rounds, sums.staked, sums.win]


def by_shift(book: Book) -> Report:
    """Give each table's rounds by shift, and drop and win where the inventory was counted at both ends."""
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
                    *_played(sums),
                    *theory(sums.theory),
                ]
            )
    columns = [*_TABLE, ("shift", "Shift from", "text"), *_MONEY, *_PLAYED, *_THEORY]
    return book.report(
        "win_by_shift",
        "Drop, win and hold by shift",
        columns,
        rows,
        note=f"{_COUNTED} {_INTERVAL}",
    )


_COUNTING: Final = 30 * 60 * 1_000_000  # microseconds by which a change of shift may be counted early or late


def _between_counts(book: Book, table: TableDay) -> dict[int, tuple[int, int]]:
    """Give drop and win between one count at an opening, change of shift or closing and the next, by shift.

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
    """Give a stretch less what a count may be early or late, microseconds UTC; a short one's middle."""
    most = min(_COUNTING, (then - first) // 2)
    return first + most, then - most


def _moved(table: TableDay, first: Counted, then: Counted) -> tuple[int, int]:
    """Give the buy-ins between two counts, and fills less table credits."""
    between = [each for each in table.survey.moved if first.at <= each.at < then.at]
    drop = sum(each.cents for each in between if each.what in {"cash", "counter_checks"})
    carried = sum(
        each.cents if each.what == "fills" else -each.cents
        for each in between
        if each.what in {"fills", "credits"}
    )
    return drop, carried


def theoretical(book: Book) -> Report:
    """Hold each table's win by settlements against what the rules give and against theory."""
    rows: list[list[Cell]] = []
    for table in book.tables:
        sums = book.sums[table.table]
        middle, low, high, unknown = theory(sums.theory)
        within = "yes" if low <= sums.win <= high else "no"
        rows.append(
            [
                table.table,
                game(table.chapter),
                *_played(sums),
                sums.owed,
                middle,
                low,
                high,
                unknown,
                within if not unknown else None,
            ]
        )
    total = sum(book.sums.values(), Sums())
    columns = [
        *_TABLE,
        *_PLAYED,
        ("owed_cents", "Win by the rules", "cents"),
        *_THEORY,
        ("within", "Within", "text"),
    ]
    return book.report(
        "theoretical_win",
        "Win beside theoretical win",
        columns,
        rows,
        note=f"Each wager times its proven house advantage, coupons left out. {_INTERVAL}",
        total=["all", None, *_played(total), total.owed, *theory(total.theory), None],
    )


def usual_hold(book: Book) -> Report:
    """Hold each table's hold of the day against that of its earlier reported days."""
    rows: list[list[Cell]] = []
    for table in book.tables:
        win = book.win(table)
        now, usual = hold(win.win, win.drop), book.earlier.usual(table.table)
        if now is None and usual is None:
            continue
        apart = (now - usual.mean) / usual.spread if now is not None and usual and usual.spread else None
        rows.append(
            [
                table.table,
                game(table.chapter),
                now,
                *((usual.days, usual.mean, usual.spread) if usual else (0, None, None)),
                _to(apart, 1000),
            ]
        )
    columns: list[tuple[str, str, Kind]] = [
        *_TABLE,
        ("hold", "Hold", "percent"),
        ("days", "Earlier days", "whole"),
        ("mean", "Mean", "percent"),
        ("spread", "Spread", "percent"),
        ("apart", "Spreads apart", "fraction"),
    ]
    return book.report(
        "usual_hold",
        "Hold beside the table's usual hold",
        columns,
        rows,
        note="The mean hold of the table's earlier days within a year, and their standard deviation from it.",
    )


def _to(value: Fraction | None, parts: int) -> Fraction | None:
    return None if value is None else Fraction(round(value * parts), parts)
