"""Report of what tables won: inventories, drop, win and hold, compared with theory and what is usual."""

from fractions import Fraction
from typing import Final

import duckdb

from replay.exports.report import Bars
from replay.lists.columns import Column
from replay.nightly.day_book import Book
from replay.nightly.earlier_reports import WIN, Usual
from replay.nightly.report_query import GAME, TABLE, ReportQuery, Rows

_HOLD_COLUMNS: Final = (
    Column("drop_cents", "Drop", "cents"),
    Column("win_cents", "Win", "cents"),
    Column("hold", "Hold", "percent"),
)
_PLAYED: Final = (
    Column("rounds", "Rounds", "whole"),
    Column("staked_cents", "Staked", "cents"),
    Column("settled_win_cents", "Win by settlements", "cents"),
)
_THEORY: Final = (
    Column("theoretical_cents", "Theoretical win", "cents"),
    Column("low_cents", "Interval from", "cents"),
    Column("high_cents", "Interval to", "cents"),
    Column("unknown_wagers", "Wagers without theory", "whole"),
    Column("unknown_cents", "Stakes of these", "cents"),
)
_INTERVAL: Final = (
    "Theoretical win is each wager times its proven house advantage, without coupons. The interval covers "
    "what these wagers win at least 95 times in 100 if the win is distributed normally. Wagers without "
    "theory have no proven advantage and are in no figure of theory."
)
_COUNTING: Final = 30 * 60 * 1_000_000  # microseconds by which a change of shift may be counted early or late

INVENTORY: Final = ReportQuery(
    name="inventory",
    title="Table inventories",
    columns=(
        TABLE,
        GAME,
        Column("untyped_cents", "Untyped", "cents"),
        Column("expected_cents", "Expected", "cents"),
        Column("closer_cents", "Closer", "cents"),
        Column("opener_cents", "Opener", "cents"),
        Column("fills_cents", "Fills", "cents"),
        Column("credits_cents", "Table credits", "cents"),
        Column("cash_cents", "For cash", "cents"),
        Column("counter_checks_cents", "For Counter Checks", "cents"),
        Column("wagers_collected_cents", "Wagers collected", "cents"),
        Column("wagers_paid_cents", "Wagers paid", "cents"),
        Column("vigorish_cents", "Vigorish", "cents"),
        Column("put_right_cents", "Put right", "cents"),
        Column("tokes_cents", "Tokes", "cents"),
        Column("doubts", "Slip doubted", "text"),
    ),
    rows="""
        WITH firsts AS (  -- of several lines of one name the first
            SELECT table_name, name, first(cents ORDER BY place) AS cents
            FROM lines WHERE holder = 'inventory' GROUP BY ALL
        )
        SELECT table_name, game,
            max(cents) FILTER (name = 'untyped'),
            max(cents) FILTER (name = 'expected'),
            max(cents) FILTER (name = 'closer'),
            max(cents) FILTER (name = 'opener'),
            coalesce(max(cents) FILTER (name = 'fills'), 0),
            coalesce(max(cents) FILTER (name = 'credits'), 0),
            coalesce(max(cents) FILTER (name = 'cash'), 0),
            coalesce(max(cents) FILTER (name = 'counter_checks'), 0),
            coalesce(max(cents) FILTER (name = 'wagers_collected'), 0),
            coalesce(max(cents) FILTER (name = 'wagers_paid'), 0),
            coalesce(max(cents) FILTER (name = 'vigorish'), 0),
            coalesce(max(cents) FILTER (name = 'put_right'), 0),
            max(cents) FILTER (name = 'tokes'),
            doubts
        FROM tables
        JOIN games USING (chapter)
        LEFT JOIN firsts USING (table_name)
        LEFT JOIN slip_doubts USING (table_name)
        WHERE has_inventory
        GROUP BY tables.place, table_name, game, doubts
        ORDER BY tables.place
    """,
    is_added_up=True,
    note=(
        "Expected is the opener plus every change with a lawful reason; untyped is what the counts show "
        "beyond that. Plus is into the tray, minus is out. Tokes are never in it. Opener and closer are as "
        "on the slips, even if a slip is in doubt."
    ),
)

