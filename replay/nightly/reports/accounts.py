"""Report of accounts: vigorish, the ledgers of cage, count room and Counter Checks, and coupons."""

from typing import Final

from projections.programmes.ledgers.checks import boxes
from projections.programmes.ledgers.checks import boxes as box_checks
from replay.lists.columns import Column
from replay.nightly.report_query import GAME, TABLE, ReportQuery

_VIGORISH: Final = (
    Column("accrued_cents", "Accrued", "cents"),
    Column("rounding_cents", "Of it by rounding up", "cents"),
    Column("taken_cents", "Taken at payout", "cents"),
    Column("marked_cents", "Marked", "cents"),
    Column("collected_cents", "Collected", "cents"),
    Column("owed_cents", "Still owed", "cents"),
)

VIGORISH: Final = ReportQuery(
    name="vigorish",
    title="Vigorish by table",
    columns=(TABLE, GAME, *_VIGORISH),
    rows="""
        SELECT table_name, game,
            sum(accrued), sum(rounding), sum(taken), sum(marked), sum(collected), sum(owed)
        FROM vigorish JOIN tables USING (table_name) JOIN games USING (chapter)
        WHERE shoe IS NOT NULL
        GROUP BY tables.place, table_name, game ORDER BY tables.place
    """,
    is_added_up=True,
    note="Shoes that have ended and whose first round was played on the day.",
)

VIGORISH_BY_SHOE: Final = ReportQuery(
    name="vigorish_by_shoe",
    title="Vigorish by shoe and seat",
    columns=(
        TABLE,
        Column("shoe", "Shoe", "text"),
        Column("who", "Seat", "text"),
        *_VIGORISH,
        Column("rule", "Rule", "text"),
    ),
    rows="""
        WITH rules AS (
            SELECT key, string_agg(of_what, '; ' ORDER BY place) AS rules
            FROM lines WHERE holder = 'table' AND name = 'vigorish_rule' AND of_what <> '' GROUP BY key
        )
        SELECT table_name, shoe, who, accrued, rounding, taken, marked, collected, owed, rules, [key]
        FROM vigorish LEFT JOIN rules USING (key)
        ORDER BY place, who
    """,
    has_keys=True,
)

LEDGER_FINDINGS: Final = ReportQuery(
    name="ledger_findings",
    title="Findings of inventories and ledgers",
    columns=(
        Column("account", "Account", "text"),
        Column("table", "Table or ledger", "text"),
        Column("check", "Check", "text"),
        Column("weight", "Weight", "text"),
        Column("says", "Finding", "text"),
        Column("serial", "Serial number", "text"),
        Column("variance_cents", "Variance", "cents"),
        Column("citations", "Provision", "text"),
        Column("id", "Id", "text"),
    ),
    rows="""
        SELECT account, table_name, check_name, weight, says, serial, comes_to_cents, citations, id, [key]
        FROM findings WHERE account IS NOT NULL ORDER BY place
    """,
    has_keys=True,
)

LEDGERS: Final = ReportQuery(
    name="ledgers",
    title="Accounts of the ledgers",
    columns=(
        Column("account", "Account", "text"),
        Column("line", "Line", "text"),
        Column("of", "Of", "text"),
        Column("box", "Drop box", "text"),
        Column("count", "How many", "whole"),
        Column("cents", "Sum", "cents"),
    ),
    # Coupons have a report of their own; whose cash it is that was paid out, finance reads.
    rows="""
        SELECT account, name, of_what, box, how_many, cents, [key]
        FROM lines
        WHERE holder = 'ledger' AND account <> 'coupons' AND (name <> 'cashed_out' OR of_what IS NULL)
        ORDER BY place
    """,
    has_keys=True,
)

