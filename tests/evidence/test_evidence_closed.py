"""`evidence` discloses only what was closed: forged rows, snapshots, house files, parts change no bundle."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from projections.evidence.disclosure import DisclosureScope
from replay.evidence.bundle_files import judgement, make_bundle
from replay.evidence.bundle_html import Release
from schemas.errors import BadInput
from streams.archive import keys, sealed_files
from streams.archive.inclusion import ClosedArchive
from streams.archive.record_names import KafkaRecord
from tests.builders.archives import replace_fields
from tests.builders.evidence_bundles import (
    archive_scripts,
    bundle_events,
    bundle_files,
    read_bundle_json,
    request_bundle,
)
from tests.builders.table_script import PLAYER_WINS, Script

DAY = date(2025, 4, 1)
PART = f"days/{DAY}/BAC-1.parquet"


def a_round(paid: int = 1000) -> Script:
    """Play a round on which 10 dollars are owed, and close the table."""
    table = Script()
    table.open()
    table.play(PLAYER_WINS, {(1, "player"): 1000}, "player", {(1, "player"): paid})
    table.close()
    return table


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archive_scripts(tmp_path_factory.mktemp("whole"), a_round())


@pytest.fixture
def archive(whole: Path, tmp_path: Path) -> Path:
    shutil.copy(whole.parent / "releaser", tmp_path / "releaser")
    return Path(shutil.copytree(whole, tmp_path / "archive"))


def content_of(archive: Path, *more: object) -> bytes:
    ran = request_bundle(archive, "1", *more)
    assert ran.exit_code == 0, ran.output
    return (archive.parent / "bundle.zip").read_bytes()


def refused(archive: Path, *more: object) -> str:
    """Return the one line with which a bundle is refused."""
    ran = request_bundle(archive, "1", *more)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1), ran.output
    assert not (archive.parent / "bundle.zip").exists()
    return ran.stderr


def put(archive: Path, record: KafkaRecord, day: date) -> None:
    with closing(sqlite3.connect(archive / "journal.sqlite", isolation_level=None)) as journal:
        journal.execute(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(record.cluster, record.topic, record.partition, record.offset, record.received),
                *(str(day), "BAC-1", record.key, record.payload),
            ),
        )


def spoilt(record: KafkaRecord) -> KafkaRecord:
    payload = record.payload or b""
    return replace_fields(record, payload=payload.replace(b"ChipsPaid", b"ChipsCollected"))


@pytest.mark.parametrize("beyond", [0, 1000])
def test_nothing_of_the_journal_is_in_a_verdict(archive: Path, beyond: int) -> None:
    """Neither in the place of a closed record, nor after all of them."""
    before = bundle_files(content_of(archive))
    record = next(each for each in sealed_files.read(archive / PART) if b"ChipsPaid" in (each.payload or b""))
    put(archive, replace_fields(spoilt(record), offset=record.offset + beyond), date(2026, 11, 21))
    after = bundle_files(content_of(archive))
    assert all(after[name] == before[name] for name in ("proof.json", "verdict.json", "settlement.json"))


def a_record_changed(archive: Path) -> str:
    records = [spoilt(each) for each in sealed_files.read(archive / PART)]
    since = sealed_files.stretch_of(archive / PART).since
    (archive / PART).unlink()
    sealed_files.write((archive / PART).parent, "BAC-1", records, since)
    return f"{PART}: "


def a_part_removed(archive: Path) -> str:
    (archive / PART).unlink()
    return f"{PART}: is missing"


def a_part_added(archive: Path) -> str:
    shutil.copy(archive / PART, archive / PART.replace("-1.", "-1.2."))
    return "BAC-1.2.parquet: is not closed by a checkpoint"


def a_part_of_another_table_added(archive: Path) -> str:
    shutil.copy(archive / PART, archive / PART.replace("-1.", "-2."))
    return "BAC-2.parquet: "


def a_snapshot_forged(archive: Path) -> str:
    path = f"days/{DAY}/BAC-1.snapshots.parquet"
    shutil.copy(archive / PART, archive / path)
    return f"{path}: "


def the_house_changed(archive: Path) -> str:
    file = archive / "house.yaml"
    file.write_text(file.read_text() + "\n# as it suits us\n")
    return "house.yaml: is not the house file that was closed last; name the one to judge by with --house"


def a_link(archive: Path) -> str:
    elsewhere = archive.parent / "elsewhere"
    (archive / PART).rename(elsewhere)
    (archive / PART).symlink_to(elsewhere)
    return f"{PART}: is a link"


@pytest.mark.parametrize(
    "change",
    [
        *(a_record_changed, a_part_removed, a_part_added, a_part_of_another_table_added),
        *(a_snapshot_forged, the_house_changed, a_link),
    ],
)
def test_what_is_not_as_it_was_closed_is_refused_in_a_line(
    archive: Path, change: Callable[[Path], str]
) -> None:
    says = change(archive)
    assert says in refused(archive, "--date", DAY)


def test_a_house_file_that_is_named_is_reported(archive: Path) -> None:
    the_house_changed(archive)
    content = content_of(archive, "--house", archive / "house.yaml")
    command = read_bundle_json(content, "bundle")["command"]
    assert command[command.index("--house") + 1] == "house.yaml"
    assert b"house.yaml, SHA-256 " in bundle_files(content)["page.html"]


def test_a_hand_is_not_called_clean_if_its_events_have_other_sums(archive: Path, tmp_path: Path) -> None:
    """As if the verdict had been drawn from anything else than the closed events."""
    clean = judgement(ClosedArchive(archive), "BAC-1", "1", DAY, None)
    assert clean.concluded.verdict == "clean"
    other = tmp_path / "other"
    other.mkdir()
    overpaid = ClosedArchive(archive_scripts(other, a_round(paid=1500)))
    hand = overpaid.hand("BAC-1", "1", DAY, clean.house.gaming_date, staff=False)
    release = Release(
        at=datetime(2099, 6, 1, tzinfo=UTC),
        by="sam",
        why=None,
        command=(),
        house=None,
        footage={},
        custody=[],
    )
    key = keys.load(other / "releaser")
    everyone = DisclosureScope(None, staff=False, coupons=frozenset())
    with pytest.raises(BadInput, match=r"seat 1, player: the closed events do not make the \$10.00 that"):
        make_bundle(overpaid, hand, clean, everyone, release, key, nameless=False)
    mismatch = judgement(overpaid, "BAC-1", "1", DAY, None)
    assert bundle_events(make_bundle(overpaid, hand, mismatch, everyone, release, key, nameless=False))
    assert bundle_events(
        make_bundle(
            overpaid,
            hand,
            replace(clean, concluded=mismatch.concluded),
            everyone,
            release,
            key,
            nameless=False,
        )
    )
