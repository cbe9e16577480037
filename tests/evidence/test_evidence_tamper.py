"""A bundle that was changed: every byte, every file, and what was made again and signed by another key."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from projections.evidence import verifier
from projections.evidence.bundle import MANIFEST, SIGNATURE, opened, packed, unpacked
from schemas.errors import BadInput
from streams.archive.inclusion import ClosedArchive
from tests.builders.evidence_bundles import (
    archive_scripts,
    build_bundle,
    bundle_files,
    forge_bundle,
    read_bundle_json,
)
from tests.builders.table_script import BANKER_WINS, PLAYER_WINS, Script

OTHER: Final = Ed25519PrivateKey.from_private_bytes(bytes(32))
LONG: Final = 500  # bytes


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a closed archive of two rounds of two seats."""
    table = Script()
    table.open()
    for _ in range(2):
        wagers = {(1, "banker"): 4000, (3, "player"): 2500}
        gains = {(1, "banker"): 4500, (3, "player"): -2500}
        table.play(BANKER_WINS, wagers, "banker", gains, {(1, "banker"): 200})
    table.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): 1000})
    table.close()
    return archive_scripts(tmp_path_factory.mktemp("closed"), table)


@pytest.fixture(scope="module")
def whole(archive: Path) -> bytes:
    """Return the bundle of seat 1 in the second round."""
    return build_bundle(archive, "2", "--seat", 1)


def wrong(content: bytes) -> str:
    """Return what the bundle's check finds wrong; the verifier in it must find something wrong too."""
    with pytest.raises(verifier.CheckFailed):
        list(verifier.verify_bundle(content, [], [], []))
    with pytest.raises(BadInput) as found:
        opened(content)
    return str(found.value)


def test_every_byte_counts(whole: bytes) -> None:
    """Every byte of a zip file changed in turn; of files that are long the beginning is packed."""
    files = {name: content[:LONG] for name, content in bundle_files(whole).items()}
    assert max(map(len, files.values())) == LONG
    content = bytearray(packed(files))
    assert unpacked(bytes(content))
    unseen = []
    for at in range(len(content)):
        content[at] ^= 1 + at % 255
        try:
            unpacked(bytes(content))
            unseen.append(at)
        except BadInput:
            pass
        content[at] ^= 1 + at % 255
    assert unseen == []


def test_bytes_changed_at_random_are_found_by_both_verifiers(whole: bytes) -> None:
    chance = Random("bundle")  # noqa: S311  to be repeated, not to be secret
    for _ in range(200):
        content = bytearray(whole)
        content[chance.randrange(len(content))] ^= chance.randrange(1, 256)
        assert wrong(bytes(content))


def test_a_byte_of_each_file_changed_and_packed_again_is_found_by_its_hash(whole: bytes) -> None:
    for name, text in bundle_files(whole).items():
        spoilt = packed({**bundle_files(whole), name: text[:-2] + b" " + text[-1:]})
        assert name in wrong(spoilt) or "signature" in wrong(spoilt)


def test_a_file_gone_added_or_swapped_is_named(whole: bytes) -> None:
    within = bundle_files(whole)
    for name in within:
        assert (
            wrong(packed({each: text for each, text in within.items() if each != name}))
            == f"{name}: is missing"
        )
    assert wrong(packed({**within, "note.txt": b""})) == "note.txt: is no file of a bundle"
    swapped = {**within, "verdict.json": within["rulebook.json"], "rulebook.json": within["verdict.json"]}
    assert wrong(packed(swapped)) == "rulebook.json: is not the file that the manifest names"


@pytest.mark.parametrize("cut", [0, 1, 22, 100, 5000])
def test_a_bundle_cut_short_is_none(whole: bytes, cut: int) -> None:
    assert wrong(whole[: len(whole) - cut - 1] if cut else b"")


def test_what_stands_before_or_after_it_is_found(whole: bytes) -> None:
    assert "the zip file is not written as a bundle is" in wrong(whole + b"\n")
    assert "not a zip file" in wrong(b"\n" + whole)


def test_a_forged_verdict_with_its_hash_made_again_fails_by_the_signature(whole: bytes) -> None:
    verdict = json.loads(bundle_files(whole)["verdict.json"])
    verdict["verdict"] = "clean"
    spoilt = forge_bundle(whole, {"verdict.json": json.dumps(verdict).encode()})
    assert wrong(spoilt) == "bundle.json: the signature is not by the key that it names, or not of this text"


def test_a_bundle_remade_with_another_key_is_detected_by_the_key_alone(whole: bytes) -> None:
    spoilt = forge_bundle(whole, {"footage.json": b'{"statement":"none"}'}, OTHER)
    assert opened(spoilt).manifest.key == "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"
    with pytest.raises(verifier.CheckFailed):
        list(verifier.verify_bundle(spoilt, [opened(whole).manifest.key], [], []))


# ── made anew and signed by someone: what the proof and the sums tell all the same ───────────────────


Change = Callable[[Any], None]


