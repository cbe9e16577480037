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


class Scales:
    """What a page weighs; a file that many pages load is asked for once."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._loaded: dict[str, tuple[int, list[str]]] = {}  # how many bytes, and what that loads

    def weigh(self, path: str) -> int:
        """Return how many bytes are sent for a page, its styles and scripts and what those import, packed."""
        bytes_by_path: dict[str, int] = {}
        waiting = [path]
        while waiting:
            each = waiting.pop()
            if each in bytes_by_path:
                continue
            if each not in self._loaded:
                self._loaded[each] = self._load(each)
            bytes_by_path[each], further = self._loaded[each]
            waiting += further
        assert any(each.endswith(".css") for each in bytes_by_path), path
        return sum(bytes_by_path.values())

    def _load(self, path: str) -> tuple[int, list[str]]:
        answer = self._client.get(path, headers={"Accept-Encoding": "gzip"}, follow_redirects=True)
        assert answer.status_code == httpx.codes.OK, path
        if path.endswith(".js"):
            further = [f"/static/{name}" for name in _IMPORTS.findall(answer.text)]
        else:
            further = [] if path.startswith("/static/") else _LOADS.findall(answer.text)
        return int(answer.headers["Content-Length"]), further


@pytest.mark.parametrize("role", ["supervisor", "administrator"])
def test_no_page_weighs_more_than_100_kb_with_all_that_it_loads(served: Served, role: str) -> None:
    with closing(served.person(role)) as client:
        scales = Scales(client)
        weights = {path: scales.weigh(path) for path in (*served.pages()[role], *OTHERS[role])}
    assert {path: bytes_ for path, bytes_ in weights.items() if bytes_ > MOST} == {}
