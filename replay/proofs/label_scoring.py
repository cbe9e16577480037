"""Injected against found: the findings that the labels require, compared with those made.

A finding is matched by table or ledger, gaming date, round, shoe or account, check, and the subject that the
label names; for an account by its cents and the last count that still agreed too. One that a label wants
undetermined is missed if it is not made, and invented if it is a mismatch. On rounds whose own events a
sensor fault hit nothing has to be found, but nothing wrong may be found either; the same holds for that
day's accounts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import UNSET, Struct, field

from projections.catalogue import KINDS
from projections.engine.accounts.checks.shoe import LATE_EVENT
from projections.engine.checks.notes import PUT_RIGHT
from projections.engine.conclusion import Conclusion
from projections.engine.findings import Finding
from projections.engine.kinds import CARD_EXTRA, CARD_NOT_IN_DECK
from projections.programmes.ledgers.checks.slips import MISSING, UNREPORTED
from projections.views.text import text
from schemas.errors import BadInput
from schemas.ledgers import LEDGERS
from streams.simulator.labels import ExpectedFinding, FaultLabel, Label, SchemeLabel, SensorLabel

# table or ledger, gaming date, and round, shoe or account
# a claim adds check, seat, wager, bettor, hand, serial number
Place: TypeAlias = tuple[str, str, str]
Claim: TypeAlias = tuple[str, str, str, str, int | None, str | None, str | None, str | None, str | None]

# What names a card too many closer than `card_extra` does.
_CARDS_EXTRA: Final = frozenset(kind.check for kind in KINDS.values() if kind.extra_card)
_BY_CHANCE: Final = frozenset(kind.check for kind in KINDS.values() if kind.by_chance)
_LATE: Final = "late"
_ACCOUNT: Final = "account"
_CARD_CHECKS: Final = frozenset({"card_order_wrong"})  # a hand in disorder has no one hand to blame


class Score(Struct):
    """Injected faults by kind with how many were found, and everything that does not agree.

    `warnings` are observations as rare as the house file's rate, not faults: with many shoes some must come.
    """

    injected: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    primary: dict[str, str] = field(default_factory=dict)
    sensors: Counter[str] = field(default_factory=Counter)
    missed: list[Claim] = field(default_factory=list)
    invented: list[Claim] = field(default_factory=list)
    wrongly_open: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    inexact: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    hit: int = 0

    @property
    def agrees(self) -> bool:
        """Return True if every fault was found to the cent, none invented, nothing left open needlessly."""
        return not (self.missed or self.invented or self.inexact or self.wrongly_open or self.unnamed)


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


def _kind(line: bytes) -> type[FaultLabel | SensorLabel | SchemeLabel]:
    fields = msgspec.json.decode(line)
    if not isinstance(fields, dict):
        return FaultLabel
    return SensorLabel if "sensor" in fields else SchemeLabel if "scheme" in fields else FaultLabel


def score(labels: Iterable[Label], conclusions: Iterable[Conclusion]) -> Score:
    """Compare what was injected with what was found."""
    faults: list[FaultLabel] = []
    hit: set[Place] = set()
    left_open: set[Place] = set()
    result = Score()
    for label in labels:
        if isinstance(label, SensorLabel):
            result.sensors[label.sensor] += 1
            hit.update(_hit_by(label))
        elif isinstance(label, FaultLabel):  # a scheme is for patterns: what it does to a round is a fault's
            faults.append(label)
            left_open.update((label.table, label.gaming_date, f"round {each}") for each in label.leaves_open)
    left_undetermined = {_claim(fault, expected) for fault in faults for expected in fault.undetermined}
    claims = _Claims(conclusions, hit, left_open, left_undetermined)
    result.verdicts, result.hit = claims.verdicts, len(hit)
    result.wrongly_open, result.unnamed = claims.wrongly_open, claims.unnamed
    result.warnings = claims.warnings
    owed: dict[str, Counter[Claim]] = {}
    for fault in faults:
        for claim in (_claim(fault, expected) for expected in _expected_findings(fault)):
            owed.setdefault(claim[0], Counter())[claim] += 1
    for table in sorted(owed.keys() | claims.claims.keys()):
        injected, found = owed.get(table, Counter()), claims.claims.get(table, Counter())
        missed = [claim for claim in (injected - found).elements() if not claims.excuses(claim)]
        result.missed.extend(sorted(missed, key=str))
        invented = (claim for claim in (found - injected).elements() if not _says_less(claim, injected))
        result.invented.extend(sorted(invented, key=str))
    not_left = left_undetermined - claims.undetermined
    result.missed.extend(sorted((claim for claim in not_left if not claims.excuses(claim)), key=str))
    _count(result, faults, claims)
    return result


def _says_less(claim: Claim, injected: Iterable[Claim]) -> bool:
    """Return True if a claim is of a card too many that was injected and not named closer."""
    return claim[3] == CARD_EXTRA.check and any(
        each[:3] == claim[:3] and each[3] in _CARDS_EXTRA for each in injected
    )


def _count(result: Score, faults: Iterable[FaultLabel], claims: "_Claims") -> None:
    """Count the faults by kind; one that a sensor fault hid did not have to be found and is left out."""
    for fault in faults:
        if fault.primary is None:
            place = (fault.table, fault.gaming_date, f"round {fault.round}")
            found, hidden = place in claims.put_right, place in claims.hit
        else:
            claim = _claim(fault, fault.primary)
            found = claims.claims.get(fault.table, Counter())[claim] > 0
            hidden = claims.excuses(claim)
        if found or not hidden:
            result.injected[fault.fault] += 1
            result.found[fault.fault] += found
            result.primary[fault.fault] = (
                fault.primary.check if fault.primary is not None else PUT_RIGHT.check
            )
            if fault.primary is None and not found:
                result.missed.append((*place, PUT_RIGHT.check, None, None, None, None, None))
            elif fault.primary is not None and found:
                result.inexact.extend(claims.differs(fault, _claim(fault, fault.primary)))


class _Claims:
    """Conclusions as claims, and which of them a sensor fault excuses.

    `left_undetermined` are claims that a person's fault leaves undetermined, `undetermined` those found so.
    """

    def __init__(
        self,
        conclusions: Iterable[Conclusion],
        hit: set[Place],
        left_open: set[Place],
        left_undetermined: set[Claim],
    ) -> None:
        self.claims: dict[str, Counter[Claim]] = {}
        self.undetermined: set[Claim] = set()
        self.left_undetermined = left_undetermined
        self.verdicts: Counter[str] = Counter()
        self.wrongly_open: list[str] = []
        self.unnamed: list[str] = []
        self.warnings: list[str] = []
        self.clean: set[Place] = set()
        self.not_clean: set[Place] = set()
        self.put_right: set[Place] = set()
        self.shoes: dict[Place, Place] = {}
        self.hit = hit
        self.left_open = left_open
        self.of_accounts: dict[Claim, list[Finding]] = {}
        self.open_serials: set[str] = set()
        concluded = list(conclusions)
        for each in concluded:
            self._hear(each)
        # What only a whole shoe shows depends on all its rounds.
        self.hit |= {
            shoe
            for (table, day, subject), shoe in self.shoes.items()
            if (table, day, subject) in hit or (table, day, f"beside {subject}") in hit
        }
        for each in concluded:
            if each.verdict == "undetermined":
                self._weigh_open(each)

    def excuses(self, claim: Claim) -> bool:
        """Return True if a sensor fault hid it; what hid it must not have been called clean."""
        place = claim[:3]
        shoe = self.shoes.get(place)
        if claim[3] == CARD_NOT_IN_DECK.check and shoe in self.hit:
            return shoe not in self.clean
        # What may not be missing need not have been reported.
        if claim[3] == UNREPORTED.check and claim[-1] in self.open_serials:
            return True
        # A table has more accounts of a day than one: what one leaves open, another may have called clean.
        return place in self.hit and (place in self.not_clean or place not in self.clean)

    def differs(self, fault: FaultLabel, claim: Claim) -> Iterator[str]:
        """Yield where an account's finding is not to the cent, or another count agreed last."""
        found = self.of_accounts.get(claim, [])
        if not found:
            return
        cents = [each.delta_cents for each in found if each.delta_cents is not UNSET]
        if cents and fault.delta_cents is not None and fault.delta_cents not in cents:
            yield f"{_claim_text(claim)}: {cents} cents found, {fault.delta_cents} injected"
        # The fact of an unexplained inventory has the last count that agreed.
        if fault.after is not None and all(each.message.args.get("after") != fault.after for each in found):
            yield f"{_claim_text(claim)}: {text(found[0].message)}; {fault.after!r} was the last that agreed"

    def _hear(self, each: Conclusion) -> None:
        place = _place(each)
        if each.round is not None:
            self.verdicts[each.verdict] += 1
            self.shoes[place] = (*place[:2], f"shoe {each.shoe}")
        if each.verdict == "clean":
            self.clean.add(place)
        else:
            self.not_clean.add(place)
        if any(note.check == PUT_RIGHT.check for note in each.notes):
            self.put_right.add(place)
        claims = self.claims.setdefault(each.table, Counter())
        for finding in each.findings:
            if finding.weight == "mismatch":
                claim = _claimed(place, finding)
                claims[claim] += 1
                if each.account is not None:
                    self.of_accounts.setdefault(claim, []).append(finding)
                continue
            self.undetermined.add(_claimed(place, finding))
            if finding.check == MISSING.check and finding.serial is not UNSET:
                self.open_serials.add(finding.serial)

    def _weigh_open(self, each: Conclusion) -> None:
        place = _place(each)
        if not each.findings:
            self.unnamed.append(" ".join(place))
        elif all(finding.check in _BY_CHANCE for finding in each.findings):
            self.warnings.extend(f"{' '.join(place)}: {finding.check}" for finding in each.findings)
            return
        findings = [one for one in each.findings if _claimed(place, one) not in self.left_undetermined]
        if each.findings and not findings:
            return
        late = all(finding.check == LATE_EVENT.check for finding in findings)
        excused = self.hit | self.left_open
        if place not in excused and not (late and (each.table, "", _LATE) in excused):
            reasons = "; ".join(text(finding.message) for finding in findings)
            self.wrongly_open.append(f"{' '.join(place)}: {reasons}")