def resigned(whole: bytes, name: str, change: Change) -> bytes:
    """Change one of a bundle's JSON files, and sign the whole again."""
    value = read_bundle_json(whole, name)
    change(value)
    return forge_bundle(whole, {f"{name}.json": json.dumps(value, separators=(",", ":")).encode()}, OTHER)


def _content(part: Any) -> None:
    leaf = next(each for each in part[0]["leaves"] if "ChipsPaid" in each["content"])
    leaf["content"] = leaf["content"].replace("4500", "3800")


def _moved(part: Any) -> None:
    part[0]["leaves"][-1]["index"] += 1


def _salted(part: Any) -> None:
    part[0]["leaves"][3]["salt"] = "0" * 32


def _dropped(part: Any) -> None:
    del part[0]["leaves"][3]


def _hash(part: Any) -> None:
    part[0]["hidden"][0] = "0" * 64


def _more(part: Any) -> None:
    part[0]["hidden"].append("0" * 64)


def _line(part: Any) -> None:
    part[0]["entry"]["line"] = part[0]["entry"]["line"].replace('"records":', '"records":1')


def _place(part: Any) -> None:
    part[0]["entry"]["index"] += 1


def _checkpoint(part: Any) -> None:
    part[0]["checkpoint"] = 9


def _twice(part: Any) -> None:
    part.append(part[0])


def _signed(checkpoints: Any) -> None:
    checkpoints[0]["body"] = checkpoints[0]["body"].replace("2025-04-01", "2025-04-02")


def _owed(settlement: Any) -> None:
    settlement["wagers"][0]["owed_cents"] += 100


def _step(settlement: Any) -> None:
    settlement["wagers"][0]["steps"][0]["adds"] += 100


def _paid(settlement: Any) -> None:
    settlement["wagers"][0]["paid_cents"] += 100


def _event(settlement: Any) -> None:
    settlement["wagers"][0]["observed"][0]["leaf"] += 1


def _amount(settlement: Any) -> None:
    settlement["wagers"][0]["observed"][0]["adds"] += 100
    settlement["wagers"][0]["observed"][1]["adds"] -= 100


def _difference(settlement: Any) -> None:
    settlement["wagers"][0]["difference_cents"] = 0


def _total(settlement: Any) -> None:
    settlement["difference_cents"] += 1


FORGED: Final[dict[str, tuple[str, Change, str]]] = {
    "an event's content": ("proof", _content, "does not make the root"),
    "an event at another leaf": ("proof", _moved, "hashes than its tree asks for"),
    "another salt": ("proof", _salted, "does not make the root"),
    "an event left out": ("proof", _dropped, "hashes than its tree asks for"),
    "a hidden hash": ("proof", _hash, "does not make the root"),
    "a hash too many": ("proof", _more, "proof has more hashes"),
    "another entry": ("proof", _line, "does not make the root"),
    "an entry at another place": ("proof", _place, "does not make the root"),
    "a checkpoint that is not there": ("proof", _checkpoint, "checkpoint 9 is not in the bundle"),
    "a part twice": ("proof", _twice, "shows days/2025-04-01/BAC-1.parquet twice"),
    "a checkpoint's day": ("checkpoints", _signed, "checkpoint 1: the signature is not"),
    "what was owed": ("settlement", _owed, "the steps do not make what was owed"),
    "what a step adds": ("settlement", _step, "the steps do not make what was owed"),
    "what was paid": ("settlement", _paid, "the events do not make what was paid"),
    "an event that tells of it": ("settlement", _event, "does not tell of 4500 cents of it"),
    "what an event adds": ("settlement", _amount, "does not tell of 4600 cents of it"),
    "the difference": (
        "settlement",
        _difference,
        "paid less owed, less what is permitted, is not the difference",
    ),
    "the total": ("settlement", _total, "the differences do not make their total"),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_is_forged_is_found_whoever_signed_it(whole: bytes, what: str) -> None:
    name, change, says = FORGED[what]
    assert says in wrong(resigned(whole, name, change))


@pytest.mark.parametrize(
    ("field", "value"),
    [("archive", "0" * 32), ("house", "another"), ("round", "1"), ("table", "BAC-2"), ("format", "other")],
)
def test_a_manifest_of_something_else_does_not_fit_what_is_shown(
    whole: bytes, field: str, value: str
) -> None:
    within = bundle_files(whole)
    manifest = {**json.loads(within[MANIFEST]), field: value}
    manifest["key"] = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"
    text = json.dumps(manifest, separators=(",", ":")).encode()
    signature = json.dumps({"signature": OTHER.sign(text).hex()}, separators=(",", ":")).encode() + b"\n"
    assert wrong(packed({**within, MANIFEST: text, SIGNATURE: signature}))


def test_an_event_of_another_hand_is_refused_though_its_proof_holds(archive: Path, whole: bytes) -> None:
    """Whoever holds the archive could show another hand under this one's name."""
    shown = ClosedArchive(archive)
    day = opened(whole).manifest.day
    hand = shown.hand("BAC-1", "1", day, lambda _: day, staff=False)
    proof = msgspec.json.encode(shown.proofs_of(hand.own))
    with pytest.raises(BadInput, match="is an event of round 1"):
        opened(forge_bundle(whole, {"proof.json": proof}, OTHER))
