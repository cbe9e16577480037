"""What `hand` draws: in the terminal, as SVG and as a page of HTML."""

import io
import sys
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest

from projections.engine.observation import Lying, Piece
from projections.views.table_picture import picture
from replay.cli.terminal_page import DRAWN, draw_lines, write_page
from replay.recording.recording import Recording
from tests.builders.round_records import (
    BANKER,
    DISPUTED,
    build_record,
    page_lines,
    run_verb,
    show_hand,
    write_records,
)

SVG: Final = "{http://www.w3.org/2000/svg}"
EVIL: Final = '"><script>alert(1)</script>&\x1b[2J\u202e'
SAFE: Final = '"><script>alert(1)</script>&\\x1b[2J\\u202e'

# Seat 1 has 10 and 9, stands, and is given a 5; the dealer has 6 and 9, draws a 2 for 17, and another card.
SURPLUS: Final = build_record(
    [
        ["seat1", "Kc"],
        ["dealer", "6c"],
        ["seat1", "9d"],
        ["dealer", "9h"],
        ["seat1", "stand"],
        ["seat1", "5s"],
        ["dealer", "2d"],
        ["dealer", "4c"],
    ],
    chapter="551",
    gaming_date="2010-11-06",
    wagers=[{"seat": 1, "wager": "wager", "cents": 1000}],
)
VOID: Final = build_record(
    [["seat1", "Kc"], ["dealer", "6c"], ["seat1", "9d"], ["dealer", "9h"], ["dealer", "void"]],
    chapter="551",
    gaming_date="2010-11-06",
    wagers=[{"seat": 1, "wager": "wager", "cents": 1000}],
)


class Terminal(io.StringIO):
    """A place to write to that says it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def table(folder: Path, told: dict[str, Any], *more: object) -> str:
    """Return the picture that is printed of a record, without its title."""
    result = run_verb("hand", write_records(folder, told), told["table"], told["round"], *more)
    assert result.exit_code == 0, result.output
    return result.stdout.split("\nThe table\n")[1].split("\n\nSeen, in order")[0]


def files(folder: Path, *told: dict[str, Any]) -> tuple[bytes, bytes]:
    """Write both files of the records' one hand, and give them."""
    svg, html = folder / "hand.svg", folder / "hand.html"
    result = run_verb(
        "hand", write_records(folder, *told), told[0]["table"], told[0]["round"], "--svg", svg, "--html", html
    )
    assert result.exit_code == 0, result.output
    return svg.read_bytes(), html.read_bytes()


def parsed(text: bytes) -> ET.Element:
    """Read what was written as XML; of a page, what follows its first line."""
    return ET.fromstring(text.partition(b"\n")[2])  # noqa: S314  our own output


def words(root: ET.Element) -> list[str]:
    """Return all text of a drawing, piece by piece."""
    return [each.text for each in root.iter(f"{SVG}text") if each.text]


# ── the terminal ─────────────────────────────────────────────────────────────────────────────────────


def test_a_card_that_is_disregarded_is_marked_and_not_counted(tmp_path: Path) -> None:
    """10 and 9 are 19 whatever comes after; 6, 9 and 2 are 17, on which the dealer stands."""
    assert (
        table(tmp_path, SURPLUS, "--ascii")
        == """\
  Dealer: 17                Seat 1: 19
  +---+ +---+ +---+ +---+   +---+ +---+ +---+
  | 6 | | 9 | | 2 | | 4 |   | K | | 9 | | 5 |
  | c | | h | | d | | c |   | c | | d | | s |
  +---+ +---+ +---+ +---+   +---+ +---+ +---+
    2     4     7     8x      1     3     6x
                            o $10.00 on wager

  The number below a piece is its line in what was seen. x is disregarded."""
    )


def test_a_hole_card_that_was_never_turned_up_is_shown_to_no_one(tmp_path: Path) -> None:
    drawing = table(tmp_path, VOID, "--ascii")
    assert (
        drawing
        == """\
  Dealer: the hole card was not turned up   Seat 1: 19
  +---+ +---+                               +---+ +---+
  | 6 | |###|                               | K | | 9 |
  | c | |###|                               | c | | d |
  +---+ +---+                               +---+ +---+
    2     4                                   1     3
                                            o $10.00 on wager

  The number below a piece is its line in what was seen."""
    )
    data = show_hand(write_records(tmp_path, VOID))
    assert data["play"][3] == ["dealer", "a card face down"]
    for told in (
        run_verb("hand", tmp_path / "rounds.jsonl", "BAC-7", "41").stdout,
        *map(bytes.decode, files(tmp_path, VOID)),
    ):
        assert not {"9h", "9 of hearts"} & set(told.replace(",", " ").split())
        assert "hearts" not in told


def test_a_hole_card_is_shown_once_the_dealer_drew(tmp_path: Path) -> None:
    """A third card of the dealer's comes when his hand lies open, also where the round is void after it."""
    told = VOID | {"play": [*VOID["play"][:4], ["dealer", "2d"], ["dealer", "void"]]}
    assert show_hand(write_records(tmp_path, told))["play"][3] == ["dealer", "9h"]


