"""Pay tables by which side wagers are settled, listed by a house or in a text on file, and their faults."""

from collections.abc import Iterator, Mapping
from datetime import date

from schemas.law_text import SideWagerLaw, side_wager_laws
from schemas.near_names import nearest_name
from schemas.side_wagers import PayLine, SideWager, faults_of_lines


def lines_on(offered: SideWager, wager: str, day: date) -> tuple[PayLine, ...] | None:
    """Return the lines by which a side wager is settled on a day.

    None where they are those of a text that is not known to have held then.
    """
    if isinstance(offered.paytable, tuple):
        return offered.paytable
    law = side_wager_laws()[offered.cite]
    if day < min(law.texts):
        return None
    chosen = offered.paytable
    return tuple(
        PayLine(line.name, line.when, line.pays[chosen] if isinstance(chosen, str) else chosen[line.name])
        for line in law.wagers[wager]
    )


def faults_of(
    offered: SideWager, wager: str, chapter: str, answered: frozenset[str]
) -> Iterator[tuple[tuple[str | int, ...], str, str | None]]:
    """Yield what of a side wager is at fault though it is of the form: the place, why, and what may be meant.

    `answered` are the parts of a condition that the game of the chapter can answer.
    """
    if isinstance(offered.paytable, tuple):
        yield from ((*each, None) for each in faults_of_lines(offered.paytable, answered))
        return
    law = side_wager_laws().get(offered.cite)
    if law is None:
        on_file = ", ".join(side_wager_laws())
        yield ("cite",), f"{offered.cite} is not on file ({on_file}); list the lines of its pay table", None
    elif chapter not in law.chapters:
        yield ("cite",), f"{law.section} is for Chapter {', '.join(law.chapters)}", None
    elif wager not in law.wagers:
        yield (), f"{law.section} has {', '.join(law.wagers)}", nearest_name(wager, law.wagers)
    elif isinstance(offered.paytable, str):
        yield from _of_letter(offered.paytable, law, wager)
    else:
        yield from _of_odds(offered.paytable, law, wager)


def _of_letter(chosen: str, law: SideWagerLaw, wager: str) -> Iterator[tuple[tuple[str], str, None]]:
    letters = law.letters(wager)
    if chosen not in letters:
        choices = ", ".join(letters) or "no odds on file: give them by the names of the lines"
        yield ("paytable",), f"paytable {chosen!r}: {law.section} has {choices}", None


def _of_odds(
    chosen: Mapping[str, str], law: SideWagerLaw, wager: str
) -> Iterator[tuple[tuple[str | int, ...], str, str | None]]:
    names = [line.name for line in law.wagers[wager]]
    if letters := law.letters(wager):
        yield ("paytable",), f"{law.section} has paytables of its own: choose {', '.join(letters)}", None
        return
    for name in chosen.keys() - set(names):
        yield ("paytable", name), f"{law.section} has no line {name!r}", nearest_name(name, names)
    for line in law.wagers[wager]:
        if line.name not in chosen:
            yield ("paytable",), f"the odds of {line.name!r} are lacking", None
        elif (why := PayLine(line.name, line.when, chosen[line.name]).fault) is not None:
            yield ("paytable", line.name), why, None
