"""Checks of a hypothesis against its reference or its source, and the quick check that accompanies every score."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence

import numpy as np

from tertium.diagnosis.changes import check_changes
from tertium.diagnosis.finding import Finding, ProblemKind, Severity, TextPair, register
from tertium.diagnosis.order import SimilarityVotes, check_line_counts, check_order, match_lines
from tertium.diagnosis.texts import (
    ENTITIES,
    NULS,
    SCRIPT_LINES,
    Surface,
    check_tokenizers,
    find_damages,
)
from tertium.text.detection import (
    MIN_SCRIPT_LETTERS,
    TextLanguage,
    count_scripts,
    detect_language,
    find_foreign_lines,
    find_line_scripts,
    merge_kana,
    sample_texts,
)
from tertium.text.languages import format_language

SurfaceCheck = Callable[[TextPair, Surface, Surface], list[Finding]]

QUICK_SURFACE_CHECKS: list[SurfaceCheck] = []
"""Comparisons of how two texts are written that also accompany every score."""
SURFACE_CHECKS: list[SurfaceCheck] = []
"""Further comparisons of how two texts are written."""

LINE_CHECKS: list[Callable[[TextPair], list[Finding]]] = []
"""Comparisons line by line, for texts with the same number of lines."""
SAME_SCRIPT_CHECKS: list[Callable[[TextPair], list[Finding]]] = []
"""Comparisons line by line, for texts that are also in the same script."""
SAME_LANGUAGE_CHECKS: list[Callable[[TextPair], list[Finding]]] = []
"""Comparisons line by line, for texts that are also in the same language."""

# Shorter lines are names, numbers and headings, which a translation may keep unchanged or make much longer.
MIN_LINE_LENGTH = 20

# Names and titles are often the same in both languages, but rarely this long.
MIN_COPIED_WORDS = 5
# The share of the letters of an untranslated line that are copied.
MIN_COPIED = 0.8
# A line that shares more letters than this with its reference needs hardly any translation: names, titles, quotations.
MAX_WANTED = 0.6

# A line with fewer different words that are not names does not show its language.
MIN_PROSE_WORDS = 3

# Lines per count of scripts, so that a million lines do not need gigabytes.
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
    findings = [
        *counts,
        *check_order(pair, match_lines(hypotheses, references)),
        *_compare_surfaces(pair, [*QUICK_SURFACE_CHECKS, *SURFACE_CHECKS]),
    ]
    codes = {finding.code for finding in findings}
    if counts:
        is_foreign = codes & {_WRONG_SCRIPT.code, _WRONG_LANGUAGE.code}
        return findings if is_foreign else [*findings, *check_changes(pair)]
    checks = list(LINE_CHECKS)
    if _WRONG_SCRIPT.code not in codes:
        checks += SAME_SCRIPT_CHECKS
        checks += [] if _WRONG_LANGUAGE.code in codes else SAME_LANGUAGE_CHECKS
    return findings + [finding for check in checks for finding in check(pair)]


def _compare_surfaces(
    pair: TextPair,
    checks: Sequence[SurfaceCheck],
    *,
    sample: int = 2000,
    language: TextLanguage | None = None,
) -> list[Finding]:
    """Compare how two texts are written, by a sample of lines; `language` is that of the references, if known."""
    here = Surface(sample_texts(pair.hypotheses, sample))
    there = Surface(sample_texts(pair.references, sample), language)
    return [finding for check in checks for finding in check(pair, here, there)]


_WRONG_SCRIPT = ProblemKind(
    "wrong-script", "error", "The hypothesis is in another script than the reference."
)


@register(QUICK_SURFACE_CHECKS)
def _check_scripts(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if None in (hypothesis.script, reference.script) or hypothesis.script == reference.script:
        return []
    problem = f"the text is written in {hypothesis.script}, but {pair.reference_file} in {reference.script}"
    remedy = "check whether this is the right file, translated, and in the right language"
    return [_report_whole(_WRONG_SCRIPT, pair, problem, remedy)]


_WRONG_LANGUAGE = ProblemKind(
    "wrong-language", "error", "The hypothesis is in another language than the reference."
)


@register(QUICK_SURFACE_CHECKS)
def _check_languages(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    here, there = hypothesis.language, reference.language
    if here is None or there is None or here == there or hypothesis.script != reference.script:
        return []
    problem = f"the text looks {format_language(here)}, but {pair.reference_file} {format_language(there)}"
    remedy = "check whether this is the right file, translated into the right language"
    return [_report_whole(_WRONG_LANGUAGE, pair, problem, remedy)]


_TOKEN_MISMATCH = ProblemKind("token-mismatch", "warning", "Only one of the two texts is tokenised.")


@register(QUICK_SURFACE_CHECKS)
def _check_tokens(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if {hypothesis.is_tokenised, reference.is_tokenised} != {True, False}:
        return []
    problem = _contrast(pair, "tokenised", hypothesis_has_it=bool(hypothesis.is_tokenised))
    return [_report_whole(_TOKEN_MISMATCH, pair, problem, "detokenise the tokenised text; compare raw texts")]


_CASE_MISMATCH = ProblemKind("case-mismatch", "warning", "Only one of the two texts is lower-cased.")


@register(QUICK_SURFACE_CHECKS)
def _check_case(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if hypothesis.is_lowercased == reference.is_lowercased or hypothesis.script != reference.script:
        return []
    problem = _contrast(pair, "lower-cased", hypothesis_has_it=hypothesis.is_lowercased)
    return [_report_whole(_CASE_MISMATCH, pair, problem, "restore the case, or score with lowercase")]


_NORMAL_FORM_MISMATCH = ProblemKind(
    "normal-form-mismatch", "warning", "One text is composed (NFC), the other decomposed (NFD)."
)


@register(SURFACE_CHECKS)
def _check_normal_forms(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if {hypothesis.normal_form, reference.normal_form} != {"NFC", "NFD"}:
        return []
    problem = _contrast(pair, "decomposed (NFD)", hypothesis_has_it=hypothesis.normal_form == "NFD")
    remedy = "normalise every file to NFC, for example with `uconv -x nfc`"
    return [_report_whole(_NORMAL_FORM_MISMATCH, pair, problem, remedy)]


_QUOTE_MISMATCH = ProblemKind(
    "quote-mismatch", "warning", "Quotation marks are straight in one text and curly in the other."
)
_APOSTROPHE_MISMATCH = ProblemKind(
    "apostrophe-mismatch", "warning", "Apostrophes are straight in one text and curly in the other."
)


@register(SURFACE_CHECKS)
def _check_quotes(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    findings = []
    for kind, name, here, there in (
        (_QUOTE_MISMATCH, "quotation marks", hypothesis.quotation_marks, reference.quotation_marks),
        (_APOSTROPHE_MISMATCH, "apostrophes", hypothesis.apostrophes, reference.apostrophes),
    ):
        if here and there and here != there:
            problem = f"{name} are {here} here but {there} in {pair.reference_file}"
            findings.append(_report_whole(kind, pair, problem, "use the same style in both files"))
    return findings


def _contrast(pair: TextPair, trait: str, *, hypothesis_has_it: bool) -> str:
    if hypothesis_has_it:
        return f"the text is {trait}, but {pair.reference_file} is not"
    return f"{pair.reference_file} is {trait}, but this text is not"


def _report_whole(kind: ProblemKind, pair: TextPair, problem: str, remedy: str) -> Finding:
    """Report a problem of all lines of the hypothesis."""
    return kind.at(range(len(pair.hypotheses)), pair.hypothesis_file, problem, remedy)


_IDENTICAL = ProblemKind(
    "identical-to-reference", "warning", "Many lines of the hypothesis are identical to the reference."
)


@register(LINE_CHECKS)
def _check_copies(pair: TextPair) -> list[Finding]:
    rows = [
        row
        for row, (here, there) in enumerate(zip(pair.hypotheses, pair.references, strict=True))
        if here == there and here
    ]
    is_whole = len(rows) == sum(map(bool, pair.references)) > 0
    if not is_whole and len(rows) <= max(2, 0.3 * len(pair.references)):
        return []
    extent = "the text is" if is_whole else f"{len(rows) / len(pair.references):.0%} of the lines are"
    problem = f"{extent} identical to {pair.reference_file}"
    remedy = "check whether the reference was passed as a system, or a system was trained on the test set"
    return [_IDENTICAL.at(rows, pair.hypothesis_file, problem, remedy)]


_WRONG_SCRIPT_LINES = ProblemKind(
    "wrong-script-lines", "warning", "A line is in another script than its reference."
)


@register(SAME_SCRIPT_CHECKS)
def _check_line_scripts(pair: TextPair) -> list[Finding]:
    main = _main_script_number(pair.references)
    rows = [
        first + row
        for first in range(0, len(pair.hypotheses), BLOCK_LINES)
        for row in _rows_in_other_script(
            pair.hypotheses[first : first + BLOCK_LINES], pair.references[first : first + BLOCK_LINES], main
        )
    ]
    if not rows:
        return []
    severity: Severity = "warning" if len(rows) > max(2, len(pair.hypotheses) / 100) else "note"
    problem, remedy = f"in another script than {pair.reference_file}", "check whether this was translated"
    return [_WRONG_SCRIPT_LINES.at(rows, pair.hypothesis_file, problem, remedy, severity=severity)]


def _main_script_number(references: Sequence[str]) -> int:
    """Return the number of the main script of a text, by a sample of its lines; 0 if there is none."""
    totals = count_scripts(sample_texts(references, SCRIPT_LINES)).sum(axis=0, keepdims=True)
    return int(find_line_scripts(totals)[0])


def _rows_in_other_script(hypotheses: Sequence[str], references: Sequence[str], main: int) -> list[int]:
    """Return lines almost without letters of the text's main script, in which their references are written.

    Names and numbers in Latin letters are normal in Chinese and Japanese: a line is suspect if fewer than one in ten of
    its letters belong to the main script.
    """
    candidates = [
        row
        for row, (here, there) in enumerate(zip(hypotheses, references, strict=True))
        if not (here.isascii() and there.isascii())
    ]
    here = merge_kana(count_scripts([hypotheses[row] for row in candidates]))
    there = find_line_scripts(count_scripts([references[row] for row in candidates]))
    n_letters = here.sum(axis=1)
    is_foreign = (n_letters >= MIN_SCRIPT_LETTERS) & (10 * here[:, main] < n_letters)
    return [candidates[place] for place in np.flatnonzero(is_foreign & (there == main) & (main > 0))]


_LENGTH_RATIO = ProblemKind(
    "length-ratio", "warning", "The hypothesis is less than half or more than twice as long as the reference."
)


@register(SAME_SCRIPT_CHECKS)
def _check_length_ratio(pair: TextPair) -> list[Finding]:
    here, there = (sum(map(len, lines)) for lines in (pair.hypotheses, pair.references))
    if not there or 0.5 <= here / there <= 2:
        return []
    problem = f"the text has {here / there:.2f} times the length of {pair.reference_file}"
    remedy = "check whether the output was cut off, repeats itself, or belongs to another test set"
    return [_report_whole(_LENGTH_RATIO, pair, problem, remedy)]


_LENGTH_OUTLIERS = ProblemKind(
    "length-outliers", "note", "A line is more than three times longer or shorter than its reference."
)


@register(SAME_SCRIPT_CHECKS)
def _check_line_lengths(pair: TextPair) -> list[Finding]:
    here = np.array([len(line) for line in pair.hypotheses])
    there = np.array([len(line) for line in pair.references])
    longer, shorter = np.maximum(here, there), np.minimum(here, there)
    rows = np.flatnonzero((longer > 3 * shorter) & (shorter > 0) & (longer >= MIN_LINE_LENGTH)).tolist()
    if not rows:
        return []
    problem = f"more than three times longer or shorter than in {pair.reference_file}"
    remedy = "read these lines: the output may be cut off, repeated or on the wrong line"
    return [_LENGTH_OUTLIERS.at(rows, pair.hypothesis_file, problem, remedy)]


_WRONG_LANGUAGE_LINES = ProblemKind(
    "wrong-language-lines", "warning", "A line is in another language than its reference."
)


@register(SAME_LANGUAGE_CHECKS)
def _check_line_languages(pair: TextPair) -> list[Finding]:
    """Find lines in another language than the reference text, unless their own reference is so, too."""
    code = detect_language(pair.references).code
    found = {} if code is None else find_foreign_lines(pair.hypotheses, code)
    if code is None or not found:
        return []
    rows = [row for row in found if _is_prose(pair.hypotheses[row])]
    own = [_own_words(pair.hypotheses[row], pair.references[row]) for row in rows]
    in_own, in_reference = (
        find_foreign_lines(lines, code) for lines in (own, [pair.references[row] for row in rows])
    )
    others = {
        row: found[row] for place, row in enumerate(rows) if place in in_own and place not in in_reference
    }
    if not others:
        return []
    names = [format_language(other) for other, _ in Counter(others.values()).most_common(3)]
    severity: Severity = "warning" if len(others) > max(2, len(pair.hypotheses) / 100) else "note"
    problem = f"{' or '.join(names)}, while {pair.reference_file} is {format_language(code)}"
    remedy = "check whether this was translated, and into the right language"
    return [_WRONG_LANGUAGE_LINES.at(list(others), pair.hypothesis_file, problem, remedy, severity=severity)]


def _is_prose(line: str) -> bool:
    """Whether a line shows its language: lists of names and a word repeated endlessly do not."""
    words = [word for word in line.split() if word.isalpha()]
    others = {word for word in words if not word[:1].isupper()}
    return len(others) >= MIN_PROSE_WORDS and 2 * len(set(words)) >= len(words)


_STRETCHED = re.compile(r"(.)\1{3}")  # words such as "noooo" belong to no language


def _own_words(line: str, reference: str) -> str:
    """Return the words that show the language of a line: not those of its reference, such as names, and not stretched ones."""
    known = set(_fold_words(reference))
    folded = zip(line.split(), _fold_words(line), strict=True)
    return " ".join(word for word, key in folded if key not in known and not _STRETCHED.search(word))


def _fold_words(text: str) -> list[str]:
    """Return the words of a text in lower case and without punctuation around them, one for each word."""
    return [_EDGES.sub("", word).casefold() for word in text.split()]


_EDGES = re.compile(r"^\W+|\W+$")

_UNTRANSLATED = ProblemKind("untranslated", "warning", "A line is nearly identical to the source.")


def check_source(
    hypotheses: Sequence[str],
    sources: Sequence[str],
    references: Sequence[str] = (),
    *,
    hypothesis_file: str = "hypotheses",
    source_file: str = "sources",
    votes: SimilarityVotes | None = None,
) -> list[Finding]:
    """Compare a hypothesis with its source to find lines that were not translated, or that translate other lines.

    Lines that the reference copies from the source, too, are not reported. The order of lines is only checked with
    `votes`, and in languages of their encoder.
    """
    pair = TextPair(hypotheses, sources, hypothesis_file, source_file)
    findings = [] if votes is None else _check_translations(pair, votes)
    if counts := check_line_counts(pair):
        return [*counts, *findings]
    wanted = references if len(references) == len(sources) else [""] * len(sources)
    rows = [
        row
        for row, (here, source, reference) in enumerate(zip(hypotheses, sources, wanted, strict=True))
        if len(here) >= MIN_LINE_LENGTH and _is_untranslated(here, source, reference)
    ]
    if not rows:
        return findings
    is_nearly = any(hypotheses[row] != sources[row] for row in rows)
    problem = f"untranslated: {'nearly ' * is_nearly}identical to {source_file}"
    remedy = "check whether the system failed there, or the source was passed as its output"
    severity = _untranslated_severity(len(rows), len(sources))
    return [*findings, _UNTRANSLATED.at(rows, hypothesis_file, problem, remedy, severity=severity)]


def _check_translations(pair: TextPair, votes: SimilarityVotes) -> list[Finding]:
    """Find lines that translate other lines of the source, by sentence vectors of excerpts."""
    languages = [detect_language(lines).code for lines in (pair.hypotheses, pair.references)]
    if not votes.knows(languages):
        return []
    match = match_lines(
        pair.hypotheses,
        pair.references,
        max_blocks=TRANSLATION_EXCERPTS,
        block_sample=TRANSLATION_LINES,
        count_votes=votes,
    )
    return check_order(pair, match)


def _is_untranslated(here: str, source: str, reference: str) -> bool:
    """Whether nearly all words of a line are in the source, and many of them are not in the reference."""
    is_wanted = _letter_share(_fold_words(here), set(_fold_words(reference))) > MAX_WANTED
    if is_wanted or here == reference or not any(map(str.isalpha, here)):
        return False
    if here == source:
        return bool(reference) or _shows_language(here)
    words, source_words = here.split(), set(source.split())
    others = [word for word in words if not word[:1].isupper()]  # names are often the same in both languages
    return len(words) >= MIN_COPIED_WORDS and all(
        _letter_share(each, source_words, empty=1.0) >= MIN_COPIED for each in (words, others)
    )


def _shows_language(line: str) -> bool:
    """Whether a line is more than names, numbers and addresses: it has words in lower case, or its script has no case."""
    return _is_prose(line) or any(each.isalpha() and each.lower() == each.upper() for each in line)


def _letter_share(words: Sequence[str], known: Collection[str], *, empty: float = 0.0) -> float:
    """Compute the share of the letters of words that belong to known words; `empty` if there are no letters.

    Letters are counted because numbers stay as they are, and a word of Japanese text is a whole clause.
    """
    letters = [sum(map(str.isalpha, word)) for word in words]
    total = sum(letters)
    if not total:
        return empty
    return sum(n for word, n in zip(words, letters, strict=True) if word in known) / total


def _untranslated_severity(n_rows: int, n_lines: int) -> Severity:
    if n_rows > n_lines / 2:
        return "error"
    return "warning" if n_rows > max(2, n_lines / 100) else "note"


# Encoding a line takes some ten milliseconds.
TRANSLATION_EXCERPTS, TRANSLATION_LINES = 24, 6
# Sampled lines: enough to see how most of a text is written.
SAMPLE_LINES = 400
# 40 excerpts of 12 lines find a shift that affects a fortieth of the text, wherever it begins.
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
    """Check a sample of a hypothesis and one reference for problems that make their score meaningless.

    HTML entities are searched in the first 10,000 lines, other problems in lines from the whole text.
    `tokenizers` are those of the metrics that will score the text, `language` is that of the references.
    """
    if blank := _check_blank(hypotheses, references, hypothesis_file):
        return blank
    pair = TextPair(hypotheses, references, hypothesis_file, reference_file)
    match = match_lines(hypotheses, references, max_blocks=EXCERPTS, block_sample=EXCERPT_LINES)
    return [
        *check_order(pair, match),
        *_compare_surfaces(pair, QUICK_SURFACE_CHECKS, sample=SAMPLE_LINES, language=language),
        *check_tokenizers(references, tokenizers, reference_file),
        *_check_characters(hypotheses, hypothesis_file),
        *_check_characters(references, reference_file),
    ]


_BLANK = ProblemKind("blank", "error", "Every line of the hypothesis is empty.")


def _check_blank(hypotheses: Sequence[str], references: Sequence[str], file: str) -> list[Finding]:
    """Report a system without output, unless the references are empty, too."""
    if (
        not hypotheses
        or any(line.strip() for line in hypotheses)
        or not any(line.strip() for line in references)
    ):
        return []
    remedy = "check whether the translation failed, and translate again"
    return [_BLANK.at(range(len(hypotheses)), file, "every line is empty", remedy)]


def _check_characters(lines: Sequence[str], file: str) -> list[Finding]:
    head = lines[:ENTITY_LINES]
    findings = find_damages(head, [NULS, ENTITIES], file=file)
    n_allowed = {ENTITIES.kind.code: max(2, len(head) / 200)}
    return [finding for finding in findings if finding.n_lines > n_allowed.get(finding.code, 0)]
