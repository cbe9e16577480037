"""Check an evidence bundle: does the hand that it discloses stand in an archive that was closed and signed?

This program lies in every bundle as verify.py. It needs Python 3.9 or newer and the library cryptography. It
opens no network connection and reads no file but the bundle:

    unzip -p bundle.zip verify.py > verify.py
    python verify.py bundle.zip [--key PUBLIC]... [--archive-key PUBLIC]... [--line "discardrack 1 ..."]...

It prints one line for each check. The exit status is 0 if every check holds. At the first check that fails it
prints a line that begins with WRONG, and the exit status is 1.

A bundle could be altered together with the program inside it. What you know from elsewhere helps against
that: a copy of this program from a source that you trust, and three options. `--key` is the public key of
whoever released the bundle. `--archive-key` is the public key of whoever closed the archive's days. `--line`
is the line of a checkpoint, as it was written down outside the archive.

The program is written from the page docs/proofs.md alone and shares no code with the programs that make
bundles. Each function names the passage of that page that it implements. Read the file from top to bottom:

     1. What a bundle is: the names of its files and the largest size.
     2. How a check fails.
     3. The zip file, which can be packed in one way only.
     4. JSON, and the kinds of values in it.
     5. Ed25519 keys and signatures.
     6. The manifest (bundle.json): who released which files.
     7. The checkpoints (checkpoints.json): who closed which days, each following the one before it.
     8. The Merkle tree: how a few leaves are proven to be in a tree of many.
     9. The events, and the frames in which they reached the archive.
    10. The parts of the archive (proof.json): the events, under the roots of the checkpoints.
    11. What the disclosed events have to do with the hand.
    12. The settlement (settlement.json): sums that anyone can add again.
    13. All checks in order, and what they prove and do not prove.
    14. The command line.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
import zipfile
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# ── 1. What a bundle is ──────────────────────────────────────────────────────────────────────────────
# A bundle is a zip file about one hand. It holds exactly these files.

FILE_NAMES = (
    "bundle.json",  # the manifest: which hand this is, and the size and hash of every other file
    "bundle.sig",  # the releaser's signature over bundle.json
    "checkpoints.json",  # the signed checkpoints of the archive that closed the disclosed events
    "custody.jsonl",  # who released the bundle and who handled the hand
    "explanation.json",  # each finding with its steps and the regulation behind it
    "footage.json",  # the hash of the footage, or a statement that there is none
    "page.html",  # all of this for people
    "proof.json",  # the disclosed events, and the hashes that lead from them to a checkpoint
    "rulebook.json",  # the text and the options by which the hand was judged
    "settlement.json",  # what was owed and paid on each wager
    "verdict.json",  # the conclusion about the hand
    "verify.py",  # this program
    "withheld.json",  # how many events of the hand are not disclosed, and why
)

# If pictures, clips or scans were attached to the dispute of the hand, they are in the bundle too: a list of
# them, and each of them under the name attachments/ followed by the hash of its content.
LIST_OF_ATTACHMENTS = "attachments.json"
ATTACHMENT_NAME = "attachments/([0-9a-f]{64})"

# The releaser states the content of these files. They have to be JSON; nothing else about them can be
# checked.
STATEMENT_NAMES = ("explanation.json", "footage.json", "rulebook.json", "verdict.json", "withheld.json")

# No bundle is larger. Of a larger file the rest is not read, and then it is no zip file of a bundle.
MOST_BYTES = 256 * 1024 * 1024

# ── 2. How a check fails ─────────────────────────────────────────────────────────────────────────────


class CheckFailed(Exception):
    """A check that does not hold, with the one line that says what is wrong."""


def require(condition: object, failure: str) -> None:
    """Raise CheckFailed with a message unless a condition holds."""
    if not condition:
        raise CheckFailed(failure)


# ── 3. The zip file ──────────────────────────────────────────────────────────────────────────────────

# In a zip file, a header of 30 bytes and the file's name stand before each file. The header begins with the
# mark. At 18 it has the length of the content, at 26 that of the name, in four and two bytes.
HEADER_MARK = b"PK\x03\x04"
HEADER_LENGTH = 30


def read_zip(data: bytes) -> dict[str, bytes]:
    """Return the files of the bundle by name.

    Checked: the zip file holds exactly the files of a bundle, and packing them again gives the same bytes.
    Why: the format allows comments, hidden files, overlapping files and other places where bytes can stand
    unnoticed. If the whole can be packed again from these files, then there is nothing besides them.
    Implements docs/proofs.md, "The zip file".
    """
    files = cut_out_files(data)
    required = {name for name in files if not is_name_of_attachments(name)}
    differing = sorted(required ^ set(FILE_NAMES))
    require(not differing, f"this is no bundle: it has too many or lacks {differing}")
    require(pack_files(files) == data, "the zip file is not packed as a bundle is: some byte is another")
    return files


def is_name_of_attachments(name: str) -> bool:
    """Return True if a file of this name is one of the attachments, or the list of them.

    Implements docs/proofs.md, "attachments.json".
    """
    return name == LIST_OF_ATTACHMENTS or re.fullmatch(ATTACHMENT_NAME, name) is not None


def cut_out_files(data: bytes) -> dict[str, bytes]:
    """Return the files that stand one behind the other at the beginning of a zip file, by name.

    Checked: nothing; read_zip checks the result.
    Why: a zip file also lists its files at its end. A list that names one file many times, and files that are
    compressed, let a small zip file unpack to far more than the memory holds. This function believes neither.
    It copies each stretch of the data once at most.
    Implements docs/proofs.md, "The zip file" (stored and not compressed).
    """
    files: dict[str, bytes] = {}
    header_start = 0
    while data[header_start : header_start + 4] == HEADER_MARK:
        content_length = int.from_bytes(data[header_start + 18 : header_start + 22], "little")
        name_length = int.from_bytes(data[header_start + 26 : header_start + 28], "little")
        name_start = header_start + HEADER_LENGTH
        content_start = name_start + name_length
        content_end = content_start + content_length
        name = data[name_start:content_start].decode("ascii", "replace")
        files[name] = data[content_start:content_end]
        header_start = content_end
    return files


def pack_files(files: dict[str, bytes]) -> bytes:
    """Return the zip file of a bundle's files, packed in the one way in which a bundle is.

    Implements docs/proofs.md, "The zip file": by name, not compressed, each with the time 1980-01-01 00:00,
    made by Unix (system 3) with the permissions 0644.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return packed.getvalue()


# ── 4. JSON, and the kinds of values in it ───────────────────────────────────────────────────────────
# Two programs must not read the same file differently. So JSON is refused if its meaning depends on who reads
# it, and every value that a check uses has to be of the kind that docs/proofs.md gives.

MOST_DIGITS = 4300  # of a number; Python reads no more
MOST_MICROSECONDS = 253 * 10**15  # from 1970 to the year 9987, the last time of an event


