"""`discardrack evidence`: one hand of a closed archive, as a bundle that a stranger can check offline."""

import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource
from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console

from projections.engine.observation import Round, who_of
from projections.evidence.bundle import Attachment
from projections.evidence.bundle_events import PlacedEvent
from projections.evidence.bundle_hand import Judgement, shown_findings, unturned
from projections.evidence.checkpoint import public
from projections.evidence.disclosure import DisclosureScope, Who, names_in
from projections.store.attachments import content_of
from projections.store.disk import atomic_output, sha256_of
from replay.cli import custody
from replay.cli.custody import refuse_other
from replay.cli.options import FILE_TO_WRITE, gaming_day_option
from replay.evidence.bundle_files import judgement, make_bundle
from replay.evidence.bundle_html import Release
from replay.lists.writers import printable
from schemas.errors import BadInput
from schemas.values import moment
from streams import processes
from streams.archive import keys
from streams.archive.custody import CUSTODY, Entry, read
from streams.archive.inclusion import ClosedArchive

# The parts of a custody line about a hand; older lines have the day as `date`.
_ABOUT: Final = ("table", "gaming-day", "date", "round", "finding")
# Words that may be a file's path; a reason with a slash in it is not shortened.
_FILES: Final = ("house_file", "footage")
MOST_ATTACHED: Final = 200 << 20  # bytes; a bundle has 256 MiB at most
_NO_FOOTAGE: Final = "No footage was named when this bundle was made."

_path: Final = click.Path(path_type=Path)


@click.command()
@click.argument("source", metavar="ARCHIVE", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("table")
@click.argument("round_", metavar="ROUND")
@gaming_day_option("The gaming day, where several have a round of that number.", of_hand=True)
@click.option("--seat", "seats", multiple=True, help="Seat to show, as 3, or 3/anna; as often as there are.")
@click.option("--patron", help="Patron whose seats are to be shown, where the archive names the person.")
@click.option("--all-seats", is_flag=True, help="Show every seat; say --why.")
@click.option("--staff", is_flag=True, help="Show who worked at the table; say --why.")
@click.option("--nameless", is_flag=True, help="Refuse it where it would name a patron or who worked there.")
@click.option("--why", help="Why it is let out.")
@click.option("--footage", help="Footage of the hand: a file, which is hashed, or a reference with its hash.")
@click.option("--footage-sha256", help="Hash of footage that lies elsewhere.")
@click.option(
    "--attachment",
    "attached",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Picture, clip or scan of its dispute, to be let out as it is; as often as there are; say --why.",
)
@click.option("--at", "made_at", help="When it was made, 2025-03-02T10:00:00Z; now unless told.")
@click.option("--house", "house_file", help="House file to judge by; that which was closed last unless told.")
@click.option(
    "--key",
    "key_file",
    type=_path,
    required=True,
    help="Key that signs it, other than the archive's; discardrack key FILE makes one.",
)
@click.option("--out", type=FILE_TO_WRITE, required=True, help="The bundle; a new file.")
@custody.options
def evidence(
    source: Path,
    table: str,
    round_: str,
    day: datetime | None,
    seats: Sequence[str],
    patron: str | None,
    why: str | None,
    footage: str | None,
    footage_sha256: str | None,
    attached: Sequence[Path],
    made_at: str | None,
    house_file: str | None,
    key_file: Path,
    out: Path,
    *,
    all_seats: bool,
    staff: bool,
    nameless: bool,
) -> None:
    """Put one hand of a closed day into a zip file that a stranger can check with Python alone.

    It holds the events of the hand with their proof, the verdict and how each sum is computed, and nothing of
    other hands. Other seats and who worked at the table are withheld unless requested with a reason.
    docs/proofs.md describes its contents and how to check it; the release is logged in the archive.

    \b
    Example:
      discardrack evidence var/archive BAC-104 17 --seat 5 --key bundle.key --out bundle.zip
    """  # noqa: D301  click's mark for text that is not wrapped
    if (all_seats or staff or attached) and not why:
        raise click.UsageError(
            "--all-seats, --staff and --attachment show more than one seat's part: say --why"
        )
    if all_seats and (seats or patron):
        raise click.UsageError("--all-seats goes without --seat and --patron")
    if out.exists():
        raise BadInput(f"{out}: is there already; a bundle goes into a new file, name another")
    refuse_other(source)
    key, at = keys.load(key_file), _at(made_at)
    context = click.get_current_context()
    query = SubjectQuery(tuple(seats), patron, all_seats, staff)
    log = list(_log(source, at))
    with custody.note_custody(source, source.absolute().name, releases=True):
        with Console(stderr=True).status(f"Reading {printable(source.name)} …"):
            closed = ClosedArchive(source)
            if public(key) in closed.closers:
                raise BadInput(
                    f"{key_file}: has closed days of {source}, and who does that releases nothing; sign with "
                    "another key: discardrack key FILE makes one"
                )
            concluded = judgement(closed, table, round_, day.date() if day is not None else None, house_file)
            hand = closed.hand(table, round_, concluded.seen.day, concluded.house.gaming_date, staff=staff)
            view = view_of(query, concluded, hand.own)
            by = _by(context)
            release = Release(
                at=at,
                by=by,
                why=why,
                command=_command(context),
                house=_house(house_file),
                footage=_footage(footage, footage_sha256),
                attachments=_attachments(attached),
                custody=[
                    # The custody log lines of staff; the fact that someone viewed it would reveal another
                    # dispute.
                    *(_of_hand(log, concluded, view) if staff else ()),
                    _released(at, by, concluded, out),
                ],
            )
            content = make_bundle(closed, hand, concluded, view, release, key, nameless=nameless)
        with atomic_output(out) as file:
            file.write(content)
    click.echo(f"{hashlib.sha256(content).hexdigest()}  {printable(out.name)}")


def _at(text: str | None) -> datetime:
    """Read when the bundle is made, whole seconds; what has no offset is UTC."""
    if text is None:
        return moment(processes.now()).replace(microsecond=0)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"--at {text}: write 2025-03-02T10:00:00Z") from None
    return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(UTC).replace(microsecond=0)


