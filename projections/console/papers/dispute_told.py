"""A dispute with what the store knows of it: its rounds in a sentence each, the sums, and its history."""

import shlex
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from msgspec import Struct

from projections.console.records.findings import run_of
from projections.console.records.queries import Reader
from projections.console.records.shown import About, Asked, Told
from projections.console.records.sight import Sight
from projections.console.wording.saying import saying
from projections.hand.findings import Finding
from projections.room.disputes.book import DisputeBook
from projections.room.disputes.dispute import Dispute, after, footage_due, people_in, subjects_of
from projections.room.disputes.history import Step, steps
from projections.room.disputes.itrak import Played
from schemas.values import Micros, microseconds


class RoundTold(Struct, frozen=True, kw_only=True):
    """A round in dispute: one sentence, the findings disputed, when to look, and the bundle's command.

    `findings` are the dispute's alerts, or where it names none those of its seat. `recorder` is the round's
    time by the recorder's clock, where its offset is known.
    """

    round: str
    says: str
    at: datetime | None
    recorder: datetime | None
    findings: list[Finding]
    command: str


class DisputeTold(Struct, frozen=True, kw_only=True):
    """A dispute as its page shows it, names masked; `unknown` are rounds that the store does not have."""

    dispute: Dispute
    rounds: list[RoundTold]
    unknown: list[str]
    history: list[Step]


class Teller:
    """Tells of disputes to one person: without what is withheld from them, names masked.

    `people` are the accounts of the room, whose names are not; `archive` is what commands call the archive.
    """

    def __init__(
        self, reader: Reader, book: DisputeBook, sight: Sight, people: Collection[str], archive: str
    ) -> None:
        self._reader, self._book, self._sight, self._people = reader, book, sight, people
        self._archive = archive
        self._masking, self._hidden = sight.masking, sight.hidden.subjects

    def all(self) -> list[Dispute]:
        """Give the disputes, open ones first."""
        return [self.masked(each) for each in self._book.all(self._hidden)]

    def due(self, now: Micros, hours: int) -> list[Dispute]:
        """Give the disputes whose footage is to be preserved now; see `footage_due`."""
        return [self.masked(each) for each in footage_due(self._book.all(self._hidden), now, hours)]

    def masked(self, dispute: Dispute) -> Dispute:
        """Mask the names in a dispute."""
        return self._masking.masked(dispute, subjects_of(dispute), self._named(dispute))

    def _named(self, dispute: Dispute) -> dict[str, str]:
        """Give who is named in a dispute and is no account of the room, by role."""
        return people_in(dispute, self._people)

    def one(self, name: str) -> DisputeTold | None:
        """Tell of a dispute; None where there is none for this person."""
        dispute = self._book.one(name, self._hidden)
        if dispute is None:
            return None
        done = self._book.done(name)
        # Also who was named earlier and is not any more.
        stood, names = None, dict[str, str]()
        for each in done:
            stood = after(stood, each)
            names |= self._named(stood)
        subjects, zone = subjects_of(dispute), self._reader.house.zone
        told = self._rounds(dispute)
        shown = (self._masking.masked(each, subjects, names) for each in told)
        return DisputeTold(
            dispute=self._masking.masked(dispute, subjects, names),
            rounds=[_round(dispute, each, zone, self._archive) for each in shown],
            unknown=sorted(set(dispute.about.rounds) - {each.round for each in told}),
            history=[self._masking.masked(step, subjects, names) for step in steps(done)],
        )

    def played(self, name: str) -> tuple[Dispute, Played] | None:
        """Give a dispute and what the store knows of its rounds for an export, masked as its page is."""
        dispute = self._book.one(name, self._hidden)
        if dispute is None:
            return None
        subjects, names = subjects_of(dispute), self._named(dispute)
        rounds = [self._masking.masked(each, subjects, names) for each in self._rounds(dispute)]
        opened = [microseconds(each.at) for each in rounds if each.at is not None]
        return self.masked(dispute), Played(
            at=min(opened, default=None),
            dealers=tuple(each.dealer for each in rounds if each.dealer is not None),
            findings=tuple(finding for each in rounds for finding in _disputed(dispute, each.findings)),
        )

    def _rounds(self, dispute: Dispute) -> list[Told]:
        run = run_of(self._reader.runs(), Asked())
        if run is None:
            return []
        about = dispute.about
        found = (
            self._reader.told("round", About(run.run, about.gaming_date, about.table, number), None)
            for number in about.rounds
        )
        return [self._sight.left_of(each) for each in found if each is not None]


def _round(dispute: Dispute, told: Told, zone: str, archive: str) -> RoundTold:
    offset = dispute.footage.clock_offset_ms
    return RoundTold(
        round=told.round or "",
        says=saying(told, zone, dispute.about.seat),
        at=told.at,
        recorder=(
            told.at + timedelta(milliseconds=offset) if told.at is not None and offset is not None else None
        ),
        findings=list(_disputed(dispute, told.findings)),
        command=_command(dispute, told, archive),
    )


def _disputed(dispute: Dispute, findings: Iterable[Finding]) -> Iterable[Finding]:
    about = dispute.about
    if about.alerts:
        return (each for each in findings if each.id in about.alerts)
    return (each for each in findings if about.seat is None or each.seat == about.seat)


def _command(dispute: Dispute, told: Told, archive: str) -> str:
    """Write the command that makes the evidence bundle; where the key is, who types it knows."""
    seat = ["--seat", str(dispute.about.seat)] if dispute.about.seat is not None else []
    words = ["discardrack", "evidence", archive, told.table, told.round or ""]
    words += ["--date", str(told.gaming_date), *seat]
    words += ["--key", "KEY", "--out", f"dispute-{dispute.name}-{told.round}.zip"]
    return shlex.join(words)
