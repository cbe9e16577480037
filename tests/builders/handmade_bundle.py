"""A bundle made by hand from docs/proofs.md, for the tests of the second verifier.

It shares no code with what makes bundles, nor with the verifier. It is made in stages, and a test may change
what a stage has made: what follows is made from the changed thing, so that the hashes and signatures fit and
only the one check can tell.
"""

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

Change = Callable[[Any], Any]

SIGNER: Final = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
RELEASER: Final = Ed25519PrivateKey.from_private_bytes(b"r" * 32)
STRANGER: Final = Ed25519PrivateKey.from_private_bytes(b"s" * 32)
ARCHIVE: Final = "a1" * 16
DAY: Final = "2025-03-01"
FIRST: Final = "days/2025-03-01/BAC-101.parquet"
LATE: Final = "days/2025-03-01/BAC-101.2.parquet"


def public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def signature(content: bytes, key: Ed25519PrivateKey = SIGNER) -> str:
    return compact({"signature": key.sign(content).hex()}).decode()


# ── trees ────────────────────────────────────────────────────────────────────────────────────────────


def leaf(content: bytes, salt: bytes = b"") -> bytes:
    return sha256(b"\x00" + salt + content).digest()


def split(count: int) -> int:
    k = 1
    while k * 2 < count:
        k *= 2
    return k


