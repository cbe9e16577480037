"""Each game's proof, and `make advantages`: every proof under each choice that bears on it."""

from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import click

from projections.engine.games import REGISTRY, module_of
from projections.engine.games.proving import Proof, Proven, Readings
from replay.proofs.theoretical_win import FILE, Advantage, rules_digest, written
from schemas import law_text
from schemas.errors import BadInput, LawError
from schemas.law_text import Chapter
from schemas.rulebook import Rulebook, rulebook

# ── Each game's proof, found beside its rules and loaded only when it is asked for ────────────────────
# The module `proof` of a game's package has `proof`, and `readings` where the regulator published figures
# that show which reading of an ambiguous clause they stand on.


def proofs() -> dict[str, Proof]:
    """Return the proof of every chapter's game, by the chapter."""
    return {chapter: _module(chapter).proof for chapter in REGISTRY}


def proof_of(name: str) -> tuple[str, Proof]:
    """Return a game's chapter and proof, by its chapter or by what people call it.

    Raises:
        BadInput: there is no enumeration of such a game here.
    """
    for chapter, each in REGISTRY.items():
        if name in (chapter, each.called):
            return chapter, _module(chapter).proof
    raise BadInput(f"no game {name!r} can be enumerated here; known are {_chapter_names(list(REGISTRY))}")


def readings_of(name: str) -> tuple[str, Readings]:
    """Return a game's chapter and readings, by its chapter or by what people call it.

    Raises:
        BadInput: the regulator published no figure of such a game that a reading could reproduce.
    """
    chapters = [chapter for chapter in REGISTRY if hasattr(_module(chapter), "readings")]
    for chapter in chapters:
        if name in (chapter, REGISTRY[chapter].called):
            return chapter, _module(chapter).readings
    raise BadInput(
        f"no published figure tells the readings of {name!r}; known are {_chapter_names(chapters)}"
    )


def _module(chapter: str) -> ModuleType:
    found = module_of(chapter, "proof")
    if found is None:
        raise BadInput(f"the game of chapter {chapter} has no enumeration: its package lacks proof.py")
    return found


def _chapter_names(chapters: list[str]) -> str:
    return ", ".join(f"{REGISTRY[chapter].called} ({chapter})" for chapter in chapters)


# ───────────────────────────────────────────────────────────────────────────────────────────────────────
# `make advantages`: every proof under each choice that bears on it, into replay/proofs/advantages.json.
#
# It takes some minutes, as games that are simulated are played out anew for every choice.


def main() -> None:
    """Make the file anew."""
    rows: list[Advantage] = []
    for chapter, proof in proofs().items():
        rows += proven_of(chapter, proof)
        click.echo(f"Chapter {chapter} is proven")
    FILE.write_bytes(written(rows))


def proven_of(chapter: str, proof: Proof) -> Iterator[Advantage]:
    """Prove a chapter's wagers under each of its texts, with each number of decks and each choice that bears.

    Raises:
        LawError: a wager earns something else beside options that are not said to bear on it.
    """
    law = law_text.chapter(chapter)
    for day in _days(law):
        for decks in _decks(law):
            yield from _rows(law, day, decks, proof)


def _days(law: Chapter) -> list[date]:
    """Return the first day of every state of the text: on others no figure is new."""
    return sorted({*law.texts, *(start for dated in law.numbers.values() for start in dated)})


def _decks(law: Chapter) -> list[int | None]:
    """Return the numbers of decks that are admitted; None alone where the game is played without cards."""
    dated = law.numbers.get("decks")
    return [None] if dated is None else dated[min(dated)].value


def _rows(law: Chapter, day: date, decks: int | None, proof: Proof) -> Iterator[Advantage]:
    """Prove by one text with one number of decks, then again under each choice that it leaves as usual."""
    usual = list(_proven(law, day, {}, decks, proof))
    found = {(each.wager, str(each.hangs_on)): each for each in usual}
    for chosen in _others(law, usual, decks):
        for each in _proven(law, day, chosen, decks, proof):
            advantage = found.setdefault((each.wager, str(each.hangs_on)), each)
            if _figures(advantage) != _figures(each):
                raise LawError(f"{law.chapter} {each.wager}: {chosen} bears on it, and it does not say so")
    digest = rules_digest(rulebook(law.chapter, day, {}, decks))
    for each in found.values():
        yield Advantage(
            chapter=law.chapter,
            wager=each.wager,
            text=law.text_on(day),
            decks=each.decks,
            options=dict(each.hangs_on),
            house_advantage=each.house_advantage,
            variance=each.variance,
            most=each.most,
            method=each.method,
            error=Fraction(each.error),
            counts_in=each.counts_in,
            unless=each.unless,
            beside=dict(each.beside),
            terms=each.terms,
            digest=digest,
        )


def _figures(proven: Proven) -> tuple[Fraction, Fraction, Mapping[str, Fraction]]:
    return proven.house_advantage, proven.variance, proven.beside


def _proven(
    law: Chapter, day: date, chosen: Mapping[str, Any], decks: int | None, proof: Proof
) -> Iterator[Proven]:
    """Prove by the text of a day where the house chose so, but for what the proof chooses itself."""

    def book_of(options: Mapping[str, Any], decks: int | None) -> Rulebook:
        return rulebook(law.chapter, day, {**chosen, **options}, decks)

    return proof(book_of, decks)


def _others(law: Chapter, proven: list[Proven], decks: int | None) -> Iterator[dict[str, Any]]:
    """Yield each other choice among the options that bear on a wager and that the proof does not vary."""
    others: dict[str, list[Any]] = {}
    for each in proven:
        for name, value in each.hangs_on.items():
            others.setdefault(name, []).append(value)
    usual = {name: values[0] for name, values in others.items() if all(each == values[0] for each in values)}
    listed = {name: law.options[name].listed(decks or 0, {}) for name in usual}
    for values in product(*(listed[name] or [usual[name]] for name in usual)):
        chosen = dict(zip(usual, values, strict=True))
        if chosen != usual:
            yield chosen


if __name__ == "__main__":
    main()
