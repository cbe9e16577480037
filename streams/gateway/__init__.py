"""The gateway: receives the reports of devices, cuts them into frames, and sends every frame to Kafka once.

A line passes through these modules in order: `process` (its sources: TCP, a file, standard input;
`http_devices` has HTTP), `lines` (bytes to lines, and which lines of a source are on the disk already),
`screening` (which parts of a line are accepted, and why the rest is not), `intake` (the frames), `spool` (the
disk: only what is there is acknowledged to the device), `delivery` (Kafka; a record that Kafka has
acknowledged leaves the spool, one that it will never accept goes to the quarantine).

The gateway judges no event. What it cannot put into a frame at all goes to the quarantine, by the same way.
"""
