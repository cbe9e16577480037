"""The crew of a table: its dealers and its floorperson, as the table's terminal reports them."""

from typing import TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from schemas.events import DealerAssigned, DealerRelieved, FloorpersonAssigned

CrewChange: TypeAlias = DealerAssigned | DealerRelieved | FloorpersonAssigned


class Crew(Struct, frozen=True):
    """Crew at a moment: `dealers` in the order in which they came, and which of them is `calling` the game.

    It changes by these three events alone. What the opening and closing of the table do to it differs by
    what it is for, and is written there.
    """

    dealers: tuple[str, ...] = ()
    calling: str | None = None
    floorperson: str | None = None

    def after(self, change: CrewChange) -> "Crew":
        """Return the crew once a change was reported.

        >>> came = DealerAssigned(device="T-1", epoch=1, seq=1, at=0, dealer="D-7", calling=True)
        >>> helper = DealerAssigned(device="T-1", epoch=1, seq=2, at=1, dealer="D-8")
        >>> helped = Crew().after(came).after(helper)
        >>> helped.dealers, helped.calling
        (('D-7', 'D-8'), 'D-7')
        >>> helped.after(DealerRelieved(device="T-1", epoch=1, seq=3, at=2, dealer="D-7"))
        Crew(dealers=('D-8',), calling=None, floorperson=None)
        """
        match change:
            case FloorpersonAssigned():
                return replace(self, floorperson=change.floorperson)
            case DealerAssigned():
                return replace(
                    self,
                    dealers=(*self._others(change.dealer), change.dealer),
                    calling=change.dealer if change.calling else self.calling,
                )
            case DealerRelieved():
                is_calling = self.calling == change.dealer
                return replace(
                    self,
                    dealers=self._others(change.dealer),
                    calling=None if is_calling else self.calling,
                )
        assert_never(change)

    def _others(self, dealer: str) -> tuple[str, ...]:
        return tuple(name for name in self.dealers if name != dealer)
