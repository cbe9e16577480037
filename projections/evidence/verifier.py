"""The second verifier: does one hand, as a bundle tells it, stand in an archive that was closed and signed?

It lies in every bundle as verify.py and needs Python 3.9 or newer, the library cryptography, and no network:

    unzip -p bundle.zip verify.py > verify.py
    python verify.py bundle.zip [--key PUBLIC]... [--line "discardrack 1 ..."]...

Each check prints a line. The status is 0 if all hold, else 1, and the last line says what is wrong. `--key`
is a public key learned elsewhere: who signed must then be just those named. `--line` is the line of a
checkpoint as it was kept elsewhere, in a logbook for example. Read on from `checked`, the list of the checks.
It was written from docs/proofs.md alone, shares no code with what makes a bundle, and knows no game's rules.
Whoever would change a bundle could change the verifier in it too: take it from somewhere else, or read it.
"""

import argparse
import io
import json
import re
import sys
import zipfile
from bisect import bisect_left
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MOST_BYTES = 32 << 20  # of a bundle; nothing in it is compressed, so that no file in it can be larger

# What the checks read of each file; `fits` says what a kind stands for.
TEXT = re.compile("[^\ud800-\udfff]*")  # what can be written as UTF-8
BYTES, DAY = re.compile("([0-9a-f]{2})*"), re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
HASH, RANDOM = re.compile("[0-9a-f]{64}"), re.compile("[0-9a-f]{32}")
COUNT, CENTS = range(10**18), range(1 - 10**18, 10**18)
FILES = [
    "bundle.json", "bundle.sig", "checkpoints.json", "custody.jsonl", "explanation.json", "footage.json",
    "page.html", "proof.json", "rulebook.json", "settlement.json", "verdict.json", "verify.py",
    "withheld.json",
]  # fmt: skip
MANIFEST = {
    "format": re.compile("discardrack bundle 1"), "house": TEXT, "archive": RANDOM, "table": TEXT, "day": DAY,
    "round": TEXT, "files": [{"path": TEXT, "size": COUNT, "sha256": HASH}], "key": HASH,
}  # fmt: skip
BODY = {
    "format": re.compile("discardrack checkpoint 1"), "house": TEXT, "archive": RANDOM, "number": COUNT,
    "day": DAY, "before": ({"number": COUNT, "body": HASH}, None), "entries": COUNT, "root": HASH,
    "missing": [{}], "key": HASH,
}  # fmt: skip
LEAF = {"index": COUNT, "salt": RANDOM}
LEAVES = [({**LEAF, "content": TEXT}, {**LEAF, "content_hex": BYTES})]
ENTRY_PROOF = {"index": COUNT, "line": TEXT, "hidden": [HASH]}
PROOF = [{"checkpoint": COUNT, "entry": ENTRY_PROOF, "leaves": LEAVES, "hidden": [HASH]}]
ENTRY = {"path": TEXT, "kind": re.compile("part"), "leaves": COUNT, "root": HASH}
EVENT = {"device": TEXT, "epoch": COUNT, "seq": COUNT, "cents": CENTS}  # one that moved money
STANDING = re.compile("TableOpened|HouseRulesChanged|ShoeLoaded|(Dealer|Floorperson)Assigned|ReportCorrected")
OBSERVED = ([{"part": COUNT, "leaf": COUNT, "adds": CENTS}], None)
MONEY = dict.fromkeys(("owed_cents", "paid_cents", "difference_cents"), (CENTS, None))
WAGERS = [{"steps": [{"adds": CENTS}], "observed": OBSERVED, **MONEY}]
SETTLEMENT = {"wagers": WAGERS, "difference_cents": CENTS}


class Wrong(Exception):
    """What is wrong with the bundle, in one line."""


def main(arguments: list[str]) -> int:
    """Check the bundle that the command line names, print a line for each check, and give the status."""
    parser = argparse.ArgumentParser(description="Check an evidence bundle, offline.")
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--key", action="append", default=[], help="a public key learned elsewhere")
    parser.add_argument("--line", action="append", default=[], help="a checkpoint's line kept elsewhere")
    asked = parser.parse_args(arguments)
    try:
        with asked.bundle.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        for line in checked(data, asked.key, asked.line):
            say(line)
    except (OSError, Wrong) as wrong:
        say(f"WRONG: {wrong}")
        return 1
    return 0


