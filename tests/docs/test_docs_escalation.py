"""The page on escalation names each key of the file, and its example is a file that is taken."""

import re
import shlex
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from projections.catalogue import KINDS
from projections.notify.notice import Notice
from projections.notify.webhook import cloud_event
from schemas import escalation
from schemas.escalation import AnyTarget, Escalation, Feed, Plan, Step
from tests.builders.command_lines import parse_command_line
from tests.builders.documents import ROOT, code_spans, page_tables

PAGE: Final = (ROOT / "docs" / "escalation.md").read_text(encoding="utf-8")


def keys(form: Any) -> set[str]:
    """Return the keys of a part of the file."""
    return set(form.__struct_encode_fields__)


def of_table(rows: list[list[str]]) -> set[str]:
    """Return the keys in a table's first column."""
    return {name for row in rows for name in code_spans(row[0])}


def test_each_key_of_the_file_is_on_the_page() -> None:
    top, plan, targets = page_tables(PAGE, "key")
    (steps,) = page_tables(PAGE, "key of a step")
    assert of_table(top) == keys(Escalation)
    assert of_table(plan) == keys(Plan)
    assert of_table(steps) == keys(Step)
    assert of_table(targets) == {"kind"} | {name for kind in get_args(AnyTarget) for name in keys(kind)}
    assert keys(Feed) == {"targets", "severities", "checks"}  # said in the row of `feeds`


def test_its_example_is_a_file_without_a_mistake(tmp_path: Path) -> None:
    file = tmp_path / "escalation.yaml"
    file.write_text(PAGE.partition("```yaml\n")[2].partition("```")[0], encoding="utf-8")
    loaded = escalation.load(file, KINDS)
    assert [step.key for step in loaded.plans[0].steps] == [
        "overdue 0: operator",
        "overdue 5: supervisor",
        "overdue 15: dana",
    ]


def test_its_commands_are_some() -> None:
    commands = [shlex.split(line) for line in re.findall(r"^discardrack (.+)$", PAGE, re.MULTILINE)]
    assert [command[0] for command in commands] == ["notify", "notify", "notify", "serve", "notify"]
    for command in commands:
        parse_command_line(command)


def test_its_event_has_the_fields_that_one_has() -> None:
    example = msgspec.json.decode(PAGE.partition("```json\n")[2].partition("```")[0])
    notice = Notice(
        sort="untaken",
        at=0,
        came=0,
        table="BAC-106",
        checks=("push_paid",),
        severity="high",
        alert="8e0316446d3895b8",
        overdue_minutes=5,
        to=("supervisor",),
    )
    event = msgspec.json.decode(cloud_event("msg_1", notice, example["source"]))
    assert event.keys() == example.keys()
    assert event["data"].keys() == example["data"].keys()
    for field in ("title", "check_names", "link", "to"):
        assert event["data"][field] == example["data"][field]
