"""The picture of every golden hand: each card lies there once, hands count what was worked out by hand."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest

from projections.engine.audit.judge import judge, not_in_force
from projections.engine.audit.round_records import book_of, read, to_round
from projections.engine.games import REGISTRY
from projections.engine.observation import Lying
from projections.engine.table_layout import is_piece
from projections.views.hand_view import HandFacts, HandView, hand_facts, render_hand
from replay.exports.case_file.hand_page import drawing_of, hand_page
from replay.exports.case_file.html_page import case_file
from replay.exports.case_file.svg import drawing
from schemas.errors import BadInput, NotInForce
from schemas.house import DEFAULT

GOLDEN: Final = Path(__file__).parents[1] / "golden"
SIDES: Final = ("player", "banker")
DRAWN: Final = 3  # of each file, and the first of them twice; all are counted


@cache
def facts(chapter: str) -> tuple[tuple[int, dict[str, Any], HandFacts], ...]:
    """Return every golden hand of a chapter that can be read, judged once for all tests."""
    return tuple(judged(chapter))


def judged(chapter: str) -> Iterator[tuple[int, dict[str, Any], HandFacts]]:
    """Judge every golden hand of a chapter that can be read: place in its file, what was worked out, hand."""
    for file in sorted((GOLDEN / chapter).glob("*.jsonl")):
        for number, line in enumerate(file.read_text("utf-8").splitlines()):
            hand = json.loads(line)
            try:
                record = read(json.dumps(hand["record"]).encode())
                seen = to_round(record, DEFAULT)
                book = book_of(record, DEFAULT)
            except NotInForce as error:
                yield (
                    number,
                    hand,
                    hand_facts(not_in_force(seen, record.chapter, str(error)), seen, None, DEFAULT),
                )
            except (BadInput, KeyError):
                continue
            else:
                yield number, hand, hand_facts(judge(seen, book), seen, book, DEFAULT)


@cache
def golden(chapter: str) -> tuple[tuple[int, dict[str, Any], HandView], ...]:
    """Return the same in words."""
    return tuple((number, hand, render_hand(each)) for number, hand, each in facts(chapter))


def laid(shown: HandView, hand: str) -> Lying:
    (found,) = [each for each in shown.hands if each.hand == hand]
    return found


@pytest.mark.parametrize("chapter", REGISTRY)
def test_each_card_and_roll_lies_there_once_on_its_line(chapter: str) -> None:
    for _, hand, shown in golden(chapter):
        play = hand["record"]["play"]
        if ["seat2", "reset"] in play or ["dealer", "reset"] in play:
            continue  # tiles that were set anew lie where they lie now
        drawn = sorted(
            (piece.line, piece.face)
            for each in shown.hands
            for piece in each.pieces
            if piece.face is not None or piece.kind == "card"
        )
        hidden = {line for line, face in drawn if face is None}
        assert drawn == [
            (line, None if line in hidden else what)
            for line, (who, what) in enumerate(play, 1)
            if is_piece(who, what)
        ], hand["why"]
        assert all(shown.play[line - 1][1] == "a card face down" for line in hidden), hand["why"]
        assert not hidden or ["dealer", "void"] in play, hand["why"]


@pytest.mark.parametrize("chapter", ["551", "685a"])
def test_the_dealers_hand_counts_what_its_outcome_says(chapter: str) -> None:
    """The golden outcome is the dealer's total, without cards that are disregarded."""
    counted = 0
    for _, hand, shown in golden(chapter):
        outcome = hand["answer"].get("outcome")
        if outcome in (None, "void"):
            continue
        dealer = laid(shown, "dealer")
        if any(piece.face is not None and "?" in piece.face[0] for piece in dealer.pieces):
            continue
        counted += 1
        if outcome == "blackjack":
            assert (dealer.point_count, dealer.remark) == (21, "Blackjack"), hand["why"]
        elif outcome == "bust":
            assert isinstance(dealer.point_count, int), hand["why"]
            assert dealer.point_count > (22 if chapter == "685a" else 21), hand["why"]
        else:
            assert dealer.point_count == int(outcome), hand["why"]
    assert counted > 100


@pytest.mark.parametrize("chapter", ["631a", "545", "541", "543", "627a", "629a"])
def test_the_hand_that_won_counts_more(chapter: str) -> None:
    counted = 0
    for _, hand, shown in golden(chapter):
        if hand["answer"].get("outcome") not in ("player", "banker", "tie"):
            continue
        player, banker = (laid(shown, side).point_count for side in SIDES)
        if not isinstance(player, int) or not isinstance(banker, int):
            continue  # an unread card that the result does not hang on
        counted += 1
        more = "player" if player > banker else "banker" if banker > player else "tie"
        assert more == hand["answer"].get("outcome"), hand["why"]
    assert counted > 100


@pytest.mark.parametrize("chapter", REGISTRY)
def test_the_drawings_are_well_formed_and_the_same_each_time(chapter: str) -> None:
    for number, hand, shown in facts(chapter):
        if number >= DRAWN:
            continue
        svg, html = drawing([drawing_of(shown)]), case_file([(drawing_of(shown), hand_page(shown))], "made")
        root = ET.fromstring(svg)  # noqa: S314  our own output
        assert root.tag == "{http://www.w3.org/2000/svg}svg", hand["why"]
        ET.fromstring(html.partition(b"\n")[2])  # noqa: S314  our own output
        if number == 0:
            assert (svg, html) == (
                drawing([drawing_of(shown)]),
                case_file([(drawing_of(shown), hand_page(shown))], "made"),
            )
