"""The page on the console names each key of the keyboard, and each key of the room's file with its value."""

import re
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from schemas import room_settings
from schemas.errors import BadInput
from tests.builders.documents import ROOT, code_spans, page_tables

CONSOLE: Final = (ROOT / "docs" / "console.md").read_text(encoding="utf-8")
PAGE: Final = CONSOLE.partition("## The room's file\n")[2]
SCRIPT: Final = ROOT / "projections" / "web" / "static" / "keys.js"
ANY: Final = "due.\N{HORIZONTAL ELLIPSIS}."  # of any severity


def keys(told: dict[str, Any], before: str = "") -> set[str]:
    """Yield every key of a file, nested ones with the path before them."""
    found: set[str] = set()
    for name, value in told.items():
        found |= keys(value, f"{before}{name}.") if isinstance(value, dict) else {f"{before}{name}"}
    return found


def test_each_key_of_the_room_s_file_is_in_its_table() -> None:
    (rows,) = page_tables(PAGE, "key")
    named = {name for row in rows for name in code_spans(row[0])}
    severities = {name for name in named if name.startswith("due.") and ANY not in name}
    told = {name for name in named if not name.startswith("due.")}
    told |= {f"{each}.{name.removeprefix(ANY)}" for each in severities for name in named if ANY in name}
    assert told == keys(msgspec.to_builtins(room_settings.DEFAULT))


def test_its_example_is_what_a_room_has_without_one(tmp_path: Path) -> None:
    _, _, example = PAGE.rpartition("```yaml\n")
    file = tmp_path / "room.yaml"
    file.write_text(example.partition("```")[0])
    assert room_settings.load(file) == room_settings.DEFAULT
    assert keys(msgspec.yaml.decode(file.read_text())) == keys(msgspec.to_builtins(room_settings.DEFAULT))


@pytest.mark.parametrize("text", ["sound: loud", "due: {critical: {taken: 1}}", "shift_minutes: 10081"])
def test_what_the_page_says_is_refused_is(text: str, tmp_path: Path) -> None:
    file = tmp_path / "room.yaml"
    file.write_text(text)
    with pytest.raises(BadInput, match="not a room's file"):
        room_settings.load(file)


def test_each_key_of_the_console_is_in_its_table_and_none_else() -> None:
    listed = re.findall(
        r'^  \["[^"]+", "([^"]+)", "[^"]+"\],$', SCRIPT.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert "U" in listed
    # What has a word of its own on the page: `0` to `9`, and the arrows.
    names = ["Space" if key == " " else key for key in listed]
    bound = {part for key in names if "rrow" not in key for part in key.split(" to ")}
    (rows,) = page_tables(CONSOLE.partition("## Keys\n")[2].partition("\n## ")[0], "key")
    assert {key for row in rows for key in code_spans(row[0])} == bound
    assert sum("arrows" in row[0] for row in rows) == 3  # of the queue, the floor and a replay
