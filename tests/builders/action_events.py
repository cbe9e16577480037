"""Actions of operators as events of their own stream."""

from typing import Any, Final

from schemas.codec import VERSION, Frame, encode
from schemas.surveillance import DEVICE, STREAM, OperatorActed

AT: Final = 1_740_882_000_000_000  # 2025-03-01 21:20 of the property's zone


def build_action_event(number: int = 1, **fields: Any) -> OperatorActed:
    """Return the acknowledging of an alert, as the console tells it."""
    told: dict[str, Any] = {
        "device": DEVICE,
        "epoch": 1,
        "seq": number,
        "at": AT + number * 1_000_000,
        "id": f"{number:032x}",
        "who": "o.rivera",
        "role": "operator",
        "action": "acknowledge",
        "subject": "alert:4e1f9c7be9f16259",
        "details": "{}",
        "digest": f"{number:064x}",
    }
    return OperatorActed(**(told | fields))


def encode_action_frame(*actions: OperatorActed, number: int = 1) -> bytes:
    return encode(Frame(v=VERSION, table=STREAM, frame=number, received=actions[-1].at, events=list(actions)))