BUY_INS: Final = ReportQuery(
    name="buy_ins",
    title="Buy-ins seen against cash counted",
    columns=(
        TABLE,
        GAME,
        Column("box", "Drop box", "text"),
        Column("shift", "Taken off in shift from", "text"),
        Column("seen_cents", "Buy-ins seen", "cents"),
        Column("counted_cents", "Cash counted", "cents"),
        Column("difference_cents", "Difference", "cents"),
        Column("why", "What is known of it", "text"),
    ),
    # The lines of a box are together, its buy-ins first. In which shift it came off is known from the counts
    # that go with it, if there is one for each box of the table.
    rows="""
        WITH next_to AS (
            SELECT place, name, of_what AS table_name, coalesce(cents, 0) AS seen,
                lead(name) OVER by_account = 'box_cash' AS is_counted,
                box AS own_box, lead(box) OVER by_account AS next_box,
                lead(cents) OVER by_account AS next_cents
            FROM lines WHERE holder = 'ledger' AND account = 'drop'
            WINDOW by_account AS (PARTITION BY key ORDER BY place)
        ), boxes AS (
            SELECT place, table_name, seen,
                CASE WHEN is_counted THEN next_box ELSE own_box END AS box,
                CASE WHEN is_counted THEN next_cents END AS counted,
                counted - seen AS difference,
                row_number() OVER (PARTITION BY table_name ORDER BY place) AS number,
                count(*) OVER (PARTITION BY table_name) AS boxes
            FROM next_to WHERE name = 'box_buy_ins' AND table_name IS NOT NULL
        ), taken_off AS (
            SELECT table_name, moment, row_number() OVER (PARTITION BY table_name ORDER BY place) AS number,
                count(*) OVER (PARTITION BY table_name) AS boxes
            FROM counts WHERE occasion IN ('drop', 'closing')
        ), known AS (
            SELECT boxes.place,
                string_agg(message, '; ' ORDER BY found.place) FILTER (check_name <> $cash_differs) AS says,
                bool_or(weight = 'undetermined') AS is_unsure
            FROM boxes JOIN account_findings AS found
                ON holder = 'ledger' AND account = 'drop' AND list_contains($of_a_box, check_name)
                AND who = box AND at_table = boxes.table_name
            GROUP BY boxes.place
        ), opposite AS (
            SELECT one.place, string_agg(format('as much {} in drop box {} of table {}',
                CASE WHEN one.difference > 0 THEN 'below' ELSE 'above' END, other.box, other.table_name
            ), '; ' ORDER BY other.place) AS says
            FROM boxes AS one JOIN boxes AS other ON coalesce(other.difference, 0) = -one.difference
            GROUP BY one.place
        )
        SELECT table_name, game, box, shifts.name, seen, counted, difference,
            CASE
                WHEN counted IS NULL THEN coalesce(known.says, 'not counted yet')
                WHEN difference <> 0 THEN coalesce(nullif(concat_ws('; ', known.says, opposite.says,
                    CASE WHEN is_unsure THEN 'not everything of the table was reported' END
                ), ''), $cash_may_differ)
            END
        FROM boxes
        LEFT JOIN tables USING (table_name)
        LEFT JOIN games USING (chapter)
        LEFT JOIN taken_off USING (table_name, number, boxes)
        LEFT JOIN shifts
            ON moment IS NOT NULL AND shifts.place = shift_of(moment) AND (SELECT has_shifts FROM day)
        LEFT JOIN known ON known.place = boxes.place
        LEFT JOIN opposite ON opposite.place = boxes.place
        ORDER BY boxes.place
    """,
    values={
        "cash_differs": boxes.CASH.check,
        "cash_may_differ": boxes.CASH.false_positives,
        "of_a_box": sorted(kind.check for kind in (*box_checks.KINDS, boxes.CASH)),
    },
    total="""
        SELECT 'all', NULL, NULL, NULL,
            coalesce(sum(seen_cents) FILTER (counted_cents IS NOT NULL), 0),
            coalesce(sum(counted_cents), 0),
            coalesce(sum(difference_cents), 0),
            NULL
        FROM report
    """,
    note=(
        "Cash only, without Counter Checks; a difference below zero is cash seen and not counted. Shifts are "
        "listed if the inventory was counted at each change of the table's box. The total, also of what was "
        "seen, covers the boxes that were counted."
    ),
)

COUNTER_CHECKS: Final = ReportQuery(
    name="counter_checks",
    title="Counter Checks outstanding",
    columns=(
        Column("check", "Counter Check", "text"),
        Column("patron", "Patron", "text"),
        Column("day", "Made out on", "date"),
        Column("table", "For table", "text"),
        Column("made_cents", "Made out for", "cents"),
        Column("owed_cents", "Outstanding", "cents"),
        Column("state", "State", "text"),
    ),
    rows="""
        WITH found AS (
            SELECT serial AS counter_check, string_agg(message, '; ' ORDER BY place) AS says
            FROM account_findings WHERE holder = 'ledger' AND account = 'counter_checks' GROUP BY serial
        ), taken AS (
            SELECT of_what AS counter_check FROM lines WHERE holder = 'inventory' AND name = 'box_check'
        )
        SELECT counter_check, patron, made, table_name, cents, cents - redeemed_cents, concat_ws('; ',
            CASE WHEN redeemed_cents <> 0 THEN dollars(redeemed_cents) ELSE 'nothing' END || ' redeemed',
            CASE
                WHEN made = (SELECT date FROM day)
                    AND NOT EXISTS (FROM taken WHERE taken.counter_check = counter_checks.counter_check)
                THEN 'no table took it on that day'
            END,
            found.says
        )
        FROM counter_checks LEFT JOIN found USING (counter_check)
        ORDER BY counter_check
    """,
    total="SELECT 'all', NULL, NULL, NULL, sum(made_cents), sum(owed_cents), NULL FROM report",
    note="At the end of the day, those of earlier days included, 609a.13.",
    restricted="finance",
)

