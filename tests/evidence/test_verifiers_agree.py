"""Both verifiers on the same bundles, made by hand from the page: what the one refuses the other does too."""

import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from projections.evidence import verifier
from replay.cli import main
from tests.builders import handmade_bundle
from tests.builders.bundle_changes import (
    BUNDLE_CHANGES,
    CLIP,
    KEYS_OF_ANYONE,
    PAID,
    STILL,
    attached,
    lack,
    leaves_with,
    paid,
    put,
    ruled,
)
from tests.builders.handmade_bundle import bundle


def said(tmp_path: Path, content: bytes, *more: str) -> Result:
    file = tmp_path / "bundle.zip"
    file.write_bytes(content)
    return CliRunner().invoke(main, ["verify", str(file), *more], catch_exceptions=False)


def verified(tmp_path: Path, content: bytes, *more: str) -> int:
    return said(tmp_path, content, *more).exit_code


def test_a_bundle_made_by_hand_is_verified(tmp_path: Path) -> None:
    assert verified(tmp_path, bundle()) == 0


@pytest.mark.parametrize("way", BUNDLE_CHANGES)
def test_what_the_second_verifier_refuses_is_refused(tmp_path: Path, way: str) -> None:
    stage, change, _ = BUNDLE_CHANGES[way]
    assert verified(tmp_path, bundle(stage, change)) == 1


# What looks odd, and is whole.
TAKEN: Final[dict[str, tuple[str, Callable[[Any], Any]]]] = {
    "an event that says gaps": ("leaves", leaves_with(8, PAID[:-1] + b',"gaps":[]}')),
    "an event that says more": ("leaves", leaves_with(8, PAID[:-1] + b',"note":[1.5,null]}')),
    "a payout that is handed over": ("leaves", paid(event="PayoutHanded")),
    "what is within the rule": ("settlement", ruled(1, -500, 0)),
    "what is in part within the rule": ("settlement", ruled(1, -400, -100)),
    "a settlement without wagers": ("settlement", lambda _: {"wagers": [], "difference_cents": 0}),
    "the day before": ("manifest", put("day", to="2025-02-28")),
    "two attached files": ("files", attached(STILL, CLIP)),
    "a custody log without a line": ("files", put("custody.jsonl", to=b"")),
}


@pytest.mark.parametrize("way", TAKEN)
def test_what_the_one_takes_the_other_takes(tmp_path: Path, way: str) -> None:
    content = bundle(*TAKEN[way])
    assert list(verifier.verify_bundle(content, [], [], []))
    assert verified(tmp_path, content) == 0


# What the second verifier reads over, as docs/proofs.md says: nothing of it is about what is proven.
FORM: Final[dict[str, tuple[str, Callable[[Any], Any]]]] = {
    "a field that is none": ("manifest", put("note", to=1)),
    "a field that lacks": ("manifest", lack("by")),
    "a moment that is none": ("manifest", put("at", to="2025-03-05")),
    "a part of a second": ("manifest", put("at", to="2025-03-05T10:00:00.5Z")),
    "a checkpoint's day that was not": ("bodies", put(1, "day", to="2025-99-99")),
    "a checkpoint closed on a day": ("bodies", put(1, "closed", to="2025-03-02")),
    "a range that is none": ("bodies", put(1, "missing", to=[{"x": 1}])),
    "names in another order": ("bodies", lambda made: [dict(reversed([*each.items()])) for each in made]),
    "a step without its words": ("settlement", lack("wagers", 0, "steps", 0, "says")),
}


@pytest.mark.parametrize("way", FORM)
def test_the_form_of_what_the_second_verifier_does_not_read_is_checked(tmp_path: Path, way: str) -> None:
    stage, change = FORM[way]
    assert verified(tmp_path, bundle(stage, change)) == 1


@pytest.mark.parametrize("key", KEYS_OF_ANYONE)
def test_a_key_by_which_anyone_can_sign_is_refused(tmp_path: Path, key: str) -> None:
    assert verified(tmp_path, bundle("manifest", put("key", to=key))) == 1


