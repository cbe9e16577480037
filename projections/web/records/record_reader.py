"""Rounds, shoes and accounts read from a store: the play and its drawing, the money, what was found."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.casework.table_status import Floor
from projections.engine.audit.account_conclusions import INVENTORY
from projections.engine.checks.vigorish import permitted
from projections.engine.conclusion import buttons_of
from projections.engine.facts import Fact
from projections.engine.findings import FindingBase, wager_of
from projections.engine.observation import OUT_OF_PLAY, Key, Lying, Paid, Round, Wager, key_of, person
from projections.engine.table_layout import lying
from projections.store.rows import Row, as_stored, finding_of, findings_of, grouped, lines_of, utc
from projections.views.hand_view import acts
from projections.views.table_picture import LyingView, PicturePlace, lying_view, picture
from projections.views.wager_view import Spot, weighed
from projections.web.records.record_views import Owing, RecordView, Seated, StoredWager, Withdrawn


class RoundDrawing(Struct, frozen=True):
    """A round's play as far as it may be shown, and its places with their cards and wagers.

    `by_the_rules` is true if it is known by which rules cards were disregarded.
    """

    play: list[tuple[str, str]]
    places: list[PicturePlace]
    by_the_rules: bool


_hands: Final = msgspec.json.Decoder(list[Lying]).decode
NOTHING: Final = RoundDrawing([], [], by_the_rules=True)  # for anything that is no round


def round_drawing(
    row: Row, wagers: Sequence[StoredWager], owing: Sequence[Owing], *, shoe_ended: bool
) -> RoundDrawing:
    """Build the view of the round of a row.

    Cards that were never turned up are shown face down; so are burned and discarded ones, unless their shoe
    has ended.
    """
    seen = _stored_observation(row, wagers)
    stored = _hands(row["hands"]) if row["hands"] is not None else None
    hands = stored if stored is not None else lying(row["chapter"], seen, None)
    laid = tuple(map(lying_view, hands))
    if not shoe_ended:
        laid = tuple(_covered(each) if each.hand in OUT_OF_PLAY else each for each in laid)
    spots = [replace(spot(each), patron=seen.patron(key_of(each))) for each in wagers]
    drawing = picture("The table", laid, spots, [*(each.seat for each in owing), *seen.seated])
    return RoundDrawing(acts(seen, laid), list(drawing.places), by_the_rules=stored is not None)


def _stored_observation(row: Row, wagers: Sequence[StoredWager]) -> Round:
    """Read a round back as far as a picture needs it."""
    play = [(act["who"], act["what"]) for act in row["play"] or ()]
    return Round(
        table=row["table_id"],
        number=row["round"],
        day=row["gaming_date"],
        at=0,  # pictures do not show the time
        play=play,
        wagers={key_of(each): _chips(each) for each in wagers if each.cents is not None},
        announced=row["announced"],
        void=("dealer", "void") in play,
        shoe=row["shoe"],
        seated={each["seat"]: each["patron"] for each in row["seated"] or ()},
    )


def _covered(lying: LyingView) -> LyingView:
    return replace(lying, pieces=tuple(replace(each, face=None) for each in lying.pieces))


def spot(stored: StoredWager) -> Spot:
    """Compare what was owed on a wager with what was paid, later corrections included."""
    paid = None
    if stored.paid_cents is not None:
        paid = Paid(
            stored.paid_cents,
            stored.paid_vigorish_cents or 0,
            stored.righted_cents or 0,
            stored.righted_vigorish_cents or 0,
            stored.later_cents or 0,
            stored.later_vigorish_cents or 0,
        )
    due = stored.expected_cents, stored.expected_vigorish_cents
    return weighed(key_of(stored), _chips(stored), due, paid, permitted_by=stored.permitted_by)


def _chips(stored: StoredWager) -> Wager:
    return Wager(stored.cents or 0, stored.coupon_cents or 0, stored.coupon)


# ── Rounds, shoes and accounts ────────────────────────────────────────────────────────────────────────

# A query and its parameters, by place or by name; the rows by their columns.
Ask: TypeAlias = Callable[[str, Sequence[Any] | dict[str, Any]], list[Row]]

# Which rows are asked for, by the column of their ids. Most pages show one record: its queries are planned in
# half the time. Of several, row groups outside the range from the first to the last are skipped.
_OF_ONE: Final = "{0} = $first"
_OF_SEVERAL: Final = "{0} BETWEEN $first AND $last AND {0} IN (SELECT unnest($ids))"
_MONEY: Final = """
    SELECT settlements.*, wagers.cents, wagers.coupon_cents, wagers.coupon
    FROM settlements
    LEFT JOIN wagers
        ON wagers.run = settlements.run AND wagers.id = settlements.id
        AND wagers.revision = settlements.revision AND wagers.seat = settlements.seat
        AND wagers.wager = settlements.wager AND wagers.bettor IS NOT DISTINCT FROM settlements.bettor
        AND wagers.hand IS NOT DISTINCT FROM settlements.hand
    WHERE settlements.run = $run AND {}
    ORDER BY settlements.seat, settlements.bettor NULLS FIRST, settlements.ordinal
