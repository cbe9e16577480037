"""`discardrack law`: what the software does about each numbered provision."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args

import click

from projections.catalogue import KINDS
from projections.engine.checks.plugin_checks import plugin_checks, software
from projections.engine.findings import HOUSE_CONTROL
from projections.engine.games import REGISTRY, game_of
from replay.cli.options import out_option, redirect_output
from replay.lists.writers import Form, write_rows
from schemas.errors import BadInput
from schemas.house import TableSetup, load
from schemas.law_text import side_wager_laws
from schemas.plugins import GAMES, plugins
from schemas.provisions import (
    DISPOSITIONS,
    Disposition,
    Provision,
    chapters,
    layout_of_tests,
    parts,
    provisions,
)
from schemas.values import in_words

# Only what decides a hand or judges it has a test that is named after it.
_TESTED: Final = ("settled", "checked")
# What only some games have a reader of.
_PIECES: Final = frozenset({"tiles", "dice"})
COLUMNS: Final = ("provision", "disposition", "check", "test", "says", "why", "plugin")


@click.command()
@click.argument("section", required=False)
@click.option(
    "--house",
    help="A house file, by name or path: say at which of its tables a provision is not observed.",
)
@click.option(
    "--disposition",
    "dispositions",
    type=click.Choice(get_args(Disposition)),
    multiple=True,
    help="Only provisions with this disposition; may be said again.",
)
@click.option("--uncovered", is_flag=True, help="Only what could be seen and is not built.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*get_args(Form), "html"]),
    default="table",
    show_default=True,
    help="How to print the list; html is the regulation annotated, one page that prints.",
)
@out_option
def law(
    section: str | None,
    house: str | None,
    dispositions: tuple[Disposition, ...],
    form: Form | Literal["html"],
    out: Path | None,
    *,
    uncovered: bool,
) -> None:
    """Report for each provision what the software does about it: its disposition.

    \b
      settled         cards or money are worked out by it
      checked         a check judges it
      configured      it stands in the house file or in a table's options
      recorded        events carry it, nothing judges it
      not_observable  no device can see it
      not_built       it could be seen, and is not yet

    Each row has the checks that judge the provision, the test that proves it, and why. Where a provision has
    parts or odd cases, the tests in that file whose names go on from the test's prove them. A table on a
    terminal has no column of tests, and none of plugins where there is nothing in it.

    SECTION is a chapter (631a), a section (631a.13) or a provision (631a.13(d)), with all that is in it;
    without one, every chapter on file. `plugin` is what added a chapter or a check that is not our own; the
    checks of plugins follow the chapters, or SECTION is the plugin's name. With --house each row also has
    `unobserved_at`: the tables of the house that play by the chapter and lack a source which the provision
    needs; of one without a game, all. `lacking_at` says of the others which of its checks they are not asked,
    or not of everything, and the source that they lack for it.

    \b
    Example:
      discardrack law "631a.13(d)" --format jsonl
      discardrack law 631a.5 --house floor/house.yaml
      discardrack law 465a --disposition recorded --disposition not_observable
      discardrack law --format html --out law.html
    """  # noqa: D301  click takes the backspace itself for its mark
    wanted = set(dispositions or get_args(Disposition)) & ({"not_built"} if uncovered else set(DISPOSITIONS))
    of_plugins = rows_of_plugins(section)
    by_plugin = [each for each in of_plugins if each["disposition"] in wanted]
    chosen = [
        each
        for each in (selected(section) if section is None or not of_plugins else ())
        if each[1].disposition in wanted
    ]
    rows = [row(number, entry) for number, entry in chosen]
    if house is not None:
        tables = load(house, Path()).tables
        for each, (number, entry) in zip(rows, chosen, strict=True):
            each["unobserved_at"] = unobserved_at(number, entry, tables)
            each["lacking_at"] = lacking_at(number, entry, tables)
        for each in by_plugin:
            each["unobserved_at"] = each["lacking_at"] = []  # what a plugin's check needs it says itself
    with redirect_output(out):
        if form != "html":
            listed = [*rows, *by_plugin]
            write_rows(narrowed(listed) if form == "table" and sys.stdout.isatty() else listed, form, COLUMNS)
            return
        from replay.lists.law_page import render_law  # noqa: PLC0415  the templates are needed for a page alone

        annotated = [
            {**each, "sources": entry.sources} for each, (_, entry) in zip(rows, chosen, strict=True)
        ]
        facts = [
            ("Software", f"discardrack {software()}"),
            *([("House", house)] if house else []),
            *((f"Check of {each['plugin']}", f"{each['check'][0]}: {each['says']}") for each in by_plugin),
        ]
        title = f"What becomes of {section or 'each provision'}"
        if len(wanted) < len(DISPOSITIONS):
            title += f": {', '.join(in_words(each) for each in DISPOSITIONS if each in wanted) or 'none'}"
        click.echo(render_law(annotated, title, facts))


def narrowed(rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Return rows without the columns that make a terminal too narrow for the others."""
    left_out = {"test", *(() if any(each["plugin"] for each in rows) else ("plugin",))}
    return [{name: cell for name, cell in each.items() if name not in left_out} for each in rows]


