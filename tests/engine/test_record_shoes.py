"""Cards of one shoe counted across round records that name it, as they are across recorded events."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
import pytest
from click.testing import CliRunner

from replay.cli import main
from schemas import events as e
from schemas.codec import decode
from streams.simulator import faults
from streams.simulator.playing import TableDay
from streams.simulator.simulate import simulate
from tests.builders.simulated_tables import by_true_moment, events_sent, play_tables_of_game, write_archive

Acts: TypeAlias = list[list[str]]
# 9 and 0 against 7 and 0: the Player's Hand wins with a Natural; of each card another suit each time.
PLAYER_9: list[Acts] = [
    [["player", f"9{one}"], ["banker", f"7{one}"], ["player", f"K{one}"], ["banker", f"{ten}{one}"]]
    for ten in "TJQ"
    for one in "cdhs"
]


def run(*arguments: object) -> tuple[int, list[dict[str, Any]]]:
    ran = CliRunner().invoke(main, [str(each) for each in arguments])
    return ran.exit_code, [json.loads(line) for line in ran.stdout.splitlines()]


def record(number: int, play: Acts, **otherwise: Any) -> dict[str, Any]:
    at = f"2025-03-01T{20 + number // 60:02}:{number % 60:02}:00-05:00"
    about = {"table": "B-1", "round": str(number), "chapter": "631a", "at": at, "decks": 8, "shoe": "S1"}
    return {**about, "play": play, "wagers": [], **otherwise}


def with_seven(play: Acts, times: int = 1) -> Acts:
    """Deal the 7 of hearts to the Banker's Hand, and to the Player's as well where it is to come twice."""
    second = [["player", "7h"], ["banker", "7h"], ["player", "2c"], ["banker", play[3][1]]]
    return [play[0], ["banker", "7h"], *play[2:]] if times == 1 else second


def nine_rounds() -> list[dict[str, Any]]:
    """Deal ten 7h from one shoe of eight decks: one in each of eight rounds, and two in the ninth."""
    return [
        *(record(number, with_seven(play)) for number, play in enumerate(PLAYER_9[:8], 1)),
        record(9, with_seven(PLAYER_9[8], 2)),
    ]


def impossible(folder: Path, records: Iterable[dict[str, Any]], *options: str) -> list[tuple[str, str, str]]:
    """Audit records; give each round with a card that cannot be, whose weight it has, and what it says."""
    file = folder / "records.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    _, answers = run("audit", file, *options)
    return [
        (each["round"], found["weight"], found["message"].partition(";")[0])
        for each in answers
        for found in each["findings"]
        if found["check"] == "card_not_in_deck"
    ]


TEN_SEVENS = [
    ("9", "mismatch", "7h left the shoe for the 9th time"),
    ("9", "mismatch", "7h left the shoe for the 10th time"),
]


def test_631a_3_a_a_ninth_card_of_a_kind_from_eight_decks_is_found_in_its_round(tmp_path: Path) -> None:
    assert impossible(tmp_path, nine_rounds()) == TEN_SEVENS
    assert impossible(tmp_path, nine_rounds(), "--jobs", "2") == TEN_SEVENS


def test_in_whatever_order_the_records_stand_the_time_of_play_counts(tmp_path: Path) -> None:
    records = nine_rounds()
    for otherwise in (records[::-1], records[4:] + records[:4], records[1::2] + records[::2]):
        assert impossible(tmp_path, otherwise) == TEN_SEVENS
    # Of another day at the table, which stands before them though it was played later.
    later = [record(number, PLAYER_9[0], gaming_date="2025-03-04") for number in (70, 71)]
    later[1]["at"] = later[0]["at"] = "2025-03-04T20:00:00-05:00"
    assert impossible(tmp_path, [later[0], *reversed(nine_rounds()), later[1]]) == TEN_SEVENS


def test_tables_whose_records_alternate_have_a_shoe_each(tmp_path: Path) -> None:
    elsewhere = [record(each, with_seven(PLAYER_9[each]), table="B-2") for each in range(9)]
    both = [each for pair in zip(nine_rounds(), elsewhere, strict=True) for each in pair]
    ninth = ("8", "mismatch", "7h left the shoe for the 9th time")
    assert impossible(tmp_path, both) == [*TEN_SEVENS, ninth]


def test_a_game_without_cards_has_no_shoe_to_count_though_its_records_name_one(tmp_path: Path) -> None:
    craps = {"table": "C-1", "chapter": "623a", "shoe": "S1", "wagers": []}
    turns = [
        {**craps, "round": str(each), "at": f"2025-03-01T20:0{each}:00-05:00", "play": [["dice", "5-2"]]}
        for each in (1, 2)
    ]
    file = tmp_path / "records.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in turns), encoding="utf-8")
    exit_code, answers = run("audit", file)
    assert (exit_code, [(each["round"], each["verdict"]) for each in answers]) == (
        0,
        [("1", "clean"), ("2", "clean")],
    )


@pytest.mark.parametrize(
    "change",
    [
        {"shoe": "S2"},
        {"decks": 7},  # another shoe, as it was loaded otherwise
        {"at": "2025-03-02T20:00:00-05:00"},  # its name is used again on another gaming day
        {"table": "B-2"},
        {"shoe": None},  # nothing says from which shoe
    ],
)
def test_what_is_dealt_from_another_shoe_is_not_counted(tmp_path: Path, change: dict[str, Any]) -> None:
    records = nine_rounds()[:8]
    records += [record(number, with_seven(PLAYER_9[number]), **change) for number in (9, 10, 11)]
    assert impossible(tmp_path, records) == []


def test_a_shoe_that_comes_back_after_another_was_loaded_again(tmp_path: Path) -> None:
    between = record(9, PLAYER_9[9], shoe="S2")
    again = [record(number, with_seven(PLAYER_9[number])) for number in (10, 11)]
    assert impossible(tmp_path, [*nine_rounds()[:8], between, *again]) == []


def test_a_shoe_goes_on_while_the_gaming_day_ends(tmp_path: Path) -> None:
    records = nine_rounds()  # the gaming day ends at 06:00, after the fifth round
    for number, each in enumerate(records):
        each["at"] = f"2025-03-02T0{5 + (number > 4)}:{(55 + number) % 60:02}:00-05:00"
    assert impossible(tmp_path, records) == TEN_SEVENS
    file = tmp_path / "records.jsonl"
    days = [each["gaming_date"] for each in run("audit", file)[1]]
    assert days == ["2025-03-01"] * 5 + ["2025-03-02"] * 4


def test_burned_and_discarded_cards_left_the_shoe_too(tmp_path: Path) -> None:
    records = nine_rounds()[:8]
    records[0]["play"] = [["burn", "7h"], *records[0]["play"]]
    assert impossible(tmp_path, records) == [("8", "mismatch", "7h left the shoe for the 9th time")]
    records[0]["play"][0] = ["discard", "7h"]
    assert impossible(tmp_path, records) == [("8", "mismatch", "7h left the shoe for the 9th time")]


@pytest.mark.parametrize("unread", ["7?", "?h", "??"])
def test_what_was_not_read_is_no_card_of_a_kind(tmp_path: Path, unread: str) -> None:
    records = [*nine_rounds()[:8], record(9, [["burn", unread], *PLAYER_9[9]])]
    assert impossible(tmp_path, records) == []


def test_a_round_that_is_recorded_twice_has_its_cards_once(tmp_path: Path) -> None:
    records = nine_rounds()[:8]
    assert impossible(tmp_path, [*records, *records, records[0]]) == []


def test_rounds_that_contradict_each_other_prove_no_card(tmp_path: Path) -> None:
    records = nine_rounds()[:8]
    ninth = record(9, with_seven(PLAYER_9[9]))
    assert impossible(tmp_path, [*records, ninth, record(9, PLAYER_9[9])]) == []


def test_a_card_too_many_if_a_round_was_not_recorded_twice_is_undetermined(tmp_path: Path) -> None:
    records = nine_rounds()[:8]
    records.insert(1, records[0] | {"round": "1a"})
    says = "7h left the shoe for the 9th time"
    assert impossible(tmp_path, records) == [("8", "undetermined", says)]
    # A ninth beside it is one too many in any case.
    records.append(record(9, with_seven(PLAYER_9[9])))
    assert impossible(tmp_path, records)[1:] == [("9", "mismatch", says)]


# ── as recorded events tell it ───────────────────────────────────────────────────────────────────────


def misread(day: TableDay) -> TableDay:
    """Replace every king by the king of spades for a table's shoe and its second reader."""
    for at, frame in enumerate(day.frames):
        day.frames[at] = msgspec.structs.replace(frame, events=tuple(map(_misread, frame.events)))
    return day


