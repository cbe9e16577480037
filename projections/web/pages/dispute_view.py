"""A dispute with what the store knows of it: its rounds, the sums, its history, and its evidence bundles.

The console itself has neither the archive nor the key that signs; it is given what has both
(`records.bundle_requests.BundleMaker`).
"""

import shlex
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from msgspec import Struct

from projections.casework.disputes.dispute_book import DisputeBook, HistoryStep, history_steps
from projections.casework.disputes.dispute_state import (
    AboutPart,
    AttachmentRecord,
    Dispute,
    footage_due,
    people_in,
    subjects_of,
    versions,
)
from projections.casework.disputes.dispute_steps import Step
from projections.casework.disputes.itrak_dispute import Played
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase
from projections.engine.observation import who_of
from projections.views.table_picture import PicturePlace
from projections.web.auth.masking import Masking
from projections.web.pages.alert_view import footed, rounds_after
from projections.web.phrases.call_script import call_script_text
from projections.web.records.bundle_requests import BundleMaker, BundleRequest
from projections.web.records.record_links import (
    AlertLabel,
    Footage,
    Recorder,
    alert_labels,
    on_recorder,
    recorder_of,
)
from projections.web.records.record_views import ListQuery, RecordView
from projections.web.records.record_views import RecordKey as Sought
from projections.web.records.store_queries import Reader, run_of
from projections.web.records.viewer_scope import ViewerScope
from schemas.cameras import Cameras
from schemas.values import Micros, microseconds

# What stands by the command where no bundle is made here: there is no key, or something is withheld.
_MADE_APART: Final = "The evidence bundle is made where archive and key are; docs/evidence.md tells of KEY:"
ALL_SEATS: Final = "all"  # chosen in the place of a seat
_DAY: Final = """
    SELECT 1 FROM rounds WHERE gaming_date = ? AND table_id = ? AND round IS NOT NULL LIMIT 1
"""
_LONGEST: Final = 100  # characters of a round's number in the name of a file


class DisputedRound(Struct, frozen=True, kw_only=True):
    """A round in dispute: one sentence, the findings disputed, when to look, and the bundle's command.

    `findings` are the dispute's alerts, or if it names none those of its seat. `recorder` is the round's time
    by the recorder's clock, if its offset is known, and `footage` the cameras that saw it, by the same clock.
    `seats` are those whose part a bundle can show, as `3` or `3/anna`: who wagered, and the dispute's own.
    `no_bundle` is the reason why the console makes no bundle of it, None if it does. `places` are the table
    as it lay.
    """

    round: str
    says: str
    places: list[PicturePlace]
    announced: str | None
    outcome: str | None
    at: datetime | None
    recorder: datetime | None
    footage: Footage | None
    findings: list[FindingBase[Fact]]
    seats: list[str]
    command: str
    no_bundle: str | None


class DisputeView(Struct, frozen=True, kw_only=True):
    """A dispute as its page shows it, names masked; `unknown` are rounds that the store does not have.

    `alerts` are those of its alerts that the store has, by their ids. `has_day` is true if the store has a
    round of its table on its gaming date. `own` is the part that is in dispute, as a round and one of its
    `seats`; None if that is not clear.
    """

    dispute: Dispute
    steps: list[Step]
    rounds: list[DisputedRound]
    unknown: list[str]
    alerts: dict[str, AlertLabel]
    has_day: bool
    own: tuple[str, str] | None
    history: list[HistoryStep]


class ListedDispute(Struct, frozen=True):
    """A dispute in a list, names masked, and the step that it waits for; None if it is closed."""

    dispute: Dispute
    next: Step | None


