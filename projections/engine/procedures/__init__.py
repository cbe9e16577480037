"""The floor's procedures: the account of what was done with cards and devices, and what is asked of it.

It is the third account beside shoes and table inventory, and is kept only where a source of procedures is
connected. A theme is a module of `checks`; docs/procedures.md says how one is added.
"""
