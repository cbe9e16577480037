"""The simulated floor: its own law by hand, its chips conserved, its labels exact, its bytes the same."""

import json
from collections import Counter, defaultdict
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from replay.cli.simulate import simulate as verb
from schemas import events
from schemas.codec import Frame, decode
from schemas.errors import BadInput
from schemas.house import parse
from streams.simulator import faults
from streams.simulator.faults import DEALERS, NONE, PROCEDURES, SENSORS
from streams.simulator.floor import plan
from streams.simulator.games import SCRIPTS
from streams.simulator.games.baccarat.naming import was_called_wrong, wrongs
from streams.simulator.games.baccarat.rules import (
    Result,
    Ways,
    banker_draws,
    gain,
    lawful,
    player_draws,
    points,
    vigorish,
)
from streams.simulator.kinds import SHARED
from streams.simulator.labels import FaultLabel, SensorLabel
from streams.simulator.money.kinds import MONEY
from streams.simulator.playing import TableDay
from streams.simulator.schemes import SCHEMES
from streams.simulator.shoe_breaches import SHOES
from streams.simulator.simulate import START, Later, simulate
from tests.builders.simulated_tables import (
    chip_differences,
    count_inventories,
    events_sent,
    in_true_order,
    play_plans,
)

_LAST_HOUR = int((START + timedelta(hours=7)).timestamp()) * 1_000_000


@pytest.fixture(scope="session")
def clean() -> list[TableDay]:
    return play_plans(plan(10), 3, dict(NONE), "7")


@pytest.fixture(scope="session")
def faulty() -> list[TableDay]:
    often = {kind: min(1.0, 4 * rate) for kind, rate in faults.rates(sensors=True).items()}
    return play_plans(plan(10), 4, often, "7")


@pytest.fixture(scope="session")
def dealers_only() -> list[TableDay]:
    return play_plans(plan(10), 2, faults.rates(), "7")


# ── the law, by hand ─────────────────────────────────────────────────────────────────────────────────

# 631a.11(c)(2): the Point Count of the Banker's two cards against the value of the Player's third, 0 to 9.
_TABLE_1 = {
    0: "DDDDDDDDDD",
    1: "DDDDDDDDDD",
    2: "DDDDDDDDDD",
    3: "DDDDDDDDSD",
    4: "SSDDDDDDSS",
    5: "SSSSDDDDSS",
    6: "SSSSSSDDSS",
    7: "SSSSSSSSSS",
}
_TWO_CARDS = {
    0: ("Td", "Kc"),
    1: ("As", "Qs"),
    2: ("2h", "Jd"),
    3: ("9c", "4c"),
    4: ("Ac", "3s"),
    5: ("5d", "Td"),
    6: ("9h", "7d"),
    7: ("Kh", "7s"),
}


@pytest.mark.parametrize("count", range(8))
def test_631a_11_third_cards(count: int) -> None:
    banker = _TWO_CARDS[count]
    assert points(banker) == count
    drawn = "".join("D" if banker_draws(banker, third + "s") else "S" for third in "KA23456789")
    assert drawn == _TABLE_1[count]
    assert banker_draws(banker, None) is (count <= 5)
    assert player_draws(banker) is (count <= 5)


@pytest.mark.parametrize(
    ("cards", "player", "banker", "need"),
    [
        # Player 8 on two cards: a Natural ends it, the Banker's 0 stays.
        ("3c Kd 5h Qs 9d", "3c 5h", "Kd Qs", 4),
        # Player 6 stays, Banker 5 draws the fifth card.
        ("2c 5d 4h Ks 9d 8d", "2c 4h", "5d Ks 9d", 5),
        # Player 5 draws a 4; Banker 5 draws on a 4, as in the text's own example.
        ("2c 5d 3h Ks 4d 8d", "2c 3h 4d", "5d Ks 8d", 6),
        # Player 5 draws an 8; Banker 3 stays.
        ("2c 3d 3h Ks 8d 8c", "2c 3h 8d", "3d Ks", 5),
        # The same, but the shoe has no fifth card.
        ("2c 3d 3h Ks", "2c 3h", "3d Ks", 5),
    ],
)
def test_631a_9_and_10_hands(cards: str, player: str, banker: str, need: int) -> None:
    assert lawful(cards.split()) == (Result(tuple(player.split()), tuple(banker.split())), need)


def _result(player: str, banker: str) -> Result:
    return Result(tuple(player.split()), tuple(banker.split()))


