"""What holds the project together and no tool checks: names, sizes, and lists that must be whole."""

import ast
import re
import sys
from collections.abc import Callable, Collection, Iterator
from importlib import import_module
from importlib.metadata import packages_distributions
from inspect import getsource
from pathlib import Path
from pkgutil import iter_modules
from typing import Final, get_args

import pytest

from projections.catalogue import KINDS
from projections.engine import checks
from projections.engine.accounts import checks as account_checks
from projections.engine.accounts.checks import INVENTORY_CHECKS, SHOE_CHECKS
from projections.engine.checks import CHECKS
from projections.engine.findings import Kind
from projections.engine.fold.reconcile_sources import describe_deed
from projections.engine.fold.table_state import evolve
from projections.engine.games import games
from projections.engine.procedures import checks as procedure_checks
from projections.programmes.coupons import checks as coupon_checks
from projections.programmes.ledgers import checks as ledger_checks
from projections.programmes.supervision import floor_day
from schemas import events
from schemas.events import KINDS_OF, PROCEDURAL, Deed, Event, InRound, OnSpot, Reported, Source
from tests.builders.documents import page_tables

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("schemas", "projections", "streams", "replay")
SOURCES: Final = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# ── names and sizes ──────────────────────────────────────────────────────────────────────────────────


def test_package_names_are_taken_by_no_other() -> None:
    installed = packages_distributions()
    for package in PACKAGES:
        assert set(installed.get(package, [])) <= {"discardrack"}
        assert package not in sys.stdlib_module_names


def test_tests_hold_no_package() -> None:
    assert [name_of(path) for path in (ROOT / "tests").rglob("__init__.py")] == []


IMPORT_OF_TESTS: Final = re.compile(
    r"^\s*(?:from|import) tests\.(?:[\w.]+ import )?(?:\w+\.)*test_.*", re.MULTILINE
)


@pytest.mark.parametrize(
    "line",
    ["from tests.law.test_535 import hand", "    import tests.test_one", "from tests.web import test_one"],
)
def test_an_import_of_a_test_module_is_recognized(line: str) -> None:
    assert IMPORT_OF_TESTS.search(f"x = 1\n{line}\n")


def test_no_test_module_imports_from_another() -> None:
    imported = [
        f"{name_of(path)}: {line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line in IMPORT_OF_TESTS.findall(path.read_text("utf-8"))
    ]
    assert imported == []  # what several of them need is built in tests/builders


def test_no_module_is_a_bag() -> None:
    bags = {"utils", "util", "helpers", "common", "misc", "tools", "base", "core"}
    assert [name_of(path) for path in SOURCES if path.stem in bags] == []


def test_every_module_says_what_it_is() -> None:
    mute = [name_of(path) for path in SOURCES if not path.read_text("utf-8").startswith('"""')]
    assert mute == []


# ── events ───────────────────────────────────────────────────────────────────────────────────────────


_SAMPLES: Final = {
    "hand": "seat1", "decision": "stand", "range": "small", "seat": 1, "position": "seat1", "tile": "6-5",
    "result": "win", "dice": "3-4", "number": 4, "cents": 100, "to": "player",
}  # fmt: skip


def kinds_of_event() -> set[type[Reported]]:
    """Yield every class that represents an event, rather than what several have in common."""
    found = {kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Reported)}
    return found - {Reported, InRound, Deed, OnSpot}


def test_every_event_is_in_the_union() -> None:
    assert kinds_of_event() == set(get_args(Event))


def test_every_event_has_a_case_in_the_fold() -> None:
    cases = {
        pattern.cls.id
        for pattern in ast.walk(ast.parse(getsource(evolve)))
        if isinstance(pattern, ast.MatchClass) and isinstance(pattern.cls, ast.Name)
    }
    # What is done in single games is one case: its words are said elsewhere.
    deeds = {kind.__name__ for kind in get_args(Event) if issubclass(kind, Deed)}
    assert cases - {"Deed"} == {kind.__name__ for kind in get_args(Event)} - (deeds - cases)
    assert {"Deed", "PayoutHanded", "PayoutAdded"} <= cases