def _misread(event: e.Event) -> e.Event:
    if isinstance(event, e.CardDrawn | e.CardSeen | e.CardBurned) and (event.card or "").startswith("K"):
        return msgspec.structs.replace(event, card="Ks")
    return event


def rounds_with_too_many(sent: Sequence[e.Event], decks: int) -> set[str]:
    """Count cards from loading to loading; give the rounds in which one came that the decks do not hold."""
    count: Counter[str] = Counter()
    found = set()
    for event in by_true_moment(sent):
        if isinstance(event, e.ShoeLoaded):
            count.clear()
        elif isinstance(event, e.CardDrawn | e.CardBurned) and event.card is not None:
            count[event.card] += 1
            if isinstance(event, e.CardDrawn) and count[event.card] > decks:
                found.add(event.round)
    return found


def told_impossible(answers: Iterable[dict[str, Any]]) -> set[tuple[str, str]]:
    return {
        (each["table"], each["round"])
        for each in answers
        for found in each["findings"]
        if found["check"] == "card_not_in_deck" and found["weight"] == "mismatch"
    }


class Floor(NamedTuple):
    """An archive, its rounds with a card that the decks do not hold, and those as which a shoe ran out."""

    archive: Path
    counted: set[tuple[str, str]]
    ran_out: set[tuple[str, str]]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Floor:
    """Record two tables for two hours, and count their cards."""
    days = [misread(day) for day in play_tables_of_game("631a", 2, 2, dict(faults.NONE), "spades")]
    made = Floor(tmp_path_factory.mktemp("kings"), set(), set())
    write_archive(days, made.archive)
    for day in days:
        name, sent = day.table.plan.name, events_sent(day)
        made.counted.update((name, each) for each in rounds_with_too_many(sent, day.table.plan.decks or 8))
        made.ran_out.update((name, each.round) for each in sent if isinstance(each, e.ShoeExhausted))
    return made


