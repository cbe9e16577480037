"""Report of persons: patrons' cash, staff, and what the surveillance room did about its alerts."""

from typing import Final

from replay.lists.columns import Column
from replay.nightly.report_query import TABLE, ReportQuery

CASH_BY_PATRON: Final = ReportQuery(
    name="cash_by_patron",
    title="Cash in and out by patron",
    columns=(
        Column("patron", "Patron", "text"),
        Column("in_cents", "Cash in", "cents"),
        Column("out_cents", "Cash out", "cents"),
        Column("reached", "Limit reached", "text"),
    ),
    rows="""
        WITH paid_in AS (
            SELECT patron, sum(cents) AS cents FROM bought GROUP BY patron
        ), paid_out AS (
            SELECT of_what AS patron, last(cents ORDER BY place) AS cents
            FROM lines
            WHERE holder = 'ledger' AND account = 'slips' AND name = 'cashed_out'
                AND of_what IS NOT NULL AND cents IS NOT NULL
            GROUP BY patron
        ), moved AS (
            SELECT patron, coalesce(paid_in.cents, 0) AS came, coalesce(paid_out.cents, 0) AS went
            FROM paid_in FULL JOIN paid_out USING (patron)
        )
        SELECT patron, came, went, nullif(concat_ws(' and ',
            CASE WHEN came >= in_limit THEN 'in' END, CASE WHEN went >= out_limit THEN 'out' END
        ), '')
        FROM moved, day ORDER BY patron
    """,
    note_query="""
        SELECT format('Limits: in {}, out {}. Bought by persons who are not known: {}.',
            dollars(in_limit), dollars(out_limit),
            dollars(coalesce((SELECT sum(unnamed_cents) FROM tables), 0)))
        FROM day
    """,
    restricted="finance",
)

# Those stand here who have a confirmed finding, and what was settled by them, or under them, on the day.
BY_PERSON: Final = ReportQuery(
    name="by_person",
    title="Confirmed findings by dealer and floorperson",
    columns=(
        Column("person", "Person", "text"),
        Column("role", "Role", "text"),
        Column("findings", "Confirmed findings", "whole"),
        Column("settlements", "Settlements", "whole"),
        Column("against_patrons", "Owed to patrons, per thousand", "fraction"),
        Column("against_house", "Overpaid, per thousand", "fraction"),
    ),
    rows="""
        WITH found AS (
            SELECT 'dealer' AS role, dealer AS person, favours FROM confirmed_findings
            UNION ALL
            SELECT 'floorperson', floorperson, favours FROM confirmed_findings
        ), settled AS (
            SELECT level AS role, person, settlements AS settled FROM played WHERE settlements > 0
        )
        SELECT person, role, count(*), coalesce(settled, 0),
            ratio(1000 * count(*) FILTER (favours = 'house'), settled),
            ratio(1000 * count(*) FILTER (favours = 'patron'), settled)
        FROM found LEFT JOIN settled USING (role, person)
        WHERE person IS NOT NULL
        GROUP BY role, person, settled ORDER BY role, person
    """,
    note_query="""
        WITH earlier_days AS (
            SELECT count(*) AS many FROM closed
            WHERE outcome = 'confirmed' AND alert NOT IN (SELECT id FROM findings)
        ), of_nobody AS (
            SELECT count(*) AS many FROM confirmed_findings WHERE dealer IS NULL AND floorperson IS NULL
        )
        SELECT CASE WHEN NOT is_worked THEN no_snapshot() ELSE concat_ws(' ',
            'Only findings of the day''s rounds count that an operator had closed as confirmed as it ended.',
            CASE WHEN earlier_days.many > 0
                THEN format('Closed so on the day, of earlier days, and not here: {:,}.', earlier_days.many)
            END,
            CASE WHEN of_nobody.many > 0
                THEN format('Of the day, and it is not known who worked at the table: {:,}.', of_nobody.many)
            END
        ) END
        FROM day, earlier_days, of_nobody
    """,
    restricted="surveillance_supervisor",
)

