"""A check and a game of another package, installed: found, judged, distinguished."""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Final

import pytest

from projections.views.text import FILE
from replay.recording.parallel_audit import processes
from schemas.plugins import CHECKS, RESERVED, Plugin, warn_of_fault
from streams.observability import own_as_json

ROOT: Final = Path(__file__).parents[2]
BACCARAT: Final[dict[str, Any]] = {
    "table": "BAC-1",
    "round": "41",
    "chapter": "631a",
    "at": "2025-03-01T20:39:43Z",
    "announced": "player",
    "play": [["player", "Kd"], ["banker", "Tc"], ["player", "9h"], ["banker", "8s"]],
    "wagers": [{"seat": 1, "wager": "player", "cents": 2700}],
    "paid": [{"seat": 1, "wager": "player", "cents": 2000}],
}
HIGH_CARD: Final[dict[str, Any]] = BACCARAT | {
    "table": "HC-1",
    "chapter": "hc",
    "play": [["player", "Kd"], ["dealer", "Tc"]],
    "wagers": [{"seat": 1, "wager": "high_card", "cents": 2500}],
    "paid": [{"seat": 1, "wager": "high_card", "cents": 2000}],
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the example into a folder of its own, without a network."""
    folder = tmp_path_factory.mktemp("site")
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
    ]
    subprocess.run(  # noqa: S603  our own interpreter
        [*install, "--target", folder, ROOT / "docs" / "examples" / "harbor"], check=True
    )
    return folder


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rounds") / "rounds.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in (BACCARAT, HIGH_CARD)))
    return path


def run(site: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )


# Each run takes a second to begin, so one tells all that is asked of it.
_AUDIT: Final = """
import json, sys, discardrack
from projections.engine.checks.plugin_checks import software
found = [discardrack.judge(line) for line in open(sys.argv[1], encoding="utf-8")]
findings = [[each.check, each.message, each.citations[0]] for one in found for each in one.findings]
print(json.dumps([[each.verdict for each in found], findings, software()]))
"""


def audited(site: Path, rounds: Path) -> tuple[list[str], list[list[str]], str, str]:
    done = run(site, "-c", _AUDIT, rounds)
    verdicts, found, software = json.loads(done.stdout)
    return verdicts, found, software, done.stderr


UNDERPAID: Final = [
    "paid_too_little",
    "player: paid $20.00, due $27.00: underpaid $7.00",
    "631a.8(a)(2)(i)",
]


def test_the_check_and_the_game_of_a_plugin_judge_beside_our_own(site: Path, rounds: Path) -> None:
    verdicts, found, software, warned = audited(site, rounds)
    assert (verdicts, warned) == (["mismatch", "mismatch"], "")
    assert [each.rpartition(" ")[0] for each in software.split(", ")[1:]] == [
        "harbor of harbor-rules 1.0",
        "hc of harbor-rules 1.0",
    ]
    assert found == [
        UNDERPAID,
        ["harbor.part_of_chip", "player: $27.00 cannot be made of five-dollar chips", "house control"],
        ["paid_too_little", "high card: paid $20.00, due $25.00: underpaid $5.00", "hc.2(a)"],
    ]
    drawn = run(site, "-m", "discardrack", "hand", rounds, "HC-1", "41")
    assert "The player's card is the higher one." in drawn.stdout


def test_law_and_version_distinguish_a_plugin_from_our_own_game(site: Path) -> None:
    listed = run(site, "-m", "discardrack", "law", "--format", "jsonl").stdout.splitlines()
    by = {(row["plugin"], *row["check"]): row["provision"] for row in map(json.loads, listed)}
    assert by["harbor of harbor-rules 1.0", "harbor.part_of_chip"] == "house control"
    assert by["hc of harbor-rules 1.0", "push_paid", "push_collected"] == "hc.2(b)"
    assert {number for (plugin, *_), number in by.items() if number.startswith("631a")} != set()
    assert all(plugin is None for (plugin, *_), number in by.items() if number.startswith("631a"))
    (alone,) = run(site, "-m", "discardrack", "law", "harbor", "--format", "jsonl").stdout.splitlines()
    assert run(site, "-m", "discardrack", "law", "harbor", "--disposition", "settled").returncode == 0
    at_house = run(site, "-m", "discardrack", "law", "--house", "example", "--format", "table")
    assert (at_house.returncode, at_house.stderr) == (0, "")
    assert json.loads(alone)["says"] == "Is each wager made of five-dollar chips?"
    assert ", harbor of harbor-rules 1.0 (" in run(site, "-m", "discardrack", "--version").stdout


@pytest.mark.parametrize(
    ("file", "text", "named"),
    [
        ("whole_chips/__init__.py", "import nothing_of_this_name", "discardrack.checks harbor"),
        ("whole_chips/__init__.py", "KINDS = ()", "discardrack.checks harbor"),
        ("whole_chips/__init__.py", "KINDS = ('odd',)\ncheck = print", "discardrack.checks harbor"),
        ("high_card/law.yaml", "chapter: [", "discardrack.games hc"),
        ("high_card/__init__.py", "import nothing_of_this_name", "chapter 'hc'"),
    ],
)
def test_a_plugin_that_does_not_load_is_named_and_takes_nothing_else(
    site: Path, rounds: Path, tmp_path: Path, file: str, text: str, named: str
) -> None:
    broken = copy_of(site, tmp_path)
    (broken / "harbor" / file).write_text(text)
    only = tmp_path / "rounds.jsonl"
    only.write_text(rounds.read_text() if "chips" in file else json.dumps(BACCARAT) + "\n")
    verdicts, found, software, warned = audited(broken, only)
    assert verdicts[0] == "mismatch"
    assert found[0] == UNDERPAID
    assert (len(found), found[-1][0]) == (2, "paid_too_little" if "chips" in file else "harbor.part_of_chip")
    (said,) = warned.splitlines()
    assert named in said
    assert "harbor-rules 1.0" in said
    assert ("harbor of" in software, "hc of" in software) == ("high" in file, "chips" in file)


def copy_of(site: Path, tmp_path: Path) -> Path:
    copied = tmp_path / "site"
    for path in site.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            into = copied / path.relative_to(site)
            into.parent.mkdir(parents=True, exist_ok=True)
            into.write_bytes(path.read_bytes())
    return copied


@pytest.mark.parametrize("fault", ["1 / 0", "yield 'no finding'", "yield from [None]"])
def test_a_check_that_fails_at_a_round_leaves_all_others(
    site: Path, rounds: Path, tmp_path: Path, fault: str
) -> None:
    broken = copy_of(site, tmp_path)
    module = broken / "harbor" / "whole_chips" / "__init__.py"
    module.write_text(
        module.read_text().replace("    if not case.money_known:", f"    {fault}\n    if False:")
    )
    verdicts, found, _, warned = audited(broken, rounds)
    assert [each[0] for each in found] == [
        "paid_too_little",
        "plugin_failed",
        "paid_too_little",
        "plugin_failed",
    ]
    assert verdicts == ["mismatch", "mismatch"]
    assert len(warned.splitlines()) == 1


def test_a_fact_of_a_plugin_never_takes_the_words_of_our_own() -> None:
    ours = [path.relative_to(ROOT / "projections") for path in (ROOT / "projections").rglob(FILE)]
    folders = {path.parts[1] if path.parts[0] in ("engine", "programmes") else path.parts[0] for path in ours}
    assert folders - {FILE} | {"engine"} == RESERVED


def test_a_fault_that_several_processes_meet_is_warned_of_once() -> None:
    broken = Plugin(CHECKS, "broken", "broken.check", "broken-rules 1.0")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with processes(2) as pool:
            for done in [pool.submit(broken.warn, "fails: ValueError") for _ in range(4)]:
                done.result()
    assert [str(each.message) for each in warned] == [
        "broken-rules 1.0: discardrack.checks broken fails: ValueError"
    ]


def test_a_live_process_logs_a_fault_as_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        own_as_json()
        warn_of_fault("mute-rules 1.0: discardrack.checks mute is left out: does not load", "mute.check")
    (line,) = capsys.readouterr().err.splitlines()
    logged = json.loads(line)
    assert (logged["event"], logged["level"]) == ("plugin_fault", "warning")
    assert logged["fault"] == "mute-rules 1.0: discardrack.checks mute is left out: does not load"
