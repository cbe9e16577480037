"""Fixtures of several test modules: a store of their own, a played floor, an archive of it."""

import gc
import os
import shutil
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import duckdb
import httpx
import pytest
from _pytest.doctest import DoctestModule
from argon2 import PasswordHasher
from argon2.profiles import CHEAPEST
from hypothesis import strategies

import projections.web.app as app_module
from projections.store import store_file
from projections.store.store import Store
from projections.web.auth.auth_plugin import Access
from projections.web.auth.auth_service import AuthService
from replay.exports.report import Report, pages
from replay.nightly import day_database
from tests.builders.archives import archive_floor, play_floor
from tests.builders.auth import SettableClock
from tests.builders.closed_archive import closed_archive
from tests.builders.golden import audit_golden_files
from tests.builders.made_once import made_once
from tests.builders.reused_routes import ReusedRoutes

HERE: Final = Path(__file__).parent
WAITING: Final = ("integration", "browser")  # folders of tests that wait for a broker or a browser
ON_ONE_BROKER: Final = 8  # so many modules that need one follow one another in a process
WAITING_UNTIL: Final = 2 / 3  # of the modules that work have begun when the last that waits does
LONGEST_ID: Final = 200  # characters
IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108  pytest makes a folder of its own there
ROOM: Final = 8 << 30  # bytes, several times what a run has there at once
DEALT_OUT: Final = "law"  # the folder of tests that share nothing, but for those of a proof
DEALT_AT_ONCE: Final = 10
OF_A_PROOF: Final = ("_proof", "_prove")


def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes run tests: two more than there are cores, as about half of them wait."""
    return len(os.sched_getaffinity(0)) + 2


@pytest.hookimpl(tryfirst=True)  # xdist reads the marks in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # With `--dist loadgroup` one process runs a module: a second would make again what its tests share.
    modules = dict.fromkeys(item.path for item in items)
    ours = [path for path in modules if HERE in path.parents]
    dealt_out = {
        path for path in ours if path.parent.name == DEALT_OUT and not path.stem.endswith(OF_A_PROOF)
    }
    groups = {
        path: pytest.mark.xdist_group(path.relative_to(HERE).as_posix())
        for path in ours
        if path not in dealt_out
    }
    # To start a broker costs ten times what it takes to empty one: some modules follow one another on it.
    on_broker = dict.fromkeys(
        item.path for item in items if {"broker", "started"} <= set(getattr(item, "fixturenames", ()))
    )
    first_of = {path: list(on_broker)[n - n % ON_ONE_BROKER] for n, path in enumerate(on_broker)}
    groups |= {path: groups[first] for path, first in first_of.items()}
    for item in items:
        if item.path in groups:
            item.add_marker(groups[item.path])
    for n, item in enumerate(each for each in items if each.path in dealt_out):
        item.add_marker(pytest.mark.xdist_group(f"{DEALT_OUT} {n // DEALT_AT_ONCE}"))
    # Those that wait, a broker's and a browser's in turn, come among those that work, so that no core is
    # idle, and are over before them. Those of the law, which share nothing, are dealt out a few at a time
    # behind all modules, and all ends together.
    waiting = [
        path
        for each in zip_longest(
            *(
                [path for path in ours if path.parent.name == name and first_of.get(path, path) == path]
                for name in WAITING
            )
        )
        for path in each
        if path is not None
    ]
    working = [path for path in modules if path not in {*dealt_out, *waiting, *first_of}]
    turns = dict.fromkeys(dealt_out, 1.0)
    turns |= {path: WAITING_UNTIL * n / len(waiting) for n, path in enumerate(waiting)}
    turns |= {path: n / len(working) for n, path in enumerate(working)}
    turns |= {path: turns[first] for path, first in first_of.items()}
    items.sort(key=lambda item: turns[item.path])


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a parameter of thousands of characters by its length: each process sends the ids of all tests."""
    return f"{argname} of {len(val)}" if isinstance(val, str | bytes) and len(val) > LONGEST_ID else None


