"""The camera that went dark over a table in play, found when it could first be known."""

from datetime import date
from typing import Final

import pytest

from projections.engine.audit.table_audit import TableAudit
from schemas.house import House, ProcedureSettings, Submission, TableSetup
from tests.golden.incidents.scenes import dark_camera

HOUSE: Final = House(
    house="script",
    gaming_day_starts="05:00",
    tables={
        "BAC-1": TableSetup(chapter="685a", decks=6, sources={"T": "terminal", "S": "shoe", "X": "recorder"})
    },
    submissions=[Submission(since=date(2018, 9, 11), chapter="685a", options={})],
    procedures=ProcedureSettings(outage_notice_minutes=10),
)


def first_found(*, is_notified: bool) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return for each finding the round that was over when it was first made, and what it cites."""
    audit, number = TableAudit("BAC-1", HOUSE), ""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for event in dark_camera(is_notified=is_notified).events:
        for each in audit.feed([event]):
            number = each.conclusion.round or number
            for finding in each.conclusion.findings if each.conclusion.account == "procedures" else ():
                found.setdefault(finding.check, (number, finding.citations))
    return found


@pytest.mark.parametrize("is_notified", [False, True])
def test_a_dark_camera_is_found_as_the_first_round_under_it_is_over(is_notified: bool) -> None:  # noqa: FBT001
    found = first_found(is_notified=is_notified)
    assert found["table_not_covered"] == ("3", ("465a.9(c)(2)(i)",))
    assert found.get("outage_not_notified") == (None if is_notified else ("4", ("house control",)))
