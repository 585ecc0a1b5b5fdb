"""Whether what a metric knows of languages fits the text that it is about to read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from tertium.text.detection import LanguageGuess, can_detect, detect_language
from tertium.text.languages import LANGUAGES, find_language, spell_language

__all__ = ["Misfit", "Need", "check_resources_fit"]

MOST_NAMES = 3  # languages named in a message


@dataclass(frozen=True)
class Need:
    """Something of a metric that knows certain languages only.

    Parameters
    ----------
    metric
        The metric's label.
    what
        What it reads the text with, as a word that can follow "English": vectors, synonyms, stems, syntax.
    languages
        The codes of the languages that it knows; None if that is not known, or all.
    option
        The option that names another one, such as `--vectors FILE`; empty if only `-l` does.
    serves_script
        Whether it is of some use for other languages of the same script, as vectors made from pieces
        of words are. Such a misfit is a warning.
    """

    metric: str
    what: str
    languages: frozenset[str] | None
    option: str = ""
    serves_script: bool = False


@dataclass(frozen=True)
class Misfit:
    """One line for the user. An error means that the score would say nothing."""

    severity: Literal["error", "warning"]
    message: str


def check_resources_fit(texts: Sequence[str], language: str | None, needs: Sequence[Need]) -> list[Misfit]:
    """Compare the language of texts with those that the metrics' resources know.

    Parameters
    ----------
    texts
        The references, or a sample of them.
    language
        The language that the user said; None if it is to be guessed. What the user said counts even
        if the texts look otherwise, but then there is a warning.

    >>> need = Need("std", "vectors", frozenset({"en"}), "--vectors FILE", serves_script=True)
    >>> check_resources_fit(["Совет собрался во вторник, чтобы обсудить цены на хлеб."], None, [need])[0].message
    'the references look Russian, but std reads them with English vectors; say -l ru, or name others with --vectors FILE'
    """
    guess = detect_language(texts)
    if language is not None:
        return [*_check_claim(guess, language), *_check_language(language, needs, is_told=True)]
    if guess.code is not None:
        return list(_check_language(guess.code, needs, is_told=False))
    return list(_check_script(guess.script, needs))


def _check_claim(guess: LanguageGuess, language: str) -> Iterator[Misfit]:
    """Compare what the user said with what the texts look like."""
    row = find_language(language)
    if row is None:
        return
    looks_other = guess.code not in (None, row.code) and can_detect(row.code)
    if looks_other or (guess.script is not None and guess.script not in row.scripts):
        seen = (
            f"are written in {guess.script}" if guess.code is None else f"look {spell_language(guess.code)}"
        )
        yield Misfit("warning", f"the references {seen}, but -l says {row.name}")


def _check_language(language: str, needs: Sequence[Need], *, is_told: bool) -> Iterator[Misfit]:
    row = find_language(language)
    scripts = frozenset() if row is None else frozenset(row.scripts)
    unfit = [need for need in needs if need.languages is not None and language not in need.languages]
    name = spell_language(language)
    for group in _by_metric(unfit):
        means, options = _describe(group)
        if is_told:
            message = f"{group[0].metric} reads {name} with {means}" + (
                f"; {options} names others" if options else ""
            )
        else:
            more = f", or name others with {options}" if options else ""
            message = f"the references look {name}, but {group[0].metric} reads them with {means}; say -l {language}{more}"
        yield Misfit(_severity(group, scripts), message)


def _check_script(script: str | None, needs: Sequence[Need]) -> Iterator[Misfit]:
    """Refuse what is of no use for the script of texts whose language is not known."""
    unfit = [
        need
        for need in needs
        if script is not None and need.languages is not None and script not in _scripts_of(need)
    ]
    for group in _by_metric(unfit):
        means, options = _describe(group)
        more = f", or name others with {options}" if options else ""
        yield Misfit(
            "error",
            f"the references are written in {script}, but {group[0].metric} reads them with {means}; "
            f"say their language with -l{more}",
        )


def _by_metric(needs: Sequence[Need]) -> Iterator[list[Need]]:
    """Put together what one metric has of the same languages, so that it gets one line."""
    for _, group in groupby(needs, key=lambda need: (need.metric, need.languages, need.serves_script)):
        yield list(group)


def _describe(group: Sequence[Need]) -> tuple[str, str]:
    """Say what the metric reads with, and the options that would change it."""
    codes = sorted(group[0].languages or ())
    names = (
        "/".join(map(spell_language, codes)) if len(codes) <= MOST_NAMES else f"{len(codes)} other languages'"
    )
    whats = " and ".join(dict.fromkeys(need.what for need in group))
    return f"{names} {whats}", " or ".join(dict.fromkeys(need.option for need in group if need.option))


def _severity(group: Sequence[Need], scripts: frozenset[str]) -> Literal["error", "warning"]:
    serves = all(need.serves_script and scripts & _scripts_of(need) for need in group)
    return "warning" if serves else "error"


def _scripts_of(need: Need) -> frozenset[str]:
    return frozenset(
        script for code in need.languages or () if code in LANGUAGES for script in LANGUAGES[code].scripts
    )