def findings(answers: Iterable[dict[str, Any]], without: set[tuple[str, str]]) -> list[tuple[str, ...]]:
    return sorted(
        (each["table"], each["round"], found["id"], found["message"])
        for each in answers
        if "round" in each and (each["table"], each["round"]) not in without
        for found in each["findings"]
    )


def test_a_misreading_shoe_is_found_alike_from_events_and_from_the_records_made_of_them(
    floor: Floor, tmp_path: Path
) -> None:
    assert len(floor.counted) > 10
    of_events = run("audit", floor.archive)[1]
    assert told_impossible(of_events) == floor.counted
    assert told_impossible(run("audit", floor.archive, "--jobs", "2")[1]) == floor.counted
    records = tmp_path / "records.jsonl"
    run("export", "rounds", floor.archive, "--out", records)
    of_records = run("audit", records)[1]
    # As the cards ran out is what a record cannot say: such a round is not among them.
    assert told_impossible(of_records) == floor.counted - floor.ran_out
    assert findings(of_records, set()) == findings(of_events, floor.ran_out)
    # In the order of their letters: 1, 10, 100, 101, ...
    records.write_bytes(b"".join(sorted(records.read_bytes().splitlines(keepends=True))))
    assert findings(run("audit", records)[1], set()) == findings(of_events, floor.ran_out)


def test_a_burned_card_goes_with_the_first_round_of_its_shoe(floor: Floor, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    run("export", "rounds", floor.archive, "--out", records)
    rounds = [json.loads(line) for line in records.read_text(encoding="utf-8").splitlines()]
    frames = [
        decode(line, file.name)[0]
        for file in sorted((floor.archive / "events").iterdir())
        for line in file.read_bytes().splitlines()
    ]
    burned = [each.card for frame in frames for each in frame.events if isinstance(each, e.CardBurned)]
    acts = [act[1] for each in rounds for act in each["play"] if act[0] == "burn"]
    assert sorted(acts) == sorted(card for card in burned if card is not None)
    shoes = list(dict.fromkeys((each["table"], each["shoe"]) for each in rounds))
    first = {(each["table"], each["shoe"]): each["round"] for each in reversed(rounds)}
    with_burn = [
        (each["table"], each["shoe"], each["round"]) for each in rounds if each["play"][0][0] == "burn"
    ]
    assert with_burn == [(*shoe, first[shoe]) for shoe in shoes]


def orders(answers: Iterable[dict[str, Any]]) -> list[tuple[str, str]]:
    """List the shoes in an earlier order; how far the run goes hangs on what was counted as a shoe ended."""
    return [
        (each["shoe"], found["id"])
        for each in answers
        if "shoe" in each and "round" not in each
        for found in each["findings"]
        if found["check"] == "order_preserved"
    ]


def test_631a_5_a_shoe_in_the_order_of_earlier_cards_is_found_alike_from_records(tmp_path: Path) -> None:
    rates = {**dict(faults.NONE), "false_shuffle": 0.9, "slug": 0.9, "unshuffled_pack": 0.9}
    simulate(tmp_path / "floor", tables=1, hours=4, seed="order", rates=rates, procedures=True)
    run("export", "rounds", tmp_path / "floor", "--out", tmp_path / "records.jsonl")
    of_records = orders(run("audit", tmp_path / "records.jsonl")[1])
    assert of_records == orders(run("audit", tmp_path / "floor")[1])
    assert len(of_records) > 2