def _by(context: click.Context) -> str:
    return str(context.meta.get(f"{custody.__name__}.by") or custody.user())


def _command(context: click.Context) -> tuple[str, ...]:
    """Return the command line again, with only the names of files: their folders are private."""
    words = ["discardrack", str(context.info_name)]
    for parameter in context.command.params:
        name = str(parameter.name)
        value = context.params.get(name)
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE or value is None:
            continue
        option = [] if isinstance(parameter, click.Argument) else [max(parameter.opts, key=len)]
        for each in value if isinstance(value, tuple) else (value,):
            words += option if isinstance(each, bool) else [*option, _word(name, each)]
    return tuple(words)


def _word(name: str, value: object) -> str:
    if isinstance(value, datetime):
        return str(value.date())
    is_file = isinstance(value, Path) or (name in _FILES and Path(str(value)).is_file())
    return Path(str(value)).name if is_file else str(value)


def _house(house_file: str | None) -> str | None:
    """Return by which file it was judged, where that was not the one that was closed."""
    if house_file is None:
        return None
    file = Path(house_file)
    return f"{file.name}, SHA-256 {sha256_of(file)}"


def _footage(clip: str | None, sha256: str | None) -> dict[str, str | None]:
    """Return a bundle's description of the footage: a file is hashed, a reference needs its hash.

    Raises:
        BadInput: the hash is invalid, is not that of the file, or has no footage.
    """
    if sha256 is not None and (
        len(sha256) != hashlib.sha256().digest_size * 2 or sha256.strip("0123456789abcdef")
    ):
        raise BadInput(f"--footage-sha256 {sha256}: write 64 small hexadecimal digits")
    if clip is None:
        if sha256 is not None:
            raise BadInput("--footage-sha256 goes with --footage")
        return {"statement": _NO_FOOTAGE}
    file = Path(clip)
    if not file.is_file():
        if sha256 is None:
            raise BadInput(
                f"--footage {clip}: is no file here; of footage that lies elsewhere say --footage-sha256 too"
            )
        return {"reference": clip, "sha256": sha256}
    found = sha256_of(file)
    if sha256 not in (None, found):
        raise BadInput(f"{file}: its hash is {found}, not the one that was named")
    return {"reference": file.name, "sha256": found}


def _attachments(attached: Sequence[Path]) -> list[tuple[Attachment, bytes]]:
    """Return attached files with their contents, by their hashes; the same file twice is one.

    Raises:
        BadInput: one cannot be read, is of no type that is attached, or they are too large together.
    """
    found: dict[str, tuple[Attachment, bytes]] = {}
    for path in attached:
        if sum(each.size for each, _ in found.values()) + path.stat().st_size > MOST_ATTACHED:
            raise BadInput(f"{path}: a bundle takes {MOST_ATTACHED >> 20} MiB of attachments; leave some out")
        content = path.read_bytes()
        is_file = content_of(io.BytesIO(content))
        if is_file.type is None:
            raise BadInput(f"{path}: is no picture, clip or scan by its content")
        attachment = Attachment(path.name, is_file.sha256, is_file.size, is_file.type)
        found.setdefault(is_file.sha256, (attachment, content))
    return [found[sha256] for sha256 in sorted(found)]


# ── custody ──────────────────────────────────────────────────────────────────────────────────────────


def _log(archive: Path, at: datetime) -> Iterator[Entry]:
    """Read the archive's log of custody up to when the bundle is made.

    Raises:
        BadInput: a line of it cannot be read.
    """
    for each in read(archive / CUSTODY):
        if isinstance(each, BadInput):
            raise each
        if each.at <= at:
            yield each


