"""The archive of a live floor: every record that Kafka had, exactly, sealed day by day, and read again.

A record goes one way only: `following` (Kafka), `journal` (the disk: only what lies there counts as kept),
`sealing` (a day that is over), `sealed` (a Parquet file that never changes). `tending` seals the days, keeps
the house files and lets `snapshots` be made, `archiver` is the process. `reading` gives a table's records in
the order they were sent, wherever they lie by then; `snapshots` spare it the years before a day, `nearby`
those after it.

`kept` is what all of them speak of: a record, and the names it goes by. `disk` writes files whole or not at
all. docs/archive.md is the same for those who read an archive without this software.
"""
