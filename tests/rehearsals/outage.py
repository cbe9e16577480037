"""`make outage SECONDS=120`: Kafka away under ten times the load of a large property, and what it leaves.

A hundred tables play ten times as fast as real. After half a minute the broker is killed and stays away; when
it is back, the spool must drain, the lag go to zero, and store and archive equal the embedded audit.
"""

from pathlib import Path
from typing import Final

from rich.console import Console

from tests.builders.live_floor import LiveFloor
from tests.rehearsals.rehearsal import Play, Say, command, rehearse

TABLES: Final = 100
SPEED: Final = 10.0
BEFORE: Final = 30.0  # seconds of play before Kafka goes, and after it is back
ON_THE_WAY: Final = 20  # frames in the spool while all is well: they are just being sent


def run(folder: Path, seconds: float, seed: str, console: Console) -> bool:
    """Stop Kafka under a live floor and check whether anything is lost or duplicated."""

    def happens(floor: LiveFloor, say: Say) -> None:
        floor.rest(BEFORE)
        floor.kill("broker")
        say("Kafka is gone")
        floor.rest(seconds)
        say(f"{floor.spooled():,.0f} frames wait in the spool")
        floor.start("broker")
        say("Kafka is back")
        floor.wait("an empty spool", lambda: floor.spooled() < ON_THE_WAY)
        say("the spool has drained")

    play = Play(TABLES, (seconds + 2 * BEFORE) * SPEED / 3600, seed, SPEED)
    return rehearse(folder, console, play, happens, 4 * BEFORE)


if __name__ == "__main__":
    command(run, "How long Kafka stays away.", at_least=1)()