_DRAGON_7 = _result("2c 4h", "Kd 5h 2d")
_PANDA_8 = _result("2c 2h 4d", "Kd 7h")
_EZ = Ways(ez=True)


@pytest.mark.parametrize(
    ("wager", "result", "ways", "cents"),
    [
        ("player", _result("9c Kh", "7c Kd"), Ways(), 1000),
        ("banker", _result("9c Kh", "7c Kd"), Ways(), -1000),
        ("banker", _result("6c Kh", "7c Kd"), Ways(), 1000),
        ("player", _result("7h Kh", "7c Kd"), Ways(), 0),
        ("tie", _result("7h Kh", "7c Kd"), Ways(), 8000),
        ("tie", _result("7h Kh", "7c Kd"), Ways(tie_odds=9), 9000),
        ("tie", _result("6h Kh", "7c Kd"), Ways(), -1000),
        # 631a.8(a)(1)(iii), (2)(ii), (5), (6)
        ("banker", _DRAGON_7, _EZ, 0),
        ("banker", _DRAGON_7, Ways(), 1000),
        ("player", _DRAGON_7, _EZ, -1000),
        ("dragon_7", _DRAGON_7, _EZ, 40000),
        ("dragon_7", _PANDA_8, _EZ, -1000),
        ("panda_8", _PANDA_8, _EZ, 25000),
        ("panda_8", _result("8c Kh", "7c Kd"), _EZ, -1000),
        # 631a.8(a)(4), 631a.13(e): margins 9, 7 and 4, and one too small
        ("dragon_bonus_player", _result("2c 3h 4d", "Kd Qh Ts"), Ways(dragon_bonus="B"), 20000),
        ("dragon_bonus_banker", _result("Kd Qh Ts", "Kd Qh 7s"), Ways(dragon_bonus="A"), 6000),
        ("dragon_bonus_banker", _result("Kd Qh 3s", "Kd 7h"), Ways(dragon_bonus="C"), 2000),
        ("dragon_bonus_banker", _result("Kd Qh 4s", "Kd 7h"), Ways(dragon_bonus="C"), -1000),
        # A Natural is paid 1 to 1 whatever the margin; 9 beats 8; equal Naturals are returned.
        ("dragon_bonus_player", _result("9c Kh", "Kd Qh"), Ways(dragon_bonus="A"), 1000),
        ("dragon_bonus_player", _result("9c Kh", "8d Kd"), Ways(dragon_bonus="A"), 1000),
        ("dragon_bonus_banker", _result("9c Kh", "8d Kd"), Ways(dragon_bonus="A"), -1000),
        ("dragon_bonus_banker", _result("8c Kh", "8d Kd"), Ways(dragon_bonus="A"), 0),
        # 631a.13(h)
        ("house_money", _result("Kc Kh 2d", "3d 4d"), Ways(house_money=True), 3000),
        ("house_money", _result("Kc Kh 2d", "4s 4d"), Ways(house_money=True), 15000),
        ("house_money", _result("Kc Qh", "4s 5d 5h"), Ways(house_money=True), -1000),
    ],
)
def test_631a_13_gain_on_ten_dollars(wager: str, result: Result, ways: Ways, cents: int) -> None:
    assert gain(wager, 1000, result, ways) == cents


@pytest.mark.parametrize(
    ("won", "exact", "rounded"),
    # $26: 130 or up to 150. $25: 125 is a multiple already. $107.50: 537.5. $1: 5 or 25.
    [(2600, 130, 150), (2500, 125, 125), (10750, 537, 550), (100, 5, 25)],
)
def test_631a_13_c_vigorish(won: int, exact: int, rounded: int) -> None:
    assert (vigorish(won, 0), vigorish(won, 25)) == (exact, rounded)


# ── what is played ───────────────────────────────────────────────────────────────────────────────────


def test_a_floor_without_faults_has_none(clean: list[TableDay]) -> None:
    assert sum(len(day.table.past) for day in clean) > 1500
    for day in clean:
        assert day.labels == []
        for past in day.table.past:
            assert wrongs(past) == []


def test_nothing_goes_wrong_without_a_label(dealers_only: list[TableDay]) -> None:
    for day in dealers_only:
        labelled = {label.round for label in day.labels if isinstance(label, FaultLabel)}
        for past in day.table.past:
            if past.name not in labelled:
                assert wrongs(past) == []
                assert not was_called_wrong(past)


