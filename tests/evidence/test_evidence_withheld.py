"""What a bundle must not disclose: other seats, other patrons, and who worked at the table."""

import json
import re
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec.structs import replace

from projections.evidence.bundle_events import PlacedEvent
from projections.evidence.disclosure import NAMES_OTHERS, NAMES_STAFF, OTHER_SEAT, DisclosureScope, reasons
from schemas import events as e
from tests.builders.evidence_bundles import (
    OTHERS,
    STAFF,
    archive_scripts,
    build_bundle,
    bundle_events,
    bundle_files,
    read_bundle_json,
    request_bundle,
    script_with_every_name,
)

# The files in which words and sums are told; the others are bytes, hashes and code.
TELLING: Final = ("verdict.json", "settlement.json", "explanation.json", "withheld.json", "page.html")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a closed archive of the hostile round."""
    return archive_scripts(tmp_path_factory.mktemp("hostile"), script_with_every_name())


def test_what_is_withheld_stands_nowhere_in_the_bytes_of_a_bundle(archive: Path) -> None:
    content = build_bundle(archive, "1", "--seat", "1/shown")
    found = [name for name in (*STAFF.values(), *OTHERS.values()) if name.encode() in content]
    assert found == []
    # Nor in hexadecimal, as the gaps of an envelope stand there.
    assert [
        name for name in (*STAFF.values(), *OTHERS.values()) if name.encode().hex().encode() in content
    ] == []
    # The sums of others as cents, and as dollars; a hash may well have such figures in it.
    sums = re.compile(rb"(?<![0-9a-f.])(7777|1111|3333|9900|77[.]77|11[.]11|33[.]33|99[.]00)(?![0-9a-f.])")
    assert [name for name in TELLING if sums.search(bundle_files(content)[name])] == []
    whole = bundle_files(build_bundle(archive, "1", "--all-seats", "--why", "the agent asks"))
    assert {*sums.findall(whole["settlement.json"] + whole["page.html"])} >= {b"3333", b"9900", b"77.77"}


def test_the_names_are_there_where_they_are_asked_for(archive: Path) -> None:
    whole = build_bundle(archive, "1", "--all-seats", "--staff", "--why", "the agent asks")
    # Who sat down before the round is told by no event of the hand.
    missing = [name for name in (*STAFF.values(), *OTHERS.values()) if name.encode() not in whole]
    assert missing == [OTHERS["patron"]]
    seats = build_bundle(archive, "1", "--all-seats", "--why", "the agent asks")
    assert [name for name in STAFF.values() if name.encode() in seats] == []
    assert [name for name in OTHERS.values() if name.encode() not in seats] == [OTHERS["patron"]]
    staff = build_bundle(archive, "1", "--seat", "1/shown", "--staff", "--why", "the agent asks")
    assert all(STAFF[each].encode() in staff for each in ("dealer", "other dealer", "floorperson"))
    assert [name for name in OTHERS.values() if name.encode() in staff] == []


@pytest.mark.parametrize(
    "more",
    [
        ("--seat", "1/shown"),
        ("--seat", 3, "--staff", "--why", "the agent asks"),
        ("--all-seats", "--why", "the agent asks"),
    ],
)
def test_a_bundle_that_is_to_name_nobody_is_refused_where_it_would(
    archive: Path, more: tuple[str | int, ...]
) -> None:
    build_bundle(archive, "1", *more)
    refused = request_bundle(archive, "1", *more, "--nameless")
    assert (refused.exit_code, "is to name nobody" in refused.stderr) == (2, True)
    assert not (archive.parent / "bundle.zip").exists()


def test_a_bundle_of_a_seat_whose_patron_no_event_names_may_be_had_without_names(archive: Path) -> None:
    content = build_bundle(archive, "1", "--seat", 3, "--nameless")
    names = (*STAFF.values(), *(OTHERS[each] for each in ("patron", "bettor", "neighbour", "late")))
    assert [name for name in names if name.encode() in content] == []
    # The serial of a coupon is no name.
    assert OTHERS["coupon"].encode() in content


def test_the_disclosed_patron_s_own_part_is_complete(archive: Path) -> None:
    content = build_bundle(archive, "1", "--seat", "1/shown")
    (wager,) = read_bundle_json(content, "settlement")["wagers"]
    assert (wager["bettor"], wager["owed_cents"], wager["paid_cents"]) == ("shown", 3800, 4300)
    assert {each.get("bettor") for each in bundle_events(content)} == {None, "shown"}
    (found,) = (
        each for each in read_bundle_json(content, "verdict")["findings"] if each["check"] == "paid_too_much"
    )
    assert found["delta_cents"] == 500


def test_what_was_announced_is_withheld_where_it_names_someone() -> None:
    view = DisclosureScope(frozenset({(3, None)}), staff=False, names=frozenset({"Zq-1", "B"}))
    called = placed(e.OutcomeAnnounced).event
    assert isinstance(called, e.OutcomeAnnounced)
    said = {
        words: reasons([PlacedEvent("part", 1, 0, replace(called, outcome=words))], view)[0]
        for words in ("banker", "banker B", "banker for Zq-1", "seat 4 wins", "seat 3 wins", "Zq-12")
    }
    assert said == {
        "banker": None,
        "banker B": None,
        "banker for Zq-1": NAMES_OTHERS,
        "seat 4 wins": NAMES_OTHERS,
        "seat 3 wins": None,
        "Zq-12": None,
    }


def test_every_kind_of_event_that_may_reveal_another_seat_is_withheld() -> None:
    view = DisclosureScope(frozenset({(3, None)}), staff=False)
    shown = {kind.__name__ for kind in get_args(e.Event) if reasons([placed(kind)], view) == [None]}
    # What is left is of the whole table's play, or only the number of an event.
    assert shown == {
        *("TableOpened", "HouseRulesChanged", "ShoeLoaded", "DevicesPolled", "DeviceWentSilent"),
        *("DeviceCameBack", "RoundOpened", "WagersClosed", "SimulatedRoundDealt", "OutcomeAnnounced"),
        *("RoundVoided", "RoundClosed", "RangeIndicated", "DiceRolled", "RollCancelled", "NumberMarked"),
        *("MarkersCleared", "CardBurned", "CardDiscarded", "ShoeExhausted", "ReportCorrected"),
    }


def test_every_kind_of_event_of_a_seat_is_shown_to_the_one_who_sits_there() -> None:
    view = DisclosureScope(frozenset({(4, "anna")}), staff=False)
    withheld = {
        kind.__name__: why
        for kind in get_args(e.Event)
        if (why := reasons([placed(kind)], view)[0]) is not None
    }
    of_the_person = {"PlayerSeated", "ChipsBought", "ChipsColoredUp", "TokeGiven", "CounterCheckTaken"}
    assert {name for name, why in withheld.items() if why == OTHER_SEAT} == {
        *of_the_person,
        "CuratorNamed",
        "CouponDropped",
    }
    assert {name for name, why in withheld.items() if why == NAMES_STAFF} == {
        *("DealerAssigned", "DealerRelieved", "FloorpersonAssigned", "FillReceived", "CreditSent"),
        *("InventoryListed", *OF_PROCEDURES),
    }
    assert withheld.keys() - of_the_person - {
        "CuratorNamed", "CouponDropped", "DealerAssigned", "DealerRelieved", "FloorpersonAssigned",
        "FillReceived", "CreditSent", "InventoryListed", *OF_PROCEDURES,
    } == {"TableClosed", "SlipDropped", "DropBoxChanged", "InventoryCounted", "ShoeCounted"}  # fmt: skip


# Who did it is named in each.
OF_PROCEDURES: Final = (
    *("ProcedureStepTaken", "ItemInspected", "ItemMoved", "NoticeGiven", "DeviceStateReported"),
    *("DocumentFiled", "StaffAssigned"),
)


FIELDS: Final[dict[str, Any]] = {
    "seat": 4, "bettor": "anna", "hand": "seat4.2", "position": "seat4", "wager": "tie", "cents": 100,
    "counted_by": {"name": "Zq", "role": "dealer"}, "slip": "F-1", "patron": "P", "coupon": "C-1",
    "check": "K-1", "dealer": "D", "floorperson": "F", "card": "6c", "tile": "6-5", "place": 1, "heard": {},
    "inventory_cents": 0, "silent": "S", "back": "S", "rules": 1, "options": {}, "occasion": "shift",
    "denominations": {}, "shoe": "s", "decks": 8, "outcome": "tie", "to": "player", "decision": "stand",
    "range": "high", "result": "win", "dice": "3-4", "number": 4, "vigorish_cents": 0,
    "mistaken": ["C", 1, 5], "round": "1", "left": 14,
    "step": "cut_made", "by": {"name": "Zq", "role": "dealer"},
    "kind": "cards", "item": "B-1", "passed": True, "verified_by": {"name": "Zq", "role": "floorperson"},
    "persons": [{"name": "Zq", "role": "security"}], "notice": "defect", "state": "working",
    "document": "approval", "dated": "2025-03-01", "signers": [{"name": "Zq", "role": "dealer"}],
    "person": {"name": "Zq", "role": "dealer"}, "tables": ["T"],
}  # fmt: skip
# Fields that are called alike in two kinds of events and hold another thing.
OWN_FIELDS: Final[dict[str, dict[str, Any]]] = {
    "ItemMoved": {"place": "pit"},
    "ItemInspected": {"place": "pit"},
    "DocumentFiled": {"number": "A-1"},
}


def placed(kind: type[e.Reported]) -> PlacedEvent:
    """Make an event of a kind, of seat 4 and anna wherever it can be."""
    names = {field.encode_name for field in msgspec.structs.fields(kind)}
    values = FIELDS | OWN_FIELDS.get(kind.__name__, {})
    fields = {name: value for name, value in values.items() if name in names}
    told_ = {"event": kind.__name__, "device": "T", "epoch": 1, "seq": 1, "at": 1, **fields}
    return PlacedEvent("part", 1, 0, msgspec.convert(told_, e.Event))


def test_a_name_twice_in_a_frame_is_not_shown(tmp_path: Path) -> None:
    """A reader takes the last of two; the first would be shown to no one but whoever looks at the bytes."""

    def spoilt(text: bytes) -> bytes:
        wager = b'"seat":1,"wager":"banker","cents":4000'
        assert wager in text
        return text.replace(wager, b'"seat":4,' + wager, 1)

    archive = archive_scripts(tmp_path, script_with_every_name(), change=spoilt)
    content = build_bundle(archive, "1", "--seat", "1/shown")
    assert b'"seat\\":4' not in content
    assert any("stands twice" in each["why"] for each in read_bundle_json(content, "withheld")["events"])
    assert all(
        json.loads(leaf["content"]) for part in read_bundle_json(content, "proof") for leaf in part["leaves"]
    )
