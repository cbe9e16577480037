"""The checks of procedures: one question a function, asked of every window of a table.

A theme is a module; what it asks stands in `CHECKS`, what its findings are in `KINDS`. A check looks at one
case and raises what it finds; it never fails and never writes.
"""

from collections.abc import Callable, Iterable
from typing import Final

from projections.engine.findings import Kind, Raised
from projections.engine.procedures.case import ProcedureCase
from projections.engine.procedures.checks import cut

CHECKS: Final[tuple[Callable[[ProcedureCase], Iterable[Raised]], ...]] = (
    cut.check_cut,
    cut.check_cover_card,
)
KINDS: Final[tuple[Kind, ...]] = (*cut.KINDS,)
