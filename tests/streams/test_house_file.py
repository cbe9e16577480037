"""Which processes of this machine are at work by a house file, and that none misses a change of it."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from schemas import house as houses
from streams.house_reload import hold_hangup, on_hangup, users

_WAITING: Final = """
import sys
{first}
print("begun", flush=True)
sys.stdin.read()
"""
_CATCHES: Final = "import signal; signal.signal(signal.SIGHUP, lambda *_: None)"


@contextmanager
def process(folder: Path, *words: str, first: str = _CATCHES, **environment: str) -> Iterator[int]:
    """Run something under the name of the command, which says that it has begun and waits."""
    script = folder / "discardrack"
    script.write_text(_WAITING.format(first=first), encoding="utf-8")
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


def test_one_that_only_begins_is_sent_nothing_as_it_would_end_by_it(tmp_path: Path) -> None:
    with process(tmp_path, "serve", "--house", "house.yaml", first=""):
        assert users(tmp_path / "house.yaml") == {}


def test_a_change_between_the_first_reading_and_the_listening_is_taken_once(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text(houses.text_of(houses.path_of("example", tmp_path)), encoding="utf-8")
    before = signal.getsignal(signal.SIGHUP)
    content = house.read_bytes()

    async def listen() -> None:
        # A loop that listens for any signal is woken by each that comes, and looks afterwards whose it was.
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, lambda: None)
        taken: asyncio.Queue[bytes] = asyncio.Queue()
        os.kill(os.getpid(), signal.SIGHUP)
        on_hangup(str(house), tmp_path, lambda file: taken.put_nowait(file.content))
        async with asyncio.timeout(60):
            assert await taken.get() == content
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(taken.get(), 0.3)
            house.write_bytes(content + b"# changed\n")
            os.kill(os.getpid(), signal.SIGHUP)
            assert await taken.get() == content + b"# changed\n"

    try:
        hold_hangup()
        asyncio.run(listen())
    finally:
        signal.signal(signal.SIGHUP, before)
