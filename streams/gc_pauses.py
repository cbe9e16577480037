"""How a process that answers within a tenth of a second keeps from long pauses."""

import atexit
import gc


def loaded() -> None:
    """Say that what a process needs until it ends is loaded by now.

    Python's collector looks at it no more: with the libraries that took a tenth of a second each time, and
    takes 15 ms without.
    """
    gc.collect()
    gc.freeze()
    # When the process ends libraries count what was never given back, and would print all of it.
    atexit.register(gc.unfreeze)
