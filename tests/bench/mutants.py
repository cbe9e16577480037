"""How many wrong lines of the engine the tests notice: `python -m tests.bench.mutants COUNT SEED`.

cosmic-ray changes one operator, number, comparison or statement at a time of whatever decides a verdict:
games, checks, procedures, accounts, the fold, and what proves or simulates a game; of all its mutants COUNT
are drawn by the SEED. In copies of the tree the tests run once as it is, and coverage.py notes which of them
run which line; those that need what is not in the copy are left out. Each mutant is then tried with the tests
that run its statement, the quickest first, up to the first that fails, in a process of its own that begins
with every library loaded. It counts as noticed only if the same tests up to that one then pass without it; a
test that does not is left out, and the mutant tried again. A mutant that no test notices is printed with its
difference: it is a gap in the proof, or means the same as the line before it. Annotations are left out, as
nothing hangs on them in a run.
"""

import ast
import contextlib
import difflib
import functools
import importlib
import itertools
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
from collections.abc import Callable, Iterable, Iterator, Sequence
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
MODULES: Final = ("projections/engine",)
TESTS: Final = (
    "projections/engine",  # the examples in its docstrings
    "tests/engine",
    "tests/law",
    "tests/replay/test_exact_tails.py",
    "tests/replay/test_explain.py",
    "tests/replay/test_explain_readings.py",
    "tests/replay/test_hand.py",
    "tests/replay/test_hand_dates.py",
    "tests/replay/test_prove.py",
    "tests/replay/test_round_events.py",
    "tests/replay/test_side_wager_proof.py",
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
# The fixtures of tests/conftest.py load half of the product; what needs them proves no game.
_OPTIONS: Final = (
    *("-q", "--noconftest", "-p", "no:cacheprovider"),
    *("--disable-plugin-autoload", "-p", "pytest_timeout", "-p", "_hypothesis_pytestplugin"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # libraries are loaded before
)
_AT_FIRST: Final = 25  # tests that are tried before all others are loaded
_PATIENCE: Final = 40.0  # seconds, beside ten times what the tests take without a mutant

_MEMORY: Final = 6 << 30  # bytes that a mutant may take
_NOT_TRIED: Final = 99
_PRINTED: Final = "printed"  # what the last process printed
_FAILING: Final = "failing"  # the test that failed in it
_SHARES: Final = 12  # in which the tests are measured
_STAMPS: Final = itertools.count(1)

Outcome: TypeAlias = Literal["noticed", "survived", "timed out", "run by no test", "not tried"]
_UNNOTICED: Final[tuple[Outcome, ...]] = ("survived", "run by no test")
# By pytest's exit code: a test failed, or its module could not be loaded; what a signal ended is noticed too.
_OUTCOMES: Final[dict[int | None, Outcome]] = {1: "noticed", 2: "noticed", None: "timed out"}
_PYTESTS: Final = (3, 4, 5, _NOT_TRIED)
_NONE_LEFT: Final = 5
_COLLECTED: Final = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)


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


def measured(files: Sequence[str]) -> Measured:
    """Run the tests of some files here, noting what each runs; one that fails here proves nothing.

    Raises:
        ClickException: they could not be collected.
    """
    from coverage import Coverage  # noqa: PLC0415  it is not among the requirements

    coverage = Coverage(data_file=None, source=[str(Path(each).resolve()) for each in MODULES])
    course = Course(coverage=coverage)
    coverage.start()
    code = pytest.main([*_OPTIONS, *files], plugins=[course])
    coverage.stop()
    if code not in _COLLECTED:
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


def joined(parts: Iterable[Measured]) -> Measured:
    """Return in one what was measured of several files."""
    whole = Measured({}, {})
    for part in parts:
        whole.seconds |= part.seconds
        for module, lines in part.runs.items():
            known = whole.runs.setdefault(module, {})
            for line, tests in lines.items():
                known[line] = [*known.get(line, ()), *tests]
    return whole


def shares(count: int) -> list[list[str]]:
    """Return the files of all tests, dealt out into so many shares, the slow folders first."""
    files = [each.as_posix() for path in TESTS for each in sorted(_test_files(Path(path)))]
    return [files[at::count] for at in range(count)]


def _test_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return [
        each
        for each in path.rglob("*.py")
        if each.name.startswith("test_") or ">>>" in each.read_text(encoding="utf-8")
    ]


@functools.cache
def annotations(module: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where in a module the types of names stand, from a line and column to another."""
    found: list[ast.expr | None] = []
    for each in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        match each:
            case ast.arg():
                found.append(each.annotation)
            case ast.FunctionDef():
                found.append(each.returns)
            case ast.AnnAssign():
                found.append(each.annotation)
                found += [each.value] if ast.unparse(each.annotation) == "TypeAlias" else []
    return [
        ((each.lineno, each.col_offset), (each.end_lineno or 0, each.end_col_offset or 0))
        for each in found
        if each is not None
    ]


def drawn(count: int, seed: str) -> list[Any]:
    """Return so many of all mutants, drawn by a seed."""
    from cosmic_ray.commands.init import _all_work_items  # noqa: PLC0415  it is not among the requirements
    from cosmic_ray.modules import find_modules  # noqa: PLC0415  likewise

    modules = find_modules([Path(each) for each in MODULES])
    mutants = [
        mutation
        for item in _all_work_items(modules, {})
        for mutation in item.mutations
        if not any(
            begin <= mutation.start_pos < end for begin, end in annotations(Path(mutation.module_path))
        )
    ]
    click.echo(f"{len(mutants)} mutants; {count} drawn by seed {seed}", err=True)
    return random.Random(seed).sample(mutants, count)  # noqa: S311  to be drawn again


def go_to_copy(within: Path) -> None:
    """Copy what the tests need into a folder and go there, with the libraries loaded and no module of it."""
    folder = tempfile.mkdtemp(dir=within)
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
    """Return pytest's exit code for these tests, run up to the first that fails, which is stored."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    course = Course(tests)
    code = int(pytest.main([*_OPTIONS, "-x", *files], plugins=[course]))
    Path(_FAILING).write_text("".join(course.failing), encoding="utf-8")
    return code


def tried(tests: Sequence[str], known: Measured) -> tuple[int | None, str]:
    """Return what the tests end with here, None if it took too long, and the one that failed if one did."""
    Path(_FAILING).write_text("", encoding="utf-8")
    code = apart(fails, tests, seconds=_PATIENCE + 10 * sum(known.seconds[test] for test in tests))
    return code, Path(_FAILING).read_text(encoding="utf-8")


def measured_into(path: Path, files: Sequence[str]) -> int:
    """Store at a path what the tests of some files run; return 0."""
    path.write_bytes(msgspec.json.encode(measured(files)))
    return 0


@contextlib.contextmanager
def put_in(mutant: Any) -> Iterator[None]:
    """Change the mutant's module, and change it back."""
    module = Path(mutant.module_path)
    source, stat = module.read_text(encoding="utf-8"), module.stat()
    try:
        module.write_text(changed(mutant), encoding="utf-8")
        stamp = next(_STAMPS)
        os.utime(module, (stamp, stamp))  # by which Python tells this from what it compiled before
        yield
    finally:
        module.write_text(source, encoding="utf-8")
        os.utime(module, (stat.st_atime, stat.st_mtime))


def outcome_of(mutant: Any, known: Measured) -> tuple[Outcome, str]:
    """Return what came of trying a mutant in this copy of the tree, and the test that noticed it."""
    tests = known.proofs_of(Path(mutant.module_path), mutant.start_pos[0])
    parts = [tests[:_AT_FIRST], tests[_AT_FIRST:]]
    while parts:
        part = parts[0]
        if part:
            with put_in(mutant):
                code, failing = tried(part, known)
            if code not in (0, _NONE_LEFT):
                upto = part[: part.index(failing) + 1] if failing in part else part
                if tried(upto, known)[0] == 0:
                    return _OUTCOMES.get(code, "not tried" if code in _PYTESTS else "noticed"), failing
                if failing not in part:
                    return "not tried", failing
                part.remove(failing)
                continue
        del parts[0]
    return "survived" if tests else "run by no test", ""


def changed(mutant: Any) -> str:
    """Return the mutant's module as it is changed."""
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415  likewise
    from cosmic_ray.plugins import get_operator  # noqa: PLC0415  likewise

    operator = get_operator(mutant.operator_name)(**mutant.operator_args)
    source: str = Path(mutant.module_path).read_text(encoding="utf-8")
    return str(mutate_code(source, operator, mutant.occurrence))


def outcome_here(mutant: Any, runs: Path) -> tuple[Outcome, str]:
    """Return what came of a mutant, by what was measured before."""
    outcome, test = outcome_of(mutant, measured_before(runs))
    click.echo(
        f"{outcome} {mutant.module_path}:{mutant.start_pos[0]} {mutant.operator_name} {test}", err=True
    )
    return outcome, test


@functools.cache
def measured_before(path: Path) -> Measured:
    """Return what the tests run, as it was stored."""
    return msgspec.json.decode(path.read_bytes(), type=Measured)


def measured_apart(files: Sequence[str]) -> bytes:
    """Return in JSON what the tests of some files run in this copy of the tree.

    Raises:
        ClickException: they could not be collected.
    """
    path = Path("runs.json").resolve()
    if apart(measured_into, path, files) != 0:
        raise click.ClickException(
            f"the tests fail without a mutant: {Path(_PRINTED).read_text(encoding='utf-8')[-4000:]}"
        )
    return path.read_bytes()


def recorded(mutant: Any, outcome: Outcome, test: str) -> dict[str, Any]:
    """Return a mutant and what came of it, for a line of JSON."""
    before = Path(mutant.module_path).read_text(encoding="utf-8").split("\n")
    after = changed(mutant).split("\n")
    lines = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    return {
        "module": mutant.module_path,
        "line": mutant.start_pos[0],
        "operator": mutant.operator_name.removeprefix("core/"),
        "was": "\n".join(line[2:].strip() for line in lines if line[0] == "-"),
        "becomes": "\n".join(line[2:].strip() for line in lines if line[0] == "+"),
        "outcome": outcome,
        **({"test": test} if test else {}),
    }


@click.command()
@click.argument("count", type=int)
@click.argument("seed")
@click.option("--jobs", type=int, default=2, show_default=True, help="Trees at a time.")
@click.option("--runs", type=click.Path(path_type=Path), help="Which test runs what, kept from run to run.")
@click.option("--record", type=click.Path(path_type=Path), help="File for a line of JSON for each mutant.")
@click.option("--begin", type=int, default=0, help="How many of those drawn to pass over.")
def main(count: int, seed: str, jobs: int, runs: Path | None, record: Path | None, begin: int) -> None:
    """Draw mutants, try each, and say how many the tests notice."""
    os.chdir(ROOT)
    record = record.resolve() if record is not None else None
    mutants = drawn(count, seed)[begin:]
    counts: Counter[Outcome] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = (runs or Path(folder, "runs.json")).resolve()
        with ProcessPoolExecutor(jobs, initializer=go_to_copy, initargs=(Path(folder),)) as pool:
            if not path.exists():
                parts = pool.map(measured_apart, shares(_SHARES))
                whole = joined(msgspec.json.decode(each, type=Measured) for each in parts)
                path.write_bytes(msgspec.json.encode(whole))
            results = pool.map(outcome_here, mutants, [path] * len(mutants))
            for mutant, (outcome, test) in zip(mutants, results, strict=True):
                counts[outcome] += 1
                line = recorded(mutant, outcome, test)
                if record is not None:
                    with record.open("ab") as file:
                        file.write(msgspec.json.encode(line) + b"\n")
                if outcome in _UNNOTICED:
                    click.echo(f"{outcome} {line['module']}:{line['line']} {line['operator']}")
                    click.echo(f"- {line['was']}\n+ {line['becomes']}")
    noticed = counts["noticed"] + counts["timed out"]
    known = noticed + sum(counts[each] for each in _UNNOTICED)
    low, high = (float(end) for end in clopper_pearson(noticed, known, Fraction(5, 100)))
    click.echo(", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items())))
    click.echo(f"{noticed / known:.1%} of {known}, at 95% between {low:.1%} and {high:.1%}")


if __name__ == "__main__":
    main()
