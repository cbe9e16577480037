"""A browser before a served console, at three sizes and in both themes."""

import asyncio
import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

import httpx
import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from projections.web.auth.guard import SESSION
from tests.browser.person import Person
from tests.browser.served import BROWSERS, Served, installed, prepare
from tests.builders.made_once import made_once

SIZES: Final = {"1366x768": (1366, 768), "1920x1080": (1920, 1080), "phone": (390, 844)}
THEMES: Final = ("dark", "light")
LACKING: Final = f"no Chromium on the PATH: apt-get install {BROWSERS[0]}"
Enters: TypeAlias = Callable[..., Person]


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return where Debian's Chromium is; without it there is no such test, which in CI is a failure."""
    found = installed()
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(LACKING)
        pytest.skip(LACKING)
    return found


@pytest.fixture(scope="session")
def prepared(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001  not without
    """Return what every console is served of: copy it to serve one."""
    return made_once(tmp_path_factory, "prepared", prepare)


@pytest.fixture(scope="module")
def served(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Return a console over a floor, the same one to all tests of a module."""
    folder = tmp_path_factory.mktemp("served")
    with serving(Served(shutil.copytree(prepared, folder, dirs_exist_ok=True))) as served:
        yield served


@pytest.fixture
def under(prepared: Path, tmp_path: Path) -> Iterator[Served]:
    """Return a console that stands behind a proxy at a path of its own."""
    folder = shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    with serving(Served(folder, under="/discardrack")) as served:
        yield served


@contextmanager
def serving(served: Served) -> Iterator[Served]:
    """Serve a console while the context is open."""
    try:
        served.start()
        yield served
    finally:
        served.stop()


class Chromium:
    """A browser for the whole run; this thread has Playwright's event loop from `enter` to `leave` alone.

    `left` are the tabs that people have left, each with cookies and files of its own, by whether scripts run.
    Who sits down at one has the files of all pages that were seen there, and a process that has run their
    scripts: to open another takes as long as to load a page. Nothing else of who was there is left.
    """

    def __init__(self, playwright: Playwright, executable: str) -> None:
        self._playwright, self._executable = playwright, executable
        self._loop, self._hooks = asyncio.get_running_loop(), sys.get_asyncgen_hooks()
        self._browser: Browser | None = None
        self.left: defaultdict[bool, list[Page]] = defaultdict(list)

    def enter(self) -> Browser:
        """Return the browser; one that crashed is replaced."""
        asyncio._set_running_loop(self._loop)  # noqa: SLF001  as Playwright itself does after each call
        sys.set_asyncgen_hooks(*self._hooks)
        if self._browser is None or not self._browser.is_connected():
            self._browser = self._playwright.chromium.launch(executable_path=self._executable)
            self.left.clear()
        return self._browser

    def leave(self) -> None:
        """Leave the thread without an event loop, for tests that run one of their own."""
        asyncio._set_running_loop(None)  # noqa: SLF001  likewise
        sys.set_asyncgen_hooks(None, None)


@pytest.fixture(scope="session")
def launched(chromium: str) -> Iterator[Chromium]:
    """Return what has the browser: its driver and it take as long to start as a test."""
    with sync_playwright() as playwright:
        started = Chromium(playwright, chromium)
        started.leave()
        yield started
        started.enter().close()


@pytest.fixture(scope="module")
def browser(launched: Chromium) -> Iterator[Browser]:
    yield launched.enter()
    launched.leave()


# What a person does before the first page: forget what others chose here, and choose a theme.
_SITS_DOWN: Final = """
if (sessionStorage.getItem("sits") !== "{number}") {{
  sessionStorage.clear();
  sessionStorage.setItem("sits", "{number}");
  localStorage.clear();
  if ("{theme}" !== "dark") localStorage.setItem("theme", "{theme}");
}}"""
_NUMBERS: Final = count(1)


@pytest.fixture
def enters(browser: Browser, launched: Chromium, served: Served) -> Iterator[Enters]:
    """Open a browser for each person, logged in as a role.

    Whose test does something to the browser itself, its clock, its network or its scripts, has it `alone`.
    What the browser itself complains of in the end, a script that failed or was forbidden, fails the test.
    """
    people: list[Person] = []
    left = launched.left
    with ExitStack() as ends:

        def enters(
            role: str | None = "supervisor",
            size: str = "1366x768",
            theme: str = "dark",
            at: Served = served,
            *,
            scripts: bool = True,
            alone: bool = False,
        ) -> Person:
            width, height = SIZES[size]
            if left[scripts] and not alone:
                page = left[scripts].pop()
                page.set_viewport_size({"width": width, "height": height})
            else:
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    reduced_motion="reduce",
                    color_scheme="dark",
                    java_script_enabled=scripts,
                )
                page = context.new_page()
            person = Person(page, at.address, scripts=scripts)
            ends.callback(page.context.close if alone else lambda: left[scripts].append(person.rises()))
            if role is not None:
                token = at.token(role)
                page.context.add_cookies([{"name": SESSION, "value": token, "url": at.address}])
            person.begins_with(_SITS_DOWN.format(number=next(_NUMBERS), theme=theme))
            people.append(person)
            return person

        yield enters
    assert [failure for person in people for failure in person.failures] == []


@pytest.fixture
def other(served: Served) -> Iterator[httpx.Client]:
    """Somebody else, who works beside."""
    with closing(served.person("supervisor")) as client:
        yield client
