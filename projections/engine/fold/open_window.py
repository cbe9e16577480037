"""A round that is over and can still be revised."""

from msgspec import Struct

from projections.engine.accounts.table_accounts import Accounts
from projections.engine.conclusion import Conclusion
from projections.engine.fold.table_state import TableState
from projections.engine.fold.watermark import Mark, Span, lies_before
from schemas.events import Event, ReportCorrected, SettlementAdjusted


class Kept(Struct):
    """A round that is over: its events and barriers, state and accounts before it, what was concluded."""

    span: Span
    lower: Mark | None
    upper: Mark | None
    state: TableState
    accounts: Accounts
    revision: int = 0
    concluded: Conclusion | None = None
    seated: dict[int, str] = {}

    def takes(self, event: Event, lateness: int) -> bool:
        """Return True if an event is of this round: by its number, unless a later one has that number."""
        return event.round == self.span.number and (
            self.span.closed is None
            or self.upper is None
            or lies_before(event, self.upper)
            or event.at - self.span.last_at <= lateness
            or isinstance(event, SettlementAdjusted | ReportCorrected)
        )
