"""Reports of two archives do not lie in one folder, and what one archive is stays the same."""

import json
import shutil
from datetime import date
from pathlib import Path

from replay.nightly import earlier_reports
from replay.nightly.gaming_days import origin
from schemas import house as houses
from streams.archive.record_names import JOURNAL
from tests.builders.archives import (
    archive_floor,
    records_of_floor,
    replace_fields,
    seal_all_days,
    write_journal,
)
from tests.builders.nights import DAY, read_folder, run_nightly, script_three_rounds, write_floor
from tests.builders.table_script import BANKER_WINS, Script


def another_day() -> Script:
    """Play one round at a table that opens with another inventory."""
    script = Script()
    script.tray += 100_00
    script.open()
    script.play(BANKER_WINS, {(1, "player"): 100_00}, "banker", {(1, "player"): -100_00})
    script.close()
    return script


def test_the_reports_of_another_archive_are_not_overwritten(tmp_path: Path) -> None:
    ours, theirs = (
        write_floor(tmp_path, script, name=name)
        for script, name in ((script_three_rounds(), "ours"), (another_day(), "theirs"))
    )
    out = tmp_path / "out"
    run_nightly(ours, out=out, only=())
    before = read_folder(out)
    ran = run_nightly(theirs, out=out, only=())
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr == (
        f"discardrack: {out / DAY}: not made from this archive, which is {origin(theirs)}; "
        "name another folder with --out, or move that one away\n"
    )
    assert read_folder(out) == before
    assert run_nightly(theirs, out=tmp_path / "another", only=()).exit_code == 0


def test_another_archive_s_reports_are_refused_whatever_their_day(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_nightly(write_floor(tmp_path, script_three_rounds(), name="ours"), out=out, only=())
    (out / DAY).rename(out / "2025-03-31")
    ran = run_nightly(write_floor(tmp_path, another_day(), name="theirs"), out=out, only=())
    assert ran.exit_code == 2
    assert f"{out / '2025-03-31'}: not made from this archive" in ran.stderr
    assert not (out / DAY).exists()


def test_another_archive_s_days_are_never_summed(tmp_path: Path) -> None:
    ours = write_floor(tmp_path, script_three_rounds())
    run_nightly(ours, out=tmp_path, only={"win_by_table"})
    told = (tmp_path / DAY / "win_by_table.json").read_bytes()
    assert json.loads(told)["about"]["made"]["archive"] == origin(ours)
    after = date(2025, 4, 2)
    assert list(earlier_reports.read(tmp_path, after, origin(ours)).days) == [date.fromisoformat(DAY)]
    assert list(earlier_reports.read(tmp_path, after, "0f0f").days) == []
    (tmp_path / DAY / "manifest.json").unlink()
    assert list(earlier_reports.read(tmp_path, after, origin(ours)).days) == []


def test_a_floor_that_grows_or_is_copied_is_the_same(tmp_path: Path) -> None:
    script = script_three_rounds()
    begun = origin(write_floor(tmp_path, script))
    script.open()
    script.close()
    assert origin(write_floor(tmp_path, script, name="grown")) == begun
    assert origin(write_floor(tmp_path, another_day(), name="another")) != begun


def test_an_archive_is_the_same_before_and_after_it_is_sealed_and_where_it_is_copied(
    played: Path, tmp_path: Path
) -> None:
    archive = archive_floor(tmp_path / "archive", played, lambda *_: ())
    begun = origin(archive)
    house = houses.load("house.yaml", played)
    seal_all_days(archive, house)
    assert origin(archive) == begun
    later = [replace_fields(each, cluster="cluster-two") for each in records_of_floor(played)]
    write_journal(archive, later, house)
    assert origin(archive) == begun
    copy = shutil.copytree(archive, tmp_path / "copy")
    for each in copy.glob(f"{JOURNAL}*"):
        each.unlink()
    assert origin(copy) == begun


def test_archives_of_two_floors_are_two(played: Path, tmp_path: Path) -> None:
    house = houses.load("house.yaml", played)
    found = set()
    for cluster in ("cluster-one", "cluster-two"):
        write_journal(
            tmp_path / cluster,
            [replace_fields(each, cluster=cluster) for each in records_of_floor(played)],
            house,
        )
        found.add(origin(tmp_path / cluster))
    assert len(found) == 2


def test_a_sealed_day_that_is_a_link_is_not_followed(kept: Path, tmp_path: Path) -> None:
    archive = Path(shutil.copytree(kept, tmp_path / "archive"))
    for each in archive.glob(f"{JOURNAL}*"):
        each.unlink()
    day = min((archive / "days").iterdir())
    day.rename(tmp_path / "elsewhere")
    day.symlink_to(tmp_path / "elsewhere")
    ran = run_nightly(archive, out=tmp_path / "out")
    assert (ran.exit_code, ran.stdout) == (2, "")
    says = "is a link, which is never followed here; put there what it leads to"
    assert ran.stderr == f"discardrack: {day}: {says}\n"
