"""The gateway: takes what the devices report, cuts it into frames, and brings every frame to Kafka once.

A line goes one way only: `sources` (TCP, a file, standard input), `lines` (bytes to lines, and which
lines of a source are on the disk already), `intake` (who may send what), `framing` (frames), `spool` (the
disk: only what lies there is acknowledged to the device), `delivery` (Kafka; what Kafka has acknowledged
leaves the spool, what it will never take goes to the quarantine). `process` runs it all.

The gateway judges no event. What it cannot put into a frame at all goes to the quarantine, by the same way.
"""