FILLS_AND_CREDITS: Final = ReportQuery(
    name="fills_and_credits",
    title="Fills and table credits",
    columns=(
        TABLE,
        Column("kind", "Kind", "text"),
        Column("slip", "Slip", "text"),
        Column("cents", "Counted at the table", "cents"),
        Column("denominations", "Chips", "text"),
    ),
    rows="""
        SELECT table_name, name, of_what, cents, chips
        FROM lines WHERE holder = 'inventory' AND name IN ('fill', 'credit') ORDER BY place
    """,
)

WIN_BY_TABLE: Final = ReportQuery(
    name=WIN,
    title="Drop, win and hold by table",
    columns=(
        TABLE,
        Column("chapter", "Chapter", "text"),
        GAME,
        Column("basis", "Basis", "text"),
        *_HOLD_COLUMNS,
        *(
            Column(f"{span}_{each.name}", f"{span.capitalize()}: {each.heading.lower()}", each.kind)
            for span in ("month", "year")
            for each in _HOLD_COLUMNS
        ),
    ),
    # A table that was open on earlier days alone has a row too: what is to date is the whole house's.
    rows="""
        WITH listed AS (
            SELECT 1 AS part, place, table_name, chapter, basis, drop_cents, win_cents FROM wins
            UNION ALL
            SELECT 2, NULL, table_name, last(chapter ORDER BY place), 'not open', 0, 0
            FROM earlier WHERE table_name NOT IN (SELECT table_name FROM tables) GROUP BY table_name
        ), days AS (
            SELECT 'month' AS span, table_name, drop_cents, win_cents FROM listed
            UNION ALL
            SELECT 'year', table_name, drop_cents, win_cents FROM listed
            UNION ALL
            SELECT span, table_name, drop_cents, win_cents FROM earlier
        ), to_date AS (
            SELECT span, table_name, sum(drop_cents) AS drop_cents, known_sum(win_cents) AS win_cents
            FROM days GROUP BY span, table_name
        )
        SELECT table_name, chapter, game, basis,
            listed.drop_cents, listed.win_cents, ratio(listed.win_cents, listed.drop_cents),
            month.drop_cents, month.win_cents, ratio(month.win_cents, month.drop_cents),
            year.drop_cents, year.win_cents, ratio(year.win_cents, year.drop_cents)
        FROM listed
        JOIN games USING (chapter)
        JOIN to_date AS month USING (table_name)
        JOIN to_date AS year USING (table_name)
        WHERE month.span = 'month' AND year.span = 'year'
        ORDER BY part, listed.place, table_name
    """,
    total="""
        SELECT 'all', NULL, NULL, basis_of_all(nullif(basis, 'not open')),
            sum(drop_cents), known_sum(win_cents), ratio(known_sum(win_cents), sum(drop_cents)),
            sum(month_drop_cents), known_sum(month_win_cents),
            ratio(known_sum(month_win_cents), sum(month_drop_cents)),
            sum(year_drop_cents), known_sum(year_win_cents),
            ratio(known_sum(year_win_cents), sum(year_drop_cents))
        FROM report
    """,
    note=(
        "Win is drop + closer + credits - opener - fills; hold is win / drop. If the count room has not "
        "counted, the drop is estimated from the buy-ins seen. A slip in doubt still counts as opener or "
        "closer. If the count at opening or closing is unknown, so are the table's win and the house's."
    ),
    note_query="SELECT not_to_date($report)",
    values={"report": WIN},
    plot=Bars("table", "win_cents"),
    plot_if="SELECT count(win_cents) > 0 FROM wins",
)