def test_split_hands_lie_apart_each_card_on_its_line(tmp_path: Path) -> None:
    """8-8 is split: the second 8 begins the new hand, and is still the third card that was dealt."""
    play = [["seat1", "8d"], ["dealer", "6c"], ["seat1", "8s"], ["dealer", "Th"], ["seat1", "split"]]
    play += [["seat1", "Kc"], ["seat1", "stand"], ["seat1.2", "3d"], ["seat1.2", "double"], ["seat1.2", "9s"]]
    told = build_record([*play, ["dealer", "5h"]], chapter="685a", gaming_date="2018-10-06", table="DU")
    titles = [part.strip() for part in table(tmp_path, told).splitlines()[0].split("  ") if part.strip()]
    assert tuple(titles) == (
        "Dealer: 21",
        "Seat 1: 18",
        "Seat 1, hand 2: 20, doubled",
    )
    numbers = table(tmp_path, told).splitlines()[5].split()
    assert numbers == ["2", "4", "11", "1", "6", "3", "8", "10"]


def test_tiles_and_rolls_have_their_pips_and_unopened_stacks_their_backs(tmp_path: Path) -> None:
    play = [["dealer", "no_more_bets"], ["dice", "1-2-6"], ["seat1", "deal"], ["seat2", "deal"]]
    play += [["dealer.high", "6-5"], ["dealer.high", "4-3"], ["dealer.low", "2-4"], ["dealer.low", "1-1"]]
    told = build_record(play, chapter="535", gaming_date="2010-11-06", table="PG")
    drawing = table(tmp_path, told, "--ascii").splitlines()
    assert drawing[:7] == [
        "  Dice            Dealer, high hand: value 8   Dealer, low hand: value 8",
        "  +---+---+---+   +---+---+ +---+---+          +---+---+ +---+---+",
        "  |   |o  |o o|   |o o|o o| |o o|o  |          |o  |o o| |   |   |",
        "  | o |   |o o|   |o o| o | |   | o |          |   |   | | o | o |",
        "  |   |  o|o o|   |o o|o o| |o o|  o|          |  o|o o| |   |   |",
        "  +---+---+---+   +---+---+ +---+---+          +---+---+ +---+---+",
        "        2             5         6                  7         8",
    ]
    stack = next(place for place, line in enumerate(drawing) if line.startswith("  Seat 1: not laid open"))
    assert drawing[stack + 2].rstrip() == "  |###|###| |###|###| |###|###| |###|###|"


def test_dice_lie_in_the_order_of_the_rolls_as_many_in_a_row_as_there_is_room() -> None:
    """A roll of two dice is nine wide: with a blank between, eight of them are 79."""
    rolls = tuple(Piece("3-4", line, kind="dice") for line in range(1, 11))
    shot = picture("", [Lying("dice", rolls, None)], [])
    numbers = [line.plain.split() for line in draw_lines(shot, 79, DRAWN) if line.plain.strip()[:1].isdigit()]
    assert numbers == [[str(each) for each in range(1, 9)], ["9", "10"]]
    (wide,) = [
        line.plain.split() for line in draw_lines(shot, 120, DRAWN) if line.plain.strip()[:1].isdigit()
    ]
    assert wide == [str(each) for each in range(1, 11)]


