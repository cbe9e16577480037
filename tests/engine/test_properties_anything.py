"""Whatever is reported: an answer, a row for what cannot be read, or a clear error; never another exception.

Real events of every game are put to tables of any chapter with any devices, options and decks, out of order,
doubled, lost, with fields of other events and with values that fit nowhere. Round records, coupon logs, house
files and law files are changed likewise, as values and as text.
"""

import copy
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, get_args

import msgspec
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from projections.engine.audit.round_records import answer, read, to_record
from projections.engine.audit.rulebooks import mistakes
from projections.engine.audit.table_audit import AuditProgress, Concluded, TableAudit
from projections.engine.conclusion import canonical
from projections.engine.games import REGISTRY
from projections.programmes.coupons.coupon_audit import judge_case
from projections.views.finding_view import derive_account_finding, derive_finding
from projections.views.hand_view import hand_facts, render_hand
from projections.views.timeline_entry import of_conclusion
from schemas import coupon_log, law_text, provisions
from schemas import house as houses
from schemas.codec import decode
from schemas.errors import BadInput, LawError, NotInForce
from schemas.events import KINDS_OF, Event, Source
from schemas.house import DEFAULT, House, Submission, TableSetup
from schemas.law_text import Span
from schemas.plain import line_of
from streams import log
from streams.simulator import faults
from streams.simulator.simulate import simulate
from tests.builders.golden import GOLDEN, golden_hands
from tests.builders.strategies import STEADY
from tests.builders.thoroughness import examples

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final[tuple[Source, ...]] = get_args(Source)
KINDS: Final = {kind.__name__: kind for kind in get_args(Event)}
JUNK: Final[tuple[Any, ...]] = (
    None, True, 0, 1, -1, 5, 7, 2**62, 2**64, 10**11, 0.5, float("inf"), "", "x", "1", "Ah", "??", "6-6",
    "player", "dealer", "seat1", "1/0", "3 to 0", "2020-13-01", "0001-01-01", "9999-12-31", "535", "631a",
    "terminal", [], {}, [[1, 2]], {"T": [1, 5, 0]},
)  # fmt: skip
ODD: Final = (
    "\t", ":", "- ", "[", "}", "&a ", "*a", "&a [*a]", "!!set ", "!!bool z", "!!timestamp x", "? ", "|\n",
    "'", "\x00", "\u2028", "<<: ", "~", "%", "@", "1e999", ".inf", "2020-99-99", "2020-02-30", "--- ", "1:2",
)  # fmt: skip
# Moved back so far, events lie where the texts of 2010 were in force, or those of 2012.
BACK: Final = (0, 0, 0, 0, *(years * 31_557_600_000_000 for years in (13, 14)))

AnyEvent = dict[str, Any]


class Floor(Struct):
    """A played floor of every game: its house, each table's events as objects, each field's values."""

    house: House
    events: dict[str, list[AnyEvent]]
    values: dict[str, list[Any]]

    def __repr__(self) -> str:
        """Return its name: a failing example is printed with its arguments, which would be all events."""
        return "Floor()"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Floor:
    folder = tmp_path_factory.mktemp("floor") / "floor"
    simulate(folder, tables=22, hours=0.15, seed="anything", rates=faults.rates(sensors=True), mixed=True)
    house = houses.load(log.HOUSE, folder)
    assert {each.chapter for each in house.tables.values()} == {*REGISTRY}
    events: dict[str, list[AnyEvent]] = {}
    values: defaultdict[str, list[Any]] = defaultdict(list)
    for table in house.tables:
        (found,) = log.logs(folder, table)
        frames = [msgspec.json.decode(each.payload) for each in found.records()]
        events[table] = [event for frame in frames for event in frame["events"]]
        for event in events[table]:
            for name, value in event.items():
                values[name].append(value)
    return Floor(house, events, dict(values))


def options_of(chance: Random, chapter: str, decks: int | None) -> AnyEvent:
    """Choose some of a chapter's options, mostly as it admits them."""
    chosen: AnyEvent = {}
    for name, option in law_text.chapter(chapter).options.items():
        if chance.random() < 0.6:
            continue
        listed = option.values or [option.default, option.at_least, option.at_most, 25, "3/2"]
        if option.values_by is not None:
            listed = chance.choice(list(option.values_by.values()))
        if option.least_by is not None:
            listed = [option.least_by.get(decks or 8)]
        chosen[name] = chance.choice(listed)
    return chosen


