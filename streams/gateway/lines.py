"""Bytes as they come, in chunks of any size, to numbered lines."""

from typing import Final

from msgspec import Struct

LONGEST: Final = 512 * 1024  # bytes; a frame holds a line whole, and Kafka takes records up to 1 MiB


class Line(Struct, frozen=True):
    """A line without its end: its number in the source, from 1, and the offset of the byte that follows it.

    Of a line longer than LONGEST bytes only the beginning is kept, and it is not whole.
    """

    number: int
    end: int
    text: bytes
    is_whole: bool = True


class Lines:
    """Cuts a source's bytes into lines, from a line number and an offset on.

    >>> lines = Lines()
    >>> [each.text for each in lines.cut(b'one' + bytes([10]) + b'tw')]
    [b'one']
    >>> lines.cut(b'o' + bytes([10]))
    [Line(number=2, end=8, text=b'two', is_whole=True)]
    """

    def __init__(self, number: int = 0, offset: int = 0) -> None:
        self._number, self._offset = number, offset
        self._begun = bytearray()
        self._length = 0

    def cut(self, chunk: bytes) -> list[Line]:
        """Take the next bytes; give the lines that end in them."""
        *ends, begun = chunk.split(b"\n")
        lines = []
        for piece in ends:
            self._take(piece)
            lines.append(self._line(self._length + 1))
        self._take(begun)
        return lines

    def rest(self) -> list[Line]:
        """Return what stands after the last line's end, for a source that has ended."""
        return [self._line(self._length)] if self._length else []

    def _take(self, piece: bytes) -> None:
        self._length += len(piece)
        self._begun += piece[: LONGEST - len(self._begun)]

    def _line(self, length: int) -> Line:
        self._number += 1
        self._offset += length
        line = Line(self._number, self._offset, bytes(self._begun), self._length <= LONGEST)
        self._begun, self._length = bytearray(), 0
        return line