def test_every_kind_occurs(faulty: list[TableDay]) -> None:
    made = Counter(
        label.fault if isinstance(label, FaultLabel) else label.sensor
        for day in faulty
        for label in day.labels
    )
    own = [*SHARED, *SCRIPTS["631a"].faults, *SENSORS]
    of_others = {"vigorish_on_win", "vigorish_not_taken_on_tie"}  # 631a takes no 25% of a tie
    assert {kind for kind in own if made[kind] == 0} == of_others


def test_primary_is_the_kinds_own_check(faulty: list[TableDay]) -> None:
    for day in faulty:
        for label in day.labels:
            if isinstance(label, FaultLabel):
                check = DEALERS[label.fault].check
                assert (label.primary.check if label.primary else None) == check


def test_money_findings_have_a_difference(faulty: list[TableDay]) -> None:
    money = (
        "paid",
        "collected",
        "push",
        "vigorish_n",
        "vigorish_w",
        "vigorish_r",
        "vigorish_u",
        "vigorish_l",
    )
    for day in faulty:
        for label in day.labels:
            if isinstance(label, FaultLabel) and label.primary and label.primary.check.startswith(money):
                assert label.delta_cents
                assert not label.follows


def test_one_dealers_fault_a_round(faulty: list[TableDay]) -> None:
    for day in faulty:
        rounds = Counter(
            label.round
            for label in day.labels
            if isinstance(label, FaultLabel) and label.round and label.fault != "foreign_card"
        )
        assert set(rounds.values()) <= {1}


def test_pace_and_frames(clean: list[TableDay]) -> None:
    for day in clean:
        assert 50 <= len(day.table.past) / 3 <= 75
        assert sum(len(frame.events) for frame in day.frames) < 10 * len(day.frames)
        assert all(before.received <= after.received for before, after in pairwise(day.frames))


def test_rules_change_at_a_new_shoe(faulty: list[TableDay]) -> None:
    changed = 0
    for day in faulty:
        happened = [(each.kind, each.fields) for each in day.table.script.happenings]
        for place, (kind, fields) in enumerate(happened):
            if kind is events.HouseRulesChanged:
                changed += 1
                assert fields["rules"] == 1
                assert len(fields["options"]) == len(Ways.__struct_fields__)
                assert happened[place - 1][0] is events.CardBurned
    assert changed > 3


# ── chips, numbers and clocks, from the events alone ─────────────────────────────────────────────────


def test_chips_are_conserved(dealers_only: list[TableDay]) -> None:
    assert [chip_differences(day) for day in dealers_only] == [[]] * 10
    assert count_inventories(dealers_only) > 1000


def test_numbers_are_gapless_and_marks_are_right(dealers_only: list[TableDay]) -> None:
    for day in dealers_only:
        last: dict[str, int] = defaultdict(int)
        for event in in_true_order(day):
            assert (event.epoch, event.seq) == (1, last[event.device] + 1)
            last[event.device] = event.seq
            heard = getattr(event, "heard", None)
            if heard is not None:
                assert set(heard) == set(day.table.plan.devices.values()) - {event.device}
                assert {device: mark.seq for device, mark in heard.items()} == {
                    device: last[device] for device in heard
                }


def test_no_card_leaves_the_shoe_twice(clean: list[TableDay]) -> None:
    for day in clean:
        shown: Counter[str] = Counter()
        for event in in_true_order(day):
            if isinstance(event, events.ShoeLoaded):
                shown.clear()
            elif isinstance(event, events.CardDrawn | events.CardBurned) and event.card is not None:
                shown[event.card] += 1
                assert shown[event.card] <= day.table.plan.decks


def test_wagers_come_clear_of_no_more_bets(clean: list[TableDay]) -> None:
    for day in clean:
        last_chip: dict[str, int] = {}
        for event in in_true_order(day):
            if isinstance(event, events.ChipsPlaced | events.ChipsRemoved):
                last_chip[event.round] = event.at
            elif isinstance(event, events.WagersClosed) and event.round in last_chip:
                assert event.at - last_chip[event.round] > 1_000_000


# ── sensors ──────────────────────────────────────────────────────────────────────────────────────────


def _sensor_labels(days: list[TableDay], kind: str) -> list[tuple[TableDay, SensorLabel]]:
    return [
        (day, label)
        for day in days
        for label in day.labels
        if isinstance(label, SensorLabel) and label.sensor == kind
    ]