def unobserved_at(number: str, entry: Provision, tables: Mapping[str, TableSetup]) -> list[str]:
    """Return the tables that lack a source which a provision needs: of its chapter, or of all."""
    return [
        name
        for name, setup in tables.items()
        if _is_of(number, setup) and not set(entry.sources) <= set(setup.sources.values())
    ]


def lacking_at(number: str, entry: Provision, tables: Mapping[str, TableSetup]) -> list[str]:
    """Return the checks of a provision that the other tables lack a source for: "BAC-1 cards: ..."."""
    unobserved = set(unobserved_at(number, entry, tables))
    lacking: dict[tuple[str, str], list[str]] = {}
    for name, setup in tables.items():
        if name in unobserved or not _is_of(number, setup):
            continue
        elsewhere = _PIECES - game_of(setup.chapter).reads  # one check may be asked of cards and of tiles
        for check in entry.check:
            for source in KINDS[check].sources if check in KINDS else ():
                if source not in setup.sources.values() and source not in elsewhere:
                    lacking.setdefault((name, source), []).append(check)
    return [f"{name} {source}: {', '.join(checks)}" for (name, source), checks in lacking.items()]


def _is_of(number: str, setup: TableSetup) -> bool:
    """Return True if a table plays by a provision's chapter, or if that is of no game.

    A text of side wagers is for the chapters beside which it approves them.
    """
    chapter, section, *_ = parts(number)
    of_side_wagers = side_wager_laws().get(f"{chapter}.{section}")
    played = of_side_wagers.chapters if of_side_wagers is not None else (chapter,)
    return setup.chapter in played or REGISTRY.keys().isdisjoint(played)


def selected(section: str | None) -> Iterator[tuple[str, Provision]]:
    """Yield the provisions of a chapter, a section or a provision with its parts, in the text's order.

    Raises:
        BadInput: the texts on file have no such chapter, section or provision.
    """
    if section is None or section in chapters():
        for chapter in chapters() if section is None else (section,):
            yield from provisions(chapter).items()
        return
    try:
        within = parts(section)
        provision_texts = provisions(within[0]) if within[0] in chapters() else {}
    except ValueError:
        within, provision_texts = (), {}
    if section not in provision_texts:
        raise BadInput(_not_on_file(section))
    for number, entry in provision_texts.items():
        if parts(number)[: len(within)] == within:
            yield number, entry


def _not_on_file(section: str) -> str:
    return (
        f"{section!r} is no provision on file; name a chapter ({', '.join(chapters())}), a section (631a.13) "
        "or a provision (631a.13(c)), or none to see them all"
    )


def row(number: str, entry: Provision) -> dict[str, object]:
    """Return a provision's row of the list."""
    plugin = plugins(GAMES).get(parts(number)[0])
    return {
        "provision": number,
        "disposition": entry.disposition,
        "check": list(entry.check),
        "test": proof_of(number) if entry.disposition in _TESTED and plugin is None else None,
        "says": entry.says,
        "why": entry.why,
        "plugin": plugin.label if plugin is not None else None,
    }


def rows_of_plugins(name: str | None) -> list[dict[str, Any]]:
    """Return a row for each check of a plugin, or of all; they stand on no provision of the text."""
    return [
        {
            "provision": HOUSE_CONTROL,
            "disposition": "checked",
            "check": [kind.check],
            "test": None,
            "says": kind.asks,
            "why": None,
            "plugin": each.plugin.label,
        }
        for each in plugin_checks()
        if name in (None, each.plugin.name)
        for kind in each.kinds
    ]


def proof_of(number: str) -> str:
    """Return the test that proves a provision: the number in small letters, joined by underscores.

    >>> proof_of("631a.13(c)")
    'tests/law/test_631a_13.py::test_631a_13_c'
    >>> proof_of("631a.8(a)(4)(i)(A)")
    'tests/law/test_631a_8.py::test_631a_8_a_4_i_a'
    """
    chapter, section, *below = parts(number)
    file = f"test_{chapter}_{section}" if layout_of_tests(chapter) == "section" else f"test_{chapter}"
    return f"tests/law/{file}.py::test_{'_'.join([chapter, section, *below]).lower()}"
