"""The gateway: takes what the devices report, cuts it into frames, and brings every frame to Kafka once.

A line goes one way only: `lines` (bytes to lines), `report` (a line's envelope), `closing` (frames), `spool`
(the disk: only what lies there is acknowledged to the device), `delivery` (Kafka; what Kafka has acknowledged
leaves the spool, what it will never take is `refused`). `tally` knows which lines of a source are on the
disk, `intake` puts these together, `sources` are TCP, a file and standard input, `process` runs it all.

The gateway judges no event. What it cannot put into a frame at all goes to the quarantine, by the same way.
"""
