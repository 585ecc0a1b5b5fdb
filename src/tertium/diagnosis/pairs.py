"""Checks of a hypothesis against its reference or its source, and the quick check that accompanies every score."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from tertium.diagnosis.finding import Finding, Severity, TextPair
from tertium.diagnosis.languages import check_line_languages, check_tokenizers
from tertium.diagnosis.order import check_line_counts, check_order, match_lines
from tertium.diagnosis.texts import ENTITIES, Surface, describe_surface, find_damages
from tertium.text.detection import TextLanguage, count_scripts, find_line_scripts
from tertium.text.languages import format_language

SurfaceCheck = Callable[[TextPair, Surface, Surface], list[Finding]]


def compare_surfaces(
    pair: TextPair,
    *,
    checks: Sequence[SurfaceCheck] | None = None,
    sample: int = 2000,
    language: TextLanguage | None = None,
) -> list[Finding]:
    """Compare how two texts are written, by lines taken from all over them.

    `language` is the language of the references, if it is known already.
    """
    here = describe_surface(pair.hypotheses, sample=sample)
    there = describe_surface(pair.references, sample=sample, language=language)
    return [finding for check in (checks or ALL_CHECKS) for finding in check(pair, here, there)]


def _check_scripts(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if None in (hypothesis.script, reference.script) or hypothesis.script == reference.script:
        return []
    problem = f"the text is written in {hypothesis.script}, but {pair.reference_file} in {reference.script}"
    remedy = "look whether this is the right file, the right language, and translated at all"
    return [_mismatch(pair, "wrong-script", problem, remedy, severity="error")]


def _check_languages(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    here, there = hypothesis.language, reference.language
    if here is None or there is None or here == there or hypothesis.script != reference.script:
        return []
    problem = f"the text looks {format_language(here)}, but {pair.reference_file} {format_language(there)}"
    remedy = "look whether this is the right file, and translated into the right language"
    return [_mismatch(pair, "wrong-language", problem, remedy, severity="error")]


def _check_tokens(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if {hypothesis.is_tokenised, reference.is_tokenised} != {True, False}:
        return []
    problem = _contrast(pair, "tokenised", hypothesis_has_it=bool(hypothesis.is_tokenised))
    remedy = "detokenise the tokenised one; compare raw with raw text"
    return [_mismatch(pair, "token-mismatch", problem, remedy)]


def _check_case(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if hypothesis.is_lowercased == reference.is_lowercased or hypothesis.script != reference.script:
        return []
    problem = _contrast(pair, "lower-cased", hypothesis_has_it=hypothesis.is_lowercased)
    return [_mismatch(pair, "case-mismatch", problem, "restore the case, or score with lowercase")]


def _check_normal_forms(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if {hypothesis.normal_form, reference.normal_form} != {"NFC", "NFD"}:
        return []
    problem = _contrast(pair, "decomposed (NFD)", hypothesis_has_it=hypothesis.normal_form == "NFD")
    remedy = "normalise every file to NFC, for example with `uconv -x nfc`"
    return [_mismatch(pair, "normal-form-mismatch", problem, remedy)]


def _check_marks(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    findings = []
    for code, kind, here, there in (
        ("quote-mismatch", "quotation marks", hypothesis.quotation_marks, reference.quotation_marks),
        ("apostrophe-mismatch", "apostrophes", hypothesis.apostrophes, reference.apostrophes),
    ):
        if here and there and here != there:
            problem = f"{kind} are {here} here but {there} in {pair.reference_file}"
            remedy = "make them alike in both files"
            findings.append(_mismatch(pair, code, problem, remedy))
    return findings


def _contrast(pair: TextPair, trait: str, *, hypothesis_has_it: bool) -> str:
    if hypothesis_has_it:
        return f"the text is {trait}, but {pair.reference_file} is not"
    return f"{pair.reference_file} is {trait}, but this text is not"


def _mismatch(
    pair: TextPair, code: str, problem: str, remedy: str, *, severity: Severity = "warning"
) -> Finding:
    return Finding.at(
        range(len(pair.hypotheses)),
        severity=severity,
        file=pair.hypothesis_file,
        problem=problem,
        remedy=remedy,
        code=code,
    )


SERIOUS_CHECKS: tuple[SurfaceCheck, ...] = (_check_scripts, _check_languages, _check_tokens, _check_case)
ALL_CHECKS: tuple[SurfaceCheck, ...] = (*SERIOUS_CHECKS, _check_normal_forms, _check_marks)


# Shorter lines are names, numbers and headings, which translation may leave alone or stretch.
SHORTEST_TELLING_LINE = 20

# A name and a title may be the same in both languages; not so many words.
MIN_COPIED_WORDS = 5

# Lines per count of scripts, so that a million lines need no gigabytes.
BLOCK_LINES = 1 << 14


def check_pair(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    hypothesis_file: str = "hypotheses",
    reference_file: str = "references",
) -> list[Finding]:
    """Compare a hypothesis with one of its references."""
    pair = TextPair(hypotheses, references, hypothesis_file, reference_file)
    counts = check_line_counts(pair)
    findings = [*counts, *check_order(pair, match_lines(hypotheses, references)), *compare_surfaces(pair)]
    if not counts:
        codes = {finding.code for finding in findings}
        findings += _check_copies(pair)
        if "wrong-script" not in codes:
            findings += [*_check_line_scripts(pair), *_check_lengths(pair)]
            findings += [] if "wrong-language" in codes else check_line_languages(pair)
    return findings


def check_source(
    hypotheses: Sequence[str],
    sources: Sequence[str],
    references: Sequence[str] = (),
    *,
    hypothesis_file: str = "hypotheses",
    source_file: str = "sources",
) -> list[Finding]:
    """Compare a hypothesis with its source: find what was not translated.

    Lines that the reference copies from the source as well are as they should be.
    """
    counts = check_line_counts(TextPair(hypotheses, sources, hypothesis_file, source_file))
    if counts:
        return counts
    wanted = references if len(references) == len(sources) else [""] * len(sources)
    rows = [
        row
        for row, (here, source, reference) in enumerate(zip(hypotheses, sources, wanted, strict=True))
        if len(here) >= SHORTEST_TELLING_LINE and _is_untranslated(here, source, reference)
    ]
    if not rows:
        return []
    is_nearly = any(hypotheses[row] != sources[row] for row in rows)
    return [
        Finding.at(
            rows,
            severity=_untranslated_severity(len(rows), len(sources)),
            file=hypothesis_file,
            problem=f"untranslated: {'nearly ' * is_nearly}identical to {source_file}",
            remedy="look whether the system failed there, or the source was taken for its output",
            code="untranslated",
        )
    ]


def _is_untranslated(here: str, source: str, reference: str) -> bool:
    """Whether nearly all words of a line are the source's, and not the reference's as well."""
    if here == source:
        return here != reference
    words, given = here.split(), set(source.split())
    n_copied = sum(word in given for word in words)
    if len(words) < MIN_COPIED_WORDS or n_copied < 0.8 * len(words):
        return False
    wanted = set(reference.split())
    return 2 * sum(word in wanted for word in words) <= len(words)


def _untranslated_severity(n_rows: int, n_lines: int) -> Severity:
    if n_rows > n_lines / 2:
        return "error"
    return "warning" if n_rows > max(2, n_lines / 100) else "note"


def _check_copies(pair: TextPair) -> list[Finding]:
    """Doubt a system that finds the reference's very words."""
    rows = [
        row
        for row, (here, there) in enumerate(zip(pair.hypotheses, pair.references, strict=True))
        if here == there and here
    ]
    whole = len(rows) == sum(map(bool, pair.references)) > 0
    if not whole and len(rows) <= max(2, 0.3 * len(pair.references)):
        return []
    return [
        Finding.at(
            rows,
            severity="warning",
            file=pair.hypothesis_file,
            problem=f"the text is identical to {pair.reference_file}"
            if whole
            else f"{len(rows) / len(pair.references):.0%} of the lines are identical to {pair.reference_file}",
            remedy="look whether the reference was taken for a system, or a system has seen the test set",
            code="identical-to-reference",
        )
    ]


