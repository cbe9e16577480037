"""A floor replayed inside one process, without Kafka: recorded or simulated frames, judged as they come.

`player` takes the frames in the order of their receipt, and judges and stores them at a chosen speed. The
time of receipt is replaced; the reports of the devices, with their own clocks, are unchanged. Cards face down
are never shown: only conclusions and the status of the tables are stored.
"""
