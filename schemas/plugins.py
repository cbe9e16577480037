"""Plugins: checks and games of other installed packages, found by their entry points; docs/plugins.md.

Nothing of a plugin is loaded to find it. What cannot be used is said once, as a warning, and left out.
"""

import hashlib
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Final, Literal, TextIO, TypeAlias

from msgspec import Struct

from schemas.errors import BadInput

Group: TypeAlias = Literal["discardrack.checks", "discardrack.games"]
CHECKS: Final[Group] = "discardrack.checks"
GAMES: Final[Group] = "discardrack.games"

# Folders of messages that are our own: a plugin's facts are put into words under its name.
RESERVED: Final = frozenset(
    {
        "accounts",
        "audit",
        "checks",
        "coupons",
        "engine",
        "evidence",
        "fold",
        "games",
        "ledgers",
        "procedures",
        "supervision",
        "views",
    }
)
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_TEXTS: Final = frozenset({".py", ".j2", ".yaml"})
_DIGITS: Final = 12
_FAULTS: Final[dict[str, set[str]]] = {}  # those met in this process, with the tables; of all tables if none


class PluginFault(UserWarning):
    """A plugin that is installed and cannot be used: which, and why."""


class Plugin(Struct, frozen=True):
    """An entry point of another package: what it adds under its name, and from which distribution.

    The name is the chapter of a game, and what the names of checks begin with: NAME.CHECK.
    """

    group: Group
    name: str
    module: str
    distribution: str

    @property
    def label(self) -> str:
        """Return what it is called, and where it is from."""
        return f"{self.name} of {self.distribution}"

    def load(self) -> ModuleType:
        """Return its module.

        Raises:
            BadInput: it does not load, for whatever reason.
        """
        try:
            return import_module(self.module)
        except Exception as error:
            raise BadInput(f"does not load: {type(error).__name__}: {error}") from error

    def folder(self) -> Path:
        """Return the folder of its module, where its messages and its law lie.

        Raises:
            BadInput: there is no such module, or a package above it does not load.
        """
        try:
            spec = find_spec(self.module)
        except Exception as error:
            raise BadInput(f"does not load: {type(error).__name__}: {error}") from error
        if spec is None or spec.origin is None:
            raise BadInput(f"does not load: there is no module {self.module}")
        return Path(spec.origin).parent

    def digest(self) -> str:
        """Return the first digits of the SHA-256 of its modules, messages and law, by name and content."""
        folder, found = self.folder(), hashlib.sha256()
        for path in sorted(each for each in folder.rglob("*") if each.suffix in _TEXTS):
            name = path.relative_to(folder).as_posix()
            found.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return found.hexdigest()[:_DIGITS]

    def leave_out(self, why: object) -> None:
        """Warn that it cannot be used."""
        self.warn(f"is left out: {why}")

    def warn(self, what: str, detail: str = "", table: str | None = None) -> None:
        """Warn of something about it in one line, once a process.

        The detail is for the log alone: what an error at a round says may have names.
        """
        line = " ".join(f"{self.distribution}: {self.group} {self.name} {what}".split())
        warn_of_fault(line, self.module, " ".join(detail.split()), table)


def warn_of_fault(line: str, module: str, detail: str = "", table: str | None = None) -> None:
    """Warn of a fault of a plugin's module, unless this process has already; note at which table it came."""
    is_new = line not in _FAULTS
    tables = _FAULTS.setdefault(line, set())
    if table is not None:
        tables.add(table)
    if is_new:
        warnings.warn_explicit(f"{line}: {detail}" if detail else line, PluginFault, module, 1)


def on_plugin_fault(do: Callable[[str, str], object]) -> None:
    """Do something with each fault that is warned of, its line and the module, and warn of it no more."""
    usual = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, PluginFault):
            do(str(message), filename)
        else:
            usual(message, category, filename, lineno, file, line)

    warnings.showwarning = show


def faults(table: str | None = None) -> tuple[str, ...]:
    """Return the faults of plugins that this process has met; with a table those that concern it."""
    return tuple(
        line for line, tables in list(_FAULTS.items()) if table is None or not tables or table in tables
    )


@cache
def plugins(group: Group) -> Mapping[str, Plugin]:
    """Return the plugins of a group by their names; of two of one name none is taken."""
    return MappingProxyType({each.name: each for each in _found() if each.group == group})


@cache
def _found() -> tuple[Plugin, ...]:
    every = sorted(set(_entries()), key=lambda each: (each.group, each.name, each.distribution))
    usable = []
    for each in every:
        others = [other.distribution for other in every if other.name == each.name and other != each]
        if _NAME.fullmatch(each.name) is None or each.name in RESERVED:
            each.leave_out("its name is to be a word of a-z, 0-9 and _ that no folder of this software has")
        elif others:
            each.leave_out(f"{', '.join(others)} has the same name")
        else:
            usable.append(each)
    return tuple(usable)


def _entries() -> Iterator[Plugin]:
    installed = entry_points()  # each call reads the metadata of every package
    for group in (CHECKS, GAMES):
        for entry in installed.select(group=group):
            yield Plugin(group, entry.name, entry.module, _distribution(entry))


def _distribution(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "a package without a name"
