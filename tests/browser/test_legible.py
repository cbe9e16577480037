"""Every page at every size, in both themes: nothing hinders, nothing is cut off, the focus is seen."""

import pytest

from tests.browser.conftest import SIZES, THEMES, Enters
from tests.browser.served import Served

EVERY = [(size, theme) for size in SIZES for theme in THEMES]


@pytest.mark.parametrize(("size", "theme"), EVERY, ids=[f"{size}, {theme}" for size, theme in EVERY])
def test_nothing_on_any_page_hinders(enters: Enters, served: Served, size: str, theme: str) -> None:
    found: dict[str, object] = {}
    for role, paths in served.pages().items():
        person = enters(role, size, theme)
        for path in paths:
            person.goes_to(path)
            if hinders := [
                *person.obstacles(),
                *([f"{person.overflows} px too wide"] if person.overflows > 0 else []),
            ]:
                found[path] = hinders
    assert found == {}
