"""Evidence bundles as the console asks for them: of which hand, whose part, for whom and why.

The console itself has neither the archive nor the key that signs; what has both is given to it (`Bundles`).
"""

from datetime import date
from typing import Protocol, runtime_checkable

from msgspec import Struct


class Wanted(Struct, frozen=True, kw_only=True):
    """A bundle that is wanted of a hand, and the name of its file.

    `seat` is whose part is shown, as `3` or `3/anna`. It is let out by `by` because of `why`; one that is to
    be `nameless` is refused where it would name a person.
    """

    table: str
    day: date
    round: str
    file: str
    seat: str | None = None
    all_seats: bool = False
    staff: bool = False
    nameless: bool = False
    why: str | None = None
    by: str | None = None

    def options(self) -> list[str]:
        """Return what is asked for as options of `discardrack evidence`, without its key and its file.

        >>> asked = Wanted(table="BAC-7", day=date(2025, 1, 1), round="41", file="d.zip", seat="2")
        >>> asked.options()
        ['--date', '2025-01-01', '--seat', '2']
        """
        options = (("--date", str(self.day)), ("--seat", self.seat), ("--why", self.why), ("--by", self.by))
        flags = (("--all-seats", self.all_seats), ("--staff", self.staff), ("--nameless", self.nameless))
        words = [word for option, value in options if value is not None for word in (option, value)]
        return [*words, *(option for option, is_asked in flags if is_asked)]


@runtime_checkable  # Litestar asks whether what it hands on is one
class Bundles(Protocol):
    """What makes bundles: it has the archive, and the key that signs."""

    def lacks(self, table: str, day: date) -> str | None:
        """Return why no bundle can be made of a table's gaming day yet; None where one can be asked for."""

    async def made(self, wanted: Wanted) -> bytes:
        """Make a bundle, one at a time; that it was let out is noted in the archive when it is given.

        Raises:
            BadInput: another is being made, or this one cannot be.
        """