def say(line: str) -> None:
    """Print a line in plain characters: nothing that stands in a bundle can steer a terminal."""
    sys.stdout.write(ascii(line[:1000])[1:-1] + "\n")


def checked(data: bytes, keys: list[str], lines: list[str]) -> Iterator[str]:
    """Say of each check that it holds, and at last what that proves and what not. Raises Wrong."""
    files = files_of(data)
    yield f"ok: the zip file holds the {len(FILES)} files of a bundle, and no byte besides"
    manifest = manifest_of(files)
    yield f"ok: bundle.json is signed by the key {manifest['key']}, and every file is as it says"
    bodies = checkpoints_of(files, manifest)
    for number, body in bodies.items():
        signer, lost = body["key"], len(body["missing"])
        yield f"ok: checkpoint {number} of {body['day']} is signed by the key {signer}; ranges lost: {lost}"
    signers = {manifest["key"], *(body["key"] for body in bodies.values())}
    need(not keys or set(keys) == signers, f"other keys have signed than --key names: {sorted(signers)}")
    kept = [f"discardrack 1 {b['archive']} {number} {b['day']} {b['hash']}" for number, b in bodies.items()]
    for line in lines:
        need(line.strip() in kept, f"no checkpoint here has the line '{line}'")
        yield f"ok: the checkpoint of the line '{line}' is here"
    parts: dict[str, dict[int, Any]] = {}
    for item in form(files["proof.json"], PROOF, "proof.json"):
        path, events = part_of(item, bodies, manifest["table"])
        need(parts.setdefault(path, events) is events, f"proof.json has '{path}' twice")
        yield f"ok: {len(events)} events of '{path}' are under the root of checkpoint {item['checkpoint']}"
    shown, number = [event for events in parts.values() for event in events.values()], manifest["round"]
    fitting = [each.get("round") in (None, number) or fits(each.get("event"), STANDING) for each in shown]
    need(shown and all(fitting), f"an event is shown that is not of round '{number}', or none at all")
    yield f"ok: each of the {len(shown)} events is of round '{number}' or none, or what it stands on"
    yield f"ok: {settled(files['settlement.json'], list(parts.values()))}"
    yield f"Proven: these events stand, byte for byte, in archive {manifest['archive']} as it was signed;"
    yield "the bundle, too, is as it was signed; its sums add up. Not known: if the devices told the truth;"
    yield "whose keys these are, unless --key said it; if a checkpoint was made anew, unless --line named it;"
    yield "what later days hold; if rules were read rightly, and what is withheld: its signer says so."


def files_of(data: bytes) -> dict[str, bytes]:
    """Give the files of the zip file by name, having packed them again and come to the same bytes."""
    need(len(data) <= MOST_BYTES, f"the file has more than {MOST_BYTES} bytes, which no bundle has")
    files, at = {}, 0
    while data[at : at + 4] == b"PK\3\4":  # cut out by their headers, so none is larger than the whole
        start = at + 30 + int.from_bytes(data[at + 26 : at + 28], "little")
        end = start + int.from_bytes(data[at + 18 : at + 22], "little")
        name = data[at + 30 : start].decode("ascii", "replace")
        files[name], at = data[start:end], end
    need(sorted(files) == FILES, f"this is no bundle: it has too many or lacks {sorted({*files} ^ {*FILES})}")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as again:
        for name in FILES:
            entry = zipfile.ZipInfo(name)  # stored, at 1980-01-01 00:00
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            again.writestr(entry, files[name])
    need(packed.getvalue() == data, "the zip file is not packed as a bundle is: some byte is another")
    return files


