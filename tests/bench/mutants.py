"""How many wrong lines of the games and checks the tests notice: `python -m tests.bench.mutants COUNT SEED`.

cosmic-ray changes one operator, number, comparison or statement of a game or a check at a time; of all
its mutants COUNT are drawn by the SEED. Each is tried in a copy of the tree with the tests of the chapters
that its module is for, up to the first that fails; that these pass without it is tried before. A mutant
that no test notices is printed with its difference: it is a gap in the proof, or means the same as the
line before it. Unions of types are left out, as nothing hangs on them in a run.
"""

import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import click

from replay.patterns.exact_tails import clopper_pearson

ROOT: Final = Path(__file__).parents[2]
MODULES: Final = ("projections/engine/games", "projections/engine/checks")
_TREE: Final = (
    "schemas",
    "projections",
    "streams",
    "replay",
    "discardrack",
    "tests",
    "infra",
    "pyproject.toml",
)
_UNIONS: Final = "ReplaceBinaryOperator_BitOr"
_PYTEST: Final = f"{sys.executable} -m pytest -x -q -p no:cacheprovider -p no:xdist --no-header"
_SECONDS: Final = 600.0
_CHAPTERS: Final = {
    "baccarat": ("631a", "541", "543", "545", "627a", "629a"),
    "baccarat21": ("681a",),
    "blackjack": ("551", "685a"),
    "bonuscraps": ("623a",),
    "downunder": ("685a",),
    "paigow": ("535",),
    "spanish21": ("551",),
}
_EVERY: Final = ("631a", "681a", "551", "685a", "535", "623a", "541", "543", "545", "627a", "629a")


def proving_files(module: Path) -> list[str]:
    """Return the test files that prove what a module does, the quickest first."""
    game = module.relative_to("projections/engine/games").parts[0] if "games" in module.parts else ""
    chapters = _CHAPTERS.get(game, _EVERY)
    law = [str(each) for name in chapters for each in sorted(Path("tests/law").glob(f"test_{name}*.py"))]
    if "baccarat" in chapters or "631a" in chapters:
        law.append("tests/law/test_baccarat_law.py")
    return ["tests/engine/test_golden.py", *law, "tests/engine"]


def drawn(count: int, seed: str) -> list[Any]:
    """Return so many of all mutants, drawn by a seed."""
    from cosmic_ray.commands.init import _all_work_items  # noqa: PLC0415  it is not among the requirements
    from cosmic_ray.modules import find_modules  # noqa: PLC0415  likewise

    modules = find_modules([Path(each) for each in MODULES])
    mutants = [
        mutation
        for item in _all_work_items(modules, {})
        for mutation in item.mutations
        if _UNIONS not in mutation.operator_name
    ]
    click.echo(f"{len(mutants)} mutants; {count} drawn by seed {seed}", err=True)
    return random.Random(seed).sample(mutants, count)  # noqa: S311  to be drawn again


@contextlib.contextmanager
def copied_tree() -> Iterator[None]:
    """Copy what the tests need into a folder of its own, and go there."""
    with tempfile.TemporaryDirectory() as folder:
        for name in _TREE:
            source, target = ROOT / name, Path(folder, name)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        os.chdir(folder)
        os.environ |= {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        yield


def check_unchanged() -> None:
    """Raise ClickException if a test fails without any mutant."""
    with copied_tree():
        found = subprocess.run(f"{_PYTEST} tests/law tests/engine".split(), check=False)  # noqa: S603  our own
    if found.returncode:
        raise click.ClickException("a test fails in the copy of the tree as it is; mend that first")


def survivors(mutants: list[Any]) -> list[str]:
    """Return the difference of each mutant that no test notices."""
    from cosmic_ray.mutating import mutate_and_test  # noqa: PLC0415  likewise

    found: list[str] = []
    with copied_tree():
        for each in mutants:
            files = " ".join(proving_files(Path(each.module_path)))
            result = mutate_and_test([each], f"{_PYTEST} {files}", _SECONDS)
            noticed = result.test_outcome is not None and result.test_outcome.value != "survived"
            click.echo(
                f"{'noticed' if noticed else 'SURVIVED'} {each.module_path}:{each.start_pos[0]}", err=True
            )
            if not noticed:
                found.append(f"{each.operator_name}\n{result.diff}")
    return found


@click.command()
@click.argument("count", type=int)
@click.argument("seed")
@click.option("--jobs", type=int, default=2, show_default=True, help="Trees at a time.")
def main(count: int, seed: str, jobs: int) -> None:
    """Draw mutants, try each, and say how many the tests notice."""
    os.chdir(ROOT)
    mutants = drawn(count, seed)
    with ProcessPoolExecutor(jobs) as pool:
        pool.submit(check_unchanged).result()
        left = [
            each for part in pool.map(survivors, [mutants[at::jobs] for at in range(jobs)]) for each in part
        ]
    for each in left:
        click.echo(each)
    noticed = count - len(left)
    low, high = (float(end) for end in clopper_pearson(noticed, count, Fraction(5, 100)))
    click.echo(
        f"noticed {noticed} of {count}: {noticed / count:.1%}, at 95% between {low:.1%} and {high:.1%}"
    )


if __name__ == "__main__":
    main()
