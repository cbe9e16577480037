"""A day's folder of reports: whole or not at all, the same every time, and never over what is not its own."""

import hashlib
import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from replay.exports.report import folder
from replay.exports.report.folder import Written, made_from, write
from schemas.errors import BadInput
from streams import processes
from tests.builders.reports import ABOUT, EMPTY, EVIL, WIN

ROOT: Final = Path(__file__).parents[2]
SECRET: Final = replace(EMPTY, name="cash", restricted="finance")
ALL: Final = (WIN, EMPTY, EVIL, SECRET)


def contents(of: Path) -> dict[str, bytes]:
    return {each.relative_to(of).as_posix(): each.read_bytes() for each in of.rglob("*") if each.is_file()}


def test_a_folder_has_every_form_of_every_report(tmp_path: Path) -> None:
    written = write(tmp_path / "reports", ABOUT, iter(ALL))
    assert written == Written(tmp_path / "reports" / "2026-03-07", "new")
    assert sorted(contents(written.folder)) == sorted(
        [
            *(
                f"{name}.{form}"
                for name in ("win", "fills", "evil")
                for form in ("csv", "html", "json", "parquet")
            ),
            *(f"finance/cash.{form}" for form in ("csv", "html", "json", "parquet")),
            "index.html",
            "manifest.json",
        ]
    )
    assert sorted(each.name for each in (tmp_path / "reports").iterdir()) == [".lock", "2026-03-07"]


def test_nobody_but_the_owner_reads_what_may_be_withheld_from_them(tmp_path: Path) -> None:
    before = os.umask(0)  # a process that lets everyone read what it writes
    try:
        first = write(tmp_path, ABOUT, ALL).folder
        modes = [each.stat().st_mode & 0o777 for each in (first, first / "finance")]
        replaced = write(tmp_path, ABOUT, (WIN, SECRET))
    finally:
        os.umask(before)
    assert modes == [0o700, 0o700]
    assert (replaced.how, replaced.folder.stat().st_mode & 0o777) == ("replaced", 0o700)


def test_whom_the_site_lets_read_a_folder_goes_on_to_while_it_stays_the_same(tmp_path: Path) -> None:
    written = write(tmp_path, ABOUT, ALL)
    written.folder.chmod(0o750)
    assert write(tmp_path, ABOUT, ALL).how == "unchanged"
    assert written.folder.stat().st_mode & 0o777 == 0o750


def test_the_manifest_has_the_hash_of_every_other_file(tmp_path: Path) -> None:
    found = contents(write(tmp_path, ABOUT, ALL).folder)
    manifest = json.loads(found.pop("manifest.json"))
    assert {each["path"]: (each["bytes"], each["sha256"]) for each in manifest["files"]} == {
        name: (len(content), hashlib.sha256(content).hexdigest()) for name, content in found.items()
    }
    assert manifest["about"]["software"] == "discardrack 9.8.7"


def test_twice_is_once(tmp_path: Path) -> None:
    first = write(tmp_path, ABOUT, ALL)
    before = {each: each.stat().st_mtime_ns for each in first.folder.rglob("*")}
    assert write(tmp_path, ABOUT, ALL) == Written(first.folder, "unchanged")
    assert {each: each.stat().st_mtime_ns for each in first.folder.rglob("*")} == before


def test_the_bytes_hang_on_nothing_but_the_reports(tmp_path: Path) -> None:
    # Another process, with another hash seed, zone, language and a taste of its own in plots.
    (tmp_path / "matplotlibrc").write_text("font.size: 31\naxes.grid: True\n", "utf-8")
    script = (
        "import pathlib; from replay.exports.report.folder import write; "
        "from tests.replay.test_report_folder import ABOUT, ALL; write(pathlib.Path('other'), ABOUT, ALL)"
    )
    known = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"}
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, **known, "PYTHONPATH": paths},
        check=True,
    )
    assert contents(tmp_path / "other" / "2026-03-07") == contents(write(tmp_path, ABOUT, ALL).folder)