def house_of(chance: Random, floor: Floor, table: str) -> House:
    """Return a house with a table: of any chapter, its devices reading what they do or anything else."""
    setup = floor.house.tables[table]
    chapter = chance.choice([setup.chapter, *REGISTRY])
    law = law_text.chapter(chapter)
    dated = law.numbers.get("decks")
    decks = chance.choice([*dated[min(dated)].value, None]) if dated is not None else None
    sources = dict(setup.sources)
    if chance.random() < 0.5:
        read: list[Source] = ["terminal", *chance.sample(SOURCES[1:], len(sources) - 1)]
        sources = dict(zip(sources, chance.sample(read, len(read)), strict=True))
    left = [source for source in SOURCES if source not in sources.values()]
    if left and chance.random() < 0.3:
        sources["X-1"] = chance.choice(left)
    submission = Submission(date(2010, 1, 1), chapter, options_of(chance, chapter, decks))
    ends = all(text.until is not None for text in law.texts.values())
    return House(
        house="anything",
        clock_uncertainty_ms=chance.choice([0, 250, 10**6]),
        patience_seconds=chance.choice([0, 10, 10**6]),
        lateness_seconds=chance.choice([0, 120, 10**6]),
        tables={table: TableSetup(chapter, sources, decks)},
        submissions=[submission] if chance.random() < 0.9 else [],
        ledgers={"cage": ["CG-1"]} if chance.random() < 0.5 else {},
        in_force={chapter: Span(until=date(2100, 1, 1))} if ends and chance.random() < 0.7 else {},
    )


def story_of(chance: Random, floor: Floor, table: str) -> list[AnyEvent]:
    """Draw a part of a table's events; or of another's, reported by this one's devices of the same source."""
    other = chance.choice([table, table, table, *floor.events])
    length = chance.choice([40, 120, 300])
    begins = chance.choice([0, 0, chance.randrange(len(floor.events[other]))])
    own = {source: device for device, source in floor.house.tables[table].sources.items()}
    named = {device: own.get(source, device) for device, source in floor.house.tables[other].sources.items()}
    back = chance.choice(BACK)
    return [
        {**event, "device": named.get(event["device"], event["device"]), "at": event["at"] - back}
        for event in floor.events[other][begins : begins + length]
    ]


def changed(chance: Random, floor: Floor, story: list[AnyEvent], house: House, table: str) -> list[AnyEvent]:
    """Change, lose, double, move and exchange events of a story, and put some of any kind between them."""
    events = [dict(event) for event in story]
    everything = [event for told in floor.events.values() for event in told]
    device = {source: device for device, source in house.tables[table].sources.items()}
    for _ in range(chance.choice([0, 0, 1, 1, 2, 4, 10, 40])):
        at = chance.randrange(len(events))
        event, does = events[at], chance.choice("fffldmek")
        if does == "f":
            name = chance.choice([*event, chance.choice([*floor.values])])
            event[name] = copy.deepcopy(chance.choice([*JUNK, *chance.choices(floor.values[name], k=40)]))
        elif does == "l" and len(events) > 1:
            del events[at]
        elif does == "d":
            events.insert(chance.randrange(len(events) + 1), dict(event))
        elif does == "m":
            events.insert(chance.randrange(len(events)), events.pop(at))
        elif does == "e":  # of another kind, in its place
            stands = {name: event[name] for name in ("epoch", "seq", "at", "round") if name in event}
            other = chance.choice(everything)
            events[at] = {**other, **{name: stands[name] for name in stands if name in other}}
            events[at]["device"] = event.get("device", "X-1")
        else:  # of any kind, from the device that may report it
            kind = chance.choice([*KINDS])
            fields = [field.encode_name for field in msgspec.structs.fields(KINDS[kind])]
            told = {name: chance.choice(floor.values[name]) for name in fields if name in floor.values}
            told |= {name: event[name] for name in ("at", "round") if name in event and name in fields}
            source = next(each for each, kinds in KINDS_OF.items() if KINDS[kind] in kinds)
            events.insert(at + 1, {**told, "event": kind, "device": device.get(source, "X-1"), "epoch": 1})
    return renumbered(events) if chance.random() < 0.7 else events


def renumbered(events: list[AnyEvent]) -> list[AnyEvent]:
    """Return events with each device numbered again, of which the terminal has heard: nothing is missing."""
    heard: Counter[str] = Counter()
    told = []
    for event in events:
        device = str(event.get("device"))
        heard[device] += 1
        again = {**event, "epoch": 1, "seq": heard[device]}
        if "heard" in event:
            again["heard"] = {name: [1, number, 0] for name, number in heard.items()}
        told.append(again)
    return told


def frames_of(chance: Random, table: str, events: list[AnyEvent]) -> Iterator[bytes]:
    size = chance.choice([1, 7, 50, 1000])
    for number, first in enumerate(range(0, len(events), size), 1):
        told = {
            "v": 1,
            "table": table,
            "frame": number,
            "received": 0,
            "events": events[first : first + size],
        }
        yield msgspec.json.encode(told)


