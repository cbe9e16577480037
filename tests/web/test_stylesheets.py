"""A style sheet uses no variable that none of them defines: a browser would drop the rule and say nothing."""

import re
from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parents[2] / "projections" / "web" / "static"
SHEETS: Final = {path.name: path.read_text("utf-8") for path in sorted(STATIC.glob("*.css"))}
SET_BY_SCRIPTS: Final = re.compile(r'setProperty\("(--[\w-]+)"')


def test_each_variable_that_is_used_is_defined() -> None:
    defined = {name for sheet in SHEETS.values() for name in re.findall(r"(--[\w-]+)\s*:", sheet)}
    for script in STATIC.glob("*.js"):
        defined |= set(SET_BY_SCRIPTS.findall(script.read_text("utf-8")))
    used = {(name, each) for name, sheet in SHEETS.items() for each in re.findall(r"var\((--[\w-]+)", sheet)}
    assert len(used) > 20
    assert sorted((name, each) for name, each in used if each not in defined) == []