def test_other_figures_replace_the_folder_and_are_named(tmp_path: Path) -> None:
    write(tmp_path, ABOUT, ALL)
    late = replace(WIN, rows=WIN.rows[:2])
    written = write(tmp_path, ABOUT, (late, EVIL, SECRET))
    assert written.how == "replaced"
    assert set(written.differing) == {
        *(f"win.{form}" for form in ("csv", "html", "json", "parquet")),
        *(f"fills.{form}" for form in ("csv", "html", "json", "parquet")),
        "index.html",
        "manifest.json",
    }
    assert "win.csv" in contents(written.folder)
    assert "fills.csv" not in contents(written.folder)
    assert sorted(each.name for each in tmp_path.iterdir()) == [".lock", "2026-03-07"]


def test_a_file_changed_by_hand_is_named_and_put_right(tmp_path: Path) -> None:
    written = write(tmp_path, ABOUT, ALL)
    before = contents(written.folder)
    file = written.folder / "win.csv"
    file.write_bytes(file.read_bytes().replace(b"250000", b"350000"))
    assert write(tmp_path, ABOUT, ALL) == Written(written.folder, "replaced", ("win.csv",))
    assert contents(written.folder) == before


def test_a_file_that_is_no_report_is_not_removed(tmp_path: Path) -> None:
    written = write(tmp_path, ABOUT, ALL)
    before = contents(written.folder)
    (written.folder / "finance" / "signed.pdf").write_bytes(b"signed")
    with pytest.raises(BadInput, match=r"holds 'finance/signed.pdf', which is no report; move it away"):
        write(tmp_path, ABOUT, (EVIL,))
    assert contents(written.folder) == {**before, "finance/signed.pdf": b"signed"}


@pytest.mark.parametrize("manifest", [None, b"{", b"[]", b'{"files": [1]}', b'{"files": [{}]}'])
def test_a_folder_of_someone_else_is_not_replaced(tmp_path: Path, manifest: bytes | None) -> None:
    theirs = tmp_path / "2026-03-07"
    theirs.mkdir()
    (theirs / "diary.txt").write_text("mine", "utf-8")
    if manifest is not None:
        (theirs / "manifest.json").write_bytes(manifest)
    with pytest.raises(BadInput, match="has no manifest of reports; move it away"):
        write(tmp_path, ABOUT, ALL)
    assert (theirs / "diary.txt").read_text("utf-8") == "mine"


def test_a_folder_of_another_archive_is_not_replaced_nor_joined(tmp_path: Path) -> None:
    written = write(tmp_path, ABOUT, ALL)
    before = contents(tmp_path)
    other = replace(ABOUT, made=replace(ABOUT.made, archive="0f0f"))
    said = "2026-03-07: not made from this archive, which is 0f0f; name another folder with --out"
    with pytest.raises(BadInput, match=said):
        write(tmp_path, other, ALL)
    later = replace(other, made=replace(other.made, gaming_day=date(2026, 3, 8)))
    with pytest.raises(BadInput, match=said):
        write(tmp_path, later, ALL)
    assert contents(tmp_path) == before
    assert made_from(written.folder) == "a1b2c3d4"


def test_a_folder_that_does_not_say_its_archive_is_not_joined(tmp_path: Path) -> None:
    manifest = write(tmp_path, ABOUT, ALL).folder / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b'"archive"', b'"something"'))
    with pytest.raises(BadInput, match="not made from this archive, which is a1b2c3d4"):
        write(tmp_path, ABOUT, ALL)


def test_two_reports_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="two reports are called win"):
        write(tmp_path, ABOUT, (WIN, WIN))
    assert not (tmp_path / "2026-03-07").exists()


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    with (
        processes.exclusive(tmp_path / ".lock", "not free"),
        pytest.raises(BadInput, match="another process writes reports there"),
    ):
        write(tmp_path, ABOUT, ALL)


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(BadInput, match=r"file.*: cannot be written: "):
        write(tmp_path / "file" / "reports", ABOUT, ALL)


def test_a_file_system_that_cannot_exchange_keeps_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = write(tmp_path, ABOUT, ALL)
    before = contents(written.folder)
    monkeypatch.setattr(folder, "_EXCHANGE", 1 << 30)  # a flag that no kernel knows: EINVAL, as from NFS
    with pytest.raises(BadInput, match="cannot be replaced in one step there; move it away"):
        write(tmp_path, ABOUT, (EVIL,))
    assert contents(written.folder) == before
