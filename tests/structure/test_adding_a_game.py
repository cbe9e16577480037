"""The page on adding a game is true: what it names is there, and nothing but the games knows a game."""

import ast
import re
from pathlib import Path
from typing import Final

from projections.engine.game import Game
from projections.engine.games import REGISTRY
from schemas import law_text
from streams.simulator.games import SCRIPTS

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")

# Words that only a game or its chapter has, as they would stand in code that should not know it.
NAMES: Final = re.compile(
    r"baccarat|spanish|down.?under|pai.?gow|craps|"
    r"(?<![\d.])(?:535|541|543|545|551|623a|627a|629a|631a|681a|685a)(?![\d.])",
    re.IGNORECASE,
)
# Where no game may be named: everything that folds, judges, carries, stores and shows.
GAMES: Final = ("projections/engine/games/", "streams/simulator/")
GENERIC: Final = [
    path
    for folder in ("projections", "streams", "replay")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not path.relative_to(ROOT).as_posix().startswith(GAMES)
]


def test_each_file_that_the_page_names_is_there() -> None:
    named = re.findall(r"`((?:schemas|projections|tests|streams)/[\w./-]+)`", PAGE)
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_lines_of_the_registries_stand_in_them() -> None:
    game, script = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert game in (ROOT / "projections/engine/games/__init__.py").read_text("utf-8")
    assert script in (ROOT / "streams/simulator/games/__init__.py").read_text("utf-8")


def test_the_tables_name_each_member_of_a_game_and_nothing_else() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", PAGE, re.MULTILINE)
    names = [name.split(" ")[0] for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert set(names) - {"Game"} == {name for name in names if hasattr(Game, name)}
    assert {name for name in vars(Game) if not name.startswith("_")} <= set(names)


def test_every_game_has_the_modules_that_the_page_asks_of_every_game() -> None:
    required = re.findall(r"^\| [^|]+ \| `([\w.]+)` \| every game \|$", PAGE, re.MULTILINE)
    assert len(required) == 7
    packages = {ROOT / "projections/engine/games" / each.package for each in REGISTRY.values()}
    lacking = [package / name for package in packages for name in required if not (package / name).is_file()]
    assert lacking == []


def test_every_game_has_its_law_its_line_and_its_play_script() -> None:
    assert set(REGISTRY) == set(SCRIPTS)
    assert set(REGISTRY) <= set(law_text.chapters())


def test_nothing_but_the_games_knows_a_game() -> None:
    told: dict[str, list[str]] = {}
    for path in GENERIC:
        text = path.read_text("utf-8")
        if not NAMES.search(text):
            continue
        tree = ast.parse(text)
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        words = [
            str(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
        ]
        words += [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
        words += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        if found := sorted({word for word in words if NAMES.search(word)}):
            told[str(path.relative_to(ROOT))] = found
    # 603a.21(c) itself says on which wagers of Craps and Roulette a coupon may lie. What is proposed for a
    # vendor's export is for baccarat's alone.
    assert set(told) == {
        "projections/programmes/coupons/checks/redemption.py",
        "replay/adaptors/suggestion.py",
    }
