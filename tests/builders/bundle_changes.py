"""Every change to a handmade bundle that a verifier must find, with what it says of it."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from tests.builders import handmade_bundle
from tests.builders.handmade_bundle import (
    STRANGER,
    compact,
    digest,
    leaf,
    proof,
    public,
    record,
    signature,
    tree,
)

KEY: Final = public(handmade_bundle.RELEASER)
CLOSER: Final = public(handmade_bundle.SIGNER)


def put(*path: Any, to: Any) -> Callable[[Any], None]:
    """Make a change that puts something elsewhere into what a stage has made."""

    def change(made: Any) -> None:
        for step in path[:-1]:
            made = made[step]
        made[path[-1]] = to

    return change


def lack(*path: Any) -> Callable[[Any], None]:
    def change(made: Any) -> None:
        for step in path[:-1]:
            made = made[step]
        del made[path[-1]]

    return change


def ruled(at: int, adds: int, difference: int | None, cite: str = "631a.13(c)") -> Callable[[Any], None]:
    """Return a change that permits so much of a wager by a provision, as the page states it."""

    def change(told: Any) -> None:
        wager = told["wagers"][at]
        told["difference_cents"] += (difference or 0) - (wager.pop("difference_cents") or 0)
        permitted = {"says": "rounded as the text permits", "cite": cite, "adds": adds}
        wager |= {"permitted": permitted, "difference_cents": difference}

    return change


def altered(content: bytes, **to: Any) -> bytes:
    return compact({**json.loads(content), **to})


def leaves_with(at: int, *new: bytes) -> Callable[[Any], None]:
    """Return a change that replaces the leaves of a record that begins at a leaf of the first part."""

    def change(parts: list[list[bytes]]) -> None:
        parts[0][at : at + len(new)] = new

    return change


def again(observed: int) -> Callable[[Any], None]:
    def change(told: Any) -> None:
        wager = told["wagers"][0]
        wager["observed"].append({**wager["observed"][observed]})
        wager["paid_cents"] += wager["observed"][observed]["adds"]
        wager["difference_cents"] = wager["paid_cents"] - wager["owed_cents"]
        told["difference_cents"] = -500 + wager["difference_cents"]

    return change


def without_place(parts: list[dict[str, Any]]) -> None:
    """Hide the envelope of the record that paid, with the right proof for it."""
    contents = handmade_bundle.leaves_of_parts()[0]
    parts[0]["leaves"] = [each for each in parts[0]["leaves"] if each["index"] != 7]
    hashes = [leaf(content, bytes([0, index]) * 8) for index, content in enumerate(contents)]
    parts[0]["hidden"] = proof(hashes, {each["index"] for each in parts[0]["leaves"]})


def another_checkpoint_before(bodies: list[dict[str, Any]]) -> None:
    bodies[1]["before"]["body"] = "c" * 64


def signed_by_a_stranger(told: list[dict[str, str]]) -> None:
    told[1]["signature"] = signature(told[1]["body"].encode(), STRANGER)


def in_large_digits(files: dict[str, bytes]) -> None:
    start = b'{"signature":"'
    files["bundle.sig"] = start + files["bundle.sig"][len(start) :].upper()


STILL: Final = b"\x89PNG\r\n\x1a\nstill of camera 7"
CLIP: Final = b"clip of camera 7"


def attached(*contents: bytes, listed: Sequence[bytes] | None = None, **fields: Any) -> Callable[[Any], None]:
    """Attach files to a bundle, and list them or others; `fields` are those of each in the list."""

    def change(files: dict[str, bytes]) -> None:
        files |= {f"attachments/{digest(content)}": content for content in contents}
        stated = contents if listed is None else listed
        files["attachments.json"] = compact(
            [
                {"name": "a.png", "sha256": digest(each), "size": len(each), "type": "image/png"} | fields
                for each in sorted(stated, key=digest)
            ]
        )

    return change


PAID: Final = handmade_bundle.leaves_of_parts()[0][8]


BUNDLE_CHANGES: Final[dict[str, tuple[str, Callable[[Any], Any], str]]] = {
    # the zip file
    "a file too many": ("signed", put("note.txt", to=b""), "too many or lacks ['note.txt']"),
    "a file that lacks": ("signed", lack("page.html"), "too many or lacks ['page.html']"),
    # what was attached to the dispute
    "a file attached that is not listed": (
        "files",
        attached(STILL, CLIP, listed=[CLIP]),
        "names other files",
    ),
    "a file listed that is not attached": (
        "files",
        attached(CLIP, listed=[STILL, CLIP]),
        "names other files",
    ),
    "an attached file of another size": ("files", attached(CLIP, size=1), "names other files"),
    "an attached file of no type": (
        "files",
        attached(CLIP, type=None),
        "attachments.json is not of the form",
    ),
    "a list of nothing attached": ("files", put("attachments.json", to=b"[]"), "attachments.json is not of"),
    "a file attached without a list": (
        "files",
        put(f"attachments/{digest(CLIP)}", to=CLIP),
        "attachments.json is missing",
    ),
    "an attached file under another hash": (
        "files",
        lambda files: (attached(CLIP)(files), files.update({f"attachments/{digest(CLIP)}": STILL}))[-1],
        "is not the file that was attached",
    ),
    "an attached file in a folder": ("files", put("attachments/a/b.png", to=CLIP), "too many or lacks"),
    # the manifest
    "no JSON": ("signed", put("bundle.json", to=b"{"), "bundle.json is no JSON"),
    "bundle of another format": (
        "manifest",
        put("format", to="discardrack bundle 2"),
        "bundle.json is not of the form",
    ),
    "a file it does not name": ("manifest", lack("files", 0), "names other files"),
    "a file named twice": (
        "manifest",
        lambda told: told["files"].append(told["files"][0]),
        "names other files",
    ),
    "another size": (
        "manifest",
        put("files", 3, "size", to=7),
        "bundle.json names other files than there are, or another size or hash",
    ),
    "another hash": (
        "manifest",
        put("files", 0, "sha256", to="0" * 64),
        "bundle.json names other files than there are, or another size or hash",
    ),
    "bundle.json changed": (
        "signed",
        lambda files: {**files, "bundle.json": files["bundle.json"].replace(b'"17"', b'"18"')},
        "bundle.json is not signed",
    ),
    "a file changed": (
        "signed",
        put("page.html", to=b"<!doctype HTML>"),
        "bundle.json names other files than there are, or another size or hash",
    ),
    "signature of another key": (
        "signed",
        lambda files: {**files, "bundle.sig": signature(files["bundle.json"], STRANGER).encode() + b"\n"},
        "bundle.json is not signed",
    ),
    "signature without a line feed": (
        "signed",
        lambda files: {**files, "bundle.sig": files["bundle.sig"][:-1]},
        "bundle.json is not signed",
    ),
    "signature in large digits": ("signed", in_large_digits, "bundle.json is not signed"),
    "signature behind something": (
        "signed",
        lambda files: {**files, "bundle.sig": b" " + files["bundle.sig"]},
        "bundle.json is not signed",
    ),
    "key that is none": ("manifest", put("key", to="f" * 64), "names a key by which anyone can sign"),
    # the checkpoints
    "checkpoint of another format": (
        "bodies",
        put(0, "format", to="discardrack checkpoint 2"),
        "the body of a checkpoint is not of",
    ),
    "checkpoint of a stranger": ("checkpoints", signed_by_a_stranger, "checkpoint 13 is not signed"),
    "checkpoint's day changed": (
        "checkpoints",
        lambda told: [{**told[0], "body": told[0]["body"].replace("12:00", "12:01")}, told[1]],
        "checkpoint 12 is not signed",
    ),
    "another archive": ("bodies", put(0, "archive", to="b2" * 16), "checkpoint 12 is of another archive"),
    "another house": ("bodies", put(1, "house", to="elsewhere"), "checkpoint 13 is of another archive"),
    "out of order": ("checkpoints", lambda told: told[::-1], "checkpoint 12 is out of place"),
    "twice": ("checkpoints", lambda told: [told[0], *told], "checkpoint 12 is out of place"),
    "a gap in the numbers": ("bodies", put(1, "before", "number", to=11), "checkpoint 13 skips"),
    "none before the 12th": ("bodies", put(0, "before", to=None), "checkpoint 12 skips"),
    "another before it": ("bodies", another_checkpoint_before, "checkpoint 13 does not follow 12"),
    # the entries
    "checkpoint that lacks": ("checkpoints", lambda told: told[:1], "lacks checkpoint 13"),
    "entry that is no part": (
        "entries",
        put(0, "kind", to="house"),
        "the entry of a part is not of the form",
    ),
    "entry of another tree": (
        "bodies",
        put(1, "root", to="0" * 64),
        "is not under the root of checkpoint 13",
    ),
    "entry changed": (
        "proof",
        lambda told: put(0, "entry", "line", to=told[0]["entry"]["line"].replace("4096", "4097"))(told),
        "is not under the root of checkpoint 12",
    ),
    "entry at another place": (
        "proof",
        put(0, "entry", "index", to=0),
        "is not under the root of checkpoint 12",
    ),
    "entry behind the end": ("proof", put(1, "entry", "index", to=1), "does not have"),
    "hash of the entry lacks": (
        "proof",
        lack(0, "entry", "hidden", 0),
        "is not under the root of checkpoint 12",
    ),
    "hash of the entry too many": ("proof", put(1, "entry", "hidden", to=["0" * 64]), "more hashes"),
    "a part twice": (
        "proof",
        lambda told: told.append(told[0]),
        "has 'days/2025-03-01/BAC-101.parquet' twice",
    ),
    # the leaves
    "event changed": (
        "proof",
        put(0, "leaves", 6, "content", to=altered(PAID, cents=90_000).decode()),
        "are not under its root",
    ),
    "salt changed": ("proof", put(0, "leaves", 6, "salt", to="0" * 32), "are not under its root"),
    "leaf at another place": ("proof", put(0, "leaves", 6, "index", to=9), "are not under its root"),
    "leaf behind the end": ("proof", put(0, "leaves", 6, "index", to=11), "does not have"),
    "leaves out of order": ("proof", lambda told: told[0]["leaves"].reverse(), "do not stand by their index"),
    "leaf left out": ("proof", lack(0, "leaves", 6), "more hashes"),
    "hash too many": ("proof", lambda told: told[0]["hidden"].append("0" * 64), "more hashes"),
    "hash that lacks": ("proof", lack(0, "hidden", 0), "are not under its root"),
    "root of another part": ("entries", put(0, "root", to="0" * 64), "are not under its root"),
    "more leaves than there are": ("entries", put(0, "leaves", to=20), "are not under its root"),
    # the events
    "event that is no JSON": ("leaves", leaves_with(8, b"{'cents':1}"), "leaf 8 of"),
    "event that says a thing twice": (
        "leaves",
        leaves_with(8, b'{"cents":1,"cents":2}'),
        "leaf 8 of",
    ),
    "event of NaN": ("leaves", leaves_with(8, b'{"cents":NaN}'), "is no JSON"),
    "event that is no object": ("leaves", leaves_with(8, b"[1]"), "leaf 8 of"),
    "event without its envelope": (
        "proof",
        without_place,
        "leaf 8 of 'days/2025-03-01/BAC-101.parquet', an envelope, is not of the form",
    ),
    "envelope for more events": ("leaves", leaves_with(4, record(9, b"", b"", b"")[0]), "leaf 7 of"),
    "envelope for fewer events": (
        "leaves",
        leaves_with(4, record(9, b"")[0]),
        "leaf 6 of 'days/2025-03-01/BAC-101.parquet', an envelope, is not of the form",
    ),
    "envelope without gaps": (
        "leaves",
        leaves_with(7, altered(record(10, PAID)[0], gaps=[])),
        "leaf 7 of 'days/2025-03-01/BAC-101.parquet', its frame, is no JSON",
    ),
    "gaps that are no frame": (
        "leaves",
        leaves_with(7, altered(record(10, PAID)[0], gaps=["7b", "7d"])),
        "leaf 7 of 'days/2025-03-01/BAC-101.parquet', its frame, is no JSON",
    ),
    "gaps that bring an event": (
        "leaves",
        leaves_with(
            7,
            altered(
                record(10, PAID)[0],
                gaps=[
                    b'{"table":"BAC-101","events":[null,'.hex(),
                    b"]}".hex(),
                ],
            ),
        ),
        "leaf 7 of 'days/2025-03-01/BAC-101.parquet' announces other events",
    ),
    "envelope of another table": (
        "leaves",
        leaves_with(7, altered(record(10, PAID)[0], key="424143")),
        "leaf 7 of 'days/2025-03-01/BAC-101.parquet' is of another table",
    ),
    "envelope without a key": (
        "leaves",
        leaves_with(7, altered(record(10, PAID)[0], key=None)),
        "leaf 7 of 'days/2025-03-01/BAC-101.parquet', an envelope, is not of the form",
    ),
    "frame under the key of another": (
        "leaves",
        leaves_with(7, altered(record(10, PAID, table="BAC-102")[0], key=b"BAC-101".hex())),
        "leaf 7 of 'days/2025-03-01/BAC-101.parquet' is of another table",
    ),
    "frame of another table": (
        "leaves",
        leaves_with(7, *record(10, PAID, table="BAC-102")),
        "leaf 7 of 'days/2025-03-01/BAC-101.parquet' is of another table",
    ),
    "no event": ("proof", lambda told: told.clear(), "nothing is shown of what the checkpoints"),
    "an event of another round": (
        "leaves",
        leaves_with(8, altered(PAID, round="16")),
        "an event is shown that is not of round '17'",
    ),
    "an event of no text for a round": ("leaves", leaves_with(8, altered(PAID, round=17)), "leaf 8 of"),
    # the sums
    "steps": (
        "settlement",
        put("wagers", 0, "steps", 1, "adds", to=-4_999),
        "wager 0: owed is not its steps",
    ),
    "owed": ("settlement", put("wagers", 1, "owed_cents", to=-2_001), "wager 1: owed is not its steps"),
    "paid": (
        "settlement",
        put("wagers", 0, "paid_cents", to=95_001),
        "wager 0: what was paid is not its events",
    ),
    "paid, left open": (
        "settlement",
        put("wagers", 2, "paid_cents", to=1),
        "wager 2: what was paid is not its events",
    ),
    "difference": ("settlement", put("wagers", 1, "difference_cents", to=0), "wager 1: the difference"),
    "difference of what is open": (
        "settlement",
        put("wagers", 2, "difference_cents", to=0),
        "wager 2: the difference",
    ),
    "steps of what is open": (
        "settlement",
        put("wagers", 2, "steps", to=[{"adds": 0}]),
        "wager 2: owed is not its steps",
    ),
    "events of what is open": (
        "settlement",
        put(
            "wagers", 2, to={**handmade_bundle.settlement()["wagers"][2], "paid_cents": None, "observed": []}
        ),
        "wager 2: what was paid is not its events",
    ),
    "difference left out": (
        "settlement",
        put("wagers", 1, "difference_cents", to=None),
        "wager 1: the difference",
    ),
    "permitted beside the whole difference": (
        "settlement",
        ruled(1, -500, -500),
        "wager 1: the difference",
    ),
    "permitted of what is open": (
        "settlement",
        ruled(2, 0, None),
        "wager 2: the difference",
    ),
    "permitted by no provision": (
        "settlement",
        ruled(0, 0, 0, cite=""),
        "settlement.json is not of the form",
    ),
    "permitted by a sentence": (
        "settlement",
        ruled(0, 0, 0, cite="631a.13(c): all is right"),
        "settlement.json is not of the form",
    ),
    "total left out": ("settlement", put("difference_cents", to=None), "settlement.json is not of the form"),
    "total": ("settlement", put("difference_cents", to=500), "the total"),
    "other cents": (
        "settlement",
        put("wagers", 0, "observed", 0, "adds", to=100_001),
        "wager 0: an event adds what",
    ),
    "an event that is not shown": (
        "settlement",
        put("wagers", 0, "observed", 0, "leaf", to=5),
        "wager 0: an event adds",
    ),
    "an envelope for an event": (
        "settlement",
        put("wagers", 0, "observed", 0, "leaf", to=7),
        "wager 0: an event adds",
    ),
    "an event without cents": (
        "settlement",
        put("wagers", 0, "observed", 0, "leaf", to=6),
        "wager 0: an event adds",
    ),
    "a part that is not there": (
        "settlement",
        put("wagers", 0, "observed", 0, "part", to=2),
        "wager 0: an event adds",
    ),
    "a part counted from the end": (
        "settlement",
        put("wagers", 0, "observed", 1, "part", to=-1),
        "not of the form",
    ),
    "an event twice": ("settlement", again(0), "adds a second time"),
    "cents that are a fraction": (
        "settlement",
        put("difference_cents", to=-500.0),
        "settlement.json is not of the form",
    ),
    "cents that are true": (
        "settlement",
        put("wagers", 0, "difference_cents", to=False),
        "settlement.json is not of the form",
    ),
}


def paid(**to: Any) -> Callable[[Any], None]:
    """Return a change that replaces the event that paid."""
    return leaves_with(8, altered(PAID, **to))


# Public keys by which anyone can sign: the points of small order, and what no point is written as.
KEYS_OF_ANYONE: Final = [
    "01" + "00" * 31,
    "01" + "00" * 30 + "80",
    "ec" + "ff" * 30 + "7f",
    "ec" + "ff" * 31,
    "00" * 32,
    "00" * 31 + "80",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "ed" + "ff" * 30 + "7f",
    "ee" + "ff" * 30 + "7f",
]


def closed_by_the_releaser(told: list[dict[str, str]]) -> None:
    body = told[1]["body"].replace(CLOSER, KEY)
    told[1] = {"body": body, "signature": signature(body.encode(), handmade_bundle.RELEASER)}


def shown_idly(parts: list[dict[str, Any]]) -> None:
    """Show a part's place in the archive, and nothing of it."""
    contents = handmade_bundle.leaves_of_parts()[1]
    hashes = [leaf(content, bytes([1, index]) * 8) for index, content in enumerate(contents)]
    parts[1] |= {"leaves": [], "hidden": [tree(hashes).hex()]}