def _place(each: Conclusion) -> Place:
    day = str(each.gaming_date)
    if each.account is not None:
        return each.table, day, _ACCOUNT
    return each.table, day, f"round {each.round}" if each.round is not None else f"shoe {each.shoe}"


def _hit_by(label: SensorLabel) -> Iterator[Place]:
    """Yield what a sensor fault hit: rounds whose events it touched, or without a device."""
    day = str(label.gaming_date)
    for number in (*label.rounds, *label.detail.get("open_rounds", ())):
        yield label.table, day, f"round {number}"
    for name in label.shoes:
        yield label.table, day, f"shoe {name}"
    for number in label.detail.get("between", ()):
        yield label.table, day, f"beside round {number}"  # not the round, but what depends on its shoe
    if "arrives" in label.detail:
        yield label.table, "", _LATE  # the label cannot have the shoe in which it arrived
    for account in (label.table, *LEDGERS):
        yield account, day, _ACCOUNT


def _expected_findings(label: FaultLabel) -> Iterator[ExpectedFinding]:
    if label.primary is not None:
        yield label.primary
    yield from label.follows


def _claim(label: FaultLabel, names: ExpectedFinding) -> Claim:
    table = names.table if names.table is not UNSET else label.table
    day = names.gaming_date if names.gaming_date is not UNSET else label.gaming_date
    # What follows elsewhere is of an account there, whatever round it began in.
    at_home = names.table is UNSET
    number = names.round if names.round is not UNSET else label.round if at_home else None
    shoe = names.shoe if names.shoe is not UNSET else label.shoe if at_home else None
    subject = f"round {number}" if number is not None else f"shoe {shoe}" if shoe is not None else _ACCOUNT
    who = None if names.check in _CARD_CHECKS else _unless_unset(names.who)
    spot = (_seat(names), _unless_unset(names.wager), _unless_unset(names.bettor))
    return (table, day, subject, names.check, *spot, who, _unless_unset(names.serial))


def _claimed(place: Place, finding: Finding) -> Claim:
    """Return a finding as a claim; one of an account is of the day that it names, where it names one."""
    who = None if finding.check in _CARD_CHECKS else _unless_unset(finding.who)
    seat = finding.seat if finding.seat is not UNSET else None
    table, day, subject = place
    if subject == _ACCOUNT and isinstance(finding.day, date):
        day = str(finding.day)
    spot = (seat, _unless_unset(finding.wager), _unless_unset(finding.bettor))
    return (table, day, subject, finding.check, *spot, who, _unless_unset(finding.serial))


def _claim_text(claim: Claim) -> str:
    return " ".join(str(part) for part in claim if part is not None)


def _seat(names: ExpectedFinding) -> int | None:
    return names.seat if names.seat is not UNSET else None


def _unless_unset(value: str | msgspec.UnsetType) -> str | None:
    return None if value is UNSET else value
