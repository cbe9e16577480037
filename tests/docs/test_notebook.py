"""docs/notebook.ipynb: its cells run, and what it shows is what they give."""

from importlib.util import find_spec
from typing import Any, Final

import pytest

from tests.builders.notebook import outputs_of, read_notebook

if find_spec("polars") is None:  # not loaded: the processes that collect these tests do not all run them
    pytest.skip("a .venv older than infra/requirements.txt; make renews it", allow_module_level=True)

# How matplotlib draws a line may change with its version; that it draws one may not.
_PICTURE: Final = "image/png"


def without_pictures(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**each, "data": dict.fromkeys(each["data"])} if _PICTURE in each.get("data", ()) else each
        for each in outputs
    ]


def test_the_cells_of_the_notebook_give_what_it_shows() -> None:
    notebook = read_notebook()
    shown = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    given = list(outputs_of(notebook))
    assert list(map(without_pictures, given)) == list(map(without_pictures, shown))
    kinds = [kind for outputs in given for each in outputs for kind in each.get("data", ())]
    assert (kinds.count("image/svg+xml"), kinds.count(_PICTURE)) == (1, 2)


def test_the_notebook_is_of_the_form_that_jupyter_reads() -> None:
    notebook = read_notebook()
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 4)
    assert {cell["cell_type"] for cell in notebook["cells"]} == {"markdown", "code"}
    assert {key for cell in notebook["cells"] for key in cell} == {
        "cell_type",
        "metadata",
        "source",
        "outputs",
        "execution_count",
    }
