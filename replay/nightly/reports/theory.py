"""Win beside theoretical win: the columns that other reports have too, and the report of its own."""

from typing import Final

from replay.exports.report.model import Cell, Kind, Report
from replay.nightly.day_book import Book, game
from replay.nightly.table_day import Sums
from replay.proofs.theoretical_win import Expected

PLAYED: Final[list[tuple[str, str, Kind]]] = [
    ("rounds", "Rounds", "whole"),
    ("staked_cents", "Staked", "cents"),
    ("settled_win_cents", "Win by settlements", "cents"),
]
THEORY: Final[list[tuple[str, str, Kind]]] = [
    ("theoretical_cents", "Theoretical win", "cents"),
    ("low_cents", "Interval from", "cents"),
    ("high_cents", "Interval to", "cents"),
    ("unknown_wagers", "Wagers without theory", "whole"),
    ("unknown_cents", "Stakes of these", "cents"),
]
INTERVAL: Final = (
    "Theoretical win is each wager times its proven house advantage, coupons left out; the interval holds "
    "what these wagers win 95 times in 100 or more, were it distributed normally. Wagers without theory are "
    "those of which no advantage is proven: they are in no figure of theory."
)
_COVARIANCE: Final = (
    "Wagers of one round hang on the same cards: for two hands that play against each other their exact "
    "covariance is taken where it is proven, for other pairs the most that it can be, which makes the "
    "interval rather too wide."
)


def played(sums: Sums) -> list[Cell]:
    """Return the cells of `PLAYED`."""
    return [sums.rounds, sums.staked, sums.win]


def theory(expected: Expected) -> list[Cell]:
    """Return the cells of `THEORY`; there is no theoretical win where every wager is without one.

    >>> theory(Expected(unknown_cents=500, unknown_wagers=2))
    [None, None, None, 2, 500]
    >>> theory(Expected())
    [0, 0, 0, 0, 0]
    """
    without: list[Cell] = [expected.unknown_wagers, expected.unknown_cents]
    if not _is_told(expected):
        return [None, None, None, *without]
    return [round(expected.win_cents), *expected.interval(), *without]


def _is_told(expected: Expected) -> bool:
    return expected.known_cents > 0 or not expected.unknown_wagers


def theoretical(book: Book) -> Report:
    """Hold each table's win by settlements against what the rules give and against theory."""
    total = sum(book.sums.values(), Sums())
    columns: list[tuple[str, str, Kind]] = [
        ("table", "Table", "text"),
        ("game", "Game", "text"),
        *PLAYED[:-1],
        ("owed_cents", "Win by the rules", "cents"),
        ("otherwise_cents", "Settled otherwise", "cents"),
        ("open_cents", "Left open", "cents"),
        PLAYED[-1],
        ("weighed_cents", "Of it with theory", "cents"),
        *THEORY,
        ("within", "Within", "text"),
    ]
    return book.report(
        "theoretical_win",
        "Win beside theoretical win",
        columns,
        [[table.table, game(table.chapter), *_row(book.sums[table.table])] for table in book.tables],
        note=_note(total),
        total=["all", None, *_row(total)],
    )


def _row(sums: Sums) -> list[Cell]:
    *rounds, win = played(sums)
    return [
        *rounds,
        sums.owed,
        sums.otherwise,
        sums.left_open,
        win,
        sums.weighed_win if _is_told(sums.theory) else None,
        *theory(sums.theory),
        _within(sums),
    ]


def _within(sums: Sums) -> str | None:
    """Return whether what the wagers with a theory won lies in its interval; None where there is none."""
    if not _is_told(sums.theory):
        return None
    low, high = sums.theory.interval()
    return "yes" if low <= sums.weighed_win <= high else "no"


def _note(total: Sums) -> str:
    """Return how the columns hang together, and which rounds they leave out."""
    said = (
        "Win by the rules, what was settled otherwise and what is left open make up the win by settlements. "
        "Settled otherwise is after vigorish, with what the texts merely permit. Left open is what was won "
        "where nobody can say what the rules give. The interval is held against that part of the win which "
        f"has a theory. {INTERVAL} {_COVARIANCE}"
    )
    if moneyless := total.rounds - total.settled:
        said += (
            f" {moneyless:,} of {total.rounds:,} rounds have no money here: they were called void, or nobody "
            "saw how they were settled."
        )
    return said