def audited(chance: Random, audit: TableAudit, events: list[AnyEvent]) -> list[Concluded]:
    """Audit events frame by frame, what cannot be read left out; now and then it is written and read."""
    concluded: list[Concluded] = []
    for payload in frames_of(chance, audit.table, events):
        try:
            frame, _ = decode(payload, "")
        except BadInput:
            continue
        concluded += audit.feed(frame.events)
        audit.take_strangers()
        if chance.random() < 0.05:
            audit.progress = msgspec.json.decode(msgspec.json.encode(audit.progress), type=AuditProgress)
    return concluded + audit.finish()


def tell(each: Concluded, house: House) -> None:
    """Render a conclusion in every form; judge its round again from its record."""
    said = each.conclusion
    of_conclusion(said, each.seen, house)
    for found in (*said.findings, *said.notes):
        if said.account is not None:
            derive_account_finding(found, said, said.account, house)
        else:
            derive_finding(found, said, each.seen, each.book, house)
    if each.seen is not None:
        msgspec.json.encode(render_hand(hand_facts(said, each.seen, each.book, house)))
        if each.book is not None:
            answered(msgspec.json.encode(to_record(each.seen, each.book)), house)


def answered(line: bytes, house: House) -> bool:
    """Return True if a line is answered as a round record; else it is refused."""
    try:
        answer(read(line), house)
    except BadInput:
        return False
    return True


class Chance(Random):
    """What decides all of an example."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __repr__(self) -> str:
        """Return its name, so that the example can be reproduced."""
        return f"Chance({self.number})"


def chances() -> st.SearchStrategy[Random]:
    """Return what decides all of an example; an integer names it."""
    return st.integers(0, 2**32).map(Chance)


@settings(STEADY, max_examples=examples(120, 400))
@given(chances())
def test_any_events_at_any_table(floor: Floor, chance: Random) -> None:
    table = chance.choice([*floor.events])
    house = house_of(chance, floor, table)
    refused = {each.table for each in mistakes(house) if each.leaves_out}
    try:
        audit = TableAudit(table, house)
    except BadInput:
        assert refused == {table}
        return
    assert refused == set()
    concluded = audited(chance, audit, changed(chance, floor, story_of(chance, floor, table), house, table))
    canonical([each.conclusion for each in concluded])
    for each in chance.sample(concluded, min(4, len(concluded))):
        tell(each, house)


@pytest.mark.parametrize("chapter", ["623a", "535"])
def test_a_card_reported_for_a_game_without_cards_proves_nothing(floor: Floor, chapter: str) -> None:
    """A shoe stands at the dice or the tiles, and deals a card in each round."""
    table = next(name for name, setup in floor.house.tables.items() if setup.chapter == chapter)
    setup = floor.house.tables[table]
    house = replace(
        floor.house, tables={table: replace(setup, sources={**setup.sources, "X-1": "shoe"})}, ledgers={}
    )
    events: list[AnyEvent] = []
    for event in floor.events[table]:
        if event["event"] == "RoundClosed":
            card = {"event": "CardDrawn", "device": "X-1", "at": event["at"], "hand": "player", "card": "2s"}
            events.append({**card, "round": event["round"]})
        events.append(event)
    concluded = audited(Chance(0), TableAudit(table, house), renumbered(events))
    rounds = [each.conclusion for each in concluded if each.conclusion.round is not None]
    assert len(rounds) >= 3
    found = {found.check for each in concluded for found in each.conclusion.findings}
    assert "card_not_in_deck" not in found
    assert {each.verdict for each in rounds if each.findings} == {"undetermined"}


# ── what people write ────────────────────────────────────────────────────────────────────────────────


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield each place within a value except the whole."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(value[key], (*path, key))


def within(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def otherwise(chance: Random, value: Any) -> Any:
    """Change some places of a value: something else there, nothing, what stands elsewhere, another name."""
    value = copy.deepcopy(value)
    for _ in range(chance.choice([1, 1, 2, 5])):
        found = list(places(value))
        if not found:
            break
        *above, last = chance.choice(found)
        holds, does = within(value, tuple(above)), chance.choice("jjled")
        if does == "j":
            holds[last] = copy.deepcopy(chance.choice(JUNK))
        elif does == "l":
            del holds[last]
        elif does == "e":
            holds[last] = copy.deepcopy(within(value, chance.choice(found)))
        elif isinstance(holds, dict):
            holds[chance.choice(["x", "from", "decks", 631, None, True])] = copy.deepcopy(chance.choice(JUNK))
        else:
            holds.insert(last, copy.deepcopy(holds[last]))
    return value


def rewritten(chance: Random, text: str) -> str:
    """Change a text by its letters and lines."""
    for _ in range(chance.randint(1, 3)):
        at, lines = chance.randrange(len(text) + 1), text.split("\n")
        match chance.choice("ocl"):
            case "o":
                text = text[:at] + chance.choice(ODD) + text[at:]
            case "c":
                text = text[:at] + text[at + chance.randint(1, 12) :]
            case _:
                one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
                lines[one], lines[other] = lines[other], lines[one]
                text = "\n".join(lines)
    return text


def either(chance: Random, text: str) -> str:
    """Change a text of YAML as values or as text."""
    return (
        rewritten(chance, text)
        if chance.random() < 0.5
        else yaml.safe_dump(otherwise(chance, yaml.safe_load(text)))
    )


@cache
def holds(key: str) -> Sequence[AnyEvent]:
    """Return the golden objects that have this key."""
    paths = [path.relative_to(GOLDEN) for path in sorted(GOLDEN.rglob("*.jsonl"))]
    lines = [line for path in paths for line in golden_hands(path.as_posix())]
    told = [each for line in lines for each in (line, *line.values()) if isinstance(each, dict)]
    return [each for each in told if key in each]


HOUSES: Final = (
    (houses.FOLDER / "example.yaml").read_text(encoding="utf-8"),
    *re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "house.md").read_text(encoding="utf-8"), re.DOTALL),
)


@cache
def parsed() -> Sequence[House]:
    """Return the house of no file, and those of the files."""
    return (DEFAULT, *(houses.parse(text, "") for text in HOUSES))


@settings(STEADY, max_examples=examples(300, 1000))
@given(chances())
def test_any_round_record(chance: Random) -> None:
    told = otherwise(chance, chance.choice(holds("play")))
    if chance.random() < 0.3:
        told["chapter"] = chance.choice([*REGISTRY])
    answered(json.dumps(told).encode(), chance.choice(parsed()))


@settings(STEADY, max_examples=examples(150, 500))
@given(chances())
def test_any_coupon_log(chance: Random) -> None:
    line = json.dumps(otherwise(chance, chance.choice(holds("case")))).encode()
    with suppress(BadInput):
        judge_case(coupon_log.read(line), DEFAULT)


@settings(STEADY, max_examples=examples(100, 300))
@given(chances())
def test_any_house_file(chance: Random) -> None:
    text = either(chance, chance.choice(HOUSES))
    try:
        house = houses.parse(text, "house.yaml")
    except BadInput as error:
        names_its_file(error, "house.yaml")
        return
    found = mistakes(house)
    assert all(0 < line_of(text, each.path) <= text.count("\n") + 1 for each in found)
    refused = {each.table for each in found if each.leaves_out}
    for table in house.tables.keys() - refused:
        TableAudit(table, house).finish()
        with_its_books(house, table)


def with_its_books(house: House, table: str) -> None:
    """Compose a table's rulebook on days of every text: what is no mistake is admitted, or not in force."""
    audit = TableAudit(table, house)
    for day in (date(1969, 12, 31), date(2011, 1, 1), date(2014, 1, 1), date(2025, 1, 1), date(9987, 1, 1)):
        with suppress(NotInForce):
            audit._books.book(day, None)  # noqa: SLF001  it is what a round of that day is judged by


