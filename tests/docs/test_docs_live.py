"""The page on a live floor says what is so: its commands, topics, metrics, logs, and what starts it."""

import ast
import json
import re
import shlex
from collections.abc import Iterator
from typing import Any

from click.testing import CliRunner

from replay.cli import main
from tests.builders.command_lines import parse_command_line
from tests.builders.documents import ROOT, page_tables

LIVE = (ROOT / "docs" / "live.md").read_text(encoding="utf-8")


def rows(page: str, head: str) -> list[list[str]]:
    """Read the table of a page whose first line begins with `head`; code marks are taken off."""
    (table,) = page_tables(page, head)
    return [[cell.strip("`") for cell in row] for row in table]


def test_each_command_of_the_page_is_one() -> None:
    lines = re.findall(r"^(?:\.venv/bin/)?discardrack (.+?)(?: > .+)?$", LIVE, re.MULTILINE)
    commands = [shlex.split(line) for line in lines]
    assert {verb for verb, *_ in commands} == {"audit", "key", "serve", "topics", "user"}
    for command in commands:
        parse_command_line(command)


def test_the_table_of_topics_is_what_the_verb_lists() -> None:
    listed = CliRunner().invoke(main, ["topics", "--format", "jsonl"]).stdout.splitlines()
    expected = [
        ["" if value is None else shown(value) for value in json.loads(each).values()] for each in listed
    ]
    assert rows(LIVE, "topic") == expected


def shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def calls(having: str) -> Iterator[ast.Call]:
    """Yield the calls of the modules that have some text; to parse all of them takes a second."""
    for folder in ("streams", "replay", "projections"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if having in text:
                yield from (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))


def text_of(argument: ast.expr) -> Any:
    return argument.value if isinstance(argument, ast.Constant) else None


def test_the_table_of_metrics_is_what_the_processes_answer() -> None:
    metrics = {
        text_of(call.args[0]): text_of(call.args[1])
        for call in calls("discardrack_")
        if isinstance(call.func, ast.Name) and call.func.id in {"Counter", "Gauge", "Histogram"}
        if call.args and str(text_of(call.args[0])).startswith("discardrack_")
    }
    assert {name: says for name, says, *_ in rows(LIVE, "metric")} == metrics


def test_each_line_of_the_logs_is_in_a_page() -> None:
    logged = {
        text_of(call.args[0])
        for call in calls("log.")
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"debug", "info", "warning", "error"}
        if isinstance(call.func.value, ast.Name) and call.func.value.id in {"_log", "log"}
        if isinstance(call.args[0], ast.Constant)
        if "%s" not in text_of(call.args[0])  # a sentence for whoever types a verb
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
        parse_command_line(command)