def test_a_line_may_have_more_spaces_between_its_words(tmp_path: Path) -> None:
    line = handmade_bundle.line(13).replace(" ", "  ")
    assert list(verifier.verify_bundle(bundle(), [], [], [line]))
    told = said(tmp_path, bundle(), "--line", line)
    assert (told.exit_code, told.stderr.count("a line covers it")) == (0, 2)
    first = said(tmp_path, bundle(), "--line", handmade_bundle.line(12)).stderr
    assert (first.count("a line covers it"), first.count("no line was named that covers it")) == (1, 1)


def test_a_bundle_that_no_line_covers_is_refused_where_that_is_demanded(tmp_path: Path) -> None:
    newest = said(tmp_path, bundle(), "--line", handmade_bundle.line(13), "--covered")
    assert newest.exit_code == 0
    older = said(tmp_path, bundle(), "--line", handmade_bundle.line(12), "--covered", "--format", "csv")
    assert (older.exit_code, older.stdout.count("checkpoint 13: no line was named that covers it")) == (1, 1)


def listed(name: bytes, crc: int, size: int, at: int) -> bytes:
    """Write what a zip file's list at its end has of a file."""
    sizes = (crc, size, size, len(name), 0, 0, 0, 0, 0, at)
    return struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 0, 0, 33, *sizes) + name


def begun(name: bytes, body: bytes) -> bytes:
    """Write a file as it begins in a zip file, with its body."""
    sizes = (zlib.crc32(body), len(body), len(body), len(name), 0)
    return struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 0, 0, 33, *sizes) + name + body


def ended(files: bytes, entries: list[bytes]) -> bytes:
    count, at = len(entries) & 0xFFFF, len(files)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, sum(map(len, entries)), at, 0)
    return files + b"".join(entries) + end


@pytest.mark.parametrize("name", [b"page.html", b"note.txt"])
def test_a_file_that_is_listed_ever_so_often_is_not_read_as_often(tmp_path: Path, name: bytes) -> None:
    """60,000 entries of one body: 240 GB for whoever reads what the list says."""
    body = bytes(4 << 20)
    bomb = ended(begun(name, body), [listed(name, zlib.crc32(body), len(body), 0)] * 60_000)
    assert verified(tmp_path, bomb) == 1
    with pytest.raises(verifier.CheckFailed, match="lacks"):
        list(verifier.verify_bundle(bomb, [], [], []))


def test_files_that_lie_in_one_another_are_not_read_again_and_again(tmp_path: Path) -> None:
    """Each file is the whole of those behind it: 2 MB are 120 for whoever reads them one by one."""
    blob, entries = bytes(2 << 20), []
    for at in range(60):
        name = b"%08d" % at
        inner, blob = blob, begun(name, blob)
        entries.append((name, zlib.crc32(inner), len(inner)))
    total = len(blob)
    places = [listed(*each, total - (len(each[0]) + 30) - each[2]) for each in entries]
    assert verified(tmp_path, ended(blob, places)) == 1
    with pytest.raises(verifier.CheckFailed, match="lacks"):
        list(verifier.verify_bundle(ended(blob, places), [], [], []))


def test_what_nothing_proves_is_said_aloud(tmp_path: Path) -> None:
    told = said(tmp_path, bundle()).stderr
    assert "the sums of 3 wagers add up; left open: 1" in told
    assert "what was paid on 2 of them is not proven by events" in told
    one = bundle("settlement", lambda made: made | {"wagers": made["wagers"][:1], "difference_cents": 0})
    assert "the sums of 1 wager add up; left open: 0" in said(tmp_path, one).stderr
    nothing = bundle("settlement", lambda _: {"wagers": [], "difference_cents": 0})
    assert "it tells of no wager" in said(tmp_path, nothing).stderr


def test_what_is_within_the_rule_is_said_aloud_with_its_section(tmp_path: Path) -> None:
    told = said(tmp_path, bundle("settlement", ruled(1, -500, 0))).stderr
    assert "within the rule by 631a.13(c): $5.00" in told
    assert "within the rule" not in said(tmp_path, bundle()).stderr


def test_another_verifier_in_the_bundle_is_detected(tmp_path: Path) -> None:
    assert "do not rely on what that one says" in said(tmp_path, bundle()).stderr
    own = Path(verifier.__file__).read_bytes()
    assert "do not rely" not in said(tmp_path, bundle("files", put("verify.py", to=own))).stderr
