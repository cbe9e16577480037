"""Copies of an open store that a process left when it was killed."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from projections.store.store import Store

# It is killed in the middle of a copy: all of it is written, and nothing of it tidied up.
KILLED: Final = """
import os, signal, sys
from pathlib import Path
from projections.store import store_file as snapshot
from projections.store.store import Store

copied = snapshot._copy
def killed(*arguments):
    copied(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
snapshot._copy = killed
with Store(Path(sys.argv[1])) as store, store.reading() as reading:
    snapshot.snapshot(reading)
"""


def left_by_a_copy_of(store: Path) -> set[Path]:
    before = set(store.parent.iterdir())
    ended = subprocess.run([sys.executable, "-c", KILLED, str(store)], check=False)  # noqa: S603  our own text
    assert ended.returncode < 0
    left = set(store.parent.iterdir()) - before - {store, store.with_name(f"{store.name}.wal")}
    assert [file.stat().st_size > 0 for each in left for file in each.glob("store.duckdb")] == [True]
    return left


def test_what_a_killed_copy_left_is_removed_when_its_store_is_opened(tmp_path: Path) -> None:
    store, other = tmp_path / "live.duckdb", tmp_path / "not-live.duckdb"
    of_other = left_by_a_copy_of(other)
    of_store = left_by_a_copy_of(store)
    with Store(store):
        assert not any(each.exists() for each in of_store)
        assert all(each.exists() for each in of_other)
    with Store(other):
        assert not any(each.exists() for each in of_other)
