"""What a page weighs with all that it loads, as it is sent: at most 100 kB."""

import re
from contextlib import closing
from typing import Final

import httpx
import pytest

from tests.browser.served import Served

MOST: Final = 100_000  # bytes
# Besides a page of each sort: those that are another sort's with other contents, or that nobody is led to.
OTHERS: Final = {
    "supervisor": ["/?queue=this_shift&every=true", "/wall", "/notifications", "/floor?by=errors"],
    "administrator": ["/health", "/notifications/log", "/account"],
}
_LOADS: Final = re.compile(r'<(?:link|script)\b[^>]*?(?:href|src)="([^"]+)"')
_IMPORTS: Final = re.compile(r'^import [^"]*"\./([^"]+)"', re.MULTILINE)


def weigh(client: httpx.Client, path: str) -> int:
    """Return how many bytes are sent for a page, its styles, its scripts and what those import, packed."""
    bytes_by_path: dict[str, int] = {}
    waiting = [path]
    while waiting:
        each = waiting.pop()
        if each in bytes_by_path:
            continue
        answer = client.get(each, headers={"Accept-Encoding": "gzip"}, follow_redirects=True)
        assert answer.status_code == httpx.codes.OK, each
        bytes_by_path[each] = int(answer.headers["Content-Length"])
        if each == path:
            waiting += _LOADS.findall(answer.text)
        elif each.endswith(".js"):
            waiting += [f"/static/{name}" for name in _IMPORTS.findall(answer.text)]
    assert any(each.endswith(".css") for each in bytes_by_path), path
    return sum(bytes_by_path.values())


@pytest.mark.parametrize("role", ["supervisor", "administrator"])
def test_no_page_weighs_more_than_100_kb_with_all_that_it_loads(served: Served, role: str) -> None:
    with closing(served.person(role)) as client:
        weights = {path: weigh(client, path) for path in (*served.pages()[role], *OTHERS[role])}
    assert {path: bytes_ for path, bytes_ in weights.items() if bytes_ > MOST} == {}
