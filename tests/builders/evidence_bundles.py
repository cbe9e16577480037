"""Closed archives of one table's script, and bundles of their hands, as the tests need them."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from projections.evidence import verifier
from projections.evidence.bundle import MANIFEST, SIGNATURE, VerifiedBundle, listed, opened, packed, unpacked
from projections.evidence.checkpoint import public
from replay.cli import main
from schemas import events as e
from schemas import house as houses
from schemas.codec import VERSION, Frame, encode
from schemas.events import Event
from schemas.house import House
from schemas.values import Person
from streams.archive import keys
from streams.archive.import_events import archive_of
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script, build_house

AT: Final = "2099-06-01T10:00:00Z"


def archive_scripts(
    folder: Path,
    *scripts: Script,
    by: House | None = None,
    key: bool = True,
    change: Callable[[bytes], bytes] = bytes,
) -> Path:
    """Close an archive of a table's scripts, in frames of eight events; `change` spoils its text.

    Without a key nothing is taken or closed: what was played lies beside the empty archive.
    """
    played = folder / "played"
    (played / "events").mkdir(parents=True)
    (played / "house.yaml").write_bytes(msgspec.yaml.encode(by or build_house()))
    events = [each for script in scripts for each in script.events]
    lines = (encode(frame) + b"\n" for frame in cut_frames(events))
    (played / "events" / "BAC-1.jsonl").write_bytes(change(b"".join(lines)))
    archive = folder / "archive"
    archive.mkdir()
    signing = keys.make(folder / "key")
    keys.make(folder / "releaser")
    if key:
        archive_of(played, archive, houses.read("house.yaml", played), signing)
    return archive


def cut_frames(events: list[Event]) -> list[Frame]:
    """Cut events into frames of eight, each received when its last event was reported."""
    cut = [events[at : at + 8] for at in range(0, len(events), 8)]
    return [
        Frame(v=VERSION, table="BAC-1", frame=number, received=each[-1].at, events=[*each])
        for number, each in enumerate(cut, 1)
    ]


def request_bundle(archive: Path, number: str, *more: object) -> Result:
    """Request a bundle of a round, which is written beside the archive, in the place of an earlier one."""
    (archive.parent / "bundle.zip").unlink(missing_ok=True)
    given = [
        *("evidence", archive, "BAC-1", number, "--key", archive.parent / "releaser", "--at", AT),
        *("--by", "sam"),
        *("--out", archive.parent / "bundle.zip", *more),
    ]
    return CliRunner().invoke(main, [str(each) for each in given])


def build_bundle(archive: Path, number: str, *more: object) -> bytes:
    """Return the bundle of a round."""
    result = request_bundle(archive, number, *more)
    assert result.exit_code == 0, result.output
    content = (archive.parent / "bundle.zip").read_bytes()
    check_bundle(content)
    return content


def check_bundle(content: bytes) -> VerifiedBundle:
    """Check a bundle by both verifiers; they must agree that it is whole."""
    *_, proven = verifier.verify_bundle(content, [], [], [])
    assert proven
    return opened(content)


def bundle_files(content: bytes) -> dict[str, bytes]:
    """Return the files of a bundle."""
    with zipfile.ZipFile(io.BytesIO(content)) as held:
        return {name: held.read(name) for name in held.namelist()}


def read_bundle_json(content: bytes, name: str) -> Any:
    """Read one of the JSON files of a bundle."""
    return json.loads(bundle_files(content)[f"{name}.json"])


def bundle_events(content: bytes) -> list[dict[str, Any]]:
    """Return the events that a bundle shows, part by part, in the order of their leaves."""
    leaves = (
        json.loads(leaf["content"]) for part in read_bundle_json(content, "proof") for leaf in part["leaves"]
    )
    return [leaf for leaf in leaves if "event" in leaf]


def forge_bundle(content: bytes, changed: Mapping[str, bytes], key: Ed25519PrivateKey | None = None) -> bytes:
    """Replace files of a bundle, with their hashes in its manifest; signed again only with a key."""
    within = {**unpacked(content), **changed}
    signature, manifest = within.pop(SIGNATURE), json.loads(within.pop(MANIFEST))
    manifest["files"] = msgspec.to_builtins(listed(within))
    if key is not None:
        manifest["key"] = public(key)
    text = msgspec.json.encode(manifest)
    if key is not None:
        signature = msgspec.json.encode({"signature": key.sign(text).hex()}) + b"\n"
    return packed({**within, MANIFEST: text, SIGNATURE: signature})


def script_two_rounds() -> Script:
    """Play a round, and one in which seat 1 is paid 5 dollars too much on the Banker's Hand."""
    table = Script()
    table.open()
    table.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
    table.play(
        BANKER_WINS,
        {(1, "banker"): 4000, (1, "tie"): 500, (3, "player"): 2500},
        "banker",
        {(1, "banker"): 4500, (1, "tie"): -500, (3, "player"): -2500},
        {(1, "banker"): 200},
    )
    table.close()
    return table


# Names that stand nowhere else in the project, each planted in a field of its own.
STAFF: Final = {
    "dealer": "Zq-Dealer-1", "other dealer": "Zq-Dealer-2", "floorperson": "Zq-Floor-3",
    "counted": "Zq-Counter-4", "watched": "Zq-Watcher-5", "signed": "Zq-Signer-6",
}  # fmt: skip


OTHERS: Final = {
    "patron": "Zq-Patron-1", "bettor": "Zq-Bettor-2", "coupon": "Zq-Coupon-3", "dropped": "Zq-Coupon-4",
    "check": "Zq-Check-5", "neighbour": "Zq-Bettor-6", "late": "Zq-Patron-7",
}  # fmt: skip


def script_with_every_name() -> Script:
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