def manifest_of(files: dict[str, bytes]) -> Any:
    """Give bundle.json, having checked its signature and the size and hash of every other file."""
    manifest = form(files["bundle.json"], MANIFEST, "bundle.json")
    signed(manifest["key"], files["bundle.sig"], files["bundle.json"], "bundle.json")
    named = [file["path"] for file in manifest["files"]]
    need(["bundle.json", "bundle.sig", *named] == FILES, "bundle.json names other files than there are")
    for file in manifest["files"]:
        held = files[file["path"]]
        need(file["size"] == len(held), f"{file['path']} has another size than bundle.json says")
        need(file["sha256"] == sha256(held).hexdigest(), f"{file['path']} has another hash than it says")
    return manifest


def checkpoints_of(files: dict[str, bytes], manifest: Any) -> dict[int, Any]:
    """Give the checkpoints by number: signed, of the manifest's archive, fitting the one before."""
    bodies: dict[int, Any] = {}
    for told in form(files["checkpoints.json"], [{"body": TEXT, "signature": TEXT}], "checkpoints.json"):
        line = told["body"].encode()
        body = form(line, BODY, "the body of a checkpoint")
        number, before, where = body["number"], body["before"], f"checkpoint {body['number']}"
        signed(body["key"], told["signature"].encode() + b"\n", line, where)
        need(body["archive"] == manifest["archive"], f"{where} is of another archive than bundle.json")
        need(body["house"] == manifest["house"], f"{where} is of another house than bundle.json")
        need(number > next(reversed(bodies), 0), f"{where} is out of place: they stand by number, from 1")
        need(number == (before["number"] if before else 0) + 1, f"{where} skips the one before it")
        if number - 1 in bodies:
            need(before["body"] == bodies[number - 1]["hash"], f"{where} does not follow {number - 1}")
        bodies[number] = {**body, "hash": sha256(line).hexdigest()}
    return bodies


def part_of(item: Any, bodies: dict[int, Any], table: str) -> tuple[str, dict[int, Any]]:
    """Give a sealed part's path and its shown events by leaf, led back to the root of a checkpoint."""
    number, proof, line = item["checkpoint"], item["entry"], item["entry"]["line"].encode()
    need(number in bodies, f"checkpoints.json lacks checkpoint {number}")
    entry = form(line, ENTRY, "the entry of a part")
    where = f"'{entry['path']}'"
    root = root_of(bodies[number]["entries"], {proof["index"]: line}, proof["hidden"])
    need(root == bodies[number]["root"], f"{where} is not under the root of checkpoint {number}")
    contents, salted = dict[int, bytes](), dict[int, bytes]()
    for leaf in item["leaves"]:
        index, text = leaf["index"], leaf.get("content")
        need(index > next(reversed(contents), -1), f"the leaves of {where} do not stand by their index")
        contents[index] = text.encode() if fits(text, TEXT) else bytes.fromhex(leaf["content_hex"])
        salted[index] = bytes.fromhex(leaf["salt"]) + contents[index]
    root = root_of(entry["leaves"], salted, item["hidden"])
    need(root == entry["root"], f"the leaves of {where} are not under its root")
    return entry["path"], events_of(contents, where, table)


def events_of(contents: dict[int, bytes], where: str, table: str) -> dict[int, Any]:
    """Give the events among the leaves of a part, each of which has to stand behind its envelope."""
    events, until = {}, 0  # the leaf behind the last event of the record
    for index, content in contents.items():
        leaf = f"leaf {index} of {where}"
        told = form(content, {}, leaf)
        if "gaps" not in told:
            need(index < until, f"{leaf} is an event without its envelope")
            events[index] = told
            continue
        need(index >= until, f"{leaf} is an envelope in the place of an event")
        gaps = [bytes.fromhex(gap) for gap in form(content, {"key": BYTES, "gaps": [BYTES]}, leaf)["gaps"]]
        until = index + len(gaps)
        # A frame with nothing in the place of each event is a frame still, and says of which table it is.
        frame = form(b"null".join(gaps), {"table": TEXT, "events": [None]}, f"the frame of {leaf}")
        need(len(frame["events"]) == len(gaps) - 1, f"{leaf} announces other events than its frame")
        tables = [bytes.fromhex(told["key"]), frame["table"].encode()]
        need(tables == [table.encode()] * 2, f"{leaf} is of another table than bundle.json")
    return events


