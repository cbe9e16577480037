"""The archive of a live floor: an exact copy of every record of Kafka, sealed day by day.

A record passes through these modules in order: `kafka_follower` (Kafka), `journal` (the disk: only a record
there counts as archived), `day_sealing` (a day that is over), `sealed_files` (a Parquet file that never
changes). `archiver` is the process. `archive_reader` returns a table's records in the order in which they
were sent, from the journal and the sealed files; with `snapshots` it need not read the years before a day.

`verification` checks an archive against its checkpoints: its files (`checked_files`), lines that were stored
elsewhere (`kept_lines`), what was removed (`retention_log`).

`record_names` defines a record and its names. `projections.store.disk` writes files completely or not at all.
docs/archive.md describes the format for those who read an archive without this software.
"""
