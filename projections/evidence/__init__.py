"""Evidence: what lets a third party check a day, or one hand out of it. docs/proofs.md is the format.

`merkle_tree` is the Merkle tree, `part_leaves` what a sealed record puts into it, `checkpoint` what closes
a day and is signed. All of it is pure; `streams.archive` reads and writes.
"""
