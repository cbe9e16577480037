"""Reconciliation across tables: the ledgers of cage, count room and finance, and the tables' accounts.

`entries` puts a ledger's entries in order, `cage`, `count_room` and `counter_checks` fold them, `tables` are
the tables' accounts, `checks` decide whether the two agree, `reconciliation` makes a gaming day's accounts.
"""
