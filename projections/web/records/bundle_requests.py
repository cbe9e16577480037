"""Requests for evidence bundles, and who makes them: a process of its own loads no more of the console."""

from datetime import date
from typing import Protocol, runtime_checkable

from msgspec import Struct


class BundleRequest(Struct, frozen=True, kw_only=True):
    """A request for the bundle of a hand, and the name of its file.

    `seat` is the seat whose part is shown, as `3` or `3/anna`. It is exported by `by` because of `why`. A
    request for a `nameless` one is refused if it would name a person. `attachments` are names and contents of
    what was attached to its dispute, to be let out with it.
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
    attachments: tuple[tuple[str, bytes], ...] = ()

    def options(self) -> list[str]:
        """Return what is asked for as options of `discardrack evidence`, without its files.

        >>> asked = BundleRequest(table="BAC-7", day=date(2025, 1, 1), round="41", file="d.zip", seat="2")
        >>> asked.options()
        ['--date', '2025-01-01', '--seat', '2']
        """
        options = (("--date", str(self.day)), ("--seat", self.seat), ("--why", self.why), ("--by", self.by))
        flags = (("--all-seats", self.all_seats), ("--staff", self.staff), ("--nameless", self.nameless))
        words = [word for option, value in options if value is not None for word in (option, value)]
        return [*words, *(option for option, is_set in flags if is_set)]


@runtime_checkable  # Litestar asks whether what it hands on is one
class BundleMaker(Protocol):
    """Maker of bundles: it has the archive, and the key that signs."""

    def lacks(self, table: str, day: date) -> str | None:
        """Return why no bundle can be made of a table's gaming day yet; None if one can be asked for."""

    async def made(self, wanted: BundleRequest) -> bytes:
        """Make a bundle, one at a time; its export is logged in the archive when it is handed out.

        Raises:
            BadInput: another is being made, or this one cannot be.
        """
