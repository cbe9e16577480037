"""A floor of Chapter 631a tables, played card by card and chip by chip: the second opinion.

The simulator deals, plays and settles with tables of its own, worked by hand from the text of 631a, and
imports nothing from `projections`. The audit's knowledge is repeated here, on purpose and in this one place
only, so that the two cannot share a mistake.

What happened (`play`), what the devices reported of it (`sensors`, `reporting`) and how the reports were
framed on their way (`frames`) are three steps; `labels` are written from the first two, before any audit.
"""