class OnlyExamples:
    """Plugin that loads for examples only the modules that have any, one in five.

    A hook of this file would be asked of this folder alone.
    """

    @staticmethod
    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        file_path: Path,
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """Return a file's collectors, without that of examples where the file has none."""
        collectors = yield
        if (
            not any(isinstance(each, DoctestModule) for each in collectors)
            or b">>> " in file_path.read_bytes()
        ):
            return collectors
        return [each for each in collectors if not isinstance(each, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    """Disable garbage collection while thousands of tests are collected: there is next to none.

    The tests' files are kept in memory if there is room, and programs among them could run there.
    """
    config.pluginmanager.register(OnlyExamples())
    gc.disable()
    runs = IN_MEMORY.is_dir() and not os.statvfs(IN_MEMORY).f_flag & os.ST_NOEXEC
    if runs and shutil.disk_usage(IN_MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))


@pytest.hookimpl(trylast=True)  # before xdist's, which starts the other processes, and after Hypothesis's own
def pytest_sessionstart(session: pytest.Session) -> None:
    """Make the tables of characters that Hypothesis keeps in the project's folder.

    That takes two seconds on a fresh machine: the first process makes them, lest each that it starts does.
    """
    if not hasattr(session.config, "workerinput"):
        strategies.text().validate()


def pytest_collection_finish() -> None:
    """Exclude the collected tests, which stay to the end, from garbage collection from now on."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close all of it at the end: a library complains of what is left.

    A process of xdist's ends as it is, and one that only collects: to look through all tests once more takes
    it five seconds.
    """
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        gc.unfreeze()


class UnsyncedConnection(sqlite3.Connection):
    """Connection to an SQLite file that waits for no disk, whatever it was asked."""

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        """Execute a statement."""
        waits = sql.startswith("PRAGMA synchronous = ")
        return super().execute("PRAGMA synchronous = OFF" if waits else sql, *parameters)


@pytest.fixture(scope="session", autouse=True)
def disk_not_waited_for() -> Iterator[None]:
    """Wait for no disk to have what was written: a night's reports alone wait three hundred times.

    What that is for is a power cut, of which there is none here; what a test kills is a process of its own.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _handle: None)
        patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=UnsyncedConnection))
        yield


@pytest.fixture(scope="session", autouse=True)
def plots_drawn_once() -> Iterator[None]:
    """Draw each plot of a report's page once a process: the same few days are reported hundreds of times."""
    drawn: dict[str, tuple[str, ...]] = {}
    draw = pages._drawings  # noqa: SLF001  what it draws with is loaded by the first report alone

    def drawings(report: Report) -> tuple[str, ...]:
        content = repr((report.title, report.plot, report.columns, report.rows))
        if content not in drawn:
            drawn[content] = draw(report)
        return drawn[content]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "_drawings", drawings)
        yield


@pytest.fixture(scope="session", autouse=True)
def nights_in_one_database() -> Iterator[None]:
    """Make the tables of a night's database once a process, for 40 ms: each night is undone at its end.

    A night of a process that a test starts has one of its own, as in earnest.
    """
    with ExitStack() as opened, pytest.MonkeyPatch.context() as patch:
        made: list[duckdb.DuckDBPyConnection] = []
        make = day_database.empty_database

        @contextmanager
        def empty_database() -> Iterator[duckdb.DuckDBPyConnection]:
            if not made:
                made.append(opened.enter_context(make()))
            with made[0].cursor() as db:
                db.begin()
                try:
                    yield db
                finally:
                    db.rollback()

        patch.setattr(day_database, "empty_database", empty_database)
        yield


@pytest.fixture(scope="session", autouse=True)
def authorities_read_once() -> Iterator[None]:
    """Read the certificates of authorities once a process: each client of HTTP reads them all, for 25 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", cache(httpx.create_ssl_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Make a password of a test cost next to nothing: hundreds of tests log people in.

    What one costs in earnest is in test_access_passwords; a process that a test starts has it so.
    """
    with pytest.MonkeyPatch.context() as patch:
        hasher = PasswordHasher.from_parameters(CHEAPEST)
        patch.setattr("projections.web.auth.accounts._hasher", hasher)
        yield


@pytest.fixture(scope="session", autouse=True)
def tables_made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make the tables of a new store once a process, for 20 ms: each other new store is a copy of it."""
    blank = tmp_path_factory.mktemp("blank") / "store.duckdb"
    store_file.connect(blank, writing=True).close()

    def connect(path: Path, *, writing: bool) -> duckdb.DuckDBPyConnection:
        if writing and path.parent.is_dir() and not path.exists():
            with suppress(OSError):  # what that means for a store is found as it is opened
                shutil.copyfile(blank, path)
        return store_file.connect(path, writing=writing)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("projections.store.store.connect", connect)
        yield


@pytest.fixture(scope="session", autouse=True)
def routes_made_once() -> Iterator[None]:
    """Use the routes of a console that was shut down for the next one: Litestar takes 0.4 s to make them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_module, "application", ReusedRoutes(app_module.application))
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a test's store stands."""
    return tmp_path / "store.duckdb"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """Return an empty store, open for writing."""
    with Store(path) as opened:
        yield opened


@pytest.fixture
def clock() -> SettableClock:
    """Return the time, which a test turns on."""
    return SettableClock()


@pytest.fixture
def access(path: Path, clock: SettableClock) -> Access:
    """Return what lets nobody in but the accounts beside a test's store, of which there is none yet."""
    return Access(AuthService(path, now=clock))


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a floor of two tables, played at the end of one gaming day and the beginning of the next.

    All tests have the same one: copy it to change it.
    """
    return made_once(tmp_path_factory, "played", play_floor)


@pytest.fixture(scope="session")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of what is answered to each file of golden hands."""
    return made_once(tmp_path_factory, "golden", audit_golden_files)


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory, played: Path) -> Path:
    """Return an archive of that floor, its two days sealed; to look at it by a verb is to change it, too."""
    return made_once(tmp_path_factory, "kept", lambda folder: archive_floor(folder, played))


@pytest.fixture(scope="session")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with such a floor, its archive of two closed days, and the key: floor, archive, a.key.

    All tests have the same one: copy the archive to change it.
    """
    return made_once(tmp_path_factory, "closed", closed_archive)
