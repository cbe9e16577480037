"""Adaptors: what other systems export of the floor's procedures, made into a gateway's report lines.

`rows` reads CSV, JSON, syslog and iCalendar as rows of named fields. `mapping` makes events of them by a file
that a house writes, and numbers them by device. docs/adaptors.md has an example of each.
"""
