"""The wheel as somebody installs it: one package, beside a project with a package `schemas` of its own."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.builders.round_records import UNDERPAID

ROOT: Final = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and unpack it, as an installer would, into a folder that lies on the path."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", folder, ROOT], check=True, cwd=folder)  # noqa: S603  our own interpreter
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    (site / "schemas").mkdir()  # somebody else's
    (site / "schemas" / "__init__.py").write_text("WHOSE = 'somebody else'\n")
    return site


def run(site: Path, *arguments: str | Path, status: Sequence[int] = (0,)) -> str:
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-P", *map(str, arguments)],
        cwd=site.parent,
        env=ours | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in status, done.stderr
    return done.stdout


def test_the_wheel_holds_one_package(installed: Path) -> None:
    there = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert there == {"discardrack", "schemas"}
    assert [path.name for path in (installed / "schemas").iterdir()] == ["__init__.py"]
    for name in (
        "schemas/law/631a.yaml",
        "projections/engine/checks/messages.j2",
        "projections/store/store.sql",
    ):
        assert (installed / "discardrack" / name).is_file()
    assert not list(installed.rglob("__pycache__"))


def test_the_library_judges_beside_another_package_schemas(installed: Path) -> None:
    code = f"""
import schemas, sys, discardrack, discardrack.plugin
found = discardrack.judge({UNDERPAID!r})
print(found.verdict, found.findings[0].check, found.findings[0].net_cents, found.findings[0].message)
print(schemas.WHOSE, "projections" in sys.modules, discardrack.__file__)
print(discardrack.plugin.Game.__module__)
"""
    said, others, game = run(installed, "-c", code).splitlines()
    assert said == "mismatch paid_too_little -500 player: paid $20.00, due $25.00: underpaid $5.00"
    assert game == "discardrack.projections.engine.game"
    assert others == f"somebody else False {installed / 'discardrack' / '__init__.py'}"


def test_the_verbs_work_as_a_module(installed: Path, tmp_path: Path) -> None:
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_text(json.dumps(UNDERPAID) + "\n")
    (answer,) = run(installed, "-m", "discardrack", "audit", rounds, status=(1,)).splitlines()
    assert "631a.13(a)" in json.loads(answer)["findings"][0]["citations"]
    page = run(
        installed, "-m", "discardrack", "hand", rounds, "BAC-1", "41", "--html", tmp_path / "hand.html"
    )
    assert "Player's Hand" in page
    floor = tmp_path / "floor"
    run(installed, "-m", "discardrack", "simulate", "--tables", "1", "--hours", "0.2", "--out", floor)
    assert (
        run(installed, "-m", "discardrack", "audit", floor, "--format", "csv", status=(0, 1)).count("\n") > 1
    )
    assert "631a" in run(installed, "-m", "discardrack", "law", "631a")
    assert "archive" in run(installed, "-m", "discardrack", "--help")