def _check_line_scripts(pair: TextPair) -> list[Finding]:
    rows = [
        first + row
        for first in range(0, len(pair.hypotheses), BLOCK_LINES)
        for row in _rows_in_other_script(
            pair.hypotheses[first : first + BLOCK_LINES], pair.references[first : first + BLOCK_LINES]
        )
    ]
    if not rows:
        return []
    return [
        Finding.at(
            rows,
            severity="warning" if len(rows) > max(2, len(pair.hypotheses) / 100) else "note",
            file=pair.hypothesis_file,
            problem=f"in another script than {pair.reference_file}",
            remedy="look whether this was translated at all",
            code="wrong-script-lines",
        )
    ]


def _rows_in_other_script(hypotheses: Sequence[str], references: Sequence[str]) -> list[int]:
    telling = [
        row
        for row, (here, there) in enumerate(zip(hypotheses, references, strict=True))
        if not (here.isascii() and there.isascii())
    ]
    here = find_line_scripts(count_scripts([hypotheses[row] for row in telling]))
    there = find_line_scripts(count_scripts([references[row] for row in telling]))
    differs = (here != there) & (here > 0) & (there > 0)
    return [telling[place] for place in np.flatnonzero(differs)]


def _check_lengths(pair: TextPair) -> list[Finding]:
    here = np.array([len(line) for line in pair.hypotheses])
    there = np.array([len(line) for line in pair.references])
    ratio = here.sum() / max(there.sum(), 1)
    findings = []
    if there.sum() and not 0.5 <= ratio <= 2:
        findings.append(_report_ratio(pair, float(ratio)))
    longer, shorter = np.maximum(here, there), np.minimum(here, there)
    rows = np.flatnonzero((longer > 3 * shorter) & (shorter > 0) & (longer >= SHORTEST_TELLING_LINE))
    if len(rows):
        findings.append(_report_outliers(pair, rows.tolist()))
    return findings


