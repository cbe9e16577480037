"""What the labels say of a report that was lost on its way."""

from random import Random

from schemas.events import CardBurned, DevicesPolled, Event, RoundClosed
from streams.simulator import faults
from streams.simulator.delivery import deliver
from streams.simulator.reporting import Report


def shoes_of_lost(*sent: tuple[Event, str]) -> list[list[str]]:
    """Return which shoes the label of each report names, where all are lost."""
    rates = {**faults.NONE, "event_lost": 1.0}
    reports = [Report(event.at, event, shoe) for event, shoe in sent]
    arrived, labels = deliver("BAC-1", reports, Random(1), rates, Random(2))  # noqa: S311  a seeded floor
    assert arrived == []
    return [label.shoes for label in labels]


def test_a_report_of_the_terminal_between_two_shoes_may_have_been_of_either() -> None:
    closed = RoundClosed(device="T-1", epoch=1, seq=1, at=10, round="7", heard={})
    burned = CardBurned(device="S-1", epoch=1, seq=1, at=20, card=None)
    polled = DevicesPolled(device="T-1", epoch=1, seq=2, at=30, heard={})
    sent = ((closed, "1"), (burned, "2"), (polled, "2"))
    assert shoes_of_lost(*sent) == [[], ["2"], ["1", "2"]]
    assert shoes_of_lost((polled, "2"), (closed, "2"), (polled, "2")) == [["2"], [], ["2"]]
