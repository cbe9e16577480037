"""What a bundle must not tell: other seats, other patrons, and who worked at the table."""

import json
import re
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest
from msgspec.structs import replace

from projections.evidence.bundle_events import Placed
from projections.evidence.disclosure import NAMES_OTHERS, NAMES_STAFF, OTHER_SEAT, View, reasons
from schemas import events as e
from schemas.values import Person
from tests.bundled import asked, bundle, closed, events, files, told
from tests.script import BANKER_WINS, Script

# Names that stand nowhere else in the project, each planted in a field of its own.
STAFF: Final = {
    "dealer": "Zq-Dealer-1", "other dealer": "Zq-Dealer-2", "floorperson": "Zq-Floor-3",
    "counted": "Zq-Counter-4", "watched": "Zq-Watcher-5", "signed": "Zq-Signer-6",
}  # fmt: skip
OTHERS: Final = {
    "patron": "Zq-Patron-1", "bettor": "Zq-Bettor-2", "coupon": "Zq-Coupon-3", "dropped": "Zq-Coupon-4",
    "check": "Zq-Check-5", "neighbour": "Zq-Bettor-6", "late": "Zq-Patron-7",
}  # fmt: skip

# The files in which words and sums are told; the others are bytes, hashes and code.
TELLING: Final = ("verdict.json", "settlement.json", "explanation.json", "withheld.json", "page.html")


