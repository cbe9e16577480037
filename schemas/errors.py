"""The few exceptions that discardrack raises itself; each message has the place and what to do."""


class DiscardrackError(Exception):
    """Anything that ends a verb with one clear line and exit status 2."""


class BadInput(DiscardrackError):
    """A line, an event or a file that cannot be read; the message has the place and the reason."""


class LawError(DiscardrackError):
    """A law or house file that is itself at fault; the message names the file and the key."""


class NotInForce(DiscardrackError):
    """A text, a number or an option that the law does not have on the date asked for."""
