"""The gateway: receives the reports of devices, cuts them into frames, and sends every frame to Kafka once.

A line passes through these modules in order: `process` (its sources: TCP, a file, standard input), `lines`
(bytes to lines, and which lines of a source are on the disk already), `intake` (who may send what, and the
frames), `spool` (the disk: only what is there is acknowledged to the device), `delivery` (Kafka; a record
that Kafka has acknowledged leaves the spool, one that it will never take goes to the quarantine).

The gateway judges no event. What it cannot put into a frame at all goes to the quarantine, by the same way.
"""
