"""Report of a day's play: settlements, whom they favoured, pace, and what is left open."""

from typing import Final

from replay.exports.report import Bars
from replay.lists.columns import Column
from replay.nightly.report_query import GAME, TABLE, ReportQuery

MISMATCHES: Final = ReportQuery(
    name="mismatches",
    title="Settlement mismatches by game and table",
    columns=(
        GAME,
        TABLE,
        Column("check", "Check", "text"),
        Column("favours", "Favours", "text"),
        Column("findings", "Findings", "whole"),
        Column("cents", "Difference", "cents"),
    ),
    rows="""
        SELECT game, table_name, check_name, coalesce(favours, 'nobody') AS favoured,
            count(*), coalesce(sum(money), 0)
        FROM proven JOIN games USING (chapter)
        WHERE account IS NULL
        GROUP BY chapter, game, table_name, check_name, favoured
        ORDER BY chapter, table_name, check_name, favoured
    """,
    note="Proven findings of rounds and shoes, without what was put right in the round.",
)

PATRONS_AND_HOUSE: Final = ReportQuery(
    name="patrons_and_house",
    title="Patron shortages and house losses",
    columns=(
        TABLE,
        GAME,
        Column("patrons", "Times owed", "whole"),
        Column("owed_cents", "Owed to patrons", "cents"),
        Column("house", "Times overpaid", "whole"),
        Column("lost_cents", "Overpaid", "cents"),
        Column("settlements", "Settlements", "whole"),
        Column("share", "Share", "percent"),
    ),
    rows="""
        SELECT tables.table_name, game,
            count(*) FILTER (favours = 'house'), coalesce(sum(cents) FILTER (favours = 'house'), 0),
            count(*) FILTER (favours = 'patron'), coalesce(sum(cents) FILTER (favours = 'patron'), 0),
            settlements, ratio(count(*), settlements)
        FROM wrong_wagers
        JOIN tables ON tables.table_name = of_table
        JOIN games ON games.chapter = tables.chapter
        JOIN played ON level = 'table' AND played.table_name = of_table
        GROUP BY tables.place, tables.table_name, game, settlements
        ORDER BY tables.place
    """,
    total="""
        SELECT 'all', NULL, sum(patrons), sum(owed_cents), sum(house), sum(lost_cents), sum(settlements),
            ratio(sum(patrons) + sum(house), sum(settlements))
        FROM report
    """,
)

FINDINGS: Final = ReportQuery(
    name="findings",
    title="Findings",
    columns=(
        TABLE,
        Column("about", "About", "text"),
        Column("check", "Check", "text"),
        Column("weight", "Weight", "text"),
        Column("says", "Finding", "text"),
        Column("gross_cents", "Gross", "cents"),
        Column("vigorish_cents", "Vigorish", "cents"),
        Column("net_cents", "Net", "cents"),
        Column("variance_cents", "Variance", "cents"),
        Column("favours", "Favours", "text"),
        Column("citations", "Provision", "text"),
        Column("status", "Text", "text"),
        Column("id", "Id", "text"),
    ),
    rows="""
        SELECT table_name, coalesce(nullif(round, ''), 'shoe ' || shoe, account), check_name, weight, says,
            gross_cents, vigorish_cents, net_cents, variance_cents, favours, citations, status, id, [key]
        FROM findings ORDER BY place
    """,
    has_keys=True,
)

PACE: Final = ReportQuery(
    name="pace",
    title="Rounds an hour",
    columns=(
        TABLE,
        GAME,
        Column("rounds", "Rounds", "whole"),
        Column("hours", "Hours open", "fraction"),
        Column("pace", "Rounds an hour", "fraction"),
    ),
    rows="""
        SELECT table_name, game, rounds,
            to_thousandths(open_micros, 3_600_000_000), to_thousandths(rounds * 3_600_000_000, open_micros)
        FROM tables JOIN games USING (chapter) JOIN played USING (table_name)
        WHERE level = 'table' AND (rounds > 0 OR open_micros > 0)
        ORDER BY tables.place
    """,
    plot=Bars("table", "pace"),
)

UNDETERMINED: Final = ReportQuery(
    name="undetermined",
    title="Undetermined rounds",
    columns=(
        TABLE,
        Column("round", "Round", "text"),
        Column("devices", "Devices", "text"),
        Column("cause", "Cause", "text"),
    ),
    rows="SELECT table_name, round, devices, cause, [key] FROM undetermined ORDER BY place",
    has_keys=True,
)

SENSOR_GAPS: Final = ReportQuery(
    name="sensor_gaps",
    title="Sensor gaps",
    columns=(
        TABLE,
        Column("device", "Device", "text"),
        Column("reads", "Reads", "text"),
        Column("silences", "Silences", "whole"),
        Column("minutes", "Minutes silent", "fraction"),
        Column("rounds", "Rounds left open", "whole"),
    ),
    rows="""
        WITH silent AS (
            SELECT table_name, device, count(*) AS times, sum(micros) AS micros FROM silences GROUP BY ALL
        ), hanging_on AS (
            SELECT table_name, device, count(*) AS rounds FROM hanging GROUP BY ALL
        )
        SELECT table_name, device, reads, coalesce(times, 0),
            to_thousandths(coalesce(micros, 0), 60_000_000), coalesce(rounds, 0)
        FROM silent
        FULL JOIN hanging_on USING (table_name, device)
        LEFT JOIN devices USING (table_name, device)
        JOIN tables USING (table_name)
        ORDER BY tables.place, device
    """,
    note=(
        "Silences are those that the table's terminal reported; rounds are those for which a report of the "
        "device did not arrive."
    ),
)

SOURCE_CONFLICTS: Final = ReportQuery(
    name="source_conflicts",
    title="Devices that contradicted each other",
    columns=(
        TABLE,
        Column("devices", "Devices", "text"),
        Column("read", "Read", "text"),
        Column("rounds", "Rounds left open", "whole"),
    ),
    rows="""
        SELECT table_name, devices, reads, count(*)
        FROM at_odds JOIN tables USING (table_name)
        GROUP BY tables.place, table_name, devices, reads
        ORDER BY tables.place, devices
    """,
    note="Two devices reported one card or sum differently; a person has to decide which was right.",
)

CHANGES: Final = ReportQuery(
    name="changes",
    title="Changes of rules, and what they changed",
    columns=(
        TABLE,
        Column("at", "Since", "moment"),
        Column("source", "By", "text"),
        Column("options", "Options", "text"),
        Column("before", "Rulebook before", "text"),
        Column("first", "First round", "text"),
        Column("rounds", "Rounds", "whole"),
        Column("differing", "Owed otherwise", "whole"),
        Column("open", "Cannot be told", "whole"),
        Column("cents", "Owed to the house more", "cents"),
    ),
    rows="""
        SELECT table_name, since, source, options, rulebook_before, first_round, rounds, differing, unknown,
            CASE WHEN rulebook_before IS NOT NULL THEN cents END
        FROM changes ORDER BY place
    """,
    note=(
        "The day's rounds up to the next change, judged again by the earlier rules, with the same cards and "
        "wagers. Thresholds: No activity."
    ),
)
