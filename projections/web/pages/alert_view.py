"""An alert in full: its hand, the rule, the rounds around it, the footage, and where the hand is now."""

import shlex
from collections.abc import Mapping
from datetime import date, datetime
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from projections.casework.disputes.dispute_book import DisputeBook
from projections.casework.table_status import TableStatus
from projections.catalogue import asks_of, false_positives_of
from projections.engine.facts import Fact
from projections.engine.findings import HOUSE_CONTROL, FindingBase
from projections.engine.game import Discards
from projections.engine.games import game_of
from projections.store.rows import Row, as_stored, utc
from projections.store.runs import Run
from projections.views.conclusion_view import cited
from projections.views.time_text import clock
from projections.web.phrases.call_script import CallScript, call_script
from projections.web.records.record_links import Footage, Recorder, footage, recorder_of
from projections.web.records.record_reader import ended_shoes, load_records
from projections.web.records.record_views import RecordView
from projections.web.records.store_queries import Placed, Reader, RelatedRound, in_steps, placed
from projections.web.records.viewer_scope import ViewerScope
from schemas.cameras import Cameras
from schemas.house import House
from schemas.law_text import STATUSES
from schemas.provisions import chapters, provisions
from schemas.values import moment

AROUND: Final = 3  # rounds before and after

# An id that several runs have is the newest run's.
_FINDING: Final = """
    SELECT findings.run, findings.round_id FROM findings JOIN runs USING (run)
    WHERE findings.id = $id AND ($run IS NULL OR findings.run = $run)
    ORDER BY runs.made DESC, findings.revision DESC LIMIT 1
"""
_ROUND: Final = "SELECT * FROM rounds WHERE run = $run AND id = $id ORDER BY revision DESC LIMIT 1"
_NEIGHBOURS: Final = """
    SELECT id, gaming_date, table_id, round, opened, verdict FROM rounds_now
    WHERE run = $run AND table_id = $table AND round IS NOT NULL AND opened {} $opened
    ORDER BY opened {}, round LIMIT $limit
"""
_BEFORE: Final = _NEIGHBOURS.format("<", "DESC")
_AFTER: Final = _NEIGHBOURS.format(">", "ASC")

# Where the dealt cards are: on the layout, with the discards, out of play with its shoe, or unknown.
Lies: TypeAlias = Literal["layout", "discarded", "over", "gathered", "unknown"]


class Rule(Struct, frozen=True):
    """A provision that a finding stands on: its words in ours, what its text is worth, and since when."""

    provision: str
    says: str | None
    status: str
    since: date | None


class Where(Struct, frozen=True):
    """Current place of the hand, as far as it is known, and by what."""

    lies: Lies
    says: str


class AlertView(Struct, frozen=True, kw_only=True):
    """A finding with all that a person needs to decide.

    `says` is the round as it is read out over the telephone, `script` the same in its parts. `withdrawn_in`
    is the revision of the round that no longer has the finding. Fields for rounds only (`where`, `before`,
    `after`, `footage`) are absent for a shoe or an account. For a shoe `reckoned` are the rounds that the
    steps of its sum name; for an account `placed` are those that used the coupon that it names. `command`
    lists the events behind it.
    """

    finding: FindingBase[Fact]
    withdrawn_in: int | None
    asks: str
    false_positives: str
    rules: list[Rule]
    record: RecordView
    says: str | None
    script: CallScript | None
    where: Where | None
    before: list[RelatedRound]
    after: list[RelatedRound]
    footage: Footage | None
    reckoned: list[RelatedRound]
    placed: list[Placed]
    command: str


class FloorContext(Struct, frozen=True):
    """Sources of an alert's view besides the store: cameras, disputes, table statuses, the archive.

    `archive` is what the events are read from, where the store was not made from an archive itself.
    """

    cameras: Cameras | None
    disputes: DisputeBook
    tables: Mapping[str, TableStatus]
    archive: str | None

    def recorder(self, record: RecordView, viewer_scope: ViewerScope) -> Recorder:
        """Return the recorder whose clock is used for a round."""
        return recorder_of(self.cameras, viewer_scope.disputes(self.disputes, record))


def load_alert_view(
    reader: Reader,
    runs: list[Run],
    run: str | None,
    name: str,
    floor_context: FloorContext,
    viewer_scope: ViewerScope,
) -> AlertView | None:
    """Return the alert with the id `name`, of `run` or of the newest run that has it, as a person may see it.

    Return None if there is no such alert, or it is withheld from the person.
    """
    found = reader.ask(_FINDING, {"id": name, "run": run})
    if not found or viewer_scope.hides(found[0]["round_id"], name):
        return None
    by = next(each for each in runs if each.run == found[0]["run"])
    (row,) = reader.ask(_ROUND, {"run": by.run, "id": found[0]["round_id"]})
    record = viewer_scope.without_patron_lines(load_records(reader.ask, [row])[0])
    finding, withdrawn_in = _of(record, name)
    script = call_script(record, by.zone) if record.round else None
    before = _neighbours(reader, record, _BEFORE, viewer_scope)
    after = rounds_after(reader, record, viewer_scope)
    view = AlertView(
        finding=finding,
        withdrawn_in=withdrawn_in,
        asks=asks_of(finding.check),
        false_positives=false_positives_of(finding, record.chapter),
        rules=rules_of(finding, record),
        record=record,
        says=script.read_out() if script is not None else None,
        script=script,
        where=_where_hand_is(reader, row, record, after, floor_context.tables.get(record.table), by.zone),
        before=before[::-1],
        after=after,
        footage=footed(record, after, floor_context.recorder(record, viewer_scope), by.zone),
        reckoned=in_steps(reader, record, finding, viewer_scope),
        placed=placed(reader, by.run, [finding.serial], viewer_scope)
        if record.account and finding.serial
        else [],
        command=command(record, floor_context.archive or by.source),
    )
    return viewer_scope.masked(view, record.id, name)


