"""Folders that every process running tests needs: made by the first that comes, copied by each."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return this process's own copy of a folder that `make` fills, once for all processes of the run."""
    base = factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    original = run / f"{name} of all"
    with (run / f"{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not original.exists():
            unfinished = factory.mktemp(name) / "unfinished"
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(original)
    return shutil.copytree(original, factory.mktemp(name) / name)
