"""The money of a floor: table inventories, slips, drop boxes, Counter Checks, coupons, and its ledgers.

It is a separate layer over the tables as they were played: what happened at a table is unchanged, and what
people did with chips, documents and boxes is added. Its random numbers are its own, so a table is dealt the
same with it and without.
"""
