"""What is missing of a table's devices on a gaming day, by what was found: from when to when, and how."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from projections.engine.checks.data_missing import DATA_MISSING
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase
from projections.engine.fold.gaps import gap_of
from projections.web.pages.day_shoes import ShoeOfDay
from schemas.values import Micros

# What was found of each round, by device.
Told: TypeAlias = Mapping[str, Mapping[str, Sequence[Fact]]]


class MissingData(Struct, frozen=True):
    """What is missing of a device in `rounds` that follow each other; in none, between rounds of a shoe.

    It lasted from the opening of the first of them until that of the round after the last, None where none
    came after. Of what is missing between rounds no finding tells when that was: both are when it was known,
    by the terminal's clock, which was soon after.
    """

    device: str
    since: Micros
    until: Micros | None
    rounds: int
    says: list[Fact]


class Lacking(Struct, frozen=True):
    """What a device did not report: of the round `about` that was opened then, or of a shoe.

    Of a shoe `at` is when it was known; None where that was not stored.
    """

    about: str
    device: str
    gap: Fact
    at: Micros | None


def placed(shoe: Iterable[Lacking], rounds: Iterable[Lacking]) -> Iterator[tuple[Lacking, Lacking | None]]:
    """Yield what a shoe lacks, each with what it is of its `rounds`; None of what lies between them.

    All that a round lacks its shoe lacks too.

    >>> gap = Fact("fold.restarted", {"device": DeviceRef("C-1")})
    >>> restarted = [Lacking("shoe", "C-1", gap, at) for at in (30, 50)]
    >>> of_round = Lacking("88", "C-1", gap, 40)
    >>> [(each.at, its.about if its else None) for each, its in placed(restarted, [of_round])]
    [(30, None), (50, '88')]
    """
    left = list(rounds)
    for each in sorted(shoe, key=lambda each: (each.at is not None, each.at)):
        its = next((other for other in left if _is_of(each, other)), None)
        if its is not None:
            left.remove(its)
        yield each, its


def _is_of(shoe: Lacking, other: Lacking) -> bool:
    """Return True if what a shoe lacks may be what a round lacks: that was opened before it was known."""
    known = shoe.at is None or other.at is None or other.at <= shoe.at
    return known and (other.device, other.gap) == (shoe.device, shoe.gap)


def missing_data(
    shoes: Sequence[ShoeOfDay],
    found: Mapping[str, Sequence[FindingBase[Fact]]],
    known: Mapping[str, Micros | None],
) -> list[MissingData]:
    """Return what is missing by device, in the order in which it began.

    `found` has the notes too; `known` is when each finding of a shoe was known, by its id.
    """
    told = {about: _by_device(findings) for about, findings in found.items()}
    missing = [*_in_rounds([each for shoe in shoes for each in _timed(shoe)], told)]
    for shoe in shoes:
        missing += _between_rounds(shoe, told, known)
    return sorted(missing, key=lambda each: (each.since, each.device))


def _by_device(findings: Sequence[FindingBase[Fact]]) -> Mapping[str, Sequence[Fact]]:
    said: defaultdict[str, list[Fact]] = defaultdict(list)
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
            going[device] = MissingData(device, since, None, number + 1, list(dict.fromkeys((*said, *says))))
    yield from going.values()


def _between_rounds(shoe: ShoeOfDay, told: Told, known: Mapping[str, Micros | None]) -> Iterator[MissingData]:
    """Yield what was found of a shoe and not of a round of it; what has no moment at all is left out."""
    rounds = _timed(shoe)
    of_rounds = [
        Lacking(about, device, gap_of(says), at)
        for at, about in rounds
        for device, messages in told.get(about, {}).items()
        for says in messages
    ]
    lacking = [
        Lacking("", each.device, each.message, known.get(each.id))
        for each in shoe.findings
        if each.check == DATA_MISSING.check and isinstance(each.device, str)
    ]
    said: defaultdict[tuple[str, Micros], list[Fact]] = defaultdict(list)
    for each, its in placed(lacking, of_rounds):
        at = each.at if each.at is not None else rounds[-1][0] if rounds else None
        if its is None and at is not None:
            said[each.device, at].append(each.gap)
    for (device, at), says in said.items():
        yield MissingData(device, at, at, 0, list(dict.fromkeys(says)))
