"""Alerts as the tests of the board and of the work need them: findings of rounds at a table, and who acts."""

from datetime import date
from itertools import count
from typing import Any, Final

import pytest

from projections.casework.actions import Actor, Done, Refused
from projections.casework.alert_watch import ReceivedConclusion
from projections.casework.alerts.alert_queue import AlertQueue
from projections.casework.alerts.case_book import CaseBook
from projections.casework.alerts.notifications import loudest_first, note_arrival
from projections.casework.cases.alert import Alert, alerts_of
from projections.casework.cases.case_actions import CaseAction
from projections.casework.cases.case_state import Case
from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from projections.engine.observation import RoundOrTime
from schemas.house import TableSetup
from schemas.room_settings import RoomSettings
from schemas.values import Micros
from tests.builders.texts import with_fact_message

MINUTE: Final = 60_000_000
EVENING: Final = 1_740_882_000_000_000  # 2025-03-01 21:20 EST
DAY: Final = date(2025, 3, 1)
SEE: Final = frozenset({"see", "work"})
SECOND: Final = SEE | {"second"}
PEOPLE: Final = ("ann", "bob", "cyd", "dee")
TABLES: Final = {
    "BAC-1": TableSetup(
        chapter="631a", sources={"S-1": "shoe", "C-1": "chips", "V-1": "camera", "T-1": "terminal"}, pit="A"
    )
}

CHECKS: Final = {"late_wager": "critical"} | dict.fromkeys(
    ("paid_too_much", "paid_too_little", "push_paid"), "by_amount"
)


def build_finding(name: str, **more: Any) -> Finding:
    """Make a finding: a patron was paid $100.00 too much, by default."""
    told: dict[str, Any] = {
        "id": name,
        "check": "paid_too_much",
        "weight": "mismatch",
        "severity": "high",
        "message": "overpaid $100.00",
        "citations": ("631a.8",),
        "status": "adopted",
        "net_cents": 10_000,
        "favours": "patron",
    }
    return Finding(**with_fact_message(told | more))


def build_conclusion(number: str | None, *findings: Finding, **more: Any) -> Conclusion:
    """Conclude a round at BAC-1, or of no number what `more` says: a shoe or an account."""
    told: dict[str, Any] = {
        "table": "BAC-1",
        "round": number,
        "gaming_date": DAY,
        "chapter": "631a",
        "verdict": "mismatch" if findings else "clean",
        "outcome": None,
        "expected": (),
        "findings": findings,
        "notes": (),
    }
    return Conclusion(**told | more)


def build_alert(name: str, number: str = "1", at: int | None = EVENING, **more: Any) -> Alert:
    """Make an alert of a round at BAC-1 that was opened at 21:20; each round has a dealer of its own."""
    table, dealer = more.pop("table", "BAC-1"), more.pop("dealer", f"D-{number}")
    (made,) = alerts_of(
        build_conclusion(number, build_finding(name, **more), table=table), "run", at=at, dealer=dealer
    )
    return made


def build_arrival(said: Conclusion, basis: RoundOrTime, now: Micros, run: str = "live") -> ReceivedConclusion:
    """Draw a conclusion as soon as the gateway has what brings it."""
    return ReceivedConclusion(said, run, basis, now, now)


class InMemoryQueue:
    """A board and the work on it without any store, where people act a second after one another."""

    def __init__(self, *alerts: Alert, room: RoomSettings = RoomSettings()) -> None:  # noqa: B008  frozen
        self.board = AlertQueue(room, TABLES)
        self.book = CaseBook(self.board, CHECKS)
        self.now = EVENING
        self.rang: list[str] = []
        self._ids = (f"{number:032x}" for number in count(1))
        self.board.advance_floor(DAY, EVENING, EVENING)
        for each in alerts:
            self.come(each)

    def come(self, *standing: Alert, about: str | None = None) -> None:
        """Add alerts of one round now, or revise a round that had some to have none."""
        self.board.reporting_tables |= {each.table for each in standing}
        self.board.replace_alerts(about or standing[0].about, standing, self.book.cases)
        for each in sorted(standing, key=loudest_first):
            noted = note_arrival(self.board, each, self.book.cases, self.now)
            self.rang += [each.id] if noted is not None and noted.rang else []

    def new_id(self) -> str:
        """Return the id of an action that nobody has done yet."""
        return next(self._ids)

    def do(self, kind: type[Any], name: str | None = None, who: str = "ann", **fields: Any) -> CaseAction:
        """Apply an action to the case of an alert."""
        rights = fields.pop("rights", SEE)
        hidden = fields.pop("hidden", frozenset())
        told = fields if name is None else {"subject": f"alert:{name}", **fields}
        self.now += 1_000_000
        actor = Actor(who, "operator", rights, PEOPLE, hidden)
        asked = kind(id=self.new_id(), **told)
        action, facts = self.book.prepare(asked, actor, self.now)
        self.book.evolve(Done(action=action, who=who, at=self.now, facts=facts))
        return action

    def refused(self, kind: type[Any], name: str | None = None, who: str = "ann", **fields: Any) -> str:
        """Return the sentence with which something is refused."""
        with pytest.raises(Refused) as refused:
            self.do(kind, name, who, **fields)
        return str(refused.value)

    def case(self, name: str) -> Case:
        """Return the case of an alert."""
        return self.book.cases.case(name)