class DisputeReader:
    """Reads disputes for one person: without what is withheld from them, names masked.

    `people` are the accounts of the room, whose names are not masked; `archive` is what commands call the
    archive; `cameras` are those over the tables; `bundles` makes bundles of its hands, if the console has
    what that takes.
    """

    def __init__(
        self,
        reader: Reader,
        book: DisputeBook,
        viewer_scope: ViewerScope,
        people: Collection[str],
        archive: str,
        cameras: Cameras | None,
        bundles: BundleMaker | None,
    ) -> None:
        self._reader, self._book, self._sight, self._people = reader, book, viewer_scope, people
        self._archive, self._cameras, self._bundles = archive, cameras, bundles
        self._masking, self._hidden = viewer_scope.masking, viewer_scope.hidden.subjects

    def disputes(self) -> list[Dispute]:
        """Return the disputes, open ones first."""
        return [self.masked(each) for each in self._book.all(self._hidden)]

    def due(self, now: Micros, hours: int) -> list[Dispute]:
        """Return the disputes whose footage is to be preserved now; see `footage_due`."""
        return [self.masked(each) for each in footage_due(self._book.all(self._hidden), now, hours)]

    def listed(self, disputes: Iterable[Dispute]) -> list[ListedDispute]:
        """Return disputes, names masked already, each with the step that it waits for."""
        return [ListedDispute(each, self._next_step(each.name)) for each in disputes]

    def _next_step(self, name: str) -> Step | None:
        dispute, step = self._book.one(name, self._hidden), self._book.next_step(name)
        if dispute is None or step is None:
            return None
        return self._masking.masked(step, subjects_of(dispute), self._people_in(dispute))

    def masked(self, dispute: Dispute) -> Dispute:
        """Mask the names in a dispute."""
        return self._masking.masked(dispute, subjects_of(dispute), self._people_in(dispute))

    def _people_in(self, dispute: Dispute) -> dict[str, str]:
        """Return who is named in a dispute and is no account of the room, by role."""
        return people_in(dispute, self._people)

    def dispute_view(self, name: str) -> DisputeView | None:
        """Return a dispute as this person may see it, or None if there is none that they may see."""
        dispute = self._book.one(name, self._hidden)
        if dispute is None:
            return None
        done = self._book.done(name)
        names: dict[str, str] = {}
        for _, version in versions(done):  # also who was named earlier and is not any more
            names |= self._people_in(version)
        subjects = subjects_of(dispute)
        records = self._rounds(dispute)
        visible = [
            self._masking.masked(self._sight.without_patron_lines(each), subjects, names) for each in records
        ]
        masked = self._masking.masked(dispute, subjects, names)
        recorder = self._recorder(dispute, records)
        return DisputeView(
            dispute=masked,
            steps=[self._masking.masked(step, subjects, names) for step in self._book.steps(name)],
            rounds=[self._round(dispute, *each, recorder) for each in zip(records, visible, strict=True)],
            unknown=sorted(set(dispute.about.rounds) - {each.round for each in records}),
            alerts=alert_labels(self._reader, dispute.about.alerts),
            has_day=bool(self._reader.ask(_DAY, [dispute.about.gaming_date, dispute.about.table])),
            own=_own(masked.about, visible),
            history=[self._masking.masked(step, subjects, names) for step in history_steps(done)],
        )

    def export_data(self, name: str) -> tuple[Dispute, Played] | None:
        """Return a dispute and what the store knows of its rounds for an export, masked as its page is."""
        dispute = self._book.one(name, self._hidden)
        if dispute is None:
            return None
        subjects, names = subjects_of(dispute), self._people_in(dispute)
        records = self._rounds(dispute)
        left = map(self._sight.without_patron_lines, records)
        rounds = [self._masking.masked(each, subjects, names) for each in left]
        cameras = self._recorder(dispute, records).cameras
        opened = [microseconds(each.at) for each in rounds if each.at is not None]
        return self.masked(dispute), Played(
            at=min(opened, default=None),
            offset_ms=cameras.clock_offset_ms if cameras is not None else None,
            dealers=tuple(each.dealer for each in rounds if each.dealer is not None),
            findings=tuple(finding for each in rounds for finding in _disputed(dispute, each.findings)),
        )

    def attachment(self, name: str, sha256: str) -> tuple[Dispute, AttachmentRecord] | None:
        """Return an attachment of a dispute, names masked; None if there is none for this person."""
        dispute = self._book.one(name, self._hidden)
        if dispute is None:
            return None
        found = (each for each in self.masked(dispute).attachments if each.sha256 == sha256)
        return next(((dispute, each) for each in found), None)

    def bundle_round(self, name: str, number: str) -> tuple[Dispute, RecordView] | None:
        """Return a round of a dispute for a bundle; None if there is none for this person.

        Nothing can be left out of a bundle. Nothing has to be: if one of its rounds is withheld, so is the
        whole dispute.
        """
        dispute = self._book.one(name, self._hidden)
        rounds = self._rounds(dispute) if dispute is not None else ()
        record = next((each for each in rounds if each.round == number), None)
        return (dispute, record) if dispute is not None and record is not None else None

    def _no_bundle(self, record: RecordView) -> str | None:
        if self._bundles is None:
            return _MADE_APART
        return self._bundles.lacks(record.table, record.gaming_date)

    def _recorder(self, dispute: Dispute, records: Iterable[RecordView]) -> Recorder:
        """Return the recorder whose clock is used for all footage of a dispute about these rounds.

        If it was not measured for this dispute, it may have been for another dispute of the same hand.
        """
        others = (other for each in records for other in self._sight.disputes(self._book, each))
        return recorder_of(self._cameras, [dispute, *others])

    def _round(
        self, dispute: Dispute, record: RecordView, visible: RecordView, recorder: Recorder
    ) -> DisputedRound:
        """Return a disputed round; `visible` is `record` with names masked, without what is withheld."""
        zone, cameras = self._reader.house.zone, recorder.cameras
        return DisputedRound(
            round=visible.round or "",
            says=call_script_text(visible, zone),
            places=visible.places,
            announced=visible.announced,
            outcome=visible.outcome,
            at=visible.at,
            recorder=on_recorder(cameras, visible.at)
            if cameras is not None and visible.at is not None
            else None,
            footage=footed(record, rounds_after(self._reader, record, self._sight), recorder, zone),
            findings=list(_disputed(dispute, visible.findings)),
            seats=[who_of(*part) for part in _parts(dispute.about, visible)],
            command=_command(dispute, visible, self._archive),
            no_bundle=self._no_bundle(record),
        )

    def _rounds(self, dispute: Dispute) -> list[RecordView]:
        """Return its rounds that the store has."""
        run = run_of(self._reader.runs(), ListQuery())
        if run is None:
            return []
        about = dispute.about
        found = (
            self._reader.record("round", Sought(run.run, about.gaming_date, about.table, number), None)
            for number in about.rounds
        )
        return [each for each in found if each is not None]


