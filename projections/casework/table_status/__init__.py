"""How each table stands at this moment, as the floor's tiles show it: who deals, which round and shoe.

`fold` says what one table's events make of it; `floor` keeps that of every table. It is for orientation, and
no hand is judged by it: what devices deliver late, or correct, is the audit's matter. It holds no reading of
a card and no sum of a wager, so nothing that is face down can be shown by it.
"""