def _of_hand(
    log: Sequence[Entry], judged: Judgement, view: DisclosureScope
) -> Iterator[Mapping[str, object]]:
    """Yield the custody lines of people who handled a hand, with only the parts that name the hand.

    Others that they requested are left out, and so are their names of files.
    """
    observed, day = judged.seen, str(judged.seen.day)
    ids = [each.id for each in shown_findings(judged, view)]
    for each in log:
        what = {name: value for name, value in each.what.items() if name in _ABOUT and isinstance(value, str)}
        finding = what.get("finding")
        explained = finding is not None and any(name.startswith(finding) for name in ids)
        place = what.get("table"), what.get("round"), what.get("date", what.get("gaming-day", day))
        if explained or place == (observed.table, observed.number, day):
            value = {"at": each.at, "by": each.by, "verb": each.verb, "does": each.does, "what": what}
            yield value if each.sha256 is None else {**value, "bytes": each.bytes, "sha256": each.sha256}


def _released(at: datetime, by: str, judged: Judgement, out: Path) -> Mapping[str, object]:
    """Write the line of the release itself, which cannot have the hash of what it stands in."""
    observed = judged.seen
    what = {"table": observed.table, "date": str(observed.day), "round": observed.number}
    return {"at": at, "by": by, "verb": "evidence", "does": "release", "what": what, "to": out.name}


# ── Whose part of a hand is asked for: seats, or a patron by name, or all ───────────────────────────────


_WHO: Final = re.compile(r"([1-9][0-9]{0,5})(?:/(.+))?")


class SubjectQuery(Struct, frozen=True):
    """Disclosed part as requested: seats as `3` or `3/anna`, a patron by name, all; and whether staff is."""

    seats: tuple[str, ...]
    patron: str | None
    all_seats: bool
    staff: bool


def view_of(query: SubjectQuery, judged: Judgement, own: Sequence[PlacedEvent]) -> DisclosureScope:
    """Return what may be shown of a hand; `own` are its events.

    Raises:
        BadInput: a seat or patron has no part in the hand, or none was named and several have.
    """
    people = None if query.all_seats else _people(query, judged, own)
    observed = judged.seen
    coupons = {
        wager.coupon
        for key, wager in observed.wagers.items()
        if wager.coupon is not None and (people is None or key.person in people)
    }
    view = DisclosureScope(people, query.staff, frozenset(coupons))
    names = set(names_in((each.event for each in own), view))
    if not query.staff:
        names |= {name for name in (observed.dealer, observed.floorperson) if name}
    setup = judged.house.tables[observed.table]
    trays = {device for device, source in setup.sources.items() if source == "tray" and people is not None}
    return replace(view, names=frozenset(names), counters=frozenset(trays), unturned=unturned(judged))


def _people(query: SubjectQuery, judged: Judgement, own: Sequence[PlacedEvent]) -> frozenset[Who]:
    observed = judged.seen
    wagered = sorted(
        {key.person for key in (*observed.wagers, *(observed.paid or ())) if key.seat},
        key=_in_order,
    )
    present = {*wagered, *_people_in(own)}
    where = f"round {observed.number!r} of table {observed.table!r} on {observed.day}"
    has = f"with wagers there: {', '.join(who_of(*each) for each in wagered) or 'nobody'}"
    people: set[Who] = set()
    for text in query.seats:
        who = _who(text)
        if who not in present:
            raise BadInput(f"{where}: seat {text} has no part in it; {has}")
        people.add(who)
    if query.patron is not None:
        people |= _seats_of(query.patron, judged.seen, present, where, has)
    if not people and len(wagered) > 1:
        raise BadInput(f"{where}: {has}; say whose part is to be shown: --seat, --patron, or --all-seats")
    return frozenset(people or wagered)


def _in_order(who: Who) -> tuple[int, str]:
    return who[0], who[1] or ""


def _people_in(own: Sequence[PlacedEvent]) -> set[Who]:
    """Return the people in the events of a hand."""
    found: set[Who] = set()
    for each in own:
        seat = getattr(each.event, "seat", None)
        if isinstance(seat, int) and seat:
            found.add((seat, getattr(each.event, "bettor", None)))
    return found


def _who(text: str) -> Who:
    found = _WHO.fullmatch(text)
    if found is None:
        raise BadInput(f"--seat {text}: write a seat as 3, or 3/anna where several bet on one")
    return int(found[1]), found[2]


def _seats_of(patron: str, observed: Round, present: set[Who], where: str, has: str) -> set[Who]:
    """Find a patron: by the name that the person had on a spot, or by who sat down."""
    found = {
        who for who in present if patron == (who[1] if who[1] is not None else observed.seated.get(who[0]))
    }
    if not found:
        raise BadInput(f"{where}: patron {patron!r} is not known to have a part in it; {has}: say --seat")
    return found
