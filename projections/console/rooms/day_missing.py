"""What is missing of a table's devices on a gaming day, by what was found: from when to when, and how."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from projections.checks.data_missing import DATA_MISSING
from projections.console.rooms.day_shoes import ShoeOfDay
from projections.hand.findings import Finding
from schemas.values import Micros

# What was said of each round, by device.
Told: TypeAlias = Mapping[str, Mapping[str, Sequence[str]]]


class MissingData(Struct, frozen=True):
    """What is missing of a device in `rounds` that follow each other; in none, between rounds of a shoe.

    It lasted from the opening of the first of them until that of the round after the last, None where none
    came after; of a shoe from its first round to its last. That is as near as the findings tell.
    """

    device: str
    since: Micros
    until: Micros | None
    rounds: int
    says: list[str]


def missing_data(shoes: Sequence[ShoeOfDay], found: Mapping[str, Sequence[Finding]]) -> list[MissingData]:
    """Give what is missing by device, in the order in which it began; `found` has the notes too."""
    told = {about: _by_device(findings) for about, findings in found.items()}
    missing = [*_in_rounds([each for shoe in shoes for each in _timed(shoe)], told)]
    for shoe in shoes:
        missing += _between_rounds(shoe, told)
    return sorted(missing, key=lambda each: (each.since, each.device))


def _by_device(findings: Sequence[Finding]) -> Mapping[str, Sequence[str]]:
    said: defaultdict[str, list[str]] = defaultdict(list)
    for each in findings:
        if each.check == DATA_MISSING.check and isinstance(each.device, str):
            said[each.device].append(each.message)
    return said


def _timed(shoe: ShoeOfDay) -> list[tuple[Micros, str]]:
    return [(each.at, each.about) for each in shoe.rounds if each.at is not None]


def _in_rounds(rounds: Sequence[tuple[Micros, str]], told: Told) -> Iterator[MissingData]:
    """Join rounds that follow each other and of which something of one device is missing."""
    going: dict[str, MissingData] = {}
    for at, about in rounds:
        here = told.get(about, {})
        for device in going.keys() - here.keys():
            yield replace(going.pop(device), until=at)
        for device, says in here.items():
            before = going.get(device)
            since, number, said = (before.since, before.rounds, before.says) if before else (at, 0, [])
            words = list(dict.fromkeys((*said, *says)))
            going[device] = MissingData(device, since, None, number + 1, words)
    yield from going.values()


def _between_rounds(shoe: ShoeOfDay, told: Told) -> Iterator[MissingData]:
    """Give what was found of a shoe and not of a round of it; a shoe without rounds has no moment."""
    rounds = _timed(shoe)
    if not rounds:
        return
    for device, messages in _by_device(shoe.findings).items():
        of_rounds = [said for _, about in rounds for said in told.get(about, {}).get(device, ())]
        # A round's words go on where another reader took the device's place.
        says = [each for each in messages if not any(said.startswith(each) for said in of_rounds)]
        if says:
            yield MissingData(device, rounds[0][0], rounds[-1][0], 0, says)
