"""An event that comes twice: passed over, unless it says something else the second time."""

import pytest
from msgspec.structs import replace

from schemas import events as e
from tests.builders.table_audit import audit_events
from tests.builders.table_script import PLAYER_WINS, Script
from tests.builders.texts import text_of


def story() -> Script:
    s = Script()
    s.open()
    for _ in range(2):
        s.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
    s.close()
    return s


@pytest.mark.parametrize("first_is_right", [True, False])
def test_two_contents_of_one_number_leave_the_round_open(*, first_is_right: bool) -> None:
    events = story().events
    at = next(n for n, event in enumerate(events) if isinstance(event, e.ChipsPaid))
    wrong = replace(events[at], cents=1500)
    pair = [events[at], wrong] if first_is_right else [wrong, events[at]]
    for later in (at + 1, len(events)):  # at once, and after the round was concluded
        order = [*events[:at], pair[0], *events[at + 1 : later], pair[1], *events[later:]]
        heard = audit_events(order)
        assert heard.verdicts() == {"1": "undetermined", "2": "clean"}
        missing = [each for each in heard.rounds["1"].findings if each.check == "data_missing"]
        assert any("sent two different reports under one number" in text_of(each.message) for each in missing)


def test_the_same_again_changes_nothing() -> None:
    events = story().events
    assert audit_events([*events, *events]).verdicts() == {"1": "clean", "2": "clean"}
