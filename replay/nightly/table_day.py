"""Summary of a table's gaming day: sums, findings and digests, without the rounds themselves."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from projections.engine.audit.table_audit import Concluded
from projections.engine.checks.data import DATA_MISSING, SOURCE_CONFLICT
from projections.engine.conclusion import Conclusion, id_of
from projections.engine.findings import Finding
from projections.engine.observation import Doubt, Key, Round, key_of
from projections.store.rows import fingerprint
from projections.views.text import text
from replay.nightly.rule_changes import Change
from replay.nightly.survey import Survey
from replay.proofs.theoretical_win import Expected, FieldSums, expected, left_out
from replay.recording.ledger_days import TableTotals
from schemas.errors import BadInput
from schemas.house import House
from schemas.rulebook import Rulebook

_DEALER: Final = 0  # as a seat: what the dealer wagers is no patron's
_PAUSE: Final = 15 * 60_000_000  # microseconds: who opens no round for so long is not playing slowly

_T = TypeVar("_T", int, str)


class Sums(FieldSums, frozen=True, kw_only=True):
    """Rounds of a table, or of a table and shift, added up; money in cents, as the house wins it.

    `staked` was wagered in `settled` rounds, whose settlement was seen: `win` is what was won by it with
    vigorish. Of it `owed` is what the rules give the house for wagers whose outcome is known, `left_open`
    what was won beyond that if nobody can decide whether rightly; the rest was settled otherwise than by the
    rules. `weighed_win` is what the wagers in `theory` brought. `paced_rounds` are those that followed
    another of the same sums without a pause, `paced_micros` the time from the opening of that one to their
    own, in microseconds.
    """

    rounds: int = 0
    settled: int = 0
    settlements: int = 0
    staked: int = 0
    win: int = 0
    owed: int = 0
    left_open: int = 0
    weighed_win: int = 0
    vigorish: int = 0
    paced_rounds: int = 0
    paced_micros: int = 0
    theory: Expected = Expected()

    @property
    def otherwise(self) -> int:
        """Return what the house won by settlements that were not those of the rules."""
        return self.win - self.owed - self.left_open


class RaisedFinding(Struct, frozen=True, kw_only=True):
    """A finding, and the round, the shoe or the account that it was raised about.

    Of a round there are its shift, counted from 0, the dealer who called it and the floorperson, as far as
    the table reported them.
    """

    about: str
    table: str
    chapter: str
    round: str | None
    shoe: str | None
    account: str | None
    finding: Finding
    shift: int | None = None
    dealer: str | None = None
    floorperson: str | None = None


class Undetermined(Struct, frozen=True):
    """A round that is left open, and why: `lacking` are devices that did not report, or read, all of it.

    `at_odds` are the devices, each time two, that read one thing otherwise.
    """

    round: str
    causes: tuple[str, ...]
    lacking: tuple[str, ...]
    at_odds: tuple[tuple[str, ...], ...]


class RoundOpening(Struct, frozen=True):
    """Opening of a round: microseconds UTC, in which shift, and who called and supervised it."""

    at: int
    shift: int
    dealer: str | None
    floorperson: str | None


class TableDay(Struct, kw_only=True):
    """A table's gaming day; `digests` has the digest of each conclusion, by what it is about.

    `by_shift` counts the shifts of the day from 0. `by_dealer` has the rounds that each dealer called,
    `by_floorperson` those that each supervised; `latest` is the one that was added last. `accounts` are those
    of its shoes and of its inventory, `totals` what the ledgers are compared with, `unread` the unreadable
    lines of the archive.
    """

    table: str
    chapter: str
    day: date
    survey: Survey
    verdicts: dict[str, int] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    by_shift: dict[int, Sums] = field(default_factory=dict)
    by_dealer: dict[str, Sums] = field(default_factory=dict)
    by_floorperson: dict[str, Sums] = field(default_factory=dict)
    latest: RoundOpening | None = None
    findings: list[RaisedFinding] = field(default_factory=list)
    undetermined: list[Undetermined] = field(default_factory=list)
    accounts: list[Conclusion] = field(default_factory=list)
    totals: TableTotals = field(default_factory=TableTotals)
    rulebooks: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    @property
    def sums(self) -> Sums:
        """The whole day."""
        return sum(self.by_shift.values(), Sums())

    def add_conclusion(self, each: Concluded, house: House, shift: int) -> None:
        """Add a conclusion of the day; each is to be added once, as last concluded."""
        conclusion, observed = each.conclusion, each.seen
        self.totals.hear(each, house)
        self.digests[id_of(conclusion)] = fingerprint(observed, conclusion)
        if conclusion.rulebook is not None and conclusion.rulebook not in self.rulebooks:
            self.rulebooks.append(conclusion.rulebook)
        self.findings += [
            RaisedFinding(
                about=id_of(conclusion),
                table=conclusion.table,
                chapter=conclusion.chapter,
                round=conclusion.round,
                shoe=conclusion.shoe,
                account=conclusion.account,
                finding=finding,
                shift=shift if observed is not None else None,
                dealer=observed.dealer if observed is not None else None,
                floorperson=observed.floorperson if observed is not None else None,
            )
            for finding in conclusion.findings
        ]
        if conclusion.round is None:
            self.accounts.append(conclusion)
            return
        self.verdicts[conclusion.verdict] = self.verdicts.get(conclusion.verdict, 0) + 1
        if conclusion.verdict == "undetermined":
            doubts = observed.doubts if observed is not None else ()
            self.undetermined.append(_causes(conclusion, doubts))
        if observed is not None:
            self._add(
                sums_of(conclusion, observed, each.book),
                RoundOpening(observed.at, shift, observed.dealer, observed.floorperson),
            )

    def _add(self, sums: Sums, opening: RoundOpening) -> None:
        """Add a round to the sums of its shift and its people."""
        before, self.latest = self.latest, opening
        took = opening.at - before.at if before is not None else 0
        paced = replace(sums, paced_rounds=1, paced_micros=took) if 0 < took <= _PAUSE else sums
        _add_to(self.by_shift, opening.shift, paced if before and before.shift == opening.shift else sums)
        _add_to(self.by_dealer, opening.dealer, paced if before and before.dealer == opening.dealer else sums)
        same = before is not None and before.floorperson == opening.floorperson
        _add_to(self.by_floorperson, opening.floorperson, paced if same else sums)

    @property
    def inventory(self) -> Conclusion | None:
        """The account of the table's inventory; None if there is none."""
        return self.totals.accounts.get(self.table)

    def line(self, name: str) -> int | None:
        """Return the cents of a line that stands once in the inventory's account; None if it does not."""
        lines = self.inventory.lines if self.inventory is not None else ()
        return next((line.cents for line in lines if line.name == name), None)


