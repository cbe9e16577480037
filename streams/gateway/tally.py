"""Which lines of a source lie on the disk: what is answered to a device, and where a file is read on."""

from collections import deque

from msgspec import Struct, field


class Position(Struct, frozen=True, kw_only=True):
    """How far a source is kept: every line up to `line`, which ends before byte `offset`, and more.

    Frames of several tables close in an order of their own, so beyond that line some tables are farther:
    `beyond` is the last line kept of each.
    """

    line: int = 0
    offset: int = 0
    beyond: dict[str, int] = field(default_factory=dict)


class Tally:
    """Counts the lines of one source: `name` for people, `line` the last one up to which all are kept.

    `host` names it in common with the other sources from the same place, as the connections of one address.
    `key` is the name under which its position is stored; a source that cannot be read again has none.

    >>> tally = Tally("a file")
    >>> for number in (1, 2, 3):
    ...     tally.note(number, end=10 * number)
    >>> tally.keep("BAC-2", 2)
    >>> tally.position()
    Position(line=0, offset=0, beyond={'BAC-2': 2})
    >>> tally.keep("BAC-1", 1)
    >>> tally.position()
    Position(line=2, offset=20, beyond={})
    """

    def __init__(
        self, name: str, key: str | None = None, position: Position | None = None, host: str | None = None
    ) -> None:
        position = position or Position()
        self.name, self.key = name, key
        self.host = host or name
        self.line, self._offset = position.line, position.offset
        self._beyond = dict(position.beyond)
        self._noted: deque[tuple[int, int]] = deque()
        self._kept: set[int] = set()

    def note(self, number: int, end: int) -> None:
        """Take note that a line was read."""
        self._noted.append((number, end))

    def has(self, table: str, number: int) -> bool:
        """Return True if a line of a table is kept from an earlier run."""
        return number <= self._beyond.get(table, 0)

    def keep(self, table: str, number: int) -> None:
        """Count a line as kept. The lines of one table are kept in their order."""
        self._beyond[table] = max(number, self._beyond.get(table, 0))
        self._kept.add(number)
        while self._noted and self._noted[0][0] in self._kept:
            self.line, self._offset = self._noted.popleft()
            self._kept.remove(self.line)

    def position(self) -> Position:
        """Return the position to store; what stands in it is kept once it is committed."""
        self._beyond = {table: number for table, number in self._beyond.items() if number > self.line}
        return Position(line=self.line, offset=self._offset, beyond=dict(self._beyond))