def _disputed(dispute: Dispute, findings: Iterable[FindingBase[Fact]]) -> Iterable[FindingBase[Fact]]:
    about = dispute.about
    if about.alerts:
        return (each for each in findings if each.id in about.alerts)
    return (each for each in findings if about.seat is None or each.seat == about.seat)


def _parts(about: AboutPart, record: RecordView) -> list[tuple[int, str | None]]:
    """Return the parts that a bundle can show, by seat; a dispute of a seat without a wager gets one too."""
    seats = {(each.seat, each.bettor or "") for each in record.wagers if each.seat}
    if about.seat is not None and about.seat not in {seat for seat, _ in seats}:
        seats.add((about.seat, ""))
    return [(seat, bettor or None) for seat, bettor in sorted(seats)]


def _own(about: AboutPart, rounds: Iterable[RecordView]) -> tuple[str, str] | None:
    """Return the part in dispute, by its round and seat: its patron's, or else the only one at its seat."""
    found = [(each.round or "", part) for each in rounds for part in _parts(about, each)]
    at_seat = [(number, part) for number, part in found if part[0] == about.seat]
    own = [each for each in at_seat if about.patron is not None and each[1][1] == about.patron] or at_seat
    if len({part for _, part in own}) != 1:
        return None
    number, part = own[0]
    return number, who_of(*part)


def seat_meant(chosen: str, record: RecordView, masking: Masking) -> str:
    """Return a seat as a command takes it, where it was chosen with its name masked; any other as it is."""
    seat, _, name = chosen.partition("/")
    meant = (
        who_of(each.seat, each.bettor)
        for each in record.wagers
        if str(each.seat) == seat and masking.is_meant(name, "patron", each.bettor)
    )
    return next(meant, chosen)


def wanted(dispute: Dispute, record: RecordView, **options: Any) -> BundleRequest:
    """Build the request for the bundle of a disputed round; `options` are its part, recipient and reason."""
    number = record.round or ""
    file = f"dispute-{dispute.name}-{quote(number, safe='')[:_LONGEST]}.zip"
    return BundleRequest(table=record.table, day=record.gaming_date, round=number, file=file, **options)


def _seat_of(dispute: Dispute, record: RecordView) -> str | None:
    """Return the seat in dispute, with the bettor if it was one of several; None if no seat was stated."""
    seat, patron = dispute.about.seat, dispute.about.patron
    if seat is None:
        return None
    betting = {(each.seat, each.bettor) for each in record.wagers}
    return who_of(seat, patron if (seat, patron) in betting else None)


def _command(dispute: Dispute, record: RecordView, archive: str) -> str:
    """Write the command that makes the evidence bundle; where the key is, who types it knows."""
    request = wanted(dispute, record, seat=_seat_of(dispute, record))
    words = ["discardrack", "evidence", archive, request.table, request.round, *request.options()]
    return shlex.join([*words, "--key", "KEY", "--out", request.file])
