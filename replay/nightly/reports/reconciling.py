"""Report of what does not reconcile, and the comparison of the audit with the live store."""

from typing import Final

from replay.lists.columns import Column
from replay.nightly.report_query import TABLE, ReportQuery

OPEN_ITEMS: Final = ReportQuery(
    name="open_items",
    title="Exceptions",
    columns=(
        Column("table", "Table or ledger", "text"),
        Column("about", "About", "text"),
        Column("what", "What", "text"),
        Column("weight", "Weight", "text"),
        Column("severity", "Severity", "text"),
        Column("says", "Says", "text"),
        Column("cents", "Difference", "cents"),
        Column("citations", "Provision", "text"),
    ),
    rows="""
        SELECT table_name, about, what, weight, severity, says, cents, citations, keys
        FROM open_items ORDER BY part, place
    """,
    has_keys=True,
    note_query="""
        WITH counted AS (
            SELECT weight, severity, severities.place, format('{:,} {}', count(*), severity) AS says
            FROM open_items JOIN severities USING (severity) GROUP BY weight, severity, severities.place
        ), listed AS (
            SELECT CASE weight WHEN 'mismatch' THEN 'Proven: ' ELSE 'Left open: ' END
                || string_agg(says, ', ' ORDER BY place) || '.' AS says, weight
            FROM counted WHERE weight IN ('mismatch', 'undetermined') GROUP BY weight
        )
        SELECT concat_ws(' ',
            (SELECT string_agg(says, ' ' ORDER BY weight) FROM listed),
            CASE WHEN NOT is_compared THEN no_snapshot() END
        )
        FROM day
    """,
)

COMPARISON: Final = ReportQuery(
    name="comparison",
    title="Live against re-audit",
    columns=(
        TABLE,
        Column("same", "The same", "whole"),
        Column("differing", "Differing", "whole"),
        Column("missing", "Missing", "whole"),
        Column("extra", "Extra", "whole"),
        Column("names", "Which", "text"),
    ),
    rows="""
        SELECT compared.table_name, same,
            count(*) FILTER (what = 'differing'),
            count(*) FILTER (what = 'missing'),
            count(*) FILTER (what = 'extra'),
            nullif(concat_ws('; ',
                'differing: ' || string_agg(about, ', ' ORDER BY found.place) FILTER (what = 'differing'),
                'missing: ' || string_agg(about, ', ' ORDER BY found.place) FILTER (what = 'missing'),
                'extra: ' || string_agg(about, ', ' ORDER BY found.place) FILTER (what = 'extra')
            ), ''),
            coalesce(list(key ORDER BY found.place) FILTER (key IS NOT NULL), [])
        FROM compared LEFT JOIN differences AS found USING (comparison)
        GROUP BY compared.place, compared.table_name, same
        ORDER BY compared.place
    """,
    has_keys=True,
    note_query="""
        SELECT CASE
            WHEN NOT is_compared THEN no_snapshot()
            ELSE 'Held against ' || coalesce(nullif(runs, ''), 'a store without the day') || '.'
        END
        FROM day
    """,
)
