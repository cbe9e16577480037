"""The floor's procedures: the account of what was done with cards and devices, and its checks.

It is the third account besides shoes and table inventory, and exists only if a source of procedures is
connected. A theme is a module of `checks`; docs/procedures.md explains how to add one.
"""
