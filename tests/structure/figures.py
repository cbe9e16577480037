"""Print the figures of docs/architecture.md: python tests/structure/figures.py."""

import ast
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PRODUCT: Final = ("schemas", "projections", "streams", "replay", "discardrack", "infra")
LATER: Final = ("projections/engine/procedures/", "replay/patterns/")  # what was added since "before"


def product_sources() -> dict[str, str]:
    """Return the product's modules by path, without the simulator."""
    listed = subprocess.check_output(["git", "ls-files", "--", *PRODUCT], cwd=ROOT, text=True)  # noqa: S603, S607
    paths = [path for path in listed.splitlines() if path.endswith(".py")]
    return {
        path: (ROOT / path).read_text("utf-8") for path in paths if not path.startswith("streams/simulator/")
    }


def count_lines(sources: dict[str, str]) -> int:
    return sum(text.count("\n") for text in sources.values())


def count_class_names(sources: dict[str, str]) -> tuple[int, int]:
    """Return how many names more than one module gives to a class, and how many names there are."""
    names: Counter[str] = Counter()
    for text in sources.values():
        names.update({node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)})
    return sum(count > 1 for count in names.values()), len(names)


def count_single_importers(sources: dict[str, str]) -> int:
    """Return how many modules, packages apart, one other module alone imports."""
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in sources}
    importers: dict[str, set[str]] = defaultdict(set)
    for module, path in modules.items():
        for node in ast.walk(ast.parse(sources[path])):
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                within = [f"{node.module}.{alias.name}" for alias in node.names]
                imported = [name if name in modules else node.module for name in within]
            else:
                continue
            for name in imported:
                importers[name].add(module)
    packages = {module for module, path in modules.items() if path.endswith("__init__.py")}
    return sum(len(importers[module]) == 1 for module in modules.keys() - packages)


def main() -> None:
    sources = product_sources()
    later = {path: text for path, text in sources.items() if path.startswith(LATER)}
    shared, names = count_class_names(sources)
    sys.stdout.write(
        f"modules: {len(sources)}, of which procedures and patterns: {len(later)}\n"
        f"lines: {count_lines(sources):,}, of which procedures and patterns: {count_lines(later):,}\n"
        f"modules with one importer: {count_single_importers(sources)}\n"
        f"names that more than one class has: {shared} of {names}\n"
    )


if __name__ == "__main__":
    main()