@pytest.mark.parametrize("columns", [80, 132])
def test_a_full_table_is_not_wider_than_the_terminal(
    columns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = [{"seat": seat, "wager": "player", "cents": 250_000} for seat in range(1, 8)]
    told = build_record(BANKER, wagers=[*seats, {"seat": 7, "wager": "dragon_bonus_banker", "cents": 500}])
    path = write_records(tmp_path, told)
    from replay.cli.hand import find_hands  # noqa: PLC0415  beside the terminal that it is given
    from replay.exports.case_file.hand_page import hand_page  # noqa: PLC0415  likewise

    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    write_page(
        [part for each in find_hands(Recording(path), "BAC-7", "41", None) for part in hand_page(each)[:5]]
    )
    text = terminal.getvalue().replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert max(map(len, text.splitlines())) <= columns
    assert "Seat 7" in text


def test_colour_is_for_a_terminal_alone_and_can_be_declined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = "\x1b[31m"
    told = picture("The table", [Lying("banker", (Piece("7d", 2),), 7)], [])
    monkeypatch.setenv("TERM", "xterm")
    for wanted, setting in ((True, None), (False, "1")):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stdout", terminal)
        if setting is not None:
            monkeypatch.setenv("NO_COLOR", setting)
        write_page([told])
        assert (red in terminal.getvalue()) == wanted
    monkeypatch.undo()
    assert "\x1b" not in run_verb("hand", write_records(tmp_path, DISPUTED), "BAC-7", "41").stdout


def test_an_output_that_cannot_take_all_letters_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    write_page([picture("Zoë", [Lying("banker", (Piece("7d", 2),), 7)], [])])
    sys.stdout.flush()
    assert raw.getvalue().decode("ascii").splitlines()[:4] == [
        "Zo\\xeb",
        "  Banker's Hand: 7",
        "  +---+",
        "  | 7 |",
    ]


# ── the files ────────────────────────────────────────────────────────────────────────────────────────


def test_the_drawing_says_what_it_shows_to_one_who_cannot_see_it(tmp_path: Path) -> None:
    root = parsed(files(tmp_path, DISPUTED)[0])
    title, says = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert says is not None
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {says.get('id')}"
    assert title.text == "Table BAC-7, round 41: mismatch"
    assert says.text is not None
    for sentence in (
        "Player's Hand: 6 of clubs, king of clubs; counts 6.",
        "Banker's Hand: 7 of diamonds, king of diamonds; counts 7.",
        (
            "Seat 1: $37.00 on banker; owed $37.00 less $2.00, paid $37.00 less $1.75; "
            "vigorish $0.25 too little: in favor of the patron."
        ),
        (
            "Seat 2 (anna): $10.00 on player; owed -$10.00, paid $0.00; "
            "gain $10.00 too much: in favor of the patron."
        ),
    ):
        assert sentence in says.text
    pieces = [each.text for each in root.iter(f"{SVG}title")][1:]
    assert pieces == [
        "line 1: 6 of clubs",
        "line 3: king of clubs",
        "line 2: 7 of diamonds",
        "line 4: king of diamonds",
    ]


def test_the_files_need_nothing_from_elsewhere(tmp_path: Path) -> None:
    for told in (DISPUTED, SURPLUS):
        for text in map(bytes.decode, files(tmp_path, told)):
            for fetched in (
                "<script",
                "<link",
                "<img",
                "<image",
                "@import",
                "url(",
                "src=",
                "href=",
                "javascript",
            ):
                assert fetched not in text
            assert text.replace("http://www.w3.org/2000/svg", "").find("://") == -1


def test_the_page_has_what_the_terminal_has(tmp_path: Path) -> None:
    root = parsed(files(tmp_path, DISPUTED)[1])
    heads = [each.text for each in root.iter("h2")]
    page = run_verb("hand", tmp_path / "rounds.jsonl", "BAC-7", "41").stdout
    titles = [block.splitlines()[0] for block in page.split("\n\n") if not block.startswith(" ")]
    assert [each.text for each in root.iter("h1")] == titles[:1]
    assert heads == titles[1:]
    rows = [" ".join(" ".join(cell.text or "" for cell in row).split()) for row in root.iter("tr")]
    for row in (
        "3 player Kc",
        "Banker's Hand has 7 against no third card and stays. 631a.11(c)(1)",
        "2 anna player $10.00 -$10.00 $0.00 $10.00 patron",
        "rounded up as the house chose $2.00 631a.13(c)",
    ):
        assert row in rows
        assert row in page_lines(page)
    places = [each.text for each in root.iter(f"{SVG}title") if each.get("id")]
    assert places == ["Player's Hand", "Banker's Hand", "Seat 1", "Seat 2"]


def test_no_data_can_inject_into_the_files(tmp_path: Path) -> None:
    told = build_record(
        BANKER,
        table=EVIL,
        round=EVIL,
        shoe=EVIL,
        dealer=EVIL,
        wagers=[
            {"seat": 1, "wager": EVIL, "bettor": EVIL, "cents": 100, "coupon": EVIL, "coupon_cents": 100}
        ],
        paid=[{"seat": 1, "wager": EVIL, "bettor": EVIL, "cents": 100}],
    )
    svg, html = files(tmp_path, told)
    for text in (svg, html):
        assert b"<script" not in text
        assert b"\x1b" not in text
        assert "\u202e".encode() not in text
    root = parsed(html)
    assert {each.tag for each in root.iter() if "script" in each.tag} == set()
    (title,) = [each.text for each in root.iter("h1")]
    assert title == f"Table {SAFE}, round {SAFE}: mismatch"
    assert f"Table {SAFE}, round {SAFE}: mismatch" == parsed(svg)[0].text


def test_the_same_hand_gives_the_same_bytes(tmp_path: Path) -> None:
    first = files(tmp_path, DISPUTED)
    assert files(tmp_path, DISPUTED) == first


def test_a_round_that_is_recorded_twice_alike_is_drawn_once_and_otherwise_twice(tmp_path: Path) -> None:
    svg, _ = files(tmp_path, DISPUTED, DISPUTED)
    assert words(parsed(svg)).count("Table BAC-7, round 41: mismatch") == 1
    svg, html = files(tmp_path, DISPUTED, DISPUTED | {"dealer": "D-8"})
    assert words(parsed(svg)).count("Table BAC-7, round 41: undetermined") == 2
    ids = [each.get("id") for each in parsed(html).iter() if each.get("id")]
    assert len(ids) == len(set(ids)) == 16  # a title and a description of four places, twice
    assert len(list(parsed(html).iter("article"))) == 2


def test_a_file_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    missing = tmp_path / "no" / "hand.svg"
    result = run_verb("hand", write_records(tmp_path, DISPUTED), "BAC-7", "41", "--svg", missing)
    assert result.exit_code == 2
    says = f"cannot be written: there is no folder {missing.parent}"
    assert result.stderr == f"discardrack: {missing}: {says}\n"
