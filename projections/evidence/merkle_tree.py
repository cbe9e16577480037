"""The Merkle tree of RFC 6962, section 2.1, with salted leaves, and proofs that show some of them.

Hashes are the 32 bytes of a SHA-256.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from schemas.errors import BadInput

_LEAF = b"\x00"
_NODE = b"\x01"


def leaf(content: bytes, salt: bytes = b"") -> bytes:
    """Hash a leaf; its salt keeps a hidden one from being guessed."""
    return hashlib.sha256(_LEAF + salt + content).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Hash the two parts of a range."""
    return hashlib.sha256(_NODE + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Compute the root over the hashes of leaves.

    >>> one, two, three = (leaf(each) for each in (b"1", b"2", b"3"))
    >>> root([one]) == one, root([one, two, three]) == node(node(one, two), three)
    (True, True)
    >>> root([]).hex()[:8]
    'e3b0c442'
    """
    if not leaves:
        return hashlib.sha256().digest()
    level = list(leaves)
    while len(level) > 1:
        # One that is left over at the end of a level is a part by itself until it meets another.
        rest = level[len(level) & ~1 :]
        level = [node(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)] + rest
    return level[0]


def proof(leaves: Sequence[bytes], disclosed: AbstractSet[int]) -> list[bytes]:
    """Return the hashes that the root needs besides some shown leaves (by index), in the walk's order.

    >>> hashes = [leaf(b"%d" % each) for each in range(5)]
    >>> proof(hashes, {1, 2}) == [hashes[0], hashes[3], hashes[4]]
    True
    """
    return list(_hidden(leaves, 0, len(leaves), sorted(disclosed)))


def _hidden(leaves: Sequence[bytes], first: int, end: int, disclosed: Sequence[int]) -> Iterator[bytes]:
    if not disclosed:
        yield root(leaves[first:end])
    elif end - first > 1:
        middle = first + _left(end - first)
        yield from _hidden(leaves, first, middle, [each for each in disclosed if each < middle])
        yield from _hidden(leaves, middle, end, [each for each in disclosed if each >= middle])


def rebuilt(size: int, disclosed: Mapping[int, bytes], hidden: Sequence[bytes]) -> bytes:
    """Compute the root from the hashes of the leaves that are shown, by index, and a proof for the others.

    >>> hashes = [leaf(b"%d" % each) for each in range(5)]
    >>> rebuilt(5, {1: hashes[1], 2: hashes[2]}, proof(hashes, {1, 2})) == root(hashes)
    True

    Raises:
        BadInput: the proof is not one for these leaves.
    """
    if any(not 0 <= each < size for each in disclosed):
        raise BadInput(f"a proof for a tree of {size} leaves shows one that is not among them")
    lacking = iter(hidden)
    found = _walked(0, size, dict(sorted(disclosed.items())), lacking)
    if next(lacking, None) is not None:
        raise BadInput("a proof has more hashes than its tree asks for")
    return found


def _walked(first: int, end: int, disclosed: Mapping[int, bytes], lacking: Iterator[bytes]) -> bytes:
    if not disclosed:
        found = next(lacking, None)
        if found is None:
            raise BadInput("a proof has fewer hashes than its tree asks for")
        return found
    if end - first == 1:
        return disclosed[first]
    middle = first + _left(end - first)
    left = _walked(first, middle, {at: each for at, each in disclosed.items() if at < middle}, lacking)
    return node(
        left, _walked(middle, end, {at: each for at, each in disclosed.items() if at >= middle}, lacking)
    )


def _left(size: int) -> int:
    """Return the largest power of two below a size of at least two.

    >>> [_left(size) for size in (2, 3, 4, 5, 8, 9)]
    [1, 2, 2, 4, 4, 8]
    """
    return 1 << (size - 1).bit_length() - 1


def in_order(paths: Sequence[str]) -> bool:
    """Return True if paths stand in the order of their bytes, none twice."""
    return all(one.encode() < two.encode() for one, two in pairwise(paths))
