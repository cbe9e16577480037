"""Reconciliation across tables: the ledgers of cage, count room and finance, and the tables' accounts.

`entries` puts a ledger's entries in order, `cage`, `count_room` and `counter_checks` fold them, `tables` is
what the tables say, `checks` ask whether the two agree, `reconciling` makes a gaming day's accounts of it.
"""
