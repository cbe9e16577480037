"""The documents say what is so: commands run as printed, and nothing that exists is left out."""

import ast
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner

from replay.cli import VERBS, main
from schemas import law_text
from schemas.events import Event
from tests.test_infra import given

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LIVE = (ROOT / "docs" / "live.md").read_text(encoding="utf-8")


def console_blocks() -> Iterator[tuple[str, str]]:
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        command, _, output = block.partition("\n")
        yield command.removeprefix("$ "), output


@pytest.mark.parametrize(("command", "output"), list(console_blocks()))
def test_the_readme_prints_what_its_commands_print(
    command: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)
    assert program == "discardrack"
    assert CliRunner().invoke(main, arguments).stdout == output


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_is_in_the_readme_and_helps_with_an_example(verb: str) -> None:
    assert f"discardrack {verb}" in README
    ran = CliRunner().invoke(main, [verb, "--help"])
    assert ran.exit_code == 0
    assert "Example" in ran.stdout


def test_each_event_is_in_its_page() -> None:
    page = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    for kind in get_args(Event):
        assert re.search(rf"\b{kind.__name__}\b", page), kind.__name__


def test_each_option_and_wager_of_the_law_is_in_the_page_on_round_records() -> None:
    page = (ROOT / "docs" / "round_record.md").read_text(encoding="utf-8")
    for chapter in law_text.chapters():
        law = law_text.chapter(chapter)
        for name in (*law.options, *law.wagers):
            assert f"`{name}`" in page, name


def test_links_between_documents_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", [README, LIVE], ids=["README", "live"])
def test_each_make_target_in_the_page_exists(page: str) -> None:
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = re.findall(r"(?:`|^)make ([a-z-]+)", page, re.MULTILINE)
    assert named
    assert set(named) <= set(targets)


# ── the live floor ───────────────────────────────────────────────────────────────────────────────────


def rows(page: str, head: str) -> list[list[str]]:
    """Read the table of a page whose first line begins with `head`; code marks are taken off."""
    (table,) = re.findall(rf"^\| {re.escape(head)} \|.*\n\|[ :|-]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in table.splitlines()]


def test_each_command_of_the_page_is_one() -> None:
    lines = re.findall(r"^(?:\.venv/bin/)?discardrack (.+)$", LIVE, re.MULTILINE)
    commands = [shlex.split(line) for line in lines]
    assert {verb for verb, *_ in commands} == {"audit", "serve", "topics"}
    for command in commands:
        given(command)


def test_the_table_of_topics_is_what_the_verb_lists() -> None:
    listed = CliRunner().invoke(main, ["topics", "--format", "jsonl"]).stdout.splitlines()
    expected = [
        ["" if value is None else shown(value) for value in json.loads(each).values()] for each in listed
    ]
    assert rows(LIVE, "topic") == expected


def shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def calls() -> Iterator[ast.Call]:
    for folder in ("streams", "replay", "projections"):
        for path in (ROOT / folder).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def text_of(argument: ast.expr) -> Any:
    return argument.value if isinstance(argument, ast.Constant) else None


def test_the_table_of_metrics_is_what_the_processes_answer() -> None:
    metrics = {
        text_of(call.args[0]): text_of(call.args[1])
        for call in calls()
        if isinstance(call.func, ast.Name) and call.func.id in {"Counter", "Gauge", "Histogram"}
        if call.args and str(text_of(call.args[0])).startswith("discardrack_")
    }
    assert {name: says for name, says, *_ in rows(LIVE, "metric")} == metrics


def test_each_line_of_the_logs_is_in_a_page() -> None:
    logged = {
        text_of(call.args[0])
        for call in calls()
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"debug", "info", "warning", "error"}
        if isinstance(call.func.value, ast.Name) and call.func.value.id in {"_log", "log"}
        if isinstance(call.args[0], ast.Constant)
    }
    pages = LIVE + (ROOT / "docs" / "devices.md").read_text(encoding="utf-8")
    assert "worker_started" in logged
    assert {name for name in logged if f"`{name}`" not in pages} == set()


def test_make_live_starts_every_live_process_as_it_is() -> None:
    lines = (ROOT / "infra" / "Procfile").read_text(encoding="utf-8").splitlines()
    started = [re.sub(r"^\S+:.*?discardrack | && .*", "", line) for line in lines if not line.startswith("#")]
    told = {"$DEVICES": "127.0.0.1:7070"}
    commands = [
        [told.get(word, re.sub(r"\$[A-Z_]+", "1", word)) for word in line.split()] for line in started
    ]
    assert {verb for verb, *_ in commands} == {"gateway", "worker", "archive", "serve", "simulate"}
    for command in commands:
        given(command)
