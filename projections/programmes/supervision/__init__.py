"""The floor's supervision: how many open tables each floorperson had at once, 465a.35(c) and (d).

It is made of the tables' own accounts of procedures, of a gaming day; no table alone shows it.
"""
