"""The folder that `discardrack demo` plays in: made anew each time, what people did in it kept aside."""

import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

import click
import duckdb

from projections.store.store_file import Held, connect
from projections.web.auth.accounts_file import accounts_of
from replay.cli.serve import PORT
from schemas.errors import BadInput
from streams import locking, log
from streams.archive.holds import HOLDS

HOME: Final = Path("var/demo")
BEFORE: Final = HOME.with_name(f"{HOME.name}.before")
FLOOR: Final = HOME / "floor"
ARCHIVE: Final = HOME / "archive"
STORE: Final = HOME / "store.duckdb"
REPORTS: Final = HOME / "reports"
# The archive signs its days with the one; whoever hands a bundle out signs it with the other.
KEYS: Final = (HOME / "archive.key", HOME / "investigator.key")


def keep_others_out(held: ExitStack) -> bool:
    """Hold the folder, so that no other demo plays there until `held` is let go of; nothing is touched yet.

    Tells whether somebody acted in what an earlier demo left there, so that it is to be kept.

    Raises:
        BadInput: another one plays there, a console has open what would be put aside or removed, or the
            folder cannot be made.
    """
    with _said():
        _hold(held)
        _refuse_open(STORE)
        if acted := _acted():
            _refuse_open(BEFORE / STORE.name)
        return acted


def begin_anew(held: ExitStack, *, acted: bool) -> None:
    """Put aside or remove what an earlier demo left in a folder from which others are kept out.

    What nobody acted in is removed. Where somebody `acted` it is kept beside it, one demo's, and it is said
    where; then the new folder is what others are kept out of.

    Raises:
        BadInput: there is something that cannot be removed or written.
    """
    with _said():
        if acted:
            _put_aside()
            _hold(held)
        for folder in (FLOOR, ARCHIVE, REPORTS):
            if folder.exists():
                shutil.rmtree(folder)
        for file in (STORE, *KEYS, *HOME.glob(f"{accounts_of(STORE).name}*")):
            file.unlink(missing_ok=True)
        FLOOR.mkdir()


def opened_again(home: Path, port: int = PORT) -> str:
    """Return the command, as it is to be typed, that opens the console on a demo's folder."""
    moved = (home / each.relative_to(HOME) for each in (STORE, FLOOR / log.HOUSE, ARCHIVE, KEYS[1]))
    options = zip(("--store", "--house", "--archive", "--key"), map(str, moved), strict=True)
    words = [sys.argv[0], "serve", *(word for option in options for word in option)]
    return shlex.join(words if port == PORT else [*words, "--port", str(port)])


@contextmanager
def _said() -> Iterator[None]:
    """Say what the disk refuses, and what to do."""
    try:
        yield
    except OSError as error:
        raise BadInput(
            f"{error.filename or HOME}: {error.strerror or error}; the demo makes {HOME} anew in the folder "
            "it is started in: start it in one that can be written, or move what is there"
        ) from None


def _hold(held: ExitStack) -> None:
    HOME.mkdir(parents=True, exist_ok=True)
    held.enter_context(locking.alone(HOME / "lock", f"{HOME}: another demo plays here; end it first"))


def _refuse_open(store: Path) -> None:
    """Refuse a store that a console has open: its file would be moved or removed under it."""
    if store.is_file():
        try:
            connect(store, writing=False).close()
        except Held as error:
            raise BadInput(
                f"{error}: a console, `discardrack serve`; stop it first (Ctrl-C in its terminal), "
                "or start the demo in another folder"
            ) from None
        except (BadInput, duckdb.Error):
            return  # nobody's; what cannot be read is put aside


def _acted() -> bool:
    """Return True if somebody acted on what lies there; what cannot be read counts as such."""
    if not STORE.is_file():
        return False
    if (ARCHIVE / HOLDS).exists():
        return True
    try:
        with closing(connect(STORE, writing=False)) as store:
            return store.execute("SELECT 1 FROM actions LIMIT 1").fetchone() is not None
    except (BadInput, duckdb.Error):
        return True


def _put_aside() -> None:
    # All at once: papers that were made of the hands go with them, and nothing is ever half moved.
    replaced = BEFORE.exists()
    if replaced:
        shutil.rmtree(BEFORE)
    HOME.rename(BEFORE)
    click.echo(
        f"A new day is played. What was done in the last one is kept in {BEFORE}"
        f"{', in place of an older one' if replaced else ''}; to open it: {opened_again(BEFORE)}"
    )
