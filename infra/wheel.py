"""Builds the wheel with one package, `discardrack`, of the folders that are top-level in the tree.

In the tree `schemas`, `projections`, `streams` and `replay` are top-level packages; installed they would
collide with others of those names. So each import of them is rewritten as one of `discardrack`'s.
"""

import ast
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE: Final = "discardrack"
FOLDERS: Final = ("schemas", "projections", "streams", "replay")
_UNWANTED: Final = shutil.ignore_patterns("__pycache__")


class CustomBuildHook(BuildHookInterface[Any]):
    """Puts the rewritten folders into the wheel; an editable installation uses the tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the package into a folder of its own, and have the builder take it from there."""
        if version == "editable":
            return
        root, self._made = Path(self.root), Path(mkdtemp(prefix="discardrack-wheel-"))
        for folder in (PACKAGE, *FOLDERS):
            into = self._made if folder == PACKAGE else self._made / folder
            shutil.copytree(root / folder, into, dirs_exist_ok=True, ignore=_UNWANTED)
        for path in self._made.rglob("*.py"):
            path.write_text(rewritten(path.read_text("utf-8")), "utf-8")
        build_data["force_include"][str(self._made)] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written."""
        del build_data, artifact_path
        if version != "editable":
            shutil.rmtree(self._made)


def rewritten(source: str) -> str:
    r"""Return a module with its imports of our folders as imports of the one package.

    >>> print(rewritten("from schemas.values import dollars\nfrom streams import log\nimport os"))
    from discardrack.schemas.values import dollars
    from discardrack.streams import log
    import os
    """
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            ours = [each.name for each in node.names if each.name.partition(".")[0] in FOLDERS]
            if ours:
                raise ValueError(f"line {node.lineno}: import {ours[0]}: say from where what is imported")
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in FOLDERS:
            line = lines[node.lineno - 1]
            lines[node.lineno - 1] = line.replace(f"from {node.module}", f"from {PACKAGE}.{node.module}", 1)
    return "\n".join(lines)
