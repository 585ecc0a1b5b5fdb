"""Checks of languages: lines in another language than their reference, and resources that do not fit the text."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from tertium.diagnosis.finding import Finding, Severity, TextPair
from tertium.text.detection import (
    LanguageGuess,
    can_detect,
    count_scripts,
    detect_language,
    find_foreign_lines,
    name_main_script,
    sample_texts,
)
from tertium.text.languages import LANGUAGES, find_language, format_language
from tertium.text.tokenizers import TOKENIZERS, UNSPACED_SCRIPTS

# Enough lines to see in which script a text is.
SCRIPT_LINES = 400
# Scripts whose characters TER's own tokenizer sets apart.
_CUT_BY_TER = frozenset({"Han", "Japanese"})


def check_line_languages(pair: TextPair) -> list[Finding]:
    """Find lines in another language than the reference; what the reference has, too, is as it should be."""
    code = detect_language(pair.references).code
    found = {} if code is None else find_foreign_lines(pair.hypotheses, code)
    if code is None or not found:
        return []
    rows = list(found)
    wanted = find_foreign_lines([pair.references[row] for row in rows], code)
    others = {row: found[row] for place, row in enumerate(rows) if place not in wanted}
    return [_report_lines(pair, code, others)] if others else []


def _report_lines(pair: TextPair, code: str, others: dict[int, str]) -> Finding:
    names = [format_language(other) for other, _ in Counter(others.values()).most_common(3)]
    return Finding.at(
        list(others),
        severity="warning" if len(others) > max(2, len(pair.hypotheses) / 100) else "note",
        file=pair.hypothesis_file,
        problem=f"{' or '.join(names)}, while {pair.reference_file} is {format_language(code)}",
        remedy="look whether this was translated, and into the right language",
        code="wrong-language-lines",
    )


def check_spaces(lines: Sequence[str], file: str) -> list[Finding]:
    """Tell which tokenizer a text without spaces between words needs."""
    script = _main_script(lines)
    if script not in UNSPACED_SCRIPTS:
        return []
    problem = f"no spaces between words ({script}): tokenizers such as 13a leave sentences whole"
    return [_report(file, script, problem, "note", "unspaced")]


def check_tokenizers(lines: Sequence[str], tokenizers: Collection[str], file: str) -> list[Finding]:
    """Find tokenizers that cannot cut the text's script, so that a metric over words compares sentences."""
    script = _main_script(lines) if tokenizers else None
    unfit = [name for name in tokenizers if script is not None and not TOKENIZERS[name].fits(script)]
    if script is None or not unfit:
        return []
    problem = (
        f"no spaces between words ({script}), and the tokenizer {', '.join(unfit)} leaves sentences whole"
    )
    return [_report(file, script, problem, "error", "unfit-tokenizer")]


def _main_script(lines: Sequence[str]) -> str | None:
    return name_main_script(count_scripts(sample_texts(lines, SCRIPT_LINES)))


def _report(file: str, script: str, problem: str, severity: Severity, code: str) -> Finding:
    return Finding.at(
        (), severity=severity, file=file, problem=problem, remedy=_tokenizer_for(script), code=code
    )


def _tokenizer_for(script: str) -> str:
    """Name the options that choose a tokenizer which can cut the script."""
    rows = [row for row in LANGUAGES.values() if script in row.scripts]
    by_language = [f"-l {row.code}" for row in rows if TOKENIZERS[row.tokenizer].fits(script)]
    ter = "" if script in _CUT_BY_TER else "; ter cannot cut it, chrf can"
    return f"score it with {', or '.join([*by_language, '--tokenizer char'])}{ter}"


MAX_NAMES = 3  # languages named in a message


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


def check_resources_fit(guess: LanguageGuess, language: str | None, needs: Sequence[Need]) -> list[Misfit]:
    """Compare the language of texts with those that the metrics' resources know.

    Parameters
    ----------
    guess
        The language that the references look like.
    language
        The language that the user said; None if it is to be guessed. What the user said counts even
        if the texts look otherwise, but then there is a warning.

    >>> need = Need("std", "vectors", frozenset({"en"}), "--vectors FILE", serves_script=True)
    >>> guess = detect_language(["Совет собрался во вторник, чтобы обсудить цены на хлеб."])
    >>> check_resources_fit(guess, None, [need])[0].message
    'the references look Russian, but std reads them with English vectors; say -l ru, or name others with --vectors FILE'
    """
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
            f"are written in {guess.script}" if guess.code is None else f"look {format_language(guess.code)}"
        )
        yield Misfit("warning", f"the references {seen}, but -l says {row.name}")


def _check_language(language: str, needs: Sequence[Need], *, is_told: bool) -> Iterator[Misfit]:
    row = find_language(language)
    scripts = frozenset() if row is None else frozenset(row.scripts)
    unfit = [need for need in needs if need.languages is not None and language not in need.languages]
    name = format_language(language)
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
