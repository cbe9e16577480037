"""The number of examples a property is tried on: some by `make test`, more by `make thorough`."""

import os
from typing import Final

_IS_THOROUGH: Final = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def examples(usual: int, thorough: int) -> int:
    """Return how many examples a property is tried on in this run."""
    return thorough if _IS_THOROUGH else usual
