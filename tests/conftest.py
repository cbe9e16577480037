"""What several test modules begin with: a store of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from projections.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give where a test's store stands."""
    return tmp_path / "store.duckdb"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """Give an empty store, open for writing."""
    with Store(path) as opened:
        yield opened
