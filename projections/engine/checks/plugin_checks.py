"""Checks of plugins, asked of every round after our own; docs/plugins.md.

A plugin cannot take anything from us: what does not load is warned of and left out, and where a check of it
fails at a round, that is a finding of its own beside all others.
"""

from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import version
from typing import Final

from msgspec import Struct

from projections.engine.check_context import RoundCase
from projections.engine.facts import fact
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised, hold_names, identify
from projections.engine.games import game_of
from schemas.errors import BadInput
from schemas.law_text import plugin_chapters
from schemas.plugins import CHECKS, GAMES, Plugin, faults, plugins

PLUGIN_FAILED: Final = Kind(
    "plugin_failed",
    severity="data",
    asks="Did the checks of each plugin answer?",
    false_positives="None: another package's check failed at this round. Its makers have to mend it.",
    weight="undetermined",
)
KINDS: Final = (PLUGIN_FAILED,)

_AND: Final = ", "  # between what judges


class PluginCheck(Struct, frozen=True):
    """Check of a plugin: its function, and the kinds that it may raise."""

    plugin: Plugin
    check: Callable[[RoundCase], Iterable[Raised]]
    kinds: tuple[Kind, ...]

    def __call__(self, case: RoundCase) -> list[Raised]:
        """Return what the plugin finds in a round; a finding of its failure where it cannot tell."""
        try:
            found = list(self.check(case))
            identify(found, about="", day=case.observed.day)
            strange = [each.kind.check for each in found if each.kind not in self.kinds]
        except Exception as error:  # noqa: BLE001  another's check may raise anything
            self.plugin.warn(f"fails: {type(error).__name__}", str(error), case.observed.table)
            return [self._failed(type(error).__name__)]
        if strange:
            self.plugin.warn(f"raises {strange[0]}, which is not among its KINDS", table=case.observed.table)
            return [self._failed("a kind that is not among its KINDS")]
        return found

    def _failed(self, error: str) -> Raised:
        failed = fact(
            "checks.plugin_failed",
            plugin=self.plugin.name,
            distribution=self.plugin.distribution,
            error=error,
        )
        return Raised(kind=PLUGIN_FAILED, message=failed, cites=(HOUSE_CONTROL,), who=self.plugin.name)


@cache
def plugin_checks() -> tuple[PluginCheck, ...]:
    """Return the checks of all plugins that load."""
    found = []
    for plugin in plugins(CHECKS).values():
        try:
            module = plugin.load()
            made = PluginCheck(plugin, module.check, tuple(module.KINDS))
            hold_names(made.kinds, plugin)
            plugin.digest()
        except Exception as error:  # noqa: BLE001  what another's module has may be anything
            plugin.leave_out(error)
        else:
            found.append(made)
    return tuple(found)


def plugin_kinds() -> list[Kind]:
    """Return the kinds of findings that checks of plugins raise."""
    return [kind for each in plugin_checks() for kind in each.kinds]


def plugin_faults() -> tuple[str, ...]:
    """Return what is wrong with the plugins that are installed here, as far as it has shown."""
    software()  # loads each
    return faults()


def software_differences(other: str) -> tuple[list[str], list[str]]:
    """Return what other software lacks of this one, and what it has that this one has not.

    Both are as `software` has them: versions, and plugins with theirs.
    """
    ours, theirs = software().split(_AND), other.split(_AND)
    return [each for each in ours if each not in theirs], [each for each in theirs if each not in ours]


@cache
def software() -> str:
    """Return what judges: our version, and each plugin that loads with its version and digest.

    What is kept to be used again, and what is signed, says it: with another plugin the same round may be
    judged otherwise.
    """
    loaded = [each.plugin for each in plugin_checks()]
    for chapter in plugin_chapters():
        try:
            game_of(chapter)
        except BadInput as error:
            plugins(GAMES)[chapter].leave_out(error)
        else:
            loaded.append(plugins(GAMES)[chapter])
    return _AND.join([version("discardrack"), *(f"{each.label} ({each.digest()})" for each in loaded)])