"""
_HISTORY: Final = "SELECT * FROM findings_history WHERE run = $run AND {} ORDER BY revision, ordinal"
_REVISIONS: Final = "SELECT id, revision FROM rounds WHERE run = $run AND {} ORDER BY revision"
# A shoe is known to have ended when the table closed, and when its latest round was opened from another. One
# round reported with a wrong shoe does not end any for good. That a shoe was concluded proves nothing: one in
# play is, as soon as there is something to raise about it.
_SHOES: Final = """
    SELECT gaming_date, shoe, min(opened) AS first_opened, max(opened) AS last_opened,
        count(DISTINCT id) AS rounds
    FROM rounds
    WHERE run = $run AND table_id = $table AND gaming_date >= $since AND round IS NOT NULL
        AND shoe IS NOT NULL AND opened IS NOT NULL
    GROUP BY gaming_date, shoe
"""
# The count for the closing follows the table's last round (docs/events.md); a table that stays open over the
# turn of the gaming day has none. A house without ledgers has no account of it.
_COUNTED: Final = """
    SELECT line."at" FROM (
        SELECT unnest(lines) AS line FROM (
            SELECT * FROM rounds
            WHERE run = $run AND table_id = $table AND gaming_date >= $since AND account = $account
            QUALIFY revision = max(revision) OVER (PARTITION BY id)
        )
    ) WHERE line."name" = $line AND line."at" IS NOT NULL
