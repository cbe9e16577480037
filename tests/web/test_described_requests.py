"""Requests that schemathesis makes of the API's own description, right and wrong in each of its ways."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from litestar import Litestar
from litestar.testing import TestClient
from schemathesis import GenerationMode

from projections.web.app import console
from projections.web.auth.auth_plugin import Access
from projections.web.bootstrap import load_console
from tests.builders.auth import create_account, log_in_as
from tests.builders.round_records import DISPUTED
from tests.builders.stores import store_records

APART: Final = {"/api/snapshot"}  # answers with all that is stored
FEW: Final = settings(
    max_examples=15,
    deadline=timedelta(seconds=20),
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient[Litestar]]:
    path: Path = store_records(tmp_path_factory.mktemp("described") / "store.duckdb", DISPUTED)
    with TestClient(console(load_console(path))) as client:
        auth = client.app.plugins.get(Access).auth
        log_in_as(client, auth, create_account(auth, "director"))
        yield client


def operations(client: TestClient[Litestar]) -> list[Any]:
    described = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
    described.config.generation.update(with_security_parameters=False)  # the session is the client's
    found = [each.ok() for each in described.get_all_operations()]
    return [each for each in found if each.path not in APART]


def test_no_request_of_the_described_forms_is_a_fault_of_ours(client: TestClient[Litestar]) -> None:
    tried = operations(client)
    assert len(tried) > 15
    statuses: set[int] = set()
    for operation in tried:
        for mode in GenerationMode:

            @FEW
            @given(case=operation.as_strategy(generation_mode=mode))
            def asks(case: Any) -> None:
                request = case.as_transport_kwargs(base_url="http://testserver.local")
                assert not request.pop("cookies")
                request["content"] = request.pop("data", None)
                answer = client.request(**request)
                assert answer.status_code < 500, (request, answer.text)
                statuses.add(answer.status_code)

            with suppress(Unsatisfiable):  # of what nothing may be asked with no question is out of form
                asks()
    assert statuses >= {200, 400, 404}
