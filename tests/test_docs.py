"""The documents say what is so: commands run as printed, and nothing that exists is left out."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from replay.cli import VERBS, main
from schemas import law_text
from schemas.events import Event

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


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


def test_each_make_target_in_the_readme_exists() -> None:
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for named in re.findall(r"(?:`|^)make ([a-z]+)", README, re.MULTILINE):
        assert named in targets
