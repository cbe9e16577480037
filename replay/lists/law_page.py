"""The regulation annotated, as one page for a person: what happens to each provision, by section."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import groupby
from typing import Any, Final

import yaml
from msgspec import Struct

from projections.catalogue import KINDS
from replay.lists.html_page import PAGES
from schemas import law_text
from schemas.provisions import DISPOSITIONS, Disposition, parts
from schemas.values import in_words

_SECTION_PARTS: Final = 2  # a chapter and a section


class Figure(Struct, frozen=True):
    """A figure, an option or a wager that a provision states, by its name in the law file."""

    name: str
    since: date
    value: str


class ProvisionView(Struct, frozen=True):
    """A provision of the page; its label is the last part of its number, as the text has it."""

    number: str
    label: str
    depth: int
    says: str
    disposition: Disposition
    why: str | None
    test: str | None
    checks: tuple[tuple[str, str], ...]
    figures: tuple[Figure, ...]
    sources: tuple[str, ...]
    unobserved_at: tuple[str, ...]
    lacking_at: tuple[str, ...]


class SectionView(Struct, frozen=True):
    """A section with its provisions, and how many of them have which disposition."""

    number: str
    says: str
    provisions: tuple[ProvisionView, ...]
    counts: Mapping[str, int]


class ChapterView(Struct, frozen=True):
    """A chapter with its texts by date, and its sections."""

    number: str
    title: str
    texts: tuple[str, ...]
    sections: tuple[SectionView, ...]
    counts: Mapping[str, int]

    @property
    def size(self) -> int:
        """Number of its provisions."""
        return sum(self.counts.values())


def render_law(rows: Iterable[Mapping[str, Any]], title: str, facts: Iterable[tuple[str, str]]) -> str:
    """Return the page of provisions, in the text's order; a row is one of the verb's, with its sources."""
    chapters = [
        _chapter(number, list(found))
        for number, found in groupby(rows, lambda row: parts(row["provision"])[0])
    ]
    return PAGES.get_template("law.html").render(
        title=title, facts=list(facts), dispositions=DISPOSITIONS, chapters=chapters
    )


def _chapter(number: str, rows: list[Mapping[str, Any]]) -> ChapterView:
    law = law_text.chapter(number) if number in law_text.chapters() else None
    figures = _figures(law) if law is not None else {}
    sections = tuple(
        _section(name, [_provision(row, figures) for row in found])
        for name, found in groupby(rows, lambda row: ".".join(parts(row["provision"])[:_SECTION_PARTS]))
    )
    printed = [] if law is None else [("", law.texts), *law.sections.items()]
    texts = tuple(
        f"{f'§ {name}: ' if name else ''}since {since}{f' until {text.until}' if text.until else ''}, "
        f"{text.status} ({text.source})"
        for name, dated in printed
        for since, text in sorted(dated.items())
    )
    counts = sum((Counter(each.counts) for each in sections), Counter[str]())
    title = law.title if law is not None else "No figures on file"
    return ChapterView(number, title, texts, sections, counts)


def _section(number: str, provisions: list[ProvisionView]) -> SectionView:
    counts = Counter(str(each.disposition) for each in provisions)
    return SectionView(number, provisions[0].says, tuple(provisions), counts)


def _provision(row: Mapping[str, Any], figures: Mapping[str, list[Figure]]) -> ProvisionView:
    number = row["provision"]
    below = parts(number)[_SECTION_PARTS:]
    return ProvisionView(
        number=number,
        label=f"({below[-1]})" if below else "",
        depth=len(below),
        says=row["says"],
        disposition=row["disposition"],
        why=row["why"],
        test=row["test"],
        checks=tuple((check, KINDS[check].asks) for check in row["check"]),
        figures=tuple(figures.get(number, ())),
        sources=tuple(row["sources"]),
        unobserved_at=tuple(row.get("unobserved_at", ())),
        lacking_at=tuple(row.get("lacking_at", ())),
    )


def _figures(law: law_text.Chapter) -> dict[str, list[Figure]]:
    """Return what a chapter's law file states, by the provision that it cites."""
    found: dict[str, list[Figure]] = {}
    for cite, figure in _cited(law):
        found.setdefault(cite, []).append(figure)
    return found


def _cited(law: law_text.Chapter) -> Iterator[tuple[str, Figure]]:
    for name, dated in (*law.numbers.items(), *law.procedures.items()):
        for since, number in sorted(dated.items()):
            for cite, value in _parts_of(number):
                yield cite, Figure(name, since, _written(value))
    for name, option in law.options.items():
        yield option.cite, Figure(name, option.since, _of_option(option))
    for name, wager in law.wagers.items():
        offered = (
            f"a wager, offered with the option {in_words(wager.offered_with)}"
            if wager.offered_with
            else "a wager"
        )
        yield wager.cite, Figure(name, wager.since, offered)


def _parts_of(number: law_text.Number) -> Iterator[tuple[str, Any]]:
    """Yield a figure with its citation, or each part of it that has a citation of its own."""
    value = number.value
    if isinstance(value, list) and all(isinstance(each, dict) and "cite" in each for each in value):
        for each in value:
            yield each["cite"], {name: part for name, part in each.items() if name != "cite"}
    else:
        yield number.cite, value


def _of_option(option: law_text.OptionLaw) -> str:
    if option.values is not None:
        return f"an option of {_written(option.values)}, {_written(option.default)} by default"
    return f"an option, {_written(option.default)} by default"


def _written(value: Any) -> str:
    """Return a value of a law file as it may stand in one, on one line.

    >>> _written({4: ["a", True]}), _written("34 to 1")
    ('{4: [a, true]}', '34 to 1')
    """
    if isinstance(value, str):
        return value
    text = yaml.safe_dump(
        value, default_flow_style=True, width=float("inf"), sort_keys=False, allow_unicode=True
    )
    return str(text).removesuffix("...\n").strip()