def tree(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return sha256(b"\x01" + tree(leaves[:k]) + tree(leaves[k:])).digest()


def proof(leaves: Sequence[bytes], shown: set[int], first: int = 0) -> list[str]:
    """Return the hashes that the walk of docs/proofs.md asks for."""
    here = shown & set(range(first, first + len(leaves)))
    if not here:
        return [tree(leaves).hex()]
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    return proof(leaves[:k], shown, first) + proof(leaves[k:], shown, first + k)


# ── what happened at the table ───────────────────────────────────────────────────────────────────────


def event(kind: str, device: str, seq: int, **told: Any) -> bytes:
    return compact(
        {"event": kind, "device": device, "epoch": 1, "seq": seq, "at": 1740852000000000 + seq, **told}
    )


def record(offset: int, *events: bytes, table: str = "BAC-101") -> list[bytes]:
    """Return the leaves of a record that is a frame of these events: its envelope and each of them."""
    start = compact({"v": 1, "table": table, "frame": offset, "received": 1, "events": []})[:-2]
    gaps = [start, *[b","] * (len(events) - 1), b"]}"]
    told = {
        "cluster": "floor",
        "topic": "floor.frames",
        "partition": 0,
        "offset": offset,
        "received": 1740852000000000,
    }
    return [compact({**told, "key": table.encode().hex(), "gaps": [gap.hex() for gap in gaps]}), *events]


def leaves_of_parts() -> list[list[bytes]]:
    """Return the leaves of two parts; `SHOWN` says which of them are shown."""
    before = event("RoundClosed", "T-1", 8, round="16")
    opened = event("RoundOpened", "T-1", 9, round="17")
    placed = event("ChipsPlaced", "C-1", 4, round="17", seat=5, wager="banker", cents=100_000)
    other = event("ChipsPlaced", "C-1", 5, round="17", seat=2, wager="player", cents=2_500)
    card = event("CardDrawn", "S-1", 40, round="17", card="7♠")
    paid = event("ChipsPaid", "C-1", 6, round="17", seat=5, wager="banker", cents=100_000)
    vigorish = event("VigorishCollected", "T-1", 10, round="17", seat=5, wager="banker", cents=5_000)
    return [
        [
            *record(7, opened, placed),
            card_hidden(8),
            *record(9, other, card),
            *record(10, paid),
            *record(11, before),
        ],
        record(12, vigorish),
    ]


def card_hidden(offset: int) -> bytes:
    """Return a record that is no frame: one gap, no events."""
    told = {
        "cluster": "floor",
        "topic": "floor.frames",
        "partition": 0,
        "offset": offset,
        "received": 1740852000000000,
    }
    return compact({**told, "key": None, "gaps": [b"no frame".hex()]})


SHOWN: Final = ([0, 1, 2, 4, 6, 7, 8], [0, 1])


def settlement() -> Any:
    """Return the sums of three wagers: one rightly paid, one taken too dearly, one left open."""
    banker = {
        "seat": 5,
        "bettor": None,
        "wager": "banker",
        "hand": None,
        "steps": [
            {"says": "1,000.00 at 1 to 1", "cite": "631a.12", "cents": 100_000, "adds": 100_000},
            {"says": "less vigorish of 5%", "cite": "631a.12", "cents": 5_000, "adds": -5_000},
        ],
        "owed_cents": 95_000,
        "observed": [{"part": 0, "leaf": 8, "adds": 100_000}, {"part": 1, "leaf": 1, "adds": -5_000}],
        "paid_cents": 95_000,
        "difference_cents": 0,
    }
    told = {
        "seat": 5,
        "bettor": None,
        "wager": "tie",
        "hand": None,
        "steps": [{"says": "lost", "cite": "631a.12", "cents": 2_000, "adds": -2_000}],
        "owed_cents": -2_000,
        "observed": None,
        "paid_cents": -2_500,
        "difference_cents": -500,
    }
    left = {
        "seat": 5,
        "bettor": None,
        "wager": "bonus",
        "hand": None,
        "steps": [],
        "owed_cents": None,
        "observed": [],
        "paid_cents": 0,
        "difference_cents": None,
    }
    return {"wagers": [banker, told, left], "difference_cents": -500}


# ── the bundle ───────────────────────────────────────────────────────────────────────────────────────


def body(number: int, day: str, before: str | None, entries: Sequence[bytes]) -> dict[str, Any]:
    named = {"number": number - 1, "day": "2025-02-28", "body": before} if before else None
    return {
        "format": "discardrack checkpoint 1",
        "house": "example",
        "archive": ARCHIVE,
        "number": number,
        "day": day,
        "closed": "2025-03-02T12:00:00Z",
        "before": named,
        "salt": "0" * 64,
        "entries": len(entries),
        "root": tree([leaf(line) for line in entries]).hex(),
        "missing": [{"cluster": "floor", "topic": "floor.frames", "partition": 3, "first": 5, "last": 9}],
        "software": "discardrack 0.1.0",
        "key": public(SIGNER),
    }


def pack(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, files[name])
    return packed.getvalue()


def bundle(stage: str = "", change: Change = lambda made: made, key: Ed25519PrivateKey = RELEASER) -> bytes:
    """Make the bundle; what `stage` has made goes through `change`, which may also change it in place.

    The stages: leaves, entries, bodies, checkpoints, proof, settlement, files, manifest, signed.
    """

    def made(name: str, value: Any) -> Any:
        if name != stage:
            return value
        changed = change(value)
        return value if changed is None else changed

    parts = made("leaves", leaves_of_parts())
    salts = [[bytes([at, index]) * 8 for index in range(len(part))] for at, part in enumerate(parts)]
    hashes = [
        [leaf(content, salts[at][index]) for index, content in enumerate(leaves)]
        for at, leaves in enumerate(parts)
    ]
    entries = made(
        "entries",
        [
            {
                "path": path,
                "kind": "part",
                "size": 4096,
                "sha256": "5" * 64,
                "table": "BAC-101",
                "topic": "floor.frames",
                "records": records,
                "leaves": len(hashes[at]),
                "root": tree(hashes[at]).hex(),
            }
            for at, (path, records) in enumerate(((FIRST, 5), (LATE, 1)))
        ],
    )
    others = [
        compact({"path": path, "kind": "house", "size": 1, "sha256": "6" * 64}) for path in ("a", "z1", "z2")
    ]
    lines = [compact(entry) for entry in entries]
    closed = [[others[0], lines[0], *others[1:]], [lines[1]]]
    first = body(12, DAY, "b" * 64, closed[0])
    second = body(13, DAY, digest(compact(first)), closed[1])
    bodies = [compact(each) for each in made("bodies", [first, second])]
    checkpoints = [{"body": each.decode(), "signature": signature(each)} for each in bodies]
    shown = [
        {
            "checkpoint": 12 + at,
            "entry": {
                "index": index,
                "line": lines[at].decode(),
                "hidden": proof([leaf(line) for line in closed[at]], {index}),
            },
            "leaves": [
                {"index": each, "salt": salts[at][each].hex(), "content": parts[at][each].decode()}
                for each in SHOWN[at]
            ],
            "hidden": proof(hashes[at], set(SHOWN[at])),
        }
        for at, index in enumerate((1, 0))
    ]
    files = dict.fromkeys(
        ("verdict.json", "explanation.json", "rulebook.json", "footage.json", "withheld.json"), b"{}"
    )
    files |= {"custody.jsonl": b"{}\n", "page.html": b"<!doctype html>", "verify.py": b"print()\n"}
    files["checkpoints.json"] = compact(made("checkpoints", checkpoints))
    files["proof.json"] = compact(made("proof", shown))
    files["settlement.json"] = compact(made("settlement", settlement()))
    files = made("files", files)
    manifest = {
        "format": "discardrack bundle 1",
        "software": "discardrack 0.1.0",
        "command": ["discardrack", "evidence"],
        "at": "2025-03-05T10:00:00Z",
        "by": "an investigator",
        "why": None,
        "house": "example",
        "archive": ARCHIVE,
        "table": "BAC-101",
        "day": DAY,
        "round": "17",
        "shoe": "S-77",
        "seats": ["5"],
        "staff": False,
        "files": [
            {"path": name, "size": len(files[name]), "sha256": digest(files[name])} for name in sorted(files)
        ],
        "key": public(key),
    }
    files["bundle.json"] = compact(made("manifest", manifest))
    files["bundle.sig"] = signature(files["bundle.json"], key).encode() + b"\n"
    return pack(made("signed", files))


def line(number: int) -> str:
    """Return the line of a checkpoint of the unchanged bundle."""
    with zipfile.ZipFile(io.BytesIO(bundle())) as archive:
        told = json.loads(archive.read("checkpoints.json"))[number - 12]["body"].encode()
    return f"discardrack 1 {ARCHIVE} {number} {DAY} {digest(told)}"
