"""How a process that answers within a tenth of a second keeps from long pauses."""

import gc


def loaded() -> None:
    """Say that what a process needs until it ends is loaded by now.

    Python's collector looks at it no more: with the libraries that took a tenth of a second each time, and
    takes 15 ms without.
    """
    gc.collect()
    gc.freeze()