WIN_BY_GAME: Final = ReportQuery(
    name="win_by_game",
    title="Drop, win and hold by game",
    columns=(
        GAME,
        Column("chapter", "Chapter", "text"),
        Column("tables", "Tables", "whole"),
        Column("basis", "Basis", "text"),
        *_HOLD_COLUMNS,
        *_PLAYED,
        *_THEORY,
    ),
    rows="""
        SELECT game, chapter, count(*), basis_of_all(basis),
            sum(drop_cents), known_sum(win_cents), ratio(known_sum(win_cents), sum(drop_cents)),
            rounds, staked_cents, settled_win_cents,
            theoretical_cents, low_cents, high_cents, unknown_wagers, unknown_cents
        FROM wins JOIN games USING (chapter) JOIN played USING (chapter)
        WHERE level = 'game' GROUP BY ALL ORDER BY min(wins.place)
    """,
    total="""
        SELECT 'all', NULL, count(*), basis_of_all(basis),
            sum(drop_cents), known_sum(win_cents), ratio(known_sum(win_cents), sum(drop_cents)),
            rounds, staked_cents, settled_win_cents,
            theoretical_cents, low_cents, high_cents, unknown_wagers, unknown_cents
        FROM wins JOIN played ON level = 'house' GROUP BY ALL
    """,
    note=_INTERVAL,
    plot=Bars("game", "settled_win_cents", "chapter"),
)

WIN_BY_SHIFT: Final = ReportQuery(
    name="win_by_shift",
    title="Drop, win and hold by shift",
    columns=(TABLE, GAME, Column("shift", "Shift from", "text"), *_HOLD_COLUMNS, *_PLAYED, *_THEORY),
    # A stretch goes from one count at an opening, a change of shift or a closing to the next. A change of
    # shift is counted somewhat early or late; a stretch over several shifts was not counted between them.
    # Where a shift has several, the table having been closed between, they are added.
    rows="""
        WITH stretches AS (
            SELECT place, table_name, occasion, cents AS opener, lead(cents) OVER by_table AS closer,
                moment AS begins, lead(moment) OVER by_table AS ends,
                least($counting, (lead(moment) OVER by_table - moment) // 2) AS early
            FROM counts WHERE occasion IN ('opening', 'shift', 'closing')
            WINDOW by_table AS (PARTITION BY table_name ORDER BY place)
        ), sums AS (
            SELECT stretches.table_name, shift_of(begins + early) AS shift,
                coalesce(sum(cents) FILTER (what IN ('cash', 'counter_checks')), 0) AS drop_cents,
                coalesce(sum(cents) FILTER (what = 'fills'), 0)
                    - coalesce(sum(cents) FILTER (what = 'credits'), 0) AS carried,
                closer - opener AS grown
            FROM stretches LEFT JOIN moved
                ON moved.table_name = stretches.table_name AND moment >= begins AND moment < ends
            WHERE occasion <> 'closing' AND ends IS NOT NULL
                AND shift_of(begins + early) = shift_of(ends - early)
            GROUP BY stretches.place, stretches.table_name, begins, early, closer, opener
        ), held AS (
            SELECT table_name, shift, sum(drop_cents) AS drop_cents,
                sum(drop_cents + grown - carried) AS win_cents
            FROM sums GROUP BY ALL
        )
        SELECT table_name, game, shifts.name, drop_cents, win_cents, ratio(win_cents, drop_cents),
            rounds, staked_cents, settled_win_cents,
            theoretical_cents, low_cents, high_cents, unknown_wagers, unknown_cents
        FROM played
        JOIN tables USING (table_name)
        JOIN games ON games.chapter = tables.chapter
        JOIN shifts ON shifts.place = shift
        LEFT JOIN held USING (table_name, shift)
        WHERE level = 'shift' AND (is_any OR drop_cents IS NOT NULL) AND (SELECT has_shifts FROM day)
        ORDER BY tables.place, shift
    """,
    values={"counting": _COUNTING},
    note=(
        "Drop and win are given if the inventory was counted when the shift began and ended; the drop is "
        f"estimated from buy-ins. {_INTERVAL}"
    ),
)

