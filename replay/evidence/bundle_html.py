"""The page of a bundle, for people, and what a bundle holds besides the hand and its proof."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from projections.engine.observation import who_of
from projections.evidence.bundle import ATTACHED, VERIFIER, Attachment
from projections.evidence.bundle_hand import JudgingRulebook
from projections.evidence.bundle_sums import Settlement
from projections.evidence.checkpoint import Checkpoint
from projections.evidence.disclosure import DisclosureScope
from projections.views.finding_view import DerivedFinding
from projections.views.hand_view import HandFacts
from projections.views.time_text import date_text, moment_text
from replay.exports.case_file.blocks import Block, money, word
from replay.exports.case_file.finding_page import finding_page
from replay.exports.case_file.hand_page import drawing_of, hand_page
from replay.exports.case_file.html_page import case_file, software_line
from schemas.values import in_words

# ── What a bundle has besides the hand and its proof: who releases it, and what is left out ───────────────


class Release(Struct, frozen=True, kw_only=True):
    """Release of a bundle: by whom, when (UTC, whole seconds), why, by which command; the hand's footage.

    `house` is the file to judge by, if it was named and is not the one that was closed. `attachments` are
    what was attached to the dispute of the hand, with their contents, by their hashes.
    """

    at: datetime
    by: str
    why: str | None
    command: tuple[str, ...]
    house: str | None
    footage: Mapping[str, str | None]
    custody: Sequence[Mapping[str, object]]
    attachments: Sequence[tuple[Attachment, bytes]] = ()


class Place(Struct, frozen=True):
    """A shown event by its part's place in proof.json and its leaf."""

    part: int
    leaf: int


class Why(Struct, frozen=True):
    """Number of events that are withheld for one reason."""

    why: str
    events: int


class Withheld(Struct, frozen=True):
    """Withheld part of a hand: events by the reason, findings about others, sentences about them.

    `corrected` are shown events that a withheld correction marks as mistaken.
    """

    events: tuple[Why, ...]
    findings: int
    sentences: int
    corrected: tuple[Place, ...]


class Contents(Struct, frozen=True, kw_only=True):
    """Contents of a bundle, as its page and its files need them."""

    settlement: Settlement
    book: JudgingRulebook
    withheld: Withheld
    checkpoints: tuple[Checkpoint, ...]


# ── The page of a bundle, for people: the hand, how each finding comes about, and what the bundle is ────


def page(
    hand: HandFacts,
    derived: Sequence[DerivedFinding],
    contents: Contents,
    release: Release,
    view: DisclosureScope,
) -> bytes:
    """Write the page of a bundle."""
    blocks = [
        *hand_page(hand),
        *(block for each in derived for block in finding_page(each)),
        _settlement(contents),
        _rulebook(contents),
        _bundle(release, view),
        _withheld(contents),
        Block("Footage", [(name, text) for name, text in release.footage.items() if text is not None]),
        *_attachments(release),
        _custody(release.custody),
        *_proof(contents),
    ]
    return case_file([(drawing_of(hand), blocks)], software_line())


def _settlement(contents: Contents) -> Block:
    rows = [
        (
            who_of(each.seat, each.bettor),
            in_words(each.wager) + (f" on {each.hand}" if each.hand else ""),
            money(each.owed_cents, "open"),
            money(each.paid_cents, "not seen"),
            f"{money(each.permitted.adds)} by {each.permitted.cite}" if each.permitted is not None else "",
            money(each.difference_cents, "open"),
            "" if each.observed is None else ", ".join(f"{one.part}:{one.leaf}" for one in each.observed),
        )
        for each in contents.settlement.wagers
    ]
    total = ("", "Total", "", "", "", money(contents.settlement.difference_cents), "")
    events = "By the events (part:leaf of proof.json)"
    head = ("Seat", "Wager", "Owed", "Paid", "Within the rule", "Difference", events)
    return Block("Settlement, vigorish taken off", [*rows, total], head)


def _rulebook(contents: Contents) -> Block:
    book = contents.book
    rows = [("Chapter", f"{book.chapter} {book.title}"), ("On", date_text(book.day))]
    if book.text is None:
        return Block("Rulebook", [*rows, ("Text", "none in force")])
    rows += [
        ("Text", f"since {book.since}, {book.text.status} ({book.text.source})"),
        ("Digest", book.digest or ""),
        *((f"Option {name}", word(value)) for name, value in book.options.items()),
    ]
    return Block("Rulebook", rows)


def _bundle(release: Release, view: DisclosureScope) -> Block:
    people = [] if view.people is None else sorted(who_of(*who) for who in view.people)
    return Block(
        "This bundle",
        [
            ("Made", _moment(release.at)),
            ("By", release.by),
            ("Why", release.why or "not said"),
            ("By the command", " ".join(release.command)),
            ("Judged by the house file", release.house or "that was closed last"),
            ("Shows", "all seats" if view.people is None else f"seat {', '.join(people) or 'of nobody'}"),
            ("Staff", "shown" if view.staff else "withheld"),
        ],
    )


def _withheld(contents: Contents) -> Block:
    withheld = contents.withheld
    rows = [(f"{each.events} events", each.why) for each in withheld.events]
    if withheld.findings:
        rows.append((f"{withheld.findings} findings or notes", "about other seats"))
    if withheld.sentences:
        rows.append((f"{withheld.sentences} sentences of the play by the text", "tell of other seats"))
    rows += [
        (f"leaf {each.leaf} of part {each.part}", "was mistaken, as a correction says that is withheld")
        for each in withheld.corrected
    ]
    return Block("Withheld", rows)


def _attachments(release: Release) -> list[Block]:
    rows = [
        (each.name, each.type, f"{each.size:,} bytes", f"{ATTACHED}{each.sha256}")
        for each, _ in release.attachments
    ]
    return (
        [Block("Attached to the dispute", rows, ("Name", "Type", "Size", "In this bundle"))] if rows else []
    )


def _custody(entries: Sequence[Mapping[str, object]]) -> Block:
    rows = [
        (_when(each["at"]), *(str(each.get(name, "")) for name in ("by", "verb", "does", "to")))
        for each in entries
    ]
    return Block("Custody", rows, ("At", "By", "Verb", "Does", "To"))


def _proof(contents: Contents) -> list[Block]:
    return [
        Block(
            "Closed by",
            [(each.kept_line(), each.body.key) for each in contents.checkpoints],
            ("The checkpoint's line, as it may have been kept elsewhere", "Signed by the key"),
        ),
        Block(
            "How to check it",
            [
                (f"unzip -p BUNDLE {VERIFIER} > {VERIFIER}",),
                (f"python {VERIFIER} BUNDLE --key KEY --archive-key KEY --line LINE",),
                ("The keys and LINE are those that were learned by another way than this bundle.",),
            ],
        ),
    ]


def _when(at: object) -> str:
    return _moment(at) if isinstance(at, datetime) else ""


def _moment(at: datetime) -> str:
    return moment_text(at, "UTC")