def names_its_file(error: Exception, name: str) -> None:
    """Make sure that an error names the file, in one line."""
    assert str(error).startswith(f"{name}:")
    assert "\n" not in str(error)


LAWS: Final = sorted(law_text.FOLDER.glob("*.yaml"))


@settings(STEADY, max_examples=examples(30, 100))
@given(chances())
def test_any_law_file(chance: Random) -> None:
    path = chance.choice(LAWS)
    text = either(chance, path.read_text(encoding="utf-8"))
    chapter, _, of_provisions = path.stem.partition("_")
    parse: Callable[[str, str], object] = law_text.parse
    if of_provisions:
        parse = lambda told, where: provisions.parse(told, chapter, where)  # noqa: E731
    try:
        parse(text, "law.yaml")
    except LawError as error:
        names_its_file(error, "law.yaml")


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ('"4%": [0, 20]}', "}", "vigorish_rounding_cents has no values for vigorish 4%"),
        ('"4%": [0, 20]}', '"4%": []}', "vigorish_rounding_cents has no value for some vigorish"),
        ("by: vigorish", "by: ez", "vigorish_rounding_cents hangs on ez"),
        ('{default: "5%", values: ["5%", "4%"]', '{default: "5%", values: ["4%"]', "vigorish has a default"),
        ("  wagers: [", "  wagers: [] # [", "clauses: wagers has no provision"),
    ],
)
def test_a_law_file_with_a_choice_that_leads_nowhere_is_refused(right: str, wrong: str, says: str) -> None:
    text = (law_text.FOLDER / "545.yaml").read_text(encoding="utf-8")
    assert text.count(right) == 1
    with pytest.raises(LawError, match=f"^law.yaml: .*{re.escape(says)}"):
        law_text.parse(text.replace(right, wrong), "law.yaml")
