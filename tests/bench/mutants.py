"""How many wrong lines of the engine the tests notice: `python -m tests.bench.mutants COUNT SEED`.

cosmic-ray names what can be changed, one operator, number, comparison or statement at a time, in whatever
decides a verdict: games, checks, procedures, accounts, the fold, and what proves or simulates a game. Of all
these mutants COUNT are drawn by the SEED.

The tests are collected once. Each runs once with a mark before every statement that a mutant changes, which
tells which tests run it; what fails here is left out. Each mutant is then put in place of its function in a
process of its own, forked from this one, and meets those tests, the quickest first, up to the first that
fails. It counts as noticed only if the same tests pass up to that one in another such process without it. A
change of what a module does as it is loaded is written into a copy of the tree and met by the tests that run
the module's functions. Time is what the processor spent, so that a busy machine stops nobody.

A mutant that no test notices is a gap in the proof, or means the same as the line before it: the file of
--record has its difference. Annotations are left out, as nothing hangs on them in a run.
"""

import ast
import difflib
import functools
import gc
import importlib
import itertools
import json
import multiprocessing
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, Literal, TypeAlias

import click
import msgspec
import pytest
from _pytest.runner import runtestprotocol

from replay.patterns.exact_tails import clopper_pearson

ROOT: Final = Path(__file__).parents[2]
MODULES: Final = ("projections/engine",)
TESTS: Final = (
    "projections/engine",  # the examples in its docstrings
    "tests/engine",
    "tests/law",
    "tests/programmes",
    "tests/replay",
    "tests/schemas",
    "tests/simulator",
    "tests/views",
)
_TREE: Final = ("schemas", "projections", "streams", "replay", "discardrack", "tests", "infra", "docs")
_TREE_FILES: Final = ("pyproject.toml", "README.md")
# The fixtures of tests/conftest.py load half of the product; what needs them proves no game.
_OPTIONS: Final = (
    *("-q", "--noconftest", "-p", "no:cacheprovider"),
    *("--disable-plugin-autoload", "-p", "pytest_timeout", "-p", "_hypothesis_pytestplugin"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # libraries are loaded before
)
_CLEARED: Final = ("projections.engine", "tests")  # whose caches no test finds filled by another
_MARK: Final = "__mutants_mark__"
_PATIENCE: Final = 30  # seconds of the processor, beside ten times what the tests take without a mutant
_MEMORY: Final = 6 << 30  # bytes that a mutant may take

Outcome: TypeAlias = Literal["noticed", "survived", "timed out", "run by no test"]
_UNNOTICED: Final[tuple[Outcome, ...]] = ("survived", "run by no test")


class Mutant(msgspec.Struct, frozen=True):
    """Change of a module: the operator of cosmic-ray and which of the places that it could change."""

    module: str
    operator: str
    occurrence: int
    start: tuple[int, int]

    @property
    def source(self) -> str:
        """The module as it is."""
        return source_of(self.module)

    @property
    def changed(self) -> str:
        """The module with the change."""
        from cosmic_ray.mutating import mutate_code  # noqa: PLC0415  it is not among the requirements
        from cosmic_ray.plugins import get_operator  # noqa: PLC0415  likewise

        return str(mutate_code(self.source, get_operator(self.operator)(), self.occurrence))

    @property
    def is_python(self) -> bool:
        """Return True if the changed module can be compiled."""
        try:
            compile(self.changed, self.module, "exec", dont_inherit=True)
        except SyntaxError:
            return False
        return True


class Result(msgspec.Struct):
    """What came of a mutant, and the test that noticed it."""

    outcome: Outcome
    test: str = ""


@functools.cache
def source_of(module: str) -> str:
    """Return a module's text."""
    return (ROOT / module).read_text(encoding="utf-8")


# ── Drawing ──────────────────────────────────────────────────────────────────────────────────────────


def drawn(count: int, seed: str) -> list[Mutant]:
    """Return so many of all mutants, drawn by a seed, without those that are no Python.

    cosmic-ray takes the star before parameters by name, and the bar between patterns, for operators.
    """
    from cosmic_ray.ast import ast_nodes, get_ast_from_path  # noqa: PLC0415  it is not among the requirements
    from cosmic_ray.modules import find_modules  # noqa: PLC0415  likewise
    from cosmic_ray.plugins import get_operator, operator_names  # noqa: PLC0415  likewise

    operators = [(name, get_operator(name)) for name in sorted(operator_names())]
    able = [(name, each()) for name, each in operators if not each.arguments()]
    mutants = []
    for path in sorted(find_modules([ROOT / each for each in MODULES])):
        module, nodes = path.relative_to(ROOT).as_posix(), list(ast_nodes(get_ast_from_path(path)))
        types = annotations(module)
        for name, operator in able:
            places = (start for node in nodes for start, _ in operator.mutation_positions(node))
            mutants += [
                Mutant(module, name, at, start)
                for at, start in enumerate(places)
                if not any(begin <= start < end for begin, end in types)
            ]
    picked = random.Random(seed).sample(mutants, count)  # noqa: S311  to be drawn again
    able = [each for each in picked if each.is_python]
    click.echo(f"{len(mutants)} mutants; of {count} drawn by seed {seed} {len(able)} are Python", err=True)
    return able


def annotations(module: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where in a module the types of names stand, from a line and column to another."""
    found: list[ast.expr | None] = []
    for each in ast.walk(ast.parse(source_of(module))):
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


# ── Functions of a module, and others in their place ─────────────────────────────────────────────────


def codes(source: str | ast.Module, module: str) -> list[CodeType]:
    """Return the code of each function of a module, in order, but of those within another."""
    found, left = [], [compile(source, module, "exec", dont_inherit=True)]
    while left:
        code = left.pop()
        inner = [each for each in code.co_consts if isinstance(each, CodeType)]
        if code.co_flags & 0x2:  # it has locals of its own: a function, no class and no module
            found.append(code)
        else:
            left += inner
    return found


def import_name(module: str) -> str:
    """Return the name by which a module is imported."""
    return module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def put_in(module: str, source: str | ast.Module) -> None:
    """Replace the functions of a module by those of another text of it."""
    before, after = codes(source_of(module), module), codes(source, module)
    by_place = {(old.co_qualname, old.co_firstlineno): new for old, new in zip(before, after, strict=True)}
    name = import_name(module)
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__module__ == name:
            code = by_place.get((each.__code__.co_qualname, each.__code__.co_firstlineno))
            if code is not None and len(code.co_freevars) == len(each.__code__.co_freevars):
                each.__code__ = code


class Marked(ast.NodeTransformer):
    """Puts marks before the statements of functions that begin at some lines, or where a function begins."""

    def __init__(self, marks: dict[int, list[int]], everywhere: list[int]) -> None:
        self.marks = marks
        self.everywhere = everywhere

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Put the marks into each list of statements."""
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, field, [each for stmt in block for each in (*self._before(stmt), stmt)])
        if isinstance(node, ast.FunctionDef) and self.everywhere:
            node.body[:0] = [mark for number in self.everywhere for mark in _marks(number, node.body[0])]
        return node

    def _before(self, statement: ast.stmt) -> list[ast.stmt]:
        numbers = self.marks.get(statement.lineno, ())
        return [mark for number in numbers for mark in _marks(number, statement)]


def _marks(number: int, statement: ast.stmt) -> list[ast.stmt]:
    marks = ast.parse(f"{_MARK}({number})").body
    return [ast.fix_missing_locations(ast.copy_location(each, statement)) for each in marks]


def statement_of(mutant: Mutant) -> int | None:
    """Return the line where the statement of a function begins that a mutant changes; None outside of any."""
    tree = ast.parse(mutant.source)
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    within = {id(each): each for one in functions for top in one.body for each in ast.walk(top)}
    begun = [
        each.lineno
        for each in within.values()
        if isinstance(each, ast.stmt) and each.lineno <= mutant.start[0] <= (each.end_lineno or 0)
    ]
    return max(begun, default=None)


# ── Tests ────────────────────────────────────────────────────────────────────────────────────────────


def name_of(item: pytest.Item) -> str:
    """Return a test's name without its parameters, but of golden hands with their file: it is judged once."""
    name, callspec = item.nodeid.partition("[")[0], getattr(item, "callspec", None)
    golden = callspec.params.get("name") if callspec is not None else None
    return f"{name}[{golden}]" if str(golden).endswith(".jsonl") else name


def caches() -> list[Any]:
    """Return every cache of the engine and of the tests."""
    return [
        value
        for name, module in list(sys.modules.items())
        if name.startswith(_CLEARED)
        for value in list(vars(module).values())
        if isinstance(value, functools._lru_cache_wrapper)  # noqa: SLF001  it has no other name
    ]


def passes(items: Sequence[pytest.Item]) -> bool:
    """Return True if each of some tests passes here, one after the other up to the first that does not."""
    for item, following in itertools.zip_longest(items, items[1:]):
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
            return False
    return True


def apart(work: Callable[[], Any], seconds: float = resource.RLIM_INFINITY) -> Any:
    """Return what a process of its own comes to; None if it took too long, and what ended it if it failed."""
    receives, sends = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        try:
            limit = int(seconds)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            sends.send(work())
        except BaseException:  # noqa: BLE001  whatever it is, the process ends here
            sends.send(traceback.format_exc())
        finally:
            os._exit(0)
    sends.close()
    try:
        return receives.recv()
    except EOFError:
        return None
    finally:
        receives.close()
        os.waitpid(child, 0)


class Trial:
    """Plugin of pytest that runs no test but for its mutants, which it tries on what was collected."""

    def __init__(self, mutants: list[Mutant], jobs: int, record: Path | None) -> None:
        self.mutants = mutants
        self.jobs = jobs
        self.record = record
        self.items: dict[str, list[pytest.Item]] = defaultdict(list)
        self.seconds: dict[str, float] = {}
        self.selected: dict[int, set[str]] = defaultdict(set)
        self.results: dict[int, Result] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure the tests, then try each mutant, in so many processes at a time."""
        for item in session.items:
            self.items[name_of(item)].append(item)
        self._mark_all()
        gc.collect()
        gc.freeze()
        names = list(self.items)
        for seconds, selected in self._at_a_time(
            [functools.partial(self._measured, names[at :: self.jobs]) for at in range(self.jobs)]
        ):
            self.seconds |= seconds
            for number, tests in selected.items():
                self.selected[number] |= tests
        gc.unfreeze()
        click.echo(f"{len(self.seconds)} tests pass in {sum(self.seconds.values()):.0f} s", err=True)
        numbers = range(len(self.mutants))
        for results in self._at_a_time(
            [functools.partial(self._tried, list(numbers[at :: self.jobs])) for at in range(self.jobs)]
        ):
            self.results |= results
        return True

    def _at_a_time(self, works: Sequence[Callable[[], Any]]) -> list[Any]:
        """Return what each of some works comes to, each in a process of its own, all at the same time."""
        pipes = []
        for work in works:
            receives, sends = multiprocessing.Pipe(duplex=False)
            if os.fork() == 0:
                try:
                    sends.send(work())
                except BaseException:  # noqa: BLE001  it is shown
                    traceback.print_exc()
                finally:
                    os._exit(0)
            sends.close()
            pipes.append(receives)
        found = [each.recv() for each in pipes]
        for _ in pipes:
            os.wait()
        return found

    def _mark_all(self) -> None:
        by_module: dict[str, list[int]] = defaultdict(list)
        for number, mutant in enumerate(self.mutants):
            by_module[mutant.module].append(number)
        for module, numbers in by_module.items():
            importlib.import_module(import_name(module))  # some are loaded only where they are needed
            marks, everywhere = defaultdict(list), []
            for number in numbers:
                line = statement_of(self.mutants[number])
                if line is None:
                    everywhere.append(number)
                else:
                    marks[line].append(number)
            put_in(module, Marked(marks, everywhere).visit(ast.parse(source_of(module))))

    def _measured(self, names: Sequence[str]) -> tuple[dict[str, float], dict[int, set[str]]]:
        """Return the seconds of each test that passes, and by mutant those that run its statement."""
        import builtins  # noqa: PLC0415  where any module finds the mark

        hit: set[int] = set()
        setattr(builtins, _MARK, hit.add)
        seconds, selected, filled = {}, defaultdict(set), caches()
        for name in names:
            for cache in filled:
                cache.cache_clear()
            hit.clear()
            began = time.process_time()
            if passes(self.items[name]):
                seconds[name] = time.process_time() - began
                for number in hit:
                    selected[number].add(name)
        return seconds, dict(selected)

    def _tried(self, numbers: Sequence[int]) -> dict[int, Result]:
        import builtins  # noqa: PLC0415  likewise

        setattr(builtins, _MARK, int)
        found = {}
        for number in numbers:
            mutant = self.mutants[number]
            tests = sorted(self.selected[number], key=lambda test: (self.seconds[test], test))
            if not tests:
                found[number] = Result("run by no test")
            elif statement_of(mutant) is None:
                found[number] = at_loading(mutant, tests)
            else:
                found[number] = self._outcome(mutant, tests)
            click.echo(
                f"{found[number].outcome} {mutant.module}:{mutant.start[0]} {mutant.operator}", err=True
            )
            if self.record is not None:
                with self.record.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(recorded(mutant, found[number])) + "\n")
        return found

    def _outcome(self, mutant: Mutant, tests: list[str]) -> Result:
        while tests:
            limit = _PATIENCE + 10 * sum(self.seconds[test] for test in tests)
            failing = apart(functools.partial(self._first_failing, tests, mutant), limit)
            if failing == "":
                return Result("survived")
            upto = tests[: tests.index(failing) + 1] if failing in tests else tests
            control = apart(functools.partial(self._first_failing, upto), limit)
            if control == "":
                return Result("timed out" if failing is None else "noticed", failing or "")
            if control not in tests:
                message = f"the tests of {mutant.module} do not end without a mutant: {control}"
                raise click.ClickException(message)
            tests.remove(control)  # it fails without the mutant as well
        return Result("run by no test")

    def _first_failing(self, tests: Sequence[str], mutant: Mutant | None = None) -> str:
        """Return the first of some tests that fails, with the mutant in place; empty if none does."""
        for cache in caches():
            cache.cache_clear()
        if mutant is not None:
            put_in(mutant.module, mutant.changed)
        for test in tests:
            if not passes(self.items[test]):
                return test
        return ""


# ── What a module does as it is loaded ───────────────────────────────────────────────────────────────


@functools.cache
def tree() -> Path:
    """Copy what the tests need into a folder, once for this process, and return it."""
    folder = Path(tempfile.mkdtemp(prefix="mutants"))
    for name in _TREE:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in _TREE_FILES:
        shutil.copy(ROOT / name, folder / name)
    return folder


def at_loading(mutant: Mutant, tests: Sequence[str]) -> Result:
    """Return what came of a mutant that is written into a copy of the tree."""
    names = list(dict.fromkeys(test.partition("[")[0] for test in tests))
    while names:
        failing = first_failing_in_copy(names, mutant)
        if not failing:
            return Result("survived")
        # A module that cannot be loaded is named by the file of the tests that need it.
        last = max((at for at, name in enumerate(names) if name.startswith(failing)), default=len(names))
        control = first_failing_in_copy(names[: last + 1])
        if not control:
            return Result("noticed", failing)
        if control not in names:
            raise click.ClickException(f"the tests of {mutant.module} do not end without a mutant: {control}")
        names.remove(control)  # it fails without the mutant as well
    return Result("run by no test")


def first_failing_in_copy(names: Sequence[str], mutant: Mutant | None = None) -> str:
    """Return the first of some tests that fails in the copy of the tree, with a mutant in it; empty if none.

    It is the file alone of tests that could not be collected, and what was written if no test is named.
    """
    path = tree() / mutant.module if mutant is not None else None
    try:
        if path is not None and mutant is not None:
            path.write_text(mutant.changed, encoding="utf-8")
        ended = subprocess.run(  # noqa: S603  of our own
            [sys.executable, "-B", "-m", "pytest", *_OPTIONS, "-x", "-rfE", *names],
            cwd=tree(),
            env={**os.environ, "PYTHONPATH": str(tree())},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        if path is not None and mutant is not None:
            path.write_text(mutant.source, encoding="utf-8")
    if ended.returncode == 0:
        return ""
    told = [line.split()[1] for line in ended.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return told[0].partition("[")[0] if told else ended.stdout + ended.stderr


# ── What came of it ──────────────────────────────────────────────────────────────────────────────────


def recorded(mutant: Mutant, result: Result) -> dict[str, Any]:
    """Return a mutant and what came of it, for a line of JSON."""
    lines = list(difflib.ndiff(mutant.source.split("\n"), mutant.changed.split("\n")))
    return {
        "module": mutant.module,
        "line": mutant.start[0],
        "operator": mutant.operator.removeprefix("core/"),
        "was": "\n".join(line[2:].strip() for line in lines if line[0] == "-"),
        "becomes": "\n".join(line[2:].strip() for line in lines if line[0] == "+"),
        "outcome": result.outcome,
        "test": result.test,
    }


def files_of_tests() -> Iterator[str]:
    """Yield the files of all tests."""
    for name in TESTS:
        path = ROOT / name
        for each in [path] if path.is_file() else sorted(path.rglob("*.py")):
            if each.name.startswith("test_") or ">>>" in each.read_text(encoding="utf-8"):
                yield each.relative_to(ROOT).as_posix()


@click.command()
@click.argument("count", type=int)
@click.argument("seed")
@click.option("--jobs", type=int, default=2, show_default=True, help="Processes at a time.")
@click.option("--record", type=click.Path(path_type=Path), help="File that gets a line of JSON for each.")
@click.option("--only", multiple=True, type=int, help="Which of those drawn to try, from 0.")
@click.option("--files", multiple=True, help="Files of tests; if none, all that prove the engine.")
def main(
    count: int, seed: str, jobs: int, record: Path | None, only: tuple[int, ...], files: tuple[str, ...]
) -> None:
    """Draw mutants, try each, and say how many the tests notice."""
    record = record.resolve() if record is not None else None
    os.chdir(ROOT)
    mutants = drawn(count, seed)
    mutants = [mutants[at] for at in only] if only else mutants
    trial = Trial(mutants, jobs, record)
    pytest.main([*_OPTIONS, *(files or files_of_tests())], plugins=[trial])
    counts = Counter(result.outcome for result in trial.results.values())
    noticed = counts["noticed"] + counts["timed out"]
    low, high = (float(end) for end in clopper_pearson(noticed, len(mutants), Fraction(5, 100)))
    click.echo(", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items())))
    click.echo(f"{noticed / len(mutants):.1%} of {len(mutants)}, at 95% between {low:.1%} and {high:.1%}")
    sys.stdout.flush()
    os._exit(0)  # what was frozen and forked needs no further end


if __name__ == "__main__":
    main()