def _add_to(by: dict[_T, Sums], name: _T | None, sums: Sums) -> None:
    if name is not None:
        by[name] = by.get(name, Sums()) + sums


def _causes(conclusion: Conclusion, doubts: Iterable[Doubt]) -> Undetermined:
    open_ = [each for each in conclusion.findings if each.weight == "undetermined"]
    causes = dict.fromkeys(f"{each.check}: {text(each.message)}" for each in open_)
    missing = [each.device for each in open_ if each.check == DATA_MISSING.check]
    lacking = dict.fromkeys(device for device in missing if isinstance(device, str))
    conflicts = {each.message for each in open_ if each.check == SOURCE_CONFLICT.check}
    at_odds = dict.fromkeys(each.devices for each in doubts if each.message in conflicts and each.devices)
    return Undetermined(
        round=conclusion.round or "",
        causes=tuple(causes) or ("what a wager was owed is not known",),
        lacking=tuple(lacking),
        at_odds=tuple(at_odds),
    )


def sums_of(conclusion: Conclusion, observed: Round, book: Rulebook | None) -> Sums:
    """Add one round up; one that was called void, or whose settlement was not seen, has no money."""
    if observed.void or observed.simulated or observed.paid is None:
        return Sums(rounds=1)
    paid = {key: each for key, each in observed.paid.items() if key.seat != _DEALER}
    stakes = {key: each.cents for key, each in observed.wagers.items() if key.seat != _DEALER}
    won = {key: -each.final_net_cents for key, each in paid.items()}
    owed, left_open = _by_the_rules(conclusion, won)
    unweighed = left_out(book, stakes, observed.play) if book is not None else stakes.keys()
    return Sums(
        rounds=1,
        settled=1,
        settlements=len(paid),
        staked=sum(stakes.values()),
        win=sum(won.values()),
        owed=owed,
        left_open=left_open,
        weighed_win=sum(won.get(key, 0) for key in stakes.keys() - unweighed),
        vigorish=sum(each.final_vigorish_cents for each in paid.values()),
        theory=expected(book, stakes, observed.play)
        if book is not None
        else Expected(unknown_cents=sum(stakes.values()), unknown_wagers=len(stakes)),
    )


def _by_the_rules(conclusion: Conclusion, won: Mapping[Key, int]) -> tuple[int, int]:
    """Return what the rules give the house of a round, and what it won beyond that while it is undecided.

    If the round as a whole is left open, no part of it was proven to be settled otherwise. Nor is it if chips
    were paid on a spot whose wager may not have been seen.
    """
    owed = {
        key_of(each): None if each.cents is None else (each.vigorish_cents or 0) - each.cents
        for each in conclusion.expected
        if each.seat != _DEALER
    }
    total = sum(cents for cents in owed.values() if cents is not None)
    if conclusion.verdict == "undetermined":
        return total, sum(won.values()) - total
    unseen = any(each.weight == "undetermined" for each in conclusion.findings)
    of_no_wager = None if unseen else 0
    return total, sum(cents for key, cents in won.items() if owed.get(key, of_no_wager) is None)


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} is nothing that a table's day holds")


def _read(kind: Callable[..., Any], value: Any) -> Any:
    if kind is Fraction:
        return Fraction(value)
    raise TypeError(f"{kind} is nothing that a table's day holds")


_encode: Final = msgspec.json.Encoder(enc_hook=_plain).encode
_decode: Final = msgspec.json.Decoder(TableDay, dec_hook=_read).decode


def dump(table_day: TableDay) -> bytes:
    """Write a table's day for its way between processes."""
    return _encode(table_day)


def load(text: bytes, where: str) -> TableDay:
    """Read a table's day back.

    Raises:
        BadInput: it is none.
    """
    try:
        return _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise BadInput(f"{where}: not a table's day: {error}; remove it and run again") from None
