"""The second verifier, against good and bad bundles that are made by hand from docs/proofs.md."""

import ast
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.evidence import verifier
from tests.builders import handmade_bundle
from tests.builders.bundle_changes import (
    BUNDLE_CHANGES,
    CLIP,
    CLOSER,
    KEY,
    KEYS_OF_ANYONE,
    PAID,
    STILL,
    altered,
    attached,
    leaves_with,
    put,
    ruled,
)
from tests.builders.handmade_bundle import (
    STRANGER,
    bundle,
    compact,
    event,
    leaf,
    pack,
    proof,
    public,
    tree,
)

SOURCE: Final = Path(verifier.__file__)
GOOD: Final = bundle()

# The leaves, roots and some audit paths of the reference tests of Certificate Transparency; the paths in the
# order in which the walk of docs/proofs.md asks for them.
LEAVES: Final = [
    bytes.fromhex(each)
    for each in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS: Final = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
PATHS: Final = (
    (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (
        5,
        8,
        [
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        ],
    ),
    (
        1,
        5,
        [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
)


def checked(
    data: bytes, keys: tuple[str, ...] = (), lines: tuple[str, ...] = (), archive: tuple[str, ...] = ()
) -> list[str]:
    return list(verifier.verify_bundle(data, list(keys), list(archive), list(lines)))


def wrong(
    data: bytes, keys: tuple[str, ...] = (), lines: tuple[str, ...] = (), archive: tuple[str, ...] = ()
) -> str:
    with pytest.raises(verifier.CheckFailed) as told:
        checked(data, keys, lines, archive)
    return str(told.value)


# ── a stranger's machine ─────────────────────────────────────────────────────────────────────────────


def test_it_stands_alone() -> None:
    source = SOURCE.read_text("utf-8")
    tree_of_source = ast.parse(source, feature_version=(3, 9))
    roots = set()
    for node in ast.walk(tree_of_source):
        if isinstance(node, ast.Import):
            roots |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            roots.add(str(node.module).split(".")[0])
    assert roots - sys.stdlib_module_names == {"cryptography"}


def passages() -> set[str]:
    """Return the names of the passages of docs/proofs.md: its headings, and what it has in bold."""
    page = (SOURCE.parents[2] / "docs" / "proofs.md").read_text("utf-8")
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    bold = re.findall(r"\*\*`?([^*`]+)`?\*\*", page)
    return {*headings, *(heading.partition(":")[0] for heading in headings), *bold}


def test_each_check_names_the_passage_of_the_page_that_it_implements() -> None:
    named: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse(SOURCE.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            text = " ".join((ast.get_docstring(node) or "").split())
            implemented = re.search(r"Implements docs/proofs\.md, (.+)", text)
            named[node.name] = re.findall(r'"([^"]+)"', implemented.group(1)) if implemented else []
    checks = {name for name in named if name.startswith(("check_", "read_", "merkle_"))}
    assert len(checks) > 25
    assert [name for name in checks - {"read_wager"} if not named[name]] == []
    assert {passage for each in named.values() for passage in each} <= passages()


def test_it_runs_as_a_script(tmp_path: Path) -> None:
    (tmp_path / "verify.py").write_bytes(SOURCE.read_bytes())
    (tmp_path / "bundle.zip").write_bytes(GOOD)
    command = [
        sys.executable,
        "-I",
        "verify.py",
        "bundle.zip",
        "--key",
        KEY,
        "--line",
        handmade_bundle.line(13),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()


# ── a good bundle ────────────────────────────────────────────────────────────────────────────────────


def test_a_good_bundle_says_what_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bundle.zip").write_bytes(GOOD)
    assert verifier.main([str(tmp_path / "bundle.zip")]) == 0
    lines = capsys.readouterr().out.splitlines()
    under, counted = (
        "under the root of checkpoint",
        "wagers: 3, left open: 1, paid without an event: 2",
    )
    assert lines[:8] == [
        f"ok: a bundle's 13 files, and no byte besides, as {KEY} has signed them",
        f"ok: checkpoint 13 of 2025-03-01 by {CLOSER}; spans lost: 1",
        f"ok: checkpoint 12 of 2025-03-01 by {CLOSER}; spans lost: 1",
        f"ok: {under} 12, events of '{handmade_bundle.FIRST}': 4; no line was named that covers it",
        f"ok: {under} 13, events of '{handmade_bundle.LATE}': 1; no line was named that covers it",
        "ok: each event is of round '17' or none, or what it stands on; events shown: 5",
        # Of the tie and the bonus no event tells what was paid; of the bonus it is open what was owed.
        f"ok: the sums add up; $5.00 less was paid than was owed; {counted}",
        f"Proven: these events stand, byte for byte, in archive {handmade_bundle.ARCHIVE} as it was signed.",
    ]
    assert "Not known: if devices told the truth" in " ".join(lines[8:])


def covers(data: bytes, *lines: str) -> list[bool]:
    """Return for each part whether a line covers it."""
    return [
        said.endswith("; a line covers it") for said in checked(data, (), lines) if "under the root" in said
    ]


def test_a_line_covers_its_checkpoint_and_those_before_it() -> None:
    assert covers(GOOD) == [False, False]
    assert covers(GOOD, handmade_bundle.line(12)) == [True, False]
    assert covers(GOOD, f" {handmade_bundle.line(13)}\n") == [True, True]
    assert covers(GOOD, handmade_bundle.line(13).replace(" ", "  ")) == [True, True]
    for other in (
        handmade_bundle.line(12).replace(" 12 ", " 13 "),
        "discardrack 1",
        handmade_bundle.line(12)[:-1] + "x",
    ):
        assert "no checkpoint here has the line" in wrong(GOOD, (), (handmade_bundle.line(12), other))


def test_the_releaser_and_the_closer_of_the_days_are_distinguished() -> None:
    assert checked(GOOD, (KEY,), (), (CLOSER,))
    other = public(STRANGER)
    assert "another key released it" in wrong(GOOD, (CLOSER,))
    assert "another key released it" in wrong(GOOD, (KEY, other))
    assert "other keys closed it" in wrong(GOOD, (), (), (KEY,))
    assert "other keys closed it" in wrong(GOOD, (), (), (CLOSER, other))


def test_a_key_of_the_checkpoints_does_not_vouch_for_the_bundle() -> None:
    forged = bundle(key=STRANGER)
    assert checked(forged)
    assert "another key released it" in wrong(forged, (KEY,), (), (CLOSER,))


@pytest.mark.parametrize("size", range(1, 9))
def test_the_tree_has_the_published_roots(size: int) -> None:
    assert verifier.merkle_root(size, dict(enumerate(LEAVES[:size])), []) == ROOTS[size - 1]


@pytest.mark.parametrize(("index", "size", "hidden"), PATHS)
def test_published_audit_paths_lead_to_published_roots(index: int, size: int, hidden: list[str]) -> None:
    assert verifier.merkle_root(size, {index: LEAVES[index]}, hidden) == ROOTS[size - 1]
    assert verifier.merkle_root(size, {index: LEAVES[index]}, hidden[:-1]) != ROOTS[size - 1]
    assert verifier.merkle_root(size, {index: LEAVES[index] + b" "}, hidden) != ROOTS[size - 1]
    with pytest.raises(verifier.CheckFailed, match="more hashes"):
        verifier.merkle_root(size, {index: LEAVES[index]}, [*hidden, hidden[0]])
    with pytest.raises(verifier.CheckFailed, match="does not have"):
        verifier.merkle_root(size, {size: LEAVES[index]}, hidden)


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=40), st.data())
def test_any_leaves_can_be_shown(contents: list[bytes], data: st.DataObject) -> None:
    shown = data.draw(st.sets(st.integers(0, len(contents) - 1)))
    hashes = [leaf(content) for content in contents]
    told = {index: contents[index] for index in shown}
    assert verifier.merkle_root(len(contents), told, proof(hashes, shown)) == tree(hashes).hex()


# ── each way to be wrong ─────────────────────────────────────────────────────────────────────────────


def opened(**to: Any) -> Callable[[Any], None]:
    return leaves_with(1, altered(handmade_bundle.leaves_of_parts()[0][1], **to))


ANYONES_SIGNATURE: Final = "01" + "00" * 63  # that of nobody, which fits any text by such a key, or every few


@pytest.mark.parametrize("key", KEYS_OF_ANYONE)
def test_a_key_by_which_anyone_can_sign_is_refused(key: str) -> None:
    def signed_by_nobody(told: list[dict[str, str]]) -> None:
        told[0] = {
            "body": told[0]["body"].replace(CLOSER, key),
            "signature": compact({"signature": ANYONES_SIGNATURE}).decode(),
        }

    assert "by which anyone can sign" in wrong(bundle("checkpoints", signed_by_nobody))
    assert "by which anyone can sign" in wrong(bundle("manifest", put("key", to=key)))


def test_what_no_event_proves_is_said_aloud() -> None:
    nothing = {"wagers": [], "difference_cents": 0}
    said = checked(bundle("settlement", lambda _: nothing))
    assert any("; wagers: 0, left open: 0, paid without an event: 0" in line for line in said)


@pytest.mark.parametrize(
    ("paid", "difference", "told"),
    [
        (-57_000, -55_000, "$550.00 less was paid than was owed"),
        (121_456, 123_456, "$1,234.56 more was paid than was owed"),
        (-2_005, -5, "$0.05 less was paid than was owed"),
        (-2_000, 0, "no more and no less was paid than was owed"),
    ],
)
def test_the_sum_is_printed_in_dollars(paid: int, difference: int, told: str) -> None:
    # $20.00 on the tie is lost; the other wager was settled as owed.
    def settled(said: Any) -> None:
        said["wagers"][1] |= {"paid_cents": paid, "difference_cents": difference}
        said["difference_cents"] = difference

    assert any(
        f"ok: the sums add up; {told}; wagers: 3," in line for line in checked(bundle("settlement", settled))
    )


def test_what_is_within_the_rule_is_no_difference_and_is_said_aloud() -> None:
    # The tie was collected with $5.00 more than was owed: within the rule, as the bundle says.
    within = bundle("settlement", ruled(1, -500, 0))
    (said,) = (line for line in checked(within) if "the sums add up" in line)
    assert said == (
        "ok: the sums add up; no more and no less was paid than was owed; wagers: 3, left open: 1, "
        "paid without an event: 2, within the rule by 631a.13(c): $5.00"
    )


@pytest.mark.parametrize("way", BUNDLE_CHANGES)
def test_each_fault_is_detected(way: str) -> None:
    stage, change, told = BUNDLE_CHANGES[way]
    assert told in wrong(bundle(stage, change))


def test_attached_files_are_counted_each_under_the_hash_of_its_content() -> None:
    lines = checked(bundle("files", attached(STILL, CLIP)))
    assert "ok: files that were attached to the dispute, each under the hash of its content: 2" in lines


def test_content_that_stands_in_hexadecimal_is_read() -> None:
    def hexadecimal(told: Any) -> None:
        shown = told[1]["leaves"][1]
        shown["content_hex"] = shown.pop("content").encode().hex()

    assert checked(bundle("proof", hexadecimal))
    both = bundle("proof", put(1, "leaves", 1, "content_hex", to="00"))
    assert "has not just one content" in wrong(both)


def test_what_a_hand_stands_on_may_be_of_another_round() -> None:
    for kind in ("TableOpened", "HouseRulesChanged", "ShoeLoaded", "DealerAssigned", "FloorpersonAssigned"):
        shoe = event(kind, "T-1", 3, round="2")
        assert checked(bundle("leaves", leaves_with(1, shoe)))
    assert "not of round" in wrong(
        bundle("leaves", leaves_with(1, event("ShoeLoadedTwice", "T-1", 3, round="2")))
    )


def test_a_checkpoint_may_close_another_day() -> None:
    late = checked(bundle("bodies", put(1, "day", to="2025-03-02")))
    assert f"ok: checkpoint 13 of 2025-03-02 by {CLOSER}; spans lost: 1" in late


# ── the zip file itself ──────────────────────────────────────────────────────────────────────────────


def contents() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(GOOD)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def unchanged(_: zipfile.ZipInfo) -> None:
    """Return it unchanged."""


def packed(change: Callable[[zipfile.ZipInfo], None], **how: Any) -> bytes:
    """Pack the good bundle's files in another way."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in contents().items():
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, 0o644 << 16
            change(info)
            archive.writestr(info, content, **how)
    return out.getvalue()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("date_time", (1980, 1, 1, 0, 0, 2)),
        ("create_system", 0),
        ("external_attr", 0o755 << 16),
        ("comment", b"x"),
        ("extra", b"\x00\x00\x00\x00"),
    ],
)
def test_a_zip_file_packed_in_another_way_is_reported(field: str, value: Any) -> None:
    assert packed(unchanged) == GOOD
    assert wrong(packed(lambda info: setattr(info, field, value)))


def test_a_zip_file_with_other_bytes_is_reported() -> None:
    files = contents()
    turned = io.BytesIO()
    with zipfile.ZipFile(turned, "w") as archive:
        for name in reversed(files):
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, files[name])
    assert "not packed" in wrong(turned.getvalue())
    assert "not packed" in wrong(GOOD + b"\n")
    assert "lacks" in wrong(b"\n" + GOOD)
    assert wrong(packed(unchanged, compress_type=zipfile.ZIP_DEFLATED))
    assert pack(files) == GOOD


def test_a_bomb_does_not_go_off() -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bundle.json", bytes(50 << 20))
    assert len(bomb.getvalue()) < 1 << 17
    assert "too many or lacks" in wrong(bomb.getvalue())
    huge = bytearray(GOOD)
    huge[18:22] = b"\xff\xff\xff\xff"  # the size of the first file
    assert "too many or lacks" in wrong(bytes(huge))


def test_a_file_that_is_too_large_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    large = tmp_path / "large.zip"
    with large.open("wb") as file:
        file.truncate(verifier.MOST_BYTES + 2)  # takes no room on the disk
    assert verifier.main([str(large)]) == 1
    assert capsys.readouterr().out.startswith("WRONG: this is no bundle")


def test_any_changed_byte_is_detected() -> None:
    for at in range(0, len(GOOD), 7):
        changed = bytearray(GOOD)
        changed[at] ^= 1 << at % 8
        assert wrong(bytes(changed))


# ── whatever it is given ─────────────────────────────────────────────────────────────────────────────

ANYTHING: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just(10**30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to everything in some JSON."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(found for step, each in inner for found in places(each, (*path, step)))]


def outcome(data: bytes) -> str:
    """Return the last line; anything but a line is a failure of the test."""
    try:
        return checked(data)[-1]
    except verifier.CheckFailed as told:
        return f"WRONG: {told}"


@given(st.binary(max_size=200), st.integers(0, len(GOOD)))
def test_any_bytes_come_to_a_line(data: bytes, at: int) -> None:
    assert outcome(data).startswith("WRONG")
    assert outcome(GOOD[:at] + data).startswith("WRONG") or data == GOOD[at:]


@given(
    st.sampled_from(["entries", "bodies", "checkpoints", "proof", "settlement", "manifest"]),
    ANYTHING,
    st.data(),
)
def test_anything_in_the_place_of_anything_comes_to_a_line(
    stage: str, other: Any, data: st.DataObject
) -> None:
    def change(made: Any) -> None:
        paths = [path for path in places(made) if len(path) > (1 if stage in {"entries", "bodies"} else 0)]
        put(*data.draw(st.sampled_from(paths)), to=other)(made)

    assert outcome(bundle(stage, change))


@given(st.sampled_from([0, 1, 4, 8]), ANYTHING, st.data())
def test_anything_in_an_event_or_envelope_comes_to_a_line(at: int, other: Any, data: st.DataObject) -> None:
    def change(parts: list[list[bytes]]) -> None:
        told = json.loads(parts[0][at])
        path = data.draw(st.sampled_from(places(told)))
        if path:
            put(*path, to=other)(told)
        parts[0][at] = compact(told if path else other)

    assert outcome(bundle("leaves", change))


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b"[" * 200_000 + b"]" * 200_000,
        b"9" * 10_000,
        b"1e999",
        b"-Infinity",
        b'"\\ud800"',
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        "{}".encode("utf-16"),
        b"",
    ],
)
def test_text_that_no_reader_likes_comes_to_a_line(text: bytes) -> None:
    for name in ("checkpoints.json", "proof.json", "settlement.json"):
        assert outcome(bundle("files", put(name, to=text))).startswith(f"WRONG: {name} is no")
    assert outcome(bundle("signed", put("bundle.json", to=text))).startswith("WRONG: bundle.json is no")
    deep = b'{"cents":' + text + b"}"
    assert "WRONG" in outcome(bundle("files", put("settlement.json", to=b'{"wagers":' + deep + b"}")))


def test_text_that_is_no_unicode_comes_to_a_line() -> None:
    def halved(files: dict[str, bytes]) -> None:
        files["checkpoints.json"] = files["checkpoints.json"].replace(b'"body":"', b'"body":"\\ud800')

    assert "checkpoints.json is no JSON" in wrong(bundle("files", halved))


def test_an_event_that_is_named_by_something_deep_comes_to_a_line() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    assert "leaf 8 of" in wrong(bundle("leaves", leaves_with(8, altered(PAID, device=deep))))


@pytest.mark.parametrize(
    "evil", ["\x1b]0;owned\x07\x1b[2J", "\r\nok: all is well", "\u202egnp.exe", "caf\u00e9 \u2660"]
)
def test_nothing_from_a_bundle_steers_a_terminal(
    evil: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bundle.zip"
    for stage, change in (
        ("entries", put(0, "path", to=evil)),
        ("manifest", put("round", to=evil)),
        ("manifest", put("table", to=evil)),
        ("manifest", put("house", to=evil)),
        ("leaves", leaves_with(8, event("ChipsPaid", evil, 6, cents=1))),
    ):
        path.write_bytes(bundle(stage, change))
        verifier.main([str(path), "--line", evil])
        verifier.main([str(path)])
    verifier.main([str(tmp_path / "none.zip")])
    for line in capsys.readouterr().out.split("\n"):
        assert line.isascii()
        assert line.isprintable()
        assert line != "ok: all is well"


@pytest.mark.parametrize("missing", ["nothing.zip", "."])
def test_a_bundle_that_cannot_be_read_is_reported(
    missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verifier.main([str(tmp_path / missing)]) == 1
    assert capsys.readouterr().out.startswith("WRONG: [Errno")
