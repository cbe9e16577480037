"""How many wrong lines of the games and checks the tests notice: `python -m tests.bench.mutants COUNT SEED`.

cosmic-ray changes one operator, number, comparison or statement of a game or a check at a time; of all
its mutants COUNT are drawn by the SEED. In a copy of the tree the tests run once as it is, and coverage.py
notes which of them run which line; those that need what is not in the copy are left out. Each mutant is then
tried with the tests that run its statement, the quickest first, up to the first that fails, in a process of
its own that begins with every library loaded. A mutant that no test notices is printed with its difference:
it is a gap in the proof, or means the same as the line before it. Unions of types are left out, as nothing
hangs on them in a run.
"""

import ast
import contextlib
import difflib
import functools
import importlib
import multiprocessing
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import click
import msgspec
import pytest

from replay.patterns.exact_tails import clopper_pearson
from schemas.law_text import chapter, chapters

ROOT: Final = Path(__file__).parents[2]
MODULES: Final = ("projections/engine/games", "projections/engine/checks")
TESTS: Final = (
    "projections/engine",  # the examples in its docstrings
    "tests/engine",
    "tests/law",
    "tests/replay/test_explain.py",
    "tests/replay/test_explain_readings.py",
    "tests/replay/test_hand.py",
    "tests/replay/test_prove.py",
    "tests/replay/test_table_layout.py",
    "tests/replay/test_theoretical.py",
    "tests/views",
)
_TREE: Final = (
    "schemas",
    "projections",
    "streams",
    "replay",
    "discardrack",
    "tests",
    "infra",
    "docs",
    "pyproject.toml",
    "README.md",
)
_OURS: Final = frozenset({"projections", "streams", "replay", "discardrack", "tests"})
# With these all libraries are loaded.
_LOADED: Final = ("hypothesis", "projections.engine.audit.table_audit", "replay.cli", "replay.cli.audit")
_UNIONS: Final = "ReplaceBinaryOperator_BitOr"
# The fixtures of tests/conftest.py load half of the product; what needs them proves no game.
_OPTIONS: Final = (
    *("-q", "--noconftest", "-p", "no:cacheprovider"),
    *("--disable-plugin-autoload", "-p", "pytest_timeout", "-p", "_hypothesis_pytestplugin"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # libraries are loaded before
)
_AT_FIRST: Final = 25  # tests that are tried before all others are loaded
_PATIENCE: Final = 60.0  # seconds, beside ten times what the tests take without a mutant

_MEMORY: Final = 6 << 30  # bytes that a mutant may take
_NOT_TRIED: Final = 99
_PRINTED: Final = "printed"  # what the last process printed

Outcome: TypeAlias = Literal["noticed", "survived", "timed out", "not tried"]
# By pytest's exit code: a test failed, or its module could not be loaded; what a signal ended is noticed too.
_OUTCOMES: Final[dict[int | None, Outcome]] = {1: "noticed", 2: "noticed", None: "timed out"}


class Course:
    """Plugin of pytest that runs the named tests, in this order, and notes the seconds of each.

    With `coverage` each test is a context of it, and finds no cache filled by a test before it.
    """

    def __init__(self, order: Sequence[str] | None = None, coverage: Any = None) -> None:
        self.order = order
        self.coverage = coverage
        self.seconds: dict[str, float] = {}
        self.failing: set[str] = set()
        self._running = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Remove the tests that are not named, and sort the rest."""
        if self.order is not None:
            turns = {test: turn for turn, test in enumerate(self.order)}
            items[:] = sorted(
                (item for item in items if name_of(item) in turns), key=lambda item: turns[name_of(item)]
            )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure one test."""
        name = name_of(item)
        if self.coverage is not None and name != self._running:
            forget_all()
            self.coverage.switch_context(name)
        self._running, began = name, time.monotonic()
        result = yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - began
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails."""
        if report.failed:
            self.failing.add(self._running)


def name_of(item: pytest.Item) -> str:
    """Return a test's name without its parameters, but of golden hands with their file: it is judged once."""
    name, callspec = item.nodeid.partition("[")[0], getattr(item, "callspec", None)
    golden = callspec.params.get("name") if callspec is not None else None
    return f"{name}[{golden}]" if str(golden).endswith(".jsonl") else name


def forget_all() -> None:
    """Empty every cache of the product and of the tests."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _OURS:
            for value in list(vars(module).values()):
                if isinstance(value, functools._lru_cache_wrapper):  # noqa: SLF001  it has no other name
                    value.cache_clear()


def statements(source: str) -> dict[int, range]:
    r"""Return by line the lines of the statement of a function there, up to what is indented under it.

    >>> statements("X = 1\ndef f():\n    if (X or\n        2):\n        return 3\n")
    {3: range(3, 5), 4: range(3, 5), 5: range(5, 6)}
    """
    functions = [each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.FunctionDef)]
    within = [each for one in functions for top in one.body for each in ast.walk(top)]
    found = {}
    for each in sorted((each for each in within if isinstance(each, ast.stmt)), key=lambda each: each.lineno):
        body = getattr(each, "body", None)
        until = body[0].lineno if body else (each.end_lineno or each.lineno) + 1
        own = range(each.lineno, max(until, each.lineno + 1))
        found |= dict.fromkeys(range(each.lineno, (each.end_lineno or each.lineno) + 1), own)
    return found


class Measured(msgspec.Struct):
    """Seconds that each test takes, and by module and line the tests that run it."""

    seconds: dict[str, float]
    runs: dict[str, dict[int, list[str]]]

    def proofs_of(self, module: Path, line: int) -> list[str]:
        """Return the tests that run the statement at a line, the quickest first.

        What a module does as it is loaded belongs to no test: all that run anything in it are returned, or
        anything beside it where it has no function.
        """
        own = statements(module.read_text(encoding="utf-8"))
        runs = self.runs.get(str(module), {})
        lines = own.get(line, own if runs else ())
        found = {test for each in lines for test in runs.get(each, ())}
        if not runs:
            near = [each for name, each in self.runs.items() if Path(name).parent == module.parent]
            found = {test for each in near for tests in each.values() for test in tests}
        return sorted(found, key=lambda test: (self.seconds[test], test))


def measured() -> Measured:
    """Run all tests here, noting what each runs; one that fails here proves nothing.

    Raises:
        ClickException: they could not be collected.
    """
    from coverage import Coverage  # noqa: PLC0415  it is not among the requirements

    coverage = Coverage(data_file=None, source=[str(Path(each).resolve()) for each in MODULES])
    course = Course(coverage=coverage)
    coverage.start()
    code = pytest.main([*_OPTIONS, *TESTS], plugins=[course])
    coverage.stop()
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise click.ClickException("the tests could not be collected in the copy of the tree")
    data, runs = coverage.get_data(), {}
    for file in (each for each in data.measured_files() if each.endswith(".py")):
        lines = statements(Path(file).read_text(encoding="utf-8"))
        runs[str(Path(file).relative_to(Path.cwd()))] = {
            line: sorted(set(tests) - course.failing - {""})
            for line, tests in data.contexts_by_lineno(file).items()
            if line in lines
        }
    return Measured(course.seconds, runs)


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
    """Copy what the tests need into a folder and go there, with the libraries loaded and no module of it."""
    with tempfile.TemporaryDirectory() as folder:
        for name in _TREE:
            source, target = ROOT / name, Path(folder, name)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        os.chdir(folder)
        sys.dont_write_bytecode = False  # whatever the environment says: each mutant would compile all anew
        sys.path[:0] = [folder]
        for name in [name for name in sys.modules if name.partition(".")[0] in _OURS]:
            del sys.modules[name]
        if apart(load_all) == 0:
            for name in Path(_PRINTED).read_text(encoding="utf-8").split():
                with contextlib.suppress(ImportError):
                    importlib.import_module(name)
        for number in chapters():
            chapter(number)
        yield


def load_all() -> int:
    """Load the product here, and print the libraries that come with it; return 0."""
    for name in _LOADED:
        importlib.import_module(name)
    click.echo("\n".join(name for name in sys.modules if name.partition(".")[0] not in _OURS))
    return 0


def apart(work: Callable[..., int], *arguments: Any, seconds: float | None = None) -> int | None:
    """Return what a process of its own ended with; None if it took too long."""
    process = multiprocessing.get_context("fork").Process(target=_end_with, args=(work, *arguments))
    process.start()
    process.join(seconds)
    if process.exitcode is None:
        process.kill()
        process.join()
        return None
    return process.exitcode


def _end_with(work: Callable[..., int], *arguments: Any) -> None:
    """Do the work, what it prints going into a file, and end the process with what it returns."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    printed = os.open(_PRINTED, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    try:
        code = work(*arguments)
    except BaseException:  # noqa: BLE001  whatever it is, the process ends here
        traceback.print_exc()
        code = _NOT_TRIED
    sys.stdout.flush()
    os._exit(code)


def fails(tests: Sequence[str]) -> int:
    """Return pytest's exit code for these tests, run up to the first that fails."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    return int(pytest.main([*_OPTIONS, "-x", *files], plugins=[Course(tests)]))


def measured_into(path: Path) -> int:
    """Store at a path what the tests run; return 0."""
    path.write_bytes(msgspec.json.encode(measured()))
    return 0


def outcome_of(mutant: Any, known: Measured, stamp: int) -> Outcome:
    """Return what came of trying a mutant."""
    module, source = Path(mutant.module_path), Path(mutant.module_path).read_text(encoding="utf-8")
    tests, stat = known.proofs_of(module, mutant.start_pos[0]), module.stat()
    try:
        module.write_text(changed(mutant), encoding="utf-8")
        os.utime(module, (stamp, stamp))  # by which Python tells this from what it compiled before
        for part in (tests[:_AT_FIRST], tests[_AT_FIRST:]):
            if part:
                seconds = _PATIENCE + 10 * sum(known.seconds[test] for test in part)
                code = apart(fails, part, seconds=seconds)
                if code != 0:
                    return _OUTCOMES.get(code, "not tried" if code is not None and code > 0 else "noticed")
    finally:
        module.write_text(source, encoding="utf-8")
        os.utime(module, (stat.st_atime, stat.st_mtime))
    return "survived"


def changed(mutant: Any) -> str:
    """Return the mutant's module as it is changed."""
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415  likewise
    from cosmic_ray.plugins import get_operator  # noqa: PLC0415  likewise

    operator = get_operator(mutant.operator_name)(**mutant.operator_args)
    source: str = Path(mutant.module_path).read_text(encoding="utf-8")
    return str(mutate_code(source, operator, mutant.occurrence))


def outcomes(mutants: list[Any], known: Measured) -> list[Outcome]:
    """Return what came of each mutant, tried in a copy of the tree."""
    found = []
    with copied_tree():
        for stamp, each in enumerate(mutants, 1):
            found.append(outcome_of(each, known, stamp))
            click.echo(f"{found[-1]} {each.module_path}:{each.start_pos[0]} {each.operator_name}", err=True)
    return found


def measured_anew(path: Path) -> None:
    """Store at a path what the tests run in a copy of the tree; raise ClickException if one of them fails."""
    with copied_tree():
        if apart(measured_into, path) != 0:
            raise click.ClickException(
                f"the tests fail without a mutant: {Path(_PRINTED).read_text()[-4000:]}"
            )


@click.command()
@click.argument("count", type=int)
@click.argument("seed")
@click.option("--jobs", type=int, default=2, show_default=True, help="Trees at a time.")
@click.option("--runs", type=click.Path(path_type=Path), help="Which test runs what, kept from run to run.")
def main(count: int, seed: str, jobs: int, runs: Path | None) -> None:
    """Draw mutants, try each, and say how many the tests notice."""
    os.chdir(ROOT)
    mutants = drawn(count, seed)
    with ProcessPoolExecutor(jobs) as pool, tempfile.TemporaryDirectory() as folder:
        path = (runs or Path(folder, "runs.json")).resolve()
        if not path.exists():
            pool.submit(measured_anew, path).result()
        known = msgspec.json.decode(path.read_bytes(), type=Measured)
        parts = [mutants[at::jobs] for at in range(jobs)]
        tried = list(pool.map(outcomes, parts, [known] * jobs))
    left = [
        mutant
        for part, found in zip(parts, tried, strict=True)
        for mutant, outcome in zip(part, found, strict=True)
        if outcome == "survived"
    ]
    for each in left:
        click.echo(f"{each.operator_name} {each.module_path}")
        lines = Path(each.module_path).read_text(encoding="utf-8"), changed(each)
        click.echo("\n".join(difflib.unified_diff(*(text.split("\n") for text in lines), lineterm="", n=2)))
    counts = Counter(outcome for found in tried for outcome in found)
    noticed = count - len(left)
    low, high = (float(end) for end in clopper_pearson(noticed, count, Fraction(5, 100)))
    click.echo(", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items())))
    click.echo(f"{noticed / count:.1%} of {count}, at 95% between {low:.1%} and {high:.1%}")


if __name__ == "__main__":
    main()
