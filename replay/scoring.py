"""Injected against found: what the labels say ought to be found, held against what was.

A finding is matched by table, round or shoe, check, and the subject that the label names. On rounds whose
own events a sensor fault hit nothing has to be found, but nothing wrong may be said either.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import UNSET, Struct, field

from projections.checks.impossible_card import CARD_NOT_IN_DECK
from projections.checks.observed import PUT_RIGHT
from projections.checks.shoe_data import LATE_EVENT
from projections.findings import Finding
from projections.judge import Conclusion
from schemas.errors import BadInput
from streams.simulator.labels import FaultLabel, Label, Named, SensorLabel

# table, and round or shoe; a claim adds check, seat, wager, bettor, hand
Place: TypeAlias = tuple[str, str]
Claim: TypeAlias = tuple[str, str, str, int | None, str | None, str | None, str | None]

_LATE: Final = "late"
_CARD_CHECKS: Final = frozenset({"card_order_wrong"})  # a hand in disorder has no one hand to blame


class Score(Struct):
    """Injected faults by kind with how many were found, and everything that does not agree."""

    injected: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    primary: dict[str, str] = field(default_factory=dict)
    sensors: Counter[str] = field(default_factory=Counter)
    missed: list[Claim] = field(default_factory=list)
    invented: list[Claim] = field(default_factory=list)
    wrongly_open: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    hit: int = 0

    @property
    def agrees(self) -> bool:
        """Whether every fault was found, none invented, and nothing left open without cause."""
        return not (self.missed or self.invented or self.wrongly_open or self.unnamed)


def read_labels(path: Path) -> list[Label]:
    """Read a labels file.

    Raises:
        BadInput: a line is no label; the message names file and line.
    """
    labels: list[Label] = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            labels.append(msgspec.json.decode(line, type=_kind(line)))
        except msgspec.DecodeError as error:
            raise BadInput(f"{path}:{number}: not a label: {error}") from None
    return labels


def _kind(line: bytes) -> type[FaultLabel] | type[SensorLabel]:
    fields = msgspec.json.decode(line)
    return SensorLabel if isinstance(fields, dict) and "sensor" in fields else FaultLabel


def score(labels: Iterable[Label], conclusions: Iterable[Conclusion]) -> Score:
    """Hold what was injected against what was found."""
    faults: list[FaultLabel] = []
    hit: set[Place] = set()
    result = Score()
    for label in labels:
        if isinstance(label, SensorLabel):
            result.sensors[label.sensor] += 1
            hit.update(_hit_by(label))
        else:
            faults.append(label)
    said = _Said(conclusions, hit)
    result.verdicts, result.hit = said.verdicts, len(hit)
    result.wrongly_open, result.unnamed = said.wrongly_open, said.unnamed
    owed: dict[str, Counter[Claim]] = {}
    for fault in faults:
        claims = owed.setdefault(fault.table, Counter())
        claims.update(_claim(fault, named) for named in _named(fault))
    for table in sorted(owed.keys() | said.claims.keys()):
        injected, found = owed.get(table, Counter()), said.claims.get(table, Counter())
        missed = [claim for claim in (injected - found).elements() if not said.excuses(claim)]
        result.missed.extend(sorted(missed, key=str))
        result.invented.extend(sorted((found - injected).elements(), key=str))
    _count(result, faults, said)
    return result


def _count(result: Score, faults: Iterable[FaultLabel], said: "_Said") -> None:
    """Count the faults by kind; one that a sensor fault hid did not have to be found and is left out."""
    for fault in faults:
        if fault.primary is None:
            found = (fault.table, f"round {fault.round}") in said.put_right
            hidden = (fault.table, f"round {fault.round}") in said.hit
        else:
            claim = _claim(fault, fault.primary)
            found = said.claims.get(fault.table, Counter())[claim] > 0
            hidden = said.excuses(claim)
        if found or not hidden:
            result.injected[fault.fault] += 1
            result.found[fault.fault] += found
            result.primary[fault.fault] = (
                fault.primary.check if fault.primary is not None else PUT_RIGHT.check
            )
            if fault.primary is None and not found:
                result.missed.append(
                    (fault.table, f"round {fault.round}", PUT_RIGHT.check, None, None, None, None)
                )


class _Said:
    """What was concluded, as claims, and what of it a sensor fault excuses."""

    def __init__(self, conclusions: Iterable[Conclusion], hit: set[Place]) -> None:
        self.claims: dict[str, Counter[Claim]] = {}
        self.verdicts: Counter[str] = Counter()
        self.wrongly_open: list[str] = []
        self.unnamed: list[str] = []
        self.clean: set[Place] = set()
        self.put_right: set[Place] = set()
        self.shoes: dict[Place, Place] = {}
        self.hit = hit
        concluded = list(conclusions)
        for each in concluded:
            self._hear(each)
        # What only a whole shoe tells hangs on all its rounds.
        self.hit |= {
            shoe
            for (table, subject), shoe in self.shoes.items()
            if (table, subject) in hit or (table, f"beside {subject}") in hit
        }
        for each in concluded:
            if each.verdict == "undetermined":
                self._weigh_open(each)

    def excuses(self, claim: Claim) -> bool:
        """Tell whether a sensor fault hid it; what hid it must not have been called clean."""
        table, subject, check, *_ = claim
        shoe = self.shoes.get((table, subject))
        if check == CARD_NOT_IN_DECK.check and shoe in self.hit:
            return shoe not in self.clean
        return (table, subject) in self.hit and (table, subject) not in self.clean

    def _hear(self, each: Conclusion) -> None:
        place = _place(each)
        if each.round is not None:
            self.verdicts[each.verdict] += 1
            self.shoes[place] = (each.table, f"shoe {each.shoe}")
        if each.verdict == "clean":
            self.clean.add(place)
        if any(note.check == PUT_RIGHT.check for note in each.notes):
            self.put_right.add(place)
        claims = self.claims.setdefault(each.table, Counter())
        claims.update(_claimed(place, finding) for finding in each.findings if finding.weight == "mismatch")

    def _weigh_open(self, each: Conclusion) -> None:
        place = _place(each)
        if not each.findings:
            self.unnamed.append(" ".join(place))
        late = all(finding.check == LATE_EVENT.check for finding in each.findings)
        if place not in self.hit and not (late and (each.table, _LATE) in self.hit):
            reasons = "; ".join(finding.message for finding in each.findings)
            self.wrongly_open.append(f"{' '.join(place)}: {reasons}")


def _place(each: Conclusion) -> Place:
    return each.table, f"round {each.round}" if each.round is not None else f"shoe {each.shoe}"


def _hit_by(label: SensorLabel) -> Iterator[Place]:
    """Say what a sensor fault hit: rounds whose events it touched, or while which a device was not there."""
    for number in (*label.rounds, *label.detail.get("open_rounds", ())):
        yield label.table, f"round {number}"
    for name in label.shoes:
        yield label.table, f"shoe {name}"
    for number in label.detail.get("between", ()):
        yield label.table, f"beside round {number}"  # not the round, but what hangs on its shoe
    if "arrives" in label.detail:
        yield label.table, _LATE  # in which shoe it arrived the label cannot know


def _named(label: FaultLabel) -> Iterator[Named]:
    if label.primary is not None:
        yield label.primary
    yield from label.follows


def _claim(label: FaultLabel, named: Named) -> Claim:
    number = named.round if named.round is not UNSET else label.round
    shoe = named.shoe if named.shoe is not UNSET else label.shoe
    subject = f"round {number}" if number is not None else f"shoe {shoe}"
    who = None if named.check in _CARD_CHECKS else _given(named.who)
    return (label.table, subject, named.check, _seat(named), _given(named.wager), _given(named.bettor), who)


def _claimed(place: Place, finding: Finding) -> Claim:
    who = None if finding.check in _CARD_CHECKS else _given(finding.who)
    seat = finding.seat if finding.seat is not UNSET else None
    return (*place, finding.check, seat, _given(finding.wager), _given(finding.bettor), who)


def _seat(named: Named) -> int | None:
    return named.seat if named.seat is not UNSET else None


def _given(value: str | msgspec.UnsetType) -> str | None:
    return None if value is UNSET else value
