"""Whether a second source confirms what the chip reader reported of a round."""

from datetime import date
from typing import Final

import pytest

from projections.engine.fold.witnesses import witness
from projections.engine.games import game_of
from projections.engine.observation import Round
from schemas import events as e
from tests.builders.table_script import PLAYER_WINS, SOURCES, Script, Spot

WIN: Final[Spot] = (1, "player")


def played(*, seen: int = 1000, gone: int = 0, counts: int = 2) -> list[e.Event]:
    """Return a round in which 1000 win 1000: what the camera saw lie, what else left the tray, its counts."""
    s = Script()
    s.open()
    s.begin({WIN: 1000})
    s.no_more_bets({WIN: seen})
    s.deal(PLAYER_WINS)
    s.announce("player")
    s.settle({WIN: 1000})
    s.tray -= gone
    s.end()
    of_round = [each for each in s.events if each.round == "1"]
    _, last = [each for each in of_round if isinstance(each, e.InventoryCounted)]
    return [each for each in of_round if each is not last or counts == 2]


@pytest.mark.parametrize(
    ("events", "rests"),
    [
        (played(), "confirmed"),  # the tray paid 1000
        (played(gone=500), "contradicted"),
        (played(gone=-500), "contradicted"),
        (played(seen=900), "contradicted"),
        (played(counts=1), "alone"),
    ],
    ids=["alike", "chips gone", "chips too many", "another stake", "one count"],
)
def test_stakes_and_tray_confirm_the_chip_reader_or_contradict_it(events: list[e.Event], rests: str) -> None:
    observed = Round("BAC-1", "1", date(2025, 3, 1), 0)
    assert witness("chips", events, observed, SOURCES.values(), game_of("631a")).rests == rests


@pytest.mark.parametrize("lacking", ["camera", "tray"])
def test_without_camera_or_tray_the_chip_reader_is_alone(lacking: str) -> None:
    sources = [each for each in SOURCES.values() if each != lacking]
    observed = Round("BAC-1", "1", date(2025, 3, 1), 0)
    assert witness("chips", played(), observed, sources, game_of("631a")).rests == "alone"