def test_every_deed_has_its_words() -> None:
    for kind in get_args(Event):
        if issubclass(kind, Deed):
            told = {name: _SAMPLES[name] for name in kind.__struct_fields__ if name in _SAMPLES}
            who, what = describe_deed(kind(device="T-1", epoch=1, seq=1, at=0, round="1", **told))
            assert who
            assert what


@pytest.mark.parametrize(("page", "own"), [("events.md", get_args(Source)), ("procedures.md", PROCEDURAL)])
def test_every_event_is_documented_under_its_sources(page: str, own: Collection[str]) -> None:
    (sources,) = page_tables((ROOT / "docs" / page).read_text("utf-8"), "source")
    stated = {
        row[0].strip("`"): {name.strip() for name in row[-1].split("(")[0].split(",")} for row in sources
    }
    assert stated == {source: {kind.__name__ for kind in KINDS_OF[source]} for source in own}


# ── checks ───────────────────────────────────────────────────────────────────────────────────────────

MODULES: Final = [
    import_module(f"{folder.__name__}.{found.name}")
    for folder in (checks, account_checks, procedure_checks)
    for found in iter_modules(folder.__path__)
]


OF_COUPONS: Final = [
    import_module(f"projections.programmes.coupons.checks.{found.name}")
    for found in iter_modules(coupon_checks.__path__)
]
OF_LEDGERS: Final = [
    ledger_checks,
    *(
        import_module(f"projections.programmes.ledgers.checks.{found.name}")
        for found in iter_modules(ledger_checks.__path__)
    ),
]


def test_every_check_is_asked() -> None:
    asked: set[Callable[..., object]] = {*CHECKS, *SHOE_CHECKS, *INVENTORY_CHECKS, *coupon_checks.CHECKS}
    asked |= {*procedure_checks.CHECKS}
    asked |= {check for _, check in ledger_checks.LEDGER_CHECKS}
    there = {
        each
        for module in (*MODULES, *OF_COUPONS, *OF_LEDGERS)
        for name, each in vars(module).items()
        if name == "check" or (name.startswith("check_") and callable(each))
    }
    assert there == asked


def test_every_kind_is_in_the_closed_list() -> None:
    defined = [kind for module in MODULES for kind in vars(module).values() if isinstance(kind, Kind)]
    defined += [kind for game in games().values() for kind in game.kinds]
    for module in (*OF_COUPONS, *OF_LEDGERS, floor_day):
        defined += [kind for kind in vars(module).values() if isinstance(kind, Kind)]
    assert {id(kind) for kind in defined} == {id(kind) for kind in KINDS.values()}
    assert {name for name, kind in KINDS.items() if name != kind.check} == set()


RAISES: Final = re.compile(r"\b(?:Doubt|Kind)\(")  # what may: to parse all takes a second


def raised(tree: ast.AST) -> Iterator[str]:
    """Yield every name of a kind that a source makes, and every one under which it leaves a question open."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            first = node.args[0]
            if node.func.id in {"Doubt", "Kind"} and isinstance(first, ast.Constant):
                yield str(first.value)


def test_every_name_that_is_raised_is_in_the_closed_list() -> None:
    names = {
        name: name_of(path)
        for path in SOURCES
        if path.is_relative_to(ROOT / "projections")
        for text in [path.read_text("utf-8")]
        if RAISES.search(text)
        for name in raised(ast.parse(text))
    }
    assert {"house_money_early", "third_card_missing", "late_wager", "paid_too_much"} <= names.keys()
    assert {name: where for name, where in names.items() if name not in KINDS} == {}


def test_every_kind_asks_and_says_what_would_make_it_wrong() -> None:
    for name, kind in KINDS.items():
        assert kind.asks.endswith("?"), name
        assert kind.asks[0].isupper(), name
        assert kind.false_positives.endswith("."), name
        assert (kind.severity == "note") is (kind.weight == "note"), name
