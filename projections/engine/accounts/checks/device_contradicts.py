"""Does a device contradict the others again and again?"""

from collections.abc import Iterator
from typing import Final

from projections.engine.accounts.account_lines import ShoeCase
from projections.engine.facts import DeviceRef, fact, listed
from projections.engine.findings import HOUSE_CONTROL, Kind, Raised

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
    for devices, rounds in case.account.conflicts.items():
        if rounds >= OFTEN:
            yield Raised(
                kind=DEVICE_CONTRADICTS,
                message=fact(
                    "accounts.checks.device_contradicts",
                    devices=listed(*(DeviceRef(each) for each in devices.split())),
                    rounds=rounds,
                ),
                cites=(HOUSE_CONTROL,),
                device=devices,
            )