def _of(record: RecordView, name: str) -> tuple[FindingBase[Fact], int | None]:
    for finding in (*record.findings, *record.notes):
        if finding.id == name:
            return finding, None
    gone = max((each for each in record.withdrawn if each.id == name), key=lambda each: each.withdrawn_in)
    return gone, gone.withdrawn_in


def rules_of(finding: FindingBase[Fact], record: RecordView) -> list[Rule]:
    """Return the provisions of a finding, each with its text and the status of that text on the day."""
    return [_rule(provision, record) for provision in finding.citations]


def _rule(provision: str, record: RecordView) -> Rule:
    if provision == HOUSE_CONTROL:
        return Rule(provision, None, STATUSES[HOUSE_CONTROL], None)
    number = provision.partition(".")[0]
    provision_texts = provisions(number).get(provision) if number in chapters() else None
    worth = cited(provision, record.gaming_date)
    return Rule(
        provision,
        provision_texts.says if provision_texts is not None else None,
        STATUSES[worth.status],
        worth.since,
    )


def rounds_after(reader: Reader, record: RecordView, viewer_scope: ViewerScope) -> list[RelatedRound]:
    """Return the next rounds of the table of a round, as a person may see them; none of what is no round."""
    return _neighbours(reader, record, _AFTER, viewer_scope)


def _neighbours(
    reader: Reader, record: RecordView, query: str, viewer_scope: ViewerScope
) -> list[RelatedRound]:
    if record.round is None or record.at is None:
        return []
    sought = {"run": record.run, "table": record.table, "opened": as_stored(record.at), "limit": AROUND}
    return [
        RelatedRound(
            each["gaming_date"], each["table_id"], each["round"], utc(each["opened"]), each["verdict"]
        )
        for each in reader.ask(query, sought)
        if not viewer_scope.hides(each["id"])
    ]


def footed(record: RecordView, after: list[RelatedRound], recorder: Recorder, zone: str) -> Footage | None:
    """Bookmark the footage of a round; None if its time was not recorded, or it is none."""
    if record.round is None or record.at is None:
        return None
    return footage(recorder, record.table, record.at, after[0].at if after else None, zone)


def command(record: RecordView, source: str) -> str:
    """Return the command that lists the events behind a round, a shoe or an account.

    `source` is what they are read from: an archive, or a word for one.
    """
    parts = [
        "discardrack",
        "timeline",
        source,
        "--gaming-day",
        str(record.gaming_date),
        "--table",
        record.table,
    ]
    if record.round is not None:
        parts += ["--round", record.round]
    elif record.shoe is not None:
        parts += ["--shoe", record.shoe]
    return shlex.join([*parts, "--events"])


# ── where the hand is now ────────────────────────────────────────────────────────────────────────────


def _where_hand_is(
    reader: Reader,
    row: Row,
    record: RecordView,
    after: list[RelatedRound],
    status: TableStatus | None,
    zone: str,
) -> Where | None:
    if record.round is None:
        return None
    if record.at is None:
        return Where("unknown", "When the round was opened was not recorded.")
    pieces = [piece for place in record.places for hand in place.hands for piece in hand.pieces]
    cards = any(piece.kind == "card" for piece in pieces)
    if cards and (row["id"] in ended_shoes(reader.ask, [row]) or _reloaded(record, status, reader.house)):
        return Where("over", f"Shoe {record.shoe} is over: its cards are out of play.")
    put = game_of(record.chapter).discards if cards else None
    return _lies(_opened_later(record, after, status), status, zone, put)


def _lies(later: datetime | None, status: TableStatus | None, zone: str, put: Discards | None) -> Where:
    """Return where the hand is while its shoe may be in play; `later` is when another round was opened.

    `put` is where its cards go by the text; None if the text does not say.
    """
    if later is not None:
        since = f"another round was opened at {clock(later, zone)}."
        if put is not None:
            return Where("discarded", f"In the {put.called} ({put.cite}): {since}")
        return Where("gathered", f"Gathered: {since}")
    if status is not None and status.open is False and status.since is not None:
        return Where("gathered", f"Gathered: the table is closed since {clock(moment(status.since), zone)}.")
    return Where("layout", "On the layout, as far as is known: no other round has been opened.")


def _opened_later(
    record: RecordView, after: list[RelatedRound], status: TableStatus | None
) -> datetime | None:
    """Return when another round was opened after this one: by a conclusion, or by the table's status."""
    if after:
        return after[0].at
    if status is not None and status.opened is not None and record.at is not None:
        opened = moment(status.opened)
        return opened if opened > record.at else None
    return None


def _reloaded(record: RecordView, status: TableStatus | None, house: House) -> bool:
    """Return True if another shoe was loaded since: of another name, or on a later gaming day."""
    if status is None or status.loaded is None or record.at is None:
        return False
    another = status.shoe != record.shoe or house.gaming_date(status.loaded) > record.gaming_date
    return another and moment(status.loaded) > record.at
