"""Shoes and accounts that wait on the disk come back as they were concluded last, in their first order."""

from datetime import date

from projections.engine.audit.table_audit import Concluded
from replay.recording.event_audit import latest_conclusions
from replay.recording.spill import ConclusionSpill
from streams.log import Unread
from tests.builders import alerts
from tests.builders.alerts import DAY

NEXT = date(2025, 3, 2)


def concluded(
    revision: int = 1,
    day: date = DAY,
    *,
    shoe: str | None = None,
    account: str | None = None,
    number: str | None = None,
) -> Concluded:
    return Concluded(alerts.build_conclusion(number, shoe=shoe, account=account, gaming_date=day), revision)


def test_a_subject_that_is_concluded_again_keeps_its_place() -> None:
    with ConclusionSpill() as aside:
        for each in (
            concluded(shoe="shoe 1"),
            concluded(account="inventory"),
            concluded(day=NEXT, shoe="shoe 1"),
            concluded(2, shoe="shoe 1"),
        ):
            aside.put(each)
        assert list(aside.all()) == [
            concluded(2, shoe="shoe 1"),
            concluded(account="inventory"),
            concluded(day=NEXT, shoe="shoe 1"),
        ]


def test_shoes_and_accounts_follow_the_rounds_and_what_cannot_be_read_is_said_at_once() -> None:
    unread = Unread(3, "no frame")
    told = [concluded(shoe="shoe 1"), concluded(number="1"), unread, concluded(2, number="1")]
    assert list(latest_conclusions(iter(told))) == [
        unread,
        concluded(2, number="1"),
        concluded(shoe="shoe 1"),
    ]
