"""Reconciliation across tables: the ledgers of cage, count room and finance, and the tables' accounts.

`entries` puts a ledger's entries in order, `ledger_days` folds them, `tables` are
the tables' accounts, `checks` decide whether the two agree, `reconciliation` makes a gaming day's accounts.
"""