"""
_STANDS: Final = "SELECT cluster, told FROM standing WHERE table_id = $table"


def load_records(ask: Ask, rows: Sequence[Row]) -> list[RecordView]:
    """Return the records of rows of `rounds`, all of one run and one table, in the order of the rows."""
    if not rows:
        return []
    ids = sorted({row["id"] for row in rows})
    sought = {"run": rows[0]["run"], "first": ids[0]}
    if len(ids) > 1:
        sought |= {"ids": ids, "last": ids[-1]}

    def rows_of(query: str, column: str) -> list[Row]:
        return ask(query.format((_OF_SEVERAL if len(ids) > 1 else _OF_ONE).format(column)), sought)

    has_money = any(row["round"] for row in rows)
    money = grouped(rows_of(_MONEY, "settlements.id"), "id") if has_money else defaultdict(list)
    history = grouped(rows_of(_HISTORY, "round_id"), "round_id")
    revisions = grouped(rows_of(_REVISIONS, "id"), "id")
    set_aside = [row for row in rows if any(act["who"] in OUT_OF_PLAY for act in row["play"] or ())]
    ended = ended_shoes(ask, set_aside)
    return [
        _record_view(
            row,
            [each["revision"] for each in revisions[row["id"]]],
            money[row["id"]],
            history[row["id"]],
            ended=row["id"] in ended,
        )
        for row in rows
    ]


def ended_shoes(ask: Ask, rows: Sequence[Row]) -> set[str]:
    """Return the ids of those rounds of one table whose shoe is known to have ended."""
    if not rows:
        return set()
    since = min(row["gaming_date"] for row in rows)
    about = {"run": rows[0]["run"], "table": rows[0]["table_id"], "since": since}
    shoes = ask(_SHOES, about)
    closings = _closings(ask, about)
    by_name = {(each["gaming_date"], each["shoe"]): each for each in shoes}
    return {
        row["id"]
        for row in rows
        if row["opened"] is not None
        if (shoe := by_name.get((row["gaming_date"], row["shoe"]))) is not None
        if any(shoe["last_opened"] <= closed for closed in closings) or _is_over(shoe, row, shoes)
    }


def _closings(ask: Ask, about: dict[str, Any]) -> list[datetime]:
    """Return when a table closed, as far as is known, by its own clock as the store has it."""
    counted = ask(_COUNTED, about | {"account": INVENTORY, "line": "listing_closing"})
    rows = ask(_STANDS, {"table": about["table"]})
    stands = Floor({row["cluster"]: row["told"] for row in rows}).tables.values()
    closed = [each.since for each in stands if each.open is False and each.since is not None]
    return [as_stored(at) for at in (*(row["at"] for row in counted), *closed)]


def _is_over(shoe: Row, row: Row, shoes: Sequence[Row]) -> bool:
    """Return True if the shoe of a round is over, by all shoes of the table since; each has its gaming day.

    Another day may have one of the same name. It is the same shoe, which was in play as the day changed,
    unless another of two rounds at least was in play between the two.
    """
    present = max(shoes, key=lambda each: (each["last_opened"], each["shoe"]))
    if present["last_opened"] <= row["opened"]:
        return False
    if present["shoe"] != shoe["shoe"]:
        return True
    return any(
        each["shoe"] != shoe["shoe"]
        and each["rounds"] > 1
        and shoe["last_opened"] < each["first_opened"]
        and each["last_opened"] < present["first_opened"]
        for each in shoes
    )


def _judged_wager(
    stored: StoredWager, by: Mapping[Key, str], owed_nothing: Collection[Key | None]
) -> StoredWager:
    """Add what the notes permit, and that nothing was owed if a finding proves it of a payment without wager.

    A conclusion states what is owed on the wagers that were seen.
    """
    key = key_of(stored)
    if stored.cents is None and stored.expected_cents is None and key in owed_nothing:
        return replace(stored, expected_cents=0, expected_vigorish_cents=0)
    return replace(stored, permitted_by=by.get(key))


def _record_view(
    row: Row, revisions: list[int], money: list[Row], history: list[Row], *, ended: bool
) -> RecordView:
    revision = row["revision"]
    found = [each for each in history if each["revision"] == revision]
    findings, notes = findings_of(found, lambda row: finding_of(row, FindingBase[Fact]))
    found_ids = {each["id"] for each in found}
    wagers = [msgspec.convert(each, StoredWager) for each in money if each["revision"] == revision]
    by = permitted(notes)
    owed_nothing = {wager_of(each) for each in findings if each.expected_cents == 0}
    wagers = [_judged_wager(each, by, owed_nothing) for each in wagers]
    lines = lines_of(row)
    owing = [Owing(*person(each.who), each.before, each.after) for each in buttons_of(lines)]
    seated = [msgspec.convert(each, Seated) for each in row["seated"] or ()]
    lies = round_drawing(row, wagers, owing, shoe_ended=ended) if row["round"] is not None else NOTHING
    return RecordView(
        id=row["id"],
        run=row["run"],
        gaming_date=row["gaming_date"],
        table=row["table_id"],
        round=row["round"],
        shoe=row["shoe"],
        account=row["account"],
        at=utc(row["opened"]) if row["round"] is not None else None,
        chapter=row["chapter"],
        verdict=row["verdict"],
        outcome=row["outcome"],
        announced=row["announced"],
        dealer=row["dealer"],
        revision=revision,
        revisions=revisions,
        play=lies.play,
        places=lies.places,
        by_the_rules=lies.by_the_rules,
        wagers=wagers,
        owing=owing,
        seated=seated,
        lines=lines if row["round"] is None else [],
        lines_withheld=0,
        findings=findings,
        notes=notes,
        withdrawn=[
            finding_of(each, Withdrawn)
            for each in history
            if each["withdrawn_in"] is not None
            and each["withdrawn_in"] <= revision
            and each["id"] not in found_ids
        ],
    )
