"""Rebuild the hands of casino tables, settle them again by the regulation, and cite each mismatch.

>>> import discardrack
>>> record = {
...     "table": "BAC-1", "round": "41", "chapter": "631a", "at": "2025-01-01T20:39:43Z",
...     "announced": "player",
...     "play": [["player", "Kd"], ["banker", "Tc"], ["player", "9h"], ["banker", "8s"]],
...     "wagers": [{"seat": 1, "wager": "player", "cents": 2500}],
...     "paid": [{"seat": 1, "wager": "player", "cents": 2000}],
... }
>>> found = discardrack.judge(record)
>>> found.verdict, found.findings[0].check, found.findings[0].citations, found.findings[0].net_cents
('mismatch', 'paid_too_little', ('631a.8(a)(2)(i)', '631a.13(a)', '631a.12(b)'), -500)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discardrack.library import (
        BadInput,
        Conclusion,
        Finding,
        House,
        Round,
        __version__,  # noqa: F401  not among what `import *` brings
        audit,
        draw,
        house,
        judge,
        table,
    )

__all__ = [
    "BadInput",
    "Conclusion",
    "Finding",
    "House",
    "Round",
    "audit",
    "draw",
    "house",
    "judge",
    "table",
]


def __getattr__(name: str) -> Any:
    """Return one of these, loaded when it is first asked for: the command begins in this package too."""
    if name not in (*__all__, "__version__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from discardrack import library  # noqa: PLC0415  see above

    return getattr(library, name)


def __dir__() -> list[str]:
    return __all__
