"""The nightly job: a gaming day audited again, held against what the live side stored, and reported.

`survey` reads what people did at a table on the day, `table_audit` judges its rounds once more, and
`table_day` is what is kept of both: sums, findings and digests, but no round. `live_comparison` holds the
digests against a store. `day_book` is the whole day of all tables, and `day_database` the same as tables of a
scratch database, from which `reports` are selected. `replay.cli.nightly` goes from the archive to the book,
and brings reports to a store.
"""
