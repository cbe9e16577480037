"""What a command loads as it starts: none of what takes long and few of its calls need."""

import subprocess
import sys
from typing import Final

import pytest

HEAVY: Final = {
    "aiokafka",
    "duckdb",
    "faust",
    "kafka",
    "litestar",
    "matplotlib",
    "pyarrow",
    "webauthn",
}
LOADED: Final[dict[str, set[str]]] = {
    "archive": {"aiokafka"},
    "gateway": {"kafka"},
    "hand": set(),
    "key": set(),
    "serve": {"duckdb", "litestar"},
    "user": {"duckdb"},
    "worker": {"aiokafka", "faust", "kafka"},
}
PROGRAM: Final = """
import sys
from discardrack.__main__ import main
try:
    main([sys.argv[1], "--help"])
finally:
    print(*{name.partition(".")[0] for name in sys.modules}, file=sys.stderr)
"""


@pytest.mark.parametrize("verb", LOADED)
def test_a_verb_loads_what_it_uses(verb: str) -> None:
    ran = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-c", PROGRAM, verb], capture_output=True, text=True, check=True
    )
    assert HEAVY & set(ran.stderr.split()) == LOADED[verb]


def test_a_process_that_makes_a_bundle_for_the_console_loads_nothing_of_pages() -> None:
    program = "import sys, replay.cli.bundle_process, replay.cli.evidence; print(*sys.modules)"
    ran = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert HEAVY & set(ran.stdout.split()) == set()
