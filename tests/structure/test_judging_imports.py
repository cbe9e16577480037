"""What judging one Baccarat round takes to be loaded: the engine and one game, and nothing beside."""

import subprocess
import sys
from typing import Final

MOST: Final = 60
_JUDGE: Final = """
import sys
from datetime import date

from projections.engine.audit.judge import judge
from projections.engine.observation import Key, Paid, Round, Wager
from schemas.rulebook import rulebook

play = [("player", "2c"), ("banker", "6d"), ("player", "2h"), ("banker", "Kd"), ("player", "4c")]
key = Key(4, None, "player", None)
seen = Round(
    "BAC-1", "1", date(2025, 3, 1), 0, play=play, wagers={key: Wager(2500)}, paid={key: Paid(2500)},
    announced="player",
)
conclusion = judge(seen, rulebook("631a", date(2025, 3, 1), {}))
print(conclusion.verdict, *sorted(name for name in sys.modules if name.startswith(OURS)))
"""


def test_judging_a_baccarat_round_loads_the_engine_and_that_game_alone() -> None:
    ours = ("schemas", "projections", "streams", "replay")
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", _JUDGE.replace("OURS", repr(ours))], capture_output=True, text=True, check=True
    )
    verdict, *modules = done.stdout.split()
    assert verdict == "clean"
    assert "projections.engine.games.baccarat.wagers" in modules
    assert len(modules) <= MOST
    beside = (
        "proof",
        "programmes",
        "store",
        "web",
        "casework",
        "views",
        "fold",
        "inventory",
        "streams",
        "replay",
    )
    assert [name for name in modules if set(name.split(".")) & set(beside)] == []
    other = ("baccarat21", "bonuscraps", "downunder", "paigow", "spanish21", "blackjack")
    assert [name for name in modules if set(name.split(".")) & set(other)] == []
