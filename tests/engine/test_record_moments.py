"""Moments that a round record can have: those that a device's event can have, to the microsecond."""

from datetime import timedelta

import pytest

from projections.engine.audit.round_records import micros
from schemas.errors import BadInput
from schemas.values import MOST_MICROS, moment


def test_a_record_has_any_moment_that_an_event_can_have() -> None:
    assert [micros(moment(at)) for at in (0, MOST_MICROS)] == [0, MOST_MICROS]


@pytest.mark.parametrize(("at", "off"), [(0, -1), (MOST_MICROS, 1)])
def test_a_record_has_no_other_moment(at: int, off: int) -> None:
    with pytest.raises(BadInput, match="is not a time of play"):
        micros(moment(at) + timedelta(microseconds=off))
