"""The nightly job: a gaming day audited again, compared with what the live side stored, and reported.

`survey` reads what people did at a table on the day, `table_audit` judges its rounds again, and `table_day`
is the summary of both: sums, findings and digests, but no round. `live_comparison` compares the digests with
a store. `day_book` is the whole day of all tables, and `day_database` the same as tables of a scratch
database, from which `reports` are selected. `replay.cli.nightly` goes from the archive to the book, and
writes reports to a store.
"""