NOT_MOVED: Final = "wager 0: an event adds what it has not moved"


# What an attack tried that knew both verifiers: someone signs, and it is not what happened.
FORGED: Final[dict[str, tuple[str, Callable[[Any], Any], str]]] = {
    "a day closed by who released it": (
        "checkpoints",
        closed_by_the_releaser,
        "has signed a checkpoint, too",
    ),
    "a checkpoint of which no part is": ("proof", lack(1), "nothing is shown of what"),
    "a part of which nothing is shown": ("proof", shown_idly, "twice or idly"),
    "a wager for what was paid": ("settlement", put("wagers", 0, "observed", 0, "leaf", to=2), NOT_MOVED),
    "what was paid as what was lost": (
        "settlement",
        put("wagers", 0, "observed", 0, "adds", to=-100_000),
        NOT_MOVED,
    ),
    "what was lost as what was paid": ("leaves", paid(event="ChipsCollected"), NOT_MOVED),
    "paid by an event of another kind": ("leaves", paid(event="StackSeen"), NOT_MOVED),
    "paid to another seat": ("leaves", paid(seat=4), NOT_MOVED),
    "paid to another person": ("leaves", paid(bettor="anna"), NOT_MOVED),
    "paid on another wager": ("leaves", paid(wager="tie"), NOT_MOVED),
    "paid on another hand": ("leaves", paid(hand="seat5.1"), NOT_MOVED),
    "paid in no round": ("leaves", paid(round=None), NOT_MOVED),
    "paid without cents": ("leaves", paid(cents=None), NOT_MOVED),
    "paid with vigorish": ("leaves", paid(event="SettlementAdjusted", vigorish_cents=1), NOT_MOVED),
    "paid in part by hand": ("leaves", paid(event="PayoutAdded", handed_cents=1), NOT_MOVED),
    "cents with a point": ("leaves", paid(cents=100_000.0), "leaf 8 of"),
    "cents as text": ("leaves", paid(cents="100000"), "leaf 8 of"),
    "a seat that is true": ("leaves", paid(seat=True), "leaf 8 of"),
    "an event of no kind": ("leaves", paid(event=None), "leaf 8 of"),
    "an event of no time": ("leaves", paid(at="now"), "leaf 8 of"),
    "an event after all time": ("leaves", paid(at=253 * 10**15 + 1), "leaf 8 of"),
    "a number without an end": ("leaves", leaves_with(8, PAID[:-1] + b',"x":1e999}'), "leaf 8 of"),
    "a number of 5,000 digits": (
        "leaves",
        leaves_with(8, PAID[:-1] + b',"x":' + b"9" * 5_000 + b"}"),
        "leaf 8 of",
    ),
    "half a character": ("leaves", leaves_with(8, PAID[:-1] + b',"x":"\\ud800"}'), "leaf 8 of"),
    "two contents": ("proof", put(1, "leaves", 1, "content_hex", to="00"), "not just one content"),
    "a salt in large digits": ("proof", put(0, "leaves", 0, "salt", to="AA" * 16), "proof.json is not of"),
    "a salt with a space": ("proof", put(0, "leaves", 0, "salt", to="00" * 16 + " "), "proof.json is not of"),
    "nothing shown at all": (
        "files",
        lambda files: files.update({"proof.json": b"[]", "checkpoints.json": b"[]"}),
        "no event names round '17'",
    ),
    "a day that was not": ("manifest", put("day", to="2025-02-29"), "no event names round '17'"),
    "another day": ("manifest", put("day", to="2025-03-03"), "no event names round '17'"),
    "a verdict that is no JSON": ("files", put("verdict.json", to=b"clean"), "verdict.json is no JSON"),
    "footage told twice": ("files", put("footage.json", to=b'{"a":1,"a":2}'), "footage.json is no JSON"),
    "custody that is no JSON": ("files", put("custody.jsonl", to=b"{}\n{\n"), "custody.jsonl is no JSON"),
    "a file outside of the bundle": ("signed", put("../note.txt", to=b""), "too many or lacks"),
    "a file named that is not there": (
        "manifest",
        put("files", 0, "path", to="../note.txt"),
        "names other files",
    ),
    "a total said twice": (
        "files",
        lambda files: files.update(
            {"settlement.json": b'{"wagers":[],"difference_cents":1,"difference_cents":0}'}
        ),
        "settlement.json is no JSON",
    ),
}
BUNDLE_CHANGES |= FORGED
