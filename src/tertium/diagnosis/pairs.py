"""Checks of a hypothesis against its reference or its source."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.diagnosis.contrasts import (
    MIN_LINES,
    QUICK_SURFACE_CHECKS,
    SURFACE_CHECKS,
    WRONG_LANGUAGE,
    WRONG_SCRIPT,
    report_whole,
)
from tertium.diagnosis.finding import Finding, ProblemKind, Severity, TextPair, are_many
from tertium.diagnosis.order import SimilarityVotes, check_line_counts, check_order, match_lines
from tertium.diagnosis.surfaces import Surface
from tertium.diagnosis.texts import SCRIPT_LINES
from tertium.text.detection import (
    MIN_SCRIPT_LETTERS,
    count_scripts,
    detect_language,
    find_foreign_lines,
    find_line_scripts,
    merge_kana,
    sample_texts,
)
from tertium.text.languages import format_language

if TYPE_CHECKING:
    from tertium.alignment.sentences import Change, SentenceGroup

MAX_ALIGNED_LINES = 2000
"""Longer texts are not aligned: it would take seconds."""

_MERGED = ProblemKind("merged-lines", "note", "Lines of the hypothesis hold several lines of the reference.")
_SPLIT = ProblemKind("split-lines", "note", "Lines of the reference are several lines of the hypothesis.")
_DROPPED = ProblemKind("dropped-lines", "warning", "Lines of the reference are missing from the hypothesis.")
_ADDED = ProblemKind(
    "added-lines", "warning", "Lines of the hypothesis have no counterpart in the reference."
)
_MOVED = ProblemKind(
    "moved-lines", "warning", "Lines of the hypothesis are in another place than in the reference."
)

_REMEDIES = {
    "merged": "cut the text to the segments of the reference with `tertium align`",
    "split": "join the lines, or cut the text to the segments of the reference with `tertium align`",
    "dropped": "translate these lines, or leave an empty line in their place",
    "added": "remove these lines if they are not part of the translation",
    "moved": "bring the lines into the order of the reference",
}


def check_changes(pair: TextPair) -> list[Finding]:
    """Align the lines of two texts in one language, and report lines that are not one to one."""
    if max(len(pair.hypotheses), len(pair.references)) > MAX_ALIGNED_LINES or not (
        pair.hypotheses and pair.references
    ):
        return []
    from tertium.alignment.sentences import align_sentences  # noqa: PLC0415 - most texts line up

    groups = align_sentences(pair.references, pair.hypotheses)
    if sum(group.change == "equal" for group in groups) < len(groups) / 2:
        return []  # the texts have too little in common to say more
    return [
        *_report_change(
            _MERGED, "merged", "each of these lines holds several lines of {other}", groups, pair
        ),
        *_report_change(_SPLIT, "split", "these lines are parts of lines of {other}", groups, pair),
        *_report_change(_DROPPED, "dropped", "these lines are missing from {other}", groups, pair),
        *_report_change(_ADDED, "added", "these lines have no counterpart in {other}", groups, pair),
        *_report_change(_MOVED, "moved", "these lines are in another place than in {other}", groups, pair),
    ]


def _report_change(
    kind: ProblemKind, change: "Change", problem: str, groups: "list[SentenceGroup]", pair: TextPair
) -> list[Finding]:
    """Report a change; dropped lines are lines of the reference, lines of all other changes are lines of the hypothesis."""
    is_dropped = change == "dropped"
    spans = [group.reference if is_dropped else group.output for group in groups if group.change == change]
    rows = sorted({row for span in spans for row in range(*span)})
    if not rows:
        return []
    file, other = pair.hypothesis_file, pair.reference_file
    if is_dropped:
        file, other = other, file
    return [kind.at(rows, file, problem.format(other=other), _REMEDIES[change])]


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
        *_compare_surfaces(pair),
    ]
    codes = {finding.code for finding in findings}
    if counts:
        is_foreign = codes & {WRONG_SCRIPT.code, WRONG_LANGUAGE.code}
        return findings if is_foreign else [*findings, *check_changes(pair)]
    checks = list(LINE_CHECKS)
    if WRONG_SCRIPT.code not in codes:
        checks += SAME_SCRIPT_CHECKS
        checks += [] if WRONG_LANGUAGE.code in codes else SAME_LANGUAGE_CHECKS
    return findings + [finding for check in checks for finding in check(pair)]


def _compare_surfaces(pair: TextPair) -> list[Finding]:
    here, there = (Surface.of(lines, SAMPLE_LINES) for lines in (pair.hypotheses, pair.references))
    return [
        finding for check in (*QUICK_SURFACE_CHECKS, *SURFACE_CHECKS) for finding in check(pair, here, there)
    ]


_IDENTICAL = ProblemKind(
    "identical-to-reference", "warning", "Many lines of the hypothesis are identical to the reference."
)


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


def check_line_scripts(pair: TextPair) -> list[Finding]:
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
    "length-ratio", "warning", "The hypothesis is much shorter or longer than the reference."
)
# On WMT outputs have 0.76 to 1.17 times the length of their references, but rudimentary systems leave out more.
LENGTH_RATIOS, SHORT_LENGTH_RATIOS = (0.55, 1.6), (0.5, 2.0)


def check_length_ratio(pair: TextPair) -> list[Finding]:
    here, there = (sum(map(len, lines)) for lines in (pair.hypotheses, pair.references))
    low, high = LENGTH_RATIOS if len(pair.references) >= MIN_LINES else SHORT_LENGTH_RATIOS
    if not there or low <= here / there <= high:
        return []
    problem = f"the text has {here / there:.2f} times the length of {pair.reference_file}"
    remedy = "check whether the output was cut off, repeats itself, or belongs to another test set"
    return [report_whole(_LENGTH_RATIO, pair, problem, remedy)]


_LENGTH_OUTLIERS = ProblemKind(
    "length-outliers", "warning", "A line is more than three times longer or shorter than its reference."
)


def check_line_lengths(pair: TextPair) -> list[Finding]:
    """Find lines with a length far from that of their references; a few are only noted."""
    here = np.array([len(line) for line in pair.hypotheses])
    there = np.array([len(line) for line in pair.references])
    longer, shorter = np.maximum(here, there), np.minimum(here, there)
    rows = np.flatnonzero((longer > 3 * shorter) & (shorter > 0) & (longer >= MIN_LINE_LENGTH)).tolist()
    if not rows:
        return []
    problem = f"more than three times longer or shorter than in {pair.reference_file}"
    remedy = "read these lines: the output may be cut off, repeated or on the wrong line"
    severity: Severity = "warning" if are_many(len(rows), len(pair.hypotheses)) else "note"
    return [_LENGTH_OUTLIERS.at(rows, pair.hypothesis_file, problem, remedy, severity=severity)]


_WRONG_LANGUAGE_LINES = ProblemKind(
    "wrong-language-lines", "warning", "A line is in another language than its reference."
)


def _check_line_languages(pair: TextPair) -> list[Finding]:
    return check_line_languages(pair, detect_language(pair.references).code)


def check_line_languages(pair: TextPair, code: str | None, *, min_excess: float = 0.0) -> list[Finding]:
    """Find lines in another language than the reference text, unless their own reference is in another language, too.

    If the detector does not know the language of the reference text, lines in languages that it knows are counted.
    """
    others = _find_known_languages(pair) if code is None else _find_other_languages(pair, code, min_excess)
    if not others:
        return []
    names = [format_language(other) for other, _ in Counter(others.values()).most_common(3)]
    severity: Severity = "warning" if len(others) > max(2, len(pair.hypotheses) / 100) else "note"
    language = "in another language" if code is None else format_language(code)
    problem = f"{' or '.join(names)}, while {pair.reference_file} is {language}"
    remedy = "check whether this was translated, and into the right language"
    return [_WRONG_LANGUAGE_LINES.at(list(others), pair.hypothesis_file, problem, remedy, severity=severity)]


def _find_other_languages(pair: TextPair, code: str, min_excess: float) -> dict[int, str]:
    found = find_foreign_lines(pair.hypotheses, code, min_excess=min_excess)
    rows = [row for row in found if _is_prose(pair.hypotheses[row])]
    if not rows:
        return {}
    own = [_own_words(pair.hypotheses[row], pair.references[row]) for row in rows]
    in_own, in_reference = (
        find_foreign_lines(lines, code) for lines in (own, [pair.references[row] for row in rows])
    )
    return {
        row: found[row] for place, row in enumerate(rows) if place in in_own and place not in in_reference
    }


# Detecting the language of a line takes a tenth of a millisecond.
DETECTED_LINES = 2000
# On WMT21 at most 2.5 % of the lines of Hausa outputs look Indonesian, and as many of the references.
MIN_DETECTED = 0.05


def _find_known_languages(pair: TextPair) -> dict[int, str]:
    """Find lines in a language that many lines of the hypothesis are in, but not their references."""
    rows = sample_texts(range(len(pair.hypotheses)), DETECTED_LINES)
    found = {row: code for row in rows if (code := detect_language([pair.hypotheses[row]]).code)}
    found = {
        row: code
        for row, code in found.items()
        if _is_prose(pair.hypotheses[row]) and detect_language([pair.references[row]]).code != code
    }
    counts = Counter(found.values())
    return {row: code for row, code in found.items() if counts[code] > max(2, MIN_DETECTED * len(rows))}


def _is_prose(line: str) -> bool:
    """Whether a line shows its language: lists of names and a word repeated endlessly do not."""
    words = [word for word in line.split() if word.isalpha()]
    others = {word for word in words if not word[:1].isupper()}
    return len(others) >= MIN_PROSE_WORDS and 2 * len(set(words)) >= len(words)


_STRETCHED = re.compile(r"(.)\1{3}")  # words such as "noooo" belong to no language


def _own_words(line: str, reference: str) -> str:
    """Return the words that show the language of a line; words of its reference, such as names, and stretched words do not."""
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
        _letter_share(tokens, source_words, empty=1.0) >= MIN_COPIED for tokens in (words, others)
    )


def _shows_language(line: str) -> bool:
    """Whether a line is more than names, numbers and addresses: it has words in lower case, or its script has no case."""
    return _is_prose(line) or any(
        character.isalpha() and character.lower() == character.upper() for character in line
    )


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


# Sampled lines: enough to see how most of a text is written.
SAMPLE_LINES = 2000
# Encoding a line takes some ten milliseconds.
TRANSLATION_EXCERPTS, TRANSLATION_LINES = 24, 6


LINE_CHECKS: tuple[Callable[[TextPair], list[Finding]], ...] = (_check_copies,)
"""Comparisons line by line, for texts with the same number of lines."""
SAME_SCRIPT_CHECKS: tuple[Callable[[TextPair], list[Finding]], ...] = (
    check_line_scripts,
    check_length_ratio,
    check_line_lengths,
)
"""Comparisons line by line, for texts that are also in the same script."""
SAME_LANGUAGE_CHECKS: tuple[Callable[[TextPair], list[Finding]], ...] = (_check_line_languages,)
"""Comparisons line by line, for texts that are also in the same language."""
