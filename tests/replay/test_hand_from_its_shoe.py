"""One round judged from its shoe: the same as from the beginning, with the same patrons."""

from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from projections.engine.conclusion import canonical
from replay.recording.judged_rounds import JudgedRound, judge_rounds
from replay.recording.recording import Recording
from replay.recording.seated_rounds import SeatedRound
from replay.recording.single_round import judge_around
from streams.archive import snapshots
from streams.archive.archive_reader import records
from tests.builders.archives import archive_three_shoes
from tests.builders.made_once import made_once

TABLE: Final = "BAC-101"
DAYS: Final = (date(2025, 3, 1), date(2025, 3, 2))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "shoes", archive_three_shoes) / "archive"


@pytest.fixture(scope="module")
def rounds(archive: Path) -> list[JudgedRound]:
    found = judge_rounds(Recording(archive), TABLE)
    return [each for each in found if isinstance(each, JudgedRound) and each.seen is not None]


def around(archive: Path, each: JudgedRound) -> list[JudgedRound]:
    """Judge a round by its day; give it as often as it is there."""
    said = each.conclusion
    assert said.round is not None
    return [
        one.judged
        for one in judge_around(Recording(archive), TABLE, said.round, said.gaming_date)
        if isinstance(one, SeatedRound) and (one.seen.number, one.seen.day) == (said.round, said.gaming_date)
    ]


@pytest.mark.parametrize("day", DAYS)
def test_rounds_of_a_floor_with_failing_sensors_come_to_what_the_whole_archive_comes_to(
    archive: Path, rounds: list[JudgedRound], day: date
) -> None:
    of_day = [each for each in rounds if each.conclusion.gaming_date == day]
    assert len(of_day) > 30
    tried = [*of_day[:: len(of_day) // 8], *of_day[-3:]]
    patrons = 0
    for each in tried:
        (found,) = around(archive, each)
        assert canonical([found.conclusion]) == canonical([each.conclusion])
        assert found.seen == each.seen
        assert each.seen is not None
        patrons += len(each.seen.seated)
    assert patrons > 0
    assert {each.conclusion.verdict for each in tried} > {"clean"}


def test_both_rounds_of_a_shoes_turn_are_judged_whole(archive: Path, rounds: list[JudgedRound]) -> None:
    """The last round of a shoe is judged from that shoe, the first of the next not from behind its start."""
    of_day = [each for each in rounds if each.conclusion.gaming_date == DAYS[1]]
    turns = [pair for pair in pairwise(of_day) if pair[0].conclusion.shoe != pair[1].conclusion.shoe]
    assert turns
    for each in (one for pair in turns for one in pair):
        (found,) = around(archive, each)
        assert canonical([found.conclusion]) == canonical([each.conclusion])


def test_what_no_record_names_has_the_whole_day_judged(archive: Path, rounds: list[JudgedRound]) -> None:
    found = judge_around(Recording(archive), TABLE, "no such round", DAYS[1])
    numbers = {each.seen.number for each in found if isinstance(each, SeatedRound)}
    assert {each.conclusion.round for each in rounds if each.conclusion.gaming_date == DAYS[1]} <= numbers


def test_a_day_is_read_from_the_snapshots_of_its_start_and_of_each_of_its_shoes(
    archive: Path, rounds: list[JudgedRound]
) -> None:
    begun, *shoes = snapshots.from_start(archive, TABLE, rounds[0].house, DAYS[1])
    every = list(records(archive, TABLE))
    first = next(place for place, each in enumerate(every) if each.day == DAYS[1])
    assert begun.after == every[first - 1].record.position
    dealt = [each.conclusion.shoe for each in rounds if each.conclusion.gaming_date == DAYS[1]]
    assert [each.shoe for each in shoes] == [each for each in dict.fromkeys(dealt) if each != begun.shoe]
    assert len(shoes) > 0
