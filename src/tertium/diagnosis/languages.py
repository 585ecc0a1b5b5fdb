"""Check that the resources of metrics cover the language of the texts."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from tertium.errors import argument
from tertium.records import record
from tertium.text.detection import LanguageGuess, can_detect
from tertium.text.languages import LANGUAGES, find_language, format_language

MAX_NAMES = 3  # more languages than this are counted in a message, not listed


@record
class Need:
    """A resource of a metric that covers certain languages only.

    Parameters
    ----------
    metric
        The metric's label.
    what
        The kind of resource, as a word that can follow "English": vectors, synonyms, stems, syntax.
    languages
        The codes of the languages that it covers; None if it covers all, or if that is unknown.
    option
        How to choose another resource, such as `vectors=FILE`; empty if only the language chooses it.
    serves_script
        Whether it is partly useful for other languages of the same script, as vectors of subwords are. Using it
        for such a language causes a warning instead of an error.
    """

    metric: str
    what: str
    languages: frozenset[str] | None
    option: str = ""
    serves_script: bool = False


@record
class Misfit:
    """A resource that does not cover the language, in one line; an error means that the score is meaningless."""

    severity: Literal["error", "warning"]
    message: str


def check_resources_fit(guess: LanguageGuess, language: str | None, needs: Sequence[Need]) -> list[Misfit]:
    """Compare the language of the texts with the languages that the metrics' resources cover.

    Parameters
    ----------
    guess
        The language that the references look like.
    language
        The language that the user gave; None to detect it. A language that the user gave is used even if the
        texts look different, with a warning.

    >>> from tertium.text.detection import detect_language
    >>> need = Need("std", "vectors", frozenset({"en"}), "vectors=FILE", serves_script=True)
    >>> guess = detect_language(["Совет собрался во вторник, чтобы обсудить цены на хлеб."])
    >>> check_resources_fit(guess, None, [need])[0].message
    'the references look Russian, but std uses English vectors; pass language=ru, or choose others with vectors=FILE'
    """
    if language is not None:
        return [*_check_claim(guess, language), *_check_language(language, needs, is_given=True)]
    if guess.code is not None:
        return list(_check_language(guess.code, needs, is_given=False))
    return list(_check_script(guess.script, needs))


def _check_claim(guess: LanguageGuess, language: str) -> Iterator[Misfit]:
    """Compare the language that the user gave with the detected one."""
    row = find_language(language)
    if row is None:
        return
    looks_other = guess.code not in (None, row.code) and can_detect(row.code)
    if looks_other or (guess.script is not None and guess.script not in row.scripts):
        seen = (
            f"are written in {guess.script}" if guess.code is None else f"look {format_language(guess.code)}"
        )
        yield Misfit("warning", f"the references {seen}, but {argument('language', language)} was given")


def _check_language(language: str, needs: Sequence[Need], *, is_given: bool) -> Iterator[Misfit]:
    row = find_language(language)
    scripts = frozenset() if row is None else frozenset(row.scripts)
    unfit = [need for need in needs if need.languages is not None and language not in need.languages]
    name = format_language(language)
    for group in _by_metric(unfit):
        resources, options = _describe(group)
        if is_given:
            message = f"{group[0].metric} uses {resources} for {name}" + (
                f"; choose others with {options}" if options else ""
            )
        else:
            more = f", or choose others with {options}" if options else ""
            message = (
                f"the references look {name}, but {group[0].metric} uses {resources};"
                f" pass {argument('language', language)}{more}"
            )
        yield Misfit(_severity(group, scripts), message)


def _check_script(script: str | None, needs: Sequence[Need]) -> Iterator[Misfit]:
    """Report resources that are useless for the script of texts whose language is unknown."""
    unfit = [
        need
        for need in needs
        if script is not None and need.languages is not None and script not in _scripts_of(need)
    ]
    for group in _by_metric(unfit):
        resources, options = _describe(group)
        more = f", or choose others with {options}" if options else ""
        yield Misfit(
            "error",
            f"the references are written in {script}, but {group[0].metric} uses {resources};"
            f" pass {argument('language', 'CODE')}{more}",
        )


def _by_metric(needs: Sequence[Need]) -> Iterator[list[Need]]:
    """Group the resources of one metric that cover the same languages, for one message each."""
    for _, group in groupby(needs, key=lambda need: (need.metric, need.languages, need.serves_script)):
        yield list(group)


def _describe(group: Sequence[Need]) -> tuple[str, str]:
    """Describe the resources of a metric, and the options that would change them."""
    codes = sorted(group[0].languages or ())
    names = (
        "/".join(map(format_language, codes)) if len(codes) <= MAX_NAMES else f"{len(codes)} other languages'"
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