COUPONS: Final = ReportQuery(
    name="coupons",
    title="Match Play Coupons",
    columns=(
        Column("line", "Line", "text"),
        Column("count", "How many", "whole"),
        Column("cents", "Sum", "cents"),
    ),
    rows="""
        SELECT name, how_many, cents
        FROM lines WHERE holder = 'ledger' AND account = 'coupons' AND name <> 'redeemed_in_quarter'
        ORDER BY place
    """,
    note=(
        "All lines are of the day, except outstanding: every coupon in patrons' hands at the end of the day, "
        "whenever it was handed out, including those whose wager tied. Returned is what marketing gave back "
        "to finance. Sums are of denominations; a coupon is not cash."
    ),
)

COUPONS_BY_TABLE: Final = ReportQuery(
    name="coupons_by_table",
    title="Match Play Coupons by table",
    columns=(
        TABLE,
        GAME,
        Column("played", "Played", "whole"),
        Column("played_cents", "Sum", "cents"),
        Column("won", "Won", "whole"),
        Column("lost", "Lost", "whole"),
        Column("tied", "Tied", "whole"),
        Column("open", "Not seen how", "whole"),
        Column("dropped", "Dropped", "whole"),
        Column("counted", "Counted", "whole"),
    ),
    rows="""
        WITH ended AS (
            SELECT table_name, count(*) FILTER (is_played) AS played, coalesce(sum(value_cents), 0) AS cents,
                count(*) FILTER (result = 'win') AS won,
                count(*) FILTER (result = 'lose') AS lost,
                count(*) FILTER (result = 'tie') AS tied
            FROM coupons GROUP BY ALL
        ), dropped AS (
            SELECT table_name, count(*) AS dropped
            FROM lines WHERE holder = 'inventory' AND name = 'box_coupon' GROUP BY ALL
        ), counted AS (
            SELECT of_what AS table_name, sum(coalesce(how_many, 0)) AS counted
            FROM lines WHERE holder = 'ledger' AND account = 'drop' AND name = 'box_coupons' GROUP BY ALL
        ), found AS (
            SELECT tables.place, table_name, game,
                coalesce(played, 0) AS played, coalesce(cents, 0) AS cents,
                coalesce(won, 0) AS won, coalesce(lost, 0) AS lost, coalesce(tied, 0) AS tied,
                coalesce(played - won - lost - tied, 0) AS unknown, coalesce(dropped, 0) AS dropped, counted
            FROM tables
            JOIN games USING (chapter)
            LEFT JOIN ended USING (table_name)
            LEFT JOIN dropped USING (table_name)
            LEFT JOIN counted USING (table_name)
        )
        SELECT table_name, game, played, cents, won, lost, tied, unknown, dropped, counted
        FROM found WHERE played + won + lost + tied + dropped <> 0 OR counted <> 0 ORDER BY place
    """,
    is_added_up=True,
    note=(
        "A coupon that tied goes back to its patron, unless the house has a tie redeem it, and may be played "
        "again. Counted is what the count room found in the table's boxes, if it counted any; a number found "
        "twice counts twice. The sum is of the values that the layout readers saw."
    ),
)

COUPONS_QUARTER: Final = ReportQuery(
    name="coupons_quarter",
    title="Match Play Coupons of the quarter",
    columns=(
        Column("denomination_cents", "Coupons of", "cents"),
        Column("redeemed_cents", "Redeemed", "cents"),
    ),
    # On the day that ends a quarter, 603a.20(o).
    rows="""
        SELECT coalesce(nullif(of_what, ''), '0')::BIGINT, cents
        FROM lines
        WHERE holder = 'ledger' AND account = 'coupons' AND name = 'redeemed_in_quarter'
            AND (SELECT ends_quarter FROM day)
        ORDER BY place
    """,
    note_query="""
        SELECT CASE WHEN ends_quarter THEN 'The' ELSE 'No' END || ' quarter ends with this day.' FROM day
    """,
)
