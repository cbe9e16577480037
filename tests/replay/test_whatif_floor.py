"""`whatif` and `blast-radius` on a floor of every game: as an audit under that house, and in their sums."""

import json
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
import yaml

from streams.simulator.simulate import simulate
from tests.builders.round_records import printed_rows, run_verb
from tests.builders.simulated_tables import doubled_rates

OTHERWISE: Final = {
    "535": {"vigorish_rounding_cents": 25},
    "541": {"tie_odds": "17/2"},
    "551": {"fixed_payout_others": "once"},
    "623a": {"minimum_wager_cents": 2000},
    "627a": {"dragon_bonus": "B"},
    "629a": {"house_money": False},
    "631a": {"tie_odds": 9, "vigorish_rounding_cents": 0},
    "681a": {"ace_ace": 21},
    "685a": {"bust_on_22": "return"},
}
SETS: Final = [
    argument
    for chapter, options in OTHERWISE.items()
    for option, value in options.items()
    for argument in ("--set", f"{chapter}.{option}={json.dumps(value)}")
]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a table of every game for half an hour, with twice as many faults of play and of sensors."""
    folder = tmp_path_factory.mktemp("floor") / "floor"
    simulate(
        folder,
        tables=11,
        hours=0.5,
        days=1,
        seed="otherwise",
        rates=doubled_rates(sensors=True),
        mixed=True,
    )
    return folder


def test_each_round_is_concluded_as_an_audit_under_that_house_concludes_it(
    floor: Path, tmp_path: Path
) -> None:
    store, other = tmp_path / "w.duckdb", tmp_path / "other.yaml"
    told = yaml.safe_load((floor / "house.yaml").read_text(encoding="utf-8"))
    for submission in told["submissions"]:
        submission["options"] = submission["options"] | OTHERWISE.get(submission["chapter"], {})
    other.write_text(yaml.safe_dump(told), encoding="utf-8")
    found = printed_rows("whatif", floor, *SETS, "--store", store)
    changed = {row["table"].partition("-")[0] for row in found if row["kind"] == "round"}
    assert len(changed) > len(OTHERWISE) // 2  # the options bear on the hands of most games
    result = run_verb("diff", store, floor, "--house-b", other, "--format", "jsonl")
    differing = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row for row in differing if row["round"] is not None] == []


@pytest.mark.parametrize(
    "arguments",
    [("whatif", *SETS), ("blast-radius", "--rule", "tie_odds=17/2"), ("blast-radius", "--device", "C-101")],
)
def test_the_sums_are_those_of_the_wagers(floor: Path, arguments: tuple[str, ...]) -> None:
    verb, *others = arguments
    found = printed_rows(verb, floor, *others)
    wagers = [row for row in found if row["kind"] == "wager"]
    differences = sum(row["difference_cents"] or 0 for row in wagers)
    assert wagers
    for kind in ("round", "patron", "dealer", "table", "total"):
        of_kind = [row for row in found if row["kind"] == kind]
        lines = of_kind if kind == "round" else [row for row in of_kind if row["effect"] != "all"]
        assert sum(row["difference_cents"] or 0 for row in lines) == differences
        assert (
            sum((row["to_patron_cents"] or 0) + (row["to_house_cents"] or 0) for row in lines) == differences
        )
        assert sum(row["stake_cents"] for row in lines) == sum(row["stake_cents"] for row in wagers)
    rounds = Counter(
        (row["gaming_date"], row["table"], row["round"]) for row in found if row["kind"] == "round"
    )
    assert set(rounds.values()) == {1}
    every = next(row for row in found if row["kind"] == "total")
    assert every["rounds"] == len(rounds)
    hands = {(row["table"], row["round"], row["seat"], row["bettor"]) for row in wagers if row["seat"] != 0}
    assert every["hands"] == len(hands)
