"""Devices that say nothing: what rests on them does not ring."""

from msgspec import Struct

from schemas.events import Source
from schemas.values import Micros


class Silent(Struct, frozen=True):
    """A device that says nothing, what it reads where the house file tells, and since when."""

    table: str
    device: str
    reads: Source | None
    since: Micros

    def says(self) -> str:
        """Say it.

        >>> Silent("T-1", "C-1", "chips", 0).says(), Silent("T-1", "X", None, 0).says()
        ('C-1, which reads the chips, is silent', 'X is silent')
        """
        return (
            f"{self.device}, which reads the {self.reads}, is silent"
            if self.reads
            else f"{self.device} is silent"
        )
