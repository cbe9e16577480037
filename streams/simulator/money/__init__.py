"""The money of a floor: table inventories, slips, drop boxes, Counter Checks, coupons, and the ledgers of it.

It is a layer of its own that is laid over tables as they were played: what happened at a table stays as it
was, and gains what the people around it did with chips, paper and boxes. Its random numbers are its own, so
that a table is dealt alike with it and without.
"""
