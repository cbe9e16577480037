"""No kind of event that is passed over at once would have changed anything."""

import ast
import inspect
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from textwrap import dedent
from typing import Any

import pytest

from projections.engine.procedures import account, posts
from schemas import events
from streams.simulator.money import laying, patronage


@pytest.mark.parametrize(
    ("reads", "kinds"),
    [
        (account.PeopleAtTable.after, account._OF_PEOPLE),  # noqa: SLF001  the guards before these methods
        (posts.Posts.after, posts._OF_POSTS),  # noqa: SLF001  likewise
        (posts.Posts._changed_fields, posts._OF_POSTS),  # noqa: SLF001  likewise
        (laying._Walk._prepare, laying._PREPARED),  # noqa: SLF001  likewise
        (laying._Walk._as_it_is, laying._SEEN_OTHERWISE),  # noqa: SLF001  likewise
        (laying._Walk._book, laying._BOOKED),  # noqa: SLF001  likewise
        (patronage._Patrons.see, patronage._OF_PATRONS),  # noqa: SLF001  likewise
    ],
)
def test_no_kind_that_a_method_names_is_passed_over(
    reads: Callable[..., Any], kinds: AbstractSet[type]
) -> None:
    tree = ast.parse(dedent(inspect.getsource(reads)))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    named = {
        kind
        for name in names
        if isinstance(kind := getattr(events, name, None), type) and issubclass(kind, events.Reported)
    }
    assert named
    assert named - kinds == set()
