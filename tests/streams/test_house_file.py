"""Which processes of this machine are at work by a house file, however they were given it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from streams.house_reload import users


@contextmanager
def process(folder: Path, *words: str, **environment: str) -> Iterator[int]:
    """Run something under the name of the command, which says that it has begun and waits."""
    script = folder / "discardrack"
    script.write_text("import sys; print('begun', flush=True); sys.stdin.read()", encoding="utf-8")
    with subprocess.Popen(  # noqa: S603  our own words
        [sys.executable, str(script), *words],
        cwd=folder,
        env=os.environ | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as started:
        assert started.stdout is not None
        started.stdout.readline()
        yield started.pid
        started.kill()


@pytest.mark.parametrize("verb", ["gateway", "worker", "archive", "serve"])
@pytest.mark.parametrize("how", ["word", "with the option", "environment"])
def test_a_process_is_found_by_its_house_file(tmp_path: Path, verb: str, how: str) -> None:
    house = tmp_path / "house.yaml"
    words = {"word": ["--house", "house.yaml"], "with the option": [f"--house={house}"]}.get(how, [])
    environment = {f"DISCARDRACK_{verb.upper()}_HOUSE": str(house)} if how == "environment" else {}
    with process(tmp_path, verb, *words, **environment) as number:
        assert users(house) == {number: verb}
        assert users(tmp_path / "other.yaml") == {}


def test_what_takes_no_other_file_is_sent_nothing(tmp_path: Path) -> None:
    with process(tmp_path, "audit", "--house", "house.yaml"):
        assert users(tmp_path / "house.yaml") == {}
