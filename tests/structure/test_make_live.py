"""`make live`: its floor rings as a room's night does, with its default options; what it shows.

Beside it, what the first `make` of any target says before it is silent.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from click.testing import CliRunner

from projections.web.live.broadcaster import LIMIT
from replay.cli import main
from replay.recording.event_audit import audit_logs
from replay.recording.recording import Recording
from streams.log import Unread, logs
from tests.bench.night_of_alerts import play_night
from tests.builders.documents import README, ROOT

MINUTE: Final = 60_000_000


def usual() -> dict[str, str]:
    """Return the Makefile's default of each of its variables."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Z_]+) \?= (\S+)$", text, re.MULTILINE))


def played(out: Path) -> list[str]:
    """Return the call that plays the floor, into a folder in place of a gateway and on a day that stays."""
    (line,) = re.findall(
        r"^devices: discardrack (.*?) &&",
        (ROOT / "infra" / "Procfile").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    told = {"$LIVE/floor": str(out), "now": "2025-03-01T06:00"}
    told |= {f"${name}": value for name, value in usual().items()}
    call, _, into = line.partition(" --live ")
    assert into == "$DEVICES --speed $SPEED"
    return [told.get(word, word) for word in call.split()]


def test_its_floor_rings_soon_and_at_most_six_times_in_the_hour_that_it_is_watched(tmp_path: Path) -> None:
    floor, speed = tmp_path / "floor", int(usual()["SPEED"])
    ran = CliRunner().invoke(main, played(floor))
    assert ran.exit_code == 0, ran.output
    concluded = [
        each for each in audit_logs(logs(floor), Recording(floor).house) if not isinstance(each, Unread)
    ]
    begins = min(each.seen.at for each in concluded if each.seen is not None and each.seen.at is not None)
    rang = [(at - begins) / MINUTE / speed for at, _ in play_night(concluded)[0]]
    assert int(usual()["HOURS"]) * 60 / speed == 48, "minutes, as the README says"
    assert 2 <= len(rang) <= LIMIT
    assert 9 <= rang[0] < 10, "minutes, as the README says"


# ── what the terminal shows ──────────────────────────────────────────────────────────────────────────


def project(folder: Path, **programs: str) -> Path:
    """Return a project of the Makefile alone, whose programs are shell scripts."""
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / "infra").mkdir()
    shutil.copy(ROOT / "Makefile", folder)
    for file in ("pyproject.toml", "infra/requirements.txt", "infra/Procfile"):
        (folder / file).touch()
    for name, does in programs.items():
        file = folder / ".venv" / "bin" / name
        file.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        file.chmod(0o755)
    return folder


def made(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # What a make that runs the tests hands down is not for this one.
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    call = ["make", *words]
    return subprocess.run(  # noqa: S603  ours
        call, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=60
    )


def test_its_terminal_has_what_is_to_be_done_and_what_is_wrong_and_its_log_has_all(tmp_path: Path) -> None:
    usual_line = '03:00 gateway.1 | {"event": "frame_closed", "level": "info"}'
    wrong = '03:00 gateway.1 | {"event": "kafka_away", "level": "error"}'
    plain = "03:00 serve.1 | discardrack: cannot listen on 127.0.0.1, port 8011: Address already in use"
    says = f"cat <<'END'\n{usual_line}\n{wrong}\n{plain}\nEND\nexit 2"
    folder = project(tmp_path / "here", honcho=says, python="exit 0", discardrack="exit 0")
    (folder / ".venv" / "ready").touch()
    ran = made(folder, "live", "CONSOLE_PORT=8011")
    assert ran.returncode != 0, "as the processes ended"
    assert "Error 2" in ran.stderr
    log = folder / "var" / "live" / "log"
    assert log.read_text(encoding="utf-8").splitlines() == [usual_line, wrong, plain]
    shown = ran.stdout.splitlines()
    assert shown[-2:] == [wrong, plain]
    assert usual_line not in shown
    assert "http://127.0.0.1:8011" in ran.stdout
    (typed,) = (line for line in shown if line.startswith("  .venv/bin/discardrack user add NAME "))
    assert typed.strip() in README, "the README says the same"


def test_the_first_make_says_that_it_installs_before_it_does(tmp_path: Path) -> None:
    pip, uv = 'echo "pip $1"', 'echo "uv $1 $2"'
    folder = project(tmp_path, pip=pip, uv=uv, discardrack="exit 0", pytest="exit 0")
    for target in (["demo", "SERVE=0"], ["test"]):
        (folder / ".venv" / "ready").unlink(missing_ok=True)
        first = made(folder, *target, "PYTHON=true").stdout.splitlines()
        assert first[0].startswith("Installing what discardrack needs into .venv")
        installed = [line for line in first if line in ("pip install", "uv pip install")]
        assert installed == ["pip install", "uv pip install", "pip install"], "uv; all; discardrack"
        assert "Installing" not in made(folder, *target, "PYTHON=true").stdout


def test_what_uv_cannot_install_is_installed_by_pip(tmp_path: Path) -> None:
    folder = project(tmp_path, pip='echo "pip: $*"', uv="exit 2", pytest="exit 0")
    said = made(folder, "test", "PYTHON=true").stdout.splitlines()
    installed = [line for line in said if line.startswith("pip: ")]
    assert [line.split()[-1] for line in installed] == [".venv/uv.txt", "infra/requirements.txt", "."]