def read_json(content: bytes, what: str) -> Any:
    """Return the value that some JSON text stands for.

    Checked: the text is UTF-8 and JSON, no object repeats a name, no text holds half a surrogate pair, no
    number is infinite or not a number, and none has more than 4,300 digits.
    Why: where a name is repeated, some programs take the first value and some the last. A signed file would
    then say one thing to this program and another to somebody else's.
    Implements docs/proofs.md, "The zip file" (its JSON must read the same for every parser).
    """
    try:
        value = json.loads(
            content.decode("utf-8"), object_pairs_hook=object_without_repeats, parse_int=whole_number
        )
        # Writing the value again fails for what reading lets pass: half a surrogate pair, NaN and infinity.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except (ValueError, RecursionError):
        raise CheckFailed(f"{what} is no JSON that everybody would read alike") from None
    return value


def object_without_repeats(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object of its names and values. Raise ValueError if a name is repeated."""
    result = dict(members)
    if len(result) != len(members):
        raise ValueError("a name is repeated in an object")
    return result


def whole_number(digits: str) -> int:
    """Return the whole number that JSON writes with these digits. Raise ValueError if they are too many."""
    if len(digits.lstrip("-")) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    return int(digits)


def require_form(condition: object, what: str) -> None:
    """Raise CheckFailed unless a value has the form that the page gives."""
    require(condition, f"{what} is not of the form that docs/proofs.md gives")


def is_null(value: Any) -> bool:
    """Return True if a value is null."""
    return value is None


def is_text(value: Any) -> bool:
    """Return True if a value is text."""
    return isinstance(value, str)


def is_text_or_null(value: Any) -> bool:
    """Return True if a value is text or null."""
    return value is None or is_text(value)


def is_count(value: Any) -> bool:
    """Return True if a value is a whole number from 0 to 2^63 - 1. True and false are no numbers."""
    return type(value) is int and 0 <= value < 2**63


def is_cents(value: Any) -> bool:
    """Return True if a value is a sum in cents: a whole number from -(2^63 - 1) to 2^63 - 1."""
    return type(value) is int and -(2**63) < value < 2**63


def is_cents_or_null(value: Any) -> bool:
    """Return True if a value is a sum in cents or null."""
    return value is None or is_cents(value)


def is_time(value: Any) -> bool:
    """Return True if a value is a time: whole microseconds since the beginning of 1970, UTC."""
    return type(value) is int and 0 <= value <= MOST_MICROSECONDS


def is_bytes_in_hexadecimal(value: Any) -> bool:
    """Return True if a value is text of an even number of lowercase hexadecimal digits."""
    return is_text(value) and re.fullmatch("([0-9a-f]{2})*", value) is not None


def is_hash(value: Any) -> bool:
    """Return True if a value is a SHA-256 hash: 64 lowercase hexadecimal digits."""
    return is_text(value) and re.fullmatch("[0-9a-f]{64}", value) is not None


def is_public_key(value: Any) -> bool:
    """Return True if a value is a public key: 64 lowercase hexadecimal digits."""
    return is_text(value) and re.fullmatch("[0-9a-f]{64}", value) is not None


def is_salt_or_archive(value: Any) -> bool:
    """Return True if a value is a salt or the name of an archive: 32 lowercase hexadecimal digits."""
    return is_text(value) and re.fullmatch("[0-9a-f]{32}", value) is not None


def is_provision(value: Any) -> bool:
    """Return True if a value cites a provision: 1 to 40 digits, letters, points and parentheses."""
    return is_text(value) and re.fullmatch("[0-9A-Za-z.()]{1,40}", value) is not None


def is_list_of(value: Any, is_element: Callable[[Any], bool]) -> bool:
    """Return True if a value is a list and each of its elements is of a kind."""
    return isinstance(value, list) and all(is_element(element) for element in value)


def is_object(value: Any) -> bool:
    """Return True if a value is a JSON object."""
    return isinstance(value, dict)


# ── 5. Ed25519 keys and signatures ───────────────────────────────────────────────────────────────────
# A public key is a point of the curve: its 255 low bits are the point's y coordinate, a number below the
# prime. Eight points have a small order (1, 2, 4 or 8), and these are their five y coordinates. Under such a
# key a signature that nobody made fits any text, or every few. A coordinate of the prime or more writes a
# point in a second way.

PRIME = 2**255 - 19
Y_OF_ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
Y_OF_SMALL_ORDER = {
    1,  # order 1
    PRIME - 1,  # order 2
    0,  # order 4
    Y_OF_ORDER_8,
    PRIME - Y_OF_ORDER_8,
}


def check_signature(public_key: str, signature_line: bytes, signed_content: bytes, what: str) -> None:
    """Check that a key has signed some content.

    Checked: the key is one by which only its holder can sign; the line is written in the one way; and the
    signature in it is of this content by this key.
    Why: everything else in a bundle is believed as far as one of its two signers vouches for it.
    Implements docs/proofs.md, "Proofs" (signatures and keys) and "The zip file" (keys that are refused).
    """
    y_coordinate = int.from_bytes(bytes.fromhex(public_key), "little") % 2**255
    safe = y_coordinate < PRIME and y_coordinate not in Y_OF_SMALL_ORDER
    require(safe, f"{what} names a key by which anyone can sign")
    not_signed = f"{what} is not signed by the key that it names"
    line = re.fullmatch(rb'\{"signature":"([0-9a-f]{128})"\}\n', signature_line)
    if line is None:
        raise CheckFailed(not_signed)
    signature = bytes.fromhex(line.group(1).decode("ascii"))
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(signature, signed_content)
    except (InvalidSignature, ValueError):  # ValueError: the key is no point of the curve
        raise CheckFailed(not_signed) from None


# ── 6. The manifest ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Manifest:
    """Manifest of a bundle, bundle.json: which hand of which archive this is, and whose key released it."""

    house: str
    archive: str
    table: str
    day: str
    round: str
    files: list[dict[str, Any]]
    key: str


def read_manifest(files: dict[str, bytes]) -> Manifest:
    """Return the manifest, having checked its signature and all files that it names.

    Checked: bundle.json has its form; bundle.sig is the signature over it by the key that it names; it names
    every other file with its size and hash; the statements are JSON; the custody log is JSON line by line.
    Why: with this one signature the releaser answers for every byte of the bundle.
    Implements docs/proofs.md, "A bundle: one hand for a third party" and "bundle.json".
    """
    value = read_json(files["bundle.json"], "bundle.json")
    require_form(is_manifest(value), "bundle.json")
    manifest = Manifest(
        house=value["house"],
        archive=value["archive"],
        table=value["table"],
        day=value["day"],
        round=value["round"],
        files=value["files"],
        key=value["key"],
    )
    check_signature(manifest.key, files["bundle.sig"], files["bundle.json"], "bundle.json")
    check_files_of_manifest(manifest, files)
    check_statements(files)
    return manifest


def is_manifest(value: Any) -> bool:
    """Return True if a value has the form of a manifest.

    Implements docs/proofs.md, "bundle.json", as far as a check reads it.
    """
    return (
        is_object(value)
        and value.get("format") == "discardrack bundle 1"
        and is_text(value.get("house"))
        and is_salt_or_archive(value.get("archive"))
        and is_text(value.get("day"))
        and is_public_key(value.get("key"))
        and is_text(value.get("table"))
        and is_text(value.get("round"))
        and is_list_of(value.get("files"), is_file_of_manifest)
    )


def is_file_of_manifest(value: Any) -> bool:
    """Return True if a value names a file of the bundle, with its size and hash."""
    return (
        is_object(value)
        and is_text(value.get("path"))
        and is_count(value.get("size"))
        and is_hash(value.get("sha256"))
    )


def check_files_of_manifest(manifest: Manifest, files: dict[str, bytes]) -> None:
    """Check that the manifest names every file but itself and its signature, and each as it is.

    Why: the signature is over bundle.json alone. The hashes in it extend the signature to the other files.
    Implements docs/proofs.md, "bundle.json" (files: by path, all files but this one and bundle.sig).
    """
    present = []
    for name in sorted(files):
        if name not in {"bundle.json", "bundle.sig"}:
            digest = sha256(files[name]).hexdigest()
            present.append({"path": name, "size": len(files[name]), "sha256": digest})
    require(
        manifest.files == present, "bundle.json names other files than there are, or another size or hash"
    )


def check_statements(files: dict[str, bytes]) -> None:
    """Check that the releaser's statements are JSON, and that each line of the custody log is a JSON object.

    Why: everyone has to read the same in them. Whether they are right, no program can check.
    Implements docs/proofs.md, "The zip file" (the five files that are plain JSON).
    """
    for name in STATEMENT_NAMES:
        read_json(files[name], name)
    for line in files["custody.jsonl"].splitlines():
        require_form(is_object(read_json(line, "a line of custody.jsonl")), "a line of custody.jsonl")


def check_attachments(files: dict[str, bytes]) -> int:
    """Return how many files were attached, having checked that each is what the list says.

    Checked: the list names each attached file once, in the order of their hashes, with its size; each file
    lies under the hash of its content; no list is empty, and no attached file is without one.
    Why: the hash of a file stands in the record of the dispute since the file was attached. Whoever has that
    record can see that it is this file. What a picture shows, no program can check.
    Implements docs/proofs.md, "attachments.json".
    """
    names = sorted(name for name in files if is_name_of_attachments(name) and name != LIST_OF_ATTACHMENTS)
    if LIST_OF_ATTACHMENTS not in files:
        require(not names, "a file is attached, and attachments.json is missing")
        return 0
    listed = read_json(files[LIST_OF_ATTACHMENTS], LIST_OF_ATTACHMENTS)
    is_whole = is_list_of(listed, is_attachment) and listed
    require_form(is_whole, LIST_OF_ATTACHMENTS)
    for name in names:
        content_hash = sha256(files[name]).hexdigest()
        require(name == "attachments/" + content_hash, f"{name} is not the file that was attached")
    present = [(name, len(files[name])) for name in names]
    stated = [("attachments/" + attachment["sha256"], attachment["size"]) for attachment in listed]
    require(stated == present, "attachments.json names other files than are attached, or another size")
    return len(present)


def is_attachment(value: Any) -> bool:
    """Return True if a value describes an attached file: its name, its hash, its size and its type."""
    return (
        is_object(value)
        and is_text(value.get("name"))
        and is_hash(value.get("sha256"))
        and is_count(value.get("size"))
        and is_text(value.get("type"))
    )


# ── 7. The checkpoints and their chain ───────────────────────────────────────────────────────────────
# Each gaming day of an archive is closed by a checkpoint. It is signed by the archive's key, and it names the
# hash of the checkpoint before it. So nobody can change a checkpoint without changing all that follow it.


@dataclass(frozen=True)
class Checkpoint:
    """Checkpoint of an archive: it closed a gaming day, and its root covers all that was archived of it."""

    house: str
    archive: str
    number: int
    day: str
    number_before: int  # of the checkpoint before it; 0 if it is the first
    hash_before: str | None  # of the checkpoint before it
    entries: int  # how many lines the tree under the root has
    root: str
    spans_lost: int  # stretches of records that were lost before they could be archived
    key: str
    hash: str  # of its own body

    def line(self) -> str:
        """Return the line to keep elsewhere.

        Implements docs/proofs.md, "The line to keep elsewhere".
        """
        return f"discardrack 1 {self.archive} {self.number} {self.day} {self.hash}"


def read_checkpoints(content: bytes, manifest: Manifest) -> dict[int, Checkpoint]:
    """Return the checkpoints of checkpoints.json by number.

    Checked: each is signed by the key that it names, is of the manifest's archive and house, stands behind
    one of a lower number, and names the number before its own. If the checkpoint of that number is here, then
    it also names its hash.
    Why: the checkpoints are what the archive's closer signed, and the proof of every event ends at one.
    Implements docs/proofs.md, "A checkpoint" and "bundle.json" (house and archive equal those of every one).
    """
    value = read_json(content, "checkpoints.json")
    require_form(is_list_of(value, is_signed_checkpoint), "checkpoints.json")
    checkpoints: dict[int, Checkpoint] = {}
    last_number = 0
    for signed in value:
        body = signed["body"].encode("utf-8")
        checkpoint = read_checkpoint_body(body)
        where = f"checkpoint {checkpoint.number}"
        signature_line = signed["signature"].encode("utf-8") + b"\n"
        check_signature(checkpoint.key, signature_line, body, where)
        same_archive = checkpoint.house == manifest.house and checkpoint.archive == manifest.archive
        require(same_archive, f"{where} is of another archive")
        require(checkpoint.number > last_number, f"{where} is out of place: they stand by number, from 1")
        check_chain(checkpoint, checkpoints)
        checkpoints[checkpoint.number] = checkpoint
        last_number = checkpoint.number
    return checkpoints


def is_signed_checkpoint(value: Any) -> bool:
    """Return True if a value has the text of a checkpoint's body and the text of its signature's line."""
    return is_object(value) and is_text(value.get("body")) and is_text(value.get("signature"))


def read_checkpoint_body(body: bytes) -> Checkpoint:
    """Return the checkpoint that its body describes. The caller checks the signature.

    Checked: the body is JSON and has its form.
    Why: a value of another kind (a number as text, say) could pass a comparison in one program only.
    Implements docs/proofs.md, "A checkpoint" (1, the body).
    """
    what = "the body of a checkpoint"
    value = read_json(body, what)
    require_form(is_checkpoint_body(value), what)
    before = value["before"]
    return Checkpoint(
        house=value["house"],
        archive=value["archive"],
        number=value["number"],
        day=value["day"],
        number_before=0 if before is None else before["number"],
        hash_before=None if before is None else before["body"],
        entries=value["entries"],
        root=value["root"],
        spans_lost=len(value["missing"]),
        key=value["key"],
        hash=sha256(body).hexdigest(),
    )


def is_checkpoint_body(value: Any) -> bool:
    """Return True if a value has the form of a checkpoint's body.

    Implements docs/proofs.md, "A checkpoint" (1, the body), as far as a check reads it.
    """
    return (
        is_object(value)
        and value.get("format") == "discardrack checkpoint 1"
        and is_text(value.get("house"))
        and is_salt_or_archive(value.get("archive"))
        and is_text(value.get("day"))
        and is_public_key(value.get("key"))
        and is_count(value.get("number"))
        and is_list_of(value.get("missing"), is_object)
        and "before" in value
        and (value["before"] is None or is_reference_to_checkpoint(value["before"]))
        and is_count(value.get("entries"))
        and is_hash(value.get("root"))
    )


def is_reference_to_checkpoint(value: Any) -> bool:
    """Return True if a value names a checkpoint by its number and the hash of its body."""
    return is_object(value) and is_count(value.get("number")) and is_hash(value.get("body"))


def check_chain(checkpoint: Checkpoint, earlier: dict[int, Checkpoint]) -> None:
    """Check that a checkpoint names the number before its own, and that checkpoint's hash if it is here.

    Why: the hash in it fixes the whole history before it. A checkpoint in the middle cannot be exchanged.
    Implements docs/proofs.md, "A checkpoint" (the number counts without a gap; before).
    """
    where = f"checkpoint {checkpoint.number}"
    number_before = checkpoint.number - 1
    require(checkpoint.number_before == number_before, f"{where} skips the one before it")
    if number_before in earlier:
        same_hash = checkpoint.hash_before == earlier[number_before].hash
        require(same_hash, f"{where} does not follow {number_before}")


def covered_checkpoints(checkpoints: dict[int, Checkpoint], kept_lines: list[str]) -> set[int]:
    """Return the numbers of the checkpoints that the lines kept elsewhere cover.

    Checked: each line is that of a checkpoint in the bundle.
    Why: whoever holds the archive's key can sign a changed archive anew. A line that was written down
    elsewhere at the time shows that. It covers its own checkpoint. Through the hashes it covers those before
    it, too, as far as they follow each other here without a gap.
    Implements docs/proofs.md, "The line to keep elsewhere" and "A bundle: one hand for a third party"
    (--line).
    """
    lines = [" ".join(line.split()) for line in kept_lines]  # any number of spaces between words
    lines_here = {checkpoint.line() for checkpoint in checkpoints.values()}
    for line in lines:
        require(line in lines_here, f"no checkpoint here has the line '{line}'")
    covered: set[int] = set()
    for number in sorted(checkpoints, reverse=True):
        if checkpoints[number].line() in lines or number + 1 in covered:
            covered.add(number)
    return covered


def check_signers(
    manifest: Manifest, checkpoints: dict[int, Checkpoint], keys: list[str], archive_keys: list[str]
) -> None:
    """Check who signed: the releaser and the closer of the days are two, and those whom the options name.

    Why: a releaser who could close days could also invent the days. That a key is its owner's can only be
    learned from elsewhere, so the keys of the options are compared with those in the bundle.
    Implements docs/proofs.md, "A bundle: one hand for a third party" (--key and --archive-key).
    """
    closers = {checkpoint.key for checkpoint in checkpoints.values()}
    require(manifest.key not in closers, "who released the bundle has signed a checkpoint, too")
    require(
        all(key == manifest.key for key in keys),
        f"another key released it than --key names: {manifest.key}",
    )
    if archive_keys:
        require(
            set(archive_keys) == closers,
            f"other keys closed it than --archive-key names: {in_braces(closers)}",
        )


def in_braces(values: set[Any]) -> str:
    """Return some numbers or texts in their order, as a line of the report lists them.

    >>> in_braces({13, 12})
    '{12, 13}'
    """
    return "{" + ", ".join(repr(value) for value in sorted(values)) + "}"


# ── 8. The Merkle tree ───────────────────────────────────────────────────────────────────────────────
# A tree has one hash, its root, over any number of leaves. Whoever knows some leaves, and the hashes that
# stand for all others, can compute the root. If it comes out as signed, then these leaves stand in the tree
# at these places: nobody can find other leaves that give the same root. Of the other leaves the hashes tell
# nothing.


def merkle_root(size: int, disclosed: dict[int, bytes], hidden: list[str]) -> str:
    """Return the root of a tree of some leaves and of the hashes that stand for the others.

    `size` is the number of all leaves. `disclosed` has the salted content of the known leaves by their place,
    from 0. `hidden` has the other hashes in the order in which the walk below needs them.

    Checked: every known leaf has a place in the tree, and the walk uses every hash. The caller compares the
    root with the signed one.
    Why: a hash that the walk does not need would be bytes that nothing proves.
    Implements docs/proofs.md, "The tree" and "A proof".
    """
    for place in disclosed:
        require(place < size, "a proof shows a leaf that its tree does not have")
    require(size > 0, "a proof shows a leaf that its tree does not have")
    walk = MerkleWalk(disclosed, hidden)
    root = walk.hash_of_range(0, size)
    require(walk.hidden_hashes_used >= len(hidden), "a proof has more hashes than its tree asks for")
    return root.hex()


class MerkleWalk:
    """Walk over a tree from its first leaf to its last, which computes the hash of each range of leaves.

    Implements docs/proofs.md, "A proof".
    """

    def __init__(self, disclosed: dict[int, bytes], hidden: list[str]) -> None:
        self.disclosed = disclosed
        self.disclosed_places = sorted(disclosed)
        self.hidden = hidden
        self.hidden_hashes_used = 0

    def hash_of_range(self, first: int, end: int) -> bytes:
        """Return the hash of a range: of the leaves from `first` to the one before `end`.

        For a range without a known leaf, take the next hidden hash. A range of one leaf has that leaf's hash.
        The hash of any other range is computed from those of its left and its right part.
        """
        if not self.has_disclosed_leaf(first, end):
            return self.next_hidden_hash()
        length = end - first
        if length == 1:
            return leaf_hash(self.disclosed[first])
        middle = first + largest_power_of_two_below(length)
        left = self.hash_of_range(first, middle)
        right = self.hash_of_range(middle, end)
        return node_hash(left, right)

    def has_disclosed_leaf(self, first: int, end: int) -> bool:
        """Return True if a leaf of a range is known."""
        # The places are sorted: the first that is not below `first` has to be below `end`.
        index = bisect_left(self.disclosed_places, first)
        return index < len(self.disclosed_places) and self.disclosed_places[index] < end

    def next_hidden_hash(self) -> bytes:
        """Return the next hidden hash; no bytes if there is none left, so that the root becomes another."""
        index = self.hidden_hashes_used
        self.hidden_hashes_used += 1
        return bytes.fromhex(self.hidden[index]) if index < len(self.hidden) else b""


def leaf_hash(salted_content: bytes) -> bytes:
    """Return the hash of a leaf: of a zero byte, its salt and its content.

    Implements docs/proofs.md, "The tree" (the hash of a leaf).
    """
    return sha256(b"\x00" + salted_content).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node: of a byte of one, so that no node passes for a leaf, and its two parts.

    Implements docs/proofs.md, "The tree" (the hash of a node).
    """
    return sha256(b"\x01" + left + right).digest()


def largest_power_of_two_below(length: int) -> int:
    """Return the length of the left part of a range of two leaves or more.

    Implements docs/proofs.md, "The tree" (k is the largest power of two below n).

    >>> [largest_power_of_two_below(length) for length in (2, 3, 4, 5, 8, 9)]
    [1, 2, 2, 4, 4, 8]
    """
    return 1 << ((length - 1).bit_length() - 1)


# ── 9. The events, and the frames in which they reached the archive ──────────────────────────────────
# A device's report reaches the archive as a frame: JSON with the table's name and a list of events. In a
# part's tree each event is a leaf of its own, so that it can be disclosed alone. The leaf before the events
# of a frame is its envelope: what stood before, between and after the events, its gaps.


@dataclass(frozen=True)
class Event:
    """Event that a device reported, as far as a check reads it; null and what is absent are both None."""

    kind: str
    device: str
    epoch: int
    sequence: int
    time: int  # microseconds since the beginning of 1970, UTC
    round: str | None
    seat: int | None
    bettor: str | None
    wager: str | None
    hand: str | None
    cents: int | None
    vigorish_cents: int | None
    handed_cents: int | None

    def identity(self) -> tuple[str, int, int]:
        """Return what tells an event from every other: its device, epoch and number."""
        return (self.device, self.epoch, self.sequence)


def read_events(leaves: dict[int, bytes], where: str, table: str) -> dict[int, Event]:
    """Return the events among the disclosed leaves of a part, by the place of their leaf.

    Checked: before each disclosed event its envelope is disclosed, and the envelope with its events is a
    frame of the manifest's table.
    Why: the envelope says which table's frame an event was reported in.
    Implements docs/proofs.md, "proof.json" (the envelope of every record).
    """
    events: dict[int, Event] = {}
    next_envelope = 0  # the place behind the last event of the latest envelope
    for place, content in leaves.items():
        leaf = f"leaf {place} of {where}"
        if place < next_envelope:
            events[place] = read_event(content, leaf)
        else:
            next_envelope = place + 1 + read_envelope(content, leaf, table)
    return events


def read_envelope(content: bytes, leaf: str, table: str) -> int:
    """Return how many events follow an envelope.

    Checked: the envelope has its form; with null in the place of each event its gaps are the JSON of a frame
    with as many events; and its key and its frame both name the manifest's table.
    Why: were the gaps no frame, an envelope could pass off another table's events, or leaves that are no
    events.
    Implements docs/proofs.md, "The leaves of a sealed part" (envelope) and "proof.json" (the gaps are a
    frame).
    """
    envelope = read_json(content, f"{leaf}, an envelope,")
    require_form(is_envelope(envelope), f"{leaf}, an envelope,")
    gaps = [bytes.fromhex(gap) for gap in envelope["gaps"]]
    frame = read_json(b"null".join(gaps), f"{leaf}, its frame,")
    require_form(is_frame_of_nulls(frame), f"{leaf}, its frame,")
    count = len(gaps) - 1
    require(len(frame["events"]) == count, f"{leaf} announces other events than its frame")
    same_table = bytes.fromhex(envelope["key"]) == table.encode("utf-8") and frame["table"] == table
    require(same_table, f"{leaf} is of another table than bundle.json")
    return count


def is_envelope(value: Any) -> bool:
    """Return True if a value has the form of an envelope of a frame."""
    return (
        is_object(value)
        and is_bytes_in_hexadecimal(value.get("key"))
        and is_list_of(value.get("gaps"), is_bytes_in_hexadecimal)
    )


def is_frame_of_nulls(value: Any) -> bool:
    """Return True if a value has the form of a frame with null in the place of each event."""
    return is_object(value) and is_text(value.get("table")) and is_list_of(value.get("events"), is_null)


def read_event(content: bytes, leaf: str) -> Event:
    """Return the event that a leaf holds.

    Checked: it is JSON and has its form.
    Why: `cents` of 100 and of 100.0 must not be a sum to one reader and an error to another.
    Implements docs/proofs.md, "proof.json" (an event has ...) and "settlement.json" (no wager: house_money).
    """
    value = read_json(content, leaf)
    require_form(is_event(value), leaf)
    return Event(
        kind=value["event"],
        device=value["device"],
        epoch=value["epoch"],
        sequence=value["seq"],
        time=value["at"],
        round=value.get("round"),
        seat=value.get("seat"),
        bettor=value.get("bettor"),
        wager=value.get("wager", "house_money"),
        hand=value.get("hand"),
        cents=value.get("cents"),
        vigorish_cents=value.get("vigorish_cents"),
        handed_cents=value.get("handed_cents"),
    )


def is_event(value: Any) -> bool:
    """Return True if a value has the form of an event.

    Implements docs/proofs.md, "proof.json" (an event has ...).
    """
    return (
        is_object(value)
        and is_text(value.get("event"))
        and is_text(value.get("device"))
        and is_count(value.get("epoch"))
        and is_count(value.get("seq"))
        and is_time(value.get("at"))
        and is_cents_or_null(value.get("seat"))
        and is_cents_or_null(value.get("cents"))
        and is_cents_or_null(value.get("vigorish_cents"))
        and is_cents_or_null(value.get("handed_cents"))
        and is_text_or_null(value.get("round"))
        and is_text_or_null(value.get("bettor"))
        and is_text_or_null(value.get("wager"))
        and is_text_or_null(value.get("hand"))
    )


# ── 10. The parts of the archive ─────────────────────────────────────────────────────────────────────
# A part is a file of the archive with the records of one table and day. It has a tree over its leaves. The
# root of that tree stands in a line, the part's entry. The entries of a day are the leaves of a second tree,
# whose root stands in the checkpoint. So the way from an event to a signature is:
#
#     event -> root of its part -> entry of the part -> root of the checkpoint -> signature of the checkpoint


@dataclass(frozen=True)
class Part:
    """Part of the archive that was led back to a checkpoint, with the events that are disclosed of it."""

    path: str
    checkpoint: int
    events: dict[int, Event]  # by the place of their leaf


def read_proof(content: bytes) -> list[Any]:
    """Return the proofs of the parts, as proof.json has them.

    Checked: they have their form. What they prove, check_part checks.
    Implements docs/proofs.md, "proof.json".
    """
    value = read_json(content, "proof.json")
    require_form(is_list_of(value, is_proof_of_part), "proof.json")
    proofs: list[Any] = value
    return proofs


def is_proof_of_part(value: Any) -> bool:
    """Return True if a value has the form of the proof of one part.

    Implements docs/proofs.md, "proof.json" (checkpoint, entry, leaves, hidden).
    """
    return (
        is_object(value)
        and is_count(value.get("checkpoint"))
        and is_proof_of_entry(value.get("entry"))
        and is_list_of(value.get("leaves"), is_disclosed_leaf)
        and is_list_of(value.get("hidden"), is_hash)
    )


def is_proof_of_entry(value: Any) -> bool:
    """Return True if a value has the form of the proof that a line is an entry of a checkpoint."""
    return (
        is_object(value)
        and is_count(value.get("index"))
        and is_text(value.get("line"))
        and is_list_of(value.get("hidden"), is_hash)
    )


def is_disclosed_leaf(value: Any) -> bool:
    """Return True if a value has the form of a disclosed leaf, with a content in either of two ways."""
    return (
        is_object(value)
        and is_count(value.get("index"))
        and is_salt_or_archive(value.get("salt"))
        and ("content" not in value or is_text(value["content"]))
        and ("content_hex" not in value or is_bytes_in_hexadecimal(value["content_hex"]))
    )


def check_part(proof: Any, checkpoints: dict[int, Checkpoint], table: str) -> Part:
    """Return the part that a proof is about, with the events that are disclosed of it.

    Checked: the part's entry stands under the root of a checkpoint of the bundle; the disclosed leaves stand
    under the root in that entry; and the events in them have their form and are of the manifest's table.
    Why: this leads each event back to what the archive's closer has signed.
    Implements docs/proofs.md, "proof.json".
    """
    number = proof["checkpoint"]
    require(number in checkpoints, f"checkpoints.json lacks checkpoint {number}")
    entry = check_entry(proof["entry"], checkpoints[number])
    where = f"'{entry['path']}'"
    leaves = check_leaves(proof, entry, where)
    return Part(entry["path"], number, read_events(leaves, where, table))


def check_entry(proof: Any, checkpoint: Checkpoint) -> Any:
    """Return the entry of a part: its path, the number of its leaves and the root over them.

    Checked: its line has its form, and it stands under the root of the checkpoint.
    Why: with its root the checkpoint's signature covers each line that it closed.
    Implements docs/proofs.md, "A checkpoint" (3, the entries: leaves with an empty salt).
    """
    line = proof["line"].encode("utf-8")
    entry = read_json(line, "the entry of a part")
    require_form(is_entry_of_part(entry), "the entry of a part")
    root = merkle_root(checkpoint.entries, {proof["index"]: line}, proof["hidden"])
    require(
        root == checkpoint.root,
        f"'{entry['path']}' is not under the root of checkpoint {checkpoint.number}",
    )
    return entry


def is_entry_of_part(value: Any) -> bool:
    """Return True if a value has the form of an entry of kind part.

    Implements docs/proofs.md, "A checkpoint" (an entry has ...), as far as a check reads it.
    """
    return (
        is_object(value)
        and is_text(value.get("path"))
        and value.get("kind") == "part"
        and is_count(value.get("leaves"))
        and is_hash(value.get("root"))
    )


def check_leaves(proof: Any, entry: Any, where: str) -> dict[int, bytes]:
    """Return the contents of the disclosed leaves of a part by their place in its tree.

    Checked: the leaves stand in the order of their places, each has one content, and with the hidden hashes
    they give the root in the part's entry.
    Why: then each leaf stands in the part as it was sealed, at this place and with this content.
    Implements docs/proofs.md, "proof.json" (leaves, hidden) and "The tree" (salt and content).
    """
    contents: dict[int, bytes] = {}
    salted_contents: dict[int, bytes] = {}
    last_place = -1
    for leaf in proof["leaves"]:
        place = leaf["index"]
        require(place > last_place, f"the leaves of {where} do not stand by their index")
        contents[place] = content_of_leaf(leaf, where)
        salted_contents[place] = bytes.fromhex(leaf["salt"]) + contents[place]
        last_place = place
    root = merkle_root(entry["leaves"], salted_contents, proof["hidden"])
    require(root == entry["root"], f"the leaves of {where} are not under its root")
    return contents


def content_of_leaf(leaf: Any, where: str) -> bytes:
    """Return the content of a leaf, which stands in it as text or, if it is not UTF-8, in hexadecimal.

    Checked: it stands in it once. With two contents, two readers could take two different ones.
    Implements docs/proofs.md, "proof.json" (a leaf has one content).
    """
    one_content = ("content" in leaf) != ("content_hex" in leaf)
    require(one_content, f"a leaf of {where} has not just one content")
    if "content" in leaf:
        text: str = leaf["content"]
        return text.encode("utf-8")
    return bytes.fromhex(leaf["content_hex"])


def check_part_is_needed(part: Part, earlier_paths: set[str]) -> None:
    """Check that a part discloses an event and that no earlier one has its path.

    Why: a part that shows nothing would claim a checkpoint, and a line kept elsewhere, for nothing. Of a part
    that appears twice, an event could be counted twice.
    Implements docs/proofs.md, "proof.json" (each part shows an event; no part appears twice).
    """
    needed = part.events and part.path not in earlier_paths
    require(needed, f"proof.json has '{part.path}' twice or idly")


def check_checkpoints_are_needed(checkpoints: dict[int, Checkpoint], parts: list[Part]) -> None:
    """Check that each checkpoint of the bundle has a part.

    Why: the line of a checkpoint without a part would speak for what another checkpoint holds.
    Implements docs/proofs.md, "proof.json" (each checkpoint in checkpoints.json has a part).
    """
    unused = set(checkpoints) - {part.checkpoint for part in parts}
    require(not unused, f"nothing is shown of what the checkpoints {in_braces(unused)} closed")


# ── 11. What the disclosed events have to do with the hand ───────────────────────────────────────────

# A hand is played on a table that was opened, by rules, from a shoe and by staff that were there before it.
# So events of these kinds, and their corrections, may have been reported during another round.
KINDS_OF_ANY_ROUND = {
    "TableOpened",
    "HouseRulesChanged",
    "ShoeLoaded",
    "DealerAssigned",
    "FloorpersonAssigned",
    "ReportCorrected",
}
MICROSECONDS_OF_A_DAY = 24 * 60 * 60 * 1_000_000


def check_round_of_events(events: list[Event], called: str) -> None:
    """Check that each disclosed event is of the manifest's round, of none, or what any round stands on.

    Why: a bundle tells of one hand. An event of another hand in it would disclose what was not requested, and
    could be taken for one of this hand.
    Implements docs/proofs.md, "proof.json" (each shown event with a round has the manifest's).
    """
    for event in events:
        fitting = event.round is None or event.round == called or event.kind in KINDS_OF_ANY_ROUND
        require(fitting, f"an event is shown that is not of round '{called}'")


def check_day_of_round(events: list[Event], called: str, day: str) -> None:
    """Check that an event which names the round was on the manifest's day (UTC), or on one beside it.

    Why: each day has a round of the same number; the manifest must not give the hand the date of another. A
    gaming day may begin and end in the days beside it.
    Implements docs/proofs.md, "bundle.json" (day is the day of some shown event, or an adjacent day).
    """
    possible_days = set()
    for event in events:
        if event.round == called:
            days_since_1970 = event.time // MICROSECONDS_OF_A_DAY
            for days in (days_since_1970 - 1, days_since_1970, days_since_1970 + 1):
                possible_days.add(str(date(1970, 1, 1) + timedelta(days)))
    require(day in possible_days, f"no event names round '{called}' on its day, or on a day beside it")


# ── 12. The settlement ───────────────────────────────────────────────────────────────────────────────
# settlement.json says what was owed and what was paid on each wager, in cents, as the player sees it: what
# the player gains is positive, what the player loses is negative. A sum that was left open is None here.

# What the cents of an event are to the player, by its kind. No other kind moves money of a wager.
KINDS_PAID_TO_PLAYER = {"ChipsPaid", "PayoutHanded", "PayoutAdded", "SettlementAdjusted"}
KINDS_TAKEN_FROM_PLAYER = {"ChipsCollected", "VigorishCollected", "VigorishMarked"}


@dataclass(frozen=True)
class ObservedPayment:
    """Statement that the event at a leaf of a part added so much to what was paid on a wager."""

    part: int  # its place in proof.json, from 0
    leaf: int
    adds: int


@dataclass(frozen=True)
class Permitted:
    """Statement that a provision permits a difference: vigorish that may be rounded or left exact."""

    provision: str
    adds: int


@dataclass(frozen=True)
class Wager:
    """Wager of the settlement: what was owed on it, what was paid, and of which sums that is made."""

    seat: int
    bettor: str | None
    name: str
    hand: str | None
    steps: list[int]  # what each step of the calculation adds to what was owed
    owed: int | None
    observed: list[ObservedPayment] | None  # None if no events of its own reported the payment
    paid: int | None
    permitted: Permitted | None
    difference: int | None


@dataclass(frozen=True)
class Settlement:
    """Settlement of the disclosed wagers, settlement.json."""

    wagers: list[Wager]
    difference: int


def read_settlement(content: bytes) -> Settlement:
    """Return the settlement.

    Checked: it has its form. The sums are checked below.
    Implements docs/proofs.md, "settlement.json".
    """
    value = read_json(content, "settlement.json")
    require_form(is_settlement(value), "settlement.json")
    wagers = [read_wager(wager) for wager in value["wagers"]]
    return Settlement(wagers, value["difference_cents"])


def read_wager(value: Any) -> Wager:
    """Return a wager of the settlement, whose form has been checked."""
    observed = None
    if value["observed"] is not None:
        observed = [
            ObservedPayment(payment["part"], payment["leaf"], payment["adds"])
            for payment in value["observed"]
        ]
    permitted = None
    if "permitted" in value:
        permitted = Permitted(value["permitted"]["cite"], value["permitted"]["adds"])
    return Wager(
        seat=value["seat"],
        bettor=value["bettor"],
        name=value["wager"],
        hand=value["hand"],
        steps=[step["adds"] for step in value["steps"]],
        owed=value["owed_cents"],
        observed=observed,
        paid=value["paid_cents"],
        permitted=permitted,
        difference=value["difference_cents"],
    )


def is_settlement(value: Any) -> bool:
    """Return True if a value has the form of a settlement.

    Implements docs/proofs.md, "settlement.json".
    """
    return (
        is_object(value)
        and is_list_of(value.get("wagers"), is_wager)
        and is_cents(value.get("difference_cents"))
    )


def is_wager(value: Any) -> bool:
    """Return True if a value has the form of a wager of the settlement.

    Implements docs/proofs.md, "settlement.json" (wagers, a list of objects of ...). Null is written where
    there is nothing; only `permitted` is absent then.
    """
    nullable = ("bettor", "hand", "owed_cents", "paid_cents", "difference_cents", "observed")
    return (
        is_object(value)
        and all(name in value for name in nullable)
        and is_count(value.get("seat"))
        and is_text_or_null(value["bettor"])
        and is_text(value.get("wager"))
        and is_text_or_null(value["hand"])
        and is_cents_or_null(value["owed_cents"])
        and is_cents_or_null(value["paid_cents"])
        and is_cents_or_null(value["difference_cents"])
        and is_list_of(value.get("steps"), is_step)
        and ("permitted" not in value or is_permitted(value["permitted"]))
        and (value["observed"] is None or is_list_of(value["observed"], is_observed_payment))
    )


def is_step(value: Any) -> bool:
    """Return True if a value has the form of a step of what was owed."""
    return is_object(value) and is_cents(value.get("adds"))


def is_permitted(value: Any) -> bool:
    """Return True if a value has the form of a difference that a provision permits."""
    return is_object(value) and is_provision(value.get("cite")) and is_cents(value.get("adds"))


def is_observed_payment(value: Any) -> bool:
    """Return True if a value has the form of an event that added to what was paid."""
    return (
        is_object(value)
        and is_count(value.get("part"))
        and is_count(value.get("leaf"))
        and is_cents(value.get("adds"))
    )


def check_settlement(settlement: Settlement, parts: list[Part], called: str) -> None:
    """Check every sum of the settlement.

    Checked: on each wager what was paid is what disclosed events moved, what was owed is the sum of its
    steps, and the difference is that of the two; no event is counted twice; and the total is that of the
    differences.
    Why: the reader can take each sum from the events, without believing the releaser's arithmetic.
    Implements docs/proofs.md, "settlement.json" (the verifier adds ...).
    """
    for index, wager in enumerate(settlement.wagers):
        where = f"settlement.json, wager {index}"
        check_observed_payments(wager, parts, called, where)
        check_owed(wager, where)
        check_paid(wager, where)
        check_difference(wager, where)
    check_no_event_adds_twice(settlement, parts)
    check_total(settlement)


def check_observed_payments(wager: Wager, parts: list[Part], called: str, where: str) -> None:
    """Check that each event of a wager's payment is disclosed, is of the wager, and moved what is stated.

    Why: an event of another wager, seat or round could otherwise stand for the payment.
    Implements docs/proofs.md, "settlement.json" (an event at leaf of part adds its cents).
    """
    for payment in wager.observed or []:
        event = find_event(payment, parts)
        moved = None if event is None else cents_to_player(event, wager, called)
        require(moved == payment.adds, f"{where}: an event adds what it has not moved")


def find_event(payment: ObservedPayment, parts: list[Part]) -> Event | None:
    """Return the disclosed event that a payment names; None if there is none."""
    if payment.part >= len(parts):
        return None
    return parts[payment.part].events.get(payment.leaf)


def cents_to_player(event: Event, wager: Wager, called: str) -> int | None:
    """Return the cents that an event moved to the player on a wager; None if it moved none on it.

    An event with a second sum (vigorish, or cents handed over) moved more than one, so it proves neither.
    Implements docs/proofs.md, "settlement.json" (an event at leaf of part adds its cents).
    """
    of_wager = (
        event.round == called
        and event.seat == wager.seat
        and event.bettor == wager.bettor
        and event.wager == wager.name
        and event.hand == wager.hand
    )
    if not of_wager or event.cents is None or event.vigorish_cents or event.handed_cents:
        return None
    if event.kind in KINDS_PAID_TO_PLAYER:
        return event.cents
    if event.kind in KINDS_TAKEN_FROM_PLAYER:
        return -event.cents
    return None


def check_owed(wager: Wager, where: str) -> None:
    """Check that what was owed is the sum of its steps. If it was left open, there are no steps.

    Why: the steps are the calculation that page.html and explanation.json explain.
    Implements docs/proofs.md, "settlement.json" (the adds of the steps are owed_cents).
    """
    steps_add_up = not wager.steps if wager.owed is None else wager.owed == sum(wager.steps)
    require(steps_add_up, f"{where}: owed is not its steps")


def check_paid(wager: Wager, where: str) -> None:
    """Check that what was paid is the sum of its events, if the wager names any.

    Why: each of these events was compared with its leaf, so what was paid can be taken from the events.
    Implements docs/proofs.md, "settlement.json" (the adds of observed are paid_cents).
    """
    if wager.observed is not None:
        sum_of_events = sum(payment.adds for payment in wager.observed)
        require(wager.paid == sum_of_events, f"{where}: what was paid is not its events")


def check_difference(wager: Wager, where: str) -> None:
    """Check that the difference is what was paid, less what was owed, less what a provision permits.

    If either was left open, there is no difference, and nothing is permitted.
    Why: the difference is what a dispute is about.
    Implements docs/proofs.md, "settlement.json" (paid minus owed, minus the adds of permitted).
    """
    if wager.owed is None or wager.paid is None:
        right = wager.difference is None and wager.permitted is None
    else:
        permitted = 0 if wager.permitted is None else wager.permitted.adds
        right = wager.difference == wager.paid - wager.owed - permitted
    require(right, f"{where}: the difference is not paid less owed, less what is permitted")


def check_no_event_adds_twice(settlement: Settlement, parts: list[Part]) -> None:
    """Check that no event is counted in two payments, even if it stands in the archive twice.

    Why: counted twice, one payment would settle two wagers.
    Implements docs/proofs.md, "settlement.json" (no event is added twice).
    """
    counted = set()
    for wager in settlement.wagers:
        for payment in wager.observed or []:
            event = find_event(payment, parts)
            if event is not None:
                require(event.identity() not in counted, "settlement.json: an event adds a second time")
                counted.add(event.identity())


def check_total(settlement: Settlement) -> None:
    """Check that the total is the sum of the differences of the wagers that were not left open.

    Why: differences to and from the player could otherwise hide in a wrong total.
    Implements docs/proofs.md, "settlement.json" (the total).
    """
    total = sum(wager.difference for wager in settlement.wagers if wager.difference is not None)
    require(settlement.difference == total, "settlement.json: the total is not that of the differences")


def describe_settlement(settlement: Settlement) -> str:
    """Return the line that says what the sums come to, and what of them no event proves.

    Implements docs/proofs.md, "settlement.json" (both verifiers print ...).
    """
    total = settlement.difference
    if total > 0:
        amount = f"{in_dollars(total)} more"
    elif total < 0:
        amount = f"{in_dollars(total)} less"
    else:
        amount = "no more and no less"
    left_open = 0
    paid_without_event = 0
    permitted = ""
    for wager in settlement.wagers:
        if wager.difference is None:
            left_open += 1
        if wager.paid is not None and not wager.observed:
            paid_without_event += 1
        if wager.permitted is not None:
            dollars = in_dollars(wager.permitted.adds)
            permitted += f", within the rule by {wager.permitted.provision}: {dollars}"
    return (
        f"the sums add up; {amount} was paid than was owed; wagers: {len(settlement.wagers)}, "
        f"left open: {left_open}, paid without an event: {paid_without_event}{permitted}"
    )


def in_dollars(cents: int) -> str:
    """Return a sum in dollars, without its sign.

    >>> in_dollars(-123456)
    '$1,234.56'
    """
    return f"${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


# ── 13. All checks in order, and what they prove and do not prove ────────────────────────────────────
# The proof is one of bytes: what the archive's closer signed stands in the bundle unchanged. It is no proof
# that the devices told the truth, that the regulation was read rightly, or that nothing was left out. Those
# are questions for people, who can ask them of the page and of whoever released the bundle.

PROVEN = "Proven: these events stand, byte for byte, in archive {archive} as it was signed."
NOT_KNOWN = (
    "Not known: if devices told the truth, and rules were read rightly; whose keys these are, unless",
    "--key and --archive-key said; if a checkpoint was made anew that no line covers; what is withheld.",
)


def verify_bundle(
    data: bytes, keys: list[str], archive_keys: list[str], kept_lines: list[str]
) -> Iterator[str]:
    """Yield a line for each check that holds, then what they prove and what not.

    Raise CheckFailed at the first check that does not hold. `data` is the zip file; the other three are what
    the options `--key`, `--archive-key` and `--line` carry.
    Implements docs/proofs.md, "A bundle: one hand for a third party".
    """
    files = read_zip(data)
    manifest = read_manifest(files)
    yield f"ok: a bundle's {len(files)} files, and no byte besides, as {manifest.key} has signed them"
    if attached := check_attachments(files):
        yield f"ok: files that were attached to the dispute, each under the hash of its content: {attached}"

    checkpoints = read_checkpoints(files["checkpoints.json"], manifest)
    for number in sorted(checkpoints, reverse=True):
        checkpoint = checkpoints[number]
        closed = f"checkpoint {number} of {checkpoint.day} by {checkpoint.key}"
        yield f"ok: {closed}; spans lost: {checkpoint.spans_lost}"
    covered = covered_checkpoints(checkpoints, kept_lines)
    check_signers(manifest, checkpoints, keys, archive_keys)

    parts: list[Part] = []
    paths: set[str] = set()
    for proof in read_proof(files["proof.json"]):
        part = check_part(proof, checkpoints, manifest.table)
        check_part_is_needed(part, paths)
        parts.append(part)
        paths.add(part.path)
        coverage = "a line covers it" if part.checkpoint in covered else "no line was named that covers it"
        under_root = f"under the root of checkpoint {part.checkpoint}"
        yield f"ok: {under_root}, events of '{part.path}': {len(part.events)}; {coverage}"
    check_checkpoints_are_needed(checkpoints, parts)

    events = [event for part in parts for event in part.events.values()]
    check_round_of_events(events, manifest.round)
    check_day_of_round(events, manifest.round, manifest.day)
    of_round = f"each event is of round '{manifest.round}' or none, or what it stands on"
    yield f"ok: {of_round}; events shown: {len(events)}"

    settlement = read_settlement(files["settlement.json"])
    check_settlement(settlement, parts, manifest.round)
    yield f"ok: {describe_settlement(settlement)}"

    yield PROVEN.format(archive=manifest.archive)
    yield from NOT_KNOWN


# ── 14. The command line ─────────────────────────────────────────────────────────────────────────────

MOST_CHARACTERS = 1000  # of a line that is printed


def main(arguments: list[str]) -> int:
    """Check the bundle that the command line names, print the report, and return the exit status."""
    parser = argparse.ArgumentParser(description="Check an evidence bundle, offline.")
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--key", action="append", default=[])
    parser.add_argument("--archive-key", action="append", default=[])
    parser.add_argument("--line", action="append", default=[])
    options = parser.parse_args(arguments)
    try:
        with options.bundle.open("rb") as file:
            data = file.read(MOST_BYTES)
        for line in verify_bundle(data, options.key, options.archive_key, options.line):
            print_line(line)
    except (OSError, CheckFailed) as failure:
        print_line(f"WRONG: {failure}")
        return 1
    return 0


def print_line(line: str) -> None:
    """Print a line of the report."""
    sys.stdout.write(printable(line) + "\n")


def printable(line: str) -> str:
    r"""Return a line in plain characters, so that nothing in a bundle can steer the reader's terminal.

    >>> printable("caf\u00e9")
    'caf\\xe9'
    """
    return ascii(line[:MOST_CHARACTERS])[1:-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
