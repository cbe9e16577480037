"""Each game's proof, found beside its rules and loaded only when it is asked for.

The module `proof` of a game's package has `proof`, and `readings` where the regulator published figures that
show which reading of an ambiguous clause they stand on.
"""

from types import ModuleType

from projections.engine.games import REGISTRY, module_of
from projections.engine.games.proving import Proof, Readings
from schemas.errors import BadInput


def proofs() -> dict[str, Proof]:
    """Return the proof of every chapter's game, by the chapter."""
    return {chapter: _module(chapter).proof for chapter in REGISTRY}


def proof_of(name: str) -> tuple[str, Proof]:
    """Return a game's chapter and proof, by its chapter or by what people call it.

    Raises:
        BadInput: there is no enumeration of such a game here.
    """
    for chapter, each in REGISTRY.items():
        if name in (chapter, each.called):
            return chapter, _module(chapter).proof
    raise BadInput(f"no game {name!r} can be enumerated here; known are {_known(list(REGISTRY))}")


def readings_of(name: str) -> tuple[str, Readings]:
    """Return a game's chapter and readings, by its chapter or by what people call it.

    Raises:
        BadInput: the regulator published no figure of such a game that a reading could reproduce.
    """
    told = [chapter for chapter in REGISTRY if hasattr(_module(chapter), "readings")]
    for chapter in told:
        if name in (chapter, REGISTRY[chapter].called):
            return chapter, _module(chapter).readings
    raise BadInput(f"no published figure tells the readings of {name!r}; known are {_known(told)}")


def _module(chapter: str) -> ModuleType:
    found = module_of(chapter, "proof")
    if found is None:
        raise BadInput(f"the game of chapter {chapter} has no enumeration: its package lacks proof.py")
    return found


def _known(chapters: list[str]) -> str:
    return ", ".join(f"{REGISTRY[chapter].called} ({chapter})" for chapter in chapters)
