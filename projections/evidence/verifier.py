"""The second verifier: does one hand, as a bundle tells it, stand in an archive that was closed and signed?

It lies in every bundle as verify.py and needs Python 3.9 or newer, the library cryptography, and no network:

    unzip -p bundle.zip verify.py > verify.py
    python verify.py bundle.zip [--key PUBLIC]... [--archive-key PUBLIC]... [--line "discardrack 1 ..."]...

Each check prints a line; the status is 0 if all hold. From elsewhere: `--key`, of who released the bundle;
`--archive-key`, of who closed its days; `--line` of a checkpoint. `checked` lists the checks. Written
from docs/proofs.md alone, it shares no code with what makes a bundle, in which anyone could change it, too.
"""

import argparse
import io
import json
import re
import sys
import zipfile
from bisect import bisect_left
from collections.abc import Iterator
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MOST_BYTES = 32 << 20  # of a bundle; of what is longer the end lacks
# What the checks read of each file; `fits` says what a kind stands for.
TEXT, HASH, RANDOM, BYTES = map(re.compile, ("(?s).*", "[0-9a-f]{64}", "[0-9a-f]{32}", "([0-9a-f]{2})*"))
COUNT, CENTS, CITE = range(1 << 63), range(1 - (1 << 63), 1 << 63), re.compile("[0-9A-Za-z.()]{1,40}")
FREE = ["explanation.json", "footage.json", "rulebook.json", "verdict.json", "withheld.json"]  # just JSON
FILES = ["bundle.json", "bundle.sig", "checkpoints.json", "custody.jsonl", *FREE, "page.html", "proof.json"]
FILES = sorted([*FILES, "settlement.json", "verify.py"])
HEAD = {"house": TEXT, "archive": RANDOM, "day": TEXT, "key": HASH}
MANIFEST: Any = {"format": re.compile("discardrack bundle 1"), **HEAD, "table": TEXT, "round": TEXT}
MANIFEST |= {"files": [{"path": TEXT, "size": COUNT, "sha256": HASH}]}
BODY: Any = {"format": re.compile("discardrack checkpoint 1"), **HEAD, "number": COUNT, "missing": [{}]}
BODY |= {"before": ({"number": COUNT, "body": HASH}, None), "entries": COUNT, "root": HASH}
LEAF = {"index": COUNT, "salt": RANDOM, "content": (TEXT, ...), "content_hex": (BYTES, ...)}
ENTRY_PROOF = {"index": COUNT, "line": TEXT, "hidden": [HASH]}
PROOF = [{"checkpoint": COUNT, "entry": ENTRY_PROOF, "leaves": [LEAF], "hidden": [HASH]}]
ENTRY = {"path": TEXT, "kind": re.compile("part"), "leaves": COUNT, "root": HASH}
EVENT: Any = {"event": TEXT, "device": TEXT, "epoch": COUNT, "seq": COUNT, "at": range(253 * 10**15 + 1)}
EVENT |= dict.fromkeys(("seat", "cents", "vigorish_cents", "handed_cents"), (CENTS, None, ...))
EVENT |= dict.fromkeys(("round", "bettor", "wager", "hand"), (TEXT, None, ...))
TABLE_EVENTS = re.compile(
    "TableOpened|HouseRulesChanged|ShoeLoaded|(Dealer|Floorperson)Assigned|ReportCorrected"
)
SIGNS = dict.fromkeys(("ChipsPaid", "PayoutHanded", "PayoutAdded", "SettlementAdjusted"), 1)
SIGNS |= dict.fromkeys(("ChipsCollected", "VigorishCollected", "VigorishMarked"), -1)
SPOT = {"seat": COUNT, "bettor": (TEXT, None), "wager": TEXT, "hand": (TEXT, None)}
MONEY = dict.fromkeys(("owed_cents", "paid_cents", "difference_cents"), (CENTS, None))
WAGER: Any = {**SPOT, **MONEY, "steps": [{"adds": CENTS}], "permitted": ({"cite": CITE, "adds": CENTS}, ...)}
WAGER["observed"] = ([{"part": COUNT, "leaf": COUNT, "adds": CENTS}], None)
# By the keys of the points of order 1, 2, 4 and 8 anyone can sign; told by their second coordinates.
PRIME, EIGHTH = 2**255 - 19, 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
SMALL = {0, 1, PRIME - 1, EIGHTH, PRIME - EIGHTH}


class Wrong(Exception):
    """What is wrong with the bundle, in one line."""


