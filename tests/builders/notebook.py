"""docs/notebook.ipynb, run cell after cell as Jupyter would; `make notebook` writes the outputs into it."""

import ast
import base64
import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, Final

PATH: Final = Path(__file__).parents[2] / "docs" / "notebook.ipynb"


def read_notebook() -> dict[str, Any]:
    """Return the notebook."""
    notebook: dict[str, Any] = json.loads(PATH.read_text("utf-8"))
    return notebook


def outputs_of(notebook: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Run each code cell, all in one namespace and in the folder of the notebook; yield what it gives."""
    names: dict[str, Any] = {}
    with _in_folder(PATH.parent):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                yield _run("".join(cell["source"]), names)


def _run(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a cell: what it prints, then what its last line is, as a picture where it has one."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, shown = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(tree, str(PATH), "exec"), names)  # noqa: S102  our own notebook
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), str(PATH), "eval"), names)  # noqa: S307  likewise
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if shown is not None:
        data = _picture(shown) or {"text/plain": _lines(str(shown))}
        outputs.append(
            {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}
        )
    return outputs


def _picture(shown: Any) -> dict[str, Any]:
    if hasattr(shown, "_repr_svg_"):
        return {"image/svg+xml": _lines(shown._repr_svg_())}
    if hasattr(shown, "savefig"):
        png = io.BytesIO()
        shown.savefig(png, dpi=72, metadata={"Software": None})
        return {"image/png": base64.b64encode(png.getvalue()).decode()}
    return {}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


if __name__ == "__main__":
    whole = read_notebook()
    found = outputs_of(whole)
    for each in whole["cells"]:
        if each["cell_type"] == "code":
            each["outputs"] = next(found)
    PATH.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")
