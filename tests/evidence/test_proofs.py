"""Proofs: the tree against published roots, checkpoints as a chain, and every way to change an archive."""

import hashlib
import hmac
import json
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.evidence import merkle_tree
from projections.evidence.part_leaves import contents, envelope_of
from replay.cli import main
from schemas.errors import BadInput
from streams import topics
from streams.archive import checkpoint_chain, sealed_files
from streams.archive.archiver import keep_house
from streams.archive.day_sealing import DayCloser
from streams.archive.journal import Journal
from streams.archive.kept_lines import kept_line
from streams.archive.record_names import KafkaRecord
from streams.archive.verification import Checked, check, check_days
from tests.builders.archives import CLUSTER, replace_fields
from tests.builders.thoroughness import examples
from tests.rehearsals.tamper import tamper_archive

# The leaves and roots of the reference tests of Certificate Transparency, whose tree this is (RFC 6962).
LEAVES: Final = (
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
)
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
LATER: Final = 4_000_000_000_000_000  # microseconds, after any day was closed
TABLE: Final = "days/2025-03-01/BAC-101.parquet"


# ── the tree ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", range(1, 9))
def test_the_tree_has_the_published_roots(size: int) -> None:
    hashes = [merkle_tree.leaf(bytes.fromhex(each)) for each in LEAVES[:size]]
    assert merkle_tree.root(hashes).hex() == ROOTS[size - 1]


@given(st.integers(1, 40).flatmap(lambda size: st.tuples(st.just(size), st.sets(st.integers(0, size - 1)))))
def test_a_proof_and_what_it_shows_make_the_root(drawn: tuple[int, set[int]]) -> None:
    size, shown = drawn
    hashes = [merkle_tree.leaf(b"%d" % each) for each in range(size)]
    hidden = merkle_tree.proof(hashes, shown)
    assert merkle_tree.rebuilt(size, {each: hashes[each] for each in shown}, hidden) == merkle_tree.root(
        hashes
    )
    # Nothing that is shown stands among what is hidden, and no more is told than has to be.
    assert not {hashes[each] for each in shown} & set(hidden)
    with pytest.raises(BadInput, match="more hashes than its tree asks for"):
        merkle_tree.rebuilt(size, {each: hashes[each] for each in shown}, [*hidden, b"\0" * 32])
    if hidden:
        with pytest.raises(BadInput, match="fewer hashes than its tree asks for"):
            merkle_tree.rebuilt(size, {each: hashes[each] for each in shown}, hidden[:-1])


# ── leaves ───────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=examples(40, 100))
@given(
    st.none()
    | st.binary(max_size=60)
    | st.lists(st.integers() | st.text(max_size=5), max_size=6).map(
        lambda events: json.dumps({"table": "A", "events": events, "v": 1}).encode()
    )
)
def test_a_payload_is_put_together_again_from_its_leaves(payload: bytes | None) -> None:
    record = KafkaRecord(CLUSTER, topics.FRAMES, 0, 7, 1, b"A", payload)
    envelope, *events = contents(record, framed=True)
    assert envelope_of(envelope).payload(tuple(events)) == payload


def test_the_first_leaf_of_a_part_is_salted_as_the_page_says(archive: Path) -> None:
    secret = (archive / "salt").read_bytes()
    record = next(sealed_files.read(archive / TABLE))
    first = next(contents(record, framed=True))
    salt = hmac.new(secret, f"{TABLE}#0".encode(), hashlib.sha256).digest()[:16]
    assert (
        checkpoint_chain.planted_files(archive, TABLE, secret).hashes[0]
        == hashlib.sha256(b"\0" + salt + first).digest()
    )


# ── an archive ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def untouched(closed: Path) -> Path:
    return closed / "archive"


@pytest.fixture
def archive(untouched: Path, tmp_path: Path) -> Path:
    """Copy it, to be spoilt."""
    return Path(shutil.copytree(untouched, tmp_path / "archive"))


def checked(archive: Path, *lines: str, key: tuple[str, ...] = ()) -> Checked:
    return check(archive, [kept_line(each) for each in lines], key, events=True, today=date(2025, 4, 1))


def wrong(archive: Path, *lines: str) -> list[tuple[str, str]]:
    return [(each.where, each.what) for each in checked(archive, *lines).troubles]


def lines(archive: Path) -> list[str]:
    return [each.kept_line() for each in checkpoint_chain.chain(archive)]


def test_an_archive_that_nobody_touched_is_as_it_was_closed(untouched: Path) -> None:
    found = checked(untouched, *lines(untouched))
    assert found.troubles == ()
    assert found.checkpoints == 2
    named = sum(each.body.entries for each in checkpoint_chain.chain(untouched))
    assert (
        found.files
        == named - 0
        == len({entry.path for each in checkpoint_chain.chain(untouched) for entry in each.entries})
    )