THEORETICAL_WIN: Final = ReportQuery(
    name="theoretical_win",
    title="Actual and theoretical win",
    columns=(
        TABLE,
        GAME,
        *_PLAYED[:-1],
        Column("owed_cents", "Win by the rules", "cents"),
        Column("otherwise_cents", "Settlement errors", "cents"),
        Column("open_cents", "Not judged", "cents"),
        _PLAYED[-1],
        Column("weighed_cents", "Of it with theory", "cents"),
        *_THEORY,
        Column("within", "Within", "text"),
    ),
    rows="""
        SELECT table_name, game, rounds, staked_cents, owed_cents, otherwise_cents, open_cents,
            settled_win_cents, weighed_cents,
            theoretical_cents, low_cents, high_cents, unknown_wagers, unknown_cents, within
        FROM played JOIN tables USING (table_name) JOIN games ON games.chapter = tables.chapter
        WHERE level = 'table' ORDER BY tables.place
    """,
    total="""
        SELECT 'all', NULL, rounds, staked_cents, owed_cents, otherwise_cents, open_cents,
            settled_win_cents, weighed_cents,
            theoretical_cents, low_cents, high_cents, unknown_wagers, unknown_cents, within
        FROM played WHERE level = 'house'
    """,
    note=(
        "Win as settled = win by the rules + settlement errors + wagers that nobody could judge. Errors are "
        "net of vigorish and include what the texts merely permit. The interval applies to the part of win "
        f"that has a theory. {_INTERVAL} "
        "Wagers of one round depend on the same cards: two hands that play against each other have their "
        "exact covariance if it is proven, other pairs the largest it can be, so the interval is if anything "
        "too wide."
    ),
    note_query="""
        SELECT format('{:,} of {:,} rounds have no money here: they were called void, or nobody saw how they '
            || 'were settled.', rounds - settled, rounds)
        FROM played WHERE level = 'house' AND rounds > settled
    """,
)

# With ten days the standard deviation is itself known to a quarter or so, 1 / sqrt(2 x 9); with two or three
# days it means nothing.
LEAST_DAYS: Final = 10


def _beside_usual(book: Book, db: duckdb.DuckDBPyConnection) -> Rows:
    """Compare each table's hold of the day with that of its earlier reported days, where they are enough."""
    rows: list[list[object]] = []
    wins = db.execute("""
        SELECT table_name, game, win_cents, drop_cents
        FROM wins JOIN games USING (chapter) ORDER BY wins.place
    """)
    for table, game, win, drop in wins.fetchall():
        now = Fraction(win, drop) if win is not None and drop else None
        usual = book.earlier.usual(table)
        days = usual.days if usual is not None else 0
        if now is not None or days:
            mean, spread = (usual.mean, usual.spread) if usual is not None else (None, None)
            message, apart = ("yes", _apart(now, usual)) if days >= LEAST_DAYS else ("too few days", None)
            rows.append([table, game, now, days, mean, spread, message, apart])
    return rows


def _apart(now: Fraction | None, usual: Usual | None) -> Fraction | None:
    """Return by how many standard deviations a hold is above the mean; None if there are none."""
    if now is None or usual is None or not usual.spread:
        return None
    return Fraction(round((now - usual.mean) / usual.spread * 1000), 1000)


USUAL_HOLD: Final = ReportQuery(
    name="usual_hold",
    title="Hold against usual",
    columns=(
        TABLE,
        GAME,
        Column("hold", "Hold", "percent"),
        Column("days", "Earlier days", "whole"),
        Column("mean", "Mean", "percent"),
        Column("spread", "Spread", "percent"),
        Column("says", "Enough to be usual", "text"),
        Column("apart", "Spreads apart", "fraction"),
    ),
    rows=_beside_usual,
    note=(
        "Usual is the mean hold of the table's earlier days within a year, with their standard deviation. "
        f"With fewer than {LEAST_DAYS} such days nothing is called usual, and the day's hold is not compared."
    ),
)
