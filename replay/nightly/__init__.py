"""The nightly job: a gaming day audited again, held against what the live side stored, and reported.

`survey` reads what people did at a table on the day, `auditing` judges its rounds once more, and `tableday`
is what is kept of both: sums, findings and digests, but no round. `comparing` holds the digests against a
store, `book` is the whole day of all tables, from which `reports` are made. `running` shares the tables out
over processes and keeps what they came to until the reports are written.
"""
