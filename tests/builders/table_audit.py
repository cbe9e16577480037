"""Audit of a table's events, as the tests query it."""

from collections.abc import Sequence
from datetime import date

from msgspec import Struct, field

from projections.engine.audit.table_audit import Concluded, TableAudit
from projections.engine.conclusion import Conclusion
from schemas.events import Event
from schemas.house import House
from tests.builders.table_script import build_house


class AuditedTable(Struct):
    """Results of the audit: the latest of each round, shoe and gaming day's account, and all in order."""

    audit: TableAudit
    history: list[Concluded] = field(default_factory=list)
    rounds: dict[str, Conclusion] = field(default_factory=dict)
    shoes: dict[str, Conclusion] = field(default_factory=dict)
    accounts: dict[date, Conclusion] = field(default_factory=dict)

    def hear(self, concluded: Sequence[Concluded]) -> None:
        """Add conclusions; later ones supersede."""
        self.history.extend(concluded)
        for each in (one.conclusion for one in concluded):
            if each.round is not None:
                self.rounds[each.round] = each
            elif each.shoe is not None:
                self.shoes[each.shoe] = each
            elif each.account is not None:
                self.accounts[each.gaming_date] = each

    def verdicts(self) -> dict[str, str]:
        """Return the verdict of each round by its number."""
        return {number: each.verdict for number, each in self.rounds.items()}

    def shoe_verdicts(self) -> dict[str, str]:
        """Return the verdict of each shoe by its name."""
        return {name: each.verdict for name, each in self.shoes.items()}

    def account(self) -> Conclusion:
        """Return the one account of the one gaming day."""
        (only,) = self.accounts.values()
        return only

    def revisions(self, number: str) -> list[str]:
        """Return the verdicts of a round in the order of their arrival."""
        return [each.conclusion.verdict for each in self.history if each.conclusion.round == number]


def audit_events(
    events: Sequence[Event], by: House | None = None, *, frame: int | None = None
) -> AuditedTable:
    """Audit events as they come, `frame` at a time (all at once by default), to the end of the record."""
    audit = TableAudit("BAC-1", by or build_house())
    heard = AuditedTable(audit)
    size = frame or len(events) or 1
    for start in range(0, len(events), size):
        heard.hear(audit.feed(events[start : start + size]))
    heard.hear(audit.finish())
    return heard


def finding_checks(concluded: Conclusion) -> list[str]:
    """Return the checks of the findings."""
    return [finding.check for finding in concluded.findings]


def note_checks(concluded: Conclusion) -> list[str]:
    """Return the checks of the notes."""
    return [note.check for note in concluded.notes]


def account_sums(concluded: Conclusion) -> dict[str, int | None]:
    """Return an account's lines that are of nothing in particular, in cents by their names."""
    return {line.name: line.cents for line in concluded.lines if line.of is None}


def owed_by_wager(concluded: Conclusion) -> dict[tuple[int, str, str | None], tuple[int | None, int | None]]:
    """Return gain and vigorish owed in cents, by seat, wager and person; None if they are open."""
    return {
        (each.seat, each.wager, each.bettor): (each.cents, each.vigorish_cents) for each in concluded.expected
    }