def _byte(path: str) -> Callable[[Path], None]:
    def spoil(archive: Path) -> None:
        text = bytearray((archive / path).read_bytes())
        text[len(text) // 2] ^= 1
        (archive / path).write_bytes(text)

    return spoil


def _gone(path: str) -> Callable[[Path], None]:
    return lambda archive: (archive / path).unlink()


def _copied(source: str, path: str) -> Callable[[Path], None]:
    def spoil(archive: Path) -> None:
        (archive / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(archive / source, archive / path)

    return spoil


def _records(change: Callable[[list[KafkaRecord]], list[KafkaRecord]]) -> Callable[[Path], None]:
    """Write a part again with its records changed: a file as good as any, for whoever does not check it."""

    def spoil(archive: Path) -> None:
        file = archive / TABLE
        since = sealed_files.stretch_of(file).since
        records = change(list(sealed_files.read(file)))
        file.unlink()
        sealed_files.write(file.parent, "BAC-101", records, since)

    return spoil


SECOND: Final = TABLE.replace("03-01", "03-02")
SPOILT: Final = {
    "a byte of a part": (_byte(TABLE), TABLE),
    "a byte of a snapshot": (_byte(TABLE.replace(".p", ".snapshots.p")), TABLE.replace(".p", ".snapshots.p")),
    "a byte of the house file": (_byte("house.yaml"), "house.yaml"),
    "a byte of the salt": (_byte("salt"), "salt"),
    "a byte of a checkpoint": (_byte("checkpoints/000001.jsonl"), "checkpoints/000001.jsonl"),
    "a part gone": (_gone(TABLE), TABLE),
    "a checkpoint gone": (_gone("checkpoints/000001.jsonl"), "checkpoints/000001.jsonl"),
    "the salt gone": (_gone("salt"), "salt"),
    "a part more": (_copied(TABLE, TABLE.replace(".p", ".2.p")), TABLE.replace(".p", ".2.p")),
    "a day more": (_copied(TABLE, TABLE.replace("03-01", "03-09")), TABLE.replace("03-01", "03-09")),
    "a day in another's place": (_copied(SECOND, TABLE), TABLE),
    "a file more": (_copied(TABLE, "days/2025-03-01/note.txt"), "days/2025-03-01/note.txt"),
    "a record gone": (_records(lambda records: records[:5] + records[6:]), TABLE),
    "a record doubled": (_records(lambda records: records[:5] + records[4:]), TABLE),
    "two records swapped": (_records(lambda records: [records[1], records[0], *records[2:]]), TABLE),
    "the end cut off": (_records(lambda records: records[:-1]), TABLE),
}


@pytest.mark.parametrize("what", SPOILT)
def test_what_is_changed_is_found_and_where(archive: Path, what: str) -> None:
    spoil, where = SPOILT[what]
    spoil(archive)
    assert where in [found for found, _ in wrong(archive)]


@pytest.mark.parametrize("what", ["a byte of a part", "a part gone", "a part more", "a record gone"])
def test_one_day_is_checked_by_itself(archive: Path, what: str) -> None:
    first, second = date(2025, 3, 1), date(2025, 3, 2)
    assert check_days(archive, [first]) == check_days(archive, [second]) == ()
    spoil, where = SPOILT[what]
    spoil(archive)
    assert [each.where for each in check_days(archive, [first])] == [where]
    assert check_days(archive, [second]) == ()


def test_a_day_removed_with_its_checkpoint_is_detected_by_the_printed_line_alone(archive: Path) -> None:
    first, second = lines(archive)
    shutil.rmtree(archive / "days/2025-03-02")
    (archive / "checkpoints/000002.jsonl").unlink()
    assert wrong(archive, first) == []
    assert wrong(archive, second) == [
        ("checkpoint 2 of 2025-03-02", "was kept elsewhere, but is not here: the archive ends with 1")
    ]


def test_a_remade_archive_is_detected_by_the_printed_line_or_the_key(archive: Path) -> None:
    old = lines(archive)
    owner = next(checkpoint_chain.chain(archive)).body.key
    shutil.rmtree(archive / "checkpoints")
    (archive / "salt").unlink()
    key = Ed25519PrivateKey.generate()
    list(DayCloser(archive).close("forged", key, LATER))
    assert wrong(archive) == []
    assert [where for where, _ in wrong(archive, old[0])] == ["checkpoint 1 of 2025-03-01"]
    assert [each.where for each in checked(archive, key=(owner,)).troubles] == [
        "checkpoints/000001.jsonl",
        "checkpoints/000002.jsonl",
    ]


def test_what_comes_late_is_closed_by_a_further_checkpoint(archive: Path) -> None:
    _late(archive)
    assert [where for where, _ in wrong(archive)] == [TABLE.replace(".p", ".2.p")]
    made = list(DayCloser(archive).close("simulated", Ed25519PrivateKey.generate(), LATER))
    assert [(str(each.body.day), each.body.number) for each in made] == [("2025-03-01", 3)]
    assert [entry.path for entry in made[0].entries] == [TABLE.replace(".p", ".2.p")]
    assert wrong(archive) == []


def _late(archive: Path) -> None:
    """Add a late record for a day that is closed."""
    file = archive / TABLE
    last = list(sealed_files.read(file))[-1]
    later = replace_fields(last, offset=last.offset + 10_000)
    sealed_files.write(file.parent, "BAC-101", [later], sealed_files.stretch_of(file).since)


def test_a_log_may_grow_and_not_shrink(archive: Path) -> None:
    holds = archive / "holds.jsonl"
    line = b'{"does":"add","hold":"H1","by":"A","at":"2025-03-03T00:00:00Z"}\n'
    holds.write_bytes(line)
    _late(archive)
    list(DayCloser(archive).close("simulated", Ed25519PrivateKey.generate(), LATER))
    assert wrong(archive) == []
    holds.write_bytes(line + line.replace(b"add", b"lift"))
    grown = checked(archive)
    assert grown.troubles == ()
    assert any(each.startswith("holds.jsonl: ") for each in grown.notes)
    holds.write_bytes(line.replace(b"H1", b"H2"))
    assert [where for where, _ in wrong(archive)] == ["holds.jsonl"]


def test_verify_says_what_nobody_can_know_and_ends_with_its_status(archive: Path) -> None:
    whole = CliRunner().invoke(main, ["verify", str(archive), "--format", "csv"])
    assert (whole.exit_code, whole.stdout) == (0, "where,what\n")
    assert CliRunner().invoke(main, ["verify", str(archive)]).stdout == "", "no head of an empty table"
    assert "only --line can tell" in whole.stderr
    assert "only --key can tell" in whole.stderr
    _byte(TABLE)(archive)
    spoilt = CliRunner().invoke(main, ["verify", str(archive), "--format", "csv"])
    assert (spoilt.exit_code, spoilt.stdout.splitlines()[1].split(",")[0]) == (1, TABLE)
    for given_, says in (
        (["--line", "discardrack 2"], "not the line of a checkpoint"),
        (["--key", "ab"], "public key"),
    ):
        refused = CliRunner().invoke(main, ["verify", str(archive), *given_])
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert says in refused.stderr


def covered(archive: Path, *lines: str) -> tuple[int, list[str]]:
    """Demand that these lines cover an archive; give the exit status, and where they do not."""
    given_ = [word for line in lines for word in ("--line", line)]
    ran = CliRunner().invoke(main, ["verify", str(archive), *given_, "--covered", "--format", "csv"])
    return ran.exit_code, [row.split(",")[0] for row in ran.stdout.splitlines()[1:]]


def test_what_no_line_covers_is_refused_where_that_is_demanded(archive: Path) -> None:
    first, second = lines(archive)
    assert covered(archive, first, second) == covered(archive, second) == (0, [])
    assert covered(archive, first) == (1, ["checkpoint 2"])
    _late(archive)
    list(DayCloser(archive).close("simulated", Ed25519PrivateKey.generate(), LATER))
    assert covered(archive, first) == (1, ["checkpoints 2 to 3"])
    assert covered(archive, second) == (1, ["checkpoint 3"])
    assert covered(archive, lines(archive)[-1]) == (0, [])
    # Not demanded, it is said.
    ran = CliRunner().invoke(main, ["verify", str(archive), "--line", first, "--format", "csv"])
    assert (ran.exit_code, ran.stdout) == (0, "where,what\n")
    says = "checkpoints 2 to 3: no line was named that covers what was closed then: "
    assert says in ran.stderr


def test_a_line_that_is_not_the_archives_covers_nothing(archive: Path) -> None:
    _, second = lines(archive)
    other = second[:-64] + "0" * 64
    assert covered(archive, other) == (1, ["checkpoint 2 of 2025-03-02", "checkpoints 1 to 2"])


def test_what_is_not_closed_yet_is_covered_by_no_line(archive: Path) -> None:
    newest = lines(archive)[-1]
    with (archive / "custody.jsonl").open("ab") as log:  # that someone looked at it makes it no newer
        log.write(b"{}\n")
    assert covered(archive, newest) == (0, [])
    house = (archive / "house.yaml").read_bytes()
    keep_house(archive, house + b"# another\n", LATER)
    version = next(each for each in (archive / "houses").iterdir() if each.read_bytes() != house)
    assert covered(archive, newest) == (1, ["house.yaml", f"houses/{version.name}"])
    (archive / "house.yaml").write_bytes(house)
    version.unlink()
    record = next(sealed_files.read(archive / TABLE))
    with Journal(archive, writable=True) as journal:
        journal.keep([(date(2025, 3, 3), replace_fields(record, offset=10**6))], {})
    assert covered(archive, newest) == (1, ["2025-03-03"])


def test_covered_without_a_line_is_refused(archive: Path) -> None:
    ran = CliRunner().invoke(main, ["verify", str(archive), "--covered"])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "--covered needs --line" in ran.stderr


def test_changes_at_random_are_all_found_and_where(untouched: Path) -> None:
    changes = examples(75, 150)
    made, missed = tamper_archive(untouched, changes, "proofs")
    assert missed == []
    assert made.total() == changes
