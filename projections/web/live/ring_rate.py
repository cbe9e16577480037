"""How often it rings: what the room is measured by, and shown to it."""

from typing import Final

from msgspec import Struct

LIMIT: Final = 6  # rings an hour for each operator on a realistic night


class Rate(Struct, frozen=True):
    """What rang in the last hour, and how many people who work on alerts are there."""

    rings: int = 0
    operators: int = 0

    @property
    def over(self) -> bool:
        """Return True if it is more than each of them should hear.

        >>> Rate(12, 2).over, Rate(13, 2).over, Rate(6, 0).over
        (False, True, False)
        """
        return self.rings > LIMIT * max(1, self.operators)

    def says(self) -> str:
        """Say it.

        >>> Rate(1, 1).says(), Rate(12, 0).says()
        ('rang once in the last hour, 1 on duty', 'rang 12 times in the last hour, nobody on duty')
        """
        times = "once" if self.rings == 1 else f"{self.rings} times"
        return f"rang {times} in the last hour, {self.operators or 'nobody'} on duty"