def main(arguments: list[str]) -> int:
    """Check the bundle that the command line names, print a line for each check, and give the status."""
    parser = argparse.ArgumentParser(description="Check an evidence bundle, offline.")
    parser.add_argument("bundle", type=Path)
    for option in ("--key", "--archive-key", "--line"):
        parser.add_argument(option, action="append", default=[])
    options, checks = parser.parse_args(arguments), list[str]()
    try:
        with options.bundle.open("rb") as file:
            checks.extend(checked(file.read(MOST_BYTES), options.key, options.archive_key, options.line))
    except (OSError, Wrong) as wrong:
        checks.append(f"WRONG: {wrong}")
    for line in checks:  # in plain characters: nothing that stands in a bundle can steer a terminal
        sys.stdout.write(ascii(line[:1000])[1:-1] + "\n")
    return int(checks[-1].startswith("WRONG"))


def checked(data: bytes, keys: list[str], archive_keys: list[str], lines: list[str]) -> Iterator[str]:
    """Yield a line for each check that holds, then what they prove and what not. Raise Wrong if one fails."""
    files = files_of(data)
    manifest = manifest_of(files)
    yield f"ok: a bundle's {len(FILES)} files, and no byte besides, as {manifest['key']} has signed them"
    bodies = checkpoints_of(files, manifest)
    signers, covered = {body["key"] for body in bodies.values()}, set[int]()
    left = {" ".join(line.split()) for line in lines}
    for number, body in reversed(bodies.items()):  # each names the one before it, which a line covers with it
        yield f"ok: checkpoint {number} of {body['day']} by {body['key']}; spans lost: {len(body['missing'])}"
        line = f"discardrack 1 {body['archive']} {number} {body['day']} {body['hash']}"
        covered |= {number} if line in left or number + 1 in covered else set()
        left -= {line}
    need(not left, f"no checkpoint here has the line '{''.join([*left][:1])}'")
    need(manifest["key"] not in signers, "who released the bundle has signed a checkpoint, too")
    need({*keys} <= {manifest["key"]}, f"another key released it than --key names: {manifest['key']}")
    need({*archive_keys} in (set(), signers), f"other keys closed it than --archive-key names: {signers}")
    parts, unused = dict[str, dict[int, Any]](), {*bodies}
    for item in json_of(files["proof.json"], PROOF, "proof.json"):
        path, events = part_of(item, bodies, manifest["table"])
        need(events and parts.setdefault(path, events) is events, f"proof.json has '{path}' twice or idly")
        unused.discard(number := item["checkpoint"])
        line = "a line covers it" if number in covered else "no line was named that covers it"
        yield f"ok: under the root of checkpoint {number}, events of '{path}': {len(events)}; {line}"
    need(not unused, f"nothing is shown of what the checkpoints {unused} closed")
    called = manifest["round"]
    disclosed = [event for part in parts.values() for event in part.values()]
    fitting = [
        each.get("round") in (None, called) or TABLE_EVENTS.fullmatch(each["event"]) for each in disclosed
    ]
    need(all(fitting), f"an event is shown that is not of round '{called}'")
    when = {each["at"] // 86_400_000_000 for each in disclosed if each.get("round") == called}
    dates = {str(date(1970, 1, 1) + timedelta(each + more)) for each in when for more in (-1, 0, 1)}
    need(manifest["day"] in dates, f"no event names round '{called}' on its day, or on a day beside it")
    count = len(disclosed)
    yield f"ok: each event is of round '{called}' or none, or what it stands on; events shown: {count}"
    yield f"ok: {settled(files['settlement.json'], [*parts.values()], called)}"
    yield f"Proven: these events stand, byte for byte, in archive {manifest['archive']} as it was signed."
    yield "Not known: if devices told the truth, and rules were read rightly; whose keys these are, unless"
    yield "--key and --archive-key said; if a checkpoint was made anew that no line covers; what is withheld."


def files_of(data: bytes) -> dict[str, bytes]:
    """Return the files of the zip file by name, having packed them again and come to the same bytes."""
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
    """Return bundle.json, having checked its signature, and that every other file is the one it names."""
    manifest = json_of(files["bundle.json"], MANIFEST, "bundle.json")
    signed(manifest["key"], files["bundle.sig"], files["bundle.json"], "bundle.json")
    files_listed = [{"path": n, "size": len(t), "sha256": sha256(t).hexdigest()} for n, t in files.items()][
        2:
    ]
    need(
        manifest["files"] == files_listed,
        "bundle.json names other files than there are, or another size or hash",
    )
    for name in FREE:
        json_of(files[name], object, name)
    for line in files["custody.jsonl"].splitlines():
        json_of(line, {}, "a line of custody.jsonl")
    return manifest


def checkpoints_of(files: dict[str, bytes], manifest: Any) -> dict[int, Any]:
    """Return the checkpoints by number: signed, of the manifest's archive, fitting the one before."""
    bodies: dict[int, Any] = {}
    for checkpoint in json_of(
        files["checkpoints.json"], [{"body": TEXT, "signature": TEXT}], "checkpoints.json"
    ):
        line = checkpoint["body"].encode()
        body = json_of(line, BODY, "the body of a checkpoint")
        number, before, where = body["number"], body["before"], f"checkpoint {body['number']}"
        signed(body["key"], checkpoint["signature"].encode() + b"\n", line, where)
        need(all(body[n] == manifest[n] for n in ("house", "archive")), f"{where} is of another archive")
        need(number > next(reversed(bodies), 0), f"{where} is out of place: they stand by number, from 1")
        need(number == (before["number"] if before else 0) + 1, f"{where} skips the one before it")
        follows = number - 1 not in bodies or before["body"] == bodies[number - 1]["hash"]
        need(follows, f"{where} does not follow {number - 1}")
        bodies[number] = {**body, "hash": sha256(line).hexdigest()}
    return bodies


def part_of(item: Any, bodies: dict[int, Any], table: str) -> tuple[str, dict[int, Any]]:
    """Return a sealed part's path and its shown events by leaf, led back to the root of a checkpoint."""
    number, proof, line = item["checkpoint"], item["entry"], item["entry"]["line"].encode()
    need(number in bodies, f"checkpoints.json lacks checkpoint {number}")
    entry = json_of(line, ENTRY, "the entry of a part")
    where = f"'{entry['path']}'"
    root = root_of(bodies[number]["entries"], {proof["index"]: line}, proof["hidden"])
    need(root == bodies[number]["root"], f"{where} is not under the root of checkpoint {number}")
    contents, salted = dict[int, bytes](), dict[int, bytes]()
    for leaf in item["leaves"]:
        index = leaf["index"]
        need(index > next(reversed(contents), -1), f"the leaves of {where} do not stand by their index")
        need(("content" in leaf) != ("content_hex" in leaf), f"a leaf of {where} has not just one content")
        text = leaf["content"].encode() if "content" in leaf else bytes.fromhex(leaf["content_hex"])
        contents[index], salted[index] = text, bytes.fromhex(leaf["salt"]) + text
    root = root_of(entry["leaves"], salted, item["hidden"])
    need(root == entry["root"], f"the leaves of {where} are not under its root")
    return entry["path"], events_of(contents, where, table)


def events_of(contents: dict[int, bytes], where: str, table: str) -> dict[int, Any]:
    """Return the events among the leaves of a part: those behind an envelope, as many as it announces."""
    events, until = {}, 0  # the leaf behind the last event of the record
    for index, content in contents.items():
        leaf = f"leaf {index} of {where}"
        if index < until:
            events[index] = json_of(content, EVENT, leaf)
            continue
        envelope = json_of(content, {"key": BYTES, "gaps": [BYTES]}, f"{leaf}, an envelope,")
        gaps = [bytes.fromhex(gap) for gap in envelope["gaps"]]
        until = index + len(gaps)
        # A frame with nothing in the place of each event is a frame still, and says of which table it is.
        frame = json_of(b"null".join(gaps), {"table": TEXT, "events": [None]}, f"{leaf}, its frame,")
        need(len(frame["events"]) == len(gaps) - 1, f"{leaf} announces other events than its frame")
        tables = {envelope["key"], frame["table"].encode().hex()}
        need(tables == {table.encode().hex()}, f"{leaf} is of another table than bundle.json")
    return events


def root_of(size: int, disclosed: dict[int, bytes], hidden: list[str]) -> str:
    """Return the root of a tree of so many leaves, where some are shown and hashes stand for the others."""
    order, rest = sorted(disclosed), iter(hidden)

    def walk(first: int, end: int) -> bytes:
        if bisect_left(order, first) == bisect_left(order, end):
            return bytes.fromhex(next(rest, ""))  # if none is left, the root becomes another
        if end - first == 1:
            return sha256(b"\0" + disclosed[first]).digest()
        middle = first + (1 << (end - first - 1).bit_length() - 1)
        return sha256(b"\1" + walk(first, middle) + walk(middle, end)).digest()

    need(size > max(disclosed, default=0), "a proof shows a leaf that its tree does not have")
    root = walk(0, size).hex()
    need(not list(rest), "a proof has more hashes than its tree asks for")
    return root


def settled(content: bytes, parts: list[dict[int, Any]], number: str) -> str:
    """Add every sum of settlement.json again, and what was paid from the events shown."""
    settlement = json_of(content, {"wagers": [WAGER], "difference_cents": CENTS}, "settlement.json")
    used, by, total, still_open, unproven = list[Any](), "", 0, 0, 0
    for at, wager in enumerate(settlement["wagers"]):
        where, observed = f"settlement.json, wager {at}", wager["observed"] or []
        owed, paid, difference = (wager[each] for each in MONEY)
        for paid_by_event in observed:
            event: Any = (
                parts[paid_by_event["part"]].get(paid_by_event["leaf"], {})
                if paid_by_event["part"] < len(parts)
                else {}
            )
            spot = {**dict.fromkeys(SPOT), "wager": "house_money", **event}
            of_it = event.get("round") == number and all(spot[each] == wager[each] for each in SPOT)
            two = event.get("vigorish_cents") or event.get("handed_cents") or event.get("cents") is None
            is_proven = of_it and not two and event["event"] in SIGNS
            gain = SIGNS[event["event"]] * event["cents"] if is_proven else None
            need(gain == paid_by_event["adds"], f"{where}: an event adds what it has not moved")
            used.append((event["device"], event["epoch"], event["seq"]))
        steps, paid_by_event = (sum(each["adds"] for each in some) for some in (wager["steps"], observed))
        need(owed == steps or (owed is None and not wager["steps"]), f"{where}: owed is not its steps")
        need(wager["observed"] is None or paid == paid_by_event, f"{where}: what was paid is not its events")
        cite, adds = map(wager.get("permitted", {"cite": "", "adds": 0}).get, ("cite", "adds"))
        left = cite or None if None in {owed, paid} else paid - owed - adds  # if open nothing is permitted
        need(difference == left, f"{where}: the difference is not paid less owed, less what is permitted")
        by += f", within the rule by {cite}: ${abs(adds) // 100:,}.{abs(adds) % 100:02d}" if cite else ""
        total, still_open = total + (difference or 0), still_open + (difference is None)
        unproven += paid is not None and not observed
    need(len({*used}) == len(used), "settlement.json: an event adds a second time")
    need(settlement["difference_cents"] == total, "settlement.json: the total is not that of the differences")
    apart = f"${abs(total) // 100:,}.{abs(total) % 100:02d} {'more' if total > 0 else 'less'}"
    summary = (
        f"wagers: {len(settlement['wagers'])}, left open: {still_open}, paid without an event: {unproven}"
    )
    return (
        f"the sums add up; {apart if total else 'no more and no less'} was paid than was owed; {summary}{by}"
    )


def json_of(content: bytes, kind: Any, where: str) -> Any:
    """Return what some JSON says, which has to be of a kind, and to be read alike by everybody."""
    try:  # what an object says twice becomes a set, which is no JSON
        hook: Any = {
            "object_pairs_hook": lambda value: dict(value) if len(dict(value)) == len(value) else {1}
        }
        value = json.loads(content.decode(), **hook)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # no half characters, nothing endless
    except (ValueError, TypeError, RecursionError):
        raise Wrong(f"{where} is no JSON that everybody would read alike") from None
    need(fits(value, kind), f"{where} is not of the form that docs/proofs.md gives")
    return value


def fits(value: Any, kind: Any) -> bool:
    """Return True if a value is of a kind: an object with these names, a list of such, one of several, ..."""
    if isinstance(kind, dict):
        return isinstance(value, dict) and all(fits(value.get(name, ...), kind[name]) for name in kind)
    if isinstance(kind, list):
        return isinstance(value, list) and all(fits(each, kind[0]) for each in value)
    if isinstance(kind, tuple):
        return any(fits(value, each) for each in kind)
    if isinstance(kind, re.Pattern):
        return isinstance(value, str) and kind.fullmatch(value) is not None
    return type(value) is int and value in kind if isinstance(kind, range) else kind in (object, value)


def signed(key: str, signature: bytes, content: bytes, what: str) -> None:
    """Check that a signature, as its line stands, is of some bytes by a key."""
    place = int.from_bytes(bytes.fromhex(key), "little") % (1 << 255)
    need(place < PRIME and place not in SMALL, f"{what} names a key by which anyone can sign")
    try:
        [digits] = re.findall(rb'\A\{"signature":"([0-9a-f]{128})"\}\n\Z', signature)
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(digits.decode()), content)
    except (InvalidSignature, ValueError):
        raise Wrong(f"{what} is not signed by the key that it names") from None


def need(holds: object, otherwise: str) -> None:
    """Go on only if something holds."""
    if not holds:
        raise Wrong(otherwise)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
