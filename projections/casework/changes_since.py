"""What the pages are told of: what changed in the room since somebody asked last."""

from msgspec import Struct, field


class News(Struct):
    """What happened at the desk since somebody asked last: to which alerts, and which are to be heard.

    `overdue` are to be heard again, as nobody has taken them. `called` are grave ones that were escalated:
    they are heard by whom they wait for. `written` says that something else changed than an alert: in the
    log, of a dispute, a mute that began over nothing or ended, which devices are silent, what is withheld
    from somebody.
    """

    touched: set[str] = field(default_factory=set)
    rings: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    overdue: set[str] = field(default_factory=set)
    written: bool = False

    def __bool__(self) -> bool:
        """Return True if anything happened."""
        return bool(self.touched) or self.written
