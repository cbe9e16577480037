"""A bundle's files, made from a hand in a closed archive: the hand, its proof, and descriptions of both."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from projections import evidence
from projections.engine.audit.judge import check_context
from projections.engine.audit.table_audit import Concluded
from projections.engine.checks.plugin_checks import software
from projections.engine.observation import who_of
from projections.evidence import bundle
from projections.evidence.bundle import Manifest, SignedText, opened, packed
from projections.evidence.bundle import listed as bundle_listed
from projections.evidence.bundle_events import PlacedEvent
from projections.evidence.bundle_hand import (
    Judgement,
    describe_rulebook,
    disclose_hand,
    disclosed_hand_facts,
    explanation,
    shown_findings,
)
from projections.evidence.bundle_sums import Settlement, settlement
from projections.evidence.checkpoint import Checkpoint, CheckpointSignature, public
from projections.evidence.disclosure import DisclosureScope, people_in, reasons
from projections.views.hand_view import HandView, render_hand
from projections.views.hand_view import reasons as play_by_the_text
from projections.views.time_text import use_locale
from replay.evidence.bundle_html import Contents, Place, Release, Why, Withheld, page
from replay.lists.writers import json_line
from replay.recording.event_audit import audit_day, audit_logs, start_of_day
from replay.recording.judged_rounds import JudgedRound
from replay.recording.recording import Recording
from replay.recording.seated_rounds import SeatingIndex, seated_round
from replay.recording.single_round import date_list, dates_of
from schemas import house as houses
from schemas.errors import BadInput
from schemas.events import EventId, PayoutAdded, PayoutHanded, ReportCorrected, SettlementAdjusted, id_of
from schemas.values import dollars
from streams.archive.inclusion import ClosedArchive, Hand
from streams.archive.record_names import HOUSE, checkpoint_file
from streams.log import Unread

# ── A round judged for a bundle: only from what was closed ────────────────────────────────────────────────

_DAY: Final = timedelta(days=1)


def judgement(
    closed: ClosedArchive, table: str, number: str, day: date | None, house_file: str | None
) -> Judgement:
    """Judge a round as it is judged with its day, under the closed house file or the one that was named.

    Who sat is named by all that was closed of the day and of the next one.

    Raises:
        BadInput: it is not there, several gaming dates have its number and none was named, or something of
            the archive is not as it was closed.
    """
    what = f"{closed.archive}: round {number!r} of table {table!r}"
    recording = Recording(closed.archive, house_file)
    if day is None:
        dates = dates_of(recording, table, number)
        if len(dates) != 1:
            raise BadInput(
                f"{what} was played on {date_list(dates)}; say which with --gaming-day"
                if dates
                else f"{what} is not there"
            )
        day = dates[0]
    if not closed.is_closed(day) and day not in dates_of(recording, table, number):
        raise BadInput(f"{what} is not there on {day}")
    closed.hold(table, day)
    if house_file is None:
        closed.hold_house()
    house = houses.load(house_file or HOUSE, Path.cwd() if house_file else closed.archive)
    use_locale(house.locale)
    found = _found(audit_day(closed.log(table), house, day), number, day) or _found(
        audit_logs([closed.log(table)], house), number, day
    )
    if found is None or found.seen is None:
        raise BadInput(f"{what} is not there on {day}")
    case = check_context(found.seen, found.book) if found.book is not None else None
    with SeatingIndex() as seats:
        part, audits = start_of_day(closed.log(table), house, day)
        seats.begin(audits)
        seats.read(part, house.late(day + _DAY))
        seating = seated_round(
            JudgedRound(found.conclusion, house, found.seen, found.book), found.seen, seats
        )
    observed = replace(found.seen, seated=seating.seated)
    return Judgement(found.conclusion, observed, case, found.book, house)


def _found(answers: Iterable[Concluded | Unread], number: str, day: date) -> Concluded | None:
    """Return a round as it was last concluded."""
    last = None
    for each in answers:
        if isinstance(each, Concluded) and (each.conclusion.round, each.conclusion.gaming_date) == (
            number,
            day,
        ):
            last = each
    return last


# ── A bundle's files, made from a hand in a closed archive ────────────────────────────────────────────

_ADJUSTS: Final = (SettlementAdjusted, PayoutAdded, PayoutHanded)


def make_bundle(
    closed: ClosedArchive,
    hand: Hand,
    judged: Judgement,
    view: DisclosureScope,
    release: Release,
    key: Ed25519PrivateKey,
    *,
    nameless: bool,
) -> bytes:
    """Make the bundle of a hand, and check it as its recipient will.

    Raises:
        BadInput: a part of the archive is not what was closed, the events do not support the conclusion on
            the hand, or it is to be `nameless` and would name somebody.
    """
    every = (*hand.own, *hand.stands)
    why = reasons(every, view)
    visible = [each for each, reason in zip(every, why, strict=True) if reason is None]
    if not visible:
        raise BadInput(f"{closed.archive}: no event of the hand may be shown, so nothing of it can be proven")
    if nameless and release.attachments:
        raise BadInput(
            f"{closed.archive}: the bundle is to name nobody, and what is attached is let out as it is: it "
            "may show anybody"
        )
    if nameless and _names(visible, judged, view):
        raise BadInput(
            f"{closed.archive}: the bundle would name a patron, or who worked at the table, and is to name "
            "nobody; its events are proven as they came, so no name can be taken out of them"
        )
    proof = closed.proofs_of(visible)
    parts = sorted({each.part for each in visible}, key=lambda part: part.encode())
    places = {part: place for place, part in enumerate(parts)}
    facts = disclosed_hand_facts(judged, view)
    hand_view, derived = render_hand(facts), explanation(judged, facts, view)
    contents = Contents(
        settlement=settlement(hand_view.wagers, judged.case, view, hand.own, places),
        book=describe_rulebook(judged),
        withheld=_withheld(every, why, judged, hand_view, view, places),
        checkpoints=tuple(closed.checkpoints(parts)),
    )
    for each in contents.checkpoints:
        if each.body.closed > release.at:
            when = f"{each.body.closed:%Y-%m-%dT%H:%M:%SZ}"
            raise BadInput(
                f"--at: checkpoint {each.body.number} closed the hand's day later than that: {when}"
            )
    if hand_view.verdict == "clean":
        _hold_to_events(closed, contents.settlement, hand.own)
    within = {
        bundle.CHECKPOINTS: json_line([_signed_text(closed.archive, each) for each in contents.checkpoints]),
        bundle.PROOF: json_line(proof),
        bundle.VERDICT: json_line(disclose_hand(judged, hand_view, view)),
        bundle.SETTLEMENT: json_line(contents.settlement),
        bundle.EXPLANATION: json_line(derived),
        bundle.RULEBOOK: json_line(contents.book),
        bundle.FOOTAGE: json_line(release.footage),
        bundle.CUSTODY: b"".join(json_line(each) + b"\n" for each in release.custody),
        bundle.WITHHELD: json_line(contents.withheld),
        bundle.VERIFIER: (files(evidence) / "verifier.py").read_bytes(),
    }
    if release.attachments:
        within[bundle.ATTACHMENTS] = json_line([each for each, _ in release.attachments])
        within |= {bundle.ATTACHED + each.sha256: content for each, content in release.attachments}
    within[bundle.PAGE] = page(facts, derived, contents, release, view)
    manifest = _manifest(judged, view, release, contents.checkpoints[0], within, key)
    text = json_line(manifest)
    signature = json_line(CheckpointSignature(key.sign(text).hex())) + b"\n"
    content = packed({**within, bundle.MANIFEST: text, bundle.SIGNATURE: signature})
    opened(content)
    return content


def _names(visible: Sequence[PlacedEvent], judged: Judgement, view: DisclosureScope) -> bool:
    """Return True if what is shown of a hand names a person."""
    asked_for = any(bettor is not None for _, bettor in view.people or ())
    found = any(each.patron or each.bettor for each in shown_findings(judged, view))
    return asked_for or found or bool(people_in(each.event for each in visible))


def _hold_to_events(closed: ClosedArchive, settled: Settlement, own: Sequence[PlacedEvent]) -> None:
    """Check that a hand called clean has no events with other sums.

    What was adjusted or corrected, perhaps too late to count, does not add up by its events alone.
    """
    corrected = any(isinstance(each.event, ReportCorrected) for each in own)
    adjusted = {each.event.seat for each in own if isinstance(each.event, _ADJUSTS)}
    for each in settled.wagers:
        apart = each.paid_cents is not None and each.observed is None
        if apart and not corrected and each.seat not in adjusted:
            raise BadInput(
                f"{closed.archive}: seat {each.seat}, {each.wager}: the closed events do not make the "
                f"{dollars(each.paid_cents or 0)} that the verdict has as paid; it is not let out like that"
            )


def _manifest(
    judged: Judgement,
    view: DisclosureScope,
    release: Release,
    checkpoint: Checkpoint,
    within: Mapping[str, bytes],
    key: Ed25519PrivateKey,
) -> Manifest:
    observed = judged.seen
    people = None if view.people is None else sorted(view.people, key=lambda who: (who[0], who[1] or ""))
    return Manifest(
        software=software(),
        command=release.command,
        at=release.at,
        by=release.by,
        why=release.why,
        house=checkpoint.body.house,
        archive=checkpoint.body.archive,
        table=observed.table,
        day=observed.day,
        round=observed.number,
        shoe=observed.shoe,
        seats=tuple(who_of(*who) for who in people) if people is not None else None,
        staff=view.staff,
        files=bundle_listed(within),
        key=public(key),
    )


def _signed_text(archive: Path, checkpoint: Checkpoint) -> SignedText:
    body, signature, *_ = checkpoint_file(archive, checkpoint.body.number).read_bytes().split(b"\n", 2)
    return SignedText(body.decode(), signature.decode())


def _withheld(
    every: Sequence[PlacedEvent],
    why: Sequence[str | None],
    judged: Judgement,
    hand_view: HandView,
    view: DisclosureScope,
    places: Mapping[str, int],
) -> Withheld:
    counted = Counter(reason for reason in why if reason is not None)
    mistaken: set[EventId] = {
        each.event.mistaken
        for each, reason in zip(every, why, strict=True)
        if reason is not None and isinstance(each.event, ReportCorrected)
    }
    corrected = tuple(
        Place(places[each.part], each.leaf)
        for each, reason in zip(every, why, strict=True)
        if reason is None and id_of(each.event) in mistaken
    )
    events = tuple(Why(reason, count) for reason, count in sorted(counted.items()))
    conclusion = judged.concluded
    findings = len(conclusion.findings) + len(conclusion.notes) - len(shown_findings(judged, view))
    sentences = len(play_by_the_text(judged.case)) - len(hand_view.reasons)
    return Withheld(events, findings, sentences, corrected)
