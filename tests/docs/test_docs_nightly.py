"""docs/nightly.md says of every report, option and exit status what is so."""

import json
import re
from pathlib import Path

import click
import msgspec

from replay.cli import main
from streams.archive.custody import Hold
from tests.builders.nights import DAY, read_report, run_nightly, script_three_rounds, write_floor

PAGE = (Path(__file__).parents[2] / "docs" / "nightly.md").read_text(encoding="utf-8")


def table_after(heading: str) -> dict[str, str]:
    """Read the rows of a section's table: first cell to second."""
    section = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return dict(re.findall(r"^\| `([\w-]+)` \| (.+) \|$", section, re.MULTILINE))


def test_every_report_stands_on_the_page_under_its_title(tmp_path: Path) -> None:
    run_nightly(write_floor(tmp_path, script_three_rounds()), out=tmp_path)
    made = sorted((tmp_path / DAY).rglob("*.parquet"))
    said = table_after("What the reports say")
    assert {each.stem for each in made} == said.keys()
    for each in made:
        told = json.loads(each.with_suffix(".json").read_bytes())
        assert said[told["report"]].startswith(told["title"]), told["title"]
        assert (told["restricted"] is None) == (each.parent.name == DAY)
    assert read_report(tmp_path, "pace")["title"] == "Rounds an hour"


def test_every_option_stands_on_the_page() -> None:
    command = main.get_command(click.Context(main), "nightly")
    assert command is not None
    options = {each.opts[0] for each in command.params if isinstance(each, click.Option)}
    assert set(re.findall(r"^\| `(--[\w-]+)` \|", PAGE, re.MULTILINE)) == options


def test_the_holds_on_the_page_can_be_read() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith('{"does"')]
    read = [msgspec.json.decode(line, type=Hold) for line in lines]
    assert [each.does for each in read] == ["add", "lift"]
