"""The verb `schema`: what is printed admits what is exchanged, and nothing else."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest
from click.testing import CliRunner

from projections.catalogue import KINDS
from replay.cli import main
from replay.cli.schema import SCHEMAS
from schemas import events as e
from schemas.codec import VERSION, Frame, encode
from schemas.coupon_log import CouponEvent
from schemas.ledgers import LedgerEvent
from schemas.record import RoundRecord
from schemas.surveillance import OperatorActed
from schemas.values import CARDS
from streams.messages import Quarantined
from streams.simulator.labels import ExpectedFinding, FaultLabel, SchemeLabel, SensorLabel
from tests.builders.json_schemas import print_schema, schema_faults
from tests.builders.ledger_day import DEVICES, LedgerDay
from tests.builders.round_records import DISPUTED, run_verb, write_records, write_script_floor
from tests.builders.table_script import TIE, Script, build_house

EVENTS: Final = {kind.__name__ for kind in (*get_args(e.Event), *get_args(LedgerEvent), OperatorActed)}
COUPONS: Final = {kind.__name__ for kind in get_args(CouponEvent)}  # which a ledger's entry tells in turn


def played() -> list[e.Event]:
    """Play a round, and give the events with a few of other kinds."""
    script = Script()
    script.open()
    script.say("T", e.DealerAssigned, dealer="D-1", calling=True)
    script.change_rules(tie_odds=9, dragon_bonus=None)
    script.play(TIE, {(1, "tie"): 500, (2, "banker", "anna"): 2000}, "tie", {(1, "tie"): 4500})
    script.correct(script.events[-1], script.events[-2])
    script.adjust((1, "tie"), -500)
    script.close()
    return script.events


def framed(events: Sequence[e.Event]) -> dict[str, Any]:
    frame = Frame(v=VERSION, table="BAC-1", frame=1, received=0, events=list(events))
    as_json: dict[str, Any] = json.loads(encode(frame))
    return as_json


def test_every_event_has_its_schema_and_a_frame_admits_it() -> None:
    document = print_schema("events")
    defined = document["$defs"]
    assert defined.keys() >= EVENTS
    assert {
        name for name, each in defined.items() if "event" in each.get("properties", {})
    } == EVENTS | COUPONS
    for name in EVENTS:
        assert defined[name]["properties"]["event"] == {"enum": [name]}
        assert defined[name]["additionalProperties"] is False
        assert {"event", "device", "epoch", "seq", "at"} <= set(defined[name]["required"])
    admitted = {
        each["$ref"].rpartition("/")[2] for each in defined["Frame"]["properties"]["events"]["items"]["anyOf"]
    }
    assert admitted == EVENTS


def test_a_card_is_one_of_the_readings_that_exist() -> None:
    assert set(print_schema("events")["$defs"]["CardDrawn"]["properties"]["card"]["enum"]) == CARDS


def test_frames_of_a_table_are_what_the_schema_says() -> None:
    assert schema_faults(framed(played()), print_schema("events")) == []


@pytest.mark.parametrize("ledger", DEVICES)
def test_frames_of_a_ledger_are_what_the_schema_says(ledger: str) -> None:
    entries = LedgerDay().entries(ledger)
    frame = json.loads(encode(Frame(v=VERSION, table=ledger, frame=1, received=0, events=entries)))
    document = print_schema("events")
    assert schema_faults(frame, document) == []
    frame["events"][0] |= {"unknown": 1}
    assert schema_faults(frame, document) != []


@pytest.mark.parametrize(
    "change",
    [
        {"seq": 0},
        {"at": -1},
        {"device": ""},
        {"card": "1c"},
        {"hand": None},
        {"event": "CardFlipped"},
        {"unknown": 1},
        {"seq": True},
    ],
)
def test_an_event_that_is_not_one_is_refused(change: dict[str, Any]) -> None:
    frame = framed([each for each in played() if isinstance(each, e.CardDrawn)][:1])
    document = print_schema("events")
    assert schema_faults(frame, document) == []
    frame["events"][0] |= change
    assert schema_faults(frame, document) != []


def test_an_event_lacking_a_field_is_refused() -> None:
    frame = framed([each for each in played() if isinstance(each, e.CardDrawn)][:1])
    del frame["events"][0]["card"]
    assert schema_faults(frame, print_schema("events")) != []


def test_round_records_are_what_the_schema_says() -> None:
    document = print_schema("rounds")
    assert set(document["$defs"]["RoundRecord"]["properties"]) == set(RoundRecord.__struct_fields__)
    assert schema_faults(DISPUTED, document) == []
    changes: list[dict[str, Any]] = [
        {"chapter": ""},
        {"wagers": None},
        {"played": []},
        {"play": [["player", "6c", "7c"]]},
        {"paid": [{"seat": -1, "wager": "tie", "cents": 1}]},
        {"wagers": [{"seat": 1, "wager": "tie", "cents": -1}]},
    ]
    for change in changes:
        assert schema_faults(DISPUTED | change, document) != []


def test_answers_of_an_audit_are_what_the_schema_says(tmp_path: Path) -> None:
    """A mismatch with its steps, a line that cannot be read, an undetermined round, and a shoe."""
    document = print_schema("findings")
    records = write_records(
        tmp_path, DISPUTED, DISPUTED | {"play": [["player", "1c"]]}, DISPUTED | {"gaming_date": "2010-01-01"}
    )
    script = Script()
    script.open()
    script.play(TIE, {}, "tie", {})
    script.events.remove(script.events[1])  # of the loading of the shoe
    (tmp_path / "floor").mkdir()
    floor = write_script_floor(tmp_path / "floor", script, build_house())
    answers = [
        json.loads(line) for path in (records, floor) for line in run_verb("audit", path).stdout.splitlines()
    ]
    assert len(answers) >= 4
    assert {"line", "error"} == answers[1].keys()
    for answered in answers:
        assert schema_faults(answered, document) == []
    answered = answers[0]
    changes: list[dict[str, Any]] = [
        {"verdict": "guilty"},
        {"findings": [answered["findings"][0] | {"check": "cheating"}]},
    ]
    for change in changes:
        assert schema_faults(answered | change, document) != []


def test_a_finding_is_of_one_of_the_checks() -> None:
    assert print_schema("findings")["$defs"]["Finding"]["properties"]["check"]["enum"] == sorted(KINDS)


def test_the_closed_list_of_checks_is_printed_with_each_ones_question() -> None:
    printed = print_schema("checks")
    assert printed.keys() == KINDS.keys()
    for check, kind in KINDS.items():
        assert printed[check]["asks"] == kind.asks
        assert printed[check]["false_positives"] == kind.false_positives
    much = printed["paid_too_much"]
    assert (much["severity"], much["weight"]) == ("by_amount", "mismatch")
    assert printed["vigorish_permissive"]["weight"] == "note"
    assert printed["data_missing"]["weight"] == "undetermined"


def test_labels_are_what_the_schema_says() -> None:
    document = print_schema("labels")
    fault = FaultLabel(
        fault="winner_overpaid",
        table="BAC-1",
        gaming_date=str(date(2025, 1, 1)),
        round="41",
        shoe=None,
        primary=ExpectedFinding(check="paid_too_much", round="41", seat=1, wager="banker"),
        follows=[],
        delta_cents=500,
    )
    sensor = SensorLabel(sensor="event_lost", table="BAC-1", device="C", rounds=["41"], shoes=[], detail={})
    scheme = SchemeLabel(
        scheme="dumping", table="BAC-1", gaming_date="2025-01-01", patron="P-1", rounds=["41"], dealer="D-1"
    )
    for label in (fault, sensor, scheme):
        as_json = msgspec.to_builtins(label)
        assert schema_faults(as_json, document) == []
        assert schema_faults(as_json | {"table": 1}, document) != []


# ── the topics ───────────────────────────────────────────────────────────────────────────────────────


def test_each_topic_has_its_key_and_its_payload() -> None:
    document = print_schema("asyncapi")
    assert document["asyncapi"] == "3.0.0"
    messages = document["components"]["messages"]
    told = {}
    for channel in document["channels"].values():
        (reference,) = channel["messages"].values()
        message = messages[reference["$ref"].removeprefix("#/components/messages/")]
        told[channel["address"]] = message["payload"]["$ref"].removeprefix("#/components/schemas/")
        told_key = {
            "floor.frames": "the table, the ledger, or surveillance",
            "floor.reports": "the gaming day and the report",
        }.get(channel["address"], "the table, or the ledger")
        assert message["bindings"]["kafka"]["key"]["description"] == told_key
    assert told == {
        "floor.frames": "Frame",
        "floor.rounds": "Result",
        "floor.findings": "StandingFindings",
        "floor.reports": "Reported",
        "floor.quarantine": "Quarantined",
    }


def test_the_topics_schemas_are_in_the_draft_that_asyncapi_builds_on() -> None:
    """Draft 7 calls the items of a fixed list `items`; a `discriminator` of AsyncAPI is a single word."""
    schemas = print_schema("asyncapi")["components"]["schemas"]
    ours = {"Frame", "Conclusion", "Finding", "Result", "StandingFindings", "Quarantined"}
    assert schemas.keys() >= EVENTS | ours
    assert set(schemas["Quarantined"]["properties"]) == set(Quarantined.__struct_fields__)
    assert [each["type"] for each in schemas["EventId"]["items"]] == ["string", "integer", "integer"]
    text = json.dumps(schemas)
    assert "prefixItems" not in text
    assert "discriminator" not in text
    for target in {part.split('"')[0] for part in text.split('"$ref": "')[1:]}:
        assert target.removeprefix("#/components/schemas/") in schemas


# ── as a whole ───────────────────────────────────────────────────────────────────────────────────────


def test_without_an_argument_everything_is_printed_in_one_object() -> None:
    result = CliRunner().invoke(main, ["schema"])
    assert result.exit_code == 0
    printed = json.loads(result.stdout)
    assert printed == {what: print_schema(what) for what in SCHEMAS}
    assert list(printed) == sorted(printed)


def test_the_keys_are_sorted_at_every_depth() -> None:
    text = CliRunner().invoke(main, ["schema"]).stdout
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def test_what_there_is_no_schema_of_is_a_wrong_call() -> None:
    assert CliRunner().invoke(main, ["schema", "chips"]).exit_code == 2