def test_lost_and_doubled_events(faulty: list[TableDay]) -> None:
    seen = {id(day): Counter(events.id_of(event) for event in events_sent(day)) for day in faulty}
    for kind, times in (("event_lost", 0), ("event_doubled", 2), ("event_late", 1)):
        for day, label in _sensor_labels(faulty, kind):
            assert seen[id(day)][events.EventId(*label.detail["id"])] == times


def test_silence_is_said_and_kept(faulty: list[TableDay]) -> None:
    for day, label in _sensor_labels(faulty, "device_silent"):
        assert label.device != day.table.plan.devices["terminal"]
        missed = [
            each
            for each in day.table.script.happenings
            if day.table.plan.devices[each.source] == label.device
            and label.detail["from"] <= each.at < label.detail["to"]
        ]
        assert len(missed) == label.detail["unseen"]
        assert set(label.rounds) == {each.round for each in missed if each.round is not None}
        assert set(label.rounds) <= set(label.detail["open_rounds"])


def test_a_restart_begins_a_new_epoch(faulty: list[TableDay]) -> None:
    for day, label in _sensor_labels(faulty, "device_restarted"):
        epochs = {event.epoch for event in events_sent(day) if event.device == label.device}
        assert label.detail["epoch"] in epochs or label.detail["to"] > _LAST_HOUR
        assert label.detail["in_round"] or label.rounds == []


def test_misreads_have_a_second_reader(faulty: list[TableDay]) -> None:
    for day, _ in _sensor_labels(faulty, "card_misread"):
        assert "camera" in day.table.plan.devices
    for day, label in _sensor_labels(faulty, "stack_misread"):
        reader = "tray" if label.detail["event"] in ("ChipsPaid", "ChipsCollected") else "camera"
        assert reader in day.table.plan.devices


def test_misread_payments_of_a_round_never_cancel_each_other_out() -> None:
    days = play_plans(plan(4), 2, {**NONE, "stack_misread": 0.5}, "7")
    several = 0
    for day in days:
        off: dict[str, list[int]] = {}
        for label in day.labels:
            if isinstance(label, SensorLabel) and label.detail["event"] in ("ChipsPaid", "ChipsCollected"):
                gone = label.detail["true"]["cents"] - label.detail["read"]["cents"]
                sign = 1 if label.detail["event"] == "ChipsPaid" else -1
                off.setdefault(label.rounds[0], []).append(sign * gone)
        several += sum(len(each) > 1 for each in off.values())
        assert [number for number, each in off.items() if sum(each) == 0] == []
    assert several > 20


# ── the archive and the file of rates ────────────────────────────────────────────────────────────────


