"""Disputes: what people write down of one, the dispute as it stands after it, and what it still waits for.

Pure: `actions` are what a person asks for, `dispute` folds what was done, `deciding` says whether it may be
done, `book` offers the three to the desk. `history` tells each change, `form` the fields that a system of
investigators asks for. The fields are those of a gaming dispute's audit as iTrak's help prints them, and what
a surveillance room writes down beside.
"""