MUTED: Final = ReportQuery(
    name="muted",
    title="Muted and snoozed",
    columns=(
        Column("at", "At", "moment"),
        Column("who", "By", "text"),
        Column("role", "Role", "text"),
        Column("what", "What", "text"),
        Column("of", "Of", "text"),
        Column("until", "Until", "moment"),
        Column("reason", "Reason", "text"),
    ),
    rows="SELECT moment, who, role, what, of_what, until, reason FROM quieted ORDER BY place",
)

BREACHES: Final = ReportQuery(
    name="breaches",
    title="Overdue alerts",
    columns=(
        Column("severity", "Severity", "text"),
        Column("step", "To be", "text"),
        TABLE,
        Column("about", "Of", "text"),
        Column("gaming_day", "Gaming day", "date"),
        Column("check", "Check", "text"),
        Column("due", "Due", "moment"),
        Column("done", "Done", "moment"),
        Column("over", "Minutes over", "whole"),
        Column("who", "By", "text"),
    ),
    rows="""
        SELECT severity, step, table_name, about, gaming_day, check_name, due, done, minutes_over, who, [key]
        FROM breaches ORDER BY place
    """,
    has_keys=True,
    note_query="""
        WITH counted AS (
            SELECT severities.place, format('{:,} {}', count(*), severity) AS says
            FROM breaches JOIN severities USING (severity) GROUP BY severity, severities.place
        )
        SELECT rests_on((SELECT 'By severity: ' || string_agg(says, ', ' ORDER BY place) FROM counted), day)
        FROM day
    """,
)

CLOSINGS: Final = ReportQuery(
    name="closings",
    title="What findings were closed as",
    columns=(
        Column("check", "Check", "text"),
        Column("closed_as", "Closed as", "text"),
        Column("findings", "Findings", "whole"),
    ),
    rows="SELECT check_name, outcome, count(*) FROM closed GROUP BY ALL ORDER BY check_name, outcome",
    note_query="SELECT rests_on(NULL, day) FROM day",
)

ALERT_AGEING: Final = ReportQuery(
    name="alert_ageing",
    title="Alert ageing",
    columns=(
        Column("age", "Stood for", "text"),
        Column("closed", "Closed on the day", "whole"),
        Column("open", "Open as it ended", "whole"),
        Column("escalated", "Escalated of these", "whole"),
    ),
    rows="""
        WITH ages(age, says, most_minutes) AS (
            VALUES (1, 'up to 5 minutes', 5), (2, 'up to an hour', 60), (3, 'up to 8 hours', 8 * 60),
                (4, 'up to a day', 24 * 60), (5, 'up to 3 days', 3 * 24 * 60), (6, 'longer', NULL)
        ), alerts AS (
            SELECT stood, TRUE AS is_closed, NULL AS escalated FROM closed
            UNION ALL
            SELECT stood, FALSE, escalated FROM waiting
        ), aged AS (
            SELECT alerts.*, coalesce((
                SELECT min(age) FROM ages WHERE stood <= most_minutes * 60_000_000::BIGINT
            ), 6) AS age
            FROM alerts
        )
        SELECT says,
            count(*) FILTER (is_closed),
            count(*) FILTER (NOT is_closed),
            count(escalated)
        FROM ages LEFT JOIN aged USING (age)
        WHERE EXISTS (FROM alerts)
        GROUP BY age, says ORDER BY age
    """,
    note_query="""
        WITH counted AS (
            SELECT levels.place, format('{:,} with the {}', count(*), level) AS says
            FROM waiting JOIN levels ON level = escalated GROUP BY level, levels.place
        )
        SELECT rests_on(
            (SELECT 'Escalated and open: ' || string_agg(says, ', ' ORDER BY place) FROM counted), day
        )
        FROM day
    """,
)
