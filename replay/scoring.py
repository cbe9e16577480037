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

from projections.findings import Finding
from projections.judge import Conclusion
from schemas.errors import BadInput
from streams.simulator.labels import FaultLabel, Label, Named, SensorLabel

# table, round or shoe, check, seat, wager, bettor, hand
Claim: TypeAlias = tuple[str, str, str, int | None, str | None, str | None, str | None]

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
    open_rounds: int = 0

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
    result = Score()
    owed: dict[str, Counter[Claim]] = {}
    kinds: list[tuple[FaultLabel, Claim]] = []
    hit: set[tuple[str, str]] = set()
    for label in labels:
        if isinstance(label, SensorLabel):
            result.sensors[label.sensor] += 1
            hit |= {(label.table, f"round {number}") for number in label.rounds}
            hit |= {(label.table, f"shoe {name}") for name in label.shoes}
            continue
        result.injected[label.fault] += 1
        result.primary[label.fault] = label.primary.check if label.primary is not None else "put_right"
        if label.primary is not None:
            kinds.append((label, _claim(label, label.primary)))
        else:
            result.found[label.fault] += 1
        for named in _named(label):
            owed.setdefault(label.table, Counter())[_claim(label, named)] += 1
    result.hit = len(hit)
    conclusions = list(conclusions)
    # What only a whole shoe tells hangs on all its rounds.
    hit |= {
        (each.table, f"shoe {each.shoe}")
        for each in conclusions
        if (each.table, f"round {each.round}") in hit
    }
    found = _found(conclusions, hit, result)
    _compare(result, owed, found, hit)
    missed = Counter(result.missed)
    for label, claim in kinds:
        if missed[claim]:
            missed[claim] -= 1
        elif (claim[0], claim[1]) not in hit or found.get(claim[0], Counter())[claim]:
            result.found[label.fault] += 1
        else:
            result.injected[label.fault] -= 1  # hidden by a sensor fault: nothing had to be found
    return result


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


def _found(
    conclusions: Iterable[Conclusion], hit: set[tuple[str, str]], result: Score
) -> dict[str, Counter[Claim]]:
    found: dict[str, Counter[Claim]] = {}
    for each in conclusions:
        subject = f"round {each.round}" if each.round is not None else f"shoe {each.shoe}"
        if each.round is not None:
            result.verdicts[each.verdict] += 1
        if each.verdict == "undetermined":
            result.open_rounds += each.round is not None
            where = f"{each.table} {subject}"
            if (each.table, subject) not in hit:
                result.wrongly_open.append(f"{where}: {'; '.join(f.message for f in each.findings)}")
            if not each.findings:
                result.unnamed.append(where)
        claims = found.setdefault(each.table, Counter())
        for finding in each.findings:
            if finding.weight == "mismatch":
                claims[_claimed(each.table, subject, finding)] += 1
    return found


def _claimed(table: str, subject: str, finding: Finding) -> Claim:
    who = None if finding.check in _CARD_CHECKS else _given(finding.who)
    seat = finding.seat if finding.seat is not UNSET else None
    return (table, subject, finding.check, seat, _given(finding.wager), _given(finding.bettor), who)


def _compare(
    result: Score,
    owed: dict[str, Counter[Claim]],
    found: dict[str, Counter[Claim]],
    hit: set[tuple[str, str]],
) -> None:
    for table in sorted(owed.keys() | found.keys()):
        injected, seen = owed.get(table, Counter()), found.get(table, Counter())
        missed = [claim for claim in (injected - seen).elements() if (claim[0], claim[1]) not in hit]
        result.missed.extend(sorted(missed, key=str))
        result.invented.extend(sorted((seen - injected).elements(), key=str))


def _seat(named: Named) -> int | None:
    return named.seat if named.seat is not UNSET else None


def _given(value: str | msgspec.UnsetType) -> str | None:
    return None if value is UNSET else value
