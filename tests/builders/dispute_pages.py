"""Disputes opened and worked on through the console."""

import re
from typing import Any, Final

from litestar import Litestar
from litestar.testing import TestClient

from tests.builders.consoles import log_in, post_action

# The hand of round_records.DISPUTED: BAC-7, round 41; seat 2, anna, lost 10.00 that were not collected.
ABOUT: Final[dict[str, Any]] = {
    "table": "BAC-7",
    "gaming_date": "2025-01-01",
    "rounds": ["41"],
    "seat": 2,
    "patron": "Zelda Fitz",
    "supervisor": "Moe Floor",
    "claim": "Zelda Fitz says that she won",
    "claim_cents": 1_000,
}


CALL: Final[dict[str, Any]] = {"called": 1_735_780_000_000_000, "caller": "Kim Pit"}


RULING: Final[dict[str, Any]] = {
    "text": "the chips were lost",
    "ruled_by": "Ray Boss",
    "ruled": 1_735_780_060_000_000,
}


def log_in_as_other(client: TestClient[Litestar], name: str) -> None:
    """Log the client in as somebody else."""
    client.cookies.clear()
    client.headers.pop("X-CSRF-Token")
    log_in(client, name)


def open_dispute(client: TestClient[Litestar], **about: Any) -> str:
    """Open a dispute and give its name."""
    told = post_action(client, "dispute-open", about=ABOUT | about, call=CALL)
    return str(told["subject"]).removeprefix("dispute:")


def form_fields(page: str, form: str) -> dict[str, str]:
    """Return the fields of a form of a page that have a value, by their names."""
    (text,) = re.findall(rf"<form[^>]*{form}.*?</form>", page, re.DOTALL)
    return dict(re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]+)"', text))
