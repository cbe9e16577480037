"""A console on one disputed round, and its API's description; most modules open one of their own."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.builders.consoles import open_console
from tests.builders.round_records import DISPUTED
from tests.builders.stores import store_records


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    with open_console(store_records(tmp_path_factory.mktemp("api") / "s.duckdb", DISPUTED)) as client:
        yield client


@pytest.fixture(scope="module")
def described(client: TestClient[Litestar]) -> dict[str, Any]:
    answer = client.get("/api/openapi.json")
    assert answer.status_code == 200
    description: dict[str, Any] = answer.json()
    return description
