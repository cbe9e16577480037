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
from projections.evidence.bundle import MANIFEST, SIGNATURE, listed, packed, unpacked
from projections.evidence.bundle_check import Opened, opened
from projections.evidence.checkpoint import public
from replay.cli import main
from schemas import house as houses
from schemas.codec import VERSION, Frame, encode
from schemas.events import Event
from schemas.house import House
from streams.archive import keys
from streams.archive.import_events import archive_of
from tests.script import Script, house

AT: Final = "2099-06-01T10:00:00Z"


def closed(
    folder: Path,
    *scripts: Script,
    by: House | None = None,
    key: bool = True,
    change: Callable[[bytes], bytes] = bytes,
) -> Path:
    """Close an archive of what a table's scripts told, in frames of eight events; `change` spoils its text.

    Without a key nothing is taken or closed: what was played lies beside the empty archive.
    """
    played = folder / "played"
    (played / "events").mkdir(parents=True)
    (played / "house.yaml").write_bytes(msgspec.yaml.encode(by or house()))
    events = [each for script in scripts for each in script.events]
    lines = (encode(frame) + b"\n" for frame in frames(events))
    (played / "events" / "BAC-1.jsonl").write_bytes(change(b"".join(lines)))
    archive = folder / "archive"
    archive.mkdir()
    signing = keys.make(folder / "key")
    keys.make(folder / "releaser")
    if key:
        archive_of(played, archive, houses.read("house.yaml", played), signing)
    return archive


def frames(events: list[Event]) -> list[Frame]:
    """Cut events into frames of eight, each received when its last event was reported."""
    cut = [events[at : at + 8] for at in range(0, len(events), 8)]
    return [
        Frame(v=VERSION, table="BAC-1", frame=number, received=each[-1].at, events=[*each])
        for number, each in enumerate(cut, 1)
    ]


def asked(archive: Path, number: str, *more: object) -> Result:
    """Ask for a bundle of a round, which is written beside the archive, in the place of an earlier one."""
    (archive.parent / "bundle.zip").unlink(missing_ok=True)
    given = [
        *("evidence", archive, "BAC-1", number, "--key", archive.parent / "releaser", "--at", AT),
        *("--by", "sam"),
        *("--out", archive.parent / "bundle.zip", *more),
    ]
    return CliRunner().invoke(main, [str(each) for each in given])


def bundle(archive: Path, number: str, *more: object) -> bytes:
    """Give the bundle of a round."""
    result = asked(archive, number, *more)
    assert result.exit_code == 0, result.output
    content = (archive.parent / "bundle.zip").read_bytes()
    checked(content)
    return content


def checked(content: bytes) -> Opened:
    """Check a bundle by both verifiers; they must agree that it is whole."""
    *_, proven = verifier.checked(content, [], [], [])
    assert proven
    return opened(content)


def files(content: bytes) -> dict[str, bytes]:
    """Give the files of a bundle."""
    with zipfile.ZipFile(io.BytesIO(content)) as held:
        return {name: held.read(name) for name in held.namelist()}


def told(content: bytes, name: str) -> Any:
    """Read one of the JSON files of a bundle."""
    return json.loads(files(content)[f"{name}.json"])


def events(content: bytes) -> list[dict[str, Any]]:
    """Give the events that a bundle shows, part by part, in the order of their leaves."""
    leaves = (json.loads(leaf["content"]) for part in told(content, "proof") for leaf in part["leaves"])
    return [leaf for leaf in leaves if "event" in leaf]


def forged(content: bytes, changed: Mapping[str, bytes], key: Ed25519PrivateKey | None = None) -> bytes:
    """Put other files into a bundle, with their hashes in its manifest; signed anew only with a key."""
    within = {**unpacked(content), **changed}
    signature, manifest = within.pop(SIGNATURE), json.loads(within.pop(MANIFEST))
    manifest["files"] = msgspec.to_builtins(listed(within))
    if key is not None:
        manifest["key"] = public(key)
    text = msgspec.json.encode(manifest)
    if key is not None:
        signature = msgspec.json.encode({"signature": key.sign(text).hex()}) + b"\n"
    return packed({**within, MANIFEST: text, SIGNATURE: signature})