def _report_ratio(pair: TextPair, ratio: float) -> Finding:
    return Finding.at(
        range(len(pair.hypotheses)),
        severity="warning",
        file=pair.hypothesis_file,
        problem=f"the text has {ratio:.2f} times the length of {pair.reference_file}",
        remedy="look whether the output was cut off, repeats itself, or belongs to another test set",
        code="length-ratio",
    )


def _report_outliers(pair: TextPair, rows: Sequence[int]) -> Finding:
    return Finding.at(
        rows,
        severity="note",
        file=pair.hypothesis_file,
        problem=f"more than three times longer or shorter than in {pair.reference_file}",
        remedy="read and see: output that is cut off, repeated or on the wrong line looks like this",
        code="length-outliers",
    )


# Enough lines to see a habit.
HABIT_LINES = 400
# 40 excerpts of 12 lines see a shift that lasts a fortieth of the text, wherever it begins.
EXCERPTS, EXCERPT_LINES = 40, 12
ENTITY_LINES = 10_000


def quick_check(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    hypothesis_file: str = "hypotheses",
    reference_file: str = "references",
    tokenizers: Collection[str] = (),
    language: TextLanguage | None = None,
) -> list[Finding]:
    """Look at a sample of a hypothesis and one reference for what makes their score meaningless.

    Entities are looked for in the first 10,000 lines; everything else in lines from all over the text.
    `tokenizers` are those of the metrics that will score the text, `language` is that of the references.
    """
    if blank := _check_blank(hypotheses, references, hypothesis_file):
        return blank
    pair = TextPair(hypotheses, references, hypothesis_file, reference_file)
    match = match_lines(hypotheses, references, max_blocks=EXCERPTS, block_sample=EXCERPT_LINES)
    return [
        *check_order(pair, match),
        *compare_surfaces(pair, checks=SERIOUS_CHECKS, sample=HABIT_LINES, language=language),
        *check_tokenizers(references, tokenizers, reference_file),
        *_check_entities(hypotheses, hypothesis_file),
        *_check_entities(references, reference_file),
    ]


def _check_blank(hypotheses: Sequence[str], references: Sequence[str], file: str) -> list[Finding]:
    """Notice a system without output; blank lines that the reference has, too, are none of its fault."""
    if (
        not hypotheses
        or any(line.strip() for line in hypotheses)
        or not any(line.strip() for line in references)
    ):
        return []
    return [
        Finding.at(
            range(len(hypotheses)),
            severity="error",
            file=file,
            problem="every line is empty",
            remedy="look whether the translation failed, and translate again",
            code="blank",
        )
    ]


def _check_entities(lines: Sequence[str], file: str) -> list[Finding]:
    head = lines[:ENTITY_LINES]
    findings = find_damages(head, [ENTITIES], file=file)
    return [finding for finding in findings if finding.n_lines > max(2, len(head) / 200)]
