"""Page of a disputed hand: the table, the play, each wager's sum, what was found."""

from collections.abc import Sequence

from projections.engine.findings import Finding
from projections.engine.observation import key_of, wager_in_words
from projections.views.finding_text import finding_text
from projections.views.hand_view import HandFacts, HandView, render_hand
from projections.views.table_picture import TablePicture, picture
from projections.views.time_text import date_text, moment_text
from projections.views.wager_view import SpotView
from replay.exports.case_file.blocks import KNOWN_LATER, Block, heading_rows, line_rows, money
from replay.exports.case_file.svg import HandDrawing
from schemas.values import dollars, in_words


def drawing_of(hand: HandFacts) -> HandDrawing:
    """Return the picture of a hand: what it is of, when, by which text, and how it came out."""
    view = render_hand(hand)
    heading = view.heading
    opened = f", opened {moment_text(heading.opened, heading.zone)}" if heading.opened is not None else ""
    lines = [
        _title(view),
        f"Gaming date {date_text(heading.gaming_date)}{opened}. Chapter {heading.chapter} {heading.title}.",
        " ".join(f"{name}: {what}." for name, what in _result(view)),
        *(f"{finding_text(each)} ({', '.join(each.citations)})" for each in hand.findings),
    ]
    return HandDrawing(tuple(line for line in lines if line), _picture(view))


def _title(hand_view: HandView) -> str:
    return f"Table {hand_view.heading.table}, round {hand_view.heading.round}: {hand_view.verdict}"


def _picture(hand_view: HandView) -> TablePicture:
    return picture("The table", hand_view.hands, hand_view.wagers)


def hand_page(hand: HandFacts) -> list[Block | TablePicture]:
    """Return the blocks of a hand's page: the heading, the picture, the play, the sums and the findings."""
    view = render_hand(hand)
    return [
        Block(
            _title(view),
            [*heading_rows(view.heading), *_result(view), *((KNOWN_LATER, each) for each in view.renamed)],
        ),
        _picture(view),
        Block(
            "Seen, in order",
            [(str(place), who, in_words(what)) for place, (who, what) in enumerate(view.play, 1)],
        ),
        Block("The play by the text", line_rows(view.reasons)),
        _wagers(view.wagers),
        *(Block(f"Sum of {spot_name(spot)}", line_rows(spot.steps)) for spot in view.wagers if spot.steps),
        *_put_right(view.wagers),
        _findings("Findings", hand.findings),
        _findings("Notes", hand.notes),
        Block(
            "Missing or contradicted",
            [(each.check, each.message, f"leaves open {each.leaves_open}") for each in view.uncertain],
        ),
    ]


def _result(hand_view: HandView) -> list[tuple[str, str]]:
    """Return the round's result and its call; a round of a game without them can only be void."""
    if not hand_view.has_result:
        return [("Result", in_words(hand_view.outcome))] if hand_view.outcome is not None else []
    return [
        ("Result by the cards", in_words(hand_view.outcome or "not decided")),
        ("Announced", in_words(hand_view.announced or "not recorded")),
    ]


def spot_name(spot: SpotView) -> str:
    """Return a wager: seat, the hand of a split, the person where several bet on it, and the wager."""
    return wager_in_words(key_of(spot))


def _wagers(wagers: Sequence[SpotView]) -> Block:
    """Compare what was owed with what was paid, with vigorish and a coupon on lines of their own."""
    head = ("Seat", "Patron", "Wager", "Chips", "Owed", "Paid", "Difference", "Favours")
    return Block("Wagers", [row for each in wagers for row in _rows(each)], head)


def _rows(spot: SpotView) -> list[tuple[str, ...]]:
    owed, paid = money(spot.owed_cents, "open"), money(spot.paid_cents, "not seen")
    rows: list[tuple[str, ...]] = [
        (
            " ".join(part for part in (str(spot.seat), spot.bettor) if part),
            spot.patron or "",
            in_words(spot.wager) + (f" on {spot.hand}" if spot.hand else ""),
            money(spot.cents),
            owed,
            paid,
            money(spot.difference_cents, "open"),
            spot.favours or "",
        )
    ]
    if spot.coupon_cents:
        rows.append(
            ("", "", f"  coupon {spot.coupon or ''}".rstrip(), money(spot.coupon_cents), "", "", "", "")
        )
    if spot.owed_vigorish_cents or spot.paid_vigorish_cents:
        owed = money(spot.owed_vigorish_cents, "open")
        paid = money(spot.paid_vigorish_cents, "not seen")
        off = money(spot.vigorish_difference_cents, "open")
        by = f"no one, by {spot.permitted_by}" if spot.permitted_by is not None else ""
        rows.append(("", "", "  vigorish", "", owed, paid, off, by))
    return rows


def _put_right(wagers: Sequence[SpotView]) -> list[Block]:
    """Return the corrections that are in what stands as paid."""
    rows = [
        (spot_name(each), when, f"gain {dollars(gain)}", f"vigorish {dollars(vigorish)}")
        for each in wagers
        for when, gain, vigorish in (
            ("before the round closed", each.righted_cents, each.righted_vigorish_cents),
            ("after the round closed", each.later_cents, each.later_vigorish_cents),
        )
        if gain or vigorish
    ]
    return [Block("Put right, and part of what was paid", rows)] if rows else []


def _findings(title: str, findings: Sequence[Finding]) -> Block:
    """Return each finding in two rows: its message, and below it its basis and whom it favours."""
    rows = []
    for each in findings:
        favours = f"; favours the {each.favours}" if each.favours else ""
        rows.append((each.id, f"{each.check}: {finding_text(each)}"))
        rows.append(("", f"{', '.join(each.citations)}, {each.status}{favours}"))
    return Block(title, rows)
