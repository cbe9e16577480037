"""The shuffler's light that was ignored, found when it could first be known."""

from datetime import date
from typing import Final

from projections.engine.audit.table_audit import TableAudit
from schemas.house import House, Submission, TableSetup
from tests.golden.incidents.scenes import ignored_light

HOUSE: Final = House(
    house="script",
    gaming_day_starts="05:00",
    tables={
        "BAC-1": TableSetup(
            chapter="685a", decks=6, sources={"T": "terminal", "S": "shoe", "F": "pit", "U": "shuffler"}
        )
    },
    submissions=[Submission(since=date(2018, 9, 11), chapter="685a", options={})],
)


def first_found(*, is_heeded: bool) -> str | None:
    """Return the round that was over when the cards were first said to be unshuffled."""
    audit, number = TableAudit("BAC-1", HOUSE), ""
    for event in ignored_light(is_heeded=is_heeded).events:
        for each in audit.feed([event]):
            number = each.conclusion.round or number
            for finding in each.conclusion.findings:
                if finding.check == "jam_not_reshuffled":
                    assert (finding.weight, finding.who) == ("mismatch", "shoe 2")
                    assert finding.citations == ("685a.12(j)",)
                    return number
    return None


def test_the_ignored_light_is_found_as_the_first_round_of_its_cards_is_over() -> None:
    assert first_found(is_heeded=False) == "3"


def test_a_light_that_was_heeded_is_no_finding() -> None:
    assert first_found(is_heeded=True) is None
