"""Does a device contradict the others again and again?"""

from collections.abc import Iterator
from typing import Final

from projections.fold.shoe_case import ShoeCase
from projections.hand.facts import verbatim
from projections.hand.findings import HOUSE_CONTROL, Kind, Raised

OFTEN: Final = 3  # contradictions within one shoe

DEVICE_CONTRADICTS: Final = Kind(
    "device_contradicts",
    severity="data",
    asks="Did two devices contradict each other in several rounds of one shoe?",
    false_positives="None about the game: it says that a reader needs looking at.",
    weight="undetermined",
)
KINDS: Final = (DEVICE_CONTRADICTS,)


def check(case: ShoeCase) -> Iterator[Raised]:
    """Raise pairs of devices that often disagree."""
    for devices, rounds in case.shoe.conflicts.items():
        if rounds >= OFTEN:
            both = " and ".join(devices.split())
            yield Raised(
                kind=DEVICE_CONTRADICTS,
                message=verbatim(f"{both} contradicted each other in {rounds} rounds of the shoe"),
                cites=(HOUSE_CONTROL,),
                device=devices,
            )