def _written(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    rates = faults.rates(sensors=True)
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        simulate(tmp_path / name, tables=2, hours=1, seed=seed, rates=rates)
    first, again, other = (_written(tmp_path / name) for name in "abc")
    assert first == again
    assert first != other


def test_the_archive_reads_back(tmp_path: Path) -> None:
    played = simulate(tmp_path / "floor", tables=3, hours=0.5, seed="1", rates=faults.rates())
    house = parse((tmp_path / "floor/house.yaml").read_text(), "house.yaml")
    assert list(house.tables) == ["BAC-101", "BAC-102", "BAC-103"]
    assert house.options("631a", "BAC-102", START.date()) | {
        "dragon_bonus": "A",
        "ez": True,
    } == house.options("631a", "BAC-102", START.date())
    count = 0
    assert list(house.ledgers) == ["cage", "count_room", "counter_checks", "coupons"]
    for name in (*house.tables, *house.ledgers):
        for line in (tmp_path / f"floor/events/{name}.jsonl").read_bytes().splitlines():
            frame, unread = decode(line, name)
            assert isinstance(frame, Frame)
            assert not unread
            count += len(frame.events)
    assert count == played.events
    labels = (tmp_path / "floor/labels.jsonl").read_text().splitlines()
    assert len(labels) == played.labels
    assert all("fault" in json.loads(line) for line in labels)


def test_the_verb(tmp_path: Path) -> None:
    rates = tmp_path / "rates.yaml"
    rates.write_text("only: true\ndealers: {unknown_spot: 1.0}\n")
    call = ["--tables", "1", "--hours", "0.5", "--faults", str(rates), "--out", str(tmp_path / "floor")]
    done = CliRunner().invoke(verb, call)
    assert done.exit_code == 0, done.output
    labels = [json.loads(line) for line in (tmp_path / "floor/labels.jsonl").read_text().splitlines()]
    assert {label["fault"] for label in labels} == {"unknown_spot"}
    assert {label["primary"]["check"] for label in labels} == {"wager_not_permitted"}
    again = CliRunner().invoke(verb, call)
    assert isinstance(again.exception, BadInput)
    assert "not an empty folder" in str(again.exception)


def _by_day(folder: Path) -> dict[str, set[str]]:
    """Return the kinds of faults that were labelled on each gaming day."""
    made: dict[str, set[str]] = {}
    for line in (folder / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        made.setdefault(label["gaming_date"], set()).add(label.get("fault") or label["sensor"])
    return made


def test_from_a_gaming_day_on_other_rates_hold_of_dealers_money_and_devices(tmp_path: Path) -> None:
    first = {**NONE, "announced_wrong": 0.5}
    then = {**NONE, "unknown_spot": 0.5, "event_late": 0.05, "coupon_form_wrong": 1.0}
    floor: dict[str, Any] = {"tables": 1, "hours": 0.5, "seed": "1", "days": 3}
    simulate(tmp_path / "a", **floor, rates=first, later=Later(3, then))
    assert _by_day(tmp_path / "a") == {
        "2025-03-01": {"announced_wrong"},
        "2025-03-02": {"announced_wrong"},
        "2025-03-03": {"unknown_spot", "event_late", "coupon_form_wrong"},
    }
    simulate(tmp_path / "b", **floor, rates=first)
    table = "events/BAC-101.jsonl"
    changed, unchanged = ((tmp_path / each / table).read_bytes().splitlines() for each in "ab")
    third = (START + timedelta(days=2)).timestamp() * 1_000_000
    before = [line for line in unchanged if json.loads(line)["received"] < third]
    assert 100 < len(before) < len(unchanged)
    assert changed[: len(before)] == before, "what was before is as it would have been"


def test_the_verb_makes_later_days_realistic(tmp_path: Path) -> None:
    rates = tmp_path / "rates.yaml"
    rates.write_text("only: true\ndealers: {announced_wrong: 1.0}\n")
    call = ["--tables", "1", "--hours", "0.5", "--days", "2", "--faults", str(rates), "--realistic-from"]
    done = CliRunner().invoke(verb, [*call, "2", "--out", str(tmp_path / "floor")])
    assert done.exit_code == 0, done.output
    # Some thirty rounds are played each day, and one in 1,200 goes wrong on the second.
    assert _by_day(tmp_path / "floor") == {"2025-03-01": {"announced_wrong"}}
    refused = CliRunner().invoke(verb, [*call, "3", "--out", str(tmp_path / "other")])
    assert isinstance(refused.exception, BadInput)
    assert "from gaming day 3 on, of 2 that would be played" in str(refused.exception)
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dealers: {overpaid: 0.1}", "dealers.overpaid: unknown kind"),
        ("sensors: {event_lost: 1.5}", "sensors.event_lost: a rate is a number from 0 to 1"),
        ("dealers: {push_paid: true}", "dealers.push_paid: a rate"),
        ("rates: {}", "unknown key 'rates'"),
        ("- push_paid", "a faults file holds"),
    ],
)
def test_a_faults_file_at_fault(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "rates.yaml"
    path.write_text(text)
    with pytest.raises(BadInput) as error:
        faults.rates(path)
    assert str(path) in str(error.value)
    assert said in str(error.value)


def test_a_faults_file_keeps_the_other_defaults(tmp_path: Path) -> None:
    path = tmp_path / "rates.yaml"
    path.write_text("dealers: {push_paid: 0.5}\nsensors: {event_lost: 0.25}\n")
    rates = faults.rates(path)
    assert (rates["push_paid"], rates["event_lost"]) == (0.5, 0.25)
    assert rates["winner_overpaid"] == DEALERS["winner_overpaid"].rate
    assert rates["event_doubled"] == 0


def test_docs_name_every_kind_as_it_is() -> None:
    text = (Path(__file__).parents[2] / "docs/faults.md").read_text()
    rows = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("| `")
    ]
    documented = {row[0]: [row[2] if len(row) > 4 else "none", *row[-2:]] for row in rows}
    assert documented == {
        name: [kind.check or "none", f"{kind.rate:g}", kind.per]
        for name, kind in {**DEALERS, **MONEY, **PROCEDURES, **SCHEMES, **SHOES, **SENSORS}.items()
    }