def root_of(size: int, shown: dict[int, bytes], hidden: list[str]) -> str:
    """Give the root of a tree of so many leaves, where some are shown and hashes stand for the others."""
    order, rest = sorted(shown), iter(hidden)

    def walk(first: int, end: int) -> bytes:
        if bisect_left(order, first) == bisect_left(order, end):
            return bytes.fromhex(next(rest, ""))  # if none is left, the root becomes another
        if end - first == 1:
            return sha256(b"\0" + shown[first]).digest()
        middle = first + (1 << (end - first - 1).bit_length() - 1)
        return sha256(b"\1" + walk(first, middle) + walk(middle, end)).digest()

    need(size > max(shown, default=0), "a proof shows a leaf that its tree does not have")
    root = walk(0, size).hex()
    need(not list(rest), "a proof has more hashes than its tree asks for")
    return root


def settled(content: bytes, parts: list[dict[int, Any]]) -> str:
    """Add every sum of settlement.json again, and what was paid from the events shown."""
    told, total, still_open, used = form(content, SETTLEMENT, "settlement.json"), 0, 0, set()
    for at, wager in enumerate(told["wagers"]):
        where, (owed, paid, difference) = f"settlement.json, wager {at}", (wager[each] for each in MONEY)
        for seen in wager["observed"] or []:
            event: Any = parts[seen["part"]].get(seen["leaf"], {}) if seen["part"] < len(parts) else {}
            moved = fits(event, EVENT) and abs(event["cents"]) == abs(seen["adds"])
            need(moved, f"{where}: an event adds what no event shown has moved")
            name = (event["device"], event["epoch"], event["seq"])
            need(name not in used, f"{where}: the event {name} adds a second time")
            used.add(name)
        steps, seen = (sum(each["adds"] for each in wager[name] or []) for name in ("steps", "observed"))
        need(owed == steps or (owed is None and not wager["steps"]), f"{where}: owed is not its steps")
        need(wager["observed"] is None or paid == seen, f"{where}: what was paid is not its events")
        left = None if None in {owed, paid} else paid - owed
        need(difference == left, f"{where}: the difference is not paid less owed")
        total, still_open = total + (difference or 0), still_open + (difference is None)
    need(told["difference_cents"] == total, "settlement.json: the total is not that of the differences")
    return f"the sums add up, to {total} cents paid beyond what was owed; {still_open} wagers are left open"


def form(content: bytes, kind: Any, where: str) -> Any:
    """Give what some JSON says, which has to be of a kind."""
    try:
        told = json.loads(content.decode(), object_pairs_hook=once, parse_constant=int)  # NaN is no number
    except (ValueError, RecursionError):
        raise Wrong(f"{where} is no JSON that everybody would read alike") from None
    need(fits(told, kind), f"{where} is not of the form that docs/proofs.md gives")
    return told


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Give an object that says nothing twice."""
    need(len(dict(pairs)) == len(pairs), "an object in JSON says something twice")
    return dict(pairs)


def fits(value: Any, kind: Any) -> bool:
    """Tell whether a value is of a kind: an object with these names, a list of such, one of several, …"""
    if isinstance(kind, dict):
        return isinstance(value, dict) and all(fits(value.get(name, ...), kind[name]) for name in kind)
    if isinstance(kind, list):
        return isinstance(value, list) and all(fits(each, kind[0]) for each in value)
    if isinstance(kind, tuple):
        return any(fits(value, each) for each in kind)
    if isinstance(kind, re.Pattern):
        return isinstance(value, str) and kind.fullmatch(value) is not None
    return type(value) is int and value in kind if kind else value is None


def signed(key: str, signature: bytes, content: bytes, what: str) -> None:
    """Check that a signature, as its line stands, is of some bytes by a key."""
    try:
        [digits] = re.findall(rb'\A\{"signature":"([0-9a-f]{128})"\}\n\Z', signature)
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(digits.decode()), content)
    except (InvalidSignature, ValueError):
        raise Wrong(f"{what} is not signed by the key that it names") from None


def need(holds: object, otherwise: str) -> None:
    """Go on only if something holds."""
    if not holds:
        raise Wrong(otherwise)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