def hostile() -> Script:
    """Play a round with a name in every field that can hold one; seat 1 is the one to be shown.

    Seat 3 has a patron, a coupon and a Counter Check; others bet on the spots of seat 4, and beside the one
    of seat 1 who is to be shown.
    """
    table = Script()
    table.say("T", e.DealerAssigned, dealer=STAFF["dealer"], calling=True)
    table.say("T", e.FloorpersonAssigned, floorperson=STAFF["floorperson"])
    table.open()
    table.say("T", e.PlayerSeated, seat=3, patron=OTHERS["patron"])
    wagers = {
        (1, "banker", "shown"): 4000,
        (1, "banker", OTHERS["neighbour"]): 7777,
        (3, "player"): 2500,
        (4, "tie", OTHERS["bettor"]): 9900,
    }
    table.begin(wagers)
    table.on((3, "player"), e.CouponPlaced, 2500, coupon=OTHERS["coupon"])
    table.no_more_bets(wagers)
    table.tell(e.DealerAssigned, dealer=STAFF["other dealer"])
    table.tell(e.PlayerSeated, seat=5, patron=OTHERS["late"])
    counter, watcher = (Person(STAFF[each], "dealer") for each in ("counted", "watched"))
    table.fill("F-1", 100_000, round="1", counted_by=counter, witnessed_by=watcher)
    signer = Person(STAFF["signed"], "floorperson")
    table.list_inventory("TI-9", "shift", round="1", signatures=(signer,))
    table.take_check(3, OTHERS["check"], 50_000, round="1")
    table.deal(BANKER_WINS)
    table.announce("banker")
    table.settle(
        {
            (1, "banker", "shown"): 4500,
            (1, "banker", OTHERS["neighbour"]): 1111,
            (3, "player"): -2500,
            (4, "tie", OTHERS["bettor"]): 3333,
        },
        {(1, "banker", "shown"): 200},
    )
    table.tell(e.CouponDropped, coupon=OTHERS["coupon"])
    table.tell(e.CouponDropped, coupon=OTHERS["dropped"])
    paid = table.events[-4]
    again = {"device": paid.device, "epoch": paid.epoch, "seq": paid.seq, "at": paid.at, "round": "1"}
    tie = {"seat": 4, "wager": "tie", "bettor": OTHERS["bettor"], "cents": 3333}
    table.correct(paid, e.ChipsPaid(**again, **tie))
    table.end()
    table.close()
    return table


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a closed archive of the hostile round."""
    return closed(tmp_path_factory.mktemp("hostile"), hostile())


def test_what_is_withheld_stands_nowhere_in_the_bytes_of_a_bundle(archive: Path) -> None:
    content = bundle(archive, "1", "--seat", "1/shown")
    found = [name for name in (*STAFF.values(), *OTHERS.values()) if name.encode() in content]
    assert found == []
    # Nor in hexadecimal, as the gaps of an envelope stand there.
    assert [
        name for name in (*STAFF.values(), *OTHERS.values()) if name.encode().hex().encode() in content
    ] == []
    # The sums of others as cents, and as dollars; a hash may well have such figures in it.
    sums = re.compile(rb"(?<![0-9a-f.])(7777|1111|3333|9900|77[.]77|11[.]11|33[.]33|99[.]00)(?![0-9a-f.])")
    assert [name for name in TELLING if sums.search(files(content)[name])] == []
    whole = files(bundle(archive, "1", "--all-seats", "--why", "the agent asks"))
    assert {*sums.findall(whole["settlement.json"] + whole["page.html"])} >= {b"3333", b"9900", b"77.77"}


def test_the_names_are_there_where_they_are_asked_for(archive: Path) -> None:
    whole = bundle(archive, "1", "--all-seats", "--staff", "--why", "the agent asks")
    # Who sat down before the round is told by no event of the hand.
    missing = [name for name in (*STAFF.values(), *OTHERS.values()) if name.encode() not in whole]
    assert missing == [OTHERS["patron"]]
    seats = bundle(archive, "1", "--all-seats", "--why", "the agent asks")
    assert [name for name in STAFF.values() if name.encode() in seats] == []
    assert [name for name in OTHERS.values() if name.encode() not in seats] == [OTHERS["patron"]]
    staff = bundle(archive, "1", "--seat", "1/shown", "--staff", "--why", "the agent asks")
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
    bundle(archive, "1", *more)
    refused = asked(archive, "1", *more, "--nameless")
    assert (refused.exit_code, "is to name nobody" in refused.stderr) == (2, True)
    assert not (archive.parent / "bundle.zip").exists()


def test_a_bundle_of_a_seat_whose_patron_no_event_names_may_be_had_without_names(archive: Path) -> None:
    content = bundle(archive, "1", "--seat", 3, "--nameless")
    names = (*STAFF.values(), *(OTHERS[each] for each in ("patron", "bettor", "neighbour", "late")))
    assert [name for name in names if name.encode() in content] == []
    # The serial of a coupon is no name.
    assert OTHERS["coupon"].encode() in content


def test_the_one_who_is_shown_is_told_the_whole_of_it(archive: Path) -> None:
    content = bundle(archive, "1", "--seat", "1/shown")
    (wager,) = told(content, "settlement")["wagers"]
    assert (wager["bettor"], wager["owed_cents"], wager["paid_cents"]) == ("shown", 3800, 4300)
    assert {each.get("bettor") for each in events(content)} == {None, "shown"}
    (found,) = (each for each in told(content, "verdict")["findings"] if each["check"] == "paid_too_much")
    assert found["delta_cents"] == 500


def test_what_was_announced_is_withheld_where_it_names_someone() -> None:
    view = View(frozenset({(3, None)}), staff=False, names=frozenset({"Zq-1", "B"}))
    called = placed(e.OutcomeAnnounced).event
    assert isinstance(called, e.OutcomeAnnounced)
    said = {
        words: reasons([Placed("part", 1, 0, replace(called, outcome=words))], view)[0]
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


def test_every_kind_of_event_is_withheld_that_may_tell_of_another_seat() -> None:
    view = View(frozenset({(3, None)}), staff=False)
    shown = {kind.__name__ for kind in get_args(e.Event) if reasons([placed(kind)], view) == [None]}
    # What is left is of the whole table's play, or only the number of an event.
    assert shown == {
        *("TableOpened", "HouseRulesChanged", "ShoeLoaded", "DevicesPolled", "DeviceWentSilent"),
        *("DeviceCameBack", "RoundOpened", "WagersClosed", "SimulatedRoundDealt", "OutcomeAnnounced"),
        *("RoundVoided", "RoundClosed", "RangeIndicated", "DiceRolled", "RollCancelled", "NumberMarked"),
        *("MarkersCleared", "CardBurned", "CardDiscarded", "ShoeExhausted", "ReportCorrected"),
    }


def test_every_kind_of_event_of_a_seat_is_shown_to_the_one_who_sits_there() -> None:
    view = View(frozenset({(4, "anna")}), staff=False)
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
        "InventoryListed",
    }
    assert withheld.keys() - of_the_person - {
        "CuratorNamed", "CouponDropped", "DealerAssigned", "DealerRelieved", "FloorpersonAssigned",
        "FillReceived", "CreditSent", "InventoryListed",
    } == {"TableClosed", "SlipDropped", "DropBoxChanged", "InventoryCounted"}  # fmt: skip


FIELDS: Final[dict[str, Any]] = {
    "seat": 4, "bettor": "anna", "hand": "seat4.2", "position": "seat4", "wager": "tie", "cents": 100,
    "counted_by": {"name": "Zq", "role": "dealer"}, "slip": "F-1", "patron": "P", "coupon": "C-1",
    "check": "K-1", "dealer": "D", "floorperson": "F", "card": "6c", "tile": "6-5", "place": 1, "heard": {},
    "inventory_cents": 0, "silent": "S", "back": "S", "rules": 1, "options": {}, "occasion": "shift",
    "denominations": {}, "shoe": "s", "decks": 8, "outcome": "tie", "to": "player", "decision": "stand",
    "range": "high", "result": "win", "dice": "3-4", "number": 4, "vigorish_cents": 0,
    "mistaken": ["C", 1, 5], "round": "1",
}  # fmt: skip


def placed(kind: type[e.Reported]) -> Placed:
    """Make an event of a kind, of seat 4 and anna wherever it can be."""
    names = {field.encode_name for field in msgspec.structs.fields(kind)}
    fields = {name: value for name, value in FIELDS.items() if name in names}
    told_ = {"event": kind.__name__, "device": "T", "epoch": 1, "seq": 1, "at": 1, **fields}
    return Placed("part", 1, 0, msgspec.convert(told_, e.Event))


def test_a_name_twice_in_a_frame_is_not_shown(tmp_path: Path) -> None:
    """A reader takes the last of two; the first would be shown to no one but whoever looks at the bytes."""

    def spoilt(text: bytes) -> bytes:
        wager = b'"seat":1,"wager":"banker","cents":4000'
        assert wager in text
        return text.replace(wager, b'"seat":4,' + wager, 1)

    archive = closed(tmp_path, hostile(), change=spoilt)
    content = bundle(archive, "1", "--seat", "1/shown")
    assert b'"seat\\":4' not in content
    assert any("stands twice" in each["why"] for each in told(content, "withheld")["events"])
    assert all(json.loads(leaf["content"]) for part in told(content, "proof") for leaf in part["leaves"])
